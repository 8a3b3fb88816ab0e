#define _POSIX_C_SOURCE 200809L
#include "server/hall.h"

#include "bots/bots.h"
#include "server/pool.h"
#include "server/saved.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum {
    PLACES = 16384,          /* chains of tables by id */
    LOOK_ROUND = 200,        /* milliseconds between looks at clocks */
    TIDY_UP = 60000,         /* and for tables to put away */
    AFTERWARDS = 10 * 60000, /* a table that is over stays in memory so long after its last follower */
    DAY = 24 * 3600 * 1000
};

const uint32_t hall_bucket_ms[HALL_BUCKETS] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000};

typedef struct {
    uint64_t time;
    uint64_t said; /* by the monotonic clock, in microseconds, for the figures */
    uint32_t at;   /* of its line in text */
    int8_t seat;
    uint8_t length;
} entry;

struct hall_table {
    hall_table *next;          /* in its chain */
    hall_table *newer, *older; /* of all */
    char id[TABLE_ID + 1];
    bool listed, stored_as_over;
    table live, shown;
    uint64_t left; /* when its last follower went, or it was loaded */
    hall_follower *followers;
    bot *driver[HP_CARS_MAX];
    uint8_t thinking; /* bit by seat: its bot is with the pool */
    bool stale;       /* on the list of those to tell the state of */
    hall_table *next_stale;
    table_settings *start; /* as it was opened with, to play the entries again */
    char *circuit;
    entry *entries; /* as many as live has */
    uint32_t in_entries;
    char *text;
    size_t in_text, text_size;
};

/* What waits for the disk, in the order of tickets: an entry to be shown, or somebody to be called. */
typedef struct {
    uint64_t ticket;
    hall_table *t;
    void (*then)(void *self);
    void *self;
} waiting;

struct hall {
    hall_settings settings;
    hall_owner owner;
    store *store;
    pool *pool;
    uv_loop_t *loop;
    uv_async_t wake; /* by the store's thread and the bots' */
    uv_timer_t timer;
    int handles; /* of these, that are open */
    atomic_uint_least64_t safe;
    atomic_bool broken;
    uint64_t safe_seen, last; /* tickets: the newest that is safe, and the newest of an entry */
    uint64_t tidied;
    bool stopping;
    void (*stopped)(void *self);
    hall_table *chain[PLACES];
    hall_table *newest, *oldest;
    uint32_t open; /* tables that are not over */
    hall_table *stale;
    waiting *queue; /* a ring */
    size_t first, in_queue, queue_size;
    hp_event *heard; /* of the entry being played */
    size_t in_heard, heard_size;
    hall_table *hearing; /* whose bots hear them */
    hall_figures figures;
};

/* ---- Clocks, chance, memory --------------------------------------------------------------------- */

static uint64_t wall_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static uint64_t stopwatch(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static void out_of_memory(void)
{
    fputs("hairpin: out of memory\n", stderr);
    abort(); /* what is confirmed is on the disk; a restart goes on from there */
}

static void *grown(void *memory, size_t *size, size_t least, size_t each)
{
    size_t larger = *size < 16 ? 16 : 2 * *size;
    while (larger < least)
        larger *= 2;
    void *moved = realloc(memory, larger * each);
    if (moved == NULL)
        out_of_memory();
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

static void make_id(char id[TABLE_ID + 1])
{
    static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
    unsigned char bytes[TABLE_ID];
    roll(bytes, sizeof bytes);
    for (int i = 0; i < TABLE_ID; i++)
        id[i] = letters[bytes[i] % 64];
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

/* ---- Messages ----------------------------------------------------------------------------------- */

void hall_release(hall_message *m)
{
    if (--m->users == 0)
        free(m);
}

typedef size_t writer(const void *what, int viewer, char *buffer, size_t size);

/* Written into a message of just the right size; its one user is the caller. */
static hall_message *write_message(writer *write, const void *what, int viewer)
{
    char first[TABLE_STATE_TEXT];
    const size_t length = write(what, viewer, first, sizeof first);
    hall_message *m = malloc(sizeof *m + HALL_BEFORE + length + 1);
    if (m == NULL)
        out_of_memory();
    m->users = 1;
    m->length = length - 1; /* a message needs no line feed */
    m->text = (unsigned char *)(m + 1) + HALL_BEFORE;
    if (length < sizeof first)
        memcpy(m->text, first, length + 1);
    else
        write(what, viewer, (char *)m->text, length + 1);
    return m;
}

typedef struct {
    const table *t;
    const table_entry *entry;
    const char *id;
} subject;

static size_t write_entry(const void *what, int viewer, char *buffer, size_t size)
{
    const subject *s = what;
    return table_message(s->t, s->entry, viewer, buffer, size);
}

static size_t write_state(const void *what, int viewer, char *buffer, size_t size)
{
    const subject *s = what;
    return table_state(s->t, s->id, viewer, buffer, size);
}

/* To all followers of a table, each as its viewer; written once for each kind of viewer. */
static void tell_all(hall *h, hall_table *t, writer *write, const subject *s)
{
    hall_message *written[HP_CARS_MAX + 1] = {NULL};
    for (hall_follower *f = t->followers, *next; f != NULL; f = next) {
        next = f->next; /* it may be cut off */
        hall_message **m = &written[f->viewer == HP_SPECTATOR ? HP_CARS_MAX : f->viewer];
        if (*m == NULL)
            *m = write_message(write, s, f->viewer);
        (*m)->users++;
        h->owner.tell(h->owner.self, f, *m);
    }
    for (int i = 0; i <= HP_CARS_MAX; i++)
        if (written[i] != NULL)
            hall_release(written[i]);
}

/* ---- Listening ---------------------------------------------------------------------------------- */

static void hear(void *self, const hp_event *event)
{
    hall *h = self;
    if (h->in_heard == h->heard_size)
        h->heard = grown(h->heard, &h->heard_size, h->in_heard + 1, sizeof *h->heard);
    h->heard[h->in_heard++] = *event;
    for (int i = 0; i < HP_CARS_MAX && h->hearing != NULL; i++)
        if (h->hearing->driver[i] != NULL)
            bot_hear(h->hearing->driver[i], event);
}

static const char *line_of(const hall_table *t, const entry *e)
{
    return t->text + e->at;
}

/* Plays an entry on a table that it was made for. */
static table_error play(hall *h, hall_table *bots_of, table *on, const entry *e, const char *line,
                        hp_error *rule)
{
    const hp_listener listener = {.hear = hear, .self = h};
    h->in_heard = 0;
    h->hearing = bots_of;
    return table_play(on, e->seat, line, e->length, e->time, &listener, rule);
}

static table_entry heard_entry(const hall *h, const hall_table *t, const entry *e)
{
    return (table_entry){.time = e->time,
                         .seat = e->seat,
                         .line = line_of(t, e),
                         .length = e->length,
                         .events = h->heard,
                         .in_events = h->in_heard};
}

/* ---- What waits for the disk -------------------------------------------------------------------- */

static void wait_for(hall *h, waiting w)
{
    if (h->in_queue == h->queue_size) {
        size_t larger = h->queue_size;
        waiting *queue = grown(NULL, &larger, h->in_queue + 1, sizeof *queue);
        for (size_t i = 0; i < h->in_queue; i++)
            queue[i] = h->queue[(h->first + i) % h->queue_size];
        free(h->queue);
        h->queue = queue;
        h->queue_size = larger;
        h->first = 0;
    }
    h->queue[(h->first + h->in_queue++) % h->queue_size] = w;
}

void hall_when_safe(hall *h, uint64_t ticket, void (*then)(void *self), void *self)
{
    if (ticket <= h->safe_seen)
        then(self);
    else
        wait_for(h, (waiting){.ticket = ticket, .then = then, .self = self});
}

void hall_forget(hall *h, void *self)
{
    for (size_t i = 0; i < h->in_queue; i++) {
        waiting *w = &h->queue[(h->first + i) % h->queue_size];
        if (w->self == self)
            w->then = NULL;
    }
}

static void mark_stale(hall *h, hall_table *t)
{
    if (!t->stale) {
        t->stale = true;
        t->next_stale = h->stale;
        h->stale = t;
    }
}

static void count_confirmed(hall *h, const entry *e)
{
    const uint64_t took = stopwatch() - e->said;
    h->figures.confirmed++;
    h->figures.confirm_microseconds += took;
    for (int i = 0; i < HALL_BUCKETS; i++)
        h->figures.confirm_within[i] += took <= UINT64_C(1000) * hall_bucket_ms[i];
}

static bool has_key(const table *t, const hall_follower *f)
{
    return memcmp(t->settings.seat[f->viewer].key, f->key, sizeof f->key) == 0;
}

/* The next entry of the table is safe: now it has happened. */
static void show_next(hall *h, hall_table *t)
{
    const entry *e = &t->entries[t->shown.entries];
    play(h, NULL, &t->shown, e, line_of(t, e), NULL);
    for (hall_follower *f = t->followers; f != NULL; f = f->next)
        if (f->viewer != HP_SPECTATOR && !has_key(&t->shown, f))
            f->viewer = HP_SPECTATOR;
    const table_entry told = heard_entry(h, t, e);
    tell_all(h, t, write_entry, &(subject){.t = &t->shown, .entry = &told, .id = t->id});
    count_confirmed(h, e);
    mark_stale(h, t);
}

static void tell_states(hall *h)
{
    while (h->stale != NULL) {
        hall_table *t = h->stale;
        h->stale = t->next_stale;
        t->stale = false;
        tell_all(h, t, write_state, &(subject){.t = &t->shown, .id = t->id});
    }
}

static void show_what_is_safe(hall *h)
{
    h->safe_seen = atomic_load(&h->safe);
    while (h->in_queue > 0 && h->queue[h->first].ticket <= h->safe_seen) {
        const waiting w = h->queue[h->first];
        h->first = (h->first + 1) % h->queue_size;
        h->in_queue--;
        if (w.t != NULL)
            show_next(h, w.t);
        else if (w.then != NULL)
            w.then(w.self);
    }
    tell_states(h);
}

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

/* ---- Bots --------------------------------------------------------------------------------------- */

static uint64_t bot_seed(const table *t, int seat)
{
    uint8_t bytes[33], digest[32];
    uint64_t seed;
    memcpy(bytes, t->settings.secret, 32);
    bytes[32] = (uint8_t)seat;
    hp_sha256(bytes, sizeof bytes, digest);
    memcpy(&seed, digest, sizeof seed);
    return seed;
}

static void hear_alone(void *self, const hp_event *event)
{
    bot_hear(self, event);
}

/* A bot that has heard everything so far. */
static bot *hire(const hall *h, const hall_table *t, int seat)
{
    char spec[32];
    const table_level level = (table_level)t->live.settings.seat[seat].level;
    if (level == TABLE_CHAMPION)
        snprintf(spec, sizeof spec, "champion:%ums", (unsigned)h->settings.champion_ms);
    else
        snprintf(spec, sizeof spec, "%s", table_level_word(level));
    bot *b = bot_open(spec, seat, bot_seed(&t->live, seat));
    if (b == NULL)
        out_of_memory();
    table past;
    const hp_listener listener = {.hear = hear_alone, .self = b};
    table_open(&past, t->start, t->live.opened);
    for (uint32_t i = 0; i < t->in_entries; i++)
        table_play(&past, t->entries[i].seat, line_of(t, &t->entries[i]), t->entries[i].length,
                   t->entries[i].time, &listener, NULL);
    return b;
}

static void fire(hall_table *t, int seat)
{
    if (t->driver[seat] != NULL && !(t->thinking >> seat & 1))
        bot_close(t->driver[seat]);
    t->driver[seat] = NULL; /* one that thinks is closed when it is back */
}

/* Lets every bot think that the race waits for. */
static void drive(hall *h, hall_table *t)
{
    const uint8_t due = table_bots_due(&t->live);
    for (int i = 0; i < t->live.settings.seats && !h->stopping; i++) {
        if (!(due >> i & 1) || (t->thinking >> i & 1))
            continue;
        if (t->driver[i] == NULL)
            t->driver[i] = hire(h, t, i);
        pool_job job = {.self = t, .seat = i, .at = t->live.entries, .thinker = t->driver[i]};
        hp_look(&t->live.race, i, &job.view);
        if (!pool_push(h->pool, &job))
            out_of_memory();
        t->thinking |= (uint8_t)(1 << i);
    }
}

/* ---- Saying ------------------------------------------------------------------------------------- */

static bool starts_with(const char *line, size_t length, const char *word)
{
    const size_t n = strlen(word);
    return length > n && memcmp(line, word, n) == 0 && line[n] == ' ';
}

/* What follows from an entry for the hall: bots change places, races begin and end. */
static void look_after(hall *h, hall_table *t, const table *before)
{
    for (int i = 0; i < t->live.settings.seats; i++) {
        const bool was = before->away >> i & 1, is = t->live.away >> i & 1;
        const bool other = before->settings.seat[i].level != t->live.settings.seat[i].level;
        if (was != is || other)
            fire(t, i);
    }
    if (before->phase == TABLE_GATHERING && t->live.phase != TABLE_GATHERING)
        tell_log(h, "race_started", t, t->live.settings.circuit);
    if (before->phase != TABLE_OVER && t->live.phase == TABLE_OVER) {
        h->open--;
        h->figures.races_over++;
        store_finish(h->store, t->id, t->live.moved);
        t->stored_as_over = true;
        for (int i = 0; i < HP_CARS_MAX; i++)
            fire(t, i);
        tell_log(h, "race_over", t, t->live.settings.circuit);
    }
}

static void remember(hall_table *t, entry *e, const char *line)
{
    if ((t->in_entries & (t->in_entries - 1)) == 0) { /* room for the next power of two */
        size_t room = t->in_entries;
        t->entries = grown(t->entries, &room, (size_t)t->in_entries + 1, sizeof *t->entries);
    }
    if (t->in_text + e->length > t->text_size)
        t->text = grown(t->text, &t->text_size, t->in_text + e->length, 1);
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
    entry e = {.time = wall_clock(), .said = stopwatch(), .seat = (int8_t)seat, .length = (uint8_t)length};
    const bool bot_acts = starts_with(line, length, "drive");
    /* Bots with the pool must not be touched: those that would hear something are let go first. */
    bot *kept[HP_CARS_MAX];
    memcpy(kept, t->driver, sizeof kept);
    for (int i = 0; i < HP_CARS_MAX; i++)
        if (t->thinking >> i & 1)
            t->driver[i] = NULL;
    const table_error error = play(h, t, &t->live, &e, line, rule);
    if (error != TABLE_FINE || h->in_heard == 0)
        memcpy(t->driver, kept, sizeof kept); /* nothing was told */
    if (error != TABLE_FINE) {
        h->figures.refused++;
        return error;
    }
    e.time = t->live.moved;
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
    wait_for(h, (waiting){.ticket = *ticket, .t = t});
    look_after(h, t, &before);
    drive(h, t);
    return TABLE_FINE;
}

/* A bot has decided. If it was let go meanwhile, the decision goes with it. */
static void take_decision(hall *h, const pool_job *job)
{
    hall_table *t = job->self;
    t->thinking &= (uint8_t) ~(1 << job->seat);
    h->figures.bot_microseconds += job->microseconds;
    if (t->driver[job->seat] != job->thinker) {
        bot_close(job->thinker);
        drive(h, t);
        return;
    }
    char act[HP_ACT_TEXT], line[HP_ACT_TEXT + 32];
    uint64_t ticket;
    hp_act_write(job->act, act, sizeof act);
    const int length = snprintf(line, sizeof line, "drive %u %s", (unsigned)job->at, act);
    if (hall_say(h, t, job->seat, line, (size_t)length, NULL, &ticket) != TABLE_FINE) {
        fire(t, job->seat); /* the decision was past: think again, if anybody waits */
        drive(h, t);
    }
}

static void thought(void *self)
{
    uv_async_send(&((hall *)self)->wake);
}

/* ---- Tables ------------------------------------------------------------------------------------- */

static uint32_t place_of(const char *id)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (; *id != '\0'; id++)
        hash = (hash ^ (unsigned char)*id) * 16777619u;
    return hash % PLACES;
}

static hall_table *in_memory(const hall *h, const char *id)
{
    hall_table *t = h->chain[place_of(id)];
    while (t != NULL && strcmp(t->id, id) != 0)
        t = t->next;
    return t;
}

/* A table as it is opened; NULL when its settings are wrong. */
static hall_table *seat_table(hall *h, const char *id, const table_settings *settings, const char *circuit,
                              bool listed, uint64_t time)
{
    hall_table *t = calloc(1, sizeof *t);
    table_settings *start = malloc(sizeof *start);
    char *copy = strdup(circuit);
    if (t == NULL || start == NULL || copy == NULL)
        out_of_memory();
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
    t->left = wall_clock();
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
    for (int i = 0; i < HP_CARS_MAX; i++)
        fire(t, i);
    free(t->start);
    free(t->circuit);
    free(t->entries);
    free(t->text);
    free(t);
}

hall_table *hall_create(hall *h, const table_settings *settings, const char *circuit, bool listed,
                        uint64_t *ticket)
{
    char id[TABLE_ID + 1], text[SAVED_TEXT];
    if (h->stopping || h->open >= h->settings.tables)
        return NULL;
    table_settings s = *settings;
    roll(s.secret, sizeof s.secret);
    make_id(id);
    const uint64_t now = wall_clock();
    hall_table *t = seat_table(h, id, &s, circuit, listed, now);
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

typedef struct {
    hall *h;
    hall_table *t;
    bool good;
    char *error;
} loading;

static bool load_table(void *self, const store_table *stored)
{
    loading *l = self;
    table_settings settings;
    l->good = saved_read(stored->settings, &settings) &&
              (l->t = seat_table(l->h, stored->id, &settings, stored->circuit, stored->listed,
                                 stored->time)) != NULL;
    if (l->good)
        l->t->stored_as_over = stored->finished;
    else
        snprintf(l->error, STORE_ERROR, "table %s cannot be read", stored->id);
    return l->good;
}

static bool load_entry(void *self, const store_entry *stored)
{
    loading *l = self;
    entry e = {.time = stored->time, .seat = (int8_t)stored->seat, .length = (uint8_t)stored->length};
    l->good = stored->length <= TABLE_LINE && stored->n == l->t->in_entries + 1 &&
              play(l->h, NULL, &l->t->live, &e, stored->line, NULL) == TABLE_FINE;
    if (l->good) {
        remember(l->t, &e, stored->line);
        l->h->open -= l->t->live.phase == TABLE_OVER && l->t->shown.phase != TABLE_OVER;
        l->t->shown = l->t->live;
    } else {
        snprintf(l->error, STORE_ERROR, "entry %u of table %s cannot be played", (unsigned)stored->n,
                 l->t->id);
    }
    return l->good;
}

hall_table *hall_find(hall *h, const char *id)
{
    hall_table *t = in_memory(h, id);
    char error[STORE_ERROR] = "";
    if (t != NULL || strlen(id) != TABLE_ID || h->stopping)
        return t;
    loading l = {.h = h, .good = true, .error = error};
    const store_reader reader = {.table = load_table, .entry = load_entry, .self = &l};
    const bool found = store_load(h->store, id, &reader);
    if (l.t != NULL && (!found || !l.good)) {
        tell_log(h, "table_unreadable", l.t, error);
        put_away(h, l.t);
        return NULL;
    }
    if (l.t != NULL && l.t->live.phase != TABLE_OVER) { /* closed because nothing happened */
        put_away(h, l.t);
        return NULL;
    }
    return l.t;
}

/* ---- Watching over them ------------------------------------------------------------------------- */

static void close_table(hall *h, hall_table *t)
{
    tell_log(h, "table_closed", t, t->live.settings.circuit);
    if (!t->stored_as_over)
        store_finish(h->store, t->id, wall_clock());
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

static void tidy_up(hall *h, uint64_t now)
{
    for (hall_table *t = h->oldest, *newer; t != NULL; t = newer) {
        newer = t->newer;
        if (!unused(h, t))
            continue;
        if (t->live.phase == TABLE_OVER && now > t->left + AFTERWARDS)
            put_away(h, t);
        else if (t->live.phase != TABLE_OVER && h->in_queue == 0 &&
                 now > t->live.moved + (uint64_t)h->settings.keep_days * DAY)
            close_table(h, t);
    }
}

static void look_at_clocks(uv_timer_t *timer)
{
    hall *h = timer->data;
    const uint64_t now = wall_clock();
    for (hall_table *t = h->oldest; t != NULL; t = t->newer)
        for (int late; t->live.phase == TABLE_RACING && (late = table_late(&t->live, now)) >= 0;) {
            char line[16];
            uint64_t ticket;
            const int length = snprintf(line, sizeof line, "late %d", late);
            if (hall_say(h, t, TABLE_KEEPER, line, (size_t)length, NULL, &ticket) != TABLE_FINE)
                break;
        }
    if (now > h->tidied + TIDY_UP) {
        h->tidied = now;
        tidy_up(h, now);
    }
}

static void wake_up(uv_async_t *async)
{
    hall *h = async->data;
    if (atomic_load(&h->broken)) {
        fail(h);
        return;
    }
    show_what_is_safe(h);
    for (pool_job job; h->pool != NULL && pool_pop(h->pool, &job);)
        take_decision(h, &job);
    if (h->stopping && h->in_queue == 0 && h->stopped != NULL) {
        void (*done)(void *self) = h->stopped;
        h->stopped = NULL;
        done(h->owner.self);
    }
}

/* ---- Opening and closing ------------------------------------------------------------------------ */

static void resume(hall *h)
{
    for (hall_table *t = h->oldest; t != NULL; t = t->newer) {
        uint64_t ticket;
        if (t->live.phase == TABLE_RACING && t->live.settings.clock > 0)
            hall_say(h, t, TABLE_KEEPER, "resume", 6, NULL, &ticket);
        drive(h, t);
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
        out_of_memory();
    h->settings = *settings;
    h->owner = *owner;
    h->loop = loop;
    h->tidied = wall_clock();
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
    loading l = {.h = h, .good = true, .error = error};
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

hall_table *hall_rematch(hall *h, hall_table *t, uint64_t *ticket)
{
    if (t->live.phase != TABLE_OVER)
        return NULL;
    if (t->live.rematch[0] != '\0') {
        *ticket = h->last; /* it may be as new as that */
        return hall_find(h, t->live.rematch);
    }
    table_settings s = t->live.settings;
    for (int i = 0; i < s.seats; i++) {
        table_seat *seat = &s.seat[i];
        memset(seat->salt, 0, sizeof seat->salt);
        if (seat->kind == TABLE_PERSON)
            seat->kind = TABLE_OPEN; /* kept for the same key */
        else
            seat->colour = TABLE_COLOURS;
        seat->level = seat->kind == TABLE_BOT ? seat->level : s.substitute;
    }
    hall_table *again = hall_create(h, &s, t->circuit, false, ticket);
    if (again == NULL)
        return NULL;
    char line[TABLE_ID + 16];
    uint64_t told;
    const int length = snprintf(line, sizeof line, "rematch %s", again->id);
    if (hall_say(h, t, TABLE_KEEPER, line, (size_t)length, NULL, &told) == TABLE_FINE)
        *ticket = told;
    return again;
}

/* ---- Following ---------------------------------------------------------------------------------- */

static void tell_one(hall *h, hall_follower *f, writer *write, const subject *s)
{
    hall_message *m = write_message(write, s, f->viewer);
    h->owner.tell(h->owner.self, f, m);
}

void hall_follow(hall *h, hall_table *t, hall_follower *f, uint32_t since)
{
    f->at = t;
    f->next = t->followers;
    t->followers = f;
    if (f->viewer != HP_SPECTATOR)
        memcpy(f->key, t->shown.settings.seat[f->viewer].key, sizeof f->key);
    if (since < t->shown.entries) {
        table past;
        table_open(&past, t->start, t->live.opened);
        for (uint32_t i = 0; i < t->shown.entries && f->at != NULL; i++) {
            const entry *e = &t->entries[i];
            play(h, NULL, &past, e, line_of(t, e), NULL);
            const table_entry told = heard_entry(h, t, e);
            if (i >= since)
                tell_one(h, f, write_entry, &(subject){.t = &past, .entry = &told, .id = t->id});
        }
    }
    if (f->at != NULL)
        tell_one(h, f, write_state, &(subject){.t = &t->shown, .id = t->id});
}

void hall_unfollow(hall_follower *f)
{
    if (f->at == NULL)
        return;
    hall_follower **at = &f->at->followers;
    while (*at != f)
        at = &(*at)->next;
    *at = f->next;
    if (f->at->followers == NULL)
        f->at->left = wall_clock();
    f->at = NULL;
}

bool hall_seated(const hall_follower *f)
{
    return f->viewer != HP_SPECTATOR && has_key(&f->at->live, f);
}

/* ---- After the race ----------------------------------------------------------------------------- */

typedef struct {
    char *text;
    size_t length, size;
} writing;

static void add(writing *w, const char *text, size_t length)
{
    if (w->length + length + 1 > w->size)
        w->text = grown(w->text, &w->size, w->length + length + 1, 1);
    memcpy(w->text + w->length, text, length + 1);
    w->length += length;
}

static void write_acts(writing *w, const table *past, const entry *e, const char *line, unsigned round)
{
    char text[HP_LINE_MAX + 2];
    unsigned since;
    hp_act act;
    hp_fault fault;
    int skip = 0;
    char copy[TABLE_LINE + 1];
    memcpy(copy, line, e->length);
    copy[e->length] = '\0';
    if ((sscanf(copy, "act %u %n", &since, &skip) == 1 || sscanf(copy, "drive %u %n", &since, &skip) == 1) &&
        hp_act_read(copy + skip, strlen(copy + skip), &act, &fault) == HP_TEXT_OK)
        add(w, text, hp_act_line_write(e->seat, act, text, sizeof text));
    if (past->phase != TABLE_GATHERING && (past->race.round != round || past->phase == TABLE_OVER))
        add(w, text, hp_round_line_write(&past->race, text, sizeof text));
}

char *hall_race_file(hall *h, hall_table *t, size_t *length)
{
    writing w = {0};
    char text[HP_HEAD_TEXT];
    hp_head head;
    table past;
    if (t->shown.phase != TABLE_OVER)
        return NULL;
    table_head(&t->shown, &head);
    add(&w, text, hp_head_write(&head, text, sizeof text));
    table_open(&past, t->start, t->live.opened);
    for (uint32_t i = 0; i < t->shown.entries && past.phase != TABLE_OVER; i++) {
        const entry *e = &t->entries[i];
        const unsigned round = past.race.round;
        play(h, NULL, &past, e, line_of(t, e), NULL);
        write_acts(&w, &past, e, line_of(t, e), round);
    }
    *length = w.length;
    return w.text;
}

char *hall_event_log(hall *h, hall_table *t, size_t *length)
{
    writing w = {0};
    char text[HP_EVENT_TEXT];
    hp_head head;
    table past;
    if (t->shown.phase != TABLE_OVER)
        return NULL;
    table_head(&t->shown, &head);
    add(&w, text, hp_event_head_write(&head, text, sizeof text));
    table_open(&past, t->start, t->live.opened);
    for (uint32_t i = 0; i < t->shown.entries && past.phase != TABLE_OVER; i++) {
        const entry *e = &t->entries[i];
        play(h, NULL, &past, e, line_of(t, e), NULL);
        for (size_t k = 0; k < h->in_heard; k++)
            add(&w, text, hp_event_write(&h->heard[k], text, sizeof text));
    }
    *length = w.length;
    return w.text;
}

/* ---- Figures ------------------------------------------------------------------------------------ */

void hall_measure(hall *h, hall_figures *figures)
{
    *figures = h->figures;
    for (const hall_table *t = h->newest; t != NULL; t = t->older) {
        figures->tables[t->live.phase]++;
        for (int i = 0; i < t->live.settings.seats && t->live.phase != TABLE_OVER; i++)
            figures->seats += t->live.settings.seat[i].kind == TABLE_PERSON;
        for (const hall_follower *f = t->followers; f != NULL; f = f->next)
            figures->followers++;
    }
    figures->bots_waiting = pool_waiting(h->pool);
    store_measure(h->store, &figures->store);
}
