/* A driver: judges each act by where it leads this turn and by the best turn that could follow, with a
 * feeling for what Heat is worth, and without searching. docs/BOTS.md tells how it thinks.
 *
 * Worths are in tenths of a space. */
#include "bots/ahead.h"
#include "bots/judgement.h"

#include <string.h>

enum {
    SPACE = 10,
    UNKNOWN = 17 /* what a card still to be drawn adds to the speed */
};

const bot_judgement bot_judgement_of_drivers = {
    .heat = {0, 27, 54, 81, 104, 122, 132, 145},
    .next = 50,
    .gear = {0, -13, -2, 4, -4},
    .room = {-7, 1, 2, 4, 1, 2, 2, 2, 9, 10},
    .plan = {.each = {3, 2, 1, -1, -2, 2}, .straight = {-5, -2, -3, -4, 3, 0}},
    .discard = {.each = {2, -3, -7, -9, 14, 9}, .straight = {-13, 2, -4, -1, -5, -2}},
    .stress = 5,
    .boost = 0,
    .close = 8,
    .close_last = 18,
    .pass = -30,
    .sprint = 18,
    .slack = 151,
    .spin = 145,
    .clutter = 109,
    .home = 150,
    .late = 51,
};

const bot_mind bot_mind_of_drivers = {&bot_judgement_of_drivers, bot_feelings_of_drivers, NULL};

/* ---- What is worked out once for a decision ----------------------------------------------------- */

/* Where a plan of a speed and gear leads, or nothing yet. */
typedef struct {
    hp_outcome outcome;
    bot_road road;
    int cooled; /* by the new gear's cooldown, which is this turn's */
    int felt;   /* of the place; of the cards that are kept comes beside it */
} landing;

enum { SPEEDS = HP_GEARS * 5 + 1 }; /* the fastest card is a five */

typedef struct {
    const bot_judgement *judge;
    const hp_view *view;
    int from, finish;
    bool last;   /* in the last spaces */
    int heat[8]; /* as judged, but less towards the end of the race, when there is no more time to use it */
    const int8_t *feelings; /* NULL where none speaks: in no duel */
    bot_notes *notes;
    int quarters; /* of what a feeling says now */
    bot_scene scene;
    landing plan[HP_GEARS + 1][SPEEDS];
    uint32_t known[HP_GEARS + 1]; /* bits: which of those are worked out */
} thought;

static void set_out(thought *t, const bot_judgement *judge, int from, int finish)
{
    const int left = finish - from;
    t->judge = judge;
    t->from = from;
    t->finish = finish;
    t->last = left <= BOT_LAST;
    for (int i = 0; i < 8; i++)
        t->heat[i] = left < judge->late ? judge->heat[i] * left / judge->late : judge->heat[i];
}

static void begin(thought *t, const bot_mind *mind, const hp_view *view)
{
    t->view = view;
    memset(t->known, 0, sizeof t->known);
    set_out(t, mind->figures, view->car[view->seat].place.at, view->laps * view->track.spaces);
    t->notes = mind->notes;
    t->quarters = 4;
    bot_survey(view, &t->scene);
    t->feelings = t->scene.rivals == 1 ? mind->feelings : NULL; /* among more they would be wrong */
}

static int heat_worth(const thought *t, int heat)
{
    return t->heat[heat < 7 ? heat : 7];
}

/* ---- Feelings ----------------------------------------------------------------------------------- */

/* What they say together; for those who learn, it is noted which they are. */
static int listen(const thought *t, const uint16_t felt[BOT_FELT], int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += t->feelings[felt[i]];
    for (int i = 0; i < n && t->notes != NULL; i++) {
        t->notes->note[t->notes->n].feeling = felt[i];
        t->notes->note[t->notes->n++].quarters = (int16_t)t->quarters;
    }
    return sum;
}

static int feel_place(const thought *t, const hp_outcome *outcome, const bot_road *road, int engine,
                      hp_act_kind kind)
{
    uint16_t felt[BOT_FELT];
    if (t->feelings == NULL)
        return 0;
    return listen(t, felt, bot_feel_place(&t->scene, outcome, road, engine, kind, felt));
}

static int feel_hand(const thought *t, const hp_outcome *outcome, const bot_road *road, int engine,
                     hp_pile kept, int next_turn)
{
    uint16_t felt[BOT_FELT];
    if (t->feelings == NULL)
        return 0;
    return listen(t, felt, bot_feel_hand(&t->scene, outcome, road, engine, kept, next_turn, felt));
}

static int feel_discard(const thought *t, const bot_road *road, hp_pile kept, int next_turn)
{
    uint16_t felt[BOT_FELT];
    if (t->feelings == NULL)
        return 0;
    return listen(t, felt, bot_feel_discard(&t->scene, t->from, road, kept, next_turn, felt));
}

/* ---- The next turn ------------------------------------------------------------------------------ */

/* Cards that stay in hand, by what they are good for. */
typedef struct {
    hp_pile kept;
    int low[HP_GEARS + 1]; /* the slowest speed of so many, in tenths; -1: the hand would be cluttered */
    int high[HP_GEARS + 1];
    int each, straight; /* as in bot_hand_judgement, for all of them */
    int heat, stress;
} holding;

/* Of the cards that are kept and those still to be drawn, which have a place between the twos and the
 * stress cards. Each card is a bit, in the byte of its kind, from slow to fast; four of a kind say as much
 * as more. */
static void find_speeds(hp_pile kept, holding *h)
{
    static const int8_t value[] = {0, 10, 20, UNKNOWN, 25, 30, 40, 50};
    const uint64_t ones = UINT64_C(0x0101010101010101);
    const int drawn = HP_HAND - hp_size(kept);
    const uint64_t counts = (kept.counts & 0xffffff) | (uint64_t)(drawn > 0 ? drawn : 0) << 24 |
                            (uint64_t)h->stress << 32 | (kept.counts & 0xffffff000000) << 16;
    uint64_t cards = 0;
    for (int n = 1; n <= HP_GEARS; n++) /* the high bit of a byte: whether it counts n or more */
        cards |= (((counts + ones * (uint64_t)(0x80 - n)) & 0x80 * ones) >> 7) << (n - 1);
    uint64_t rising = cards, falling = cards;
    h->low[0] = h->high[0] = 0;
    for (int n = 1; n <= HP_GEARS; n++) {
        if (rising == 0) {
            h->low[n] = h->high[n] = -1;
            continue;
        }
        const int slow = __builtin_ctzll(rising), fast = 63 - __builtin_clzll(falling);
        h->low[n] = h->low[n - 1] + value[slow / 8];
        h->high[n] = h->high[n - 1] + value[fast / 8];
        rising &= rising - 1;
        falling &= ~(UINT64_C(1) << fast);
    }
}
_Static_assert(HP_TWO == 2 && HP_FIVE == 5,
               "find_speeds takes slow and fast cards for bytes 0 to 2 and 3 to 5");

static holding hold(const bot_hand_judgement *j, hp_pile kept)
{
    holding h = {.kept = kept, .heat = hp_count(kept, HP_HEAT), .stress = hp_count(kept, HP_STRESS)};
    find_speeds(kept, &h);
    for (int i = 0; i <= HP_FIVE; i++) {
        const int n = hp_count(kept, (hp_card)i);
        h.each += n * j->each[i];
        h.straight += n * j->straight[i];
    }
    return h;
}

/* What a speed gains from there: spaces, less what the corner on the way costs. */
static int gain_at(const thought *t, int speed, bot_corner next, int engine)
{
    const int spaces = speed / 10;
    const int over = spaces > next.ahead && spaces > next.limit ? spaces - next.limit : 0;
    if (over > engine)
        return 10 * next.ahead - t->judge->slack - heat_worth(t, engine);
    return speed - (heat_worth(t, engine) - heat_worth(t, engine - over));
}

/* A boost in that turn, where it does not make a corner dearer: before the finish, if no corner is left. */
static int sprint(const thought *t, bot_corner next, int engine)
{
    if (next.ahead < HP_SPACES_MAX || engine == 0)
        return 0;
    const int gain = t->judge->sprint - (heat_worth(t, engine) - heat_worth(t, engine - 1));
    return gain > 0 ? gain : 0;
}

/* The best that the next turn can bring from there, with what is left of the hand. */
static int next_turn(const thought *t, bot_corner next, int gear, int engine, const holding *h)
{
    static const int cooldown[HP_GEARS + 1] = {0, 3, 1, 0, 0};
    const int free = next.ahead > next.limit ? next.ahead : next.limit; /* so far the corner costs nothing */
    int best = -t->judge->clutter;
    for (int to = gear + 2 < HP_GEARS ? gear + 2 : HP_GEARS; to >= gear - 2 && to > 0; to--) {
        const int price = to == gear - 2 || to == gear + 2, low = h->low[to], high = h->high[to];
        if (price > engine || low < 0)
            continue;
        const int left = engine - price;
        const int cooled = h->heat < cooldown[to] ? h->heat : cooldown[to];
        const int warmth = heat_worth(t, left + cooled) - heat_worth(t, engine);
        const int boost = sprint(t, next, left);
        if (high + boost + warmth <= best)
            continue; /* no gain is more than the way */
        /* As fast as can be; where that has its price, as fast as is free, or as slow as can be. */
        int gain = high + boost;
        if (high / 10 > free) {
            const int slower = low <= 10 * free ? 10 * free : gain_at(t, low, next, left);
            gain = gain_at(t, high, next, left);
            gain = slower > gain ? slower : gain;
        }
        best = gain + warmth > best ? gain + warmth : best;
    }
    return best;
}

static int hand_worth(bot_corner next, const holding *h)
{
    const int straight = next.ahead < BOT_STRAIGHT ? next.ahead : BOT_STRAIGHT;
    return (BOT_STRAIGHT * h->each + straight * h->straight) / BOT_STRAIGHT;
}

/* Whether a car stands beside or just ahead of where the move ends (R7.1), and two more spaces would cost no
 * Heat in the corner beyond. Before a slipstream that is a chance; with one, or without, what was learned
 * along with it. */
static bool others_close(const thought *t, const hp_outcome *outcome, bot_corner next)
{
    if (t->view->choice.step == HP_STEP_PLAN || (next.ahead < 2 && outcome->speed > next.limit))
        return false; /* before their turns nobody knows where the others will be */
    for (int i = 0; i < t->view->cars; i++) {
        const hp_car_view *car = &t->view->car[i];
        const int gap = car->place.at - outcome->to.at;
        if (i != t->view->seat && car->status == HP_RACING && (gap == 0 || gap == 1))
            return true;
    }
    return false;
}

static int slipstream_worth(const thought *t, const hp_outcome *outcome, bot_corner next)
{
    return !others_close(t, outcome, next) ? 0 : t->last ? t->judge->close_last : t->judge->close;
}

/* Where a car stands at the end of a turn, with a hand that will be filled up and so much Heat that can be cooled
 * there; but for what it feels of the place. */
static int standing(const thought *t, const hp_outcome *outcome, const bot_road *road, const holding *h,
                    int cooled)
{
    const bot_corner next = road->next;
    int worth = SPACE * (outcome->to.at - t->from) + heat_worth(t, outcome->engine);
    if (outcome->spins)
        worth -= t->judge->spin;
    if (outcome->to.at >= t->finish)
        return worth + t->judge->home; /* home: what is left in the engine is of no use */
    const int then = next_turn(t, next, outcome->gear, outcome->engine, h);
    worth += then * t->judge->next / 100;
    worth += t->judge->gear[outcome->gear] + t->judge->room[next.ahead < BOT_ROOM ? next.ahead : BOT_ROOM];
    worth += hand_worth(next, h) - t->judge->stress * h->stress;
    worth += slipstream_worth(t, outcome, next);
    return worth + feel_hand(t, outcome, road, outcome->engine + cooled, h->kept, then);
}

/* ---- Acts --------------------------------------------------------------------------------------- */

static int feel_landing(const thought *t, const landing *l)
{
    return feel_place(t, &l->outcome, &l->road, l->outcome.engine + l->cooled, HP_PLAN);
}

/* For a plan without stress cards, or with any in their place: of a gear, the speed is what counts. */
static const landing *land(thought *t, hp_act plan, int speed)
{
    landing *l = &t->plan[plan.number][speed];
    if (!(t->known[plan.number] >> speed & 1)) {
        const int cool = plan.number == 1 ? 3 : plan.number == 2 ? 1 : 0;
        const int heat = hp_count(t->view->choice.hand, HP_HEAT);
        t->known[plan.number] |= UINT32_C(1) << speed;
        l->outcome = hp_foresee(t->view, plan);
        l->road = bot_road_from(t->view, l->outcome.to.at);
        l->cooled = cool < heat ? cool : heat;
        l->felt = t->notes == NULL ? feel_landing(t, l) : 0;
    }
    return l;
}

/* A plan that moves the car. */
static int worth_of_landing(const thought *t, const landing *l, const holding *h)
{
    const int engine = l->outcome.engine, felt = t->notes == NULL ? l->felt : feel_landing(t, l);
    return standing(t, &l->outcome, &l->road, h, l->cooled) + heat_worth(t, engine + l->cooled) -
           heat_worth(t, engine) + felt;
}

/* A plan with stress is judged by some of the ways in which the flips may fall. */
static int worth_by_falls(thought *t, hp_act act, int speed, int flips, const holding *h)
{
    static const uint8_t falls[4][HP_GEARS] = {{HP_ONE, HP_TWO, HP_FOUR, HP_THREE},
                                               {HP_TWO, HP_THREE, HP_ONE, HP_FOUR},
                                               {HP_THREE, HP_FOUR, HP_TWO, HP_ONE},
                                               {HP_FOUR, HP_ONE, HP_THREE, HP_TWO}};
    int sum = 0;
    t->quarters = 1;
    for (int i = 0; i < 4; i++) {
        int turned = 0;
        for (int k = 0; k < flips; k++) { /* stress comes last in a plan */
            act.cards[act.number - flips + k] = falls[i][k];
            turned += hp_value_of((hp_card)falls[i][k]);
        }
        sum += worth_of_landing(t, land(t, act, speed + turned), h);
    }
    t->quarters = 4;
    return sum / 4;
}

static int worth_of_plan(thought *t, hp_act act)
{
    hp_pile kept = t->view->choice.hand;
    int speed = 0, flips = 0;
    for (int i = 0; i < act.number; i++) {
        kept.counts -= UINT64_C(1) << (8 * act.cards[i]);
        speed += hp_value_of((hp_card)act.cards[i]);
        flips += act.cards[i] == HP_STRESS;
    }
    if (act.cards[act.number - 1] == HP_HEAT) /* Heat comes last: the hand is cluttered (R3.4) */
        return -t->judge->clutter + heat_worth(t, hp_foresee(t->view, act).engine);
    const holding h = hold(&t->judge->plan, kept);
    return flips > 0 ? worth_by_falls(t, act, speed, flips, &h)
                     : worth_of_landing(t, land(t, act, speed), &h);
}

/* The corners between the start of this turn and where the outcome would end, with so much Heat to pay for them
 * (R8.1, R8.2). */
static void take_corners(const thought *t, int heat, hp_outcome *then)
{
    const hp_view *view = t->view;
    int from = view->turn.lap * view->track.spaces + view->turn.space;
    for (bot_corner c; (c = bot_next_corner(&view->track, view->laps, from)).ahead < then->to.at - from;
         from += c.ahead + 1) {
        const int over = then->speed > c.limit ? then->speed - c.limit : 0;
        if (over > heat) {
            then->spins = true;
            then->gear = 1;
            then->to.at = (int16_t)(from + c.ahead);
            heat = over;
        }
        heat -= over;
    }
    then->engine = (uint8_t)heat;
}

/* After an act of this kind, which is not a plan. */
static int worth_of_stand(const thought *t, const hp_outcome *outcome, const holding *h, hp_act_kind kind)
{
    const bot_road road = bot_road_from(t->view, outcome->to.at);
    return standing(t, outcome, &road, h, 0) + feel_place(t, outcome, &road, outcome->engine, kind);
}

/* The card that a boost turns over is any speed card: corners of this turn get dearer, too. */
static int worth_of_boost(thought *t, const hp_outcome *outcome, const holding *h)
{
    const int heat = t->view->car[t->view->seat].engine - 1;
    int sum = 0;
    t->quarters = 1;
    for (int value = 1; value <= 4; value++) {
        hp_outcome then = *outcome;
        if (!then.spins) {
            then.speed = (uint8_t)(then.speed + value);
            then.to.at = (int16_t)(then.to.at + value);
            take_corners(t, heat, &then);
        }
        sum += worth_of_stand(t, &then, h, HP_BOOST);
    }
    t->quarters = 4;
    return sum / 4 + t->judge->boost;
}

/* With nobody else to follow, who takes the rival's slipstream on a straight gives it his own in the next round, if
 * there is one. */
static bool rival_follows(const thought *t)
{
    return t->scene.rivals == 1 && !t->last &&
           bot_next_corner(&t->view->track, t->view->laps, t->from).ahead >= BOT_PASS;
}

static int worth_of_reaction(thought *t, hp_act act)
{
    const hp_outcome outcome = hp_foresee(t->view, act);
    hp_pile kept = t->view->choice.hand;
    const int cooled = act.kind == HP_COOL ? act.number : act.kind == HP_ADRENALINE_COOL;
    kept.counts -= (uint64_t)cooled << (8 * HP_HEAT);
    const holding h = hold(&t->judge->plan, kept);
    if (act.kind == HP_BOOST)
        return worth_of_boost(t, &outcome, &h);
    return worth_of_stand(t, &outcome, &h, (hp_act_kind)act.kind) +
           (act.kind == HP_SLIP && rival_follows(t) ? t->judge->pass : 0);
}

/* After the corner check: which hand to keep for the next turn. Which card lies on top is for others to
 * see and no use to us: one of those acts stands for all. */
static int worth_of_discard(const thought *t, const bot_road *road, hp_act act)
{
    const hp_car_view *car = &t->view->car[t->view->seat];
    hp_pile kept = t->view->choice.hand;
    for (int i = 0; i < act.number; i++) {
        if (act.cards[i] < act.cards[act.number - 1])
            return BOT_NEVER;
        kept.counts -= UINT64_C(1) << (8 * act.cards[i]);
    }
    const holding h = hold(&t->judge->discard, kept);
    const int then = next_turn(t, road->next, car->gear, car->engine, &h);
    return then + hand_worth(road->next, &h) + feel_discard(t, road, kept, then);
}

int bot_judge_by(const bot_mind *mind, const hp_view *view, hp_act acts[HP_ACTS_MAX], int worth[HP_ACTS_MAX])
{
    const int n = hp_acts(&view->choice, acts);
    const hp_step step = (hp_step)view->choice.step;
    thought t;
    begin(&t, mind, view);
    const bot_road road = bot_road_from(view, t.from);
    if (mind->notes != NULL)
        mind->notes->n = mind->notes->begin[0] = 0;
    for (int i = 0; i < n; i++) {
        if (step == HP_STEP_PLAN)
            worth[i] =
                acts[i].kind == HP_PLAN ? worth_of_plan(&t, acts[i]) : BOT_NEVER; /* it does not give up */
        else if (step == HP_STEP_DISCARD)
            worth[i] = worth_of_discard(&t, &road, acts[i]);
        else
            worth[i] = worth_of_reaction(&t, acts[i]);
        if (mind->notes != NULL)
            mind->notes->begin[i + 1] = mind->notes->n;
    }
    return n;
}

int bot_driver_judge(const hp_view *view, hp_act acts[HP_ACTS_MAX], int worth[HP_ACTS_MAX])
{
    return bot_judge_by(&bot_mind_of_drivers, view, acts, worth);
}

int bot_driver_best(const hp_view *view, int most, hp_act best[])
{
    hp_act acts[HP_ACTS_MAX];
    int worth[HP_ACTS_MAX], found = 0;
    const int n = bot_driver_judge(view, acts, worth);
    for (; found < n && found < most; found++) {
        int next = 0;
        for (int i = 1; i < n; i++)
            if (worth[i] > worth[next])
                next = i;
        if (found > 0 && worth[next] <= BOT_NEVER)
            break;
        best[found] = acts[next];
        worth[next] = INT32_MIN;
    }
    return found;
}

int bot_driver_outlook(const hp_race *race, int number)
{
    const hp_car *car = &race->car[number];
    const int at = hp_progress(race, number);
    const bot_corner next = bot_next_corner(&race->track, race->laps, at);
    thought t; /* of which the next turn needs what Heat is worth, and no more */
    set_out(&t, &bot_judgement_of_drivers, at, race->laps * race->track.spaces);
    const holding h = hold(&bot_judgement_of_drivers.plan, car->hand);
    return next_turn(&t, next, car->gear, car->engine, &h);
}

hp_act bot_driver_act(const hp_view *view, bot_dice *dice, int moods)
{
    hp_act acts[HP_ACTS_MAX];
    int worth[HP_ACTS_MAX];
    const int n = bot_driver_judge(view, acts, worth);
    return acts[bot_best(worth, n, dice, moods)];
}

static hp_act choose(void *state, const hp_view *view, bot_dice *dice)
{
    (void)state;
    return bot_driver_act(view, dice, 0);
}

const bot_kind bot_driver = {.name = "driver", .choose = choose};
