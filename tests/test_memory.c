/* Proves that what a seat remembers is true, that it remembers all of its own discard pile, and that guesses keep to it
 * and to whatever follows from it: through whole races, for every seat and a spectator. */
#include "tests/support.h"

#include "bots/bots.h"
#include "rules/engine.h"

enum { SEATS = HP_CARS_MAX + 1 }; /* the last is the spectator's */

static int seat_number(int i, int cars)
{
    return i < cars ? i : HP_SPECTATOR;
}

/* What can be counted of a car, by a seat that sees all but its hidden cards. */
typedef struct {
    hp_pile shuffled; /* known to be in its draw pile then */
    int left;         /* cards that have come from there since */
    int stress;       /* surely in its hand */
    bool is_shuffled;
} counted;

typedef struct {
    hp_memory memory[SEATS];
    counted counted[SEATS][HP_CARS_MAX];
    int cars;
} audience;

static void count(counted *c, const hp_memory *memory, const hp_event *seen)
{
    if (seen->kind == HP_EV_RESHUFFLE)
        *c = (counted){.shuffled = memory->discarded[seen->car], .stress = c->stress, .is_shuffled = true};
    c->left += seen->kind == HP_EV_DRAW || seen->kind == HP_EV_FLIP ? seen->count : 0;
    c->stress += seen->kind == HP_EV_SPIN ? seen->number : 0;
    for (int i = 0; seen->kind == HP_EV_REVEAL && i < seen->count; i++)
        c->stress -= seen->cards[i] == HP_STRESS && c->stress > 0;
}

static void pass_on(void *self, const hp_event *event)
{
    audience *all = self;
    for (int i = 0; i <= all->cars; i++) {
        const hp_event seen = hp_event_for(event, seat_number(i, all->cars));
        count(&all->counted[i][seen.car], &all->memory[i], &seen);
        hp_remember(&all->memory[i], &seen);
    }
}

/* No rule and no card that was seen speaks against these piles. */
static bool can_be(const hp_car *car, const counted *c, hp_pile seen_to_go)
{
    int gone = 0;
    for (hp_card card = HP_ZERO; card < HP_KINDS; card++) {
        const int missing = hp_count(c->shuffled, card) - hp_count(car->draw, card);
        gone += missing > 0 ? missing : 0;
    }
    if (gone > c->left)
        return false; /* more than that have not left the draw pile */
    if (hp_count(car->hand, HP_STRESS) + hp_count(car->play, HP_STRESS) < c->stress)
        return false; /* R8.2 */
    for (hp_card card = HP_HEAT; card <= HP_STRESS; card++) {
        if (hp_count(car->discard, card) > hp_count(seen_to_go, card))
            return false; /* R9.1: nobody discards those */
        if (c->is_shuffled && hp_count(car->draw, card) > hp_count(c->shuffled, card))
            return false; /* and so none was shuffled unseen */
    }
    return true;
}

static bool within(hp_pile part, hp_pile whole)
{
    for (hp_card card = HP_ZERO; card < HP_KINDS; card++)
        if (hp_count(part, card) > hp_count(whole, card))
            return false;
    return true;
}

static void check(const hp_race *race, const audience *all)
{
    for (int i = 0; i <= race->cars; i++) {
        const int seat = seat_number(i, race->cars);
        const hp_memory *memory = &all->memory[i];
        uint8_t seed[HP_SEED_BYTES];
        hp_view view, again;
        hp_race guess;
        hp_look(race, seat, &view);
        hp_seed_of(race->chance.drawn, (uint64_t)i, seed);
        hp_guess_knowing(&view, memory, seed, &guess);
        hp_look(&guess, seat, &again);
        assert_memory_equal(&view, &again, sizeof view);
        for (int car = 0; car < race->cars; car++) {
            assert_true(within(memory->discarded[car], race->car[car].discard));
            assert_true(within(memory->discarded[car], guess.car[car].discard));
            const counted *c = &all->counted[i][car];
            const hp_pile seen_to_go = hp_known_discard(&view, memory, car);
            assert_true(can_be(&race->car[car], c, seen_to_go));
            assert_true(can_be(&guess.car[car], c, seen_to_go));
            if (car == seat) /* R13.3 hides the pile; a player who counts knows it all the same */
                assert_int_equal(memory->discarded[car].counts, race->car[car].discard.counts);
        }
        if (seat != HP_SPECTATOR)
            assert_int_equal(guess.car[seat].draw.counts, race->car[seat].draw.counts);
    }
}

static void memory_is_true_and_guesses_keep_to_it(void **state)
{
    (void)state;
    for (int r = 0; r < 60; r++) {
        hp_circuit circuit;
        hp_circuit_at(r % 4, &circuit);
        hp_setup setup = {.track = circuit.track, .laps = 1, .cars = (uint8_t)(1 + r % HP_CARS_MAX)};
        setup.handicap[0] = (uint8_t)(r % 3);
        hp_seed_of(31, (uint64_t)r, setup.seed);
        audience all = {.cars = setup.cars};
        const hp_listener listener = {.hear = pass_on, .self = &all};
        bot_dice dice = {(uint64_t)r};
        hp_race race;
        hp_start(&race, &setup, &listener);
        for (int car; (car = hp_to_act(&race)) >= 0;) {
            check(&race, &all);
            hp_choice choice;
            hp_choose_from(&race, car, &choice);
            assert_int_equal(hp_apply(&race, car, bot_any(&choice, &dice), &listener), HP_OK);
        }
        check(&race, &all);
    }
}

/* What is remembered narrows the guess: cards seen to go are never dealt to a hand. */
static void cards_seen_to_go_are_in_no_hand(void **state)
{
    (void)state;
    const hp_race race = race_at("usa 1 3 01 plan 9.0/1/6/1122334/*/-/- 5.0/1/6/HSSS123/1235/1234440/-");
    hp_memory memory = {0};
    memory.discarded[1] = pile_from("4440");
    int told_apart = 0;
    for (int i = 0; i < 100; i++) {
        uint8_t seed[HP_SEED_BYTES];
        hp_view view;
        hp_race knowing, blind;
        hp_look(&race, 0, &view);
        hp_seed_of(8, (uint64_t)i, seed);
        hp_guess_knowing(&view, &memory, seed, &knowing);
        hp_guess(&view, seed, &blind);
        assert_true(hp_count(knowing.car[1].hand, HP_FOUR) == 0 &&
                    hp_count(knowing.car[1].draw, HP_FOUR) == 0);
        assert_int_equal(hp_count(knowing.car[1].hand, HP_ZERO), 0);
        told_apart += hp_count(blind.car[1].hand, HP_FOUR) > 0;
    }
    assert_in_range(told_apart, 30, 100);
}

/* R10.2: who saw all that was shuffled, and counted, knows a hand card by card, and what can have been drawn since. */
static void who_counts_knows_a_hand(void **state)
{
    (void)state;
    const hp_race race = race_at("usa 1 3 01 plan 9.0/1/6/1122334/*/-/- 5.0/1/6/1HSS223/*/-/-");
    const hp_pile hand = race.car[1].hand, draw = race.car[1].draw;
    hp_memory memory = {0};
    int other_hands = 0;
    memory.shuffled[1] = draw;
    for (int drawn = 0; drawn <= 3; drawn += 3)
        for (int i = 0; i < 100; i++) {
            uint8_t seed[HP_SEED_BYTES];
            hp_view view;
            hp_race guess;
            memory.drawn[1] = (uint8_t)drawn;
            hp_look(&race, 0, &view);
            hp_seed_of(9, (uint64_t)i, seed);
            hp_guess_knowing(&view, &memory, seed, &guess);
            int strange = 0;
            for (hp_card card = HP_ZERO; card < HP_KINDS; card++) {
                const int more = hp_count(guess.car[1].hand, card) - hp_count(hand, card);
                strange += more > 0 ? more : 0;
            }
            assert_true(strange <= drawn);
            other_hands += strange > 0;
        }
    assert_in_range(other_hands, 50, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_true_and_guesses_keep_to_it),
        cmocka_unit_test(cards_seen_to_go_are_in_no_hand),
        cmocka_unit_test(who_counts_knows_a_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
