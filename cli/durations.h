/* How long something took, many times: counted in classes that are narrow enough to read off any share. */
#ifndef HP_CLI_DURATIONS_H
#define HP_CLI_DURATIONS_H

#include <stdint.h>

enum {
    DURATIONS_PARTS = 16,                    /* of each doubling: a class is at most 1/16 wide */
    DURATIONS_CLASSES = 48 * DURATIONS_PARTS /* up to 2^51 microseconds, seventy years */
};

typedef struct {
    uint64_t n, sum, longest; /* in microseconds */
    uint64_t count[DURATIONS_CLASSES];
} durations;

void durations_add(durations *d, uint64_t microseconds);
void durations_join(durations *d, const durations *more);

/* At least that share of them, 0 to 1, took no longer; above the truth by at most a sixteenth. 0 for none. */
uint64_t durations_within(const durations *d, double share);

#endif
