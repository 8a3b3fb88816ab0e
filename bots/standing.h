/* Who of two cars will be home first, by how they stand at the beginning of a round: as learned from races of drivers
 * (bench/learn/standing.c). */
#ifndef HP_BOTS_STANDING_H
#define HP_BOTS_STANDING_H

#include "bots/bots.h"

/* What tells it. Hands are always full and all speed cards are somewhere: twos in hand and what lies in the discard
 * pile say nothing more. */
enum {
    BOT_PROGRESS,                            /* in spaces */
    BOT_ON_LINE,                             /* on the race line */
    BOT_GEAR,                                /* 2 to 4, measured by 1 */
    BOT_HEAT = BOT_GEAR + HP_GEARS - 1,      /* at least one in the engine, at least two, up to seven */
    BOT_NEXT = BOT_HEAT + 7,                 /* the best that the next turn could bring, in tenths */
    BOT_IN_HAND,                             /* by kind */
    BOT_TO_DRAW = BOT_IN_HAND + HP_KINDS,    /* by kind */
    BOT_OLD_STRESS = BOT_TO_DRAW + HP_KINDS, /* in the discard pile */
    BOT_ADRENALINE,                          /* has it in this round */
    BOT_SIGNS,                               /* of one car so many; */
    BOT_BEHIND = BOT_SIGNS,                  /* of two: right behind the other, and two spaces behind */
    BOT_COLUMNS = BOT_BEHIND + 2
};

/* What a sign is worth depends on how far the one ahead is from the finish: between these it is interpolated. */
enum { BOT_KNOTS = 7 };
extern const uint8_t bot_knot[BOT_KNOTS];

void bot_measure(const hp_race *race, int car, int sign[BOT_SIGNS]);

/* What one car has more of than the other; returns how far the one ahead has to go, at least 1. */
int bot_compare(const hp_race *race, const int a[BOT_SIGNS], const int b[BOT_SIGNS], int more[BOT_COLUMNS]);

/* Between which two knots that is, and how far from the first to the second, in 256ths. */
typedef struct {
    int knot;
    int beyond;
} bot_between;
bot_between bot_knots_at(int left);

/* How likely the first is to be home before the second: from -1000, surely not, to 1000. */
int bot_chance(const hp_race *race, const int a[BOT_SIGNS], const int b[BOT_SIGNS]);

#endif
