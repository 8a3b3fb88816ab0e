/* The hall: all tables of a server and everything that happens to them, from a line that somebody says to the
 * message that everybody gets. No sockets here: who follows a table is told through a function.
 *
 * Every table is there twice. A line is played on the first at once, so that the next one is judged by it, and
 * handed to the store; when it is on the disk it is played on the second, which is the one that people see.
 * So nobody ever hears of anything that a power cut could undo. */
#ifndef HP_SERVER_HALL_H
#define HP_SERVER_HALL_H

#include "server/store.h"
#include "table/table.h"

#include <uv.h>

typedef struct hall hall;
typedef struct hall_table hall_table;

typedef struct {
    const char *data;     /* the folder */
    uint32_t tables;      /* at most so many that are not over */
    uint32_t of_address;  /* and so many in memory that one address has opened; 0: any number */
    uint32_t bot_threads; /* that think at a time */
    uint32_t champion_ms; /* a champion's time for a decision */
    uint32_t keep_days;   /* a table where nothing happens for so long is closed */
    uint32_t forget_days; /* and one that is over or closed removed after so long; 0: never */
} hall_settings;

/* Something said to followers, shared by all who get it. */
typedef struct {
    uint32_t users;
    size_t length;
    unsigned char *text; /* with room for HALL_BEFORE bytes before it */
} hall_message;

enum {
    HALL_BEFORE = 64,
    HALL_PIECE = 256 * 1024, /* bytes of what somebody has missed, told at a time */
    HALL_CODE = 6            /* letters of an id that people read to each other */
};

void hall_release(hall_message *message);

/* Somebody who looks at a table, as a seat or not. The hall only links it; it is its owner's. Whoever looks as a
 * seat that is left before the race is a spectator from then on, whoever takes it next. */
typedef struct hall_follower {
    struct hall_follower *next;
    hall_table *at;
    int viewer;      /* a seat or HP_SPECTATOR */
    uint8_t key[32]; /* of its seat when it came */
    table *past;     /* as far as it has been told; NULL once it has heard everything */
} hall_follower;

typedef struct {
    /* A message that is the follower's now, to be released. */
    void (*tell)(void *self, hall_follower *follower, hall_message *message);
    /* One line for the host; what is the event's name for programs that read logs. */
    void (*log)(void *self, const char *what, const char *id, const char *detail);
    /* The store has failed, maybe more than once: nothing can be confirmed any more. */
    void (*failed)(void *self, const char *why);
    void *self;
} hall_owner;

/* Takes up every race where it was. NULL after saying why in error. */
hall *hall_open(uv_loop_t *loop, const hall_settings *settings, const hall_owner *owner,
                char error[STORE_ERROR]);
/* Stops bots and clocks, and takes no more lines. What was said is still written and told, and then done is
 * called. */
void hall_stop(hall *h, void (*done)(void *self));
/* After hall_stop's done, and one more turn of the loop. */
void hall_close(hall *h);

/* ---- Tables ------------------------------------------------------------------------------------- */

/* Whether somebody at this address may open one more; a few minutes after a race it counts no longer. */
bool hall_welcomes(hall *h, const char *address);
/* NULL when the hall is full or stopping. The circuit is its file's text, the address whose it is; ticket is for
 * hall_when_safe. */
hall_table *hall_create(hall *h, const table_settings *settings, const char *circuit, bool listed,
                        const char *address, uint64_t *ticket);
/* NULL when there is none. Tables that are over come back from the store. */
hall_table *hall_find(hall *h, const char *id);
/* The one that waits for people and whose id begins with these letters; NULL when there is none. No two do. */
hall_table *hall_with_code(hall *h, const char *code);

const char *hall_id(const hall_table *t);
const table *hall_live(const hall_table *t);  /* to judge by */
const table *hall_shown(const hall_table *t); /* to show */
const char *hall_circuit(const hall_table *t);

/* Says a line at a table. */
table_error hall_say(hall *h, hall_table *t, int seat, const char *line, size_t length, hp_error *rule,
                     uint64_t *ticket);
/* The table where it goes on, opened if there is none, or none any more; NULL when it is not over, or the hall is
 * full, or has enough of this address. */
hall_table *hall_rematch(hall *h, hall_table *t, const char *address, uint64_t *ticket);

/* Those that may be listed and wait for people, newest first; returns how many. */
int hall_list(hall *h, hall_table **found, int most);

/* Calls then when everything up to the ticket is safe, or at once when it is. */
void hall_when_safe(hall *h, uint64_t ticket, void (*then)(void *self), void *self);
/* The ticket of the newest entry: for what happened before, and may not be safe yet. */
uint64_t hall_newest(const hall *h);
/* It has gone away and must not be called. */
void hall_forget(hall *h, void *self);

/* ---- Following ---------------------------------------------------------------------------------- */

/* Tells what came after the entry since, and the state; from then on everything. A long history comes in pieces: the
 * next with each call of hall_go_on, which its owner makes when the follower has read what there was. */
void hall_follow(hall *h, hall_table *t, hall_follower *follower, uint32_t since);
void hall_go_on(hall *h, hall_follower *follower);
void hall_unfollow(hall_follower *follower);
/* Whether its seat is still the one that it came for. */
bool hall_seated(const hall_follower *follower);

/* ---- After the race ----------------------------------------------------------------------------- */

/* The race file or the event log, to be freed; NULL when it is not over, or without memory. */
char *hall_race_file(const hall_table *t, size_t *length);
char *hall_event_log(const hall_table *t, size_t *length);

/* ---- Figures ------------------------------------------------------------------------------------ */

enum { HALL_BUCKETS = 12 };

typedef struct {
    uint32_t tables[3];        /* by phase, of those in memory */
    uint32_t seats, followers; /* persons at tables that are not over; followers of any */
    uint64_t opened, entries, acts, bot_acts, refused, races_over;
    uint64_t bot_microseconds;
    uint32_t bots_waiting;
    uint64_t confirmed, confirm_microseconds; /* entries, and how long that took in all */
    uint64_t confirm_within[HALL_BUCKETS];    /* of them, within hall_bucket_ms */
    store_figures store;
} hall_figures;

extern const uint32_t hall_bucket_ms[HALL_BUCKETS];

void hall_measure(hall *h, hall_figures *figures);

#endif
