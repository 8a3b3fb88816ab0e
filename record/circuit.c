/* Circuit files (docs/CIRCUITS.md): reading one, and those that are built in. */
#include "record/embedded.h"
#include "record/text.h"

#include <string.h>

enum {
    CIRCUIT_VERSION = 1,
    CANVAS_MAX = 10000 /* a coordinate fits 16 bits, and the product of two of them 32 */
};

static const char first_line[] = "hairpin circuit 1";

/* A fact is a line that starts with its key. */
typedef enum {
    KEY_NAME,
    KEY_TITLE,
    KEY_SPACES,
    KEY_LAPS,
    KEY_HEAT,
    KEY_STRESS,
    KEY_RACE_LINE,
    KEY_CANVAS,
    KEY_CORNER,
    KEY_POINTS,
    KEY_END,
    KEYS
} circuit_key;

enum {
    KEYS_REQUIRED = KEY_CANVAS, /* those before it must be there */
    KEYS_ONCE = KEY_CORNER      /* those before it may not come again */
};

static const char *const key_names[KEYS] = {
    [KEY_NAME] = "name",           [KEY_TITLE] = "title",   [KEY_SPACES] = "spaces", [KEY_LAPS] = "laps",
    [KEY_HEAT] = "heat",           [KEY_STRESS] = "stress", [KEY_CORNER] = "corner", [KEY_CANVAS] = "canvas",
    [KEY_RACE_LINE] = "race-line", [KEY_POINTS] = "points", [KEY_END] = "end",
};

/* A number that is judged by facts from other lines, and where it stands. */
typedef struct {
    int32_t value;
    int line;
    int column;
} figure;

typedef enum { PHASE_FIRST_LINE, PHASE_FACTS, PHASE_ENDED } read_phase;

/* What has been read so far. Facts come in any order, so the figures wait for the end of the file. */
typedef struct {
    hp_circuit circuit;
    read_phase phase;
    unsigned seen; /* bit by circuit_key */
    figure after[HP_CORNERS_MAX];
    figure legend[HP_CORNERS_MAX];
    int points;
    figure x[HP_SPACES_MAX + 1], y[HP_SPACES_MAX + 1]; /* one more, to name the first that is too many */
} draft;

/* ---- Words ------------------------------------------------------------------------------------ */

static bool fail_at(text_in *in, const figure *where, hp_text_fault kind, const char *what)
{
    hp_fail(in, kind, hp_word_of(what));
    in->fault->line = where->line;
    in->fault->column = where->column;
    return false;
}

static bool judge(text_in *in, const figure *found, const char *what, int32_t low, int32_t high)
{
    if (found->value >= low && found->value <= high)
        return true;
    hp_fail_range(in, what, found->value, low, high);
    in->fault->line = found->line;
    in->fault->column = found->column;
    return false;
}

static bool word_to_figure(text_in *in, text_word word, figure *found)
{
    found->line = in->fault->line;
    found->column = (int)(word.text - in->text) + 1;
    return hp_word_to_number(in, word, "", INT32_MIN, INT32_MAX, &found->value);
}

static bool next_figure(text_in *in, figure *found)
{
    text_word word;
    return hp_next_word(in, "number", &word) && word_to_figure(in, word, found);
}

/* A number that its own line is enough to judge; high is at most 255. */
static bool next_small(text_in *in, const char *what, int32_t low, int32_t high, uint8_t *number)
{
    text_word word;
    int32_t value;
    if (!hp_next_word(in, "number", &word) || !hp_word_to_number(in, word, what, low, high, &value))
        return false;
    *number = (uint8_t)value;
    return true;
}

static bool next_side(text_in *in, uint8_t *side)
{
    static const char sides[] = "left/right";
    text_word word;
    if (!hp_next_word(in, sides, &word))
        return false;
    if (!hp_word_is(word, "left") && !hp_word_is(word, "right"))
        return hp_fail_expected_for(in, sides, word);
    *side = hp_word_is(word, "left") ? HP_LEFT : HP_RIGHT;
    return true;
}

/* ---- Facts ------------------------------------------------------------------------------------ */

static bool read_name(draft *d, text_in *in)
{
    text_word word;
    if (!hp_next_word(in, key_names[KEY_NAME], &word))
        return false;
    return hp_word_to_name(word, d->circuit.name) || hp_fail(in, HP_TEXT_BAD_NAME, word);
}

/* The rest of the line, blanks within it included. */
static bool read_title(draft *d, text_in *in)
{
    text_word title, last;
    if (!hp_next_word(in, key_names[KEY_TITLE], &title))
        return false;
    while (!hp_at_end(in)) {
        hp_next_word(in, "", &last);
        title.length = (size_t)(last.text - title.text) + last.length;
    }
    if (title.length > HP_NAME_MAX)
        return hp_fail(in, HP_TEXT_BAD_NAME, title);
    memcpy(d->circuit.title, title.text, title.length);
    return true;
}

static bool read_spaces(draft *d, text_in *in)
{
    figure spaces;
    if (!next_figure(in, &spaces))
        return false;
    if (spaces.value < HP_SPACES_MIN) {
        fail_at(in, &spaces, HP_TEXT_TOO_SHORT, "");
        in->fault->number = spaces.value;
        in->fault->low = HP_SPACES_MIN;
        return false;
    }
    if (!judge(in, &spaces, key_names[KEY_SPACES], HP_SPACES_MIN, HP_SPACES_MAX))
        return false;
    d->circuit.track.spaces = (uint8_t)spaces.value;
    return true;
}

/* Whether a corner lies within the lap is known only at the end; whether it comes in order, now. */
static bool check_order(const draft *d, text_in *in, const figure *after)
{
    const int corners = d->circuit.track.corners;
    hp_text_fault kind = HP_TEXT_OK;
    if (!judge(in, after, key_names[KEY_CORNER], 0, INT32_MAX)) {
        in->fault->high = HP_SPACES_MAX - 1;
        return false;
    }
    if (corners > 0 && after->value < d->after[corners - 1].value)
        kind = HP_TEXT_CORNER_ORDER;
    for (int i = 0; i < corners; i++)
        if (after->value == d->after[i].value)
            kind = HP_TEXT_CORNER_TWICE;
    if (kind == HP_TEXT_OK)
        return true;
    fail_at(in, after, kind, "");
    in->fault->number = after->value;
    return false;
}

static bool read_corner(draft *d, text_in *in)
{
    hp_track *track = &d->circuit.track;
    const int i = track->corners;
    if (i == HP_CORNERS_MAX) {
        in->at = 0;
        hp_fail(in, HP_TEXT_TOO_MANY, hp_word_of("corners"));
        in->fault->high = HP_CORNERS_MAX;
        return false;
    }
    if (!next_figure(in, &d->after[i]) || !check_order(d, in, &d->after[i]))
        return false;
    if (!hp_next_is(in, "limit", "limit") ||
        !next_small(in, "limit", HP_LIMIT_MIN, HP_LIMIT_MAX, &track->corner[i].limit))
        return false;
    if (!hp_next_is(in, "race-line", "race-line") || !next_side(in, &d->circuit.line_side[i]))
        return false;
    if (!hp_next_is(in, "legend", "legend") || !next_figure(in, &d->legend[i]))
        return false;
    track->corners++;
    return true;
}

static bool read_canvas(draft *d, text_in *in)
{
    figure width, height;
    if (!next_figure(in, &width) || !judge(in, &width, key_names[KEY_CANVAS], 1, CANVAS_MAX))
        return false;
    if (!next_figure(in, &height) || !judge(in, &height, key_names[KEY_CANVAS], 1, CANVAS_MAX))
        return false;
    d->circuit.canvas = (hp_point){(int16_t)width.value, (int16_t)height.value};
    return true;
}

/* "777,130" */
static bool read_point(draft *d, text_in *in)
{
    static const char form[] = "x,y";
    text_word x, y;
    if (!hp_next_word(in, form, &x))
        return false;
    size_t comma = 0;
    while (comma < x.length && x.text[comma] != ',')
        comma++;
    if (comma == 0 || comma + 1 >= x.length)
        return hp_fail_expected_for(in, form, x);
    y = (text_word){.text = x.text + comma + 1, .length = x.length - comma - 1};
    x.length = comma;
    figure found_x, found_y;
    if (!word_to_figure(in, x, &found_x) || !word_to_figure(in, y, &found_y))
        return false;
    if (d->points <= HP_SPACES_MAX) { /* beyond that it is known to be too many */
        d->x[d->points] = found_x;
        d->y[d->points] = found_y;
        d->points++;
    }
    return true;
}

static bool read_points(draft *d, text_in *in)
{
    do {
        if (!read_point(d, in))
            return false;
    } while (!hp_at_end(in));
    return true;
}

/* ---- The end ---------------------------------------------------------------------------------- */

static bool place_corners(draft *d, text_in *in)
{
    hp_track *track = &d->circuit.track;
    const int last = track->spaces - 1;
    if (track->corners == 0) {
        hp_fail(in, HP_TEXT_TOO_FEW, hp_word_of("corners"));
        in->fault->low = 1;
        return false;
    }
    for (int i = 0; i < track->corners; i++) {
        if (d->after[i].value > last) {
            fail_at(in, &d->after[i], HP_TEXT_CORNER_OUTSIDE, "");
            in->fault->number = d->after[i].value;
            in->fault->high = last;
            return false;
        }
        if (!judge(in, &d->legend[i], "legend", 0, last))
            return false;
        track->corner[i].after = (uint8_t)d->after[i].value;
        d->circuit.legend_after[i] = (uint8_t)d->legend[i].value;
    }
    return true;
}

static bool place_points(draft *d, text_in *in)
{
    hp_circuit *circuit = &d->circuit;
    const int spaces = circuit->track.spaces;
    const bool canvas = (d->seen >> KEY_CANVAS & 1) != 0;
    if (canvas != (d->points > 0))
        return hp_fail(in, HP_TEXT_MISSING_KEY, hp_word_of(key_names[canvas ? KEY_POINTS : KEY_CANVAS]));
    if (!canvas)
        return true;
    if (d->points < spaces) {
        fail_at(in, &d->x[d->points - 1], HP_TEXT_TOO_FEW, key_names[KEY_POINTS]);
        in->fault->number = d->points;
        in->fault->low = spaces;
        return false;
    }
    if (d->points > spaces) {
        fail_at(in, &d->x[spaces], HP_TEXT_TOO_MANY, key_names[KEY_POINTS]);
        in->fault->high = spaces;
        return false;
    }
    for (int i = 0; i < spaces; i++) {
        if (!judge(in, &d->x[i], "x", 0, circuit->canvas.x - 1) ||
            !judge(in, &d->y[i], "y", 0, circuit->canvas.y - 1))
            return false;
        circuit->centre[i] = (hp_point){(int16_t)d->x[i].value, (int16_t)d->y[i].value};
    }
    circuit->points = (uint8_t)spaces;
    return true;
}

static bool finish(draft *d, text_in *in)
{
    in->at = 0; /* what is missing should stand before this line */
    for (int key = 0; key < KEYS_REQUIRED; key++)
        if ((d->seen >> key & 1) == 0)
            return hp_fail(in, HP_TEXT_MISSING_KEY, hp_word_of(key_names[key]));
    return place_corners(d, in) && place_points(d, in);
}

/* ---- Lines ------------------------------------------------------------------------------------ */

static bool read_first_line(draft *d, text_in *in)
{
    figure version;
    if (!hp_next_is(in, "hairpin", first_line) || !hp_next_is(in, "circuit", first_line) ||
        !next_figure(in, &version))
        return false;
    if (version.value > CIRCUIT_VERSION) {
        fail_at(in, &version, HP_TEXT_VERSION, "circuit");
        in->fault->number = version.value;
        in->fault->high = CIRCUIT_VERSION;
        return false;
    }
    d->phase = PHASE_FACTS;
    return judge(in, &version, "version", CIRCUIT_VERSION, CIRCUIT_VERSION);
}

/* KEYS once a fault is set. */
static circuit_key read_key(draft *d, text_in *in)
{
    text_word word = {0};
    int key = 0;
    hp_next_word(in, "", &word);
    while (key < KEYS && !hp_word_is(word, key_names[key]))
        key++;
    if (key == KEYS) {
        hp_fail(in, HP_TEXT_UNKNOWN_KEY, word);
    } else if (key < KEYS_ONCE && (d->seen >> key & 1) != 0) {
        hp_fail(in, HP_TEXT_DOUBLE_KEY, word);
        key = KEYS;
    } else {
        d->seen |= 1u << key;
    }
    return (circuit_key)key;
}

static bool read_fact(draft *d, text_in *in)
{
    hp_circuit *circuit = &d->circuit;
    const circuit_key key = read_key(d, in);
    switch (key) {
    case KEY_NAME:
        return read_name(d, in);
    case KEY_TITLE:
        return read_title(d, in);
    case KEY_SPACES:
        return read_spaces(d, in);
    case KEY_LAPS:
        return next_small(in, key_names[key], 1, HP_LAPS_MAX, &circuit->laps);
    case KEY_HEAT:
        return next_small(in, key_names[key], HP_HEAT_MIN, HP_HEAT_MAX, &circuit->track.heat);
    case KEY_STRESS:
        return next_small(in, key_names[key], 0, HP_STRESS_MAX, &circuit->track.stress);
    case KEY_RACE_LINE:
        return next_side(in, &circuit->side);
    case KEY_CANVAS:
        return read_canvas(d, in);
    case KEY_CORNER:
        return read_corner(d, in);
    case KEY_POINTS:
        return read_points(d, in);
    case KEY_END:
        d->phase = PHASE_ENDED;
        return true;
    case KEYS:
        break;
    }
    return false;
}

static bool read_line(draft *d, text_in *in)
{
    if (hp_at_end(in) || in->text[in->at] == '#')
        return true;
    switch (d->phase) {
    case PHASE_FIRST_LINE:
        return read_first_line(d, in) && hp_no_more(in);
    case PHASE_FACTS:
        return read_fact(d, in) && hp_no_more(in) && (d->phase == PHASE_FACTS || finish(d, in));
    case PHASE_ENDED:
        return hp_no_more(in);
    }
    return false;
}

/* The line that starts at *at, without its LF or CR LF; moves *at to the next. */
static text_in take_line(const char *text, size_t length, size_t *at, hp_fault *fault)
{
    text_in in = {.text = text + *at, .fault = fault};
    while (*at + in.length < length && in.text[in.length] != '\n')
        in.length++;
    *at += in.length + (*at + in.length < length ? 1 : 0);
    if (in.length > 0 && in.text[in.length - 1] == '\r')
        in.length--;
    if (fault->line < INT32_MAX)
        fault->line++;
    return in;
}

/* Binary files have long lines too: of those the first reason is that they are no text. */
static bool check_line(text_in *in)
{
    if (in->length <= HP_LINE_MAX)
        return hp_check_text(in);
    in->length = HP_LINE_MAX;
    for (int i = 0; i < 3 && (in->text[in->length] & 0xc0) == 0x80; i++)
        in->length--; /* a letter that the limit cuts in two is not judged */
    if (!hp_check_text(in))
        return false;
    in->at = HP_LINE_MAX;
    hp_fail(in, HP_TEXT_LINE_TOO_LONG, (text_word){0});
    in->fault->number = HP_LINE_MAX;
    return false;
}

hp_text_fault hp_circuit_read(const char *text, size_t length, hp_circuit *circuit, hp_fault *fault)
{
    /* Some editors put a byte order mark of three bytes before UTF-8 text. */
    size_t at = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    draft d;
    memset(&d, 0, sizeof d);
    *fault = (hp_fault){0};
    while (at < length) {
        text_in in = take_line(text, length, &at, fault);
        if (!check_line(&in) || !read_line(&d, &in))
            return fault->kind;
    }
    if (d.phase != PHASE_ENDED) {
        text_in end = {.text = "", .fault = fault};
        if (fault->line == 0)
            fault->line = 1;
        if (d.phase == PHASE_FIRST_LINE)
            hp_fail_expected(&end, first_line);
        else
            hp_fail(&end, HP_TEXT_CUT_OFF, hp_word_of("end"));
        fault->column = 0;
        return fault->kind;
    }
    *fault = (hp_fault){0};
    *circuit = d.circuit;
    return HP_TEXT_OK;
}

/* ---- Built in --------------------------------------------------------------------------------- */

int hp_circuits(void)
{
    return hp_embedded_circuit_count;
}

void hp_circuit_at(int index, hp_circuit *circuit)
{
    const struct hp_embedded *file = &hp_embedded_circuits[index];
    hp_fault fault;
    hp_circuit_read(file->data, file->size, circuit, &fault); /* a test reads each: none has a fault */
}

bool hp_circuit_named(const char *name, hp_circuit *circuit)
{
    for (int i = 0; i < hp_circuits(); i++) {
        if (hp_word_is(hp_word_of(name), hp_embedded_circuits[i].name)) {
            hp_circuit_at(i, circuit);
            return true;
        }
    }
    return false;
}
