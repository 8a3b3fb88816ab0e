/* A round as a whole (R2, R3, R12): who goes when, planning, leaving the circuit. */
#include "rules/engine.h"

#include <string.h>

/* R2.2: higher is ahead. */
static int standing(const hp_race *race, const hp_car *car)
{
    return 2 * road_progress(&race->track, car->lap, car->space) + (car->spot == 0);
}

/* Sorts by counting who is ahead of each: no two stand on one spot. */
int hp_standings(const hp_race *race, uint8_t order[HP_CARS_MAX])
{
    enum { LEFT = INT16_MIN }; /* below every standing */
    int key[HP_CARS_MAX], ahead[HP_CARS_MAX] = {0};
    int n = 0;
    for (int i = 0; i < race->cars; i++) {
        const bool racing = race->car[i].status == HP_RACING;
        key[i] = racing ? standing(race, &race->car[i]) : LEFT;
        n += racing;
        for (int j = 0; j < i; j++) {
            ahead[i] += key[j] > key[i];
            ahead[j] += key[j] <= key[i];
        }
    }
    memset(order, 0, HP_CARS_MAX);
    for (int i = 0; i < race->cars; i++)
        if (key[i] != LEFT)
            order[ahead[i]] = (uint8_t)i;
    return n;
}

static void set_order(hp_race *race)
{
    race->in_order = (uint8_t)hp_standings(race, race->order);
}

void hp_round_begin(hp_race *race, const hp_listener *listener)
{
    race->round++;
    set_order(race);
    race->adrenaline = 0;
    race->waiting = 0;
    const int last = adrenaline_cars(race->cars);
    for (int i = 0; i < race->in_order; i++) {
        const uint8_t bit = (uint8_t)(1 << race->order[i]);
        race->waiting |= bit;
        if (i >= race->in_order - last)
            race->adrenaline |= bit;
    }
    race->now = 0;
    race->step = HP_STEP_PLAN;
    if (listener != NULL) {
        hp_event event = {.kind = HP_EV_ROUND,
                          .number = race->round,
                          .count = race->in_order,
                          .adrenaline = race->adrenaline};
        for (int i = 0; i < race->in_order; i++)
            event.cars[i] = race->order[i];
        listener->hear(listener->self, &event);
    }
}

static void leave_circuit(hp_race *race, int number, hp_status status, int place)
{
    hp_car *car = &race->car[number];
    road_toggle(race->taken, car->space, car->spot);
    car->lap = 0;
    car->space = 0;
    car->spot = 0;
    car->status = (uint8_t)status;
    car->place = (uint8_t)place;
}

/* Ends the race when nobody is left. */
static bool over(hp_race *race, const hp_listener *listener)
{
    if (race->finished + race->retired < race->cars)
        return false;
    race->step = HP_STEP_OVER;
    race->waiting = 0;
    race->now = 0;
    race->adrenaline = 0;
    race->in_order = 0; /* nobody is left to be in it */
    for (int i = 0; i < HP_CARS_MAX; i++)
        race->order[i] = 0;
    if (listener != NULL) {
        hp_event event = {.kind = HP_EV_END, .number = race->round, .count = race->cars};
        for (int i = 0; i < race->cars; i++)
            event.cars[race->car[i].place - 1] = (uint8_t)i;
        listener->hear(listener->self, &event);
    }
    return true;
}

/* R12.2 */
static void round_end(hp_race *race, const hp_listener *listener)
{
    bool any = false;
    for (int i = 0; i < race->in_order; i++)
        any |= race->car[race->order[i]].lap >= race->laps;
    if (any)
        set_order(race);
    for (int i = 0; any && i < race->in_order && race->car[race->order[i]].lap >= race->laps; i++) {
        race->finished++;
        leave_circuit(race, race->order[i], HP_FINISHED, race->finished);
        TELL(listener, .kind = HP_EV_FINISH, .car = race->order[i], .place = race->finished);
    }
    if (!over(race, listener))
        hp_round_begin(race, listener);
}

void hp_round_next_turn(hp_race *race, const hp_listener *listener)
{
    for (; race->now < race->in_order; race->now++)
        if (race->car[race->order[race->now]].status == HP_RACING && hp_turn_begin(race, listener))
            return;
    round_end(race, listener);
}

/* R12.3: the rearmost takes the last free place. */
static void retire(hp_race *race, const hp_listener *listener)
{
    for (int i = race->in_order - 1; i >= 0; i--) {
        hp_car *car = &race->car[race->order[i]];
        if (car->planned != HP_PLANS_TO_RETIRE)
            continue;
        car->planned = 0;
        leave_circuit(race, race->order[i], HP_RETIRED, race->cars - race->retired);
        race->retired++;
        TELL(listener, .kind = HP_EV_RETIRE, .car = race->order[i], .place = car->place);
    }
}

/* R2.3, R3.2: the cards leave the hand, face down. */
static void shift(hp_race *race, int number, const hp_listener *listener)
{
    hp_car *car = &race->car[number];
    const int from = car->gear;
    const int to = car->planned;
    const int paid = from - to == 2 || to - from == 2;
    hp_deck_pay(car, paid);
    car->gear = (uint8_t)to;
    car->planned = 0;
    for (int i = 0; i < to; i++) {
        pile_take(&car->hand, (hp_card)car->plan[i], 1);
        pile_add(&car->play, (hp_card)car->plan[i], 1);
    }
    TELL(listener, .kind = HP_EV_SHIFT, .car = (uint8_t)number, .gear_from = (uint8_t)from,
         .gear_to = (uint8_t)to, .paid = (uint8_t)paid);
}

static void all_planned(hp_race *race, const hp_listener *listener)
{
    retire(race, listener);
    for (int i = 0; i < race->in_order; i++)
        if (race->car[race->order[i]].status == HP_RACING)
            shift(race, race->order[i], listener);
    hp_round_next_turn(race, listener);
}

void hp_round_plan(hp_race *race, int number, hp_act act, const hp_listener *listener)
{
    hp_car *car = &race->car[number];
    const uint8_t bit = (uint8_t)(1 << number);
    const bool plans = act.kind == HP_PLAN;
    car->planned = plans ? act.number : act.kind == HP_RETIRE ? HP_PLANS_TO_RETIRE : 0;
    if (plans)
        memcpy(car->plan, act.cards, sizeof car->plan);
    else
        memset(car->plan, 0, sizeof car->plan);
    race->waiting = (uint8_t)(act.kind == HP_UNPLAN ? race->waiting | bit : race->waiting & ~bit);
    if (race->waiting == 0)
        all_planned(race, listener);
}
