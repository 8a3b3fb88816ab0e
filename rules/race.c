/* A race from outside: setting it up, who may do what, playing an act. */
#include "rules/engine.h"

#include <string.h>

_Static_assert(sizeof(hp_event) == 38 && offsetof(hp_event, number) == 28, "no padding");
_Static_assert(sizeof(hp_act) == 8 && sizeof(hp_choice) == 16 && sizeof(hp_car) == 48, "no padding");
_Static_assert(sizeof(hp_track) == 32 && sizeof(hp_race) == 480, "as the header says");
_Static_assert(offsetof(hp_race, unused) + sizeof(((hp_race *)0)->unused) == sizeof(hp_race), "no padding");

bool hp_track_valid(const hp_track *track)
{
    if (track->spaces < HP_SPACES_MIN || track->spaces > HP_SPACES_MAX || track->heat < HP_HEAT_MIN ||
        track->heat > HP_HEAT_MAX || track->stress > HP_STRESS_MAX || track->corners > HP_CORNERS_MAX)
        return false;
    for (int i = 0; i < track->corners; i++) {
        const hp_corner corner = track->corner[i];
        if (corner.limit < HP_LIMIT_MIN || corner.limit > HP_LIMIT_MAX || corner.after >= track->spaces)
            return false;
        if (i > 0 && corner.after <= track->corner[i - 1].after)
            return false;
    }
    for (int i = track->corners; i < HP_CORNERS_MAX; i++)
        if (track->corner[i].after != 0 || track->corner[i].limit != 0)
            return false;
    return true;
}

static bool setup_valid(const hp_setup *setup)
{
    if (!hp_track_valid(&setup->track) || setup->cars < 1 || setup->cars > HP_CARS_MAX || setup->laps < 1 ||
        setup->laps > HP_LAPS_MAX)
        return false;
    for (int i = 0; i < setup->cars; i++)
        if (setup->handicap[i] > HP_HANDICAP_MAX)
            return false;
    return true;
}

/* R1.1, R1.2 */
static hp_car new_car(const hp_setup *setup, int number)
{
    return (hp_car){.draw = owned_cards(1, setup->track.stress), /* R1.7: the Heat upgrade */
                    .gear = 1,
                    .engine = (uint8_t)(setup->track.heat - setup->handicap[number]),
                    .top = HP_NO_CARD};
}

/* R1.4 */
static void line_up(hp_race *race, const hp_listener *listener)
{
    uint8_t car_in_slot[HP_CARS_MAX];
    for (int i = 0; i < race->cars; i++)
        car_in_slot[i] = (uint8_t)i;
    for (int i = race->cars - 1; i > 0; i--) {
        const int j = (int)hp_chance_below(&race->chance, (uint32_t)i + 1);
        const uint8_t other = car_in_slot[j];
        car_in_slot[j] = car_in_slot[i];
        car_in_slot[i] = other;
    }
    for (int slot = 0; slot < race->cars; slot++) {
        hp_car *car = &race->car[car_in_slot[slot]];
        car->lap = -1;
        car->space = (uint8_t)(race->track.spaces - 1 - slot / 2);
        car->spot = (uint8_t)(slot % 2);
        road_toggle(race->taken, car->space, car->spot);
        TELL(listener, .kind = HP_EV_GRID, .car = car_in_slot[slot], .slot = (uint8_t)(slot + 1),
             .to = place_of(&race->track, stand_of(car)));
    }
}

hp_error hp_start(hp_race *race, const hp_setup *setup, const hp_listener *listener)
{
    if (!setup_valid(setup))
        return HP_BAD_SETUP;
    memset(race, 0, sizeof *race);
    race->track = setup->track;
    race->laps = setup->laps;
    race->cars = setup->cars;
    race->reserve = (uint8_t)(HP_STRESS_SUPPLY - setup->cars * setup->track.stress);
    hp_chance_seed(&race->chance, setup->seed);
    for (int i = 0; i < race->cars; i++)
        race->car[i] = new_car(setup, i);
    line_up(race, listener);
    for (int i = 0; i < race->cars; i++)
        hp_deck_fill_hand(race, i, listener);
    hp_round_begin(race, listener);
    return HP_OK;
}

int hp_to_act(const hp_race *race)
{
    return race->waiting == 0 ? -1 : __builtin_ctz(race->waiting);
}

int hp_progress(const hp_race *race, int car)
{
    return road_progress(&race->track, race->car[car].lap, race->car[car].space);
}

/* A car that the race does not wait for may still change its plan (R2.3). */
static void choose_meanwhile(const hp_race *race, const hp_car *car, hp_choice *choice)
{
    if (race->step == HP_STEP_OVER) {
        choice->step = HP_STEP_OVER;
    } else if (race->step == HP_STEP_PLAN && car->status == HP_RACING) {
        choice->step = HP_STEP_PLAN;
        choice->flags = (uint8_t)(HP_HAS_PLANNED | (race->finished > 0 ? HP_MAY_RETIRE : 0));
    } else {
        choice->step = HP_STEP_WAIT;
    }
}

static void choose_symbols(const hp_race *race, int number, hp_choice *choice)
{
    const hp_turn *turn = &race->turn;
    choice->cool = turn->cool;
    choice->adrenaline_cool = turn->adrenaline_cool;
    choice->boost = turn->boost;
    if (race->adrenaline >> number & 1) {
        choice->flags = (uint8_t)(HP_HAS_ADRENALINE | (turn->adrenaline_move ? 0 : HP_ADRENALINE_MOVED));
        choice->adrenaline_move =
            turn->adrenaline_move && road_moves(&race->track, race->taken, stand_of(&race->car[number]), 1);
    }
}

void hp_choose_from(const hp_race *race, int number, hp_choice *choice)
{
    assert(number >= 0 && number < race->cars);
    const hp_car *car = &race->car[number];
    memset(choice, 0, sizeof *choice);
    choice->hand = car->hand;
    choice->gear = car->gear;
    choice->engine = car->engine;
    if (!(race->waiting >> number & 1)) {
        choose_meanwhile(race, car, choice);
        return;
    }
    choice->step = race->step;
    if (race->step == HP_STEP_PLAN)
        choice->flags = race->finished > 0 ? HP_MAY_RETIRE : 0;
    else if (race->step == HP_STEP_REACT)
        choose_symbols(race, number, choice);
}

hp_error hp_apply(hp_race *race, int car, hp_act act, const hp_listener *listener)
{
    if (car < 0 || car >= race->cars)
        return HP_NOT_YOUR_TURN;
    hp_choice choice;
    hp_choose_from(race, car, &choice);
    const hp_error error = hp_check(&choice, act);
    if (error != HP_OK)
        return error;
    if (choice.step == HP_STEP_PLAN) {
        hp_round_plan(race, car, act, listener);
    } else if (hp_turn_act(race, act, listener)) {
        race->now++;
        hp_round_next_turn(race, listener);
    }
    return HP_OK;
}

/* ---- Hash ------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

static uint64_t mix_bytes(uint64_t hash, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = mix(hash, bytes[i]);
    return hash;
}

/* Everything but what follows from the rest (taken, the generator's block), member by member, so that
 * the order of bytes on a machine does not matter. */
uint64_t hp_hash(const hp_race *race)
{
    uint64_t hash = HP_RULES_VERSION;
    for (int i = 0; i < race->cars; i++) {
        const hp_car *car = &race->car[i];
        hash = mix(hash, car->hand.counts);
        hash = mix(hash, car->draw.counts);
        hash = mix(hash, car->discard.counts);
        hash = mix(hash, car->play.counts);
        const uint8_t small[] = {(uint8_t)car->lap, car->space,  car->spot,  car->gear,   car->engine,
                                 car->top,          car->status, car->place, car->planned};
        hash = mix_bytes(hash, small, sizeof small);
        hash = mix_bytes(hash, car->plan, sizeof car->plan);
    }
    const hp_track *track = &race->track;
    const uint8_t figures[] = {track->spaces, track->heat, track->stress, track->corners};
    hash = mix_bytes(hash, figures, sizeof figures);
    for (int i = 0; i < track->corners; i++)
        hash = mix(hash, (uint64_t)track->corner[i].after << 8 | track->corner[i].limit);
    for (int i = 0; i < 8; i++)
        hash = mix(hash, race->chance.key[i]);
    hash = mix(hash, race->chance.drawn);
    const hp_turn *turn = &race->turn;
    const uint8_t small[] = {
        (uint8_t)turn->lap,    turn->space,   turn->speed,  turn->cool,     turn->adrenaline_cool,
        turn->adrenaline_move, turn->boost,   turn->last,   race->in_order, race->now,
        race->adrenaline,      race->step,    race->cars,   race->laps,     race->finished,
        race->retired,         race->reserve, race->waiting};
    hash = mix_bytes(hash, small, sizeof small);
    hash = mix_bytes(hash, race->order, sizeof race->order);
    return mix(hash, race->round);
}
