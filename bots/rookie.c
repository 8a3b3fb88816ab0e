/* A rookie: looks at this turn and at the corner after it, likes to be fast, fears spinning out, and does
 * not count cards. Worths are in tenths of a space. */
#include "bots/ahead.h"

enum {
    SPACE = 10,   /* a space gained */
    HEAT = 11,    /* a Heat card kept in the engine */
    SPIN = 200,   /* a spin-out, beside the way back */
    SHUT = 120,   /* a cluttered hand */
    MISTAKES = 40 /* how much better than it is an act may seem */
};

/* The lowest speed that a gear allows with this hand; cards still to be drawn are taken for twos. */
static int slowest(hp_pile hand, int gear)
{
    int speed = 0;
    for (hp_card card = HP_ZERO; card <= HP_TWO; card++)
        for (int n = hp_count(hand, card); n > 0 && gear > 0; n--, gear--)
            speed += hp_value_of(card);
    return speed + 2 * gear;
}

/* What the corner ahead will cost next turn at the least, in Heat. */
static int toll(const hp_view *view, const hp_outcome *outcome, hp_pile hand)
{
    const bot_corner next = bot_next_corner(&view->track, view->laps, outcome->to.at);
    int least = HP_LIMIT_MAX;
    for (int gear = outcome->gear > 2 ? outcome->gear - 2 : 1; gear <= outcome->gear; gear++) {
        const int speed = slowest(hand, gear);
        const int over = speed > next.ahead && speed > next.limit ? speed - next.limit : 0;
        const int price = over + (outcome->gear - gear == 2);
        if (price < least)
            least = price;
    }
    return least;
}

static int worth_of_place(const hp_view *view, const hp_outcome *outcome, hp_pile hand)
{
    int worth = SPACE * (outcome->to.at - view->car[view->seat].place.at) - HEAT * outcome->price;
    if (outcome->spins)
        return worth - SPIN;
    const int due = toll(view, outcome, hand);
    worth -= HEAT * due;
    if (due > outcome->engine)
        worth -= SPIN / 2;
    if (bot_next_corner(&view->track, view->laps, outcome->to.at).ahead > 10)
        worth += 5 * outcome->gear; /* a straight: gears are worth having */
    return worth;
}

/* The same plan with every stress card taken for a card of that kind. */
static hp_act supposing(hp_act act, hp_card card)
{
    for (int i = 0; i < act.number; i++)
        if (act.cards[i] == HP_STRESS)
            act.cards[i] = (uint8_t)card;
    return act;
}

static int worth_of_plan(const hp_view *view, hp_act act)
{
    hp_pile left = view->choice.hand;
    for (int i = 0; i < act.number; i++)
        left.counts -= UINT64_C(1) << (8 * act.cards[i]);
    const hp_outcome low = hp_foresee(view, supposing(act, HP_TWO));
    if (low.cluttered)
        return -SHUT;
    const hp_outcome high = hp_foresee(view, supposing(act, HP_THREE));
    return (worth_of_place(view, &low, left) + worth_of_place(view, &high, left)) / 2;
}

static int worth_of_reaction(const hp_view *view, hp_act act)
{
    const hp_outcome outcome = hp_foresee(view, act);
    const int worth = worth_of_place(view, &outcome, view->choice.hand);
    if (act.kind == HP_COOL || act.kind == HP_ADRENALINE_COOL)
        return worth + HEAT * (act.kind == HP_COOL ? act.number : 1);
    if (act.kind != HP_BOOST)
        return worth;
    /* With Heat to spare, no corner behind in this turn, and none that the extra spaces would reach. */
    const bot_corner from_start =
        bot_next_corner(&view->track, view->laps, view->turn.lap * view->track.spaces + view->turn.space);
    const bot_corner next = bot_next_corner(&view->track, view->laps, outcome.to.at);
    const int way = outcome.to.at - (view->turn.lap * view->track.spaces + view->turn.space);
    const bool free_road = from_start.ahead >= way && next.ahead > 4;
    return worth + (free_road && outcome.engine >= 3 ? 25 : -SPIN);
}

/* Low cards go when the road is free, high ones when a slow corner is near. */
static int worth_of_discard(const hp_view *view, hp_act act)
{
    const bot_corner next = bot_next_corner(&view->track, view->laps, view->car[view->seat].place.at);
    int worth = 0;
    for (int i = 0; i < act.number; i++) {
        const int value = hp_value_of((hp_card)act.cards[i]);
        worth += next.ahead > 9 ? 2 - value : next.limit <= 4 ? value - 4 : -1;
    }
    return SPACE * worth;
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

static hp_act choose(void *state, const hp_view *view, bot_dice *dice)
{
    hp_act acts[HP_ACTS_MAX];
    int worth[HP_ACTS_MAX];
    const int n = hp_acts(&view->choice, acts);
    (void)state;
    for (int i = 0; i < n; i++)
        worth[i] = worth_of(view, acts[i]);
    return acts[bot_best(worth, n, dice, MISTAKES)];
}

const bot_kind bot_rookie = {.name = "rookie", .choose = choose};
