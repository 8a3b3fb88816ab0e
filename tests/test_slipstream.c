/* Proves R7, the slipstream. */
#include "support.h"

/* A lap of 40 spaces with one corner line after space 20, limit 4. The first place is car 0's, which has
 * its reaction before it, in first gear; the others have had their turns. */
static hp_race reacting(int laps, int began, int speed, const char *const places[HP_CARS_MAX])
{
    char cars[HP_POSITION_TEXT] = "";
    char order[HP_CARS_MAX + 1] = "";
    size_t length = 0;
    int n = 0;
    for (; n < HP_CARS_MAX && places[n] != NULL; n++) {
        const char *rest = n == 0 ? "1/6/1123SH/*/-/4" : "1/6/1122334/*/-/-";
        length += (size_t)snprintf(cars + length, sizeof cars - length, " %s/%s", places[n], rest);
    }
    for (int i = 0; i < n; i++)
        order[i] = (char)('0' + n - 1 - i);
    return race_of("o=40,6,3,20/4 %d 7 %s react:0:%d:%d:4:c%s", laps, order, began, speed, cars);
}

typedef struct {
    int laps;
    int began;
    const char *places[HP_CARS_MAX];
    int to, spot; /* where it takes car 0; to is NOT_OFFERED where there is none */
} slip_case;

enum { NOT_OFFERED = -100 };

/* Both what is offered after the reaction and what it does. */
static void check_case(const slip_case *expected)
{
    heard_events events = {0};
    hp_race race = reacting(expected->laps, expected->began, 4, expected->places);
    const int at = hp_progress(&race, 0);
    const int spot = race.car[0].spot;
    assert_false(offered(&race, 0, "slip"));
    play(&race, 0, "done", &events);
    assert_int_equal(heard_count(&events, HP_EV_MOVE), 0);
    if (expected->to == NOT_OFFERED) {
        assert_int_equal(race.step, HP_STEP_DISCARD);
        assert_false(offered(&race, 0, "slip"));
        refused(&race, 0, "slip", HP_WRONG_STEP);
        return;
    }
    assert_int_equal(race.step, HP_STEP_SLIP);
    assert_true(offered(&race, 0, "slip"));
    assert_true(offered(&race, 0, "stay"));

    hp_race stays = race;
    play(&stays, 0, "stay", &events);
    assert_int_equal(heard_count(&events, HP_EV_MOVE), 0);
    assert_stands(&stays, 0, at, spot);
    assert_int_equal(stays.step, HP_STEP_DISCARD);

    play(&race, 0, "slip", &events);
    const hp_event *move = heard(&events, HP_EV_MOVE, 0);
    assert_non_null(move);
    assert_int_equal(move->car, 0);
    assert_int_equal(move->why, HP_BY_SLIPSTREAM);
    assert_int_equal(move->number, 2);
    assert_int_equal(move->from.at, at);
    assert_int_equal(move->from.spot, spot);
    assert_int_equal(move->to.at, expected->to);
    assert_int_equal(move->to.spot, expected->spot);
    assert_stands(&race, 0, expected->to, expected->spot);
    assert_int_equal(race.step, HP_STEP_DISCARD);
}

#define CHECK_CASES(cases)                                                                                   \
    for (size_t i = 0; i < sizeof(cases) / sizeof *(cases); i++)                                             \
    check_case(&(cases)[i])

/* Without it a car beside another one would be left alone, and only cars behind would be drawn along. */
static void r7_1_beside_another_car(void **state)
{
    (void)state;
    static const slip_case cases[] = {
        {1, 6, {"10.0", "10.1"}, 12, 0},
        {1, 6, {"10.1", "10.0"}, 12, 0},
        {1, -1, {"-1.0", "-1.1"}, 1, 0},
    };
    CHECK_CASES(cases);
}

/* Without it a car on either spot ahead, or two of them, would give nothing. */
static void r7_1_right_behind_one_or_two_cars(void **state)
{
    (void)state;
    static const slip_case cases[] = {
        {1, 6, {"10.0", "11.0"}, 12, 0},         {1, 6, {"10.0", "11.1"}, 12, 0},
        {1, 6, {"10.1", "11.0"}, 12, 0},         {1, 6, {"10.0", "11.0", "11.1"}, 12, 0},
        {1, 6, {"10.1", "10.0", "11.1"}, 12, 0},
    };
    CHECK_CASES(cases);
}

/* Without it everybody would move two spaces, also who leads or is two spaces behind. */
static void r7_1_not_alone_nor_further_behind_nor_ahead(void **state)
{
    (void)state;
    static const slip_case cases[] = {
        {1, 6, {"10.0"}, NOT_OFFERED, 0},
        {1, 6, {"10.0", "12.0", "12.1"}, NOT_OFFERED, 0},
        {1, 6, {"10.0", "9.0", "9.1"}, NOT_OFFERED, 0},
        {1, 6, {"10.1", "9.1", "12.1"}, NOT_OFFERED, 0},
    };
    CHECK_CASES(cases);
}

/* Without it (and R4.5) a car a lap apart would stand there like air, and the loop would end at the line. */
static void r7_1_r4_5_lapped_cars_and_those_across_the_line_give_it(void **state)
{
    (void)state;
    static const slip_case cases[] = {
        {2, 46, {"50.0", "11.0"}, 52, 0}, /* behind one that is a lap behind */
        {2, 46, {"50.0", "10.1"}, 52, 0},
        {2, 6, {"10.0", "51.1"}, 12, 0}, /* behind one that is a lap ahead */
        {2, 6, {"10.1", "50.0"}, 12, 0},
        {3, 35, {"39.0", "80.0"}, 41, 0}, /* over the line to a car on another lap */
        {2, 35, {"39.0", "40.1"}, 41, 0},
        {1, -6, {"-2.1", "39.0"}, 0, 0}, /* still on the grid when another ends its lap */
    };
    CHECK_CASES(cases);
}

/* Without it a car that finished in this round would be gone before the round ends. */
static void r7_1_r12_2_cars_that_finished_in_this_round_give_it(void **state)
{
    (void)state;
    static const slip_case cases[] = {
        {2, 36, {"40.0", "81.0"}, 42, 0},
        {2, 37, {"41.0", "81.1"}, 43, 0},
    };
    CHECK_CASES(cases);
}

/* Without it a full space would not stop the car, or would take the slipstream away. */
static void r7_1_blocked_slipstream_moves_one(void **state)
{
    (void)state;
    static const slip_case cases[] = {
        {1, 6, {"10.0", "11.0", "12.0", "12.1"}, 11, 1},
        {1, 6, {"10.0", "11.1", "12.0", "12.1"}, 11, 0},
        {1, 6, {"10.0", "10.1", "12.0", "12.1"}, 11, 0},
        {1, 6, {"10.0", "11.0", "11.1", "12.0"}, 12, 1}, /* cars on the way do not stop it */
    };
    CHECK_CASES(cases);
}

/* Without it a car would be asked for a slipstream that leads nowhere. */
static void r7_4_offered_only_where_it_moves(void **state)
{
    (void)state;
    static const slip_case cases[] = {
        {1, 6, {"10.0", "11.0", "11.1", "12.0", "12.1"}, NOT_OFFERED, 0},
        {1, 6, {"10.1", "10.0", "11.0", "11.1", "12.0", "12.1"}, NOT_OFFERED, 0},
        {2, 46, {"50.1", "50.0", "11.0", "51.1", "12.0", "52.1"}, NOT_OFFERED, 0},
        {1, 6, {"10.0", "11.0", "11.1", "12.1"}, 12, 0}, /* one free spot, at 11 or at 12, is enough */
        {1, 6, {"10.0", "11.0", "12.0", "12.1"}, 11, 1},
    };
    CHECK_CASES(cases);
}

/* Without it one slipstream would lead to the next. */
static void r7_1_once_a_turn(void **state)
{
    (void)state;
    hp_race race = reacting(1, 6, 4, (const char *const[HP_CARS_MAX]){"10.0", "11.0", "13.0"});
    play(&race, 0, "done", NULL);
    play(&race, 0, "slip", NULL);
    assert_stands(&race, 0, 12, 0); /* right behind the next car */
    assert_int_equal(race.step, HP_STEP_DISCARD);
    assert_false(offered(&race, 0, "slip"));
    refused(&race, 0, "slip", HP_WRONG_STEP);
}

/* Without it the slipstream could come first and a reaction be made from where it leads; and who comes up
 * to a car by its reaction would have none. */
static void r7_1_after_the_reaction(void **state)
{
    (void)state;
    hp_race race =
        race_at("o=40,6,3,20/4 1 7 10 react:0:5:4:4:cbam 9.0/1/6/1123SH/*/-/4 11.0/1/6/1122334/*/-/-");
    refused(&race, 0, "slip", HP_WRONG_STEP); /* there is nobody at 10, and it is too early */
    play(&race, 0, "adrenaline move", NULL);
    assert_stands(&race, 0, 10, 0);
    refused(&race, 0, "slip", HP_WRONG_STEP);
    play(&race, 0, "done", NULL);
    assert_int_equal(race.step, HP_STEP_SLIP);
    assert_int_equal(race.turn.boost | race.turn.cool | race.turn.adrenaline_cool, 0); /* gone unused */
    refused(&race, 0, "boost", HP_WRONG_STEP);
    refused(&race, 0, "cool 1", HP_WRONG_STEP);
    refused(&race, 0, "adrenaline cool", HP_WRONG_STEP);
    play(&race, 0, "slip", NULL);
    assert_stands(&race, 0, 12, 0);
    refused(&race, 0, "boost", HP_WRONG_STEP);
    refused(&race, 0, "cool 1", HP_WRONG_STEP);

    race = race_at("o=40,6,3,20/4 1 7 10 plan 6.0/1/6/1122334/*/-/- 9.0/1/6/1122334/*/-/>2");
    play(&race, 0, "plan 1 4", NULL);
    play(&race, 1, "done", NULL);
    play(&race, 1, "keep", NULL);
    assert_stands(&race, 0, 10, 0); /* its cards took it behind the other: first it reacts all the same */
    assert_int_equal(race.step, HP_STEP_REACT);
    play(&race, 0, "done", NULL);
    assert_int_equal(race.step, HP_STEP_SLIP);
}

/* Without it two spaces for nothing would make the corner dearer. */
static void r7_2_does_not_change_the_speed(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = reacting(1, 15, 5, (const char *const[HP_CARS_MAX]){"20.0", "21.0"});
    play(&race, 0, "done", NULL);
    assert_int_equal(race.turn.speed, 5);
    play(&race, 0, "slip", &events);
    assert_int_equal(race.turn.speed, 5);
    assert_int_equal(heard(&events, HP_EV_MOVE, 0)->speed, 5);
    assert_int_equal(heard(&events, HP_EV_CORNER, 0)->speed, 5);
}

/* Without it a corner line that only the slipstream crossed would cost nothing. */
static void r7_2_corner_line_crossed_by_it_is_checked(void **state)
{
    (void)state;
    static const struct {
        int speed, paid;
    } cases[] = {{3, 0}, {4, 0}, {5, 1}, {9, 5}, {10, 6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        heard_events events = {0};
        hp_race race = reacting(1, 20 - cases[i].speed, cases[i].speed,
                                (const char *const[HP_CARS_MAX]){"20.1", "20.0"});
        play(&race, 0, "done", &events);
        assert_null(heard(&events, HP_EV_CORNER, 0)); /* it stands before the line: not yet */
        hp_race stays = race;
        play(&stays, 0, "stay", &events);
        assert_null(heard(&events, HP_EV_CORNER, 0));
        assert_int_equal(stays.car[0].engine, 6);

        play(&race, 0, "slip", &events);
        assert_int_equal(heard_count(&events, HP_EV_CORNER), 1);
        assert_int_equal(heard(&events, HP_EV_CORNER, 0)->paid, cases[i].paid);
        assert_int_equal(race.car[0].engine, 6 - cases[i].paid);
        assert_stands(&race, 0, 22, 0);
    }
}

/* Without it a car that slipstreams into a corner too fast for its engine would not spin out. */
static void r7_2_spins_out_at_a_corner_line_crossed_by_it(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = reacting(1, 9, 11, (const char *const[HP_CARS_MAX]){"20.0", "21.0", "20.1"});
    play(&race, 0, "done", NULL);
    play(&race, 0, "slip", &events);
    assert_int_equal(heard_count(&events, HP_EV_SPIN), 1);
    assert_stands(&race, 0, 20, 0);
    assert_int_equal(race.car[0].engine, 0);
}

/* Without it the finish could be reached in another car's wake. 38 + 2 is the first space beyond it. */
static void r7_3_not_over_the_finish_line(void **state)
{
    (void)state;
    static const slip_case cases[] = {
        {1, 34, {"38.0", "39.0"}, NOT_OFFERED, 0}, {1, 35, {"39.0", "39.1"}, NOT_OFFERED, 0},
        {1, 35, {"39.0", "40.0"}, NOT_OFFERED, 0}, {2, 74, {"78.0", "79.0"}, NOT_OFFERED, 0},
        {1, 33, {"37.0", "38.0"}, 39, 0},          {2, 73, {"77.0", "77.1"}, 79, 0},
    };
    CHECK_CASES(cases);
}

/* Without the ruling a block in the space beyond the line would make a slipstream of one space legal. */
static void r7_3_judged_by_two_spaces_even_where_blocked(void **state)
{
    (void)state;
    static const slip_case cases[] = {
        {1, 34, {"38.0", "39.0", "40.0", "40.1"}, NOT_OFFERED, 0},
        {1, 34, {"38.0", "38.1", "40.0", "40.1"}, NOT_OFFERED, 0},
        {2, 74, {"78.0", "78.1", "40.0", "80.1"}, NOT_OFFERED, 0},
    };
    CHECK_CASES(cases);
}

/* Without it a car that has crossed could still slipstream past another one for its place. */
static void r7_3_not_beyond_the_finish_line(void **state)
{
    (void)state;
    static const slip_case cases[] = {
        {1, 36, {"40.0", "41.0"}, NOT_OFFERED, 0},
        {1, 37, {"41.1", "41.0"}, NOT_OFFERED, 0},
        {2, 77, {"81.0", "42.0"}, NOT_OFFERED, 0},
    };
    CHECK_CASES(cases);
}

/* Without the ruling the line would be closed on every lap, and on the way off the grid. */
static void r7_3_over_the_line_at_the_end_of_an_earlier_lap(void **state)
{
    (void)state;
    static const slip_case cases[] = {
        {2, 34, {"38.0", "39.0"}, 40, 0},
        {2, 35, {"39.0", "39.1"}, 41, 0},
        {3, 74, {"78.0", "79.1"}, 80, 0},
        {1, -6, {"-2.0", "-1.0"}, 0, 0},
    };
    CHECK_CASES(cases);
    hp_race race = reacting(2, 34, 4, cases[0].places);
    play(&race, 0, "done", NULL);
    play(&race, 0, "slip", NULL);
    assert_int_equal(race.car[0].lap, 1);
    assert_int_equal(race.car[0].space, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(r7_1_beside_another_car),
        cmocka_unit_test(r7_1_right_behind_one_or_two_cars),
        cmocka_unit_test(r7_1_not_alone_nor_further_behind_nor_ahead),
        cmocka_unit_test(r7_1_r4_5_lapped_cars_and_those_across_the_line_give_it),
        cmocka_unit_test(r7_1_r12_2_cars_that_finished_in_this_round_give_it),
        cmocka_unit_test(r7_1_blocked_slipstream_moves_one),
        cmocka_unit_test(r7_4_offered_only_where_it_moves),
        cmocka_unit_test(r7_1_once_a_turn),
        cmocka_unit_test(r7_1_after_the_reaction),
        cmocka_unit_test(r7_2_does_not_change_the_speed),
        cmocka_unit_test(r7_2_corner_line_crossed_by_it_is_checked),
        cmocka_unit_test(r7_2_spins_out_at_a_corner_line_crossed_by_it),
        cmocka_unit_test(r7_3_not_over_the_finish_line),
        cmocka_unit_test(r7_3_judged_by_two_spaces_even_where_blocked),
        cmocka_unit_test(r7_3_not_beyond_the_finish_line),
        cmocka_unit_test(r7_3_over_the_line_at_the_end_of_an_earlier_lap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
