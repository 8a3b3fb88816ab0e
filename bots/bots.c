#include "bots/bots.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

struct bot {
    const bot_kind *kind;
    int seat;
    bot_dice dice;
    alignas(16) unsigned char state[];
};

/* Copy this one to begin your own: it takes the first act that there is. */
static hp_act choose_first(void *state, const hp_view *view, bot_dice *dice)
{
    hp_act acts[HP_ACTS_MAX];
    (void)state, (void)dice;
    hp_acts(&view->choice, acts);
    return acts[0];
}

hp_act bot_any(const hp_choice *choice, bot_dice *dice)
{
    hp_act acts[HP_ACTS_MAX];
    return acts[bot_roll_below(dice, (uint32_t)hp_acts(choice, acts))];
}

static hp_act choose_any(void *state, const hp_view *view, bot_dice *dice)
{
    (void)state;
    return bot_any(&view->choice, dice);
}

static const bot_kind null_bot = {.name = "null", .choose = choose_first};
static const bot_kind random_bot = {.name = "random", .choose = choose_any};
static const bot_kind *const kinds[] = {&null_bot, &random_bot, &bot_rookie, &bot_driver, &bot_champion};

static const bot_kind *kind_named(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strlen(kinds[i]->name) == length && memcmp(kinds[i]->name, name, length) == 0)
            return kinds[i];
    return NULL;
}

const char *bot_name(int i)
{
    return (size_t)i < sizeof kinds / sizeof kinds[0] ? kinds[i]->name : NULL;
}

bot *bot_open(const char *spec, int seat, uint64_t seed)
{
    const bool outside = strchr(spec, '/') != NULL;
    const size_t length = strcspn(spec, ":");
    const bot_kind *kind = outside ? &bot_process : kind_named(spec, length);
    const char *options = outside ? spec : spec[length] == ':' ? spec + length + 1 : "";
    if (kind == NULL || (kind->start == NULL && options[0] != '\0'))
        return NULL;
    if (!outside && spec[length] == ':' && options[0] == '\0')
        return NULL; /* half a spec: what was meant is not known */
    bot *b = calloc(1, sizeof *b + kind->size);
    if (b == NULL)
        return NULL;
    b->kind = kind;
    b->seat = seat;
    b->dice.state = seed;
    if (kind->start != NULL && !kind->start(b->state, options)) {
        free(b);
        return NULL;
    }
    return b;
}

void bot_close(bot *b)
{
    if (b != NULL && b->kind->stop != NULL)
        b->kind->stop(b->state);
    free(b);
}

void bot_hear(bot *b, const hp_event *event)
{
    if (b->kind->hear == NULL)
        return;
    const hp_event seen = hp_event_for(event, b->seat);
    b->kind->hear(b->state, &seen);
}

hp_act bot_choose(bot *b, const hp_view *view)
{
    return b->kind->choose(b->state, view, &b->dice);
}

const bot_report *bot_report_of(const bot *b)
{
    return b->kind->report != NULL ? b->kind->report(b->state) : NULL;
}
