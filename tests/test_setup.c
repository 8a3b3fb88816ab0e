/* Proves R1: the cards of a car, the piles at the start, the grid, laps and handicap. Every test is named
 * after its clause and says what would go wrong without it. */
#include "bots/bots.h"
#include "tests/support.h"

static heard_events events;

static hp_setup setup_of(const char *circuit, int cars, int laps, uint64_t seed)
{
    hp_circuit read;
    assert_true(hp_circuit_named(circuit, &read));
    hp_setup setup = {.track = read.track, .cars = (uint8_t)cars, .laps = (uint8_t)laps};
    hp_seed_of(seed, 0, setup.seed);
    return setup;
}

static hp_race started(const hp_setup *setup)
{
    hp_race race;
    const hp_listener listener = listener_of(&events);
    events.n = 0;
    assert_int_equal(hp_start(&race, setup, &listener), HP_OK);
    return race;
}

static hp_pile all_cards(const hp_car *car)
{
    return (hp_pile){car->hand.counts + car->draw.counts + car->discard.counts + car->play.counts};
}

static void assert_deck(const hp_race *race, int stress)
{
    char letters[40];
    snprintf(letters, sizeof letters, "05H111222333444%.*s", stress, "SSSSSS");
    for (int i = 0; i < race->cars; i++)
        assert_pile(all_cards(&race->car[i]), letters);
}

/* Without it a car would have other cards than its neighbour, or than the board prints. */
static void r1_1_cards_of_a_car(void **state)
{
    (void)state;
    static const char *const names[] = {"usa", "great-britain", "italy", "france"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        for (int cars = 1; cars <= HP_CARS_MAX; cars++) {
            const hp_setup setup = setup_of(names[i], cars, 2, i);
            const hp_race race = started(&setup);
            assert_int_equal(race.cars, cars);
            assert_deck(&race, 3);
            for (int car = 0; car < cars; car++)
                assert_int_equal(race.car[car].engine, 6);
        }
}

/* Without it a circuit that prints other numbers would be raced with the usual ones. */
static void r1_1_heat_and_stress_as_printed(void **state)
{
    (void)state;
    static const uint8_t heats[] = {HP_HEAT_MIN, 7, HP_HEAT_MAX};
    for (int stress = 0; stress <= HP_STRESS_MAX; stress++)
        for (size_t i = 0; i < sizeof heats; i++) {
            hp_setup setup = setup_of("usa", HP_CARS_MAX, 1, i);
            setup.track.heat = heats[i];
            setup.track.stress = (uint8_t)stress;
            const hp_race race = started(&setup);
            assert_deck(&race, stress);
            for (int car = 0; car < race.cars; car++)
                assert_int_equal(race.car[car].engine, heats[i]);
        }
}

/* Without it a car would start in another gear, with another hand, or with cards lying about. */
static void r1_2_piles_and_first_hands(void **state)
{
    (void)state;
    const hp_setup setup = setup_of("italy", 5, 2, 1);
    const hp_race race = started(&setup);
    assert_int_equal(heard_count(&events, HP_EV_DRAW), 5);
    assert_int_equal(heard_count(&events, HP_EV_RESHUFFLE), 0);
    for (int i = 0; i < race.cars; i++) {
        const hp_car *car = &race.car[i];
        assert_int_equal(car->gear, 1);
        assert_int_equal(hp_size(car->hand), 7);
        assert_int_equal(hp_size(car->draw), 11);
        assert_pile(car->discard, "-");
        assert_pile(car->play, "-");
        assert_int_equal(car->top, HP_NO_CARD);
        assert_int_equal(car->planned, 0);
        assert_int_equal(car->status, HP_RACING);

        const hp_event *drawn = heard(&events, HP_EV_DRAW, i);
        assert_int_equal(drawn->car, i);
        assert_int_equal(drawn->count, 7);
        hp_pile told = {0};
        for (int k = 0; k < drawn->count; k++)
            told.counts += UINT64_C(1) << (8 * drawn->cards[k]);
        assert_int_equal(told.counts, car->hand.counts);
    }
    assert_int_equal(race.step, HP_STEP_PLAN);
    assert_int_equal(race.round, 1);
    assert_int_equal(heard_count(&events, HP_EV_ROUND), 1);
}

/* Without shuffling some card would come too often. Each of the 18 is in a first hand with chance 7/18;
 * 12,000 hands put the mean of each card within 2 in 100 of that, more than four standard deviations. */
static void r1_2_shuffled(void **state)
{
    (void)state;
    static const int owned[HP_KINDS] = {1, 3, 3, 3, 3, 1, 1, 3};
    enum { RACES = 2000 };
    int seen[HP_KINDS] = {0};
    for (uint64_t seed = 0; seed < RACES; seed++) {
        const hp_setup setup = setup_of("usa", HP_CARS_MAX, 1, seed);
        hp_race race;
        assert_int_equal(hp_start(&race, &setup, NULL), HP_OK);
        for (int car = 0; car < race.cars; car++)
            for (int card = 0; card < HP_KINDS; card++)
                seen[card] += hp_count(race.car[car].hand, (hp_card)card);
    }
    for (int card = 0; card < HP_KINDS; card++) {
        const int per_thousand = seen[card] / (RACES * HP_CARS_MAX / 1000) / owned[card];
        assert_in_range(per_thousand, 369, 409);
    }
}

/* Without it a race could not be played again, or every race would be the same. */
static void r1_2_the_seed_decides(void **state)
{
    (void)state;
    const hp_setup setup = setup_of("france", 6, 1, 5), other = setup_of("france", 6, 1, 6);
    const hp_race race = started(&setup), again = started(&setup), another = started(&other);
    assert_memory_equal(&race, &again, sizeof race);
    int same = 0;
    for (int car = 0; car < race.cars; car++)
        same += race.car[car].hand.counts == another.car[car].hand.counts;
    assert_true(same < race.cars);
}

/* Without it more stress cards would be in the race than there are. */
static void r1_3_reserve(void **state)
{
    (void)state;
    for (int cars = 1; cars <= HP_CARS_MAX; cars++)
        for (int stress = 0; stress <= HP_STRESS_MAX; stress++) {
            hp_setup setup = setup_of("usa", cars, 1, 0);
            setup.track.stress = (uint8_t)stress;
            assert_int_equal(started(&setup).reserve, 37 - cars * stress);
        }
}

/* Without it a spin-out would be impossible, or make stress cards, when the reserve is (nearly) empty. In
 * 3rd gear two are due; six cars with six stress cards each leave one, and one more in a hand leaves none. */
static void r1_3_reserve_runs_out(void **state)
{
    (void)state;
    static const struct {
        const char *hand; /* of a car that only looks on */
        int left;
    } rows[] = {{"1112223", 1}, {"SSSSSSS", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        hp_race race = race_of(
            "tight=60,6,6,50/2 2 3 123450 react:0:45:11:4:b 56.0/3/1/1112/*/-/344 40.0/1/6/%s/*/-/- "
            "38.0/1/6/1112223/*/-/- 36.0/1/6/1112223/*/-/- 34.0/1/6/1112223/*/-/- 32.0/1/6/1112223/*/-/-",
            rows[i].hand);
        assert_int_equal(race.reserve, rows[i].left);
        play(&race, 0, "done", &events);
        const hp_event *spin = heard(&events, HP_EV_SPIN, 0);
        assert_non_null(spin);
        assert_int_equal(spin->number, rows[i].left);
        assert_int_equal(hp_count(race.car[0].hand, HP_STRESS), rows[i].left);
        assert_int_equal(hp_size(race.car[0].hand), 4 + rows[i].left);
        assert_int_equal(race.reserve, 0);
        assert_int_equal(race.car[0].gear, 1);
        assert_stands(&race, 0, 50, 0);
        play(&race, 0, "keep", &events);
        assert_int_equal(hp_size(race.car[0].hand), 7);
    }
}

/* Without it cars would start on one spot, on the wrong side of the line or not in the first slots. */
static void r1_4_grid_slots(void **state)
{
    (void)state;
    for (int cars = 1; cars <= HP_CARS_MAX; cars++) {
        const hp_setup setup = setup_of("great-britain", cars, 1, (uint64_t)cars);
        const hp_race race = started(&setup);
        unsigned placed = 0;
        assert_int_equal(heard_count(&events, HP_EV_GRID), cars);
        for (int slot = 1; slot <= cars; slot++) {
            static const int at[] = {0, -1, -1, -2, -2, -3, -3};
            const hp_event *grid = heard(&events, HP_EV_GRID, slot - 1);
            const int spot = slot % 2 == 1 ? 0 : 1;
            assert_int_equal(grid->slot, slot);
            assert_int_equal(grid->to.at, at[slot]);
            assert_int_equal(grid->to.spot, spot);
            assert_stands(&race, grid->car, at[slot], spot);
            assert_int_equal(race.order[slot - 1], grid->car);
            placed |= 1u << grid->car;
        }
        assert_int_equal(placed, (1u << cars) - 1);
    }
}

/* Without it the car with a low number would always start in front. 600 races for each number of cars:
 * a car is expected 600 / cars times in each slot, and less than half or more than double is no chance. */
static void r1_4_placed_at_random(void **state)
{
    (void)state;
    enum { RACES = 600 };
    for (int cars = 2; cars <= HP_CARS_MAX; cars++) {
        int times[HP_CARS_MAX][HP_CARS_MAX] = {{0}};
        for (uint64_t seed = 0; seed < RACES; seed++) {
            const hp_setup setup = setup_of("usa", cars, 1, seed);
            hp_race race;
            assert_int_equal(hp_start(&race, &setup, NULL), HP_OK);
            for (int slot = 0; slot < cars; slot++)
                times[race.order[slot]][slot]++;
        }
        for (int car = 0; car < cars; car++)
            for (int slot = 0; slot < cars; slot++)
                assert_in_range(times[car][slot], RACES / cars / 2, RACES / cars * 2);
    }
}

/* Without it only some of the orders on the grid would come, though every car came to every slot. */
static void r1_4_every_order_comes(void **state)
{
    (void)state;
    unsigned seen = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        const hp_setup setup = setup_of("usa", 3, 1, seed);
        hp_race race;
        assert_int_equal(hp_start(&race, &setup, NULL), HP_OK);
        seen |= 1u << (race.order[0] * 3 + race.order[1]);
    }
    assert_int_equal(__builtin_popcount(seen), 6);
}

/* Without it a race could not be set to so many laps, or would end after another number of them. */
static void r1_5_laps(void **state)
{
    (void)state;
    for (int laps = 1; laps <= HP_LAPS_MAX; laps++) {
        const hp_setup setup = setup_of("usa", 2, laps, 0);
        assert_int_equal(started(&setup).laps, laps);
        for (int lap = 0; lap <= laps; lap++) { /* over the line into each lap, by one space */
            hp_race race = race_of("usa %d 5 0 plan %d.0/1/6/1112223/*/-/-", laps, lap * 69 - 1);
            play(&race, 0, "plan 1 1", NULL);
            assert_stands(&race, 0, lap * 69, 0);
            play(&race, 0, "done", NULL);
            play(&race, 0, "keep", &events);
            assert_int_equal(race.step, lap == laps ? HP_STEP_OVER : HP_STEP_PLAN);
            assert_int_equal(heard_count(&events, HP_EV_FINISH), lap == laps);
            assert_int_equal(heard_count(&events, HP_EV_END), lap == laps);
        }
    }
}

/* Without it there would be no short race to learn the game by. Played to its end by bots. */
static void r1_5_learning_race(void **state)
{
    (void)state;
    const hp_setup setup = setup_of("usa", 4, 1, 3);
    assert_int_equal(setup.track.spaces, 69);
    hp_race race = started(&setup);
    int farthest[HP_CARS_MAX] = {0};
    bot_dice dice = {1};
    while (race.step != HP_STEP_OVER) {
        const int car = hp_to_act(&race);
        hp_choice choice;
        hp_choose_from(&race, car, &choice);
        choice.flags = 0; /* nobody retires */
        const hp_listener listener = listener_of(&events);
        events.n = 0;
        assert_int_equal(hp_apply(&race, car, bot_any(&choice, &dice), &listener), HP_OK);
        for (int i = 0; i < events.n; i++) {
            const hp_event *event = &events.event[i];
            if (event->kind == HP_EV_MOVE || event->kind == HP_EV_SPIN)
                farthest[event->car] = event->to.at;
            if (event->kind == HP_EV_FINISH)
                assert_in_range(farthest[event->car], 69, 69 + HP_SPACES_MIN);
        }
    }
    assert_int_equal(race.finished, 4);
}

/* Without it a seat could not give the others a start, or would give it to them all. */
static void r1_6_handicap(void **state)
{
    (void)state;
    hp_setup setup = setup_of("france", 6, 1, 4);
    const uint8_t handicap[HP_CARS_MAX] = {0, 1, 2, 2, 0, 1};
    memcpy(setup.handicap, handicap, sizeof handicap);
    const hp_race race = started(&setup);
    for (int car = 0; car < 6; car++)
        assert_int_equal(race.car[car].engine, 6 - handicap[car]);
    assert_deck(&race, 3); /* the upgrade stays */
}

static void bad_setup(const hp_setup *setup)
{
    hp_race race, before;
    memset(&race, 0x5a, sizeof race);
    memcpy(&before, &race, sizeof race);
    const hp_listener listener = listener_of(&events);
    events.n = 0;
    assert_int_equal(hp_start(&race, setup, &listener), HP_BAD_SETUP);
    assert_int_equal(events.n, 0);
    assert_memory_equal(&race, &before, sizeof race);
}

/* Without it a race would start that the rules do not know. */
static void r1_1_r1_5_r1_6_bad_setups_are_refused(void **state)
{
    (void)state;
    hp_setup good = setup_of("usa", 6, 2, 0);
    memset(good.seed, 0, sizeof good.seed); /* it lies behind the handicaps: no seventh one to trip over */
    static const struct {
        size_t member;
        int value;
    } rows[] = {
        {offsetof(hp_setup, cars), 0},
        {offsetof(hp_setup, cars), 7},
        {offsetof(hp_setup, cars), 255},
        {offsetof(hp_setup, laps), 0},
        {offsetof(hp_setup, laps), 10},
        {offsetof(hp_setup, handicap[0]), 3},
        {offsetof(hp_setup, handicap[5]), 3},
        {offsetof(hp_setup, track.spaces), HP_SPACES_MIN - 1},
        {offsetof(hp_setup, track.spaces), HP_SPACES_MAX + 1},
        {offsetof(hp_setup, track.heat), HP_HEAT_MIN - 1},
        {offsetof(hp_setup, track.heat), HP_HEAT_MAX + 1},
        {offsetof(hp_setup, track.stress), HP_STRESS_MAX + 1},
        {offsetof(hp_setup, track.corners), HP_CORNERS_MAX + 1},
        {offsetof(hp_setup, track.corners), 3}, /* and figures left over */
        {offsetof(hp_setup, track.corners), 5}, /* the fifth has no limit */
        {offsetof(hp_setup, track.corner[0].limit), 0},
        {offsetof(hp_setup, track.corner[3].limit), HP_LIMIT_MAX + 1},
        {offsetof(hp_setup, track.corner[3].after), 69},
        {offsetof(hp_setup, track.corner[1].after), 11}, /* two at one place */
        {offsetof(hp_setup, track.corner[1].after), 10},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        hp_setup setup = good;
        ((uint8_t *)&setup)[rows[i].member] = (uint8_t)rows[i].value;
        bad_setup(&setup);
    }
    assert_string_equal(hp_rule_of(HP_BAD_SETUP), "R1.1");
    started(&good);
}

/* Without it the Heat upgrade would be a card of its own: played, discarded, or left out of cooling. All
 * six Heat cards are in the engine, so that the one in the hand is the upgrade. */
static void r1_7_heat_upgrade_is_heat(void **state)
{
    (void)state;
    assert_int_equal(hp_class_of(HP_HEAT), HP_CLASS_HEAT);
    assert_int_equal(hp_value_of(HP_HEAT), 0);
    hp_race race = race_at("usa 1 1 0 plan 0.0/1/6/111222H/*/-/-");
    refused(&race, 0, "plan 1 H", HP_HEAT_NOT_PLAYABLE);
    assert_false(offered(&race, 0, "plan 1 H"));
    play(&race, 0, "plan 1 1", NULL);
    hp_race kept = race;

    play(&race, 0, "cool 1", NULL);
    assert_int_equal(race.car[0].engine, 7); /* it cools the engine, beyond what the engine began with */
    assert_pile(race.car[0].hand, "11222");
    play(&race, 0, "boost", NULL); /* and is paid like any other */
    assert_int_equal(race.car[0].engine, 6);
    assert_int_equal(hp_count(race.car[0].discard, HP_HEAT), 1);

    play(&kept, 0, "done", NULL);
    refused(&kept, 0, "discard H", HP_NOT_DISCARDABLE);
    assert_false(offered(&kept, 0, "discard H"));
}

/* Without it the 0 and the 5 would be of no use, or could not be thrown away. */
static void r1_7_zero_and_five_are_played_and_discarded(void **state)
{
    (void)state;
    assert_int_equal(hp_class_of(HP_ZERO), HP_CLASS_UPGRADE);
    assert_int_equal(hp_class_of(HP_FIVE), HP_CLASS_UPGRADE);
    hp_race race = race_at("usa 1 1 0 plan 0.0/1/6/1122205/*/-/-");
    hp_race other = race;
    play(&race, 0, "plan 2 0 5", NULL);
    assert_stands(&race, 0, 5, 0);
    assert_int_equal(race.turn.speed, 5);

    play(&other, 0, "plan 1 1", NULL);
    play(&other, 0, "done", NULL);
    assert_true(offered(&other, 0, "discard 0 5"));
    play(&other, 0, "discard 0 5", &events);
    assert_int_equal(heard(&events, HP_EV_DISCARD, 0)->count, 2);
    assert_int_equal(hp_count(other.car[0].discard, HP_ZERO), 1);
    assert_int_equal(hp_count(other.car[0].discard, HP_FIVE), 1);
}

/* Without it a flip would keep the 0 or the 5. They are all that is left to draw, so that they come first. */
static void r1_7_zero_and_five_are_no_speed_cards(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        hp_race race = race_at("usa 1 1 0 plan 0.0/1/6/11122SH/05/SS2333444/-");
        reseed(&race, seed);
        refused(&race, 0, "plan 1 5", HP_NOT_IN_HAND);
        play(&race, 0, "plan 1 S", &events);
        int kept = 0;
        for (int i = 0; i < heard_count(&events, HP_EV_FLIP); i++) {
            const hp_event *flip = heard(&events, HP_EV_FLIP, i);
            const int card = flip->cards[0];
            if (i < 2)
                assert_true(card == HP_ZERO || card == HP_FIVE);
            assert_int_equal(flip->kept, card >= HP_ONE && card <= HP_FOUR);
            kept += flip->kept;
        }
        assert_int_equal(kept, 1);
        assert_in_range(race.turn.speed, 1, 4);
        assert_int_equal(hp_count(race.car[0].play, HP_ZERO) + hp_count(race.car[0].play, HP_FIVE), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(r1_1_cards_of_a_car),
        cmocka_unit_test(r1_1_heat_and_stress_as_printed),
        cmocka_unit_test(r1_2_piles_and_first_hands),
        cmocka_unit_test(r1_2_shuffled),
        cmocka_unit_test(r1_2_the_seed_decides),
        cmocka_unit_test(r1_3_reserve),
        cmocka_unit_test(r1_3_reserve_runs_out),
        cmocka_unit_test(r1_4_grid_slots),
        cmocka_unit_test(r1_4_placed_at_random),
        cmocka_unit_test(r1_4_every_order_comes),
        cmocka_unit_test(r1_5_laps),
        cmocka_unit_test(r1_5_learning_race),
        cmocka_unit_test(r1_6_handicap),
        cmocka_unit_test(r1_1_r1_5_r1_6_bad_setups_are_refused),
        cmocka_unit_test(r1_7_heat_upgrade_is_heat),
        cmocka_unit_test(r1_7_zero_and_five_are_played_and_discarded),
        cmocka_unit_test(r1_7_zero_and_five_are_no_speed_cards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
