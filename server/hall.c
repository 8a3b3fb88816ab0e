/* The hall itself: tables come from the store or are opened, lines are said at them, clocks are watched. */
#define _POSIX_C_SOURCE 200809L
#include "server/hall_inside.h"
#include "table/keep.h"
#include "table/saved.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum {
    LOOK_ROUND = 200,        /* milliseconds between looks at clocks */
    TIDY_UP = 60000,         /* and for tables to put away */
    AFTERWARDS = 10 * 60000, /* a table that is over stays in memory so long after its last follower */
    CLOCK_SET = 2000,        /* a clock that is off by so much at once was set */
    GRACE = 12 * 3600000,    /* no race is closed as silent before the server runs so long */
    UNSEEN = 24 * 3600000,   /* a table that nobody ever looks at is closed after that */
    STEADY = 3600000,        /* nor is any forgotten before the clock has gone well for so long */
    DAY = 24 * 3600 * 1000
};

const uint32_t hall_bucket_ms[HALL_BUCKETS] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000};

/* ---- Clocks, chance, memory --------------------------------------------------------------------- */

uint64_t hall_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

uint64_t hall_stopwatch(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

int64_t hall_uptime(void)
{
    return (int64_t)(hall_stopwatch() / 1000);
}

void hall_out_of_memory(void)
{
    fputs("hairpin: out of memory\n", stderr);
    abort(); /* what is confirmed is on the disk; a restart goes on from there */
}

void *hall_grown(void *memory, size_t *size, size_t least, size_t each)
{
    size_t larger = *size < 16 ? 16 : 2 * *size;
    while (larger < least)
        larger *= 2;
    void *moved = realloc(memory, larger * each);
    if (moved == NULL)
        hall_out_of_memory();
    *size = larger;
    return moved;
}

static void roll(void *bytes, size_t length)
{
    if (getrandom(bytes, length, 0) != (ssize_t)length) {
        fputs("hairpin: the system gives no random bytes\n", stderr);
        abort();
    }
}

/* Letters that are hard to mistake for one another, and that no program takes for an option: 110 bits in all. */
static void make_id(char id[TABLE_ID + 1])
{
    static const char letters[] = "0123456789abcdefghjkmnpqrstvwxyz";
    unsigned char bytes[TABLE_ID];
    roll(bytes, sizeof bytes);
    for (int i = 0; i < TABLE_ID; i++)
        id[i] = letters[bytes[i] % 32];
    id[TABLE_ID] = '\0';
}

static void tell_log(const hall *h, const char *what, const hall_table *t, const char *detail)
{
    h->owner.log(h->owner.self, what, t->id, detail);
}

/* Nothing can be written any more: from now on nothing happens. */
static void fail(hall *h)
{
    char trouble[STORE_ERROR];
    h->stopping = true;
    store_trouble(h->store, trouble);
    h->owner.failed(h->owner.self, trouble);
}

/* ---- Listening ---------------------------------------------------------------------------------- */

static void hear(void *self, const hp_event *event)
{
    hall *h = self;
    if (h->in_heard == h->heard_size)
        h->heard = hall_grown(h->heard, &h->heard_size, h->in_heard + 1, sizeof *h->heard);
    h->heard[h->in_heard++] = *event;
    for (int i = 0; i < HP_CARS_MAX && h->hearing != NULL; i++)
        if (h->hearing->driver[i] != NULL)
            bot_hear(h->hearing->driver[i], event);
}

const char *hall_line(const hall_table *t, const hall_entry *e)
{
    return t->text + e->at;
}

/* Plays an entry on a table that it was made for. */
table_error hall_play(hall *h, hall_table *bots_of, table *on, const hall_entry *e, const char *line,
                      hp_error *rule)
{
    const hp_listener listener = {.hear = hear, .self = h};
    h->in_heard = 0;
    h->hearing = bots_of;
    return table_play(on, e->seat, line, e->length, e->time, &listener, rule);
}

/* ---- Saying ------------------------------------------------------------------------------------- */

static bool starts_with(const char *line, size_t length, const char *word)
{
    const size_t n = strlen(word);
    return length > n && memcmp(line, word, n) == 0 && line[n] == ' ';
}

/* Keeps a race that is over as such: its entries move to where they take little room. */
static void finish(hall *h, hall_table *t)
{
    store_finish(h->store, t->id, t->live.moved);
    t->stored_as_over = true;
}

/* What follows from an entry for the hall: bots change places, races begin and end. */
static void look_after(hall *h, hall_table *t, const table *before)
{
    for (int i = 0; i < t->live.settings.seats; i++) {
        const bool was = before->away >> i & 1, is = t->live.away >> i & 1;
        const bool other = before->settings.seat[i].level != t->live.settings.seat[i].level;
        if (was != is || other)
            hall_fire(t, i);
    }
    if (before->phase == TABLE_GATHERING && t->live.phase != TABLE_GATHERING)
        tell_log(h, "race_started", t, t->live.settings.circuit);
    if (before->phase != TABLE_OVER && t->live.phase == TABLE_OVER) {
        h->open--;
        h->figures.races_over++;
        finish(h, t);
        for (int i = 0; i < HP_CARS_MAX; i++)
            hall_fire(t, i);
        tell_log(h, "race_over", t, t->live.settings.circuit);
    }
}

static void remember(hall_table *t, hall_entry *e, const char *line)
{
    if ((t->in_entries & (t->in_entries - 1)) == 0) { /* room for the next power of two */
        size_t room = t->in_entries;
        t->entries = hall_grown(t->entries, &room, (size_t)t->in_entries + 1, sizeof *t->entries);
    }
    if (t->in_text + e->length > t->text_size)
        t->text = hall_grown(t->text, &t->text_size, t->in_text + e->length, 1);
    e->at = (uint32_t)t->in_text;
    memcpy(t->text + t->in_text, line, e->length);
    t->in_text += e->length;
    t->entries[t->in_entries++] = *e;
}

table_error hall_say(hall *h, hall_table *t, int seat, const char *line, size_t length, hp_error *rule,
                     uint64_t *ticket)
{
    *ticket = 0;
    if (h->stopping)
        return TABLE_NOT_NOW;
    if (length > TABLE_LINE)
        return TABLE_TOO_LONG;
    const table before = t->live;
    const uint64_t now = hall_now();
    if (now + t->ahead < t->live.moved) /* or its clocks would stand still until then */
        t->ahead = t->live.moved - now;
    hall_entry e = {
        .time = now + t->ahead, .said = hall_stopwatch(), .seat = (int8_t)seat, .length = (uint8_t)length};
    const bool bot_acts = starts_with(line, length, "drive");
    /* Bots with the pool must not be touched: those that would hear something are let go first. */
    bot *kept[HP_CARS_MAX];
    memcpy(kept, t->driver, sizeof kept);
    for (int i = 0; i < HP_CARS_MAX; i++)
        if (t->thinking >> i & 1)
            t->driver[i] = NULL;
    const table_error error = hall_play(h, t, &t->live, &e, line, rule);
    if (error != TABLE_FINE || h->in_heard == 0)
        memcpy(t->driver, kept, sizeof kept); /* nothing was told */
    if (error != TABLE_FINE) {
        h->figures.refused++;
        return error;
    }
    e.time = t->live.moved;
    t->quiet = hall_uptime();
    remember(t, &e, line);
    h->figures.entries++;
    h->figures.acts += starts_with(line, length, "act");
    h->figures.bot_acts += bot_acts;
    *ticket = store_append(h->store, t->id, t->in_entries, e.time, seat, line, length);
    if (*ticket == 0) {
        fail(h);
        return TABLE_NOT_NOW; /* nobody is told of what happened at the table */
    }
    h->last = *ticket;
    hall_wait_for(h, (hall_waiting){.ticket = *ticket, .t = t});
    look_after(h, t, &before);
    hall_drive(h, t);
    return TABLE_FINE;
}

/* ---- Tables ------------------------------------------------------------------------------------- */

uint32_t hall_hash(const char *text, int most)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (int i = 0; i < most && text[i] != '\0'; i++)
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    return hash;
}

/* By its code alone, so that a table is found by either. */
static uint32_t place_of(const char *id)
{
    return hall_hash(id, HALL_CODE) % HALL_PLACES;
}

/* Of an address no more is kept than this. */
static uint16_t origin_of(const char *address)
{
    return (uint16_t)(1 + hall_hash(address, INT_MAX) % (HALL_ORIGINS - 1));
}

static hall_table *in_memory(const hall *h, const char *id)
{
    hall_table *t = h->chain[place_of(id)];
    while (t != NULL && strcmp(t->id, id) != 0)
        t = t->next;
    return t;
}

/* A table as it is opened, from that origin; NULL when its settings are wrong. */
static hall_table *seat_table(hall *h, const char *id, const table_settings *settings, const char *circuit,
                              bool listed, uint16_t origin, uint64_t time)
{
    hall_table *t = calloc(1, sizeof *t);
    table_settings *start = malloc(sizeof *start);
    char *copy = strdup(circuit);
    if (t == NULL || start == NULL || copy == NULL)
        hall_out_of_memory();
    if (!table_open(&t->live, settings, time)) {
        free(t);
        free(start);
        free(copy);
        return NULL;
    }
    *start = *settings;
    t->start = start;
    t->circuit = copy;
    t->listed = listed;
    t->quiet = hall_uptime();
    snprintf(t->id, sizeof t->id, "%s", id);
    t->shown = t->live;
    const uint32_t place = place_of(id);
    t->next = h->chain[place];
    h->chain[place] = t;
    t->older = h->newest;
    if (h->newest != NULL)
        h->newest->newer = t;
    else
        h->oldest = t;
    h->newest = t;
    h->open++;
    h->of_origin[t->origin = origin]++;
    return t;
}

static void put_away(hall *h, hall_table *t)
{
    hall_table **at = &h->chain[place_of(t->id)];
    while (*at != t)
        at = &(*at)->next;
    *at = t->next;
    *(t->newer != NULL ? &t->newer->older : &h->newest) = t->older;
    *(t->older != NULL ? &t->older->newer : &h->oldest) = t->newer;
    h->open -= t->live.phase != TABLE_OVER;
    h->of_origin[t->origin]--;
    for (int i = 0; i < HP_CARS_MAX; i++)
        hall_fire(t, i);
    free(t->start);
    free(t->circuit);
    free(t->entries);
    free(t->text);
    free(t);
}

bool hall_welcomes(hall *h, const char *address)
{
    const int64_t now = hall_uptime();
    if (h->settings.of_address == 0 || h->of_origin[origin_of(address)] < h->settings.of_address)
        return true;
    if (h->complained == 0 || now > h->complained + TIDY_UP) { /* the log must not be filled, too */
        h->complained = now;
        h->owner.log(h->owner.self, "many_tables", "", address);
    }
    return false;
}

hall_table *hall_create(hall *h, const table_settings *settings, const char *circuit, bool listed,
                        const char *address, uint64_t *ticket)
{
    char id[TABLE_ID + 1], text[SAVED_TEXT];
    if (h->stopping || h->open >= h->settings.tables)
        return NULL;
    table_settings s = *settings;
    roll(s.secret, sizeof s.secret);
    do
        make_id(id);
    while (hall_with_code(h, id) != NULL);
    const uint64_t now = hall_now();
    hall_table *t = seat_table(h, id, &s, circuit, listed, origin_of(address), now);
    if (t == NULL)
        return NULL;
    saved_write(&s, text, sizeof text);
    *ticket = store_create(h->store, id, now, listed, text, circuit);
    if (*ticket == 0) {
        fail(h);
        return NULL;
    }
    h->figures.opened++;
    tell_log(h, "table_opened", t, s.circuit);
    bool missing = false;
    for (int i = 0; i < s.seats; i++)
        missing |= s.seat[i].kind == TABLE_OPEN;
    if (!missing)
        hall_say(h, t, TABLE_KEEPER, "start", 5, NULL, ticket);
    return t;
}

/* ---- Coming back from the store ----------------------------------------------------------------- */

/* One race that cannot be read must not keep the others from being played: the host is told, it stays as it is
 * for a version that can read it, and what follows of it is passed over. */
typedef struct {
    hall *h;
    hall_table *t; /* NULL when it cannot be read */
} loading;

static bool load_table(void *self, const store_table *stored)
{
    loading *l = self;
    table_settings settings;
    l->t = !stored->damaged && saved_read(stored->settings, &settings)
               ? seat_table(l->h, stored->id, &settings, stored->circuit, stored->listed, 0, stored->time)
               : NULL;
    if (l->t != NULL) {
        l->t->stored_as_over = stored->finished;
        l->t->seen = true; /* as far as is known */
    } else
        l->h->owner.log(l->h->owner.self, "table_unreadable", stored->id,
                        stored->damaged ? "its log is damaged" : "its settings are damaged");
    return true;
}

static void give_up_on(loading *l, const char *why)
{
    tell_log(l->h, "table_unreadable", l->t, why);
    put_away(l->h, l->t);
    l->t = NULL;
}

static bool load_entry(void *self, const store_entry *stored)
{
    loading *l = self;
    hall_entry e = {.time = stored->time, .seat = (int8_t)stored->seat, .length = (uint8_t)stored->length};
    if (l->t == NULL)
        return true;
    if (stored->length <= TABLE_LINE && stored->n == l->t->in_entries + 1 &&
        hall_play(l->h, NULL, &l->t->live, &e, stored->line, NULL) == TABLE_FINE) {
        remember(l->t, &e, stored->line);
        l->h->open -= l->t->live.phase == TABLE_OVER && l->t->shown.phase != TABLE_OVER;
        l->t->shown = l->t->live;
    } else {
        char why[64];
        snprintf(why, sizeof why, "entry %u cannot be played", (unsigned)stored->n);
        give_up_on(l, why);
    }
    return true;
}

hall_table *hall_find(hall *h, const char *id)
{
    hall_table *t = in_memory(h, id);
    if (t != NULL || strlen(id) != TABLE_ID || h->stopping)
        return t;
    loading l = {.h = h};
    const store_reader reader = {.table = load_table, .entry = load_entry, .self = &l};
    const bool whole = store_load(h->store, id, &reader);
    if (l.t != NULL && !whole)
        give_up_on(&l, "its log is damaged");
    if (l.t != NULL && l.t->live.phase != TABLE_OVER) { /* closed because nothing happened */
        put_away(h, l.t);
        return NULL;
    }
    return l.t;
}

hall_table *hall_with_code(hall *h, const char *code)
{
    hall_table *t = h->chain[place_of(code)];
    while (t != NULL && (strncmp(t->id, code, HALL_CODE) != 0 || t->live.phase != TABLE_GATHERING))
        t = t->next;
    return t;
}

/* ---- Watching over them ------------------------------------------------------------------------- */

static void close_table(hall *h, hall_table *t)
{
    tell_log(h, "table_closed", t, t->live.settings.circuit);
    if (!t->stored_as_over)
        store_finish(h->store, t->id, hall_now());
    put_away(h, t);
}

/* Nobody looks at it, no bot thinks about it, and all of it is on the disk. */
static bool unused(const hall *h, const hall_table *t)
{
    if (t->followers != NULL || t->thinking != 0 || t->shown.entries != t->live.entries)
        return false;
    for (size_t i = 0; i < h->in_queue; i++)
        if (h->queue[(h->first + i) % h->queue_size].t == t)
            return false;
    return true;
}

static void tidy_up(hall *h, int64_t now)
{
    const int64_t keep = (int64_t)h->settings.keep_days * DAY;
    for (hall_table *t = h->oldest, *newer; t != NULL; t = newer) {
        newer = t->newer;
        if (!unused(h, t))
            continue;
        if (t->live.phase == TABLE_OVER && now > t->quiet + AFTERWARDS)
            put_away(h, t);
        else if (t->live.phase != TABLE_OVER && h->in_queue == 0 &&
                 now > t->quiet + (t->seen ? keep : UNSEEN))
            close_table(h, t);
    }
    if (h->settings.forget_days > 0 && now > h->steady + STEADY)
        store_forget(h->store, hall_now() - (uint64_t)h->settings.forget_days * DAY);
}

/* Nobody's time has run while the server was away, or its clock was wrong. */
static void begin_clocks_anew(hall *h)
{
    for (hall_table *t = h->oldest; t != NULL; t = t->newer) {
        uint64_t ticket;
        if (t->live.phase == TABLE_RACING && t->live.settings.clock > 0)
            hall_say(h, t, TABLE_KEEPER, "resume", 6, NULL, &ticket);
    }
}

/* Somebody has set the clock, as machines without one of their own do when they are on the net; or this one has
 * slept. */
static bool clock_was_set(hall *h, uint64_t now)
{
    const int64_t before = h->set;
    h->set = (int64_t)now - hall_uptime();
    return h->set > before + CLOCK_SET || h->set < before - CLOCK_SET;
}

static void look_at_clocks(uv_timer_t *timer)
{
    hall *h = timer->data;
    const uint64_t now = hall_now();
    if (clock_was_set(h, now)) {
        h->steady = hall_uptime();
        for (hall_table *t = h->oldest; t != NULL; t = t->newer)
            t->ahead = 0;
        begin_clocks_anew(h);
    }
    for (hall_table *t = h->oldest; t != NULL; t = t->newer)
        for (int late; t->live.phase == TABLE_RACING && (late = table_late(&t->live, now + t->ahead)) >= 0;) {
            char line[16];
            uint64_t ticket;
            const int length = snprintf(line, sizeof line, "late %d", late);
            if (hall_say(h, t, TABLE_KEEPER, line, (size_t)length, NULL, &ticket) != TABLE_FINE)
                break;
        }
    const int64_t uptime = hall_uptime();
    if (uptime > h->tidied + TIDY_UP) {
        h->tidied = uptime;
        tidy_up(h, uptime);
    }
}

static void wake_up(uv_async_t *async)
{
    hall *h = async->data;
    if (atomic_load(&h->broken)) {
        fail(h);
        return;
    }
    hall_show(h);
    for (pool_job job; h->pool != NULL && pool_pop(h->pool, &job);)
        hall_decided(h, &job);
    if (h->stopping && h->in_queue == 0 && h->stopped != NULL) {
        void (*done)(void *self) = h->stopped;
        h->stopped = NULL;
        done(h->owner.self);
    }
}

/* ---- Opening and closing ------------------------------------------------------------------------ */

/* By the store's thread. */
static void written(void *self, uint64_t ticket, bool good)
{
    hall *h = self;
    if (good)
        atomic_store(&h->safe, ticket);
    else
        atomic_store(&h->broken, true);
    uv_async_send(&h->wake);
}

static void thought(void *self)
{
    uv_async_send(&((hall *)self)->wake);
}

/* How long each was silent when the server went away: its absence is nobody's silence. When that was is not known,
 * but there are entries up to then. Their times may be wrong, so that nothing is closed soon after a start. */
static void count_silence(hall *h)
{
    const int64_t most = (int64_t)h->settings.keep_days * DAY - GRACE;
    const uint64_t now = hall_now();
    uint64_t last = 0;
    for (const hall_table *t = h->oldest; t != NULL; t = t->newer)
        if (t->live.moved > last && t->live.moved <= now)
            last = t->live.moved;
    for (hall_table *t = h->oldest; t != NULL; t = t->newer) {
        const int64_t silence = last > t->live.moved ? (int64_t)(last - t->live.moved) : 0;
        t->quiet -= silence < most ? silence : most;
    }
}

static void resume(hall *h)
{
    count_silence(h);
    begin_clocks_anew(h);
    for (hall_table *t = h->oldest; t != NULL; t = t->newer) {
        if (t->live.phase == TABLE_OVER && !t->stored_as_over)
            finish(h, t); /* the power failed just behind its last act */
        hall_drive(h, t);
    }
}

static void closed(uv_handle_t *handle)
{
    ((hall *)handle->data)->handles--;
}

hall *hall_open(uv_loop_t *loop, const hall_settings *settings, const hall_owner *owner,
                char error[STORE_ERROR])
{
    hall *h = calloc(1, sizeof *h);
    if (h == NULL)
        hall_out_of_memory();
    h->settings = *settings;
    h->owner = *owner;
    h->loop = loop;
    h->tidied = h->steady = hall_uptime();
    h->set = (int64_t)hall_now() - h->tidied;
    atomic_init(&h->safe, 0);
    atomic_init(&h->broken, false);
    h->wake.data = h->timer.data = h;
    if (uv_async_init(loop, &h->wake, wake_up) != 0 || uv_timer_init(loop, &h->timer) != 0) {
        snprintf(error, STORE_ERROR, "the event loop does not start");
        return NULL; /* the program ends with it */
    }
    h->handles = 2;
    uv_timer_start(&h->timer, look_at_clocks, LOOK_ROUND, LOOK_ROUND);
    h->store = store_open(settings->data, written, h, error);
    if (h->store == NULL)
        return NULL;
    loading l = {.h = h};
    const store_reader reader = {.table = load_table, .entry = load_entry, .self = &l};
    snprintf(error, STORE_ERROR, "the database cannot be read");
    if (!store_load_all(h->store, &reader)) {
        store_close(h->store);
        return NULL;
    }
    h->pool = pool_open((int)settings->bot_threads, thought, h);
    if (h->pool == NULL) {
        snprintf(error, STORE_ERROR, "no thread can be started");
        store_close(h->store);
        return NULL;
    }
    resume(h);
    return h;
}

void hall_stop(hall *h, void (*done)(void *self))
{
    h->stopping = true;
    h->stopped = done;
    uv_timer_stop(&h->timer);
    uv_async_send(&h->wake);
}

void hall_close(hall *h)
{
    pool_close(h->pool); /* with every bot that was thinking */
    store_close(h->store);
    while (h->newest != NULL) {
        for (int i = 0; i < HP_CARS_MAX; i++)
            if (h->newest->thinking >> i & 1)
                h->newest->driver[i] = NULL;
        put_away(h, h->newest);
    }
    uv_close((uv_handle_t *)&h->wake, closed);
    uv_close((uv_handle_t *)&h->timer, closed);
    while (h->handles > 0)
        uv_run(h->loop, UV_RUN_ONCE);
    free(h->queue);
    free(h->heard);
    free(h);
}

/* ---- Asking ------------------------------------------------------------------------------------- */

uint64_t hall_newest(const hall *h)
{
    return h->last;
}

const char *hall_id(const hall_table *t)
{
    return t->id;
}

const table *hall_live(const hall_table *t)
{
    return &t->live;
}

const table *hall_shown(const hall_table *t)
{
    return &t->shown;
}

const char *hall_circuit(const hall_table *t)
{
    return t->circuit;
}

int hall_list(hall *h, hall_table **found, int most)
{
    int n = 0;
    for (hall_table *t = h->newest; t != NULL && n < most; t = t->older)
        if (t->listed && t->shown.phase == TABLE_GATHERING && t->live.phase == TABLE_GATHERING)
            found[n++] = t;
    return n;
}

hall_table *hall_rematch(hall *h, hall_table *t, const char *address, uint64_t *ticket)
{
    if (t->live.phase != TABLE_OVER)
        return NULL;
    hall_table *again = t->live.rematch[0] != '\0' ? hall_find(h, t->live.rematch) : NULL;
    if (again != NULL) {
        *ticket = h->last; /* it may be as new as that */
        return again;
    }
    if (!hall_welcomes(h, address))
        return NULL;
    table_settings s;
    table_rematch(&t->live, &s);
    again = hall_create(h, &s, t->circuit, false, address, ticket);
    if (again == NULL)
        return NULL;
    char line[TABLE_ID + 16];
    uint64_t told;
    const int length = snprintf(line, sizeof line, "rematch %s", again->id);
    if (hall_say(h, t, TABLE_KEEPER, line, (size_t)length, NULL, &told) == TABLE_FINE)
        *ticket = told;
    return again;
}
