/* What the hall tells: entries and states to those who follow a table, each when it is on the disk. */
#define _POSIX_C_SOURCE 200809L
#include "server/hall_inside.h"

#include <stdlib.h>
#include <string.h>

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
        hall_out_of_memory();
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

/* To all followers of a table who have heard what was before, each as its viewer; written once for each kind of
 * viewer. */
static void tell_all(hall *h, hall_table *t, writer *write, const subject *s)
{
    hall_message *written[HP_CARS_MAX + 1] = {NULL};
    for (hall_follower *f = t->followers, *next; f != NULL; f = next) {
        next = f->next; /* it may be cut off */
        if (f->past != NULL)
            continue;
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

/* ---- What waits for the disk -------------------------------------------------------------------- */

void hall_wait_for(hall *h, hall_waiting w)
{
    if (h->in_queue == h->queue_size) {
        size_t larger = h->queue_size;
        hall_waiting *queue = hall_grown(NULL, &larger, h->in_queue + 1, sizeof *queue);
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
        hall_wait_for(h, (hall_waiting){.ticket = ticket, .then = then, .self = self});
}

void hall_forget(hall *h, void *self)
{
    for (size_t i = 0; i < h->in_queue; i++) {
        hall_waiting *w = &h->queue[(h->first + i) % h->queue_size];
        if (w->self == self)
            w->then = NULL;
    }
}

static table_entry heard_entry(const hall *h, const hall_table *t, const hall_entry *e)
{
    return (table_entry){.time = e->time,
                         .seat = e->seat,
                         .line = hall_line(t, e),
                         .length = e->length,
                         .events = h->heard,
                         .in_events = h->in_heard};
}

static void mark_stale(hall *h, hall_table *t)
{
    if (!t->stale) {
        t->stale = true;
        t->next_stale = h->stale;
        h->stale = t;
    }
}

static void count_confirmed(hall *h, const hall_entry *e)
{
    const uint64_t took = hall_stopwatch() - e->said;
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
    const hall_entry *e = &t->entries[t->shown.entries];
    hall_play(h, NULL, &t->shown, e, hall_line(t, e), NULL);
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

void hall_show(hall *h)
{
    h->safe_seen = atomic_load(&h->safe);
    while (h->in_queue > 0 && h->queue[h->first].ticket <= h->safe_seen) {
        const hall_waiting w = h->queue[h->first];
        h->first = (h->first + 1) % h->queue_size;
        h->in_queue--;
        if (w.t != NULL)
            show_next(h, w.t);
        else if (w.then != NULL)
            w.then(w.self);
    }
    tell_states(h);
}

/* ---- Following ---------------------------------------------------------------------------------- */

static size_t tell_one(hall *h, hall_follower *f, writer *write, const subject *s)
{
    hall_message *m = write_message(write, s, f->viewer);
    const size_t length = m->length;
    h->owner.tell(h->owner.self, f, m);
    return length;
}

static void tell_state(hall *h, hall_follower *f)
{
    tell_one(h, f, write_state, &(subject){.t = &f->at->shown, .id = f->at->id});
}

static const hall_entry *play_next(hall *h, const hall_table *t, table *past)
{
    const hall_entry *e = &t->entries[past->entries];
    hall_play(h, NULL, past, e, hall_line(t, e), NULL);
    return e;
}

void hall_go_on(hall *h, hall_follower *f)
{
    const hall_table *t = f->at;
    if (f->past == NULL)
        return;
    for (size_t told = 0; told < HALL_PIECE && f->past->entries < t->shown.entries;) {
        const table_entry entry = heard_entry(h, t, play_next(h, t, f->past));
        told += tell_one(h, f, write_entry, &(subject){.t = f->past, .entry = &entry, .id = t->id});
    }
    if (f->past->entries < t->shown.entries)
        return;
    free(f->past);
    f->past = NULL;
    tell_state(h, f);
}

void hall_follow(hall *h, hall_table *t, hall_follower *f, uint32_t since)
{
    f->at = t;
    t->seen = true;
    f->next = t->followers;
    t->followers = f;
    if (f->viewer != HP_SPECTATOR)
        memcpy(f->key, t->shown.settings.seat[f->viewer].key, sizeof f->key);
    if (since >= t->shown.entries) {
        tell_state(h, f);
        return;
    }
    f->past = malloc(sizeof *f->past);
    if (f->past == NULL)
        hall_out_of_memory();
    table_open(f->past, t->start, t->live.opened);
    while (f->past->entries < since)
        play_next(h, t, f->past);
    hall_go_on(h, f);
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
        f->at->quiet = hall_uptime();
    f->at = NULL;
    free(f->past);
    f->past = NULL;
}

bool hall_seated(const hall_follower *f)
{
    return f->viewer != HP_SPECTATOR && has_key(&f->at->live, f);
}
