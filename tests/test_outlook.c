/* Proves hp_expect: what cards that are turned over (R4.2, R6.3) may lead to, and how likely each of it is. */
#include "support.h"

#include "bots/bots.h"

#define TRACK "v=40,6,3,10/4"

typedef struct {
    int speed, weight, price, engine, at;
    bool spins;
    int crossed, pays; /* lines; and at the last of them */
} expected;

static void assert_prospect(const hp_prospect *seen, const expected *e)
{
    assert_int_equal(seen->weight, e->weight);
    assert_int_equal(seen->outcome.speed, e->speed);
    assert_int_equal(seen->outcome.price, e->price);
    assert_int_equal(seen->outcome.engine, e->engine);
    assert_int_equal(seen->outcome.to.at, e->at);
    assert_int_equal(seen->outcome.spins, e->spins);
    assert_int_equal(seen->crossed, e->crossed);
    if (e->crossed > 0) {
        assert_int_equal(seen->crossing[e->crossed - 1].pays, e->pays);
        assert_int_equal(seen->crossing[e->crossed - 1].limit, 4);
    }
}

typedef struct {
    const char *position, *act;
    int shift, flips, n;
    expected prospect[6];
} outlook_case;

static void assert_outlooks(const outlook_case *cases, int n)
{
    for (int i = 0; i < n; i++) {
        const hp_race race = race_at(cases[i].position);
        hp_view view;
        hp_outlook seen;
        hp_look(&race, 0, &view);
        memset(&seen, 0xa5, sizeof seen);
        hp_expect(&view, act_of(cases[i].act), &seen);
        assert_int_equal(seen.shift, cases[i].shift);
        assert_int_equal(seen.flips, cases[i].flips);
        assert_int_equal(seen.prospects, cases[i].n);
        uint64_t weights = 0;
        for (int k = 0; k < cases[i].n; k++) {
            assert_prospect(&seen.prospect[k], &cases[i].prospect[k]);
            assert_false(seen.prospect[k].outcome.chance);
            weights += seen.prospect[k].weight;
        }
        assert_int_equal(seen.weights, weights);
        const hp_outcome without = hp_foresee(&view, act_of(cases[i].act));
        assert_memory_equal(&seen.without.outcome, &without, sizeof without);
    }
}

/* Without it a screen would give odds that cards in hand, in sight or turned over before make impossible. */
static void r4_2_stress_by_hand(void **state)
{
    (void)state;
    static const outlook_case cases[] = {
        /* a 1, a 2, a 3 and three 4 are left, and the corner line lies behind space 10 */
        {TRACK " 1 9 0 plan 8.0/1/6/112233S/*/-/-",
         "plan 1 S",
         0,
         1,
         4,
         {{1, 1, 0, 6, 9, false, 0, 0},
          {2, 1, 0, 6, 10, false, 0, 0},
          {3, 1, 0, 6, 11, false, 1, 0},
          {4, 3, 0, 6, 12, false, 1, 0}}},
        /* of 1, 2, 3, 3, 4, 4, 4 two: 21 pairs */
        {TRACK " 1 9 0 plan 15.0/1/6/11223SS/*/-/-",
         "plan 2 S S",
         0,
         2,
         6,
         {{3, 1, 0, 6, 18, false, 0, 0},
          {4, 2, 0, 6, 19, false, 0, 0},
          {5, 5, 0, 6, 20, false, 0, 0},
          {6, 4, 0, 6, 21, false, 0, 0},
          {7, 6, 0, 6, 22, false, 0, 0},
          {8, 3, 0, 6, 23, false, 0, 0}}},
        /* what lies on the discard pile does not come before the draw pile is used up */
        {TRACK " 1 9 0 plan 15.0/1/6/112233S/123405HSS/44/-",
         "plan 1 S",
         0,
         1,
         4,
         /* a 4 in sight; of ten unseen cards five are speed, and nine of the ten are drawn from first: there is
          * always one among them */
         {{1, 1, 0, 6, 16, false, 0, 0},
          {2, 1, 0, 6, 17, false, 0, 0},
          {3, 1, 0, 6, 18, false, 0, 0},
          {4, 2, 0, 6, 19, false, 0, 0}}},
        /* R3.4: a cluttered car turns nothing over */
        {TRACK " 1 9 0 plan 8.0/2/2/1SHHHHH/*/-/-", "plan 3 1 S H", 0, 0, 0, {{0}}},
    };
    assert_outlooks(cases, sizeof cases / sizeof *cases);
}

/* Without it the card on top of the discard pile would seem out of play when it is about to be shuffled in. */
static void r10_2_the_discard_pile_may_be_shuffled_in(void **state)
{
    (void)state;
    static const outlook_case cases[] = {
        /* nothing to draw from: all of 1, 2, 3, 4, 4 and the 4 on top */
        {TRACK " 1 9 0 plan 15.0/1/6/112233S/-/123405HSS44/-",
         "plan 1 S",
         0,
         1,
         4,
         {{1, 1, 0, 6, 16, false, 0, 0},
          {2, 1, 0, 6, 17, false, 0, 0},
          {3, 1, 0, 6, 18, false, 0, 0},
          {4, 3, 0, 6, 19, false, 0, 0}}},
        /* one card to draw from, by half a speed card: 1/2 * 1/5 + 1/2 * 1/6 = 11/60 for a 1 */
        {TRACK " 1 9 0 plan 15.0/1/6/112233S/0/12345HSS44/-",
         "plan 1 S",
         0,
         1,
         4,
         {{1, 11, 0, 6, 16, false, 0, 0},
          {2, 11, 0, 6, 17, false, 0, 0},
          {3, 11, 0, 6, 18, false, 0, 0},
          {4, 27, 0, 6, 19, false, 0, 0}}},
        /* and it does not matter what it really is */
        {TRACK " 1 9 0 plan 15.0/1/6/112233S/3/12045HSS44/-",
         "plan 1 S",
         0,
         1,
         4,
         {{1, 11, 0, 6, 16, false, 0, 0},
          {2, 11, 0, 6, 17, false, 0, 0},
          {3, 11, 0, 6, 18, false, 0, 0},
          {4, 27, 0, 6, 19, false, 0, 0}}},
    };
    assert_outlooks(cases, sizeof cases / sizeof *cases);
}

/* Without it a boost before a corner would look cheaper than it is. */
static void r6_3_r8_2_a_boost_by_hand(void **state)
{
    (void)state;
    static const outlook_case cases[] = {
        /* one Heat is left for the corner behind it: whatever is above 1 spins it out */
        {TRACK " 1 9 0 react:0:8:4:4:cb 12.0/1/2/112233/*/-/4",
         "boost",
         0,
         1,
         4,
         {{5, 1, 2, 0, 13, false, 1, 1},
          {6, 1, 2, 0, 10, true, 1, 1},
          {7, 1, 2, 0, 10, true, 1, 1},
          {8, 2, 2, 0, 10, true, 1, 1}}},
        /* R4.7: two cars in the space ahead shorten the way, not the speed */
        {TRACK " 1 9 120 react:0:15:4:4:cb 19.0/1/6/112233/*/-/4 20.0/1/6/1122334/*/-/- "
               "20.1/1/6/1122334/*/-/-",
         "boost",
         0,
         1,
         4,
         {{5, 1, 1, 5, 19, false, 0, 0},
          {6, 1, 1, 5, 21, false, 0, 0},
          {7, 1, 1, 5, 22, false, 0, 0},
          {8, 2, 1, 5, 23, false, 0, 0}}},
    };
    assert_outlooks(cases, sizeof cases / sizeof *cases);
}

/* Without it a screen could not say what a plan costs, and where. */
static void r3_2_r8_1_prices_apart(void **state)
{
    (void)state;
    static const struct {
        const char *position, *act;
        int shift, crossed, pays, price;
    } cases[] = {
        {TRACK " 1 9 0 plan 8.0/1/6/1122334/*/-/-", "plan 3 1 2 4", 1, 1, 3, 4},
        {TRACK " 1 9 0 plan 8.0/1/6/1122334/*/-/-", "plan 2 2 4", 0, 1, 2, 2},
        {TRACK " 1 9 0 plan 8.0/1/3/1122334/*/-/-", "plan 3 1 2 4", 1, 1, 2,
         3}, /* all there is: it spins out */
        {TRACK " 1 9 0 plan 8.0/1/6/1122334/*/-/-", "plan 1 2", 0, 0, 0, 0},
        {TRACK " 1 9 0 plan 8.0/1/6/112233S/*/-/-", "plan 3 1 2 S", 1, 1, 0,
         1}, /* without what the S gives */
        {TRACK " 1 9 0 react:0:9:7:4:cba 12.0/1/1/112HHH/*/-/4", "cool 2", 0, 1, 3, 3},
        {TRACK " 1 9 0 react:0:7:4:4:cbam 11.0/1/6/112233/*/-/4", "adrenaline move", 0, 1, 1, 1},
        {TRACK " 1 9 10 slip:0:6:5:4 9.0/1/6/112233/*/-/4 10.0/1/6/1122334/*/-/-", "slip", 0, 1, 1, 1},
        {TRACK " 1 9 10 slip:0:6:5:4 9.0/1/6/112233/*/-/4 10.0/1/6/1122334/*/-/-", "stay", 0, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const hp_race race = race_at(cases[i].position);
        hp_view view;
        hp_outlook seen;
        hp_look(&race, 0, &view);
        hp_expect(&view, act_of(cases[i].act), &seen);
        assert_int_equal(seen.shift, cases[i].shift);
        assert_int_equal(seen.without.crossed, cases[i].crossed);
        if (cases[i].crossed > 0) {
            assert_int_equal(seen.without.crossing[0].corner, 0);
            assert_int_equal(seen.without.crossing[0].limit, 4);
            assert_int_equal(seen.without.crossing[0].pays, cases[i].pays);
        }
        assert_int_equal(seen.without.outcome.price, cases[i].price);
    }
}

/* ---- Against races that are played -------------------------------------------------------------- */

enum { GUESSES = 1000 };

static int situations, shuffled_in, spun, several;

/* Plays an act in a race and then nothing more up to the discard; the speed. What came must be what was foreseen
 * for that speed. */
static int play_and_compare(hp_race *race, int car, hp_act act, const hp_outlook *seen, int *which)
{
    static heard_events events;
    const hp_listener listener = listener_of(&events);
    events.n = 0;
    assert_int_equal(hp_apply(race, car, act, &listener), HP_OK);
    while (race->step == HP_STEP_REACT || race->step == HP_STEP_SLIP)
        assert_int_equal(
            hp_apply(race, car, act_of(race->step == HP_STEP_REACT ? "done" : "stay"), &listener), HP_OK);
    assert_int_equal(race->step, HP_STEP_DISCARD);
    const int speed = race->turn.speed;
    *which = 0;
    while (*which < seen->prospects && seen->prospect[*which].outcome.speed != speed)
        ++*which;
    assert_true(*which < seen->prospects);
    const hp_prospect *p = &seen->prospect[*which];
    assert_stands(race, car, p->outcome.to.at, p->outcome.to.spot);
    assert_int_equal(race->car[car].engine, p->outcome.engine);
    assert_int_equal(race->car[car].gear, p->outcome.gear);
    assert_int_equal(heard_count(&events, HP_EV_SPIN), p->outcome.spins);
    assert_int_equal(heard_count(&events, HP_EV_CORNER), p->crossed);
    for (int i = 0; i < p->crossed; i++) {
        const hp_event *corner = heard(&events, HP_EV_CORNER, i);
        assert_int_equal(corner->corner, p->crossing[i].corner);
        assert_int_equal(corner->limit, p->crossing[i].limit);
        assert_int_equal(corner->paid, p->crossing[i].pays);
    }
    spun += p->outcome.spins;
    for (int i = 0; i < events.n; i++)
        shuffled_in += events.event[i].kind == HP_EV_RESHUFFLE && events.event[i].car == car;
    return speed;
}

/* Deals many races that look the same and plays the act in each of them. */
static void deal_and_compare(const hp_race *race, int car, hp_act act, unsigned number)
{
    hp_view view;
    hp_outlook seen;
    hp_look(race, car, &view);
    hp_expect(&view, act, &seen);
    if (seen.flips == 0)
        return;
    assert_true(seen.weights < UINT64_C(1) << 53);
    int found[HP_PROSPECTS_MAX] = {0};
    for (int i = 0; i < GUESSES; i++) {
        uint8_t seed[HP_SEED_BYTES];
        hp_race guess;
        int which;
        hp_seed_of(number, (uint64_t)i, seed);
        hp_guess(&view, seed, &guess);
        play_and_compare(&guess, car, act, &seen, &which);
        found[which]++;
    }
    situations++;
    several += seen.flips > 1;
    for (int i = 0; i < seen.prospects; i++) {
        const double part = (double)seen.prospect[i].weight / (double)seen.weights;
        const double off = found[i] - GUESSES * part;
        assert_true(off * off <= 25 * GUESSES * part * (1 - part) + 4); /* five standard deviations */
    }
}

/* One act that turns cards over, of the car to act, where what it leads to depends on nobody else. */
static void compare_one(const hp_race *race, unsigned number)
{
    const int car = hp_to_act(race);
    hp_choice choice;
    hp_act acts[HP_ACTS_MAX];
    if (car < 0 || race->finished + race->retired > 0 ||
        (race->step != HP_STEP_PLAN && race->step != HP_STEP_REACT))
        return;
    if (race->step == HP_STEP_PLAN && ((race->waiting & (race->waiting - 1)) != 0 || race->order[0] != car))
        return; /* it would not be the next to move */
    hp_choose_from(race, car, &choice);
    const int n = hp_acts(&choice, acts);
    for (int i = 0; i < n; i++) {
        const hp_act act = acts[((unsigned)i + number) % (unsigned)n];
        bool turns = act.kind == HP_BOOST;
        for (int k = 0; act.kind == HP_PLAN && k < act.number; k++)
            turns |= act.cards[k] == HP_STRESS;
        if (turns) {
            deal_and_compare(race, car, act, number);
            return;
        }
    }
}

static void race_through(unsigned number)
{
    hp_circuit circuit;
    hp_circuit_at((int)number % hp_circuits(), &circuit);
    hp_setup setup = {.track = circuit.track, .laps = 1, .cars = (uint8_t)(1 + number % 3)};
    hp_seed_of(31, number, setup.seed);
    bot_dice dice = {number};
    hp_race race;
    assert_int_equal(hp_start(&race, &setup, NULL), HP_OK);
    for (unsigned n = 1000 * number; hp_to_act(&race) >= 0; n++) {
        const int car = hp_to_act(&race);
        hp_choice choice;
        compare_one(&race, n);
        hp_choose_from(&race, car, &choice);
        assert_int_equal(hp_apply(&race, car, bot_any(&choice, &dice), NULL), HP_OK);
    }
}

/* Without it the odds would be right in the cases that somebody thought of. */
static void r4_2_r6_3_r8_odds_are_those_of_races_that_look_the_same(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 8; n++)
        race_through(n);
    assert_true(situations > 100);
    assert_true(several > 10);
    assert_true(shuffled_in > 1000);
    assert_true(spun > 1000);
}

/* Without it sums might run over: the largest deck there is, and all kinds of speed cards on the discard pile. */
static void r4_2_r10_2_the_largest_deck(void **state)
{
    (void)state;
    const hp_race race =
        race_at("v=40,19,6,10/4 1 9 0 plan 15.0/3/0/SSSSSSS/HHHHHHHHHHSSSSSSSSSSSSSSS05111222/"
                "HHHHHHHHHHSSSSSSSSSSSSSSS333444/-");
    deal_and_compare(&race, 0, act_of("plan 2 S S"), 2);
    deal_and_compare(&race, 0, act_of("plan 3 S S S"), 3);
    deal_and_compare(&race, 0, act_of("plan 4 S S S S"), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(r4_2_stress_by_hand),
        cmocka_unit_test(r10_2_the_discard_pile_may_be_shuffled_in),
        cmocka_unit_test(r6_3_r8_2_a_boost_by_hand),
        cmocka_unit_test(r3_2_r8_1_prices_apart),
        cmocka_unit_test(r4_2_r6_3_r8_odds_are_those_of_races_that_look_the_same),
        cmocka_unit_test(r4_2_r10_2_the_largest_deck),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
