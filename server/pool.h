/* Threads in which bots think, so that nobody else waits for them. As many as there are bound the time that
 * all bots of a server take together. Whoever asks for much keeps nobody else waiting: jobs stand in lines, the lines take
 * turns, and in each of them jobs are done in the order they come. */
#ifndef HP_SERVER_POOL_H
#define HP_SERVER_POOL_H

#include "bots/bots.h"

typedef struct pool pool;

typedef struct {
    void *self;    /* the caller's */
    int seat;      /* the caller's, too */
    uint32_t at;   /* and that */
    uint32_t line; /* where it stands; any number. A few share a line that need not */
    bot *thinker;  /* nobody else may touch it before the job is done */
    hp_view view;
    hp_act act;            /* what it chose */
    uint64_t microseconds; /* what that took */
} pool_job;

/* done is called by the threads, after each decision. NULL when no thread can be started. */
pool *pool_open(int threads, void (*done)(void *self), void *self);
/* Waits for decisions that are being made, and drops the others with their bots. */
void pool_close(pool *p);

bool pool_push(pool *p, const pool_job *job); /* false without memory */
bool pool_pop(pool *p, pool_job *job);        /* one that is done; false when there is none */
uint32_t pool_waiting(pool *p);               /* jobs not begun */

#endif
