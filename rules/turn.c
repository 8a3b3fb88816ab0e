/* One car's turn (R4 to R10), step by step. */
#include "rules/engine.h"

#include <string.h>

static int car_now(const hp_race *race)
{
    return race->order[race->now];
}

/* R4.3, R4.4, R4.7: the speed has been set before. */
static void move(hp_race *race, int spaces, hp_cause why, const hp_listener *listener)
{
    hp_car *car = &race->car[car_now(race)];
    const road_stand from = stand_of(car);
    const road_stand to = road_land(&race->track, race->taken, from, spaces);
    road_toggle(race->taken, from.space, from.spot);
    road_toggle(race->taken, to.space, to.spot);
    car->lap = (int8_t)to.lap;
    car->space = (uint8_t)to.space;
    car->spot = (uint8_t)to.spot;
    TELL(listener, .kind = HP_EV_MOVE, .car = (uint8_t)car_now(race), .why = (uint8_t)why,
         .number = (uint16_t)spaces, .from = place_of(&race->track, from), .to = place_of(&race->track, to),
         .speed = race->turn.speed);
}

/* R10.1 */
static void replenish(hp_race *race, const hp_listener *listener)
{
    hp_car *car = &race->car[car_now(race)];
    car->discard.counts += car->play.counts;
    car->play.counts = 0;
    car->top = race->turn.last; /* R9.2 */
    race->turn = (hp_turn){0};
    TELL(listener, .kind = HP_EV_REPLENISH, .car = (uint8_t)car_now(race));
    hp_deck_fill_hand(race, car_now(race), listener);
}

/* R8. Corners after a spin-out are not checked. */
static void check_corners(hp_race *race, const hp_listener *listener)
{
    const int number = car_now(race);
    hp_car *car = &race->car[number];
    const road_stand began = {.lap = race->turn.lap, .space = race->turn.space};
    uint8_t lines[HP_CORNERS_MAX];
    const int crossed = hp_road_lines(&race->track, began, stand_of(car), race->laps, lines);
    for (int i = 0; i < crossed; i++) {
        const int limit = race->track.corner[lines[i]].limit;
        const int over = corner_price(race->turn.speed, limit);
        const int paid = over < car->engine ? over : car->engine;
        hp_deck_pay(car, paid);
        TELL(listener, .kind = HP_EV_CORNER, .car = (uint8_t)number, .corner = lines[i],
             .speed = race->turn.speed, .limit = (uint8_t)limit, .paid = (uint8_t)paid);
        if (paid == over)
            continue;

        road_toggle(race->taken, car->space, car->spot);
        const road_stand to = hp_road_spin(&race->track, race->taken, began, lines[i]);
        road_toggle(race->taken, to.space, to.spot);
        car->lap = (int8_t)to.lap; /* R8.4 */
        car->space = (uint8_t)to.space;
        car->spot = (uint8_t)to.spot;
        const int stress = spin_stress(car->gear, race->reserve);
        race->reserve = (uint8_t)(race->reserve - stress);
        pile_add(&car->hand, HP_STRESS, stress);
        car->gear = 1;
        TELL(listener, .kind = HP_EV_SPIN, .car = (uint8_t)number, .corner = lines[i],
             .number = (uint16_t)stress, .to = place_of(&race->track, to));
        return;
    }
}

static void enter_discard(hp_race *race, const hp_listener *listener)
{
    check_corners(race, listener);
    race->step = HP_STEP_DISCARD;
}

static void enter_slipstream(hp_race *race, const hp_listener *listener)
{
    const hp_car *car = &race->car[car_now(race)];
    race->turn.cool = 0; /* symbols are for the reaction only */
    race->turn.adrenaline_cool = 0;
    race->turn.adrenaline_move = 0;
    race->turn.boost = 0;
    if (hp_road_slipstream(&race->track, race->taken, stand_of(car), race->laps))
        race->step = HP_STEP_SLIP;
    else
        enter_discard(race, listener);
}

/* Goes on when nothing that everybody sees is left to use: whether there is Heat in hand to cool is
 * nobody's business. */
static void enter_react(hp_race *race, const hp_listener *listener)
{
    const hp_turn *turn = &race->turn;
    const hp_car *car = &race->car[car_now(race)];
    const bool symbols = turn->cool > 0 || turn->adrenaline_cool || (turn->boost && car->engine > 0) ||
                         (turn->adrenaline_move && road_moves(&race->track, race->taken, stand_of(car), 1));
    if (!symbols)
        enter_slipstream(race, listener);
}

bool hp_turn_begin(hp_race *race, const hp_listener *listener)
{
    const int number = car_now(race);
    hp_car *car = &race->car[number];
    const bool adrenaline = race->adrenaline >> number & 1;
    race->turn = (hp_turn){.lap = car->lap,
                           .space = car->space,
                           .cool = (uint8_t)cooldown_of(car->gear),
                           .adrenaline_cool = adrenaline,
                           .adrenaline_move = adrenaline,
                           .boost = 1,
                           .last = car->plan[car->gear - 1]};
    race->waiting = (uint8_t)(1 << number);
    race->step = HP_STEP_REACT;

    TELL(listener, .kind = HP_EV_REVEAL, .car = (uint8_t)number, .count = car->gear,
         .cards = {car->plan[0], car->plan[1], car->plan[2], car->plan[3]});
    int speed = 0; /* R4.1 */
    for (int i = 0; i < car->gear; i++)
        speed += hp_value_of((hp_card)car->plan[i]);
    memset(car->plan, 0, sizeof car->plan);

    if (hp_count(car->play, HP_HEAT) > 0) { /* R3.5 */
        car->gear = 1;
        TELL(listener, .kind = HP_EV_CLUTTERED, .car = (uint8_t)number);
        replenish(race, listener);
        return false;
    }
    for (int flips = hp_count(car->play, HP_STRESS); flips > 0; flips--)
        speed += hp_value_of(hp_deck_flip(race, number, HP_BY_STRESS, listener));
    race->turn.speed = (uint8_t)speed;
    move(race, speed, HP_BY_CARDS, listener);
    enter_react(race, listener);
    return true;
}

static void cool(hp_race *race, int n, hp_cause why, const hp_listener *listener)
{
    hp_car *car = &race->car[car_now(race)];
    pile_take(&car->hand, HP_HEAT, n);
    car->engine = (uint8_t)(car->engine + n);
    TELL(listener, .kind = HP_EV_COOL, .car = (uint8_t)car_now(race), .number = (uint16_t)n,
         .why = (uint8_t)why);
}

static void boost(hp_race *race, const hp_listener *listener)
{
    const int number = car_now(race);
    race->turn.boost = 0;
    TELL(listener, .kind = HP_EV_BOOST, .car = (uint8_t)number);
    hp_deck_pay(&race->car[number], 1);
    const int value = hp_value_of(hp_deck_flip(race, number, HP_BY_BOOST, listener));
    race->turn.speed = (uint8_t)(race->turn.speed + value);
    move(race, value, HP_BY_BOOST, listener);
}

static void discard(hp_race *race, hp_act act, const hp_listener *listener)
{
    const int number = car_now(race);
    hp_car *car = &race->car[number];
    for (int i = 0; i < act.number; i++) {
        pile_take(&car->hand, (hp_card)act.cards[i], 1);
        pile_add(&car->discard, (hp_card)act.cards[i], 1);
        car->top = act.cards[i];
    }
    TELL(listener, .kind = HP_EV_DISCARD, .car = (uint8_t)number, .count = act.number,
         .cards = {act.cards[0], act.cards[1], act.cards[2], act.cards[3], act.cards[4], act.cards[5]});
}

bool hp_turn_act(hp_race *race, hp_act act, const hp_listener *listener)
{
    switch ((hp_act_kind)act.kind) {
    case HP_COOL:
        cool(race, act.number, HP_BY_GEAR, listener);
        race->turn.cool = 0; /* R6.2: used up, however little it took */
        break;
    case HP_ADRENALINE_COOL:
        cool(race, 1, HP_BY_ADRENALINE, listener);
        race->turn.adrenaline_cool = 0;
        break;
    case HP_ADRENALINE_MOVE:
        race->turn.adrenaline_move = 0;
        race->turn.speed++;
        move(race, 1, HP_BY_ADRENALINE, listener);
        break;
    case HP_BOOST:
        boost(race, listener);
        break;
    case HP_DONE:
        enter_slipstream(race, listener);
        return false;
    case HP_SLIP:
        move(race, 2, HP_BY_SLIPSTREAM, listener);
        enter_discard(race, listener);
        return false;
    case HP_STAY:
        enter_discard(race, listener);
        return false;
    case HP_DISCARD:
        discard(race, act, listener);
        replenish(race, listener);
        return true;
    case HP_KEEP:
        replenish(race, listener);
        return true;
    case HP_PLAN:
    case HP_RETIRE:
    case HP_UNPLAN:
    case HP_ACT_KINDS:
        assert(!"an act of another step");
        break;
    }
    enter_react(race, listener);
    return false;
}
