/* A race file as a table to watch. It understands "next" and "back" (an act), "round" and "round back", "begin" and
 * "end"; going back is playing again from the start. */
#define _DEFAULT_SOURCE
#include "terminal/link.h"

#include "cli/words.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 16 << 20 };

typedef struct {
    table_link link; /* first: a link is one of these */
    char *text;
    size_t length, at; /* at: behind the last line that was read */
    hp_reader reader;
    table shown; /* the race as a table that everybody watches */
    hp_event *events;
    size_t in_events, events_size;
} replay;

static void hear(void *self, const hp_event *event)
{
    replay *r = self;
    if (r->in_events == r->events_size) {
        r->events_size = r->events_size < 64 ? 64 : 2 * r->events_size;
        r->events = must_have(realloc(r->events, r->events_size * sizeof *r->events));
    }
    r->events[r->in_events++] = *event;
}

/* ---- Reading ------------------------------------------------------------------------------------ */

/* Reads lines until there is one more act, or the start. False at the end; a fault is one, too. */
static bool read_act(replay *r, hp_fault *fault)
{
    const hp_listener listener = {.hear = hear, .self = r};
    const int32_t acts = r->reader.acts;
    const bool started = r->reader.started;
    fault->kind = HP_TEXT_OK;
    r->in_events = 0;
    while (r->at < r->length) {
        const char *line = r->text + r->at, *end = memchr(line, '\n', r->length - r->at);
        if (end == NULL && (r->length - r->at < 4 || memcmp(line, "end ", 4) != 0)) { /* which tells itself */
            *fault =
                (hp_fault){.kind = HP_TEXT_CUT_OFF, .line = r->reader.line + 1, .word = N_("line's end")};
            return false;
        }
        size_t n = end != NULL ? (size_t)(end - line) : r->length - r->at;
        r->at += n + (end != NULL);
        if (n > 0 && line[n - 1] == '\r')
            n--;
        if (hp_read_line(&r->reader, line, n, &listener, fault) != HP_TEXT_OK)
            return false;
        if (r->reader.acts > acts || (r->reader.started && !started))
            return true;
    }
    return false;
}

/* Seats as the file names them: by a person's name, a bot's level, or not at all. */
static void set_table(replay *r)
{
    const hp_head *head = &r->reader.head;
    table_settings *s = &r->shown.settings;
    memcpy(s->circuit, head->circuit, sizeof s->circuit);
    s->track = head->setup.track;
    s->laps = head->setup.laps;
    s->seats = head->setup.cars;
    for (int i = 0; i < s->seats; i++) {
        table_seat *seat = &s->seat[i];
        table_level level = TABLE_DRIVER;
        const char *name = head->seat[i];
        const bool bot = table_level_named(name, strlen(name), &level);
        *seat = (table_seat){
            .kind = bot ? TABLE_BOT : TABLE_PERSON, .level = (uint8_t)level, .colour = (uint8_t)i};
        if (!bot && table_name_valid(name, strlen(name)))
            memcpy(seat->name, name, sizeof seat->name);
        else if (!bot)
            snprintf(seat->name, sizeof seat->name, "%.20s %d", _("Car"), i + 1);
    }
}

static void give_state(replay *r)
{
    static char text[TABLE_STATE_TEXT];
    table *t = &r->shown;
    t->race = r->reader.race;
    t->entries = (uint32_t)r->reader.acts + 1;
    t->phase = t->race.step == HP_STEP_OVER ? TABLE_OVER : TABLE_RACING;
    t->awaited = t->race.waiting;
    link_give_text(&r->link, text, table_state(t, "file", HP_SPECTATOR, text, sizeof text));
}

static void give_entry(replay *r)
{
    char line[HP_ACT_TEXT + 32], act[HP_ACT_TEXT];
    hp_act_write(r->reader.act, act, sizeof act);
    const int n = r->reader.acts > 0 ? snprintf(line, sizeof line, "act 0 %s", act)
                                     : snprintf(line, sizeof line, "start");
    const table_entry entry = {.seat = r->reader.acts > 0 ? r->reader.act_car : TABLE_KEEPER,
                               .line = line,
                               .length = (size_t)n,
                               .events = r->events,
                               .in_events = r->in_events};
    r->shown.entries = (uint32_t)r->reader.acts + 1;
    const size_t length = table_message(&r->shown, &entry, HP_SPECTATOR, NULL, 0);
    char *text = must_have(malloc(length + 1));
    table_message(&r->shown, &entry, HP_SPECTATOR, text, length + 1);
    link_give_text(&r->link, text, length);
    free(text);
}

/* ---- Going about -------------------------------------------------------------------------------- */

static bool play_act(replay *r)
{
    hp_fault fault;
    const bool played = read_act(r, &fault);
    if (played)
        give_entry(r);
    return played;
}

/* From the start to so many acts. */
static void play_to(replay *r, int32_t acts)
{
    memset(&r->reader, 0, sizeof r->reader);
    r->at = 0;
    while (play_act(r) && r->reader.acts < acts)
        continue;
}

static void go_to(replay *r, int32_t acts)
{
    play_to(r, acts);
    give_state(r);
}

static void next(replay *r)
{
    if (r->reader.race.step == HP_STEP_OVER || !play_act(r)) {
        if (r->shown.phase != TABLE_OVER)
            link_status(&r->link, "ends"); /* in the middle of the race */
        return;
    }
    give_state(r);
}

static void to_round(replay *r, int by)
{
    const int wanted = r->reader.race.round + by;
    if (by < 0)
        play_to(r, 0);
    while (r->reader.race.round < wanted && play_act(r))
        continue;
    give_state(r);
}

static void say(table_link *self, const char *line)
{
    replay *r = (replay *)self;
    if (strcmp(line, "next") == 0)
        next(r);
    else if (strcmp(line, "back") == 0)
        go_to(r, r->reader.acts > 0 ? r->reader.acts - 1 : 0);
    else if (strcmp(line, "round") == 0)
        to_round(r, 1);
    else if (strcmp(line, "round back") == 0)
        to_round(r, -1);
    else if (strcmp(line, "begin") == 0)
        go_to(r, 0);
    else if (strcmp(line, "end") == 0)
        go_to(r, INT32_MAX);
}

static void look(table_link *self, int seat)
{
    (void)self, (void)seat;
}

static void nothing(table_link *self)
{
    (void)self;
}

static void close_replay(table_link *self)
{
    replay *r = (replay *)self;
    link_empty(self);
    free(r->events);
    free(r->text);
    free(r);
}

/* ---- Opening ------------------------------------------------------------------------------------ */

static char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rbe");
    char *text = NULL;
    size_t size = 0;
    *length = 0;
    if (file == NULL)
        return NULL;
    for (size_t got = 1; got > 0; *length += got) {
        if (*length == size) {
            if (size >= LARGEST) {
                errno = EFBIG;
                break;
            }
            size = size == 0 ? 1 << 16 : 2 * size;
            text = must_have(realloc(text, size));
        }
        got = fread(text + *length, 1, size - *length, file);
    }
    const bool good = !ferror(file) && feof(file);
    fclose(file);
    if (good)
        return text;
    free(text);
    return NULL;
}

/* The whole file is read once, so that what is wrong with it is told before the race begins. */
static bool check(replay *r, const char *path, char why[WHY])
{
    char sentence[SENTENCE_MAX];
    hp_fault fault;
    while (read_act(r, &fault))
        continue;
    if (fault.kind == HP_TEXT_OK && hp_read_end(&r->reader, &fault) == HP_TEXT_OK)
        return true;
    snprintf(why, WHY, "%s:%d: %s", path, fault.line, words_of_fault(&fault, sentence));
    return false;
}

table_link *replay_open(const char *path, char why[WHY])
{
    replay *r = must_have(calloc(1, sizeof *r));
    r->link = (table_link){.say = say,
                           .look = look,
                           .hint = nothing,
                           .work = nothing,
                           .close = close_replay,
                           .wake = -1,
                           .replay = true};
    r->text = read_file(path, &r->length);
    if (r->text == NULL)
        snprintf(why, WHY, _("cannot open “%s”: %s"), path, strerror(errno));
    if (r->text == NULL || !check(r, path, why)) {
        close_replay(&r->link);
        return NULL;
    }
    if (!hp_circuit_named(r->reader.head.circuit, &r->link.circuit)) { /* one without a drawing */
        r->link.circuit.track = r->reader.head.setup.track;
        memcpy(r->link.circuit.title, r->reader.head.circuit, sizeof r->link.circuit.title);
    }
    set_table(r);
    go_to(r, 0);
    return &r->link;
}
