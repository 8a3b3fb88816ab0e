/* A table and its keeper. Every table is there twice, as in the server: lines are played on the live one at
 * once; when the caller has stored an entry it has it played on the shown one, which is the one that people see. */
#include "engine.h"

#include "bots/bots.h"
#include "table/keep.h"
#include "table/saved.h"

#include <string.h>

/* A champion's playouts for a decision: 200 ms on the computer that this was written on. */
#define CHAMPION "1500"

typedef struct {
    uint64_t time;
    uint32_t at; /* of its line in text */
    int8_t seat;
    uint8_t length;
} entry;

static struct {
    bool is_open;
    char id[TABLE_ID + 1];
    table_settings start;
    table live, shown;
    entry *entries; /* as many as live has */
    size_t entries_size;
    char *text;
    size_t in_text, text_size;
    bot *driver[HP_CARS_MAX];
    hp_event *heard; /* of the entry that was played last */
    size_t in_heard, heard_size;
} kept;

int engine_open(size_t length, uint64_t now);
int engine_say(int seat, size_t length, uint64_t now);
uint64_t engine_said_at(void);
int engine_show(void);
int engine_message(int viewer);
int engine_state(int viewer);
int engine_notice(void);
int engine_catch_up(int viewer, uint32_t since);
int engine_foresee(int seat, size_t length);
int engine_seat_of(size_t length, int live);
int engine_for_people(size_t length);
int engine_due(void);
int engine_think(int seat);
int engine_late(uint64_t now);
uint64_t engine_deadline(void);
int engine_phase(void);
int engine_shown(void);
int engine_rematch(size_t length);
int engine_record(int events);

/* ---- Listening ---------------------------------------------------------------------------------- */

static void hear(void *self, const hp_event *event)
{
    (void)self;
    kept.heard = engine_grown(kept.heard, &kept.heard_size, kept.in_heard + 1, sizeof *kept.heard);
    kept.heard[kept.in_heard++] = *event;
}

static table_entry entry_at(uint32_t i)
{
    const entry *e = &kept.entries[i];
    return (table_entry){.time = e->time, .seat = e->seat, .line = kept.text + e->at, .length = e->length};
}

static table_error play(table *on, const table_entry *e, hp_error *rule)
{
    const hp_listener listener = {.hear = hear, .self = NULL};
    kept.in_heard = 0;
    return table_play(on, e->seat, e->line, e->length, e->time, &listener, rule);
}

/* ---- Opening and saying ------------------------------------------------------------------------- */

static void fire(int seat)
{
    bot_close(kept.driver[seat]);
    kept.driver[seat] = NULL;
}

/* The id and the settings, a line feed between; 1, or 0 when no table can be opened so. Only once. */
EXPORT(open) int engine_open(size_t length, uint64_t now)
{
    const char *text = engine_text(length);
    const char *end = text != NULL ? strchr(text, '\n') : NULL;
    table_settings settings;
    if (kept.is_open || end == NULL || end - text != TABLE_ID || !saved_read(end + 1, &settings) ||
        !table_open(&kept.live, &settings, now))
        return 0;
    memcpy(kept.id, text, TABLE_ID);
    kept.start = settings;
    kept.shown = kept.live;
    kept.is_open = true;
    return 1;
}

static void remember(int seat, const char *line, size_t length)
{
    const entry e = {.time = kept.live.moved,
                     .at = (uint32_t)kept.in_text,
                     .seat = (int8_t)seat,
                     .length = (uint8_t)length};
    kept.entries = engine_grown(kept.entries, &kept.entries_size, kept.live.entries, sizeof e);
    kept.entries[kept.live.entries - 1] = e;
    kept.text = engine_grown(kept.text, &kept.text_size, kept.in_text + length, 1);
    memcpy(kept.text + kept.in_text, line, length);
    kept.in_text += length;
}

/* Bots hear what happened; those that have lost the wheel are let go. */
static void look_after(const table *before)
{
    for (int i = 0; i < kept.live.settings.seats; i++) {
        const bool changed = ((before->away ^ kept.live.away) >> i & 1) ||
                             before->settings.seat[i].level != kept.live.settings.seat[i].level;
        if (changed || kept.live.phase == TABLE_OVER)
            fire(i);
        for (size_t k = 0; k < kept.in_heard && kept.driver[i] != NULL; k++)
            bot_hear(kept.driver[i], &kept.heard[k]);
    }
}

static int refuse(table_error error, hp_error rule)
{
    char text[512];
    engine_begin();
    engine_add(text, table_error_message(error, rule, text, sizeof text));
    return engine_end();
}

/* A line by a seat, or by the keeper (-1); 0, or the length of an error message. */
EXPORT(say) int engine_say(int seat, size_t length, uint64_t now)
{
    const char *line = engine_text(length);
    if (!kept.is_open || seat < TABLE_KEEPER || seat >= HP_CARS_MAX)
        return refuse(TABLE_NOT_SEATED, HP_OK);
    if (line == NULL || length > TABLE_LINE)
        return refuse(TABLE_TOO_LONG, HP_OK);
    const table before = kept.live;
    const table_entry e = {.time = now, .seat = seat, .line = line, .length = length};
    hp_error rule = HP_OK;
    const table_error error = play(&kept.live, &e, &rule);
    if (error != TABLE_FINE)
        return refuse(error, rule);
    remember(seat, line, length);
    look_after(&before);
    return 0;
}

/* The time of the newest entry, to store it with. */
EXPORT(said_at) uint64_t engine_said_at(void)
{
    return kept.live.moved;
}

/* ---- Telling ------------------------------------------------------------------------------------ */

static bool is_viewer(int viewer)
{
    return kept.is_open && (viewer == HP_SPECTATOR || (viewer >= 0 && viewer < kept.live.settings.seats));
}

/* The next entry is stored: now it has happened. Its number; 0 when there is none. */
EXPORT(show) int engine_show(void)
{
    if (!kept.is_open || kept.shown.entries == kept.live.entries)
        return 0;
    const table_entry e = entry_at(kept.shown.entries);
    play(&kept.shown, &e, NULL);
    return (int)kept.shown.entries;
}

typedef struct {
    const table *t;
    const table_entry *entry;
    int viewer;
} subject;

static size_t write_entry(const void *what, char *buffer, size_t size)
{
    const subject *s = what;
    return table_message(s->t, s->entry, s->viewer, buffer, size);
}

static size_t write_state(const void *what, char *buffer, size_t size)
{
    const subject *s = what;
    return table_state(s->t, kept.id, s->viewer, buffer, size);
}

static size_t write_notice(const void *what, char *buffer, size_t size)
{
    const subject *s = what;
    return table_notice(s->t, kept.id, buffer, size);
}

static int answer(engine_writer *write, const subject *s)
{
    engine_begin();
    engine_add_written(write, s);
    return engine_end();
}

/* What a viewer may know of the entry that was just shown. To be asked for before anything else is played. */
EXPORT(message) int engine_message(int viewer)
{
    if (!is_viewer(viewer) || kept.shown.entries == 0)
        return 0;
    table_entry e = entry_at(kept.shown.entries - 1);
    e.events = kept.heard;
    e.in_events = kept.in_heard;
    return answer(write_entry, &(subject){.t = &kept.shown, .entry = &e, .viewer = viewer});
}

EXPORT(state) int engine_state(int viewer)
{
    return is_viewer(viewer) ? answer(write_state, &(subject){.t = &kept.shown, .viewer = viewer}) : 0;
}

EXPORT(notice) int engine_notice(void)
{
    return kept.is_open ? answer(write_notice, &(subject){.t = &kept.shown}) : 0;
}

/* The messages of all entries behind that one, a line each. */
EXPORT(catch_up) int engine_catch_up(int viewer, uint32_t since)
{
    if (!is_viewer(viewer))
        return 0;
    table past;
    engine_begin();
    table_open(&past, &kept.start, kept.live.opened);
    for (uint32_t i = 0; i < kept.shown.entries; i++) {
        table_entry e = entry_at(i);
        play(&past, &e, NULL);
        e.events = kept.heard;
        e.in_events = kept.in_heard;
        if (i >= since)
            engine_add_written(write_entry, &(subject){.t = &past, .entry = &e, .viewer = viewer});
    }
    return engine_end();
}

EXPORT(foresee) int engine_foresee(int seat, size_t length)
{
    const char *act = engine_text(length);
    char text[TABLE_FORESIGHT_TEXT];
    if (act == NULL || !is_viewer(seat) || seat == HP_SPECTATOR)
        return 0;
    engine_begin();
    engine_add(text, table_foresight(&kept.shown, seat, act, length, text, sizeof text));
    return engine_end();
}

/* ---- Asking ------------------------------------------------------------------------------------- */

/* The person's seat that this token belongs to; -1 for none. */
EXPORT(seat_of) int engine_seat_of(size_t length, int live)
{
    const char *token = engine_text(length);
    if (!kept.is_open || token == NULL || length == 0)
        return -1;
    const table *t = live != 0 ? &kept.live : &kept.shown;
    const int seat = table_seat_of(t, token, length);
    return seat >= 0 && t->settings.seat[seat].kind == TABLE_PERSON ? seat : -1;
}

EXPORT(for_people) int engine_for_people(size_t length)
{
    const char *line = engine_text(length);
    return line != NULL && table_for_people(line, length);
}

EXPORT(late) int engine_late(uint64_t now)
{
    return kept.is_open ? table_late(&kept.live, now) : -1;
}

EXPORT(deadline) uint64_t engine_deadline(void)
{
    return kept.is_open ? table_deadline(&kept.live) : 0;
}

/* As table_phase, of the live table; -1 without one. */
EXPORT(phase) int engine_phase(void)
{
    return kept.is_open ? kept.live.phase : -1;
}

/* How many entries are shown. */
EXPORT(shown) int engine_shown(void)
{
    return (int)kept.shown.entries;
}

/* ---- Bots --------------------------------------------------------------------------------------- */

EXPORT(due) int engine_due(void)
{
    return kept.is_open ? table_bots_due(&kept.live) : 0;
}

static void hear_alone(void *self, const hp_event *event)
{
    bot_hear(self, event);
}

/* A bot that has heard everything so far. */
static bot *hire(int seat)
{
    char spec[TABLE_BOT_SPEC];
    table_bot_spec(&kept.live, seat, CHAMPION, spec, sizeof spec);
    bot *b = bot_open(spec, seat, table_bot_seed(&kept.live, seat));
    if (b == NULL)
        return NULL;
    table past;
    const hp_listener listener = {.hear = hear_alone, .self = b};
    table_open(&past, &kept.start, kept.live.opened);
    for (uint32_t i = 0; i < kept.live.entries; i++) {
        const table_entry e = entry_at(i);
        table_play(&past, e.seat, e.line, e.length, e.time, &listener, NULL);
    }
    return b;
}

/* Lets the bot of a seat decide that is due; the answer is the line to say for it. */
EXPORT(think) int engine_think(int seat)
{
    if (seat < 0 || seat >= HP_CARS_MAX || !(engine_due() >> seat & 1))
        return 0;
    if (kept.driver[seat] == NULL)
        kept.driver[seat] = hire(seat);
    if (kept.driver[seat] == NULL)
        return 0;
    hp_view view;
    char line[TABLE_DRIVE_LINE];
    hp_look(&kept.live.race, seat, &view);
    const hp_act act = bot_choose(kept.driver[seat], &view);
    engine_begin();
    engine_add(line, table_drive_line(kept.live.entries, act, line, sizeof line));
    return engine_end();
}

/* ---- Afterwards --------------------------------------------------------------------------------- */

/* Settings for a rematch, with the secret that is given: 64 digits. Nothing before the race is over. */
EXPORT(rematch) int engine_rematch(size_t length)
{
    const char *secret = engine_text(length);
    table_settings settings;
    char text[SAVED_TEXT];
    if (!kept.is_open || kept.live.phase != TABLE_OVER || secret == NULL)
        return 0;
    table_rematch(&kept.live, &settings);
    if (!hp_hex_read(secret, length, settings.secret))
        return 0;
    engine_begin();
    engine_add(text, saved_write(&settings, text, sizeof text));
    return engine_end();
}

static void add(void *self, const char *text, size_t length)
{
    (void)self;
    engine_add(text, length);
}

/* The race file, or the event log; nothing before the race is over. */
EXPORT(record) int engine_record(int events)
{
    table_recorder recorder = {.events = events != 0, .write = add};
    if (!kept.is_open || kept.shown.phase != TABLE_OVER)
        return 0;
    engine_begin();
    table_record_begin(&recorder, &kept.shown, &kept.start);
    for (uint32_t i = 0; i < kept.shown.entries; i++) {
        const table_entry e = entry_at(i);
        table_record_entry(&recorder, &e);
    }
    return engine_end();
}
