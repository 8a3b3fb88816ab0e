/* What bots that judge acts share: the corner ahead, and taking the act that seems best. */
#ifndef HP_BOTS_AHEAD_H
#define HP_BOTS_AHEAD_H

#include "bots/bots.h"

typedef struct {
    int ahead; /* spaces before the line */
    int limit;
} bot_corner;

/* The next corner line from there; behind the finish line there is none, and it seems far away. */
bot_corner bot_next_corner(const hp_track *track, int laps, int at);

/* Which of n is of most worth, when each may seem better than it is by less than moods; 0 rolls no dice. */
int bot_best(const int *worth, int n, bot_dice *dice, int moods);

#endif
