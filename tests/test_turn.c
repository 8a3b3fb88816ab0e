/* Proves R4, R5 and R6: reveal and move, adrenaline, react. Every test is named after its clause and says
 * what would go wrong without it.
 *
 * Most begin at the end of car 0's turn: it keeps its cards, and car 1, the one looked at, reveals the cards
 * that lie face down before it. So the others can stand wherever they are in the way. */
#include "bots/bots.h"
#include "tests/support.h"

#define OVAL "oval=60,6,3,50/5 2 3 "
#define ENDS "/1/6/111222/*/-/3"  /* behind its place: a car at the end of its turn */
#define LATER "/1/6/111222/*/-/3" /* one whose turn is to come, a card face down */
#define DONE "/1/6/1112223/*/-/-" /* one that had its turn */

static heard_events events;

/* A car in which every card that is not named lies in the discard pile: what it will draw is certain. */
typedef struct {
    char text[96];
} car_text;

static car_text car_of(const char *place, int gear, int engine, const char *hand, const char *draw,
                       const char *played)
{
    char rest[40] = "";
    size_t n = 0;
    for (const char *kind = "012345HS"; *kind != '\0'; kind++) {
        int left = *kind == 'S' ? 3 : *kind == 'H' ? 7 - engine : strchr("05", *kind) ? 1 : 3;
        for (const char *named[] = {hand, draw, played}, **at = named; at < named + 3; at++)
            for (const char *card = *at; *card != '\0'; card++)
                left -= *card == *kind;
        for (; left > 0; left--)
            rest[n++] = *kind;
    }
    car_text car;
    snprintf(car.text, sizeof car.text, "%s/%d/%d/%s/%s/%s/%s", place, gear, engine, hand, draw,
             n == 0 ? "-" : rest, played);
    return car;
}

/* Which spots are taken is where the cars stand. */
static void assert_road(const hp_race *race)
{
    uint64_t taken[4] = {0};
    for (int i = 0; i < race->cars; i++) {
        const hp_car *car = &race->car[i];
        if (car->status == HP_RACING)
            taken[car->space / 32] |= UINT64_C(1) << (car->space % 32 * 2 + car->spot);
    }
    assert_memory_equal(race->taken, taken, sizeof taken);
}

/* The list of acts is what hp_apply accepts; what it refuses changes nothing. Plans: see test_plan.c. */
static void assert_lists_agree(const hp_race *race)
{
    for (int car = 0; car < race->cars; car++) {
        hp_choice choice;
        hp_act acts[HP_ACTS_MAX];
        hp_choose_from(race, car, &choice);
        const int n = hp_acts(&choice, acts);
        for (int kind = 0; kind < HP_ACT_KINDS; kind++)
            for (int number = 0; number <= HP_ACT_CARDS; number++) {
                const hp_act act = {.kind = (uint8_t)kind, .number = (uint8_t)number};
                if (kind == HP_PLAN || (kind == HP_DISCARD && number > 1))
                    continue;
                int listed = 0;
                for (int i = 0; i < n; i++)
                    listed += memcmp(&acts[i], &act, sizeof act) == 0;
                hp_race copy = *race;
                assert_int_equal(hp_apply(&copy, car, act, NULL) == HP_OK, listed);
                if (!listed)
                    assert_memory_equal(&copy, race, sizeof copy);
            }
    }
}

static void does(hp_race *race, int car, const char *act)
{
    play(race, car, act, &events);
    assert_road(race);
    assert_lists_agree(race);
}

/* Car 1 has its turn. */
static void reveal(hp_race *race)
{
    does(race, 0, "keep");
}

static const hp_event *last_event(hp_event_kind kind)
{
    return heard(&events, kind, heard_count(&events, kind) - 1);
}

static bool has_adrenaline(const hp_race *race, int car)
{
    hp_choice choice;
    hp_choose_from(race, car, &choice);
    return choice.flags & HP_HAS_ADRENALINE;
}

/* ---- R4 ---------------------------------------------------------------------------------------- */

/* Without it a car would move by another number than its cards say. */
static void r4_1_speed_is_the_sum(void **state)
{
    (void)state;
    static const struct {
        const char *played, *hand;
        int speed;
    } rows[] = {
        {"0", "111222", 0}, {"1", "112223", 1}, {"5", "111222", 5},  {"05", "11122", 5},  {"44", "11122", 8},
        {"45", "11122", 9}, {"012", "1123", 3}, {"333", "1112", 9},  {"345", "1112", 12}, {"1234", "112", 10},
        {"2022", "111", 6}, {"0125", "112", 8}, {"5444", "111", 17},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const int gear = (int)strlen(rows[i].played);
        hp_race race = race_of(OVAL "012 discard:0:50:3:3 55.0" ENDS " 10.0/%d/6/%s/*/-/%s 2.0" LATER, gear,
                               rows[i].hand, rows[i].played);
        reveal(&race);
        assert_int_equal(race.turn.speed, rows[i].speed);
        assert_stands(&race, 1, 10 + rows[i].speed, 0);
        assert_pile(race.car[1].play, rows[i].played);
        assert_pile(race.car[1].hand, rows[i].hand);
        const hp_event *move = last_event(HP_EV_MOVE);
        assert_int_equal(move->car, 1);
        assert_int_equal(move->why, HP_BY_CARDS);
        assert_int_equal(move->number, rows[i].speed);
        assert_int_equal(move->speed, rows[i].speed);
        assert_int_equal(move->from.at, 10);
        assert_int_equal(move->to.at, 10 + rows[i].speed);
    }
}

/* Without it four stress cards would be worth one flip, or the car would move before all are known. In the
 * draw pile lie a 1, a 2, a 3 and a 4, which all come. */
static void r4_2_four_stress_cards(void **state)
{
    (void)state;
    hp_race race =
        race_at(OVAL "012 discard:0:50:3:3 55.0" ENDS " 10.0/4/6/112/1234/0523344H/SSSS 2.0" LATER);
    reveal(&race);
    assert_int_equal(race.turn.speed, 10);
    assert_stands(&race, 1, 20, 0);
    assert_pile(race.car[1].play, "SSSS1234");
    assert_pile(race.car[1].draw, "-");
    assert_pile(race.car[1].discard, "0523344H");
    static const hp_event_kind kinds[] = {HP_EV_REPLENISH, HP_EV_DRAW, HP_EV_REVEAL, HP_EV_FLIP,
                                          HP_EV_FLIP,      HP_EV_FLIP, HP_EV_FLIP,   HP_EV_MOVE};
    assert_int_equal(events.n, 8);
    for (int i = 0; i < 8; i++)
        assert_int_equal(events.event[i].kind, kinds[i]);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(heard(&events, HP_EV_FLIP, i)->car, 1);
        assert_int_equal(heard(&events, HP_EV_FLIP, i)->kept, 1);
        assert_int_equal(heard(&events, HP_EV_FLIP, i)->why, HP_BY_STRESS);
    }
    assert_int_equal(last_event(HP_EV_MOVE)->number, 10);
}

/* Without it a stress card would be worth nothing beside others, or they nothing beside it. */
static void r4_2_stress_among_others(void **state)
{
    (void)state;
    hp_race race = race_of(OVAL "012 discard:0:50:3:3 55.0" ENDS " %s 2.0" LATER,
                           car_of("10.0", 3, 6, "1112", "33", "5S0").text);
    reveal(&race);
    assert_int_equal(race.turn.speed, 5 + 3);
    assert_stands(&race, 1, 18, 0);
    assert_pile(race.car[1].play, "5S03");
    assert_pile(race.car[1].draw, "3");
}

/* Without it a flip would keep a 0, a 5, a Heat or a stress card, or leave it somewhere else. One 4 lies
 * among them; those that come before it are discarded, the last one on top, and the others stay. */
static void r4_2_others_go_to_the_discard_pile(void **state)
{
    (void)state;
    int most = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        hp_race race =
            race_at(OVAL "012 discard:0:50:3:3 55.0" ENDS " 10.0/1/6/112233/05HSS4/12344/S 2.0" LATER);
        reseed(&race, seed);
        reveal(&race);
        const int flips = heard_count(&events, HP_EV_FLIP);
        hp_pile discarded = pile_from("12344"), left = pile_from("05HSS4");
        int top = HP_FOUR;
        for (int i = 0; i < flips; i++) {
            const hp_event *flip = heard(&events, HP_EV_FLIP, i);
            assert_int_equal(flip->kept, i == flips - 1);
            assert_int_equal(flip->cards[0] == HP_FOUR, flip->kept);
            left.counts -= UINT64_C(1) << (8 * flip->cards[0]);
            if (flip->kept)
                continue;
            discarded.counts += UINT64_C(1) << (8 * flip->cards[0]);
            top = flip->cards[0];
        }
        assert_int_equal(race.car[1].discard.counts, discarded.counts);
        assert_int_equal(race.car[1].draw.counts, left.counts);
        assert_int_equal(race.car[1].top, top);
        assert_pile(race.car[1].play, "S4");
        assert_int_equal(race.turn.speed, 4);
        most = flips > most ? flips : most;
    }
    assert_int_equal(most, 6);
}

/* Without "at once" the cards turned over would not be in the discard pile when that is shuffled: none of the
 * five left to draw is a speed card, so that all of them come first and then lie among the six others. */
static void r4_2_discarded_at_once(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        hp_race race =
            race_at(OVAL "012 discard:0:50:3:3 55.0" ENDS " 10.0/1/6/112233/05HSS/123444/S 2.0" LATER);
        reseed(&race, seed);
        reveal(&race);
        assert_int_equal(heard_count(&events, HP_EV_RESHUFFLE), 1);
        assert_int_equal(heard(&events, HP_EV_RESHUFFLE, 0)->number, 6 + 5);
        const hp_event *sixth = heard(&events, HP_EV_FLIP, 5), *shuffle = heard(&events, HP_EV_RESHUFFLE, 0);
        assert_true(sixth == shuffle + 1);
        const int since = heard_count(&events, HP_EV_FLIP) - 5;
        assert_int_equal(hp_size(race.car[1].draw), 11 - since);
        assert_int_equal(hp_size(race.car[1].discard), since - 1);
        assert_int_equal(race.car[1].top == HP_NO_CARD, since == 1);
        assert_in_range(race.turn.speed, 1, 4);
        assert_stands(&race, 1, 10 + race.turn.speed, 0);
    }
}

/* Without it the second flip would find no card, or the play area would be shuffled in. */
static void r4_2_reshuffled_between_two_flips(void **state)
{
    (void)state;
    unsigned seen = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        hp_race race =
            race_at(OVAL "012 discard:0:50:3:3 55.0" ENDS " 10.0/2/6/05HS1/2/1122333444/SS 2.0" LATER);
        reseed(&race, seed);
        reveal(&race);
        assert_int_equal(heard(&events, HP_EV_FLIP, 0)->cards[0], HP_TWO);
        assert_int_equal(heard_count(&events, HP_EV_FLIP), 2);
        assert_int_equal(heard(&events, HP_EV_RESHUFFLE, 0)->number, 10);
        const hp_event *second = heard(&events, HP_EV_FLIP, 1);
        assert_int_equal(race.turn.speed, 2 + second->cards[0]);
        assert_int_equal(hp_size(race.car[1].play), 4);
        assert_int_equal(hp_size(race.car[1].draw), 9);
        assert_pile(race.car[1].discard, "-");
        assert_int_equal(race.car[1].top, HP_NO_CARD);
        seen |= 1u << second->cards[0];
    }
    assert_int_equal(seen, 1u << HP_ONE | 1u << HP_TWO | 1u << HP_THREE | 1u << HP_FOUR);
}

/* Without it a car could be held up by those that it passes. */
static void r4_3_cars_on_the_way_do_not_stop_it(void **state)
{
    (void)state;
    hp_race race = race_at(OVAL "23401 discard:0:9:3:3 11.0" ENDS " 10.0/1/6/112233/*/-/4 11.1" DONE
                                " 12.0" DONE " 13.0" DONE);
    reveal(&race);
    assert_stands(&race, 1, 14, 0);
}

/* Car 1 plays a card; four others stand about. */
typedef struct {
    const char *from;
    int card;
    const char *others[4];
    int at, spot;
} landing;

static void assert_lands(const landing *row)
{
    hp_race race =
        race_of(OVAL "23401 discard:0:9:3:3 %s" ENDS " %s/1/6/112233/*/-/%d %s" DONE " %s" DONE " %s" DONE,
                row->others[0], row->from, row->card, row->others[1], row->others[2], row->others[3]);
    reveal(&race);
    assert_stands(&race, 1, row->at, row->spot);
    assert_int_equal(race.turn.speed, row->card);
    const hp_event *move = last_event(HP_EV_MOVE);
    assert_int_equal(move->to.at, row->at);
    assert_int_equal(move->to.spot, row->spot);
    assert_int_equal(move->number, row->card);
    assert_int_equal(move->speed, row->card);
}

/* Without it two cars would stand on one spot, on the wrong one, or one would be sent too far back. */
static void r4_4_where_a_car_ends(void **state)
{
    (void)state;
    static const landing rows[] = {
        {"10.0", 3, {"40.0", "40.1", "41.0", "41.1"}, 13, 0}, /* a free road */
        {"10.1", 3, {"40.0", "40.1", "41.0", "41.1"}, 13, 0},
        {"10.0", 3, {"13.0", "40.1", "41.0", "41.1"}, 13, 1}, /* beside one on the race line */
        {"10.0", 3, {"13.1", "40.1", "41.0", "41.1"}, 13, 0},
        {"10.0", 3, {"13.0", "13.1", "41.0", "41.1"}, 12, 0}, /* blocked by one full space */
        {"10.0", 3, {"13.0", "13.1", "12.0", "41.1"}, 12, 1},
        {"10.0", 3, {"13.0", "13.1", "12.1", "41.1"}, 12, 0},
        {"10.0", 3, {"13.0", "13.1", "12.0", "12.1"}, 11, 0}, /* by two */
        {"10.1", 1, {"10.0", "11.0", "41.0", "41.1"}, 11, 1},
        {"58.0", 3, {"61.0", "61.1", "60.0", "60.1"}, 59, 0}, /* back before the start line */
        {"59.0", 3, {"62.0", "62.1", "61.0", "61.1"}, 60, 0},
        {"-2.1", 3, {"1.0", "1.1", "0.0", "0.1"}, -1, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_lands(&rows[i]);
}

/* Without the ruling a car that cannot leave its space would change its spot there, or find it full because
 * of itself and go backwards. */
static void r4_4_blocked_back_to_its_own_space(void **state)
{
    (void)state;
    static const landing rows[] = {
        {"10.1", 1, {"11.0", "11.1", "41.0", "41.1"}, 10, 1}, /* the race line beside it is free */
        {"10.0", 1, {"11.0", "11.1", "41.0", "41.1"}, 10, 0},
        {"10.1", 1, {"11.0", "11.1", "10.0", "41.1"}, 10, 1}, /* its own space is full with itself */
        {"10.0", 1, {"11.0", "11.1", "10.1", "41.1"}, 10, 0},
        {"10.1", 2, {"11.0", "11.1", "12.0", "12.1"}, 10, 1},
        {"59.1", 1, {"60.0", "60.1", "41.0", "41.1"}, 59, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_lands(&rows[i]);
}

/* Without it cars a lap apart would stand in one another. */
static void r4_5_cars_a_lap_apart_block(void **state)
{
    (void)state;
    static const struct {
        const char *from, *others[2];
        int at;
    } rows[] = {
        {"70.0", {"12.0", "12.1"}, 71}, /* lapped cars */
        {"10.0", {"72.0", "72.1"}, 11}, /* those that lap it */
        {"10.0", {"12.0", "72.1"}, 11}, /* one of each */
        {"57.0", {"-1.0", "-1.1"}, 58}, /* cars still on the grid */
        {"60.0", {"2.0", "2.1"}, 61},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        hp_race race = race_of(OVAL "201 discard:0:9:3:3 %s" ENDS " %s/1/6/112233/*/-/2 %s" DONE,
                               rows[i].others[0], rows[i].from, rows[i].others[1]);
        reveal(&race);
        assert_stands(&race, 1, rows[i].at, 0);
    }
}

/* Without it a lapped car would give no slipstream. */
static void r4_5_cars_a_lap_apart_give_slipstream(void **state)
{
    (void)state;
    static const char *const others[] = {"13.0", "12.0", "13.1"}; /* right ahead, beside */
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        hp_race race = race_of(OVAL "01 discard:0:9:3:3 %s" ENDS " 70.0/1/6/112233/*/-/2", others[i]);
        reveal(&race);
        assert_int_equal(hp_progress(&race, 1), 72);
        does(&race, 1, "done");
        assert_int_equal(race.step, HP_STEP_SLIP);
        does(&race, 1, "slip");
        assert_stands(&race, 1, 74, 0);
    }
}

/* Without it a car that does not move would slide to the race line. */
static void r4_6_speed_0_stays_on_its_spot(void **state)
{
    (void)state;
    static const char *const others[] = {"40.0", "10.0", "11.0"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        hp_race race = race_of(OVAL "01 discard:0:9:3:3 %s" ENDS " 10.1/1/6/111222/*/-/0", others[i]);
        reveal(&race);
        assert_stands(&race, 1, 10, 1);
        assert_int_equal(race.turn.speed, 0);
        assert_int_equal(race.step, HP_STEP_REACT); /* it reacts like any other */
    }
}

/* Without it a block would make a corner cheaper. With 8 the car would reach 54; two full spaces stop it at
 * 52, and the corner with limit 5 costs 3 all the same. */
static void r4_7_a_block_does_not_change_the_speed(void **state)
{
    (void)state;
    hp_race race = race_at(OVAL "23401 discard:0:50:3:3 54.0" ENDS " 46.0/2/6/11122/*/-/44 54.1" DONE
                                " 53.0" DONE " 53.1" DONE);
    reveal(&race);
    assert_stands(&race, 1, 52, 0);
    assert_int_equal(race.turn.speed, 8);
    assert_int_equal(last_event(HP_EV_MOVE)->speed, 8);
    assert_int_equal(last_event(HP_EV_MOVE)->number, 8);
    does(&race, 1, "done");
    assert_int_equal(last_event(HP_EV_CORNER)->speed, 8);
    assert_int_equal(last_event(HP_EV_CORNER)->paid, 3);
    assert_int_equal(race.car[1].engine, 3);
}

/* ---- R5 ---------------------------------------------------------------------------------------- */

static int last_of(const uint8_t *order, int in_order, int n)
{
    int cars = 0;
    for (int i = in_order - n < 0 ? 0 : in_order - n; i < in_order; i++)
        cars |= 1 << order[i];
    return cars;
}

/* Without it the wrong cars would have adrenaline: in every round of whole races, and whoever reacts. */
static void r5_1_the_last_car_or_two(void **state)
{
    (void)state;
    for (int cars = 1; cars <= HP_CARS_MAX; cars++) {
        hp_circuit circuit;
        hp_circuit_at(cars % 4, &circuit);
        hp_setup setup = {.track = circuit.track, .laps = 1, .cars = (uint8_t)cars};
        hp_seed_of((uint64_t)cars, 2, setup.seed);
        hp_race race;
        bot_dice dice = {(uint64_t)cars};
        const hp_listener listener = listener_of(&events);
        events.n = 0;
        assert_int_equal(hp_start(&race, &setup, &listener), HP_OK);
        assert_int_equal(race.adrenaline, last_of(race.order, cars, cars >= 5 ? 2 : 1));
        while (race.step != HP_STEP_OVER) {
            const hp_event *round = heard(&events, HP_EV_ROUND, 0);
            if (round != NULL) {
                assert_int_equal(round->adrenaline, last_of(round->cars, round->count, cars >= 5 ? 2 : 1));
                assert_int_equal(race.adrenaline, round->adrenaline);
            }
            const int car = hp_to_act(&race);
            assert_int_equal(has_adrenaline(&race, car),
                             race.step == HP_STEP_REACT && race.adrenaline >> car & 1);
            hp_choice choice;
            hp_choose_from(&race, car, &choice);
            choice.flags &= (uint8_t)~HP_MAY_RETIRE;
            events.n = 0;
            assert_int_equal(hp_apply(&race, car, bot_any(&choice, &dice), &listener), HP_OK);
        }
    }
}

/* Without it the number of cars still racing would decide. Car 0 ends the round; 5 or 6 started, or 4. */
static void r5_2_starters_count(void **state)
{
    (void)state;
    static const struct {
        const char *order, *others;
        int adrenaline;
    } rows[] = {
        {"0", "", 1},
        {"10", " 20.0" DONE, 1 << 0},
        {"10", " 5.0" DONE, 1 << 1},
        {"1230", " 20.0" DONE " 22.0" DONE " 24.0" DONE, 1 << 0},
        {"10", " 20.0" DONE " F1" DONE " F2" DONE, 1 << 0}, /* 4 started: one, */
        {"10", " 20.0" DONE " F1" DONE " X4" DONE, 1 << 0},
        {"0", " X4" DONE " F1" DONE " X3" DONE, 1 << 0},
        {"1230", " 20.0" DONE " 22.0" DONE " 24.0" DONE " F1" DONE, 1 << 0 | 1 << 1}, /* 5: two, */
        {"120", " 20.0" DONE " 5.0" DONE " X5" DONE " F1" DONE, 1 << 0 | 1 << 2},
        {"10", " 20.0" DONE " F1" DONE " F2" DONE " F3" DONE, 1 << 0 | 1 << 1},
        {"0", " F4" DONE " F1" DONE " F2" DONE " F3" DONE, 1 << 0}, /* as many as are left */
        {"12340", " 20.0" DONE " 22.0" DONE " 10.0" DONE " 5.0" DONE " F1" DONE,
         1 << 3 | 1 << 4}, /* 6: two */
        {"120", " 20.0" DONE " 22.0" DONE " F1" DONE " X6" DONE " X5" DONE, 1 << 0 | 1 << 1},
        {"10", " 10.1" DONE " F1" DONE " X6" DONE " X5" DONE " X4" DONE, 1 << 0 | 1 << 1},
        {"0", " X3" DONE " F1" DONE " X6" DONE " X5" DONE " X4" DONE, 1 << 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        hp_race race = race_of(OVAL "%s discard:0:9:3:3 12.0" ENDS "%s", rows[i].order, rows[i].others);
        play(&race, 0, "keep", &events);
        assert_int_equal(race.adrenaline, rows[i].adrenaline);
        assert_int_equal(heard(&events, HP_EV_ROUND, 0)->adrenaline, race.adrenaline);
    }
}

/* Without it one symbol would use up the other, or one of them could be used twice. */
static void r5_3_either_both_or_none(void **state)
{
    (void)state;
    for (int uses = 0; uses < 4; uses++) {
        hp_race race = race_at(OVAL "01 discard:0:50:3:3 55.0" ENDS " 10.0/3/2/HHH1/*/-/112");
        reveal(&race);
        assert_stands(&race, 1, 14, 0);
        assert_true(offered(&race, 1, "adrenaline move"));
        assert_true(offered(&race, 1, "adrenaline cool"));
        if (uses & 1) {
            does(&race, 1, "adrenaline move");
            assert_int_equal(events.n, 1);
            assert_int_equal(last_event(HP_EV_MOVE)->why, HP_BY_ADRENALINE);
            assert_int_equal(last_event(HP_EV_MOVE)->number, 1);
            assert_int_equal(last_event(HP_EV_MOVE)->speed, 5);
            refused(&race, 1, "adrenaline move", HP_ADRENALINE_USED);
        }
        if (uses & 2) {
            does(&race, 1, "adrenaline cool");
            assert_int_equal(events.n, 1);
            assert_int_equal(last_event(HP_EV_COOL)->why, HP_BY_ADRENALINE);
            assert_int_equal(last_event(HP_EV_COOL)->number, 1);
            refused(&race, 1, "adrenaline cool", HP_ADRENALINE_USED);
        }
        assert_stands(&race, 1, uses & 1 ? 15 : 14, 0);
        assert_int_equal(race.turn.speed, uses & 1 ? 5 : 4);
        assert_int_equal(race.car[1].engine, uses & 2 ? 3 : 2);
        assert_pile(race.car[1].hand, uses & 2 ? "HH1" : "HHH1");
        assert_int_equal(offered(&race, 1, "adrenaline move"), !(uses & 1));
        assert_int_equal(offered(&race, 1, "adrenaline cool"), !(uses & 2));
        does(&race, 1, "done");
        assert_int_equal(race.step, HP_STEP_DISCARD);
    }
}

/* Without it the extra space would be free at a corner. Speed 4 + 1 over limit 4. */
static void r5_3_the_extra_space_adds_to_the_speed(void **state)
{
    (void)state;
    hp_race race = race_at("oval=60,6,3,50/4 2 3 01 discard:0:50:3:3 58.0" ENDS " 46.0/3/2/HHH1/*/-/112");
    reveal(&race);
    does(&race, 1, "adrenaline move");
    assert_stands(&race, 1, 51, 0);
    does(&race, 1, "done");
    assert_int_equal(last_event(HP_EV_CORNER)->speed, 5);
    assert_int_equal(last_event(HP_EV_CORNER)->paid, 1);
}

/* Without it cars in front would have it too. */
static void r5_3_not_without_adrenaline(void **state)
{
    (void)state;
    hp_race race = race_at(OVAL "012 discard:0:50:3:3 55.0" ENDS " 10.0/3/2/HHH1/*/-/112 2.0" LATER);
    reveal(&race);
    assert_false(has_adrenaline(&race, 1));
    refused(&race, 1, "adrenaline move", HP_NO_ADRENALINE);
    refused(&race, 1, "adrenaline cool", HP_NO_ADRENALINE);
    does(&race, 1, "done");
    does(&race, 1, "keep");
    assert_true(has_adrenaline(&race, 2)); /* the last one, in whose turn the others have moved on */
    does(&race, 2, "adrenaline move");
    assert_stands(&race, 2, 6, 0);

    hp_race none = race_at(OVAL "012 discard:0:50:3:3 55.0" ENDS " 10.0/3/0/HHH1/*/-/112 2.0" LATER);
    reveal(&none);
    assert_int_equal(none.step, HP_STEP_DISCARD); /* not even asked */
}

/* Without it what is left unused could be used later, or the car would have it in the next round though it
 * is no longer last. */
static void r5_3_this_turn_only(void **state)
{
    (void)state;
    hp_race race = race_at(OVAL "01 discard:0:12:3:3 15.0" ENDS " 10.0/3/2/HHH1/*/-/122");
    reveal(&race);
    does(&race, 1, "done");
    assert_int_equal(race.step, HP_STEP_SLIP); /* beside car 0 */
    refused(&race, 1, "adrenaline move", HP_WRONG_STEP);
    refused(&race, 1, "adrenaline cool", HP_WRONG_STEP);
    assert_int_equal(race.turn.adrenaline_cool + race.turn.adrenaline_move, 0);
    does(&race, 1, "slip");
    refused(&race, 1, "adrenaline cool", HP_WRONG_STEP);
    does(&race, 1, "keep");
    assert_int_equal(race.adrenaline, 1 << 0);
    assert_int_equal(race.turn.adrenaline_cool + race.turn.adrenaline_move, 0);
    hp_act acts[HP_ACTS_MAX];
    for (int car = 0; car < 2; car++) {
        hp_choice choice;
        hp_choose_from(&race, car, &choice);
        hp_acts(&choice, acts);
        assert_int_equal(hp_apply(&race, car, acts[0], NULL), HP_OK);
    }
    assert_int_equal(hp_to_act(&race), 1);
    assert_int_equal(race.step, HP_STEP_REACT);
    refused(&race, 1, "adrenaline move", HP_NO_ADRENALINE);
    refused(&race, 1, "adrenaline cool", HP_NO_ADRENALINE);
}

/* Without it adrenaline would cool what is not there. */
static void r5_3_cools_one_heat_of_the_hand(void **state)
{
    (void)state;
    hp_race race = race_at(OVAL "01 discard:0:50:3:3 55.0" ENDS " 10.0/3/2/1113/*/-/222");
    reveal(&race);
    refused(&race, 1, "adrenaline cool", HP_NO_HEAT_IN_HAND);
    assert_false(offered(&race, 1, "adrenaline cool"));
}

/* Without the ruling the car would gain speed, and no space, behind a full one. The boost takes it beyond:
 * then the extra space is there. */
static void r5_4_offered_only_where_it_moves(void **state)
{
    (void)state;
    hp_race race = race_of(OVAL "201 discard:0:12:3:3 14.0" ENDS " %s 14.1" DONE,
                           car_of("10.0", 3, 1, "2234", "44", "111").text);
    reveal(&race);
    assert_stands(&race, 1, 13, 0);
    refused(&race, 1, "adrenaline move", HP_ADRENALINE_STUCK);
    assert_false(offered(&race, 1, "adrenaline move"));
    does(&race, 1, "boost");
    assert_stands(&race, 1, 17, 0);
    assert_true(offered(&race, 1, "adrenaline move"));
    does(&race, 1, "adrenaline move");
    assert_stands(&race, 1, 18, 0);
    assert_int_equal(race.turn.speed, 8);
}

/* Without it a space with one free spot would count as full. Over the start line, too. */
static void r5_4_one_free_spot_is_enough(void **state)
{
    (void)state;
    static const struct {
        const char *from, *other;
        int at, spot;
    } rows[] = {
        {"10.0", "14.0", 14, 1}, {"10.0", "14.1", 14, 0}, {"56.0", "60.0", 60, 1}, {"56.0", "0.0", 60, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        hp_race race =
            race_of(OVAL "01 discard:0:9:3:3 %s" ENDS " %s/3/1/2234/*/-/111", rows[i].other, rows[i].from);
        reveal(&race);
        does(&race, 1, "adrenaline move");
        assert_stands(&race, 1, rows[i].at, rows[i].spot);
    }
}

/* Without it the car would be asked for a symbol that it cannot use: 14 and 18 are full, it comes to 13 and
 * boosts to 17. When it has cooled as well, the extra space alone is left, and of no use. */
static void r5_4_stuck_is_nothing_to_wait_for(void **state)
{
    (void)state;
    hp_race race = race_of(OVAL "23401 discard:0:12:3:3 14.0" ENDS " %s 14.1" DONE " 18.0" DONE " 18.1" DONE,
                           car_of("10.0", 3, 1, "HH24", "44", "111").text);
    reveal(&race);
    assert_stands(&race, 1, 13, 0);
    does(&race, 1, "boost");
    assert_stands(&race, 1, 17, 0);
    assert_int_equal(race.step, HP_STEP_REACT);
    refused(&race, 1, "adrenaline move", HP_ADRENALINE_STUCK);
    does(&race, 1, "adrenaline cool");
    assert_int_equal(race.step, HP_STEP_SLIP);
    assert_int_equal(race.turn.speed, 7);
}

/* ---- R6 ---------------------------------------------------------------------------------------- */

/* Without it a gear would cool more or less than it does. */
static void r6_1_cooldown_by_gear(void **state)
{
    (void)state;
    static const struct {
        const char *played, *hand;
        int cool;
    } rows[] = {{"1", "HHHH12", 3}, {"11", "HHHH2", 1}, {"111", "HHHH", 0}, {"1112", "HHH", 0}};
    for (int gear = 1; gear <= HP_GEARS; gear++) {
        hp_race race = race_of(OVAL "012 discard:0:50:3:3 55.0" ENDS " 10.0/%d/2/%s/*/-/%s 2.0" LATER, gear,
                               rows[gear - 1].hand, rows[gear - 1].played);
        reveal(&race);
        hp_choice choice;
        hp_choose_from(&race, 1, &choice);
        assert_int_equal(choice.cool, rows[gear - 1].cool);
        for (int n = 1; n <= 4; n++) {
            char act[HP_ACT_TEXT];
            snprintf(act, sizeof act, "cool %d", n);
            assert_int_equal(offered(&race, 1, act), n <= rows[gear - 1].cool);
            if (n > rows[gear - 1].cool)
                refused(&race, 1, act, rows[gear - 1].cool == 0 ? HP_NO_COOLDOWN : HP_COOLS_TOO_MUCH);
        }
    }
}

/* Without it the symbols would have a fixed order. In 2nd gear, with Heat in the engine and in the hand, all
 * 24 orders are legal and lead to the same: the flip is a 4. */
static void r6_1_symbols_in_any_order(void **state)
{
    (void)state;
    static const char *const symbols[] = {"cool 1", "boost", "adrenaline cool", "adrenaline move"};
    int orders = 0;
    for (int code = 0; code < 256; code++) {
        const int order[] = {code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6 & 3};
        if ((1 << order[0] | 1 << order[1] | 1 << order[2] | 1 << order[3]) != 15)
            continue;
        hp_race race = race_of(OVAL "01 discard:0:50:3:3 55.0" ENDS " %s",
                               car_of("10.0", 2, 1, "HHHH2", "44", "11").text);
        reveal(&race);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(race.step, HP_STEP_REACT);
            assert_true(offered(&race, 1, "done"));
            does(&race, 1, symbols[order[i]]);
        }
        assert_int_equal(race.step, HP_STEP_DISCARD); /* nothing left to use */
        assert_stands(&race, 1, 10 + 2 + 4 + 1, 0);
        assert_int_equal(race.turn.speed, 2 + 4 + 1);
        assert_int_equal(race.car[1].engine, 1 - 1 + 1 + 1);
        assert_pile(race.car[1].hand, "HH2");
        orders++;
    }
    assert_int_equal(orders, 24);
}

/* Without it Heat that was just cooled could not pay for the boost. */
static void r6_1_cool_then_boost_with_it(void **state)
{
    (void)state;
    static const char *const cools[] = {"cool 1", "adrenaline cool"};
    for (int i = 0; i < 2; i++) {
        hp_race race = race_of(OVAL "01 discard:0:50:3:3 55.0" ENDS " %s",
                               car_of("10.0", 2, 0, "HHHH2", "33", "11").text);
        reveal(&race);
        refused(&race, 1, "boost", HP_BOOST_UNPAID);
        assert_false(offered(&race, 1, "boost"));
        does(&race, 1, cools[i]);
        does(&race, 1, "boost");
        assert_int_equal(race.car[1].engine, 0);
        assert_int_equal(race.turn.speed, 5);
        assert_stands(&race, 1, 15, 0);
        assert_int_equal(race.step, HP_STEP_REACT); /* the other cooldown, the extra space */
    }
}

/* Without it a car would have to use what it has. */
static void r6_1_any_may_be_left_unused(void **state)
{
    (void)state;
    hp_race race = race_at(OVAL "01 discard:0:50:3:3 55.0" ENDS " 10.0/1/4/HHH112/*/-/4");
    reveal(&race);
    does(&race, 1, "done");
    assert_int_equal(events.n, 0);
    assert_int_equal(race.step, HP_STEP_DISCARD);
    assert_int_equal(race.car[1].engine, 4);
    assert_pile(race.car[1].hand, "HHH112");
    assert_stands(&race, 1, 14, 0);
    assert_int_equal(race.turn.speed, 4);
    refused(&race, 1, "cool 1", HP_WRONG_STEP);
    refused(&race, 1, "boost", HP_WRONG_STEP);
}

/* Without it cooling would move cards from or to another pile, or more than there are. */
static void r6_2_heat_from_the_hand_to_the_engine(void **state)
{
    (void)state;
    for (int n = 1; n <= 3; n++) {
        hp_race race = race_at(OVAL "012 discard:0:50:3:3 55.0" ENDS " 10.0/1/2/HHH112/*/HH/4 2.0" LATER);
        char act[HP_ACT_TEXT];
        snprintf(act, sizeof act, "cool %d", n);
        reveal(&race);
        refused(&race, 1, "cool 0", HP_NOT_AN_ACT); /* at least one */
        const hp_act with_a_card = {.kind = HP_COOL, .number = 1, .cards = {HP_ONE}};
        assert_int_equal(hp_apply(&race, 1, with_a_card, NULL), HP_NOT_AN_ACT);
        does(&race, 1, act);
        assert_int_equal(events.n, 1);
        assert_int_equal(last_event(HP_EV_COOL)->number, n);
        assert_int_equal(last_event(HP_EV_COOL)->why, HP_BY_GEAR);
        assert_int_equal(race.car[1].engine, 2 + n);
        assert_int_equal(hp_count(race.car[1].hand, HP_HEAT), 3 - n);
        assert_int_equal(hp_size(race.car[1].hand), 6 - n);
        assert_pile(race.car[1].discard, "HH");
    }
}

/* Without it a cooldown could be used bit by bit, or twice. */
static void r6_2_used_up_all_the_same(void **state)
{
    (void)state;
    for (int n = 1; n <= 3; n++) {
        hp_race race = race_at(OVAL "012 discard:0:50:3:3 55.0" ENDS " 10.0/1/2/HHHH12/*/-/4 2.0" LATER);
        char act[HP_ACT_TEXT];
        snprintf(act, sizeof act, "cool %d", n);
        reveal(&race);
        does(&race, 1, act);
        assert_int_equal(race.step, HP_STEP_REACT); /* the boost */
        refused(&race, 1, "cool 1", HP_NO_COOLDOWN);
        assert_false(offered(&race, 1, "cool 1"));
    }
}

/* Without it a car would cool Heat that it does not hold. Whether it holds any is not to be seen: it is asked
 * all the same. */
static void r6_2_heat_in_hand_is_needed(void **state)
{
    (void)state;
    static const char *const hands[] = {"111223", "H11122", "HH1112", "HHH111"};
    for (int heat = 0; heat <= 3; heat++) {
        hp_race race =
            race_of(OVAL "012 discard:0:50:3:3 55.0" ENDS " 10.0/1/2/%s/*/-/4 2.0" LATER, hands[heat]);
        reveal(&race);
        assert_int_equal(race.step, HP_STEP_REACT);
        for (int n = 1; n <= 3; n++) {
            char act[HP_ACT_TEXT];
            snprintf(act, sizeof act, "cool %d", n);
            assert_int_equal(offered(&race, 1, act), n <= heat);
            if (n > heat)
                refused(&race, 1, act, HP_NO_HEAT_IN_HAND);
        }
    }
    hp_race cold = race_at(OVAL "012 discard:0:50:3:3 55.0" ENDS " 10.0/2/0/11122/*/-/44 2.0" LATER);
    reveal(&cold);
    assert_int_equal(cold.step, HP_STEP_REACT);
    hp_race none = race_at(OVAL "012 discard:0:50:3:3 55.0" ENDS " 10.0/3/0/1112/*/-/444 2.0" LATER);
    reveal(&none);
    assert_int_equal(none.step, HP_STEP_DISCARD); /* 3rd gear, no Heat, no adrenaline: nothing to ask */
}

/* Without it the gear's cooldown and adrenaline's would be one. Together they take four, or two. */
static void r6_2_two_cooldowns_are_two_symbols(void **state)
{
    (void)state;
    hp_race first = race_at(OVAL "01 discard:0:50:3:3 55.0" ENDS " 10.0/1/2/HHHHH1/*/-/4");
    reveal(&first);
    refused(&first, 1, "cool 4", HP_COOLS_TOO_MUCH);
    does(&first, 1, "adrenaline cool");
    does(&first, 1, "cool 3");
    assert_int_equal(first.car[1].engine, 6);
    assert_pile(first.car[1].hand, "H1");
    refused(&first, 1, "adrenaline cool", HP_ADRENALINE_USED);
    refused(&first, 1, "cool 1", HP_NO_COOLDOWN);

    hp_race second = race_at(OVAL "01 discard:0:50:3:3 55.0" ENDS " 10.0/2/2/HHHHH/*/-/44");
    reveal(&second);
    refused(&second, 1, "cool 2", HP_COOLS_TOO_MUCH);
    does(&second, 1, "cool 1");
    does(&second, 1, "adrenaline cool");
    assert_int_equal(second.car[1].engine, 4);
}

/* Without it a boost would need a gear, or be free, or move by something else than its card. */
static void r6_3_boost_in_any_gear(void **state)
{
    (void)state;
    static const struct {
        const char *played, *hand;
        int speed;
    } rows[] = {{"1", "05S444", 1}, {"11", "05S44", 2}, {"112", "05S4", 4}, {"1122", "05S", 6}};
    for (int gear = 1; gear <= HP_GEARS; gear++) {
        hp_race race =
            race_of(OVAL "012 discard:0:50:3:3 55.0" ENDS " %s 2.0" LATER,
                    car_of("10.0", gear, 5, rows[gear - 1].hand, "33", rows[gear - 1].played).text);
        reveal(&race);
        const hp_pile discard = race.car[1].discard, played = race.car[1].play;
        assert_true(offered(&race, 1, "boost"));
        does(&race, 1, "boost");
        assert_int_equal(events.n, 3);
        assert_int_equal(events.event[0].kind, HP_EV_BOOST);
        assert_int_equal(events.event[1].kind, HP_EV_FLIP);
        assert_int_equal(events.event[1].why, HP_BY_BOOST);
        assert_int_equal(events.event[2].kind, HP_EV_MOVE);
        assert_int_equal(events.event[2].why, HP_BY_BOOST);
        assert_int_equal(events.event[2].number, 3);
        assert_int_equal(events.event[2].speed, rows[gear - 1].speed + 3);
        assert_stands(&race, 1, 10 + rows[gear - 1].speed + 3, 0);
        assert_int_equal(race.turn.speed, rows[gear - 1].speed + 3);
        assert_int_equal(race.car[1].engine, 4);
        assert_int_equal(race.car[1].discard.counts, discard.counts + pile_from("H").counts);
        assert_int_equal(race.car[1].top, HP_HEAT);
        assert_int_equal(race.car[1].play.counts, played.counts + pile_from("3").counts);
        assert_pile(race.car[1].draw, "3");
    }
}

/* Without it a car would boost again and again, or without Heat. */
static void r6_3_once_and_paid(void **state)
{
    (void)state;
    hp_race race = race_at(OVAL "012 discard:0:50:3:3 55.0" ENDS " 10.0/1/4/HH1122/*/-/4 2.0" LATER);
    reveal(&race);
    does(&race, 1, "boost");
    assert_int_equal(race.car[1].engine, 3);
    refused(&race, 1, "boost", HP_BOOST_USED);
    assert_false(offered(&race, 1, "boost"));
    does(&race, 1, "cool 1");
    assert_int_equal(race.step, HP_STEP_DISCARD);

    hp_race cold = race_at(OVAL "012 discard:0:50:3:3 55.0" ENDS " 10.0/1/0/HH1122/*/-/4 2.0" LATER);
    reveal(&cold);
    refused(&cold, 1, "boost", HP_BOOST_UNPAID);
    assert_false(offered(&cold, 1, "boost"));
}

/* Without it the Heat would be paid after the flip: nothing is left to draw, so that the discard pile is
 * shuffled with the Heat just paid in it. Other than speed cards go on to the new discard pile. */
static void r6_3_paid_before_the_flip(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        hp_race race =
            race_at(OVAL "012 discard:0:50:3:3 55.0" ENDS " 10.0/1/6/112233/-/05SSS12344H/4 2.0" LATER);
        reseed(&race, seed);
        reveal(&race);
        does(&race, 1, "boost");
        assert_int_equal(events.event[1].kind, HP_EV_RESHUFFLE);
        assert_int_equal(events.event[1].number, 11 + 1);
        const int flips = heard_count(&events, HP_EV_FLIP);
        const hp_event *kept = last_event(HP_EV_FLIP);
        for (int i = 0; i < flips; i++) {
            const hp_event *flip = heard(&events, HP_EV_FLIP, i);
            assert_int_equal(flip->kept, flip == kept);
            assert_int_equal(flip->kept, hp_class_of((hp_card)flip->cards[0]) == HP_CLASS_SPEED);
        }
        assert_int_equal(hp_size(race.car[1].discard), flips - 1);
        assert_int_equal(hp_size(race.car[1].draw), 12 - flips);
        assert_int_equal(race.turn.speed, 4 + kept->cards[0]);
        assert_stands(&race, 1, 14 + kept->cards[0], 0);
    }
}

/* Without it a boost would go through full spaces, or be forbidden behind them. The car comes to 11 (beside
 * another where the race line is taken); 12 and 13 are full. */
static void r6_3_a_blocked_boost(void **state)
{
    (void)state;
    static const struct {
        const char *draw, *fifth;
        int at, spot, value;
    } rows[] = {
        {"22", "40.0", 11, 0, 2}, /* it gains nothing */
        {"22", "11.0", 11, 1, 2}, /* and stays on its spot */
        {"33", "40.0", 14, 0, 3}, {"33", "14.0", 14, 1, 3}, {"44", "40.0", 15, 0, 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        hp_race race = race_of(OVAL "234501 discard:0:9:3:3 12.0" ENDS " %s 12.1" DONE " 13.0" DONE
                                    " 13.1" DONE " %s" DONE,
                               car_of("10.0", 1, 1, "05SS11", rows[i].draw, "1").text, rows[i].fifth);
        reveal(&race);
        assert_int_equal(hp_progress(&race, 1), 11);
        assert_true(offered(&race, 1, "boost"));
        does(&race, 1, "boost");
        assert_stands(&race, 1, rows[i].at, rows[i].spot);
        assert_int_equal(race.turn.speed, 1 + rows[i].value);
        assert_int_equal(race.car[1].engine, 0);
        refused(&race, 1, "boost", HP_BOOST_USED);
    }
}

/* Without it a boost over a corner would cost no more than the cards. 4 + 2 over limit 5. */
static void r6_3_the_speed_grows(void **state)
{
    (void)state;
    hp_race race = race_of(OVAL "012 discard:0:50:3:3 55.0" ENDS " %s 2.0" LATER,
                           car_of("46.0", 1, 6, "05SS11", "22", "4").text);
    reveal(&race);
    does(&race, 1, "boost");
    does(&race, 1, "done");
    assert_int_equal(last_event(HP_EV_CORNER)->speed, 6);
    assert_int_equal(last_event(HP_EV_CORNER)->paid, 1);
    assert_int_equal(race.car[1].engine, 6 - 1 - 1);
}

/* Without it a car beyond the finish line would have to leave its symbols, which decide places and cool. */
static void r6_4_react_beyond_the_finish_line(void **state)
{
    (void)state;
    hp_race race = race_of("oval=60,6,3,50/5 1 9 01 discard:0:57:3:3 62.0" ENDS " %s",
                           car_of("58.0", 1, 3, "HH1122", "33", "4").text);
    reveal(&race);
    assert_stands(&race, 1, 62, 1);
    assert_int_equal(race.step, HP_STEP_REACT);
    does(&race, 1, "cool 1");
    assert_int_equal(race.car[1].engine, 4);
    does(&race, 1, "adrenaline move");
    assert_stands(&race, 1, 63, 0);
    does(&race, 1, "boost");
    assert_stands(&race, 1, 66, 0);
    does(&race, 1, "adrenaline cool");
    assert_int_equal(race.car[1].engine, 4);
    assert_int_equal(race.step, HP_STEP_DISCARD);
    does(&race, 1, "keep");
    assert_int_equal(race.step, HP_STEP_OVER);
    assert_int_equal(race.car[1].place, 1); /* the reaction took it past car 0 */
}

/* Without it a list would offer what is refused, or the other way round, in some corner of a race. */
static void r6_1_lists_agree_through_whole_races(void **state)
{
    (void)state;
    for (int cars = 1; cars <= HP_CARS_MAX; cars++) {
        hp_circuit circuit;
        hp_circuit_at(cars % 4, &circuit);
        hp_setup setup = {.track = circuit.track, .laps = 1, .cars = (uint8_t)cars};
        hp_seed_of((uint64_t)cars, 3, setup.seed);
        hp_race race;
        bot_dice dice = {(uint64_t)cars};
        assert_int_equal(hp_start(&race, &setup, NULL), HP_OK);
        while (race.step != HP_STEP_OVER) {
            assert_lists_agree(&race);
            assert_road(&race);
            const int car = hp_to_act(&race);
            hp_choice choice;
            hp_choose_from(&race, car, &choice);
            assert_int_equal(hp_apply(&race, car, bot_any(&choice, &dice), NULL), HP_OK);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(r4_1_speed_is_the_sum),
        cmocka_unit_test(r4_2_four_stress_cards),
        cmocka_unit_test(r4_2_stress_among_others),
        cmocka_unit_test(r4_2_others_go_to_the_discard_pile),
        cmocka_unit_test(r4_2_discarded_at_once),
        cmocka_unit_test(r4_2_reshuffled_between_two_flips),
        cmocka_unit_test(r4_3_cars_on_the_way_do_not_stop_it),
        cmocka_unit_test(r4_4_where_a_car_ends),
        cmocka_unit_test(r4_4_blocked_back_to_its_own_space),
        cmocka_unit_test(r4_5_cars_a_lap_apart_block),
        cmocka_unit_test(r4_5_cars_a_lap_apart_give_slipstream),
        cmocka_unit_test(r4_6_speed_0_stays_on_its_spot),
        cmocka_unit_test(r4_7_a_block_does_not_change_the_speed),
        cmocka_unit_test(r5_1_the_last_car_or_two),
        cmocka_unit_test(r5_2_starters_count),
        cmocka_unit_test(r5_3_either_both_or_none),
        cmocka_unit_test(r5_3_the_extra_space_adds_to_the_speed),
        cmocka_unit_test(r5_3_not_without_adrenaline),
        cmocka_unit_test(r5_3_this_turn_only),
        cmocka_unit_test(r5_3_cools_one_heat_of_the_hand),
        cmocka_unit_test(r5_4_offered_only_where_it_moves),
        cmocka_unit_test(r5_4_one_free_spot_is_enough),
        cmocka_unit_test(r5_4_stuck_is_nothing_to_wait_for),
        cmocka_unit_test(r6_1_cooldown_by_gear),
        cmocka_unit_test(r6_1_symbols_in_any_order),
        cmocka_unit_test(r6_1_cool_then_boost_with_it),
        cmocka_unit_test(r6_1_any_may_be_left_unused),
        cmocka_unit_test(r6_2_heat_from_the_hand_to_the_engine),
        cmocka_unit_test(r6_2_used_up_all_the_same),
        cmocka_unit_test(r6_2_heat_in_hand_is_needed),
        cmocka_unit_test(r6_2_two_cooldowns_are_two_symbols),
        cmocka_unit_test(r6_3_boost_in_any_gear),
        cmocka_unit_test(r6_3_once_and_paid),
        cmocka_unit_test(r6_3_paid_before_the_flip),
        cmocka_unit_test(r6_3_a_blocked_boost),
        cmocka_unit_test(r6_3_the_speed_grows),
        cmocka_unit_test(r6_4_react_beyond_the_finish_line),
        cmocka_unit_test(r6_1_lists_agree_through_whole_races),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
