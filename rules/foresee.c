/* What an act leads to, for screens: from a view alone, by the same code as the rules. */
#include "rules/engine.h"

#include <string.h>

static void fill_road(const hp_view *view, uint64_t taken[4])
{
    memset(taken, 0, 4 * sizeof taken[0]);
    for (int i = 0; i < view->cars; i++)
        if (view->car[i].status == HP_RACING) {
            const road_stand stand = road_stand_at(&view->track, view->car[i].place);
            road_toggle(taken, stand.space, stand.spot);
        }
}

/* R8, without playing it. */
static void foresee_corners(const hp_view *view, const uint64_t taken[4], road_stand began,
                            hp_outcome *outcome, hp_prospect *told)
{
    uint8_t lines[HP_CORNERS_MAX];
    const road_stand to = road_stand_at(&view->track, outcome->to);
    const int crossed = hp_road_lines(&view->track, began, to, view->laps, lines);
    for (int i = 0; i < crossed && !outcome->spins; i++) {
        const int limit = view->track.corner[lines[i]].limit;
        const int over = corner_price(outcome->speed, limit);
        const int paid = over < outcome->engine ? over : outcome->engine;
        outcome->price = (uint8_t)(outcome->price + paid);
        outcome->engine = (uint8_t)(outcome->engine - paid);
        if (told != NULL)
            told->crossing[told->crossed++] =
                (hp_crossing){.corner = lines[i], .limit = (uint8_t)limit, .pays = (uint8_t)paid};
        if (paid == over)
            continue;
        uint64_t others[4];
        memcpy(others, taken, sizeof others);
        const road_stand now = road_stand_at(&view->track, view->car[view->seat].place);
        road_toggle(others, now.space, now.spot);
        outcome->spins = true;
        outcome->to = place_of(&view->track, hp_road_spin(&view->track, others, began, lines[i]));
        outcome->stress = (uint8_t)spin_stress(outcome->gear, view->reserve);
        outcome->gear = 1;
    }
}

/* R3.2 */
static int shift_price(int from, int to)
{
    return from - to == 2 || to - from == 2;
}

static void foresee_plan(const hp_view *view, hp_act act, int turned_over, hp_outcome *outcome,
                         hp_prospect *told)
{
    outcome->price = (uint8_t)shift_price(outcome->gear, act.number);
    outcome->engine = (uint8_t)(outcome->engine - outcome->price);
    outcome->gear = act.number;
    for (int i = 0; i < act.number; i++) {
        const hp_card card = (hp_card)act.cards[i];
        outcome->speed = (uint8_t)(outcome->speed + hp_value_of(card));
        outcome->chance |= hp_class_of(card) == HP_CLASS_STRESS;
        outcome->cluttered |= hp_class_of(card) == HP_CLASS_HEAT;
    }
    if (outcome->cluttered) {
        outcome->chance = false;
        outcome->speed = 0;
        outcome->gear = 1;
        return;
    }
    outcome->speed = (uint8_t)(outcome->speed + turned_over);
    uint64_t taken[4];
    fill_road(view, taken);
    const road_stand from = road_stand_at(&view->track, view->car[view->seat].place);
    outcome->to = place_of(&view->track, road_land(&view->track, taken, from, outcome->speed));
    foresee_corners(view, taken, from, outcome, told);
}

/* The rest of a running turn, as if nothing else followed. */
static void foresee_turn(const hp_view *view, int spaces, hp_outcome *outcome, hp_prospect *told)
{
    uint64_t taken[4];
    fill_road(view, taken);
    const road_stand from = road_stand_at(&view->track, view->car[view->seat].place);
    const road_stand began = {.lap = view->turn.lap, .space = view->turn.space};
    outcome->to = place_of(&view->track, road_land(&view->track, taken, from, spaces));
    foresee_corners(view, taken, began, outcome, told);
}

/* When the cards turned over add up to that; 0 leaves them out. told, when not NULL, hears of the corners. */
static hp_outcome foresee(const hp_view *view, hp_act act, int turned_over, hp_prospect *told)
{
    const hp_car_view *car = &view->car[view->seat];
    hp_outcome outcome = {.gear = car->gear, .engine = car->engine, .to = car->place};
    if (view->step != HP_STEP_PLAN)
        outcome.speed = view->turn.speed;
    switch ((hp_act_kind)act.kind) {
    case HP_PLAN:
        foresee_plan(view, act, turned_over, &outcome, told);
        break;
    case HP_COOL:
    case HP_ADRENALINE_COOL:
        outcome.engine = (uint8_t)(outcome.engine + (act.kind == HP_COOL ? act.number : 1));
        foresee_turn(view, 0, &outcome, told);
        break;
    case HP_ADRENALINE_MOVE:
        outcome.speed++;
        foresee_turn(view, 1, &outcome, told);
        break;
    case HP_BOOST:
        outcome.chance = true;
        outcome.price = 1;
        outcome.engine--;
        outcome.speed = (uint8_t)(outcome.speed + turned_over);
        foresee_turn(view, turned_over, &outcome, told);
        break;
    case HP_SLIP:
        foresee_turn(view, 2, &outcome, told);
        break;
    case HP_DONE:
    case HP_STAY:
        foresee_turn(view, 0, &outcome, told);
        break;
    case HP_DISCARD:
    case HP_KEEP: /* corners are behind it; the hand is filled by chance */
        outcome.chance = true;
        break;
    case HP_RETIRE:
    case HP_UNPLAN:
    case HP_ACT_KINDS:
        break;
    }
    return outcome;
}

hp_outcome hp_foresee(const hp_view *view, hp_act act)
{
    return foresee(view, act, 0, NULL);
}

/* ---- Cards that are turned over ----------------------------------------------------------------- */

/* Nobody knows the order of a draw pile (R13.3), so that each of the speed cards that the seat cannot place is as
 * likely as any other to be turned over next, whatever lies between them. One thing differs: those that the seat
 * sees on its discard pile come into question only when the draw pile has no speed card left and the discard pile
 * is shuffled into it (R10.2). When that is depends on how many of the unseen ones lie in the draw pile. */

enum {
    SUMS = 4 * HP_GEARS + 1, /* of up to four cards of up to 4 */
    WAYS = 1 << 25           /* at most so many, so that weights stay below 2^53: see weigh */
};

static uint64_t choose(int n, int k)
{
    uint64_t ways = k <= n;
    for (int i = 0; i < k && i < n; i++) /* at most 72 cards, 12 of them: below 2^44 */
        ways = ways * (uint64_t)(n - i) / (uint64_t)(i + 1);
    return ways;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* In how many of all cases there are so many speed cards in the draw pile; the last number stands for that many
 * or more. All unseen cards lie either there or in the discard pile, anyhow. */
static void count_early(const hp_view *view, hp_pile unseen, int flips, uint64_t ways[HP_GEARS + 1])
{
    const int draw = view->car[view->seat].draw, elsewhere = hp_size(unseen) - draw;
    const int speed = hp_size(pile_only(unseen, PILE_SPEED));
    uint64_t all = 0;
    for (int early = 0; early <= speed; early++) {
        const uint64_t n = choose(draw, early) * choose(elsewhere, speed - early);
        ways[early < flips ? early : flips] += n;
        all += n;
    }
    for (; all > WAYS; all /= 2) /* decks of thirty unseen cards, if ever: not to the last one in 2^24 */
        for (int i = 0; i <= flips; i++)
            ways[i] /= 2;
}

/* In how many orders the cards turned over can add up to each sum: early ones from the pile alone, then from it and
 * the late cards. */
static void count_sums(hp_pile pile, hp_pile late, int early, int flips, int sum, uint32_t orders,
                       uint32_t counts[SUMS])
{
    if (flips == 0) {
        counts[sum] += orders;
        return;
    }
    if (early == 0) {
        pile.counts += late.counts;
        late.counts = 0;
    }
    for (hp_card card = HP_ONE; card <= HP_FOUR; card++) {
        const int n = hp_count(pile, card);
        hp_pile rest = pile;
        pile_take(&rest, card, n > 0);
        if (n > 0)
            count_sums(rest, late, early - 1, flips - 1, sum + hp_value_of(card), orders * (uint32_t)n,
                       counts);
    }
}

/* The weight of each sum. For each number of early cards there are so many ways, each with as many orders, at most
 * 12 * 11 * 10 * 9; over all of them their least common multiple divides the product of two such numbers, which
 * is below 2^28. */
static void weigh(const hp_view *view, int flips, uint64_t weights[SUMS])
{
    const hp_memory nothing = {0};
    const hp_pile known = hp_known_discard(view, &nothing, view->seat);
    const hp_pile unseen = hp_unseen_cards(view, view->seat, known);
    const hp_pile late = pile_only(known, PILE_SPEED);
    uint64_t ways[HP_GEARS + 1] = {0}, multiple = 1;
    uint32_t counts[HP_GEARS + 1][SUMS] = {{0}}, orders[HP_GEARS + 1] = {0};
    if (late.counts == 0)
        ways[flips] = 1; /* it does not matter */
    else
        count_early(view, unseen, flips, ways);
    for (int early = 0; early <= flips; early++) {
        if (ways[early] == 0)
            continue;
        count_sums(pile_only(unseen, PILE_SPEED), late, early, flips, 0, 1, counts[early]);
        for (int sum = 0; sum < SUMS; sum++)
            orders[early] += counts[early][sum];
        multiple *= orders[early] / common_divisor(multiple, orders[early]);
    }
    uint64_t divisor = 0;
    for (int sum = 0; sum < SUMS; sum++) {
        weights[sum] = 0;
        for (int early = 0; early <= flips; early++)
            if (ways[early] != 0)
                weights[sum] += ways[early] * counts[early][sum] * (multiple / orders[early]);
        divisor = common_divisor(divisor, weights[sum]);
    }
    for (int sum = 0; sum < SUMS; sum++)
        weights[sum] /= divisor;
}

static int flips_of(hp_act act, const hp_outcome *outcome)
{
    int flips = act.kind == HP_BOOST;
    for (int i = 0; act.kind == HP_PLAN && !outcome->cluttered && i < act.number; i++)
        flips += hp_class_of((hp_card)act.cards[i]) == HP_CLASS_STRESS;
    return flips;
}

void hp_expect(const hp_view *view, hp_act act, hp_outlook *outlook)
{
    memset(outlook, 0, sizeof *outlook);
    outlook->without.outcome = foresee(view, act, 0, &outlook->without);
    outlook->shift = act.kind == HP_PLAN ? (uint8_t)shift_price(view->car[view->seat].gear, act.number) : 0;
    outlook->flips = (uint8_t)flips_of(act, &outlook->without.outcome);
    if (outlook->flips == 0)
        return;
    uint64_t weights[SUMS];
    weigh(view, outlook->flips, weights);
    for (int sum = 0; sum < SUMS; sum++)
        if (weights[sum] > 0) {
            hp_prospect *prospect = &outlook->prospect[outlook->prospects++];
            prospect->weight = weights[sum];
            prospect->outcome = foresee(view, act, sum, prospect);
            prospect->outcome.chance = false;
            outlook->weights += weights[sum];
        }
}
