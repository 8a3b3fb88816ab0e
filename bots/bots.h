/* Bots. A bot hears what its seat may hear and sees what its seat may see, and returns an act. It never
 * meets the race: there is nothing here to cheat with. */
#ifndef HP_BOTS_H
#define HP_BOTS_H

#include "hairpin.h"

/* ---- For those who put bots at the wheel -------------------------------------------------------- */

typedef struct bot bot;

/* A name, or a name and options: "rookie", "champion:200ms", "champion:5000". The same seed and the same
 * views give the same acts, unless the bot goes by the clock. NULL when there is no such bot, when it does
 * not take these options, or without memory. */
bot *bot_open(const char *spec, int seat, uint64_t seed);
void bot_close(bot *b);

/* Every event of its race, from hp_start on, as the race tells it: what the seat may not see is hidden
 * here, before the bot gets it. */
void bot_hear(bot *b, const hp_event *event);

/* The view must be that of its seat, with something to decide. What comes back is legal. */
hp_act bot_choose(bot *b, const hp_view *view);

/* ---- For those who write bots ------------------------------------------------------------------- */

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

/* A kind of bot is a row in the table of bots.c. */
typedef struct {
    const char *name;
    size_t size; /* of its state, which is zeroed, 16-byte aligned, and all the memory that it has */
    /* False when it does not understand the options, which are "" when there are none. NULL: takes none. */
    bool (*start)(void *state, const char *options);
    void (*hear)(void *state, const hp_event *seen); /* NULL: deaf */
    hp_act (*choose)(void *state, const hp_view *view, bot_dice *dice);
} bot_kind;

extern const bot_kind bot_rookie;

/* One of the legal acts, any: what "random" does, for a caller that has the choice at hand. */
hp_act bot_any(const hp_choice *choice, bot_dice *dice);

#endif
