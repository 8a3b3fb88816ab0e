/* A driver: judges each act by where it leads this turn and by the best turn that could follow, with a
 * feeling for what Heat is worth, and without searching. docs/BOTS.md tells how it thinks.
 *
 * Worths are in tenths of a space. */
#include "bots/ahead.h"

enum { SPACE = 10 };

/* The figures that were tuned by races against itself; docs/BOTS.md says how. */
typedef struct {
    int heat[8]; /* what an engine with so many Heat cards is worth */
    int next;    /* how much of the next turn's gain counts now, in hundredths */
    int clog;    /* a Heat card in the hand */
    int stress;  /* a stress card in the hand */
    int boost;   /* a boost: what the turned-over card brings, less what it blocks */
    int slack;   /* a next turn that must pay more than it has */
    int spin;    /* a spin-out, beside the way back */
    int clutter; /* a turn without moving */
    int unknown; /* a card still to be drawn adds that to the speed, in tenths */
    int home;    /* being over the finish line */
    int late;    /* so many spaces before the finish Heat begins to lose its worth */
} judgement;

static const judgement judge = {.heat = {0, 20, 48, 81, 102, 122, 122, 140},
                                .next = 67,
                                .clog = 0,
                                .stress = 9,
                                .boost = -16,
                                .slack = 173,
                                .spin = 136,
                                .clutter = 127,
                                .unknown = 17,
                                .home = 106,
                                .late = 55};

/* Less towards the end of the race, when there is no more time to use it. */
static int heat_worth(const hp_view *view, int heat)
{
    const int left = view->laps * view->track.spaces - view->car[view->seat].place.at;
    const int worth = judge.heat[heat < 7 ? heat : 7];
    return left < judge.late ? worth * left / judge.late : worth;
}

/* ---- The next turn ------------------------------------------------------------------------------ */

/* What the hand will be: cards that are kept, and so many still to be drawn. */
typedef struct {
    hp_pile kept;
    int drawn;
} hand_ahead;

/* The lowest or highest speed that so many cards of it give, in tenths. Stress counts as its average. */
static int extreme_speed(const hand_ahead *hand, int cards, bool high)
{
    static const hp_card rising[] = {HP_ZERO,   HP_ONE,   HP_TWO,  HP_KINDS,
                                     HP_STRESS, HP_THREE, HP_FOUR, HP_FIVE};
    enum { KINDS = sizeof rising / sizeof rising[0] };
    int speed = 0;
    for (int i = 0; i < KINDS && cards > 0; i++) {
        const hp_card card = rising[high ? KINDS - 1 - i : i];
        const int there = card == HP_KINDS ? hand->drawn : hp_count(hand->kept, card);
        const int each = card == HP_KINDS ? judge.unknown : card == HP_STRESS ? 25 : 10 * hp_value_of(card);
        const int taken = there < cards ? there : cards;
        speed += taken * each;
        cards -= taken;
    }
    return cards > 0 ? -1 : speed; /* -1: the hand would be cluttered */
}

/* What a speed gains from there: spaces, less what the corner on the way costs. */
static int gain_at(const hp_view *view, int speed, bot_corner next, int engine)
{
    const int spaces = speed / 10;
    const int over = spaces > next.ahead && spaces > next.limit ? spaces - next.limit : 0;
    if (over > engine)
        return 10 * next.ahead - judge.slack - heat_worth(view, engine);
    return speed - (heat_worth(view, engine) - heat_worth(view, engine - over));
}

/* The best that the next turn can bring from there, with what is left of the hand. */
static int next_turn(const hp_view *view, int at, int gear, int engine, const hand_ahead *hand)
{
    static const int cooldown[HP_GEARS + 1] = {0, 3, 1, 0, 0};
    const bot_corner next = bot_next_corner(view, at);
    const int heat = hp_count(hand->kept, HP_HEAT);
    int best = -judge.clutter;
    for (int to = gear - 2; to <= gear + 2; to++) {
        const int price = to == gear - 2 || to == gear + 2;
        if (to < 1 || to > HP_GEARS || price > engine)
            continue;
        const int low = extreme_speed(hand, to, false), high = extreme_speed(hand, to, true);
        if (low < 0)
            continue;
        const int left = engine - price;
        /* As slow as can be, as fast as can be, just to the line, or over it at its limit. */
        const int tries[] = {low, high, 10 * next.ahead, 10 * next.limit};
        int gain = -judge.clutter;
        for (int i = 0; i < 4; i++)
            if (tries[i] >= low && tries[i] <= high) {
                const int g = gain_at(view, tries[i], next, left);
                gain = g > gain ? g : gain;
            }
        const int cooled = heat < cooldown[to] ? heat : cooldown[to];
        gain += heat_worth(view, left + cooled) - heat_worth(view, engine);
        best = gain > best ? gain : best;
    }
    return best;
}

/* Where a car stands at the end of a turn, with a hand that will be filled up. */
static int standing(const hp_view *view, const hp_outcome *outcome, hp_pile kept)
{
    const hand_ahead hand = {.kept = kept, .drawn = HP_HAND - hp_size(kept)};
    const int finish = view->laps * view->track.spaces;
    const int from = view->car[view->seat].place.at;
    int worth = SPACE * (outcome->to.at - from) + heat_worth(view, outcome->engine);
    if (outcome->spins)
        worth -= judge.spin;
    if (outcome->to.at >= finish)
        return worth + judge.home; /* home: what is left in the engine is of no use */
    worth += next_turn(view, outcome->to.at, outcome->gear, outcome->engine, &hand) * judge.next / 100;
    return worth - judge.clog * hp_count(kept, HP_HEAT) - judge.stress * hp_count(kept, HP_STRESS);
}

/* ---- Acts --------------------------------------------------------------------------------------- */

static hp_act supposing(hp_act act, const uint8_t flips[HP_GEARS])
{
    int n = 0;
    for (int i = 0; i < act.number; i++)
        if (act.cards[i] == HP_STRESS)
            act.cards[i] = flips[n++];
    return act;
}

/* A plan with stress is judged by some of the ways in which the flips may fall. */
static int worth_of_plan(const hp_view *view, hp_act act)
{
    static const uint8_t falls[4][HP_GEARS] = {{HP_ONE, HP_TWO, HP_FOUR, HP_THREE},
                                               {HP_TWO, HP_THREE, HP_ONE, HP_FOUR},
                                               {HP_THREE, HP_FOUR, HP_TWO, HP_ONE},
                                               {HP_FOUR, HP_ONE, HP_THREE, HP_TWO}};
    hp_pile kept = view->choice.hand;
    bool flips = false;
    for (int i = 0; i < act.number; i++) {
        kept.counts -= UINT64_C(1) << (8 * act.cards[i]);
        flips |= act.cards[i] == HP_STRESS;
    }
    const int ways = flips ? 4 : 1;
    int sum = 0;
    for (int i = 0; i < ways; i++) {
        hp_outcome outcome = hp_foresee(view, supposing(act, falls[i]));
        sum += outcome.cluttered ? -judge.clutter + heat_worth(view, outcome.engine)
                                 : standing(view, &outcome, kept);
        if (!outcome.cluttered) { /* the cooldown of the new gear is this turn's */
            const int cool = outcome.gear == 1 ? 3 : outcome.gear == 2 ? 1 : 0;
            const int heat = hp_count(kept, HP_HEAT);
            const int cooled = cool < heat ? cool : heat;
            sum += heat_worth(view, outcome.engine + cooled) - heat_worth(view, outcome.engine) +
                   judge.clog * cooled;
        }
    }
    return sum / ways;
}

static int worth_of_reaction(const hp_view *view, hp_act act)
{
    hp_outcome outcome = hp_foresee(view, act);
    hp_pile kept = view->choice.hand;
    const int cooled = act.kind == HP_COOL ? act.number : act.kind == HP_ADRENALINE_COOL;
    kept.counts -= (uint64_t)cooled << (8 * HP_HEAT);
    if (act.kind != HP_BOOST)
        return standing(view, &outcome, kept);
    /* The card turned over is any speed card: the corner of this turn, if there is one, gets dearer. */
    int sum = 0;
    const int limit_price = outcome.price > 1;
    const bot_corner next = bot_next_corner(view, outcome.to.at);
    for (int value = 1; value <= 4; value++) {
        hp_outcome then = outcome;
        int over = limit_price ? value : 0;
        if (value > next.ahead && outcome.speed + value > next.limit)
            over += outcome.speed + value - next.limit;
        then.to.at = (int16_t)(then.to.at + value);
        then.spins = then.spins || over > then.engine;
        then.engine = (uint8_t)(over > then.engine ? 0 : then.engine - over);
        sum += standing(view, &then, kept);
    }
    return sum / 4 + judge.boost;
}

/* After the corner check: which hand to keep for the next turn. */
static int worth_of_discard(const hp_view *view, hp_act act)
{
    const hp_car_view *car = &view->car[view->seat];
    hp_pile kept = view->choice.hand;
    for (int i = 0; i < act.number; i++)
        kept.counts -= UINT64_C(1) << (8 * act.cards[i]);
    const hand_ahead hand = {.kept = kept, .drawn = HP_HAND - hp_size(kept)};
    return next_turn(view, car->place.at, car->gear, car->engine, &hand);
}

static int worth_of(const hp_view *view, hp_act act)
{
    switch ((hp_step)view->choice.step) {
    case HP_STEP_PLAN:
        return act.kind == HP_PLAN ? worth_of_plan(view, act) : INT32_MIN / 2; /* never gives up */
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

int bot_driver_worth(const hp_view *view, hp_act act)
{
    return worth_of(view, act);
}

hp_act bot_driver_act(const hp_view *view, bot_dice *dice, int moods)
{
    return bot_best(view, worth_of, dice, moods);
}

static hp_act choose(void *state, const hp_view *view, bot_dice *dice)
{
    (void)state;
    return bot_driver_act(view, dice, 0);
}

const bot_kind bot_driver = {.name = "driver", .choose = choose};
