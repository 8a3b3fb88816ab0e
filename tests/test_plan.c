/* Proves R2 and R3: the order of turns, plans in secret, shifting, which cards may be played, and the
 * cluttered hand. Every test is named after its clause and says what would go wrong without it. */
#include "bots/bots.h"
#include "tests/support.h"

#define OVAL "oval=60,6,3,50/5"
#define LOOKS_ON                                                                                             \
    "/1/6/1112223/*/-/-" /* a car of no interest, behind its place: a whole hand, nothing played */

static heard_events events;

/* That the last act led to just these kinds of events. */
#define assert_events(...)                                                                                   \
    assert_kinds((const hp_event_kind[]){__VA_ARGS__},                                                       \
                 (int)(sizeof(const hp_event_kind[]){__VA_ARGS__} / sizeof(hp_event_kind)))

static void assert_kinds(const hp_event_kind *kinds, int n)
{
    for (int i = 0; i < n && i < events.n; i++)
        assert_int_equal(events.event[i].kind, kinds[i]);
    assert_int_equal(events.n, n);
}

/* As the log tells them: that is every member that holds. */
static void assert_same_event(hp_event a, hp_event b)
{
    char a_text[HP_EVENT_TEXT], b_text[HP_EVENT_TEXT];
    hp_event_write(&a, a_text, sizeof a_text);
    hp_event_write(&b, b_text, sizeof b_text);
    assert_string_equal(a_text, b_text);
}

static hp_view seen_by(const hp_race *race, int seat)
{
    hp_view view;
    hp_look(race, seat, &view);
    return view;
}

static int acts_of(const hp_race *race, int car, hp_act acts[HP_ACTS_MAX])
{
    hp_choice choice;
    hp_choose_from(race, car, &choice);
    return hp_acts(&choice, acts);
}

/* ---- R2 ---------------------------------------------------------------------------------------- */

/* Without it the parts of a turn would come in another order, or one car would act in another's turn. */
static void r2_1_the_steps_of_a_round(void **state)
{
    (void)state;
    hp_race race = race_at(OVAL " 2 2 10 plan 48.0/2/5/4311H0S/*/-/- 55.0/1/6/0112223/*/-/-");
    assert_int_equal(hp_to_act(&race), 0);
    refused(&race, 0, "boost", HP_WRONG_STEP);
    refused(&race, 1, "keep", HP_WRONG_STEP);
    play(&race, 0, "plan 2 4 3", &events);
    assert_int_equal(events.n, 0);
    play(&race, 1, "plan 1 0", &events);
    assert_events(HP_EV_SHIFT, HP_EV_SHIFT, HP_EV_REVEAL, HP_EV_MOVE);

    assert_int_equal(race.step, HP_STEP_REACT);
    assert_int_equal(hp_to_act(&race), 1);
    refused(&race, 0, "done", HP_NOT_YOUR_TURN);
    refused(&race, 0, "plan 1 1", HP_NOT_YOUR_TURN);
    refused(&race, 1, "plan 1 1", HP_WRONG_STEP);
    refused(&race, 1, "keep", HP_WRONG_STEP);
    play(&race, 1, "done", &events); /* nobody near: no slipstream */
    assert_int_equal(events.n, 0);
    assert_int_equal(race.step, HP_STEP_DISCARD);
    refused(&race, 1, "done", HP_WRONG_STEP);
    refused(&race, 0, "keep", HP_NOT_YOUR_TURN);
    play(&race, 1, "keep", &events);
    assert_events(HP_EV_REPLENISH, HP_EV_DRAW, HP_EV_REVEAL, HP_EV_MOVE);

    assert_int_equal(hp_to_act(&race), 0);
    play(&race, 0, "cool 1", &events);
    assert_events(HP_EV_COOL);
    refused(&race, 0, "slip", HP_WRONG_STEP);
    play(&race, 0, "done", &events);
    assert_int_equal(events.n, 0);
    assert_int_equal(race.step, HP_STEP_SLIP); /* beside the other car */
    refused(&race, 0, "boost", HP_WRONG_STEP);
    refused(&race, 1, "slip", HP_NOT_YOUR_TURN);
    play(&race, 0, "slip", &events);
    assert_events(HP_EV_MOVE, HP_EV_CORNER);
    assert_int_equal(race.step, HP_STEP_DISCARD);
    play(&race, 0, "discard 1", &events);
    assert_events(HP_EV_DISCARD, HP_EV_REPLENISH, HP_EV_DRAW, HP_EV_ROUND);
    assert_int_equal(race.step, HP_STEP_PLAN);
    assert_int_equal(race.round, 3);
}

/* Without it somebody who is not in the race, or no longer, could act. */
static void r2_1_only_cars_in_the_race_act(void **state)
{
    (void)state;
    hp_race race = race_at(OVAL " 2 2 1 plan F1" LOOKS_ON " 5.0" LOOKS_ON);
    const hp_race before = race;
    const int nobody[] = {-1, 2, 5, 6, 255};
    for (size_t i = 0; i < sizeof nobody / sizeof nobody[0]; i++)
        assert_int_equal(hp_apply(&race, nobody[i], act_of("plan 1 1"), NULL), HP_NOT_YOUR_TURN);
    assert_memory_equal(&race, &before, sizeof race);
    refused(&race, 0, "plan 1 1", HP_NOT_YOUR_TURN);
    hp_act acts[HP_ACTS_MAX];
    assert_int_equal(acts_of(&race, 0, acts), 0);

    hp_race over = race_at(OVAL " 2 2 - over F1" LOOKS_ON " X2" LOOKS_ON);
    assert_int_equal(hp_to_act(&over), -1);
    refused(&over, 0, "plan 1 1", HP_RACE_OVER);
    refused(&over, 1, "retire", HP_RACE_OVER);
    assert_int_equal(acts_of(&over, 0, acts), 0);
}

/* Without it a car would be told that it has gone ahead, or has adrenaline, when it has not. Car 0 ends the
 * round where it stands; the next one begins. */
static void r2_2_order_of_a_round(void **state)
{
    (void)state;
    static const struct {
        const char *at[4];
        uint8_t order[4];
    } rows[] = {
        {{"10.0", "10.1", "12.1", "9.0"}, {2, 0, 1, 3}},  /* the race line is ahead within its space */
        {{"10.1", "10.0", "12.1", "12.0"}, {3, 2, 1, 0}}, /* whatever the numbers of the cars */
        {{"70.0", "11.0", "69.1", "-1.0"}, {0, 2, 1, 3}}, /* laps count */
        {{"10.1", "71.1", "10.0", "71.0"}, {3, 1, 2, 0}}, {{"-1.1", "-1.0", "-2.0", "-2.1"}, {1, 0, 2, 3}},
        {{"0.0", "-1.1", "59.0", "60.1"}, {3, 2, 0, 1}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        hp_race race = race_of(OVAL " 2 3 1230 discard:0:0:3:3 %s/1/6/111222/*/-/3 %s" LOOKS_ON " %s" LOOKS_ON
                                    " %s" LOOKS_ON,
                               rows[i].at[0], rows[i].at[1], rows[i].at[2], rows[i].at[3]);
        play(&race, 0, "keep", &events);
        const hp_event *round = heard(&events, HP_EV_ROUND, 0);
        assert_int_equal(round->number, 4);
        assert_int_equal(round->count, 4);
        assert_memory_equal(round->cars, rows[i].order, 4);
        assert_int_equal(race.in_order, 4);
        assert_memory_equal(race.order, rows[i].order, 4);
        uint8_t standings[HP_CARS_MAX];
        assert_int_equal(hp_standings(&race, standings), 4);
        assert_memory_equal(standings, rows[i].order, 4);
        assert_int_equal(race.adrenaline, 1 << rows[i].order[3]);
    }
}

/* Without it the cars would take their turns in another order than that at the start of the round: car 2
 * goes from last to first and is still the last to have its turn, car 0 stands still and is the first. */
static void r2_2_turns_come_in_that_order(void **state)
{
    (void)state;
    hp_race race = race_at(OVAL " 2 2 012 plan 22.0/1/6/0112223/*/-/- 20.0/2/6/4431112/*/-/- "
                                "20.1/3/6/4445112/*/-/-");
    play(&race, 2, "plan 4 4 4 4 5", NULL);
    play(&race, 1, "plan 2 4 4", NULL);
    play(&race, 0, "plan 1 0", NULL);
    for (int car = 0; car < 3; car++) {
        assert_int_equal(hp_to_act(&race), car);
        play(&race, car, "done", NULL);
        if (race.step == HP_STEP_SLIP)
            play(&race, car, "stay", NULL);
        play(&race, car, "keep", NULL);
    }
    assert_stands(&race, 0, 22, 0);
    assert_int_equal(race.order[0], 2);
}

/* Without it two cars that finish in one space would share a place, or the one beside the line would win. */
static void r2_2_race_line_is_ahead_at_the_finish(void **state)
{
    (void)state;
    hp_race race =
        race_at(OVAL " 1 9 012 discard:2:58:3:3 62.1" LOOKS_ON " 62.0" LOOKS_ON " 61.0/1/6/111222/*/-/3");
    play(&race, 2, "keep", &events);
    static const uint8_t places[] = {2, 1, 3};
    for (int car = 0; car < 3; car++) {
        assert_int_equal(race.car[car].place, places[car]);
        assert_int_equal(heard(&events, HP_EV_FINISH, places[car] - 1)->car, car);
    }
}

/* Without it the outcome would hang on who is quick to plan. Each car plans, thinks better of it, and plans
 * again, in all 24 orders. */
static void r2_3_plans_in_any_order(void **state)
{
    (void)state;
    enum { CARS = 4 };
    for (uint64_t seed = 0; seed < 10; seed++) {
        hp_circuit circuit;
        hp_circuit_at((int)(seed % 4), &circuit);
        hp_setup setup = {.track = circuit.track, .laps = 2, .cars = CARS};
        hp_seed_of(seed, 1, setup.seed);
        hp_race start;
        assert_int_equal(hp_start(&start, &setup, NULL), HP_OK);
        bot_dice dice = {seed};
        for (uint16_t round = (uint16_t)(1 + seed); start.round < round;) {
            hp_choice choice;
            hp_choose_from(&start, hp_to_act(&start), &choice);
            choice.flags = 0; /* nobody retires */
            hp_apply(&start, hp_to_act(&start), bot_any(&choice, &dice), NULL);
        }
        hp_act plans[CARS], acts[HP_ACTS_MAX];
        for (int car = 0; car < CARS; car++) {
            const int n = acts_of(&start, car, acts);
            plans[car] = n > 0 ? acts[bot_roll_below(&dice, (uint32_t)n)] : (hp_act){0};
        }
        hp_race first = start;
        static heard_events first_events;
        for (int code = 0; code < CARS * CARS * CARS * CARS; code++) {
            const int order[CARS] = {code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6 & 3};
            if ((1 << order[0] | 1 << order[1] | 1 << order[2] | 1 << order[3]) != 15)
                continue;
            hp_race race = start;
            events.n = 0;
            const hp_listener listener = listener_of(&events);
            for (int i = 0; i < CARS; i++) {
                const int car = order[i];
                if (race.car[car].status != HP_RACING)
                    continue;
                if (race.waiting != 1 << car) { /* not the last one: its mind may still change */
                    acts_of(&race, car, acts);
                    assert_int_equal(hp_apply(&race, car, acts[0], &listener), HP_OK);
                    if (i == 1)
                        assert_int_equal(hp_apply(&race, car, act_of("unplan"), &listener), HP_OK);
                }
                assert_int_equal(hp_apply(&race, car, plans[car], &listener), HP_OK);
            }
            assert_true(events.n > 0);
            if (memcmp(&first, &start, sizeof first) == 0) {
                first = race;
                memcpy(&first_events, &events, sizeof events);
            }
            assert_memory_equal(&race, &first, sizeof race);
            assert_int_equal(hp_hash(&race), hp_hash(&first));
            assert_int_equal(events.n, first_events.n);
            for (int i = 0; i < events.n; i++)
                assert_same_event(events.event[i], first_events.event[i]);
        }
    }
}

/* Without it a slip of the finger would stand, or a plan could be changed when others are known. */
static void r2_3_changed_until_the_last_is_in(void **state)
{
    (void)state;
    hp_race race = race_at(OVAL " 2 1 10 plan -1.1/1/6/1122344/*/-/- -1.0/1/6/1112223/*/-/-");
    refused(&race, 0, "unplan", HP_NOTHING_PLANNED);
    assert_false(offered(&race, 0, "unplan"));
    const hp_race before = race;
    play(&race, 0, "plan 1 4", &events);
    assert_int_equal(hp_to_act(&race), 1);
    assert_true(offered(&race, 0, "unplan"));
    play(&race, 0, "unplan", &events);
    assert_int_equal(events.n, 0);
    assert_memory_equal(&race, &before, sizeof race); /* as if nothing had been planned */
    assert_int_equal(hp_to_act(&race), 0);
    refused(&race, 0, "unplan", HP_NOTHING_PLANNED);

    play(&race, 1, "plan 1 1", NULL);
    assert_int_equal(race.step, HP_STEP_PLAN); /* the plan taken back does not count */
    play(&race, 1, "unplan", NULL);
    play(&race, 0, "plan 2 4 4", NULL);
    play(&race, 0, "plan 1 2", NULL);
    play(&race, 0, "plan 2 3 1", NULL);
    assert_true(offered(&race, 0, "plan 1 4"));
    assert_pile(race.car[0].hand, "1122344"); /* still in the hand */
    play(&race, 1, "plan 1 3", NULL);
    assert_int_equal(race.step, HP_STEP_REACT);
    assert_int_equal(race.car[0].gear, 2);
    assert_pile(race.car[0].play, "13");
    assert_pile(race.car[0].hand, "12244");
    refused(&race, 0, "unplan", HP_NOT_YOUR_TURN);
    refused(&race, 0, "plan 1 4", HP_NOT_YOUR_TURN);
}

/* Without it a plan would show in what the others see. Whatever car 0 plans (another has finished: it may
 * even retire), their views are the same bytes, and all that changed is that it has planned. */
static void r2_3_nothing_of_a_plan_is_seen(void **state)
{
    (void)state;
    const hp_race start = race_at(OVAL " 2 7 120 plan 5.0/2/3/123SHH5/*/4/- 30.0/1/6/1112223/*/-/>1 "
                                       "20.0" LOOKS_ON " F1" LOOKS_ON);
    const int seats[] = {1, 2, 3, HP_SPECTATOR};
    hp_act acts[HP_ACTS_MAX];
    const int n = acts_of(&start, 0, acts);
    assert_true(n > 20);
    for (int i = 0; i < n; i++) {
        hp_race race = start;
        events.n = 0;
        const hp_listener listener = listener_of(&events);
        assert_int_equal(hp_apply(&race, 0, acts[i], &listener), HP_OK);
        assert_int_equal(events.n, 0);
        for (size_t k = 0; k < sizeof seats / sizeof seats[0]; k++) {
            hp_view before = seen_by(&start, seats[k]);
            const hp_view after = seen_by(&race, seats[k]);
            assert_int_equal(before.car[0].has_planned, 0);
            before.car[0].has_planned = 1;
            assert_memory_equal(&after, &before, sizeof before);
        }
        const hp_view own = seen_by(&race, 0);
        assert_int_equal(own.planned, acts[i].kind == HP_RETIRE ? HP_PLANS_TO_RETIRE : acts[i].number);
        assert_memory_equal(own.plan, acts[i].cards, sizeof own.plan);
    }
}

/* Without it gears would shift one after the other, or a shift would wait to be paid. */
static void r2_3_all_gears_shift_at_once(void **state)
{
    (void)state;
    hp_race race =
        race_at(OVAL " 2 3 201 plan 12.1/2/2/1122334/*/-/- 11.0/3/1/4433221/*/-/- 30.0/1/6/1233444/*/-/-");
    static const struct {
        const char *plan, *play, *hand;
        int from, to, engine, paid;
    } rows[] = {
        {"plan 4 1 1 2 2", "1122", "334", 2, 4, 1, 1},
        {"plan 1 4", "4", "433221", 3, 1, 0, 1},
        {"plan 2 1 2", "12", "33444", 1, 2, 6, 0},
    };
    for (int car = 0; car < 3; car++) {
        assert_int_equal(race.car[car].gear, rows[car].from); /* not before the last plan */
        play(&race, car, rows[car].plan, &events);
    }
    assert_events(HP_EV_SHIFT, HP_EV_SHIFT, HP_EV_SHIFT, HP_EV_REVEAL, HP_EV_MOVE);
    static const uint8_t order[] = {2, 0, 1};
    for (int i = 0; i < 3; i++) {
        const int number = order[i];
        const hp_event *shift = heard(&events, HP_EV_SHIFT, i);
        assert_int_equal(shift->car, number);
        assert_int_equal(shift->gear_from, rows[number].from);
        assert_int_equal(shift->gear_to, rows[number].to);
        assert_int_equal(shift->paid, rows[number].paid);

        const hp_car *car = &race.car[number];
        assert_int_equal(car->gear, rows[number].to);
        assert_int_equal(car->engine, rows[number].engine);
        assert_pile(car->discard, rows[number].paid ? "H" : "-");
        assert_int_equal(car->top, rows[number].paid ? HP_HEAT : HP_NO_CARD);
        assert_pile(car->hand, rows[number].hand);
        assert_pile(car->play, rows[number].play);
        assert_int_equal(car->planned, 0);

        const hp_view view = seen_by(&race, HP_SPECTATOR);
        assert_int_equal(view.car[number].gear, rows[number].to);
        assert_int_equal(view.car[number].engine, rows[number].engine);
        assert_int_equal(view.car[number].has_planned, 0);
        assert_int_equal(view.car[number].covered, i == 0 ? 0 : rows[number].to);
    }
}

/* Without it the cards would be known before their car's turn. Two races that differ in what car 0 has
 * planned look and sound the same to the others until then. */
static void r2_3_cards_stay_face_down(void **state)
{
    (void)state;
    hp_race one = race_at(OVAL " 2 3 10 plan 10.0/2/6/11223SH/*/-/- 30.0" LOOKS_ON), two = one;
    static heard_events one_events;
    play(&one, 0, "plan 2 1 1", NULL);
    play(&two, 0, "plan 2 3 S", NULL);
    static const char *const acts[] = {"plan 1 1", "boost", "done"};
    for (int i = 0; i < 3; i++) {
        play(&one, 1, acts[i], &one_events);
        play(&two, 1, acts[i], &events);
        assert_int_equal(events.n, one_events.n);
        for (int k = 0; k < events.n; k++)
            assert_same_event(hp_event_for(&events.event[k], 1), hp_event_for(&one_events.event[k], 1));
        const int seats[] = {1, HP_SPECTATOR};
        for (int k = 0; k < 2; k++) {
            const hp_view a = seen_by(&one, seats[k]), b = seen_by(&two, seats[k]);
            assert_memory_equal(&a, &b, sizeof a);
            assert_int_equal(a.car[0].covered, 2);
            assert_pile(a.car[0].play, "-");
        }
    }
    const hp_view own = seen_by(&two, 0);
    assert_int_equal(own.plan[0], HP_THREE);
    assert_int_equal(own.plan[1], HP_STRESS);

    play(&one, 1, "keep", &one_events);
    assert_pile(seen_by(&one, 1).car[0].play, "11");
    assert_int_equal(seen_by(&one, 1).car[0].covered, 0);
    const hp_event *reveal = heard(&one_events, HP_EV_REVEAL, 0);
    assert_int_equal(reveal->car, 0);
    assert_int_equal(reveal->count, 2);
    assert_int_equal(reveal->cards[0], HP_ONE);
    assert_int_equal(reveal->cards[1], HP_ONE);
}

/* ---- R3 ---------------------------------------------------------------------------------------- */

/* Without these clauses a car could jump gears, jump them for nothing, or be kept from shifting. */
static void r3_1_r3_2_shifting(void **state)
{
    (void)state;
    static const char *const plans[] = {"plan 0",       "plan 1 1",       "plan 2 1 1",
                                        "plan 3 1 1 2", "plan 4 1 1 2 2", "plan 5 1 1 2 2 3"};
    for (int engine = 0; engine <= 2; engine++)
        for (int from = 1; from <= HP_GEARS; from++)
            for (int to = 0; to <= 5; to++) {
                hp_race race = race_of(OVAL " 2 3 0 plan 10.0/%d/%d/1122334/*/-/-", from, engine);
                const int by = abs(to - from);
                if (to == 0 || to == 5) {
                    refused(&race, 0, plans[to], HP_NO_SUCH_GEAR);
                } else if (by == 3) {
                    refused(&race, 0, plans[to], HP_SHIFT_TOO_FAR);
                } else if (by == 2 && engine == 0) {
                    refused(&race, 0, plans[to], HP_SHIFT_UNPAID);
                } else {
                    assert_true(offered(&race, 0, plans[to]));
                    play(&race, 0, plans[to], &events);
                    assert_int_equal(race.car[0].gear, to);
                    assert_int_equal(race.car[0].engine, engine - (by == 2));
                    assert_int_equal(hp_count(race.car[0].discard, HP_HEAT), by == 2);
                    assert_int_equal(heard(&events, HP_EV_SHIFT, 0)->paid, by == 2);
                    continue;
                }
                assert_false(offered(&race, 0, plans[to]));
            }
}

/* Without it a gear would be driven with too few cards or too many, or with cards of somebody else. */
static void r3_3_as_many_cards_as_the_gear_says(void **state)
{
    (void)state;
    hp_race race = race_at(OVAL " 2 3 0 plan 10.0/2/6/11224HS/*/-/-");
    const hp_race before = race;
    static const struct {
        hp_act act;
        hp_error error;
    } rows[] = {
        {{HP_PLAN, 2, {HP_ONE, HP_ONE, HP_TWO}}, HP_NOT_AN_ACT}, /* a third card */
        {{HP_PLAN, 1, {HP_ONE, 0, 0, 0, 0, HP_TWO}}, HP_NOT_AN_ACT},
        {{HP_PLAN, 3, {HP_ONE, HP_ONE}}, HP_NOT_IN_HAND},   /* the third reads as a 0 */
        {{HP_PLAN, 2, {HP_FOUR, HP_FOUR}}, HP_NOT_IN_HAND}, /* it has one of them */
        {{HP_PLAN, 2, {HP_THREE, HP_ONE}}, HP_NOT_IN_HAND}, /* none */
        {{HP_PLAN, 2, {HP_ONE, HP_NO_CARD}}, HP_NOT_AN_ACT},
        {{HP_PLAN, 1, {255}}, HP_NOT_AN_ACT},
        {{HP_PLAN, 255, {HP_ONE}}, HP_NO_SUCH_GEAR},
        {{HP_ACT_KINDS, 0, {0}}, HP_NOT_AN_ACT},
        {{255, 0, {0}}, HP_NOT_AN_ACT},
        {{HP_UNPLAN, 1, {0}}, HP_NOT_AN_ACT},
        {{HP_RETIRE, 0, {HP_ONE}}, HP_NOT_AN_ACT},
        {{HP_RETIRE, 0, {0}}, HP_TOO_EARLY_TO_RETIRE},
        {{HP_UNPLAN, 0, {0}}, HP_NOTHING_PLANNED},
        {{HP_DONE, 0, {0}}, HP_WRONG_STEP},
    };
    const hp_listener listener = listener_of(&events);
    events.n = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(hp_apply(&race, 0, rows[i].act, &listener), rows[i].error);
        assert_memory_equal(&race, &before, sizeof race);
    }
    assert_int_equal(events.n, 0);
    play(&race, 0, "plan 3 S 1 4", &events); /* any card but Heat, in any order */
    assert_int_equal(heard(&events, HP_EV_REVEAL, 0)->count, 3);
    assert_int_equal(heard(&events, HP_EV_REVEAL, 0)->cards[0], HP_STRESS);
    assert_pile(race.car[0].hand, "122H");
}

/* Without it Heat would be got rid of by playing it. */
static void r3_3_heat_is_not_played(void **state)
{
    (void)state;
    hp_race race = race_at(OVAL " 2 3 0 plan 10.0/2/2/4SHHHHH/*/-/-");
    refused(&race, 0, "plan 1 H", HP_HEAT_NOT_PLAYABLE);
    refused(&race, 0, "plan 2 4 H", HP_HEAT_NOT_PLAYABLE); /* S and 4 fill the gear */
    refused(&race, 0, "plan 2 H H", HP_HEAT_NOT_PLAYABLE);
    assert_true(offered(&race, 0, "plan 2 4 S"));
    assert_true(offered(&race, 0, "plan 1 S"));
}

/* Without it a car with too much Heat in hand would have nothing that it may do. From 4th gear with one
 * Heat in the engine 2nd is the lowest; its only playable card does not fill that. */
static void r3_4_cluttered_by_need(void **state)
{
    (void)state;
    const hp_race race = race_at(OVAL " 2 3 0 plan 10.0/4/1/SHHHHHH/*/-/-");
    hp_act acts[HP_ACTS_MAX];
    assert_int_equal(acts_of(&race, 0, acts), 3);
    static const char *const plans[] = {"plan 2 S H", "plan 3 S H H", "plan 4 S H H H"};
    for (int i = 0; i < 3; i++) {
        hp_race copy = race;
        play(&copy, 0, plans[i], &events);
        assert_int_equal(heard_count(&events, HP_EV_CLUTTERED), 1);
    }
    /* Not even one card to play, and no Heat to shift with. */
    hp_race hot = race_at(OVAL " 2 3 0 plan 10.0/1/0/HHHHHHH/*/-/-");
    assert_int_equal(acts_of(&hot, 0, acts), 2);
    assert_true(offered(&hot, 0, "plan 1 H"));
    assert_true(offered(&hot, 0, "plan 2 H H"));
    refused(&hot, 0, "plan 3 H H H", HP_SHIFT_UNPAID);
    play(&hot, 0, "plan 1 H", &events);
    assert_int_equal(heard_count(&events, HP_EV_CLUTTERED), 1);
}

/* Without the ruling a car could not clutter itself to be rid of Heat. Two playable cards fill 2nd gear. */
static void r3_4_cluttered_by_choice(void **state)
{
    (void)state;
    hp_race race = race_at(OVAL " 2 3 0 plan 10.0/2/2/12HHHHH/*/-/-");
    assert_true(offered(&race, 0, "plan 2 1 2"));
    assert_true(offered(&race, 0, "plan 3 1 2 H"));
    assert_true(offered(&race, 0, "plan 4 1 2 H H"));
    play(&race, 0, "plan 4 2 H 1 H", &events); /* by two: that is paid all the same */
    assert_events(HP_EV_SHIFT, HP_EV_REVEAL, HP_EV_CLUTTERED, HP_EV_REPLENISH, HP_EV_DRAW, HP_EV_ROUND);
    assert_int_equal(heard(&events, HP_EV_SHIFT, 0)->gear_to, 4);
    assert_int_equal(heard(&events, HP_EV_SHIFT, 0)->paid, 1);
    assert_int_equal(race.car[0].engine, 1);
    assert_pile(race.car[0].discard, "H12HH");
    assert_stands(&race, 0, 10, 0);
}

/* Without it a good card could be kept while Heat is played in its stead. */
static void r3_4_all_playable_cards_are_played(void **state)
{
    (void)state;
    hp_race race = race_at(OVAL " 2 3 0 plan 10.0/3/2/4SHHHHH/*/-/-");
    refused(&race, 0, "plan 3 4 H H", HP_CLUTTER_INCOMPLETE);
    refused(&race, 0, "plan 3 S H H", HP_CLUTTER_INCOMPLETE);
    refused(&race, 0, "plan 3 H H H", HP_CLUTTER_INCOMPLETE);
    refused(&race, 0, "plan 4 4 H H H", HP_CLUTTER_INCOMPLETE);
    refused(&race, 0, "plan 3 4 4 H", HP_NOT_IN_HAND);
    play(&race, 0, "plan 3 H S 4", NULL); /* in any order */
}

/* Without it a cluttered car would move, flip, react, cool, slipstream or discard. It stands beside
 * another and is last, so that it would have adrenaline and slipstream. */
static void r3_5_a_cluttered_car(void **state)
{
    (void)state;
    hp_race race = race_at(OVAL " 2 3 10 discard:1:10:0:0 10.1/3/2/HHHH/*/3/4SH 10.0/1/6/111222/*/-/0");
    play(&race, 1, "keep", &events);
    assert_events(HP_EV_REPLENISH, HP_EV_DRAW, HP_EV_REVEAL, HP_EV_CLUTTERED, HP_EV_REPLENISH, HP_EV_DRAW,
                  HP_EV_ROUND);
    assert_int_equal(heard(&events, HP_EV_CLUTTERED, 0)->car, 0);
    assert_int_equal(heard(&events, HP_EV_REVEAL, 0)->count, 3);
    const hp_car *car = &race.car[0];
    assert_stands(&race, 0, 10, 1);
    assert_int_equal(car->gear, 1);
    assert_int_equal(car->engine, 2);
    assert_pile(car->play, "-");
    assert_pile(car->discard, "34SH");
    assert_int_equal(car->top, HP_HEAT);
    assert_int_equal(hp_size(car->hand), 7);
    assert_int_equal(heard(&events, HP_EV_DRAW, 1)->car, 0);
    assert_int_equal(heard(&events, HP_EV_DRAW, 1)->count, 3);
    assert_int_equal(race.step, HP_STEP_PLAN);
    assert_int_equal(race.round, 4);
}

/* Without it the played cards would not be in the discard pile when that is needed to draw from. */
static void r3_5_discarded_before_drawing(void **state)
{
    (void)state;
    hp_race race = race_at(OVAL " 2 3 0 plan 10.0/1/2/1HHHHHS/23/05SS112233444/-");
    play(&race, 0, "plan 3 1 S H", &events); /* by two gears: that Heat is discarded as well */
    assert_events(HP_EV_SHIFT, HP_EV_REVEAL, HP_EV_CLUTTERED, HP_EV_REPLENISH, HP_EV_DRAW, HP_EV_RESHUFFLE,
                  HP_EV_DRAW, HP_EV_ROUND);
    assert_int_equal(heard(&events, HP_EV_RESHUFFLE, 0)->number, 13 + 1 + 3);
}

/* Without it the next car would not get its turn, whether or not it is cluttered too. */
static void r3_5_the_next_car_follows(void **state)
{
    (void)state;
    hp_race race =
        race_at(OVAL " 2 3 012 plan 12.0/1/1/HHHHHHS/*/-/>SH 11.0/1/0/HHHHHHH/*/-/>H 10.0/1/6/1112223/*/-/-");
    hp_race all =
        race_at(OVAL " 2 3 012 plan 12.0/1/1/HHHHHHS/*/-/>SH 11.0/1/0/HHHHHHH/*/-/>H 10.0/1/0/HHHHHHH/*/-/-");
    play(&race, 2, "plan 1 1", &events);
    assert_int_equal(heard_count(&events, HP_EV_CLUTTERED), 2);
    assert_int_equal(heard_count(&events, HP_EV_FLIP), 0);
    assert_int_equal(race.step, HP_STEP_REACT);
    assert_int_equal(hp_to_act(&race), 2);

    play(&all, 2, "plan 1 H", &events); /* a round without a decision but the plans */
    assert_int_equal(heard_count(&events, HP_EV_CLUTTERED), 3);
    assert_int_equal(heard_count(&events, HP_EV_MOVE), 0);
    assert_int_equal(all.step, HP_STEP_PLAN);
    assert_int_equal(all.round, 4);
}

/* ---- All of R3 at once ------------------------------------------------------------------------- */

/* The rules once more, in a simple way: whether these cards may be planned in this gear. */
static bool may_plan(hp_pile hand, int gear, int engine, const int *cards, int n)
{
    const int by = abs(n - gear);
    if (by > 2 || (by == 2 && engine == 0))
        return false;
    int named[HP_KINDS] = {0};
    for (int i = 0; i < n; i++)
        named[cards[i]]++;
    for (int card = 0; card < HP_KINDS; card++)
        if (named[card] > hp_count(hand, (hp_card)card))
            return false;
    const int playable = hp_size(hand) - hp_count(hand, HP_HEAT);
    return named[HP_HEAT] == (playable >= n ? 0 : n - playable);
}

/* How often the list has an act with these cards, whatever their order. */
static int listed(const hp_act *acts, int n_acts, hp_act act)
{
    int times = 0;
    for (int i = 0; i < n_acts; i++) {
        int count[HP_KINDS] = {0};
        if (acts[i].kind != act.kind || acts[i].number != act.number)
            continue;
        for (int k = 0; k < act.number; k++) {
            count[acts[i].cards[k]]++;
            count[act.cards[k]]--;
        }
        bool same = true;
        for (int k = 0; k < HP_KINDS; k++)
            same &= count[k] == 0;
        times += same;
    }
    return times;
}

/* Seven cards at random of those that a car has outside its engine. */
static void deal_hand(bot_dice *dice, int engine, char hand[HP_HAND + 1])
{
    char deck[] = "05SSS111222333444HHHHHHH";
    uint32_t n = (uint32_t)strlen(deck) - (uint32_t)engine;
    for (int i = 0; i < HP_HAND; i++) {
        const uint32_t k = bot_roll_below(dice, n);
        hand[i] = deck[k];
        deck[k] = deck[--n];
    }
    hand[HP_HAND] = '\0';
}

/* Without it a screen would offer what is refused, or hide what is allowed. Every way to name up to four
 * cards, for hands of all kinds. */
static void r3_lists_are_just_the_legal_plans(void **state)
{
    (void)state;
    static const int engines[] = {0, 1, 3, 6};
    bot_dice dice = {7};
    int cluttered = 0;
    for (int trial = 0; trial < 240; trial++) {
        const int gear = trial % HP_GEARS + 1, engine = engines[trial / HP_GEARS % HP_GEARS];
        char hand[HP_HAND + 1];
        deal_hand(&dice, engine, hand);
        if (trial % 3 == 0 && engine == 0) /* chance alone makes hardly any so hot */
            memcpy(hand, "HHHHHHH", (size_t)(trial % 8));
        const hp_race race = race_of(OVAL " 2 3 0 plan 10.0/%d/%d/%s/*/-/-", gear, engine, hand);
        hp_choice choice;
        hp_choose_from(&race, 0, &choice);
        hp_act acts[HP_ACTS_MAX];
        const int n_acts = hp_acts(&choice, acts);
        int legal = 0;
        for (int n = 1; n <= HP_GEARS; n++)
            for (int code = 0; code < 1 << 3 * n; code++) {
                const int cards[HP_GEARS] = {code & 7, code >> 3 & 7, code >> 6 & 7, code >> 9 & 7};
                hp_act act = {.kind = HP_PLAN, .number = (uint8_t)n};
                bool rising = true;
                for (int i = 0; i < n; i++) {
                    act.cards[i] = (uint8_t)cards[i];
                    rising &= i == 0 || cards[i - 1] <= cards[i];
                }
                const bool may = may_plan(choice.hand, gear, engine, cards, n);
                assert_int_equal(hp_check(&choice, act) == HP_OK, may);
                if (!rising)
                    continue;
                legal += may;
                assert_int_equal(listed(acts, n_acts, act), may);
                hp_race copy = race;
                assert_int_equal(hp_apply(&copy, 0, act, NULL) == HP_OK, may);
                if (!may)
                    assert_memory_equal(&copy, &race, sizeof race);
                else
                    cluttered += copy.round > race.round;
            }
        assert_int_equal(n_acts, legal); /* nothing else: nobody has finished or planned */
    }
    assert_true(cluttered > 10);
}

/* Without it a screen could not say which rule forbids an act. */
static void r3_refusals_name_their_clause(void **state)
{
    (void)state;
    static const struct {
        hp_error error;
        const char *rule;
    } rows[] = {
        {HP_RACE_OVER, "R12.3"},
        {HP_NOT_YOUR_TURN, "R2.1"},
        {HP_WRONG_STEP, "R2.1"},
        {HP_NO_SUCH_GEAR, "R3.1"},
        {HP_SHIFT_TOO_FAR, "R3.2"},
        {HP_SHIFT_UNPAID, "R3.2"},
        {HP_NOT_IN_HAND, "R3.3"},
        {HP_HEAT_NOT_PLAYABLE, "R3.3"},
        {HP_CLUTTER_INCOMPLETE, "R3.4"},
        {HP_NOTHING_PLANNED, "R2.3"},
        {HP_TOO_EARLY_TO_RETIRE, "R12.3"},
        {HP_NOT_AN_ACT, ""},
        {HP_OK, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_string_equal(hp_rule_of(rows[i].error), rows[i].rule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(r2_1_the_steps_of_a_round),
        cmocka_unit_test(r2_1_only_cars_in_the_race_act),
        cmocka_unit_test(r2_2_order_of_a_round),
        cmocka_unit_test(r2_2_turns_come_in_that_order),
        cmocka_unit_test(r2_2_race_line_is_ahead_at_the_finish),
        cmocka_unit_test(r2_3_plans_in_any_order),
        cmocka_unit_test(r2_3_changed_until_the_last_is_in),
        cmocka_unit_test(r2_3_nothing_of_a_plan_is_seen),
        cmocka_unit_test(r2_3_all_gears_shift_at_once),
        cmocka_unit_test(r2_3_cards_stay_face_down),
        cmocka_unit_test(r3_1_r3_2_shifting),
        cmocka_unit_test(r3_3_as_many_cards_as_the_gear_says),
        cmocka_unit_test(r3_3_heat_is_not_played),
        cmocka_unit_test(r3_4_cluttered_by_need),
        cmocka_unit_test(r3_4_cluttered_by_choice),
        cmocka_unit_test(r3_4_all_playable_cards_are_played),
        cmocka_unit_test(r3_5_a_cluttered_car),
        cmocka_unit_test(r3_5_discarded_before_drawing),
        cmocka_unit_test(r3_5_the_next_car_follows),
        cmocka_unit_test(r3_lists_are_just_the_legal_plans),
        cmocka_unit_test(r3_refusals_name_their_clause),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
