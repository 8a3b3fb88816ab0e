/* Races at random, for measuring. */
#ifndef HP_BENCH_PLAY_H
#define HP_BENCH_PLAY_H

#include "hairpin.h"

typedef struct {
    uint64_t races, turns, decisions;
} bench_played;

/* Two laps, every act chosen at random among all legal ones. */
void bench_play(const hp_track *track, int cars, uint64_t number, const hp_listener *listener,
                bench_played *sum);

#endif
