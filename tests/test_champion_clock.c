/* Proves that a champion that goes by the clock keeps its time, and that a slow machine makes it look less far. The
 * clock is ours, so that nothing here depends on the machine; champion.c asks for it, and plays out, by these names. */
#define _POSIX_C_SOURCE 200809L
#include "bots/playout.h"
#include <time.h>

static int our_clock(clockid_t id, struct timespec *now);
static void our_playouts(const hp_view *view, const hp_memory *memory, const hp_act *acts, int n,
                         const int *rounds, int looks, bot_dice *dice, int *worth);
#define clock_gettime our_clock
#define bot_play_out_looks our_playouts
#include "bots/champion.c"
#undef clock_gettime
#undef bot_play_out_looks

#include "tests/support.h"

/* The most rounds and the most acts that it wanted to see; and how far the look went that saw the fewest. */
static int farthest, most_acts, nearest;

/* What the clock shows, and how long a deal takes; nothing else takes any time. */
static int64_t microseconds, step;

static void our_playouts(const hp_view *view, const hp_memory *memory, const hp_act *acts, int n,
                         const int *rounds, int looks, bot_dice *dice, int *worth)
{
    farthest = rounds[looks - 1] > farthest ? rounds[looks - 1] : farthest;
    nearest = rounds[looks - 1] < nearest ? rounds[looks - 1] : nearest;
    most_acts = n > most_acts ? n : most_acts;
    microseconds += step;
    bot_play_out_looks(view, memory, acts, n, rounds, looks, dice, worth);
}

static int our_clock(clockid_t id, struct timespec *now)
{
    (void)id;
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
        /* One deal beyond its time, which it counts in whole milliseconds. */
        assert_in_range(think(&c, &view, deals[i]), 1, 200999 + deals[i]);
    }
}

static void a_slow_machine_makes_it_look_less_far(void **state)
{
    (void)state;
    const hp_view view = first_plan();
    champion c = {0};
    assert_true(bot_champion.start(&c, "300ms"));
    static const struct {
        int microseconds_a_deal, rounds;
    } machines[] = {{200, 6}, {20000, 4}, {200, 6}}; /* and as far as before, when it has time again */
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        farthest = 0;
        think(&c, &view, machines[i].microseconds_a_deal);
        assert_int_equal(farthest, machines[i].rounds);
    }
}

static void with_plenty_it_never_looks_less_than_six_rounds_ahead(void **state)
{
    (void)state;
    const hp_view view = first_plan();
    static const struct {
        const char *budget;
        int rounds;
    } budgets[] = {{"399ms", 4}, {"400ms", 6}, {"5999", 4}, {"6000", 6}}; /* in a race of two */
    for (size_t i = 0; i < sizeof budgets / sizeof budgets[0]; i++) {
        champion c = {0};
        assert_true(bot_champion.start(&c, budgets[i].budget));
        nearest = INT32_MAX;
        think(&c, &view, 500);
        assert_int_equal(nearest, budgets[i].rounds);
    }
}

static void with_little_time_it_tries_fewer_acts(void **state)
{
    (void)state;
    const hp_view view = first_plan();
    static const struct {
        const char *budget;
        int acts;
    } budgets[] = {{"10ms", FEW}, {"200ms", CANDIDATES}, {"300", FEW}, {"3000", CANDIDATES}};
    for (size_t i = 0; i < sizeof budgets / sizeof budgets[0]; i++) {
        champion c = {0};
        assert_true(bot_champion.start(&c, budgets[i].budget));
        most_acts = 0;
        think(&c, &view, 500);
        assert_int_equal(most_acts, budgets[i].acts);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_keeps_its_time),
        cmocka_unit_test(a_slow_machine_makes_it_look_less_far),
        cmocka_unit_test(with_plenty_it_never_looks_less_than_six_rounds_ahead),
        cmocka_unit_test(with_little_time_it_tries_fewer_acts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
