/* What the files of rules/ share. A round goes through them in this order:
 *
 *     round.c   order, planning, retiring, shifting, the end of the round and of the race
 *     turn.c    one car's turn: reveal, react, slipstream, corners, discard, replenish
 *     deck.c    drawing, turning over, paying Heat
 */
#ifndef HP_RULES_ENGINE_H
#define HP_RULES_ENGINE_H

#include "rules/chance.h"
#include "rules/pile.h"
#include "rules/road.h"

#include <assert.h>

/* Costs a predicted branch when nobody listens: the event is not even made. */
#define TELL(listener, ...)                                                                                  \
    do {                                                                                                     \
        if ((listener) != NULL)                                                                              \
            (listener)->hear((listener)->self, &(hp_event){__VA_ARGS__});                                    \
    } while (0)

static inline road_stand stand_of(const hp_car *car)
{
    return (road_stand){.lap = car->lap, .space = car->space, .spot = car->spot};
}

static inline hp_place place_of(const hp_track *track, road_stand stand)
{
    return (hp_place){.at = (int16_t)road_progress(track, stand.lap, stand.space),
                      .spot = (int16_t)stand.spot};
}

/* Face down: from the end of planning to the car's turn (R2.3). */
static inline bool covered(const hp_race *race, int number)
{
    return race->car[number].play.counts != 0 && race->order[race->now] != number;
}

/* R5.1: how many of the last cars have adrenaline, by how many started (R5.2). */
static inline int adrenaline_cars(int started)
{
    return started >= 5 ? 2 : 1;
}

/* R6.1 */
static inline int cooldown_of(int gear)
{
    return gear == 1 ? 3 : gear == 2 ? 1 : 0;
}

/* R8.1: Heat due at a corner line. */
static inline int corner_price(int speed, int limit)
{
    return speed > limit ? speed - limit : 0;
}

/* R8.2, R1.3 */
static inline int spin_stress(int gear, int reserve)
{
    const int due = gear <= 2 ? 1 : 2;
    return due < reserve ? due : reserve;
}

/* R1.1: all that a car owns. */
static inline hp_pile owned_cards(int heat, int stress)
{
    hp_pile all = {0};
    for (hp_card card = HP_ONE; card <= HP_FOUR; card++)
        pile_add(&all, card, 3);
    pile_add(&all, HP_ZERO, 1);
    pile_add(&all, HP_FIVE, 1);
    pile_add(&all, HP_HEAT, heat);
    pile_add(&all, HP_STRESS, stress);
    return all;
}

/* Takes one card out, and returns it as a pile of one. */
static inline hp_pile take_at_random(hp_chance *chance, hp_pile *pile)
{
    const hp_pile card = pile_kth(*pile, (int)chance_below(chance, (uint32_t)hp_size(*pile)));
    pile->counts -= card.counts;
    return card;
}

/* deck.c */
void hp_deck_fill_hand(hp_race *race, int car, const hp_listener *listener);             /* R10 */
hp_card hp_deck_flip(hp_race *race, int car, hp_cause why, const hp_listener *listener); /* R4.2 */
void hp_deck_pay(hp_car *car, int heat);                                                 /* R11.1 */

/* guess.c */
/* What surely lies in a car's discard pile: the card on top, and what is remembered. */
hp_pile hp_known_discard(const hp_view *view, const hp_memory *memory, int car);
/* The cards of a car that the seat cannot place: all that it owns (R1.1) less what lies open or is known. */
hp_pile hp_unseen_cards(const hp_view *view, int car, hp_pile known);

/* turn.c */
/* Reveals and moves, up to the car's first decision; false when its turn is over without one. */
bool hp_turn_begin(hp_race *race, const hp_listener *listener);
/* A legal act of the car whose turn it is; true when that ends the turn. */
bool hp_turn_act(hp_race *race, hp_act act, const hp_listener *listener);

/* round.c */
void hp_round_begin(hp_race *race, const hp_listener *listener);
void hp_round_plan(hp_race *race, int car, hp_act act, const hp_listener *listener);
/* Gives the next car its turn, or ends the round; returns when somebody must decide. */
void hp_round_next_turn(hp_race *race, const hp_listener *listener);

#endif
