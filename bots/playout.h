/* How a race may go on, as far as a seat can tell: the cards that it cannot see dealt at random, everybody
 * driving like a driver. Whole numbers only, no memory, no clock. */
#ifndef HP_BOTS_PLAYOUT_H
#define HP_BOTS_PLAYOUT_H

#include "bots/bots.h"

enum {
    BOT_MOODS = 12, /* of the drivers in playouts: else they would all drive alike */
    BOT_ROUNDS = 4  /* that playouts go ahead, where there is no time for more */
};

/* A race that the seat may imagine. View and memory are of the same moment. */
void bot_deal(const hp_view *view, const hp_memory *memory, bot_dice *dice, hp_race *deal);

/* Plays each of n acts so many rounds on, this one counted, all from the same deal and with the same moods,
 * so that luck falls on all alike. The worth of each is how the seat stands then: for every other car from
 * -1000, surely behind it at the finish, to 1000; alone, by spaces and rounds. */
void bot_play_out(const hp_view *view, const hp_memory *memory, const hp_act *acts, int n, int rounds,
                  bot_dice *dice, int *worth);

/* The same with several looks at each playout, after so many rounds, fewest first: worth[act * looks + look]. */
void bot_play_out_looks(const hp_view *view, const hp_memory *memory, const hp_act *acts, int n,
                        const int *rounds, int looks, bot_dice *dice, int *worth);

#endif
