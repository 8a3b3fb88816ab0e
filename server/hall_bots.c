/* Bots at tables: hired when the race waits for one, told all that they may know, and let go. */
#define _POSIX_C_SOURCE 200809L
#include "server/hall_inside.h"
#include "table/keep.h"

#include <stdio.h>

enum { SOON = 60000 }; /* milliseconds */

static void hear_alone(void *self, const hp_event *event)
{
    bot_hear(self, event);
}

/* A bot that has heard everything so far. */
static bot *hire(const hall *h, const hall_table *t, int seat)
{
    char thinking[16], spec[TABLE_BOT_SPEC];
    snprintf(thinking, sizeof thinking, "%ums", (unsigned)h->settings.champion_ms);
    table_bot_spec(&t->live, seat, thinking, spec, sizeof spec);
    bot *b = bot_open(spec, seat, table_bot_seed(&t->live, seat));
    if (b == NULL)
        hall_out_of_memory();
    table past;
    const hp_listener listener = {.hear = hear_alone, .self = b};
    table_open(&past, t->start, t->live.opened);
    for (uint32_t i = 0; i < t->in_entries; i++)
        table_play(&past, t->entries[i].seat, hall_line(t, &t->entries[i]), t->entries[i].length,
                   t->entries[i].time, &listener, NULL);
    return b;
}

void hall_fire(hall_table *t, int seat)
{
    if (t->driver[seat] != NULL && !(t->thinking >> seat & 1))
        bot_close(t->driver[seat]);
    t->driver[seat] = NULL; /* one that thinks is closed when it is back */
}

/* Bots of races that one address has opened stand in a line, so that nobody's wait for those of another; and those of
 * its races that nobody looks at stand in a second. A new one will be looked at soon. Where the address is not known,
 * since the server was restarted, each race that somebody looks at has its own line. */
static uint32_t line_of(const hall_table *t)
{
    const bool looked_at = t->followers != NULL || hall_now() < t->live.opened + SOON;
    const uint32_t line = t->origin == 0 && looked_at ? hall_hash(t->id, TABLE_ID) : t->origin;
    return 2 * line + !looked_at;
}

/* Lets every bot think that the race waits for. */
void hall_drive(hall *h, hall_table *t)
{
    const uint8_t due = table_bots_due(&t->live);
    for (int i = 0; i < t->live.settings.seats && !h->stopping; i++) {
        if (!(due >> i & 1) || (t->thinking >> i & 1))
            continue;
        if (t->driver[i] == NULL)
            t->driver[i] = hire(h, t, i);
        pool_job job = {
            .self = t, .seat = i, .at = t->live.entries, .line = line_of(t), .thinker = t->driver[i]};
        hp_look(&t->live.race, i, &job.view);
        if (!pool_push(h->pool, &job))
            hall_out_of_memory();
        t->thinking |= (uint8_t)(1 << i);
    }
}

/* A bot has decided. If it was let go meanwhile, the decision goes with it. */
void hall_decided(hall *h, const pool_job *job)
{
    hall_table *t = job->self;
    t->thinking &= (uint8_t) ~(1 << job->seat);
    h->figures.bot_microseconds += job->microseconds;
    if (t->driver[job->seat] != job->thinker) {
        bot_close(job->thinker);
        hall_drive(h, t);
        return;
    }
    char line[TABLE_DRIVE_LINE];
    uint64_t ticket;
    const size_t length = table_drive_line(job->at, job->act, line, sizeof line);
    if (hall_say(h, t, job->seat, line, length, NULL, &ticket) != TABLE_FINE) {
        hall_fire(t, job->seat); /* the decision was past: think again, if anybody waits */
        hall_drive(h, t);
    }
}
