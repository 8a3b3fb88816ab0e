/* Proves R8, the corner check, and R11, how Heat is paid; and R1.3, the stress that a spin-out takes. */
#include "support.h"

#include "bots/bots.h"

/* Three corner lines on a lap of 40: after space 10 (limit 4), 14 (limit 3) and 30 (limit 2). */
#define THREE "three=40,6,3,10/4,14/3,30/2"
/* One that lies across the start line. */
#define AT_LINE "x=30,6,3,29/4"

/* A turn of car 0 up to its corner check. */
typedef struct {
    const char *circuit;
    int laps;
    int began;
    int speed;
    const char *place; /* where the reaction left it */
    int gear;          /* 0 is 1 */
    int engine;
    const char *others[HP_CARS_MAX - 1]; /* where cars stand that had their turns before */
} turn;

/* The race after the check; events hold what it told. */
static hp_race checked(turn t, heard_events *events)
{
    static const char *const hands[] = {"", "1123SH", "1123S", "112S", "11S"};
    static const char *const plays[] = {"", "4", "34", "334", "2334"};
    char others[HP_POSITION_TEXT] = "";
    char order[HP_CARS_MAX + 1] = "";
    size_t length = 0;
    int n = 0;
    for (; n < HP_CARS_MAX - 1 && t.others[n] != NULL; n++) {
        length +=
            (size_t)snprintf(others + length, sizeof others - length, " %s/1/6/1122334/*/-/-", t.others[n]);
        order[n] = (char)('1' + n);
    }
    const int gear = t.gear > 0 ? t.gear : 1;
    hp_race race =
        race_of("%s %d 7 %s0 react:0:%d:%d:4:a %s/%d/%d/%s/*/-/%s%s", t.circuit, t.laps > 0 ? t.laps : 1,
                order, t.began, t.speed, t.place, gear, t.engine, hands[gear], plays[gear], others);
    play(&race, 0, "done", events);
    if (race.step == HP_STEP_SLIP) {
        assert_null(heard(events, HP_EV_CORNER, 0)); /* the check comes after the slipstream */
        play(&race, 0, "stay", events);
    }
    assert_int_equal(race.step, HP_STEP_DISCARD);
    return race;
}

static void assert_corner(const heard_events *events, int i, int corner, int speed, int limit, int paid)
{
    const hp_event *event = heard(events, HP_EV_CORNER, i);
    assert_non_null(event);
    assert_int_equal(event->car, 0);
    assert_int_equal(event->corner, corner);
    assert_int_equal(event->speed, speed);
    assert_int_equal(event->limit, limit);
    assert_int_equal(event->paid, paid);
}

static void assert_spin(const heard_events *events, int corner, int stress, int to, int spot)
{
    assert_int_equal(heard_count(events, HP_EV_SPIN), 1);
    const hp_event *event = heard(events, HP_EV_SPIN, 0);
    assert_int_equal(event->car, 0);
    assert_int_equal(event->corner, corner);
    assert_int_equal(event->number, stress);
    assert_int_equal(event->to.at, to);
    assert_int_equal(event->to.spot, spot);
}

/* Without it corners would be free, or cost even for those who keep to the limit. */
static void r8_1_pays_what_the_speed_is_above_the_limit(void **state)
{
    (void)state;
    static const struct {
        int speed, paid;
    } cases[] = {{0, 0}, {3, 0}, {4, 0}, {5, 1}, {6, 2}, {10, 6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        heard_events events = {0};
        const turn t = {.circuit = THREE, .began = 8, .speed = cases[i].speed, .place = "12.1", .engine = 6};
        const hp_race race = checked(t, &events);
        assert_int_equal(heard_count(&events, HP_EV_CORNER), 1);
        assert_corner(&events, 0, 0, cases[i].speed, 4, cases[i].paid);
        assert_null(heard(&events, HP_EV_SPIN, 0));
        assert_int_equal(race.car[0].engine, 6 - cases[i].paid);
        assert_int_equal(hp_count(race.car[0].discard, HP_HEAT), cases[i].paid);
        assert_stands(&race, 0, 12, 1); /* it stays where it is */
    }
}

/* Without it a line would count by where it is drawn and not by who crosses it: it lies behind its space. */
static void r8_1_line_lies_between_its_space_and_the_next(void **state)
{
    (void)state;
    static const struct {
        int began;
        const char *place;
        int crossed;
    } cases[] = {
        {6, "10.0", 0},  {6, "11.0", 1},  {10, "11.0", 1}, {11, "13.0", 0},
        {10, "10.1", 0}, {11, "14.0", 0}, {11, "15.0", 1}, {30, "31.0", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        heard_events events = {0};
        const turn t = {
            .circuit = THREE, .began = cases[i].began, .speed = 5, .place = cases[i].place, .engine = 6};
        const hp_race race = checked(t, &events);
        assert_int_equal(heard_count(&events, HP_EV_CORNER), cases[i].crossed);
        assert_int_equal(race.car[0].engine == 6, cases[i].crossed == 0);
    }
}

/* Without it only one of two corners would be paid, or in the order of their numbers. */
static void r8_1_two_corners_are_paid_in_the_order_crossed(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race =
        checked((turn){.circuit = THREE, .began = 9, .speed = 5, .place = "16.0", .engine = 6}, &events);
    assert_int_equal(heard_count(&events, HP_EV_CORNER), 2);
    assert_corner(&events, 0, 0, 5, 4, 1);
    assert_corner(&events, 1, 1, 5, 3, 2);
    assert_int_equal(race.car[0].engine, 3);

    const turn over_the_line = {
        .circuit = THREE, .laps = 2, .began = 29, .speed = 5, .place = "52.0", .engine = 6};
    race = checked(over_the_line, &events);
    assert_int_equal(heard_count(&events, HP_EV_CORNER), 2);
    assert_corner(&events, 0, 2, 5, 2, 3);
    assert_corner(&events, 1, 0, 5, 4, 1);
    assert_int_equal(race.car[0].engine, 2);
}

/* Without it a car on the grid or on a later lap would cross other lines than those on its way. */
static void r8_1_lines_are_those_on_the_way_on_every_lap(void **state)
{
    (void)state;
    static const struct {
        int began;
        const char *place;
        int n, first;
    } cases[] = {
        {-4, "10.0", 0, 0}, {-4, "11.0", 1, 0}, {36, "45.0", 0, 0}, {36, "51.0", 1, 0},
        {50, "55.0", 2, 0}, {54, "55.0", 1, 1}, {70, "71.0", 1, 2}, {-10, "2.0", 1, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        heard_events events = {0};
        checked((turn){.circuit = THREE,
                       .laps = 3,
                       .began = cases[i].began,
                       .speed = 1,
                       .place = cases[i].place,
                       .engine = 6},
                &events);
        assert_int_equal(heard_count(&events, HP_EV_CORNER), cases[i].n);
        if (cases[i].n > 0)
            assert_int_equal(heard(&events, HP_EV_CORNER, 0)->corner, cases[i].first);
    }
}

/* Without it paying the last Heat would already be a spin-out. */
static void r8_2_the_last_heat_may_be_paid(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race =
        checked((turn){.circuit = THREE, .began = 9, .speed = 5, .place = "16.0", .engine = 3}, &events);
    assert_null(heard(&events, HP_EV_SPIN, 0));
    assert_int_equal(race.car[0].engine, 0);
    assert_stands(&race, 0, 16, 0);

    race = checked((turn){.circuit = THREE, .began = 9, .speed = 4, .place = "12.0", .engine = 0}, &events);
    assert_null(heard(&events, HP_EV_SPIN, 0)); /* an empty engine is enough at the limit */
    assert_stands(&race, 0, 12, 0);
}

/* Without it a car that spun out before the second corner would pay for it all the same. */
static void r8_2_spins_at_first_corner_second_not_checked(void **state)
{
    (void)state;
    heard_events events = {0};
    const turn t = {.circuit = THREE, .began = 9, .speed = 7, .place = "16.0", .engine = 2};
    const hp_race race = checked(t, &events);
    assert_int_equal(heard_count(&events, HP_EV_CORNER), 1);
    assert_corner(&events, 0, 0, 7, 4, 2);
    assert_spin(&events, 0, 1, 10, 0);
    assert_stands(&race, 0, 10, 0);
    assert_int_equal(race.car[0].engine, 0);
}

/* Without it a spin-out at the second corner would throw the car back before the first, or refund it. */
static void r8_2_spins_at_second_corner_first_paid(void **state)
{
    (void)state;
    heard_events events = {0};
    const turn t = {.circuit = THREE, .began = 9, .speed = 5, .place = "16.0", .engine = 2};
    const hp_race race = checked(t, &events);
    assert_int_equal(heard_count(&events, HP_EV_CORNER), 2);
    assert_corner(&events, 0, 0, 5, 4, 1);
    assert_corner(&events, 1, 1, 5, 3, 1);
    assert_spin(&events, 1, 1, 14, 0);
    assert_stands(&race, 0, 14, 0);
    assert_int_equal(race.car[0].engine, 0);
    assert_int_equal(hp_count(race.car[0].discard, HP_HEAT), 2);
}

/* Without it a car that cannot pay the whole difference would pay nothing. */
static void r8_2_pays_all_it_has(void **state)
{
    (void)state;
    for (int engine = 0; engine <= 5; engine++) {
        heard_events events = {0};
        const turn t = {.circuit = THREE, .began = 9, .speed = 10, .place = "12.0", .engine = engine};
        const hp_race race = checked(t, &events);
        assert_corner(&events, 0, 0, 10, 4, engine);
        assert_spin(&events, 0, 1, 10, 0);
        assert_int_equal(race.car[0].engine, 0);
        assert_int_equal(hp_count(race.car[0].discard, HP_HEAT), engine);
        assert_int_equal(race.car[0].top, engine > 0 ? HP_HEAT : HP_NO_CARD);
    }
}

/* Without it a spinning car would land on another one, off the race line, or not before its own start. */
static void r8_2_spins_to_the_first_free_space_before_the_line(void **state)
{
    (void)state;
    static const struct {
        int began;
        const char *others[HP_CARS_MAX - 1];
        int to, spot;
    } cases[] = {
        {8, {NULL}, 10, 0},
        {8, {"10.1"}, 10, 0},
        {8, {"10.0"}, 10, 1},
        {8, {"10.0", "10.1"}, 9, 0},
        {8, {"10.0", "10.1", "9.0"}, 9, 1},
        {8, {"50.0", "10.1"}, 9, 0},                      /* R4.5: a lapped car takes the spot, too */
        {8, {"10.0", "10.1", "9.0", "9.1"}, 8, 0},        /* where its turn began */
        {8, {"10.0", "10.1", "9.0", "9.1", "8.0"}, 8, 1}, /* beside another */
        {10, {NULL}, 10, 0},                              /* where its turn began, at the line itself */
        {10, {"10.1"}, 10, 0},
        {10, {"10.0"}, 10, 1},
        {9, {"10.0", "10.1", "9.0", "9.1"}, 8, 0}, /* behind where its turn began */
        {10, {"10.0", "10.1", "9.0", "9.1", "8.1"}, 8, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        heard_events events = {0};
        turn t = {
            .circuit = THREE, .laps = 2, .began = cases[i].began, .speed = 5, .place = "12.1", .engine = 0};
        memcpy(t.others, cases[i].others, sizeof t.others);
        hp_race race = checked(t, &events);
        assert_spin(&events, 0, 1, cases[i].to, cases[i].spot);
        assert_stands(&race, 0, cases[i].to, cases[i].spot);
        /* The road knows: another race read from the same places has the same spots taken. */
        char text[HP_POSITION_TEXT];
        hp_position_write(&race, "three", text, sizeof text);
        const hp_race again = race_at(text);
        assert_memory_equal(race.taken, again.taken, sizeof race.taken);
    }
}

/* Without it spinning out would cost no stress, the same in every gear, or keep the gear. */
static void r8_2_stress_into_the_hand_by_gear_and_first_gear(void **state)
{
    (void)state;
    static const int stress[] = {0, 1, 1, 2, 2};
    for (int gear = 1; gear <= HP_GEARS; gear++) {
        heard_events events = {0};
        const turn t = {.circuit = THREE, .began = 9, .speed = 5, .place = "12.0", .gear = gear, .engine = 0};
        const hp_race race = checked(t, &events);
        assert_spin(&events, 0, stress[gear], 10, 0);
        assert_int_equal(hp_count(race.car[0].hand, HP_STRESS), 1 + stress[gear]);
        assert_int_equal(race.reserve, 37 - 3 - stress[gear]);
        assert_int_equal(race.car[0].gear, 1);
        assert_int_equal(hp_size(race.car[0].discard), 0); /* not there */
        assert_int_equal(hp_size(race.car[0].hand), 7 - gear + stress[gear]);
    }
}

/* Without it paying at the limit of the engine would shift down, too. */
static void r8_2_no_spin_out_keeps_gear_and_takes_no_stress(void **state)
{
    (void)state;
    heard_events events = {0};
    const turn t = {.circuit = THREE, .began = 9, .speed = 10, .place = "12.0", .gear = 4, .engine = 6};
    const hp_race race = checked(t, &events);
    assert_int_equal(race.car[0].gear, 4);
    assert_int_equal(hp_count(race.car[0].hand, HP_STRESS), 1);
    assert_int_equal(race.reserve, 37 - 3);
}

/* Without the ruling the supply would never end, or the count of the reserve would wrap around. */
static void r1_3_takes_what_is_left_in_the_reserve(void **state)
{
    (void)state;
    static const struct {
        int gear, left, takes;
    } cases[] = {{1, 2, 1}, {1, 1, 1}, {1, 0, 0}, {3, 2, 2}, {3, 1, 1}, {3, 0, 0}, {4, 1, 1}, {4, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        heard_events events = {0};
        char owned[HP_STRESS_SUPPLY] = "";
        const char *cards = cases[i].gear == 1   ? "1123SH/*/-/4"
                            : cases[i].gear == 3 ? "112S/*/-/334"
                                                 : "11S/*/-/2334";
        memset(owned, 'S', (size_t)(HP_STRESS_SUPPLY - 3 - cases[i].left));
        hp_race race = race_of(THREE " 1 7 10 react:0:9:5:4:a 12.0/%d/0/%s 20.0/1/6/1122334/*/%s/-",
                               cases[i].gear, cards, owned);
        assert_int_equal(race.reserve, cases[i].left);
        play(&race, 0, "done", &events);
        assert_spin(&events, 0, cases[i].takes, 10, 0);
        assert_int_equal(race.reserve, cases[i].left - cases[i].takes);
        assert_int_equal(hp_count(race.car[0].hand, HP_STRESS), 1 + cases[i].takes);
        assert_int_equal(race.car[0].gear, 1);
    }
}

/* Without it a car thrown back over the start line would keep the lap that it has not driven. */
static void r8_4_spin_out_back_over_the_start_line_takes_the_lap(void **state)
{
    (void)state;
    static const struct {
        int began;
        const char *place;
        const char *others[HP_CARS_MAX - 1];
        int to, lap, space;
    } cases[] = {
        {36, "41.0", {NULL}, 38, 0, 38},
        {-4, "1.0", {NULL}, -2, -1, 38}, /* back onto the grid: lap 1 has not started */
        {78, "83.0", {NULL}, 78, 1, 38},
        {36, "41.0", {"38.0", "-2.1", "37.0", "77.1"}, 36, 0, 36},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        heard_events events = {0};
        turn t = {.circuit = "late=40,6,3,38/4",
                  .laps = 3,
                  .began = cases[i].began,
                  .speed = 5,
                  .place = cases[i].place,
                  .engine = 0};
        memcpy(t.others, cases[i].others, sizeof t.others);
        const hp_race race = checked(t, &events);
        assert_spin(&events, 0, 1, cases[i].to, 0);
        assert_stands(&race, 0, cases[i].to, 0);
        assert_int_equal(race.car[0].lap, cases[i].lap);
        assert_int_equal(race.car[0].space, cases[i].space);
    }
}

/* Without it a car thrown from beyond the start line to full spaces right behind it would gain a lap. */
static void r8_4_full_spaces_back_over_the_start_line(void **state)
{
    (void)state;
    heard_events events = {0};
    const turn t = {.circuit = "early=40,6,3,0/4",
                    .laps = 3,
                    .began = 39,
                    .speed = 5,
                    .place = "43.0",
                    .engine = 0,
                    .others = {"40.0", "0.1"}};
    const hp_race race = checked(t, &events);
    assert_spin(&events, 0, 1, 39, 0);
    assert_int_equal(race.car[0].lap, 0);
}

/* Without it a car would pay, or spin out, for a corner that it reaches only after the race. */
static void r8_3_lines_beyond_the_finish_line_do_not_count(void **state)
{
    (void)state;
    static const struct {
        int laps, crossed;
    } cases[] = {{1, 0}, {2, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        heard_events events = {0};
        const turn t = {.circuit = "early=40,6,3,0/4,2/4",
                        .laps = cases[i].laps,
                        .began = 37,
                        .speed = 5,
                        .place = "44.0",
                        .engine = 6};
        const hp_race race = checked(t, &events);
        assert_int_equal(heard_count(&events, HP_EV_CORNER), cases[i].crossed);
        assert_int_equal(race.car[0].engine, 6 - cases[i].crossed);
    }
    heard_events events = {0};
    const turn mixed = {
        .circuit = "both=40,6,3,0/4,38/4", .laps = 1, .began = 37, .speed = 5, .place = "42.0", .engine = 6};
    checked(mixed, &events); /* the one before it counts all the same */
    assert_int_equal(heard_count(&events, HP_EV_CORNER), 1);
    assert_corner(&events, 0, 1, 5, 4, 1);
}

/* Without it a spin-out before the finish line would still be a finish. */
static void r8_3_spin_out_before_the_finish_line_has_not_finished(void **state)
{
    (void)state;
    heard_events events = {0};
    const turn t = {
        .circuit = "late=40,6,3,38/4", .laps = 1, .began = 36, .speed = 5, .place = "41.0", .engine = 0};
    hp_race race = checked(t, &events);
    assert_stands(&race, 0, 38, 0);
    play(&race, 0, "keep", &events); /* ends the round */
    assert_null(heard(&events, HP_EV_FINISH, 0));
    assert_non_null(heard(&events, HP_EV_ROUND, 0));
    assert_int_equal(race.car[0].status, HP_RACING);
    assert_stands(&race, 0, 38, 0);
    assert_int_equal(race.step, HP_STEP_PLAN);

    hp_race paid = checked(
        (turn){
            .circuit = "late=40,6,3,38/4", .laps = 1, .began = 36, .speed = 5, .place = "41.0", .engine = 1},
        &events);
    play(&paid, 0, "keep", &events); /* who can pay has */
    assert_int_equal(heard(&events, HP_EV_FINISH, 0)->place, 1);
}

/* Without it a line right at the start line would be lost between the last space of a lap and the first. */
static void r8_1_r8_3_corner_line_at_the_start_line(void **state)
{
    (void)state;
    static const struct {
        int laps, began;
        const char *place;
        int crossed;
    } cases[] = {
        {2, -1, "3.0", 1}, /* off the grid */
        {2, -3, "-1.0", 0}, {2, 0, "4.0", 0},   {2, 27, "29.0", 0},
        {2, 29, "30.0", 1}, {2, 27, "32.0", 1}, {1, 27, "32.0", 1}, /* at the finish line is not beyond it */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        heard_events events = {0};
        turn t = {.circuit = AT_LINE,
                  .laps = cases[i].laps,
                  .began = cases[i].began,
                  .speed = 5,
                  .place = cases[i].place,
                  .engine = 6};
        hp_race race = checked(t, &events);
        assert_int_equal(heard_count(&events, HP_EV_CORNER), cases[i].crossed);
        assert_int_equal(race.car[0].engine, 6 - cases[i].crossed);
        if (!cases[i].crossed)
            continue;
        t.engine = 0;
        race = checked(t, &events);
        const int to = cases[i].began < 0 ? -1 : 29;
        assert_spin(&events, 0, 1, to, 0);
        assert_stands(&race, 0, to, 0);
        play(&race, 0, "keep", &events);
        assert_null(heard(&events, HP_EV_FINISH, 0));
        assert_int_equal(race.car[0].status, HP_RACING);
    }
}

/* Without it Heat paid at a corner would be lost, or come straight back into the hand. */
static void r11_1_paid_heat_goes_from_the_engine_to_the_discard_pile(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = race_at("three=40,6,3,10/4 1 7 0 react:0:9:8:4:ba 12.0/1/6/11233S/122344S0/5SH/4");
    play(&race, 0, "done", &events);
    assert_int_equal(race.car[0].engine, 2);
    assert_pile(race.car[0].discard, "5SHHHHH");
    assert_int_equal(race.car[0].top, HP_HEAT);
    assert_pile(race.car[0].hand, "11233S");
    assert_pile(race.car[0].draw, "122344S0");
}

/* Without it the engine would fill by itself; cooldown is the one way back. */
static void r11_1_cooldown_takes_heat_from_the_hand_to_the_engine(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = race_at(THREE " 1 7 0 react:0:2:4:4:ca 6.0/1/2/12HHHH/*/-/4");
    play(&race, 0, "cool 3", &events);
    assert_int_equal(race.car[0].engine, 5);
    assert_pile(race.car[0].hand, "12H");
    assert_int_equal(heard(&events, HP_EV_COOL, 0)->number, 3);
    play(&race, 0, "adrenaline cool", &events);
    assert_int_equal(race.car[0].engine, 6);
    assert_pile(race.car[0].hand, "12");
}

/* Without it a reshuffle would bring paid Heat home. */
static void r11_1_a_reshuffle_does_not_bring_heat_back(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = race_at(THREE " 1 7 0 discard:0:2:4:4 6.0/1/2/123SSS/-/1122334405HHHHH/4");
    play(&race, 0, "keep", &events);
    assert_int_equal(heard_count(&events, HP_EV_RESHUFFLE), 1);
    assert_int_equal(race.car[0].engine, 2);
    assert_int_equal(hp_count(race.car[0].draw, HP_HEAT) + hp_count(race.car[0].hand, HP_HEAT), 5);
}

/* Without it one could throw Heat out of the hand, or play it where other cards would do. */
static void r11_2_heat_is_neither_played_nor_discarded(void **state)
{
    (void)state;
    hp_race race = race_at(THREE " 1 7 0 discard:0:2:4:4 6.0/1/2/12HHHH/*/-/4");
    refused(&race, 0, "discard H", HP_NOT_DISCARDABLE);
    refused(&race, 0, "discard 1 H", HP_NOT_DISCARDABLE);
    race = race_at(THREE " 1 7 0 plan 6.0/1/2/1234HHH/*/-/-");
    refused(&race, 0, "plan 1 H", HP_HEAT_NOT_PLAYABLE);
    refused(&race, 0, "plan 2 1 H", HP_HEAT_NOT_PLAYABLE);
}

/* What the ways of Heat add up to over whole races. */
typedef struct {
    int engine[HP_CARS_MAX];
    int heat_shown; /* a reveal with Heat must be followed by the cluttering of that car */
} accounts;

static void keep_accounts(void *self, const hp_event *event)
{
    accounts *a = self;
    assert_int_equal(a->heat_shown, event->kind == HP_EV_CLUTTERED);
    a->heat_shown = 0;
    switch ((hp_event_kind)event->kind) {
    case HP_EV_SHIFT:
    case HP_EV_CORNER:
        a->engine[event->car] -= event->paid;
        break;
    case HP_EV_BOOST:
        a->engine[event->car]--;
        break;
    case HP_EV_COOL:
        a->engine[event->car] += event->number;
        break;
    case HP_EV_REVEAL:
        for (int i = 0; i < event->count; i++)
            a->heat_shown |= event->cards[i] == HP_HEAT;
        break;
    case HP_EV_DISCARD:
        for (int i = 0; i < event->count; i++)
            assert_true(event->cards[i] != HP_HEAT && event->cards[i] != HP_STRESS);
        break;
    case HP_EV_GRID:
    case HP_EV_DRAW:
    case HP_EV_RESHUFFLE:
    case HP_EV_ROUND:
    case HP_EV_CLUTTERED:
    case HP_EV_FLIP:
    case HP_EV_MOVE:
    case HP_EV_SPIN:
    case HP_EV_REPLENISH:
    case HP_EV_FINISH:
    case HP_EV_RETIRE:
    case HP_EV_END:
    case HP_EV_KINDS:
        break;
    }
}

/* Without them some act in some race would move Heat by a way of its own. */
static void r11_1_r11_2_heat_moves_in_no_other_way_in_whole_races(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 24; n++) {
        hp_circuit circuit;
        hp_circuit_at((int)n % hp_circuits(), &circuit);
        hp_setup setup = {.track = circuit.track, .laps = 1, .cars = (uint8_t)(1 + n % HP_CARS_MAX)};
        hp_seed_of(11, n, setup.seed);
        accounts a = {0};
        bot_dice dice = {n};
        const hp_listener listener = {.hear = keep_accounts, .self = &a};
        hp_race race;
        for (int i = 0; i < setup.cars; i++)
            a.engine[i] = setup.track.heat;
        assert_int_equal(hp_start(&race, &setup, &listener), HP_OK);
        for (int car; (car = hp_to_act(&race)) >= 0;) {
            hp_choice choice;
            hp_choose_from(&race, car, &choice);
            assert_int_equal(hp_apply(&race, car, bot_any(&choice, &dice), &listener), HP_OK);
            for (int i = 0; i < race.cars; i++) {
                const hp_car *c = &race.car[i];
                assert_int_equal(c->engine, a.engine[i]);
                assert_int_equal(c->engine + hp_count(c->hand, HP_HEAT) + hp_count(c->draw, HP_HEAT) +
                                     hp_count(c->discard, HP_HEAT) + hp_count(c->play, HP_HEAT),
                                 setup.track.heat + 1);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(r8_1_pays_what_the_speed_is_above_the_limit),
        cmocka_unit_test(r8_1_line_lies_between_its_space_and_the_next),
        cmocka_unit_test(r8_1_two_corners_are_paid_in_the_order_crossed),
        cmocka_unit_test(r8_1_lines_are_those_on_the_way_on_every_lap),
        cmocka_unit_test(r8_2_the_last_heat_may_be_paid),
        cmocka_unit_test(r8_2_spins_at_first_corner_second_not_checked),
        cmocka_unit_test(r8_2_spins_at_second_corner_first_paid),
        cmocka_unit_test(r8_2_pays_all_it_has),
        cmocka_unit_test(r8_2_spins_to_the_first_free_space_before_the_line),
        cmocka_unit_test(r8_2_stress_into_the_hand_by_gear_and_first_gear),
        cmocka_unit_test(r8_2_no_spin_out_keeps_gear_and_takes_no_stress),
        cmocka_unit_test(r1_3_takes_what_is_left_in_the_reserve),
        cmocka_unit_test(r8_4_spin_out_back_over_the_start_line_takes_the_lap),
        cmocka_unit_test(r8_4_full_spaces_back_over_the_start_line),
        cmocka_unit_test(r8_3_lines_beyond_the_finish_line_do_not_count),
        cmocka_unit_test(r8_3_spin_out_before_the_finish_line_has_not_finished),
        cmocka_unit_test(r8_1_r8_3_corner_line_at_the_start_line),
        cmocka_unit_test(r11_1_paid_heat_goes_from_the_engine_to_the_discard_pile),
        cmocka_unit_test(r11_1_cooldown_takes_heat_from_the_hand_to_the_engine),
        cmocka_unit_test(r11_1_a_reshuffle_does_not_bring_heat_back),
        cmocka_unit_test(r11_2_heat_is_neither_played_nor_discarded),
        cmocka_unit_test(r11_1_r11_2_heat_moves_in_no_other_way_in_whole_races),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
