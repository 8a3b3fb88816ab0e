#include "bots/bots.h"

#include <string.h>

/* Copy this one to begin your own: it takes the first act that there is. */
static hp_act choose_first(const hp_view *view, bot_dice *dice)
{
    hp_act acts[HP_ACTS_MAX];
    (void)dice;
    hp_acts(&view->choice, acts);
    return acts[0];
}

hp_act bot_any(const hp_choice *choice, bot_dice *dice)
{
    hp_act acts[HP_ACTS_MAX];
    return acts[bot_roll_below(dice, (uint32_t)hp_acts(choice, acts))];
}

static hp_act choose_any(const hp_view *view, bot_dice *dice)
{
    return bot_any(&view->choice, dice);
}

static const bot bots[] = {
    {"null", choose_first},
    {"random", choose_any},
    {"rookie", bot_rookie},
};

const bot *bot_named(const char *name)
{
    for (size_t i = 0; i < sizeof bots / sizeof bots[0]; i++)
        if (strcmp(bots[i].name, name) == 0)
            return &bots[i];
    return NULL;
}
