/* A car's cards between its piles. */
#include "rules/engine.h"

/* R10.2. A draw pile has no order here, so that shuffling is moving it. */
static void reshuffle(hp_car *car, int number, const hp_listener *listener)
{
    assert(car->discard.counts != 0);
    TELL(listener, .kind = HP_EV_RESHUFFLE, .car = (uint8_t)number,
         .number = (uint16_t)hp_size(car->discard));
    car->draw = car->discard;
    car->discard.counts = 0;
    car->top = HP_NO_CARD;
}

/* Draws n cards that are there: one unbroken run, one event. */
static void draw_run(hp_race *race, int number, int n, const hp_listener *listener)
{
    hp_car *car = &race->car[number];
    hp_pile draw = car->draw, hand = car->hand, drawn[HP_HAND];
    for (int i = 0; i < n; i++) {
        drawn[i] = take_at_random(&race->chance, &draw);
        hand.counts += drawn[i].counts;
    }
    car->draw = draw;
    car->hand = hand;
    if (listener != NULL && n > 0) {
        hp_event event = {.kind = HP_EV_DRAW, .car = (uint8_t)number, .count = (uint8_t)n};
        for (int i = 0; i < n; i++)
            event.cards[i] = (uint8_t)pile_lowest(drawn[i]);
        listener->hear(listener->self, &event);
    }
}

void hp_deck_fill_hand(hp_race *race, int number, const hp_listener *listener)
{
    hp_car *car = &race->car[number];
    int missing = HP_HAND - hp_size(car->hand);
    const int there = hp_size(car->draw);
    if (there < missing) {
        draw_run(race, number, there, listener);
        reshuffle(car, number, listener);
        missing -= there;
    }
    draw_run(race, number, missing, listener);
}

/* A speed card always comes: of twelve, hand and plan hold at most 7 less the stress cards played, and
 * no more are in the play area than one for each of those and one for a boost. */
hp_card hp_deck_flip(hp_race *race, int number, hp_cause why, const hp_listener *listener)
{
    hp_car *car = &race->car[number];
    for (;;) {
        if (car->draw.counts == 0)
            reshuffle(car, number, listener);
        const hp_card card = pile_lowest(take_at_random(&race->chance, &car->draw));
        const bool kept = hp_class_of(card) == HP_CLASS_SPEED;
        TELL(listener, .kind = HP_EV_FLIP, .car = (uint8_t)number, .why = (uint8_t)why, .count = 1,
             .cards = {(uint8_t)card}, .kept = kept);
        if (kept) {
            pile_add(&car->play, card, 1);
            race->turn.last = (uint8_t)card;
            return card;
        }
        pile_add(&car->discard, card, 1);
        car->top = (uint8_t)card;
    }
}

void hp_deck_pay(hp_car *car, int heat)
{
    assert(heat <= car->engine);
    if (heat == 0)
        return;
    car->engine = (uint8_t)(car->engine - heat);
    pile_add(&car->discard, HP_HEAT, heat);
    car->top = HP_HEAT;
}
