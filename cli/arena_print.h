/* The tables of an arena: for people, or as one JSON object for machines. */
#ifndef HP_CLI_ARENA_PRINT_H
#define HP_CLI_ARENA_PRINT_H

#include "cli/arena_file.h"
#include "cli/durations.h"

/* How long decisions took, for each bot; NULL when nobody asked. */
void arena_print(const arena_head *head, const arena_table *table, const durations *took);
void arena_print_json(const arena_head *head, const arena_table *table, const durations *took);

#endif
