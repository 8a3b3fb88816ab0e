/* Races that were played, and the files that they are read from. */
#ifndef HP_CLI_ARENA_RESULTS_H
#define HP_CLI_ARENA_RESULTS_H

#include "cli/arena_file.h"

#include <stdio.h>
#include <sys/types.h>

/* Zeroes are none; race is the owner's to free. */
typedef struct {
    arena_race *race;
    size_t n, size;
} arena_results;

/* False without memory. */
bool arena_keep(arena_results *all, const arena_race *race);

/* Says so; returns the exit code. */
int arena_out_of_memory(void);

/* What a file holds that an arena of these settings goes on with, and how long its whole lines are: 0 when not even
 * the head is there. EXIT_OK, or another code after saying what is wrong. */
int arena_read_begun(FILE *file, const char *path, const arena_head *ours, arena_results *all, off_t *length);

/* The races of all files, and a head that they share but for seed, circuit and laps. EXIT_OK, or another code after
 * saying what is wrong: no race may be counted twice. */
int arena_read_all(char **paths, int n, arena_head *head, arena_results *all);

#endif
