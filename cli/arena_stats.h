/* What many races of an arena say about its bots: counting and statistics, without any reading or writing. */
#ifndef HP_CLI_ARENA_STATS_H
#define HP_CLI_ARENA_STATS_H

#include "hairpin.h"

enum { ARENA_BOTS_MAX = 16 };

/* One race. Bots are numbered in the order that the arena names them; lists are by car. */
typedef struct {
    uint64_t seed; /* the arena's */
    uint32_t race; /* from 0 */
    uint32_t deal; /* races of one deal have the same decks and grid */
    char circuit[HP_NAME_MAX + 1];
    uint8_t laps, cars;
    uint16_t rounds;
    uint8_t bot[HP_CARS_MAX], slot[HP_CARS_MAX], place[HP_CARS_MAX];
    uint16_t spins[HP_CARS_MAX], heat[HP_CARS_MAX];
} arena_race;

/* A figure and its 95 % interval. */
typedef struct {
    double value, low, high;
} arena_estimate;

typedef struct {
    uint64_t races, wins; /* races in which it had a car, and those that one of its cars won */
    uint64_t cars, laps;  /* its cars in all races, and the laps of those */
    uint64_t spins, heat;
    arena_estimate win, place, elo;
} arena_bot;

typedef struct {
    int bots;
    uint64_t races, deals, rounds, fewest_rounds, most_rounds;
    uint64_t met; /* pairs of cars of different bots; 0: there is nothing to compare */
    arena_bot bot[ARENA_BOTS_MAX];
    uint64_t ahead[ARENA_BOTS_MAX][ARENA_BOTS_MAX]; /* pairs in which the first finished ahead */
} arena_table;

/* Wilson's interval for a share; 0 to 1 when n is 0. */
arena_estimate arena_wilson(uint64_t hits, uint64_t n);

/* Mean of things that come in groups, from the sum and the number in each: what is in one group goes
 * together, groups do not. With fewer than two groups the interval is the value alone. */
arena_estimate arena_mean(const double *sums, const double *sizes, size_t groups);

/* Bradley-Terry strengths of greatest likelihood as Elo points around 1500, with one undecided comparison
 * more for each pair, so that an unbeaten bot stays finite. The interval takes every comparison for
 * independent; arena_count knows better. */
void arena_elo(int bots, const uint64_t ahead[ARENA_BOTS_MAX][ARENA_BOTS_MAX],
               arena_estimate elo[ARENA_BOTS_MAX]);

/* Races of one deal stand together. False without memory. */
bool arena_count(const arena_race *races, size_t n, int bots, arena_table *table);

#endif
