/* What a seat may see (R13). Nothing enters a view but by this file. */
#include "rules/engine.h"

#include <string.h>

_Static_assert(sizeof(hp_car_view) == 24 && sizeof(hp_view) == 224, "no padding: views compare as bytes");

static bool own(int seat, int car)
{
    return seat != HP_SPECTATOR && seat == car;
}

/* R13.1 */
static hp_car_view look_at_car(const hp_race *race, int number)
{
    const hp_car *car = &race->car[number];
    const bool face_down = covered(race, number);
    const hp_pile all = {car->hand.counts + car->draw.counts + car->discard.counts + car->play.counts};
    hp_car_view view = {
        .gear = car->gear,
        .engine = car->engine,
        .hand = (uint8_t)hp_size(car->hand),
        .covered = face_down ? (uint8_t)hp_size(car->play) : 0,
        .draw = (uint8_t)hp_size(car->draw),
        .discard = (uint8_t)hp_size(car->discard),
        .top = car->top,
        .status = car->status,
        .finished_at = car->place,
        .has_planned = car->planned != 0,
        .heat = (uint8_t)(hp_count(all, HP_HEAT) + car->engine),
        .stress = (uint8_t)hp_count(all, HP_STRESS),
    };
    if (!face_down)
        view.play = car->play;
    if (car->status == HP_RACING)
        view.place = place_of(&race->track, stand_of(car));
    return view;
}

void hp_look(const hp_race *race, int seat, hp_view *view)
{
    assert(seat == HP_SPECTATOR || (seat >= 0 && seat < race->cars));
    memset(view, 0, sizeof *view);
    view->track = race->track;
    for (int i = 0; i < race->cars; i++)
        view->car[i] = look_at_car(race, i);
    view->turn = race->turn;
    view->round = race->round;
    view->seat = (uint8_t)seat;
    memcpy(view->order, race->order, sizeof view->order);
    view->in_order = race->in_order;
    view->now = race->now;
    view->adrenaline = race->adrenaline;
    view->step = race->step;
    view->cars = race->cars;
    view->laps = race->laps;
    view->reserve = race->reserve;
    if (seat == HP_SPECTATOR) {
        view->choice.step = race->step == HP_STEP_OVER ? HP_STEP_OVER : HP_STEP_WAIT;
        return;
    }
    hp_choose_from(race, seat, &view->choice); /* R13.2 */
    view->planned = race->car[seat].planned;
    memcpy(view->plan, race->car[seat].plan, sizeof view->plan);
}

hp_event hp_event_for(const hp_event *event, int seat)
{
    hp_event seen = *event;
    if (own(seat, event->car))
        return seen;
    if (event->kind == HP_EV_DRAW) /* R13.2 */
        memset(seen.cards, HP_NO_CARD, event->count);
    if (event->kind == HP_EV_DISCARD) /* R13.4 */
        memset(seen.cards, HP_NO_CARD, event->count - 1u);
    return seen;
}
