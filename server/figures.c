/* Figures for Prometheus. */
#define _POSIX_C_SOURCE 200809L
#include "server/session.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void one(FILE *out, const char *name, const char *kind, const char *help, uint64_t value)
{
    fprintf(out, "# HELP hairpin_%s %s\n# TYPE hairpin_%s %s\nhairpin_%s %" PRIu64 "\n", name, help, name,
            kind, name, value);
}

/* From microseconds to seconds, as whole digits: no locale can spoil them. */
static void seconds(FILE *out, const char *name, uint64_t microseconds)
{
    fprintf(out, "hairpin_%s %" PRIu64 ".%06" PRIu64 "\n", name, microseconds / 1000000,
            microseconds % 1000000);
}

static void time_of(FILE *out, const char *name, const char *kind, const char *help, uint64_t microseconds)
{
    fprintf(out, "# HELP hairpin_%s %s\n# TYPE hairpin_%s %s\n", name, help, name, kind);
    seconds(out, name, microseconds);
}

static void confirmations(FILE *out, const hall_figures *f)
{
    fprintf(out, "# HELP hairpin_confirm_seconds From a line to its confirmation, durable.\n"
                 "# TYPE hairpin_confirm_seconds histogram\n");
    for (int i = 0; i < HALL_BUCKETS; i++)
        fprintf(out, "hairpin_confirm_seconds_bucket{le=\"%u.%03u\"} %" PRIu64 "\n", hall_bucket_ms[i] / 1000,
                hall_bucket_ms[i] % 1000, f->confirm_within[i]);
    fprintf(out, "hairpin_confirm_seconds_bucket{le=\"+Inf\"} %" PRIu64 "\n", f->confirmed);
    seconds(out, "confirm_seconds_sum", f->confirm_microseconds);
    fprintf(out, "hairpin_confirm_seconds_count %" PRIu64 "\n", f->confirmed);
}

/* Resident bytes of this process; 0 where the system does not tell. */
static uint64_t memory_in_use(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%*s %lu", &pages) != 1)
        pages = 0;
    fclose(file);
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

char *figures_write(server *s, size_t *length)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    if (out == NULL)
        return NULL;
    hall_figures f;
    hall_measure(s->hall, &f);
    fprintf(out, "# HELP hairpin_tables Tables in memory.\n# TYPE hairpin_tables gauge\n");
    static const char *const phases[] = {"gathering", "racing", "over"};
    for (int i = 0; i < 3; i++)
        fprintf(out, "hairpin_tables{phase=\"%s\"} %u\n", phases[i], f.tables[i]);
    one(out, "seats", "gauge", "Persons at tables that are not over.", f.seats);
    one(out, "followers", "gauge", "Connections that follow a table.", f.followers);
    one(out, "sockets", "gauge", "WebSockets open.", s->figures.sockets);
    one(out, "tables_opened_total", "counter", "Tables opened.", f.opened);
    one(out, "races_over_total", "counter", "Races finished.", f.races_over);
    one(out, "entries_total", "counter", "Entries of all kinds.", f.entries);
    one(out, "acts_total", "counter", "Acts of persons.", f.acts);
    one(out, "bot_acts_total", "counter", "Acts of bots.", f.bot_acts);
    one(out, "lines_refused_total", "counter", "Lines that a table refused.", f.refused);
    one(out, "requests_total", "counter", "HTTP requests.", s->figures.requests);
    one(out, "lines_total", "counter", "Lines over WebSockets.", s->figures.lines);
    one(out, "refused_rate_total", "counter", "Refused as too fast or too many.", s->figures.refused_rate);
    one(out, "refused_full_total", "counter", "Refused because the server is full.", s->figures.refused_full);
    one(out, "refused_origin_total", "counter", "Refused pages of other sites.", s->figures.refused_origin);
    one(out, "cut_off_total", "counter", "Readers that did not keep up.", s->figures.cut_off);
    confirmations(out, &f);
    time_of(out, "bot_seconds_total", "counter", "Time that bots thought.", f.bot_microseconds);
    one(out, "bots_waiting", "gauge", "Decisions that wait for a thread.", f.bots_waiting);
    one(out, "commits_total", "counter", "Transactions of the database.", f.store.commits);
    one(out, "writes_total", "counter", "Rows written.", f.store.writes);
    time_of(out, "commit_seconds_total", "counter", "Time that transactions took.", f.store.microseconds);
    time_of(out, "commit_seconds_longest", "gauge", "The longest transaction.", f.store.longest);
    one(out, "writes_waiting", "gauge", "Rows that wait for the disk.", f.store.waiting);
    one(out, "database_bytes", "gauge", "Size of the database's files.", f.store.bytes);
    one(out, "memory_bytes", "gauge", "Memory in use.", memory_in_use());
    one(out, "up_seconds", "gauge", "Since the server started.", (server_clock() - s->started) / 1000);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
