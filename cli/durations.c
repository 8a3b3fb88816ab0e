#include "cli/durations.h"

/* Below 16 each number has a class; then sixteen classes to a doubling. */
static int class_of(uint64_t microseconds)
{
    int doublings = 0;
    while (microseconds >> doublings >= 2 * DURATIONS_PARTS)
        doublings++;
    const int class = doublings * DURATIONS_PARTS + (int)(microseconds >> doublings);
    return class < DURATIONS_CLASSES ? class : DURATIONS_CLASSES - 1;
}

/* The longest time that belongs to a class. */
static uint64_t end_of(int class)
{
    const int doublings = class < 2 * DURATIONS_PARTS ? 0 : class / DURATIONS_PARTS - 1;
    const uint64_t parts = (uint64_t)(class - doublings * DURATIONS_PARTS);
    return ((parts + 1) << doublings) - 1;
}

void durations_add(durations *d, uint64_t microseconds)
{
    d->n++;
    d->sum += microseconds;
    d->longest = microseconds > d->longest ? microseconds : d->longest;
    d->count[class_of(microseconds)]++;
}

void durations_join(durations *d, const durations *more)
{
    d->n += more->n;
    d->sum += more->sum;
    d->longest = more->longest > d->longest ? more->longest : d->longest;
    for (int i = 0; i < DURATIONS_CLASSES; i++)
        d->count[i] += more->count[i];
}

uint64_t durations_within(const durations *d, double share)
{
    uint64_t seen = 0;
    for (int i = 0; i < DURATIONS_CLASSES; i++) {
        seen += d->count[i];
        if (d->count[i] > 0 && (double)seen >= share * (double)d->n)
            return end_of(i) < d->longest ? end_of(i) : d->longest;
    }
    return d->longest;
}
