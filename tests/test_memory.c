/* Proves that what a seat remembers is true, that it remembers all of its own discard pile, and that
 * guesses keep to it: through whole races, for every seat and a spectator. */
#include "tests/support.h"

#include "bots/bots.h"

enum { SEATS = HP_CARS_MAX + 1 }; /* the last is the spectator's */

static int seat_number(int i, int cars)
{
    return i < cars ? i : HP_SPECTATOR;
}

typedef struct {
    hp_memory memory[SEATS];
    int cars;
} audience;

static void pass_on(void *self, const hp_event *event)
{
    audience *all = self;
    for (int i = 0; i <= all->cars; i++) {
        const hp_event seen = hp_event_for(event, seat_number(i, all->cars));
        hp_remember(&all->memory[i], &seen);
    }
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_true_and_guesses_keep_to_it),
        cmocka_unit_test(cards_seen_to_go_are_in_no_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
