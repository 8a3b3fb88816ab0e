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
                            hp_outcome *outcome)
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

static void foresee_plan(const hp_view *view, hp_act act, hp_outcome *outcome)
{
    const int shift = act.number > outcome->gear ? act.number - outcome->gear : outcome->gear - act.number;
    outcome->price = shift == 2;
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
    uint64_t taken[4];
    fill_road(view, taken);
    const road_stand from = road_stand_at(&view->track, view->car[view->seat].place);
    outcome->to = place_of(&view->track, road_land(&view->track, taken, from, outcome->speed));
    foresee_corners(view, taken, from, outcome);
}

/* The rest of a running turn, as if nothing else followed. */
static void foresee_turn(const hp_view *view, int spaces, hp_outcome *outcome)
{
    uint64_t taken[4];
    fill_road(view, taken);
    const road_stand from = road_stand_at(&view->track, view->car[view->seat].place);
    const road_stand began = {.lap = view->turn.lap, .space = view->turn.space};
    outcome->to = place_of(&view->track, road_land(&view->track, taken, from, spaces));
    foresee_corners(view, taken, began, outcome);
}

hp_outcome hp_foresee(const hp_view *view, hp_act act)
{
    const hp_car_view *car = &view->car[view->seat];
    hp_outcome outcome = {.gear = car->gear, .engine = car->engine, .to = car->place};
    if (view->step != HP_STEP_PLAN)
        outcome.speed = view->turn.speed;
    switch ((hp_act_kind)act.kind) {
    case HP_PLAN:
        foresee_plan(view, act, &outcome);
        break;
    case HP_COOL:
    case HP_ADRENALINE_COOL:
        outcome.engine = (uint8_t)(outcome.engine + (act.kind == HP_COOL ? act.number : 1));
        foresee_turn(view, 0, &outcome);
        break;
    case HP_ADRENALINE_MOVE:
        outcome.speed++;
        foresee_turn(view, 1, &outcome);
        break;
    case HP_BOOST:
        outcome.chance = true;
        outcome.price = 1;
        outcome.engine--;
        foresee_turn(view, 0, &outcome);
        break;
    case HP_SLIP:
        foresee_turn(view, 2, &outcome);
        break;
    case HP_DONE:
    case HP_STAY:
        foresee_turn(view, 0, &outcome);
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
