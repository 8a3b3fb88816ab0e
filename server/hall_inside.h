/* What the parts of the hall share, and nobody else needs to know. */
#ifndef HP_SERVER_HALL_INSIDE_H
#define HP_SERVER_HALL_INSIDE_H

#include "bots/bots.h"
#include "server/hall.h"
#include "server/pool.h"

#include <stdatomic.h>

enum {
    HALL_PLACES = 16384, /* chains of tables by id */
    HALL_ORIGINS =
        16384 /* addresses that are told apart; two that are not share their limit and their turns */
};

typedef struct {
    uint64_t time;
    uint64_t said; /* by the monotonic clock, in microseconds, for the figures */
    uint32_t at;   /* of its line in text */
    int8_t seat;
    uint8_t length;
} hall_entry;

struct hall_table {
    hall_table *next;          /* in its chain */
    hall_table *newer, *older; /* of all */
    char id[TABLE_ID + 1];
    bool listed, stored_as_over;
    bool seen;       /* somebody has followed it */
    uint16_t origin; /* the address that opened it, below HALL_ORIGINS; 0: not known */
    table live, shown;
    int64_t quiet;  /* since when nothing happens and nobody looks, as hall_uptime has it */
    uint64_t ahead; /* how much later its entries say it is, where the clock was set back */
    hall_follower *followers;
    bot *driver[HP_CARS_MAX];
    uint8_t thinking; /* bit by seat: its bot is with the pool */
    bool stale;       /* on the list of those to tell the state of */
    hall_table *next_stale;
    table_settings *start; /* as it was opened with, to play the entries again */
    char *circuit;
    hall_entry *entries; /* as many as live has */
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
} hall_waiting;

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
    int64_t tidied;
    int64_t set;    /* what the clock had to be ahead of hall_uptime when it was last looked at, */
    int64_t steady; /* and since when that has not changed */
    bool stopping;
    void (*stopped)(void *self);
    hall_table *chain[HALL_PLACES];
    hall_table *newest, *oldest;
    uint32_t open; /* tables that are not over */
    uint32_t of_origin[HALL_ORIGINS];
    int64_t complained; /* of an address that has opened too many */
    hall_table *stale;
    hall_waiting *queue; /* a ring */
    size_t first, in_queue, queue_size;
    hp_event *heard; /* of the entry being played */
    size_t in_heard, heard_size;
    hall_table *hearing; /* whose bots hear them */
    hall_figures figures;
};

/* hall.c */
uint32_t hall_hash(const char *text, int most); /* of so many letters */
uint64_t hall_now(void);                        /* milliseconds, for entries */
uint64_t hall_stopwatch(void);                  /* microseconds, for figures */
int64_t hall_uptime(void);                      /* milliseconds by a clock that nobody sets */
_Noreturn void hall_out_of_memory(void);
/* More room, for least things of that size or more; size counts things. */
void *hall_grown(void *memory, size_t *size, size_t least, size_t each);
const char *hall_line(const hall_table *t, const hall_entry *e);
/* Plays an entry; what happened is in heard, and the bots of a table, if given, have heard it. */
table_error hall_play(hall *h, hall_table *bots_of, table *on, const hall_entry *e, const char *line,
                      hp_error *rule);

/* hall_tell.c */
void hall_wait_for(hall *h, hall_waiting w);
void hall_show(hall *h); /* whatever has become safe */

/* hall_bots.c */
void hall_fire(hall_table *t, int seat); /* lets its bot go, which may still be thinking */
void hall_drive(hall *h, hall_table *t); /* lets every bot think that the race waits for */
void hall_decided(hall *h, const pool_job *job);

#endif
