/* Proves that bots choose legal acts from their view alone, repeat, and are as good as they claim. */
#include "tests/support.h"

#include "bots/bots.h"

typedef struct {
    bot *car[HP_CARS_MAX];
    int cars;
    int spins, turns;
} seen;

static void count(void *self, const hp_event *event)
{
    seen *s = self;
    s->spins += event->kind == HP_EV_SPIN;
    s->turns += event->kind == HP_EV_REVEAL;
    for (int i = 0; i < s->cars; i++)
        bot_hear(s->car[i], event);
}

/* The race to its end; car i is driven by the bot of that name. */
static hp_race drive(int circuit_index, int cars, int laps, uint64_t number, const char *const names[],
                     seen *s)
{
    hp_circuit circuit;
    hp_circuit_at(circuit_index, &circuit);
    hp_setup setup = {.track = circuit.track, .laps = (uint8_t)laps, .cars = (uint8_t)cars};
    const hp_listener listener = {.hear = count, .self = s};
    hp_race race;
    hp_seed_of(17, number, setup.seed);
    s->cars = cars;
    for (int i = 0; i < cars; i++)
        assert_non_null(s->car[i] = bot_open(names[i], i, number + (uint64_t)i));
    assert_int_equal(hp_start(&race, &setup, &listener), HP_OK);
    for (int car; (car = hp_to_act(&race)) >= 0;) {
        hp_view view;
        hp_look(&race, car, &view);
        assert_int_equal(hp_apply(&race, car, bot_choose(s->car[car], &view), &listener), HP_OK);
    }
    for (int i = 0; i < cars; i++)
        bot_close(s->car[i]);
    return race;
}

static void every_bot_finishes_on_every_circuit(void **state)
{
    (void)state;
    static const char *const fields[][HP_CARS_MAX] = {
        {"null", "null", "null", "null", "null", "null"},
        {"random", "random", "random", "random", "random", "random"},
        {"rookie", "rookie", "rookie", "rookie", "rookie", "rookie"},
        {"null", "random", "rookie", "null", "random", "rookie"},
    };
    for (int f = 0; f < 4; f++)
        for (int circuit = 0; circuit < 4; circuit++)
            for (int cars = 1; cars <= HP_CARS_MAX; cars++) {
                seen s = {0};
                const hp_race race = drive(circuit, cars, 1, (uint64_t)cars, fields[f], &s);
                assert_int_equal(race.step, HP_STEP_OVER);
            }
    assert_null(bot_open("nobody", 0, 1));
    assert_null(bot_open("", 0, 1));
    assert_null(bot_open("rookie:fast", 0, 1));
}

static void the_same_seed_gives_the_same_race(void **state)
{
    (void)state;
    static const char *const names[] = {"rookie", "random", "rookie"};
    seen s = {0};
    const hp_race one = drive(1, 3, 2, 5, names, &s), again = drive(1, 3, 2, 5, names, &s);
    assert_memory_equal(&one, &again, sizeof one);
}

/* What is dealt behind the view makes no difference to what is chosen. */
static void hidden_cards_are_hidden(void **state)
{
    (void)state;
    hp_circuit circuit;
    hp_circuit_at(2, &circuit);
    const hp_setup setup = {.track = circuit.track, .laps = 1, .cars = 4};
    hp_race race;
    hp_start(&race, &setup, NULL);
    for (int car; (car = hp_to_act(&race)) >= 0;) {
        uint8_t seed[HP_SEED_BYTES];
        hp_view view;
        hp_race other;
        hp_look(&race, car, &view);
        hp_seed_of(race.chance.drawn, 4, seed);
        hp_guess(&view, seed, &other);
        hp_view from_other;
        hp_look(&other, car, &from_other);
        bot *here = bot_open("rookie", car, race.chance.drawn),
            *there = bot_open("rookie", car, race.chance.drawn);
        const hp_act act = bot_choose(here, &view), elsewhere = bot_choose(there, &from_other);
        bot_close(here);
        bot_close(there);
        assert_memory_equal(&act, &elsewhere, sizeof act);
        hp_apply(&race, car, act, NULL);
    }
}

/* Both figures are of fixed seeds, so that they move only when a bot or a rule does. */
static void a_rookie_beats_chance_and_stays_on_the_road(void **state)
{
    (void)state;
    static const char *const names[][2] = {{"rookie", "random"}, {"random", "rookie"}};
    static const char *const rookies[] = {"rookie", "rookie", "rookie", "rookie", "rookie", "rookie"};
    enum { RACES = 200 };
    int wins = 0;
    seen s = {0};
    for (int i = 0; i < RACES; i++)
        wins += drive(i % 4, 2, 1, (uint64_t)i, names[i / 4 % 2], &s).car[i / 4 % 2].place == 1;
    assert_in_range(wins, RACES * 98 / 100, RACES);
    s = (seen){0};
    for (int i = 0; i < RACES / 2; i++)
        drive(i % 4, HP_CARS_MAX, 1, (uint64_t)i, rookies, &s);
    assert_in_range(s.spins, 1, RACES / 2 * HP_CARS_MAX / 4); /* mistakes, but not one a lap from each */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bot_finishes_on_every_circuit),
        cmocka_unit_test(the_same_seed_gives_the_same_race),
        cmocka_unit_test(hidden_cards_are_hidden),
        cmocka_unit_test(a_rookie_beats_chance_and_stays_on_the_road),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
