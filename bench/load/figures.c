#define _POSIX_C_SOURCE 200809L
#include "bench/load/figures.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Latency ------------------------------------------------------------------------------------ */

void histogram_add(histogram *h, uint64_t microseconds)
{
    const uint64_t v = microseconds < UINT32_MAX ? microseconds : UINT32_MAX;
    int shift = 0;
    while (v >> shift >= 2 * STEPS)
        shift++;
    h->counts[(uint64_t)shift * STEPS + (v >> shift)]++;
    h->n++;
    if (v > h->worst)
        h->worst = v;
}

static uint64_t highest_in(int step)
{
    const int shift = step < 2 * STEPS ? 0 : step / STEPS - 1;
    return ((uint64_t)(step - shift * STEPS + 1) << shift) - 1;
}

uint64_t histogram_percentile(const histogram *h, int percent)
{
    const uint64_t rank = (h->n * (uint64_t)percent + 99) / 100;
    uint64_t sum = 0;
    for (int i = 0; i < HISTOGRAM && h->n > 0; i++) {
        sum += h->counts[i];
        if (sum >= rank)
            return highest_in(i) < h->worst ? highest_in(i) : h->worst;
    }
    return 0;
}

/* ---- The machine -------------------------------------------------------------------------------- */

double machine_load(void)
{
    double load = -1;
    FILE *file = fopen("/proc/loadavg", "r");
    if (file != NULL) {
        if (fscanf(file, "%lf", &load) != 1)
            load = -1;
        fclose(file);
    }
    return load;
}

static FILE *open_proc(long pid, const char *what)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/%s", pid, what);
    return pid > 0 ? fopen(path, "r") : NULL;
}

long resident_kb(long pid)
{
    char line[256];
    long kb = -1;
    FILE *file = open_proc(pid, "status");
    while (file != NULL && kb < 0 && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "VmRSS:", 6) == 0)
            kb = strtol(line + 6, NULL, 10);
    if (file != NULL)
        fclose(file);
    return kb;
}

double cpu_seconds(long pid)
{
    char line[1024];
    unsigned long user = 0, system = 0;
    double found = -1;
    FILE *file = open_proc(pid, "stat");
    if (file == NULL)
        return -1;
    if (fgets(line, sizeof line, file) != NULL) {
        const char *rest = strrchr(line, ')'); /* a program's name may have blanks */
        if (rest != NULL &&
            sscanf(rest, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) == 2)
            found = (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
    }
    fclose(file);
    return found;
}

/* ---- Telling ------------------------------------------------------------------------------------ */

bool figures_good(const figures *f)
{
    return f->stopped == NULL && f->sent == f->confirmed && f->refused == 0 && f->lost == 0 &&
           f->faults == 0 && f->connected == f->connections &&
           (f->idle > 0 ? f->held == f->idle : f->races_finished == f->races);
}

static double acts_per_second(const figures *f)
{
    return f->acting > 0 ? (double)f->confirmed / f->acting : 0;
}

static double percentile_ms(const figures *f, int percent)
{
    return (double)histogram_percentile(&f->latency, percent) / 1000;
}

/* Kilobytes for each of n; -1 where that is not known. Memory that was given back makes it 0. */
static double each(long from, long to, long n)
{
    if (from < 0 || to < 0 || n <= 0)
        return -1;
    return to > from ? (double)(to - from) / (double)n : 0;
}

static double cores(const figures *f, double seconds)
{
    return f->acting > 0 ? seconds / f->acting : 0;
}

static void print_mb(const char *what, long kb)
{
    if (kb >= 0)
        printf("%8.1f MB %s\n            ", (double)kb / 1024, what);
}

static void print_memory(const figures *f)
{
    const memory *m = &f->memory;
    if (m->before < 0)
        return;
    printf("memory      ");
    print_mb("resident in the server before", m->before);
    print_mb("with all tables open", m->seated);
    print_mb("with all connected, nothing moving", m->connected);
    print_mb("at the end", m->end);
    print_mb("when all have left", m->left);
    if (m->connected < 0) {
        printf("\n");
        return;
    }
    printf("%8.2f KB a connection", each(m->seated, m->connected, f->connected));
    if (f->idle == 0)
        printf(", %.2f KB a race without its connections, %.2f KB with them",
               each(m->before, m->seated, f->races), each(m->before, m->connected, f->races));
    printf("\n");
}

static void print_racing(const figures *f)
{
    printf("races       %ld finished of %ld\n", f->races_finished, f->races);
    printf("acts        %" PRIu64 " sent, %" PRIu64 " confirmed, %" PRIu64 " refused, %" PRIu64
           " unanswered\n",
           f->sent, f->confirmed, f->refused, f->sent - f->confirmed - f->refused);
    printf("speed       %.0f acts/s, from the first to the last in %.2f s, ", acts_per_second(f), f->acting);
    if (f->rate > 0)
        printf("paced to %ld acts/s\n", f->rate);
    else
        printf("as fast as it goes\n");
    printf("latency     p50 %.2f ms, p90 %.2f ms, p99 %.2f ms, worst %.2f ms: from sending an act to reading "
           "its entry\n",
           percentile_ms(f, 50), percentile_ms(f, 90), percentile_ms(f, 99), (double)f->latency.worst / 1000);
    printf("cores       %.2f busy here", cores(f, f->own_cpu));
    if (f->server_cpu >= 0)
        printf(", %.2f in the server", cores(f, f->server_cpu));
    printf(", in that time\n");
}

void figures_print(const figures *f)
{
    if (f->idle > 0)
        printf("%ld spectators of one table at %s:%ld\n", f->idle, f->host, f->port);
    else
        printf("%ld races with %ld seats, circuit %s, laps %ld, at %s:%ld, seed %ld\n", f->races, f->seats,
               f->circuit, f->laps, f->host, f->port, f->seed);
    if (f->stopped != NULL)
        printf("UNFINISHED  %s\n", f->stopped);
    if (f->idle > 0)
        printf("held        %ld of %ld for ten seconds\n", f->held, f->idle);
    else
        print_racing(f);
    printf("connections %ld of %ld made, %" PRIu64 " lost, %" PRIu64 " faults in messages\n", f->connected,
           f->connections, f->lost, f->faults);
    printf("received    %.1f MB in %" PRIu64 " messages\n", (double)f->bytes / 1e6, f->messages);
    printf("set-up      %" PRIu64 " requests in %.2f s, connections in %.2f s, told to wait %" PRIu64
           " times\n",
           f->requests, f->opening, f->connecting, f->told_to_wait);
    print_memory(f);
    printf("machine     load average %.2f at the start, %.2f at the end; %ld cores\n", f->load_start,
           f->load_end, sysconf(_SC_NPROCESSORS_ONLN));
}

static void json_real(const char *key, double value)
{
    if (value < 0)
        printf("\"%s\":null,", key);
    else
        printf("\"%s\":%.3f,", key, value);
}

static void json_count(const char *key, uint64_t value)
{
    printf("\"%s\":%" PRIu64 ",", key, value);
}

static void json_kb(const char *key, long value)
{
    if (value < 0)
        printf("\"%s\":null,", key);
    else
        printf("\"%s\":%ld,", key, value);
}

void figures_print_json(const figures *f)
{
    const memory *m = &f->memory;
    printf("{\"races\":%ld,\"seats\":%ld,\"laps\":%ld,\"circuit\":\"%s\",\"rate\":%ld,\"idle\":%ld,\"seed\":%"
           "ld,",
           f->races, f->seats, f->laps, f->circuit, f->rate, f->idle, f->seed);
    json_count("races_finished", (uint64_t)f->races_finished);
    json_count("sent", f->sent);
    json_count("confirmed", f->confirmed);
    json_count("refused", f->refused);
    json_real("acts_per_second", acts_per_second(f));
    json_real("p50_ms", percentile_ms(f, 50));
    json_real("p90_ms", percentile_ms(f, 90));
    json_real("p99_ms", percentile_ms(f, 99));
    json_real("worst_ms", (double)f->latency.worst / 1000);
    json_real("server_cores", cores(f, f->server_cpu));
    json_real("own_cores", cores(f, f->own_cpu));
    json_count("connections", (uint64_t)f->connections);
    json_count("connected", (uint64_t)f->connected);
    json_count("held", (uint64_t)f->held);
    json_count("lost", f->lost);
    json_count("faults", f->faults);
    json_count("bytes", f->bytes);
    json_count("messages", f->messages);
    json_count("requests", f->requests);
    json_count("told_to_wait", f->told_to_wait);
    json_real("opening_seconds", f->opening);
    json_real("connecting_seconds", f->connecting);
    json_real("acting_seconds", f->acting);
    json_kb("kb_before", m->before);
    json_kb("kb_seated", m->seated);
    json_kb("kb_connected", m->connected);
    json_kb("kb_end", m->end);
    json_kb("kb_left", m->left);
    json_real("kb_a_connection", each(m->seated, m->connected, f->connected));
    json_real("kb_a_race", each(m->before, m->seated, f->races));
    json_real("load_start", f->load_start);
    json_real("load_end", f->load_end);
    if (f->stopped != NULL)
        printf("\"stopped\":\"%s\",", f->stopped);
    printf("\"good\":%s}\n", figures_good(f) ? "true" : "false");
}
