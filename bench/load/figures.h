/* What a run has measured, and how it is told. */
#ifndef LOAD_FIGURES_H
#define LOAD_FIGURES_H

#include <stdbool.h>
#include <stdint.h>

/* Microseconds up to 127 as they are, above that 64 steps for each power of two: at most 1.6 % off. */
enum { STEPS = 64, HISTOGRAM = 27 * STEPS + 128 };

typedef struct {
    uint64_t counts[HISTOGRAM];
    uint64_t n, worst; /* microseconds */
} histogram;

void histogram_add(histogram *h, uint64_t microseconds);
/* Not less than so many of a hundred were as quick as this. */
uint64_t histogram_percentile(const histogram *h, int percent);

/* Of the server at several moments; -1 where nobody knows. */
typedef struct {
    long before;    /* kilobytes, resident */
    long seated;    /* all tables open, all seats taken */
    long connected; /* every connection there and nothing moving */
    long end;       /* at the end, everybody still there */
    long left;      /* a second after everybody has left */
} memory;

typedef struct {
    const char *host, *circuit;
    long port, races, seats, laps, rate, idle, seed;

    long races_finished, connections, connected, held;
    uint64_t requests, told_to_wait;
    uint64_t sent, confirmed, refused; /* acts */
    uint64_t lost, faults;             /* connections lost; messages that are not as they should be */
    uint64_t messages, bytes;          /* received over WebSockets */
    histogram latency;
    double opening, connecting, acting; /* seconds that these took */
    double server_cpu, own_cpu;         /* seconds of them while acting; below 0: unknown */
    double load_start, load_end;        /* the machine's */
    memory memory;
    const char *stopped; /* why it is over too early; NULL: it is not */
} figures;

double machine_load(void);
long resident_kb(long pid);   /* -1: there is no such process, or none is named */
double cpu_seconds(long pid); /* so, too */

bool figures_good(const figures *f);
void figures_print(const figures *f);
void figures_print_json(const figures *f);

#endif
