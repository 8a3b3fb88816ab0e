/* Bots see a view and return an act. They never see the race: there is nothing here to cheat with. */
#ifndef HP_BOTS_H
#define HP_BOTS_H

#include "hairpin.h"

/* A bot's own dice, so that the race's stay untouched: splitmix64. */
typedef struct {
    uint64_t state;
} bot_dice;

static inline uint64_t bot_roll(bot_dice *dice)
{
    uint64_t z = (dice->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline uint32_t bot_roll_below(bot_dice *dice, uint32_t n)
{
    return (uint32_t)((bot_roll(dice) >> 32) * n >> 32);
}

typedef hp_act bot_choose(const hp_view *view, bot_dice *dice);

typedef struct {
    const char *name;
    bot_choose *choose;
} bot;

const bot *bot_named(const char *name); /* NULL when there is none */

hp_act bot_rookie(const hp_view *view, bot_dice *dice);

/* The same as the bot "random", for a caller that has the choice at hand and no need of the view. */
hp_act bot_any(const hp_choice *choice, bot_dice *dice);

#endif
