/* The file of an arena, docs/ARENA.md: a head and one line for each race, as text in the caller's memory. */
#ifndef HP_CLI_ARENA_FILE_H
#define HP_CLI_ARENA_FILE_H

#include "cli/arena_stats.h"

enum {
    ARENA_BOT_TEXT = 128, /* a bot as it was asked for, and the NUL */
    ARENA_FIGURES = 17,   /* 16 hex digits and the NUL */
    ARENA_LINE = 4096,    /* the longest is a head: 16 bots of 130 each, and below 300 besides */
    ARENA_RACES_MAX = 1000000
};

typedef struct {
    uint64_t seed;
    int rules; /* HP_RULES_VERSION of who played */
    int bots, cars;
    int laps;                      /* 0: as each circuit says */
    char circuit[HP_NAME_MAX + 1]; /* "all" for those built in */
    char figures[ARENA_FIGURES];   /* stands for the circuits' figures and laps */
    char bot[ARENA_BOTS_MAX][ARENA_BOT_TEXT];
} arena_head;

/* Whether the bot's name can stand in the file: printable, no quotes and no backslashes, not too long. */
bool arena_bot_name(const char *text, size_t length);

/* Who drives which car in a race. The races of one deal are as many as there are bots, and in them every
 * bot has every car once. */
void arena_seats(const arena_head *head, uint32_t race, uint8_t drivers[HP_CARS_MAX]);

/* With the line's end. The buffer has ARENA_LINE bytes; returns the length. */
size_t arena_head_write(const arena_head *head, char *buffer);
size_t arena_race_write(const arena_race *race, char *buffer);

/* Without the line's end. A fault tells the column, and leaves the head or the race alone. A race must be
 * the one of that number. */
hp_text_fault arena_head_read(const char *line, size_t length, arena_head *head, hp_fault *fault);
hp_text_fault arena_race_read(const char *line, size_t length, const arena_head *head, uint32_t number,
                              arena_race *race, hp_fault *fault);

#endif
