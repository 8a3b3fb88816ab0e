/* Proves R12, the end of a race, with R5.2 and R6.4, which speak of it. */
#include "support.h"

#define TRACK "f=40,6,3" /* no corner in the way; the finish line after 1 lap lies before 40 */

/* Hand and piles of a car that plans: it may move by 1 to 4. */
#define PLANS "1/6/1122334/*/-/-"
#define HAS_PLANNED(card) "1/6/1122334/*/-/>" card
#define RETIRES "1/6/1122334/*/-/>X"
#define GONE PLANS /* finished or retired: its cards do not matter */

/* Plays an act; unlike play, it adds to the events. */
static void go_on(hp_race *race, int car, const char *text, heard_events *events)
{
    const hp_listener listener = listener_of(events);
    const hp_error error = hp_apply(race, car, act_of(text), &listener);
    if (error != HP_OK)
        fail_msg("car %d: %s: refused with %d", car, text, (int)error);
}

/* Ends the running turn with nothing more done in it. */
static void end_turn(hp_race *race, heard_events *events)
{
    const int car = hp_to_act(race);
    const int round = race->round;
    while (hp_to_act(race) == car && race->round == round)
        if (race->step == HP_STEP_REACT)
            go_on(race, car, "done", events);
        else if (race->step == HP_STEP_SLIP)
            go_on(race, car, "stay", events);
        else
            go_on(race, car, "keep", events);
}

/* The last plan of a round, then all turns of it. */
static void play_round(hp_race *race, int car, const char *plan, heard_events *events)
{
    events->n = 0;
    go_on(race, car, plan, events);
    while (race->step != HP_STEP_PLAN && race->step != HP_STEP_OVER)
        end_turn(race, events);
}

static void assert_place(const hp_race *race, const heard_events *events, int car, hp_status status,
                         int place)
{
    const hp_event_kind kind = status == HP_FINISHED ? HP_EV_FINISH : HP_EV_RETIRE;
    int told = 0;
    for (int i = 0; heard(events, kind, i) != NULL; i++)
        if (heard(events, kind, i)->car == car) {
            assert_int_equal(heard(events, kind, i)->place, place);
            told++;
        }
    assert_int_equal(told, 1);
    assert_int_equal(race->car[car].status, status);
    assert_int_equal(race->car[car].place, place);
    assert_stands(race, car, 0, 0); /* off the circuit */
}

static int spots_taken(const hp_race *race)
{
    int n = 0;
    for (int i = 0; i < 4; i++)
        n += __builtin_popcountll(race->taken[i]);
    return n;
}

/* ---- R12.1 ------------------------------------------------------------------------------------- */

/* Without it a race of one lap would be over when the cars leave the grid. */
static void r12_1_first_crossing_off_the_grid_starts_lap_1(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = race_at(TRACK " 1 1 10 plan -1.1/" PLANS " -1.0/" HAS_PLANNED("2"));
    assert_int_equal(race.car[0].lap, -1);
    play_round(&race, 0, "plan 1 4", &events);
    assert_stands(&race, 0, 3, 0);
    assert_stands(&race, 1, 1, 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(race.car[i].lap, 0);
        assert_int_equal(race.car[i].status, HP_RACING);
    }
    assert_null(heard(&events, HP_EV_FINISH, 0));
    assert_int_equal(race.step, HP_STEP_PLAN);
}

/* Without it the number of laps would not matter, or the last space would already be the finish. */
static void r12_1_finishes_after_the_set_number_of_laps(void **state)
{
    (void)state;
    for (int laps = 1; laps <= HP_LAPS_MAX; laps++) {
        heard_events events = {0};
        hp_race race = race_of(TRACK " %d 9 0 plan %d.0/" PLANS, laps, 40 * laps - 2);
        play_round(&race, 0, "plan 1 1", &events); /* to the last space before the line */
        assert_int_equal(race.car[0].status, HP_RACING);
        assert_stands(&race, 0, 40 * laps - 1, 0);

        race = race_of(TRACK " %d 9 0 plan %d.0/" PLANS, laps, 40 * laps - 2);
        play_round(&race, 0, "plan 1 2", &events); /* to the first one beyond it */
        assert_place(&race, &events, 0, HP_FINISHED, 1);

        if (laps == 1)
            continue;
        race = race_of(TRACK " %d 9 0 plan %d.0/" PLANS, laps, 40 * (laps - 1) - 1);
        play_round(&race, 0, "plan 1 4", &events); /* one lap too early */
        assert_int_equal(race.car[0].status, HP_RACING);
        assert_null(heard(&events, HP_EV_FINISH, 0));
    }
}

/* Without it one car's finish would take others along that have laps to go. */
static void r12_1_cars_with_laps_to_go_do_not_finish_along(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = race_at(TRACK " 3 9 0123 plan 118.0/" PLANS " 115.0/" HAS_PLANNED(
        "4") " 60.0/" HAS_PLANNED("1") " 10.0/" HAS_PLANNED("1"));
    play_round(&race, 0, "plan 1 2", &events);
    assert_int_equal(heard_count(&events, HP_EV_FINISH), 1);
    assert_place(&race, &events, 0, HP_FINISHED, 1);
    for (int i = 1; i < 4; i++)
        assert_int_equal(race.car[i].status, HP_RACING);
    assert_stands(&race, 1, 119, 0);
}

/* ---- R12.2 ------------------------------------------------------------------------------------- */

/* Without it a car would be taken off the circuit in the middle of the round. */
static void r12_2_stays_until_the_end_of_the_round(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = race_at(TRACK " 1 9 01 plan 38.0/" PLANS " 30.0/" HAS_PLANNED("1"));
    go_on(&race, 0, "plan 1 4", &events);
    end_turn(&race, &events);
    assert_int_equal(hp_to_act(&race), 1);
    assert_stands(&race, 0, 42, 0);
    assert_int_equal(race.car[0].status, HP_RACING);
    assert_int_equal(race.car[0].place, 0);
    assert_int_equal(spots_taken(&race), 2);
    assert_null(heard(&events, HP_EV_FINISH, 0));
    end_turn(&race, &events);
    assert_place(&race, &events, 0, HP_FINISHED, 1);
    assert_int_equal(spots_taken(&race), 1);
    assert_int_equal(race.step, HP_STEP_PLAN);
}

/* Without it cars beyond the line would let others through where they stand. */
static void r12_2_blocks_beyond_the_line(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race =
        race_at(TRACK " 1 9 012 plan 39.0/" PLANS " 39.1/" HAS_PLANNED("1") " 36.0/" HAS_PLANNED("4"));
    play_round(&race, 0, "plan 1 1", &events);
    assert_int_equal(heard(&events, HP_EV_MOVE, 2)->to.at, 39); /* 40 is full: it has not finished */
    assert_place(&race, &events, 0, HP_FINISHED, 1);
    assert_place(&race, &events, 1, HP_FINISHED, 2);
    assert_int_equal(race.car[2].status, HP_RACING);
    assert_stands(&race, 2, 39, 0);

    /* One that is a lap behind, too. */
    race = race_at(TRACK " 2 9 012 plan 79.0/" PLANS " 79.1/" HAS_PLANNED("1") " 36.0/" HAS_PLANNED("4"));
    play_round(&race, 0, "plan 1 1", &events);
    assert_stands(&race, 2, 39, 0);
}

/* Without it the slipstream of a car that has crossed would be lost; tests of R7 have more of it. */
static void r12_2_gives_slipstream_beyond_the_line(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = race_at(TRACK " 2 9 01 plan 79.0/" PLANS " 38.0/" HAS_PLANNED("2"));
    go_on(&race, 0, "plan 1 2", &events); /* to 81, which is space 1 */
    end_turn(&race, &events);
    go_on(&race, 1, "done", &events);
    assert_int_equal(race.step, HP_STEP_SLIP);
    go_on(&race, 1, "slip", &events);
    assert_stands(&race, 1, 42, 0);
}

/* Without it who comes first in the order of turns would win, and not who comes farthest. */
static void r12_2_two_finish_in_the_order_in_which_they_stand(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = race_at(TRACK " 1 9 01 plan 39.0/" PLANS " 38.0/" HAS_PLANNED("4"));
    play_round(&race, 0, "plan 1 1", &events); /* 0 to 40, then 1 to 42 */
    assert_place(&race, &events, 1, HP_FINISHED, 1);
    assert_place(&race, &events, 0, HP_FINISHED, 2);
    assert_int_equal(heard(&events, HP_EV_FINISH, 0)->car, 1); /* told in this order, too */
    const hp_event *end = heard(&events, HP_EV_END, 0);
    assert_int_equal(end->count, 2);
    assert_int_equal(end->cars[0], 1);
    assert_int_equal(end->cars[1], 0);

    race = race_at(TRACK " 1 9 01 plan 39.0/" PLANS " 38.0/" HAS_PLANNED("4"));
    play_round(&race, 0, "plan 1 4", &events); /* 43 stays ahead of 42 */
    assert_place(&race, &events, 0, HP_FINISHED, 1);
    assert_place(&race, &events, 1, HP_FINISHED, 2);
}

/* Without it two cars in one space would be in a dead heat, or placed by number. */
static void r12_2_r2_2_in_one_space_the_race_line_is_first(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = race_at(TRACK " 1 9 01 plan 39.0/" PLANS " 38.0/" HAS_PLANNED("2"));
    play_round(&race, 0, "plan 1 1", &events);
    assert_place(&race, &events, 0, HP_FINISHED, 1);
    race = race_at(TRACK " 1 9 10 plan 38.0/" PLANS " 39.0/" HAS_PLANNED("1"));
    play_round(&race, 0, "plan 1 2", &events);
    assert_place(&race, &events, 1, HP_FINISHED, 1);
    assert_place(&race, &events, 0, HP_FINISHED, 2);
}

/* Without it places would be given for the round and not one by one. */
static void r12_2_three_finish_in_one_round(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = race_at(TRACK " 1 9 3012 plan 39.1/" PLANS " 38.0/" HAS_PLANNED("4") " 30.1/" HAS_PLANNED(
        "3") " 39.0/" HAS_PLANNED("1"));
    play_round(&race, 0, "plan 1 1", &events); /* 3 to 40.0, 0 to 40.1, 1 to 42, 2 to 33 */
    assert_place(&race, &events, 1, HP_FINISHED, 1);
    assert_place(&race, &events, 3, HP_FINISHED, 2);
    assert_place(&race, &events, 0, HP_FINISHED, 3);
    assert_int_equal(race.car[2].status, HP_RACING);
    assert_stands(&race, 2, 33, 0);
    assert_int_equal(race.finished, 3);
    assert_null(heard(&events, HP_EV_END, 0));
}

/* Without it a car would take a place again, or the next to come the same one. */
static void r12_2_next_places_in_later_rounds(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race =
        race_at(TRACK " 1 9 120 plan 30.0/" PLANS " 39.0/" HAS_PLANNED("1") " 38.0/" HAS_PLANNED("1"));
    play_round(&race, 0, "plan 1 4", &events);
    assert_place(&race, &events, 1, HP_FINISHED, 1);
    play(&race, 2, "plan 1 4", NULL);
    play_round(&race, 0, "plan 1 3", &events);
    assert_int_equal(heard_count(&events, HP_EV_FINISH), 1);
    assert_place(&race, &events, 2, HP_FINISHED, 2);
    assert_int_equal(race.car[1].place, 1);
    play_round(&race, 0, "plan 2 1 2", &events); /* 37 and 3: just there */
    assert_place(&race, &events, 0, HP_FINISHED, 3);
}

/* ---- R12.3 ------------------------------------------------------------------------------------- */

/* Without it the first one across the line would end the race for all. */
static void r12_3_goes_on_until_every_car_has_finished(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = race_at(TRACK " 1 9 10 plan 35.0/" PLANS " 39.0/" HAS_PLANNED("1"));
    play_round(&race, 0, "plan 1 1", &events);
    assert_null(heard(&events, HP_EV_END, 0));
    const hp_event *round = heard(&events, HP_EV_ROUND, 0);
    assert_int_equal(round->number, 10);
    assert_int_equal(round->count, 1); /* who has finished is not in it */
    assert_int_equal(round->cars[0], 0);
    assert_int_equal(race.in_order, 1);
    refused(&race, 1, "plan 1 1", HP_NOT_YOUR_TURN);
    refused(&race, 1, "retire", HP_NOT_YOUR_TURN);

    play_round(&race, 0, "plan 1 4", &events);
    assert_place(&race, &events, 0, HP_FINISHED, 2);
    const hp_event *end = heard(&events, HP_EV_END, 0);
    assert_int_equal(end->number, 10);
    assert_int_equal(end->count, 2);
    assert_int_equal(end->cars[0], 1);
    assert_int_equal(end->cars[1], 0);
    assert_null(heard(&events, HP_EV_ROUND, 0));
    assert_int_equal(race.step, HP_STEP_OVER);
    assert_int_equal(spots_taken(&race), 0);
}

/* Without it a car that races alone would have no end to come to. */
static void r12_3_a_race_alone_ends_at_the_finish(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = race_at(TRACK " 1 9 0 plan 38.0/" PLANS);
    play_round(&race, 0, "plan 1 2", &events);
    assert_place(&race, &events, 0, HP_FINISHED, 1);
    assert_int_equal(heard(&events, HP_EV_END, 0)->count, 1);
    assert_int_equal(race.step, HP_STEP_OVER);
}

/* Without it acts would be taken after the end and change a result. */
static void r12_3_nothing_is_possible_after_the_end(void **state)
{
    (void)state;
    static const char *const acts[] = {
        "plan 1 1", "retire", "unplan", "cool 1", "adrenaline cool", "adrenaline move", "boost",
        "done",     "slip",   "stay",   "keep",   "discard 1"};
    heard_events events = {0};
    hp_race race = race_at(TRACK " 1 9 01 plan 39.0/" PLANS " 38.0/" HAS_PLANNED("4"));
    play_round(&race, 0, "plan 1 1", &events);
    assert_int_equal(hp_to_act(&race), -1);
    for (int car = 0; car < 2; car++) {
        hp_choice choice;
        hp_act none[HP_ACTS_MAX];
        hp_choose_from(&race, car, &choice);
        assert_int_equal(hp_acts(&choice, none), 0);
        for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
            refused(&race, car, acts[i], HP_RACE_OVER);
    }
}

/* Without the ruling a car could drop out to spite the others before anybody has won. */
static void r12_3_retiring_is_refused_before_a_car_has_finished(void **state)
{
    (void)state;
    hp_race race = race_at(TRACK " 1 9 10 plan 35.0/" PLANS " 39.0/" HAS_PLANNED("1"));
    assert_false(offered(&race, 0, "retire"));
    refused(&race, 0, "retire", HP_TOO_EARLY_TO_RETIRE);
    heard_events events = {0};
    go_on(&race, 0, "plan 1 1", &events);
    end_turn(&race, &events); /* car 1 has crossed the line; the round is not over */
    refused(&race, 0, "retire", HP_WRONG_STEP);
    end_turn(&race, &events);
    assert_true(offered(&race, 0, "retire"));
}

/* Without it who has nothing left to win would have to drive to the end. */
static void r12_3_retires_instead_of_planning(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = race_at(TRACK " 1 9 12 plan F1/" GONE " 30.0/" HAS_PLANNED("1") " 30.1/" PLANS);
    assert_true(offered(&race, 2, "retire"));
    play(&race, 2, "retire", &events);
    const hp_event *retire = heard(&events, HP_EV_RETIRE, 0);
    assert_int_equal(retire->car, 2);
    assert_int_equal(retire->place, 3);
    assert_true(retire < heard(&events, HP_EV_SHIFT, 0)); /* gone before the others shift */
    assert_int_equal(heard_count(&events, HP_EV_SHIFT), 1);
    assert_place(&race, &events, 2, HP_RETIRED, 3);
    assert_int_equal(race.car[2].planned, 0);
    assert_pile(race.car[2].hand, "1122334"); /* nothing was played */
    assert_int_equal(spots_taken(&race), 1);
    assert_int_equal(hp_to_act(&race), 1); /* and its turn does not come */
    end_turn(&race, &events);
    assert_int_equal(race.step, HP_STEP_PLAN);
    assert_int_equal(race.in_order, 1);
    refused(&race, 2, "plan 1 1", HP_NOT_YOUR_TURN);
}

/* Without it a retirement would be final before the others have planned. */
static void r12_3_retirement_is_taken_back_like_a_plan(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = race_at(TRACK " 1 9 12 plan F1/" GONE " 30.0/" PLANS " 30.1/" PLANS);
    refused(&race, 2, "unplan", HP_NOTHING_PLANNED);
    play(&race, 2, "retire", &events);
    assert_int_equal(events.n, 0); /* still secret, still there */
    assert_int_equal(race.car[2].status, HP_RACING);
    assert_int_equal(race.waiting, 1 << 1);
    assert_true(offered(&race, 2, "unplan"));
    play(&race, 2, "unplan", &events);
    assert_int_equal(race.waiting, 1 << 1 | 1 << 2);
    refused(&race, 2, "unplan", HP_NOTHING_PLANNED);

    play(&race, 2, "retire", NULL);
    play(&race, 2, "plan 1 3", NULL); /* a plan instead of it */
    play_round(&race, 1, "plan 1 1", &events);
    assert_null(heard(&events, HP_EV_RETIRE, 0));
    assert_stands(&race, 2, 33, 0);

    play(&race, 2, "plan 1 1", NULL);
    play(&race, 2, "retire", NULL); /* and the other way round */
    play_round(&race, 1, "plan 1 1", &events);
    assert_place(&race, &events, 2, HP_RETIRED, 3);
    assert_pile(race.car[2].play, "-");
}

/* Without it cars that retire together would be placed by number, or from the front. */
static void r12_3_the_rearmost_takes_the_last_free_place(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = race_at(TRACK " 1 9 54321 plan F1/" GONE " 10.1/" RETIRES " 10.0/" RETIRES
                                 " 15.0/" HAS_PLANNED("1") " 20.0/" RETIRES " 30.0/" PLANS);
    play_round(&race, 5, "plan 1 4", &events);
    assert_place(&race, &events, 1, HP_RETIRED, 6); /* beside the next, but off the race line */
    assert_place(&race, &events, 2, HP_RETIRED, 5);
    assert_place(&race, &events, 4, HP_RETIRED, 4);
    assert_int_equal(race.retired, 3);

    play(&race, 3, "retire", NULL); /* a round later: before those who left earlier */
    play_round(&race, 5, "plan 1 3", &events);
    assert_place(&race, &events, 3, HP_RETIRED, 3);
    assert_int_equal(race.car[4].place, 4);
    play_round(&race, 5, "plan 2 1 2", &events); /* 37 and 3 */
    assert_place(&race, &events, 5, HP_FINISHED, 2);
    const hp_event *end = heard(&events, HP_EV_END, 0);
    static const uint8_t result[HP_CARS_MAX] = {0, 5, 3, 4, 2, 1};
    assert_int_equal(end->count, 6);
    assert_memory_equal(end->cars, result, sizeof result);
}

/* Without it who retires in the round in which another finishes would take that one's place. */
static void r12_3_finishers_of_the_round_are_ahead_of_those_retired(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race =
        race_at(TRACK " 1 9 213 plan F1/" GONE " 38.0/" RETIRES " 39.0/" HAS_PLANNED("1") " 37.0/" PLANS);
    play_round(&race, 3, "plan 1 4", &events);
    assert_place(&race, &events, 1, HP_RETIRED, 4);
    assert_place(&race, &events, 3, HP_FINISHED, 2);
    assert_place(&race, &events, 2, HP_FINISHED, 3);
    const hp_event *end = heard(&events, HP_EV_END, 0);
    static const uint8_t result[] = {0, 3, 2, 1};
    assert_memory_equal(end->cars, result, sizeof result);
}

/* Without it a car that retired would still take up its spot. */
static void r12_3_retired_cars_leave_before_the_turns(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = race_at(TRACK " 1 9 123 plan F1/" GONE " 10.0/" RETIRES " 10.1/" RETIRES " 9.0/" PLANS);
    play_round(&race, 3, "plan 1 1", &events);
    assert_stands(&race, 3, 10, 0); /* not blocked */
}

/* Without it the retirement of the last car would hand its adrenaline to the next. */
static void r12_3_order_and_adrenaline_stay_as_set(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race =
        race_at(TRACK " 1 9 123 plan F1/" GONE " 30.0/" HAS_PLANNED("1") " 20.0/" PLANS " 10.0/" RETIRES);
    assert_int_equal(race.adrenaline, 1 << 3);
    go_on(&race, 2, "plan 1 1", &events);
    assert_int_equal(race.adrenaline, 1 << 3);
    assert_int_equal(race.in_order, 3);
    end_turn(&race, &events);
    assert_int_equal(hp_to_act(&race), 2);
    refused(&race, 2, "adrenaline move", HP_NO_ADRENALINE);
    refused(&race, 2, "adrenaline cool", HP_NO_ADRENALINE);
    events.n = 0;
    end_turn(&race, &events);
    const hp_event *round = heard(&events, HP_EV_ROUND, 0); /* the next round sets both anew */
    assert_int_equal(round->count, 2);
    assert_int_equal(round->adrenaline, 1 << 2);

    /* One that retires in the middle of the order is passed over. */
    race = race_at(TRACK " 1 9 123 plan F1/" GONE " 30.0/" HAS_PLANNED("1") " 20.0/" RETIRES " 10.0/" PLANS);
    events.n = 0;
    go_on(&race, 3, "plan 1 1", &events);
    end_turn(&race, &events);
    assert_int_equal(hp_to_act(&race), 3);
    assert_true(offered(&race, 3, "adrenaline move"));
}

/* Without it the race would wait for turns of cars that are all gone. */
static void r12_3_ends_at_once_when_all_others_retire(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = race_at(TRACK " 1 9 21 plan F1/" GONE " 10.0/" PLANS " 20.0/" RETIRES);
    play(&race, 1, "retire", &events);
    assert_place(&race, &events, 1, HP_RETIRED, 3);
    assert_place(&race, &events, 2, HP_RETIRED, 2);
    const hp_event *end = heard(&events, HP_EV_END, 0);
    static const uint8_t result[] = {0, 2, 1};
    assert_non_null(end);
    assert_int_equal(end->number, 9);
    assert_memory_equal(end->cars, result, sizeof result);
    assert_int_equal(race.step, HP_STEP_OVER);
    assert_int_equal(spots_taken(&race), 0);
    assert_int_equal(hp_to_act(&race), -1);
    refused(&race, 1, "unplan", HP_RACE_OVER);
    refused(&race, 1, "plan 1 1", HP_RACE_OVER);
    refused(&race, 0, "retire", HP_RACE_OVER);
}

/* ---- R6.4 and R5.2 ----------------------------------------------------------------------------- */

/* Without it the turn would stop at the line, and with it the last chance to pass. */
static void r6_4_reacts_after_it_crossed_the_line(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = race_at(TRACK " 1 9 01 plan 39.0/" PLANS " 38.0/1/4/112233H/*/-/>2");
    go_on(&race, 0, "plan 1 1", &events);
    end_turn(&race, &events);
    assert_stands(&race, 1, 40, 1);
    assert_int_equal(race.step, HP_STEP_REACT);
    assert_true(offered(&race, 1, "boost"));
    play(&race, 1, "cool 1", NULL);
    assert_int_equal(race.car[1].engine, 5);
    play(&race, 1, "adrenaline move", NULL);
    assert_stands(&race, 1, 41, 0); /* past the other */
    hp_race boosts = race;
    play(&boosts, 1, "boost", NULL);
    assert_true(hp_progress(&boosts, 1) > 41);
    events.n = 0;
    end_turn(&race, &events);
    assert_place(&race, &events, 1, HP_FINISHED, 1);
    assert_place(&race, &events, 0, HP_FINISHED, 2);
}

/* Without it adrenaline would go by how many cars are left; or those gone would keep it. */
static void r5_2_last_of_those_still_racing_by_how_many_started(void **state)
{
    (void)state;
    static const struct {
        const char *position;
        int car; /* which plans last */
        int adrenaline;
    } cases[] = {
        /* five started: the last two of three, two, one that still race */
        {TRACK " 1 9 432 plan F1/" GONE " F2/" GONE " 5.0/" PLANS
               " 15.0/" HAS_PLANNED("1") " 25.0/" HAS_PLANNED("1"),
         2, 1 << 2 | 1 << 3},
        {TRACK " 1 9 43 plan F1/" GONE " F2/" GONE " X5/" GONE " 15.0/" PLANS " 25.0/" HAS_PLANNED("1"), 3,
         1 << 3 | 1 << 4},
        {TRACK " 1 9 4 plan F1/" GONE " F2/" GONE " F3/" GONE " F4/" GONE " 25.0/" PLANS, 4, 1 << 4},
        /* four started: the last one */
        {TRACK " 1 9 321 plan F1/" GONE " 5.0/" PLANS " 15.0/" HAS_PLANNED("1") " 25.0/" HAS_PLANNED("1"), 1,
         1 << 1},
        {TRACK " 1 9 32 plan F1/" GONE " X4/" GONE " 15.0/" PLANS " 25.0/" HAS_PLANNED("1"), 2, 1 << 2},
        /* six started, and the leader finishes in this round */
        {TRACK " 1 9 54321 plan F1/" GONE " 5.0/" PLANS " 15.0/" HAS_PLANNED("1") " 25.0/" HAS_PLANNED(
             "1") " 30.0/" HAS_PLANNED("1") " 39.0/" HAS_PLANNED("1"),
         1, 1 << 1 | 1 << 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        heard_events events = {0};
        hp_race race = race_at(cases[i].position);
        play_round(&race, cases[i].car, "plan 1 1", &events);
        assert_int_equal(race.adrenaline, cases[i].adrenaline);
        assert_int_equal(heard(&events, HP_EV_ROUND, 0)->adrenaline, cases[i].adrenaline);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(r12_1_first_crossing_off_the_grid_starts_lap_1),
        cmocka_unit_test(r12_1_finishes_after_the_set_number_of_laps),
        cmocka_unit_test(r12_1_cars_with_laps_to_go_do_not_finish_along),
        cmocka_unit_test(r12_2_stays_until_the_end_of_the_round),
        cmocka_unit_test(r12_2_blocks_beyond_the_line),
        cmocka_unit_test(r12_2_gives_slipstream_beyond_the_line),
        cmocka_unit_test(r12_2_two_finish_in_the_order_in_which_they_stand),
        cmocka_unit_test(r12_2_r2_2_in_one_space_the_race_line_is_first),
        cmocka_unit_test(r12_2_three_finish_in_one_round),
        cmocka_unit_test(r12_2_next_places_in_later_rounds),
        cmocka_unit_test(r12_3_goes_on_until_every_car_has_finished),
        cmocka_unit_test(r12_3_a_race_alone_ends_at_the_finish),
        cmocka_unit_test(r12_3_nothing_is_possible_after_the_end),
        cmocka_unit_test(r12_3_retiring_is_refused_before_a_car_has_finished),
        cmocka_unit_test(r12_3_retires_instead_of_planning),
        cmocka_unit_test(r12_3_retirement_is_taken_back_like_a_plan),
        cmocka_unit_test(r12_3_the_rearmost_takes_the_last_free_place),
        cmocka_unit_test(r12_3_finishers_of_the_round_are_ahead_of_those_retired),
        cmocka_unit_test(r12_3_retired_cars_leave_before_the_turns),
        cmocka_unit_test(r12_3_order_and_adrenaline_stay_as_set),
        cmocka_unit_test(r12_3_ends_at_once_when_all_others_retire),
        cmocka_unit_test(r6_4_reacts_after_it_crossed_the_line),
        cmocka_unit_test(r5_2_last_of_those_still_racing_by_how_many_started),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
