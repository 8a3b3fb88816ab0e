/* The tables of an arena: for people, or as one JSON object for machines. */
#ifndef HP_CLI_ARENA_PRINT_H
#define HP_CLI_ARENA_PRINT_H

#include "bots/bots.h"
#include "cli/arena_file.h"
#include "cli/durations.h"

/* Of the races just played, by bot: files do not have it. */
typedef struct {
    bool timed;
    durations took[ARENA_BOTS_MAX];    /* their decisions, when timed */
    uint64_t helped[ARENA_BOTS_MAX];   /* races in which the rookie had to decide for it, */
    bot_report faults[ARENA_BOTS_MAX]; /* and why, of all of them together */
} arena_news;

/* Without news, NULL. */
void arena_print(const arena_head *head, const arena_table *table, const arena_news *news);
void arena_print_json(const arena_head *head, const arena_table *table, const arena_news *news);

#endif
