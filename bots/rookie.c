/* A rookie: looks one turn ahead, likes to be fast, fears spinning out, and does not count cards. */
#include "bots/bots.h"

/* What a stress card's flip adds on average: the mean of the speed cards, in tenths. */
enum { FLIP_TENTHS = 25 };

/* How good an act looks, in tenths of a space. */
static int worth_of_plan(const hp_view *view, hp_act act)
{
    const hp_outcome outcome = hp_foresee(view, act);
    const int from = view->car[view->seat].place.at;
    int flips = 0;
    for (int i = 0; i < act.number; i++)
        flips += act.cards[i] == HP_STRESS;
    int worth = 10 * (outcome.to.at - from) + FLIP_TENTHS * flips - 12 * outcome.price;
    if (outcome.engine < 2)
        worth -= 10;
    if (outcome.spins)
        worth -= 250;
    if (outcome.cluttered)
        worth -= 120;
    /* Turned-over cards may push the car over a limit that the rest just keeps. */
    if (flips > 0 && outcome.price > 0)
        worth -= 25 * flips;
    return worth;
}

static int worth_of_reaction(const hp_view *view, hp_act act)
{
    const hp_outcome outcome = hp_foresee(view, act);
    const int moved = outcome.to.at - view->car[view->seat].place.at;
    const int base = 10 * moved - 12 * outcome.price - (outcome.spins ? 250 : 0);
    switch ((hp_act_kind)act.kind) {
    case HP_COOL:
        return base + 15 * act.number;
    case HP_ADRENALINE_COOL:
        return base + 15;
    case HP_BOOST: /* with Heat to spare, when the corners do not mind */
        return base + (view->car[view->seat].engine > 3 && outcome.price == 1 ? 15 : -60);
    case HP_PLAN:
    case HP_RETIRE:
    case HP_UNPLAN:
    case HP_ADRENALINE_MOVE:
    case HP_DONE:
    case HP_SLIP:
    case HP_STAY:
    case HP_DISCARD:
    case HP_KEEP:
    case HP_ACT_KINDS:
        break;
    }
    return base;
}

/* Low cards go when the road is free, high ones when a corner is near. */
static int worth_of_discard(const hp_view *view, hp_act act)
{
    const int space = (view->car[view->seat].place.at + view->track.spaces) % view->track.spaces;
    int ahead = view->track.spaces;
    for (int i = 0; i < view->track.corners; i++) {
        const int way = (view->track.corner[i].after - space + view->track.spaces) % view->track.spaces;
        if (way < ahead)
            ahead = way;
    }
    int worth = 0;
    for (int i = 0; i < act.number; i++) {
        const int value = hp_value_of((hp_card)act.cards[i]);
        worth += ahead > 8 ? 2 - value : value - 4;
    }
    return worth;
}

static int worth_of(const hp_view *view, hp_act act)
{
    switch ((hp_step)view->choice.step) {
    case HP_STEP_PLAN:
        return act.kind == HP_PLAN ? worth_of_plan(view, act) : -1000; /* a rookie never gives up */
    case HP_STEP_REACT:
    case HP_STEP_SLIP:
        return worth_of_reaction(view, act);
    case HP_STEP_DISCARD:
        return worth_of_discard(view, act);
    case HP_STEP_OVER:
    case HP_STEP_WAIT:
        break;
    }
    return 0;
}

hp_act bot_rookie(const hp_view *view, bot_dice *dice)
{
    hp_act acts[HP_ACTS_MAX];
    const int n = hp_acts(&view->choice, acts);
    int best = 0, best_worth = INT32_MIN;
    for (int i = 0; i < n; i++) {
        const int worth = 4 * worth_of(view, acts[i]) + (int)bot_roll_below(dice, 16); /* moods */
        if (worth > best_worth) {
            best_worth = worth;
            best = i;
        }
    }
    return acts[best];
}
