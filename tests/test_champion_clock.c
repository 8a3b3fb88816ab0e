/* Proves that a champion that goes by the clock keeps its time, and that a slow machine makes it look less far. The
 * clock is ours, so that nothing here depends on the machine; champion.c asks for it by this name. */
#define _POSIX_C_SOURCE 200809L
#include <time.h>

static int our_clock(clockid_t id, struct timespec *now);
#define clock_gettime our_clock
#include "bots/champion.c"
#undef clock_gettime

#include "tests/support.h"

/* It is asked once before each deal: so a step is how long a deal takes. */
static int64_t microseconds, step;

static int our_clock(clockid_t id, struct timespec *now)
{
    (void)id;
    microseconds += step;
    *now = (struct timespec){.tv_sec = (time_t)(microseconds / 1000000),
                             .tv_nsec = (long)(microseconds % 1000000) * 1000};
    return 0;
}

/* The first plan of a race, for which there are many acts. */
static hp_view first_plan(void)
{
    hp_circuit circuit;
    hp_circuit_at(0, &circuit);
    const hp_setup setup = {.track = circuit.track, .laps = 1, .cars = 2};
    hp_race race;
    hp_view view;
    hp_start(&race, &setup, NULL);
    hp_look(&race, 0, &view);
    return view;
}

/* How long it thinks, by our clock, when a deal takes so long. */
static int64_t think(champion *c, const hp_view *view, int64_t microseconds_a_deal)
{
    bot_dice dice = {3};
    step = microseconds_a_deal;
    const int64_t before = microseconds;
    const hp_act act = bot_champion.choose(c, view, &dice);
    assert_int_equal(hp_check(&view->choice, act), HP_OK);
    return microseconds - before;
}

static void it_keeps_its_time(void **state)
{
    (void)state;
    static const int64_t deals[] = {800, 3000, 30000, 150000};
    const hp_view view = first_plan();
    for (size_t i = 0; i < sizeof deals / sizeof deals[0]; i++) {
        champion c = {0};
        assert_true(bot_champion.start(&c, "200ms"));
        /* One deal beyond its time, and one question when it is over for the pace and for each of the stages. */
        assert_in_range(think(&c, &view, deals[i]), 1, 200000 + 8 * deals[i]);
    }
}

static void a_slow_machine_makes_it_look_less_far(void **state)
{
    (void)state;
    const int fast = 500, slow = 50000;
    const hp_view view = first_plan();
    champion c = {0};
    assert_true(bot_champion.start(&c, "200ms"));
    const outlook *at_first = look_ahead(&c, view.cars);
    assert_int_equal(at_first->acts, CANDIDATES);
    think(&c, &view, fast); /* a fast machine does not make it look farther */
    assert_ptr_equal(look_ahead(&c, view.cars), at_first);
    think(&c, &view, slow);
    const outlook *less = look_ahead(&c, view.cars);
    assert_int_equal(less->acts, FEW);
    assert_true(less->rounds[less->looks - 1] < at_first->rounds[at_first->looks - 1]);
    think(&c, &view, fast); /* and when the machine has time again, so has the champion */
    assert_ptr_equal(look_ahead(&c, view.cars), at_first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_keeps_its_time),
        cmocka_unit_test(a_slow_machine_makes_it_look_less_far),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
