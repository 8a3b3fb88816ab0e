/* Learns the figures of bots/driver.c, bots/felt.c, bots/standing.c and bots/champion.c by self-play: docs/LEARNING.md says
 * how to use it. It prints tables that somebody puts into those files. */
#ifndef LEARN_LEARN_H
#define LEARN_LEARN_H

#include "bots/judgement.h"

#include <stdbool.h>

/* Set by Ctrl-C and when time is up: whatever runs ends, and tells what it has. */
bool learn_stopped(void);

/* Of a position, those that drivers like best; what is beyond them counts as the worst. */
enum { LEARN_ACTS = 20 };

/* A decision in a race, and how good each act was in playouts, for each of the other cars as by
 * bot_play_out. */
typedef struct {
    hp_view view;
    uint32_t race; /* its number: positions of one race have much in common */
    int32_t acts;
    hp_act act[LEARN_ACTS];
    int32_t worth[LEARN_ACTS];
    uint64_t sum; /* learn_sum of all the rest */
} learn_position;

/* By which a damaged position is known. */
uint64_t learn_sum(const learn_position *p);

/* A race, and what its cars remember of it: give its listener to hp_apply. */
typedef struct {
    hp_race race;
    hp_memory memory[HP_CARS_MAX];
    hp_listener listener;
    bot_dice dice; /* for the bots */
} learn_race;

/* On the circuit of that number, counted round and round, with its own laps. */
void learn_start(learn_race *r, uint64_t seed, uint64_t number, uint64_t circuit, int cars);

/* What such a file begins with. */
typedef struct {
    char magic[8];
    uint32_t size; /* of a position */
    uint32_t seed;
} learn_head;

#define LEARN_MAGIC "hairpin" /* and its NUL */

/* Writes a new file, reads the files, plays so many races, or plays until it is stopped. False when it
 * cannot; it has said why. */
bool learn_positions(const char *file, uint32_t seed);
bool learn_judgement(char *const files[], int n, uint64_t seed);
bool learn_feelings(long races, uint64_t seed);
bool learn_standing(long races, uint64_t seed);
bool learn_rounds(uint64_t seed);

#endif
