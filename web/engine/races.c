/* Race files: checked, counted, and played again step by step. */
#include "engine.h"

#include "table/table.h"

#include <string.h>

int engine_verify(size_t length);
int engine_summary(size_t length);
int engine_replay(size_t length);
int engine_step(int act, int viewer);

/* ---- Reading ------------------------------------------------------------------------------------ */

typedef struct {
    const char *text;
    size_t length, at;
} file;

/* The next line without its end; false behind the last. */
static bool next_line(file *f, const char **line, size_t *length)
{
    if (f->at >= f->length)
        return false;
    *line = f->text + f->at;
    const char *end = memchr(*line, '\n', f->length - f->at);
    *length = end != NULL ? (size_t)(end - *line) : f->length - f->at;
    f->at += *length + 1;
    return true;
}

/* All of a file; where it is at fault the line is given, too. */
static hp_text_fault read_all(file *f, hp_reader *reader, const hp_listener *listener, hp_fault *fault,
                              const char **line, size_t *length)
{
    memset(reader, 0, sizeof *reader);
    while (next_line(f, line, length)) {
        const hp_text_fault kind = hp_read_line(reader, *line, *length, listener, fault);
        if (kind != HP_TEXT_OK)
            return kind;
    }
    *length = 0;
    return hp_read_end(reader, fault);
}

/* ---- Telling what is wrong ---------------------------------------------------------------------- */

static const char *const faults[HP_TEXT_FAULTS] = {
    [HP_TEXT_OK] = "ok",
    [HP_TEXT_NOT_TEXT] = "not_text",
    [HP_TEXT_LINE_TOO_LONG] = "line_too_long",
    [HP_TEXT_UNKNOWN_KEY] = "unknown_key",
    [HP_TEXT_MISSING_KEY] = "missing_key",
    [HP_TEXT_DOUBLE_KEY] = "double_key",
    [HP_TEXT_EXPECTED] = "expected",
    [HP_TEXT_NUMBER_RANGE] = "number_range",
    [HP_TEXT_BAD_NUMBER] = "bad_number",
    [HP_TEXT_BAD_NAME] = "bad_name",
    [HP_TEXT_BAD_CARD] = "bad_card",
    [HP_TEXT_CORNER_OUTSIDE] = "corner_outside",
    [HP_TEXT_CORNER_TWICE] = "corner_twice",
    [HP_TEXT_CORNER_ORDER] = "corner_order",
    [HP_TEXT_TOO_MANY] = "too_many",
    [HP_TEXT_TOO_FEW] = "too_few",
    [HP_TEXT_TOO_SHORT] = "too_short",
    [HP_TEXT_EXTRA] = "extra",
    [HP_TEXT_UNKNOWN_ACT] = "unknown_act",
    [HP_TEXT_VERSION] = "version",
    [HP_TEXT_UNKNOWN_CIRCUIT] = "unknown_circuit",
    [HP_TEXT_OTHER_FIGURES] = "other_figures",
    [HP_TEXT_COMMITMENT] = "commitment",
    [HP_TEXT_SEED_NOT_MIXED] = "seed_not_mixed",
    [HP_TEXT_CARDS_AMISS] = "cards_amiss",
    [HP_TEXT_SPOT_TAKEN] = "spot_taken",
    [HP_TEXT_IMPOSSIBLE] = "impossible",
    [HP_TEXT_ILLEGAL_ACT] = "illegal_act",
    [HP_TEXT_OTHER_HASH] = "other_hash",
    [HP_TEXT_OTHER_RESULT] = "other_result",
    [HP_TEXT_CUT_OFF] = "cut_off",
};

static void add_plain(const char *name, const char *text)
{
    engine_add_string(name, text, strlen(text));
}

/* A line from outside may be any bytes: all that is not plain becomes a question mark. */
static void add_quoted(const char *name, const char *line, size_t length)
{
    char text[HP_LINE_MAX];
    if (length > sizeof text)
        length = sizeof text;
    for (size_t i = 0; i < length; i++)
        text[i] = line[i];
    for (size_t i = 0; i < length; i++)
        if (line[i] < ' ' || line[i] > '~')
            text[i] = '?';
    engine_add_string(name, text, length);
}

static void add_fault(const hp_fault *fault, const char *line, size_t length)
{
    add_plain("code", faults[fault->kind]);
    engine_add_number("line", fault->line);
    engine_add_number("column", fault->column);
    add_plain("word", fault->word);
    engine_add_number("number", fault->number);
    engine_add_number("low", fault->low);
    engine_add_number("high", fault->high);
    if (fault->kind == HP_TEXT_ILLEGAL_ACT) {
        add_plain("refused", table_error_word(TABLE_ILLEGAL, fault->refused));
        add_plain("rule", hp_rule_of(fault->refused));
    }
    add_quoted("text", line, length);
}

static void add_head(const hp_reader *reader)
{
    const hp_head *head = &reader->head;
    add_plain("circuit", head->circuit);
    engine_add_number("laps", head->setup.laps);
    engine_add_key("seats");
    for (int i = 0; i < head->setup.cars; i++) {
        engine_add_text(i > 0 ? ",{" : "[{");
        add_plain("name", head->seat[i]);
        engine_add_number("handicap", head->setup.handicap[i]);
        if (head->mixed)
            engine_add_hex("salt", head->salt[i]);
        engine_add_text("}");
    }
    engine_add_text("]");
    engine_add_truth("mixed", head->mixed);
    engine_add_hex("commitment", reader->commitment);
}

static void add_end(const hp_reader *reader)
{
    engine_add_number("rounds", reader->race.round);
    engine_add_number("acts", reader->acts);
    engine_add_truth("ended", reader->ended);
}

/* What is wrong with the race file, or what it is about if nothing is; commitment and salts are for the reader to
 * compare with what was shown before the race. */
EXPORT(verify) int engine_verify(size_t length)
{
    file f = {.text = engine_text(length), .length = length};
    hp_reader reader;
    hp_fault fault = {0};
    const char *line = "";
    size_t in_line = 0;
    if (f.text == NULL)
        return 0;
    const bool ok = read_all(&f, &reader, NULL, &fault, &line, &in_line) == HP_TEXT_OK;
    engine_begin();
    engine_add_text("{");
    engine_add_truth("ok", ok);
    if (!ok)
        add_fault(&fault, line, in_line);
    if (reader.started)
        add_head(&reader);
    add_end(&reader);
    engine_add_text("}");
    return engine_end();
}

/* ---- Figures ------------------------------------------------------------------------------------ */

static void hear_summary(void *self, const hp_event *event)
{
    hp_summary_hear(self, event);
}

/* Of the whole race file; nothing where it is at fault. */
EXPORT(summary) int engine_summary(size_t length)
{
    static hp_summary summary;
    static char text[HP_SUMMARY_TEXT];
    const hp_listener listener = {.hear = hear_summary, .self = &summary};
    file f = {.text = engine_text(length), .length = length};
    hp_reader reader;
    hp_fault fault;
    const char *line;
    size_t in_line;
    memset(&summary, 0, sizeof summary);
    if (f.text == NULL || read_all(&f, &reader, &listener, &fault, &line, &in_line) != HP_TEXT_OK)
        return 0;
    engine_begin();
    engine_add(text, hp_summary_write(&summary, &reader.head.setup, text, sizeof text));
    return engine_end();
}

/* ---- Step by step ------------------------------------------------------------------------------- */

static struct {
    char *text;
    size_t size;
    file f;
    hp_reader reader; /* after the act that was shown last */
    int acts, cars;   /* in all */
} shown;

/* Takes the race file that engine_step shows from then on; the answer is as that of verify. A file at fault is
 * refused, and the one before stays. */
EXPORT(replay) int engine_replay(size_t length)
{
    file f = {.text = engine_text(length), .length = length};
    hp_reader reader;
    hp_fault fault;
    const char *line;
    size_t in_line;
    const int answer = engine_verify(length);
    if (answer > 0 && read_all(&f, &reader, NULL, &fault, &line, &in_line) == HP_TEXT_OK) {
        shown.text = engine_grown(shown.text, &shown.size, length, 1);
        memcpy(shown.text, f.text, length);
        shown.f = (file){.text = shown.text, .length = length};
        shown.acts = reader.acts;
        shown.cars = reader.head.setup.cars;
        memset(&shown.reader, 0, sizeof shown.reader);
    }
    return answer;
}

typedef struct {
    int viewer;
    bool any;
} telling;

static void tell(void *self, const hp_event *event)
{
    telling *t = self;
    const hp_event seen = hp_event_for(event, t->viewer);
    char text[HP_EVENT_TEXT];
    if (t->any)
        engine_add_text(",");
    t->any = true;
    engine_add_line(text, hp_event_write(&seen, text, sizeof text));
}

/* Reads on until so many acts are played, or for 0 until the race has started. Lines behind it that are no acts
 * wait for the next step. */
static void read_until(int act, const hp_listener *listener)
{
    hp_fault fault;
    const char *line;
    size_t length;
    while ((!shown.reader.started || shown.reader.acts < act) && next_line(&shown.f, &line, &length))
        hp_read_line(&shown.reader, line, length, listener, &fault);
}

static void add_state(int act, int viewer)
{
    hp_view view;
    char text[HP_VIEW_TEXT];
    hp_look(&shown.reader.race, viewer, &view);
    engine_add_key("state");
    engine_add_text("{");
    add_plain("m", "state");
    engine_add_number("n", act);
    engine_add_number("you", viewer == HP_SPECTATOR ? -1 : viewer);
    engine_add_key("view");
    engine_add_line(text, hp_view_write(&view, text, sizeof text));
    engine_add_text("}");
}

/* What followed from an act, by number from 1, and how things stood then; 0 is the start. All of it as that viewer
 * saw it, but for the act itself, which is no secret any more. */
EXPORT(step) int engine_step(int act, int viewer)
{
    if (shown.text == NULL || act < 0 || act > shown.acts ||
        (viewer != HP_SPECTATOR && (viewer < 0 || viewer >= shown.cars)))
        return 0;
    telling t = {.viewer = viewer};
    const hp_listener listener = {.hear = tell, .self = &t};
    if (!shown.reader.started || shown.reader.acts >= act) {
        memset(&shown.reader, 0, sizeof shown.reader);
        shown.f.at = 0;
    }
    if (act > 0)
        read_until(act - 1, NULL);
    engine_begin();
    engine_add_text("{\"events\":[");
    read_until(act, &listener);
    engine_add_text("]");
    if (act > 0) {
        char text[HP_ACT_TEXT];
        hp_act_write(shown.reader.act, text, sizeof text);
        engine_add_number("seat", shown.reader.act_car);
        add_plain("act", text);
    }
    add_state(act, viewer);
    engine_add_text("}");
    return engine_end();
}
