#define _POSIX_C_SOURCE 200809L
#include "server/pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { THREADS_MAX = 64, LINES = 1024 };

typedef struct item {
    struct item *next;
    pool_job job;
} item;

typedef struct {
    item *first, **last;
} queue;

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t work;
    queue waiting[LINES], done;
    uint32_t in_waiting, turn; /* in all of them, and the line that was last */
    bool closing;
    void (*tell)(void *self);
    void *self;
    pthread_t thread[THREADS_MAX];
    int threads;
};

static void put(queue *q, item *i)
{
    i->next = NULL;
    *q->last = i;
    q->last = &i->next;
}

static item *take(queue *q)
{
    item *i = q->first;
    if (i != NULL && (q->first = i->next) == NULL)
        q->last = &q->first;
    return i;
}

/* From the next line in which anybody stands. */
static item *take_turn(pool *p)
{
    if (p->in_waiting == 0)
        return NULL;
    p->in_waiting--;
    item *i;
    do
        p->turn = (p->turn + 1) % LINES;
    while ((i = take(&p->waiting[p->turn])) == NULL);
    return i;
}

static uint64_t microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static void *work(void *argument)
{
    pool *p = argument;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        item *i;
        while ((i = take_turn(p)) == NULL && !p->closing)
            pthread_cond_wait(&p->work, &p->lock);
        if (i == NULL)
            break;
        pthread_mutex_unlock(&p->lock);
        const uint64_t start = microseconds();
        i->job.act = bot_choose(i->job.thinker, &i->job.view);
        i->job.microseconds = microseconds() - start;
        pthread_mutex_lock(&p->lock);
        put(&p->done, i);
        p->tell(p->self);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

pool *pool_open(int threads, void (*done)(void *self), void *self)
{
    pool *p = calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    for (int i = 0; i < LINES; i++)
        p->waiting[i].last = &p->waiting[i].first;
    p->done.last = &p->done.first;
    p->tell = done;
    p->self = self;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work, NULL);
    while (p->threads < threads && p->threads < THREADS_MAX &&
           pthread_create(&p->thread[p->threads], NULL, work, p) == 0)
        p->threads++;
    if (p->threads == 0) {
        pool_close(p);
        return NULL;
    }
    return p;
}

static void drop(queue *q)
{
    for (item *i; (i = take(q)) != NULL;) {
        bot_close(i->job.thinker);
        free(i);
    }
}

void pool_close(pool *p)
{
    if (p == NULL)
        return;
    pthread_mutex_lock(&p->lock);
    p->closing = true;
    for (int i = 0; i < LINES; i++)
        drop(&p->waiting[i]);
    p->in_waiting = 0;
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
    for (int i = 0; i < p->threads; i++)
        pthread_join(p->thread[i], NULL);
    drop(&p->done);
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->work);
    free(p);
}

bool pool_push(pool *p, const pool_job *job)
{
    item *i = malloc(sizeof *i);
    if (i == NULL)
        return false;
    i->job = *job;
    pthread_mutex_lock(&p->lock);
    put(&p->waiting[job->line % LINES], i);
    p->in_waiting++;
    pthread_cond_signal(&p->work);
    pthread_mutex_unlock(&p->lock);
    return true;
}

bool pool_pop(pool *p, pool_job *job)
{
    pthread_mutex_lock(&p->lock);
    item *i = take(&p->done);
    pthread_mutex_unlock(&p->lock);
    if (i == NULL)
        return false;
    *job = i->job;
    free(i);
    return true;
}

uint32_t pool_waiting(pool *p)
{
    pthread_mutex_lock(&p->lock);
    const uint32_t n = p->in_waiting;
    pthread_mutex_unlock(&p->lock);
    return n;
}
