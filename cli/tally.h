/* What happened in many races, counted from their events. */
#ifndef HP_CLI_TALLY_H
#define HP_CLI_TALLY_H

#include "hairpin.h"

typedef struct {
    uint64_t races, rounds, turns, decisions;
    uint64_t fewest_rounds, most_rounds;
    uint64_t wins_by_slot[HP_CARS_MAX];
    uint64_t spins, stress_taken, cluttered, retired;
    uint64_t heat_corners, heat_shifts, cooled;
    uint64_t boosts, slipstreams, adrenaline_moves;
    uint64_t blocked, corners, discarded, flips, reshuffles;
    uint64_t top_speed;
    uint8_t slot[HP_CARS_MAX]; /* of the race that is running */
} tally;

void tally_event(tally *t, const hp_event *event);
void tally_add(tally *t, const tally *more);

/* As a table for people, or as one JSON object for machines. */
void tally_print(const tally *t, int cars);
void tally_print_json(const tally *t, int cars);

#endif
