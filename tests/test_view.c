/* Proves R13, what is seen; and what is made from a view: hp_guess and hp_foresee. */
#include "support.h"

#include "bots/bots.h"

#define TRACK "v=40,6,3,10/4"

static hp_view look(const hp_race *race, int seat)
{
    hp_view view;
    memset(&view, 0xa5, sizeof view); /* every byte must be written */
    hp_look(race, seat, &view);
    return view;
}

/* ---- R13.1: everybody sees --------------------------------------------------------------------- */

/* Car 0's turn: it has played a 4 and turned over a 2; car 2 had its turn, car 1's cards lie face down,
 * car 3 has finished, car 4 has retired in this round. */
#define IN_A_TURN                                                                                            \
    TRACK                                                                                                    \
    " 2 9 2014 react:0:30:6:2:cb 36.1/1/4/112334/*/0HH/24 50.0/3/5/1123/*/-/234 60.1/4/6/1122334/*/45/-"     \
    " F1/1/6/1122334/*/-/- X5/2/2/1122334/*/3H/-"

/* Without it a screen could not draw the race: each part of what lies open, one by one. */
static void r13_1_everybody_sees_what_lies_open(void **state)
{
    (void)state;
    static const int seats[] = {0, 1, 2, 3, 4, HP_SPECTATOR};
    const hp_race race = race_at(IN_A_TURN);
    for (size_t i = 0; i < sizeof seats / sizeof *seats; i++) {
        const hp_view view = look(&race, seats[i]);
        assert_int_equal(view.seat, seats[i]);
        assert_memory_equal(&view.track, &race.track, sizeof view.track);
        assert_int_equal(view.cars, 5);
        assert_int_equal(view.laps, 2);
        assert_int_equal(view.round, 9);
        assert_int_equal(view.step, HP_STEP_REACT);
        assert_int_equal(view.in_order, 4);
        assert_int_equal(view.now, 1);
        assert_int_equal(view.order[0], 2);
        assert_int_equal(view.order[1], 0);
        assert_int_equal(view.order[2], 1);
        assert_int_equal(view.order[3], 4);
        assert_int_equal(view.adrenaline, 1 << 1 | 1 << 4);
        assert_int_equal(view.reserve, 37 - 5 * 3);
        assert_int_equal(view.turn.lap, 0);
        assert_int_equal(view.turn.space, 30);
        assert_int_equal(view.turn.speed, 6);
        assert_int_equal(view.turn.cool, 3);
        assert_int_equal(view.turn.boost, 1);
        assert_int_equal(view.turn.last, HP_TWO);

        const hp_car_view *car = &view.car[0]; /* whose turn it is */
        assert_int_equal(car->place.at, 36);
        assert_int_equal(car->place.spot, 1);
        assert_int_equal(car->gear, 1);
        assert_int_equal(car->engine, 4);
        assert_int_equal(car->hand, 6);
        assert_int_equal(car->covered, 0);
        assert_pile(car->play, "24");
        assert_int_equal(car->discard, 3);
        assert_int_equal(car->top, HP_HEAT);
        assert_int_equal(car->draw, 24 - 4 - 6 - 2 - 3);
        assert_int_equal(car->status, HP_RACING);
        assert_int_equal(car->finished_at, 0);
        assert_int_equal(car->has_planned, 0);
        assert_int_equal(car->heat, 7);
        assert_int_equal(car->stress, 3);

        car = &view.car[1]; /* face down: how many, not which */
        assert_int_equal(car->place.at, 50);
        assert_int_equal(car->place.spot, 0);
        assert_int_equal(car->gear, 3);
        assert_int_equal(car->engine, 5);
        assert_int_equal(car->hand, 4);
        assert_int_equal(car->covered, 3);
        assert_pile(car->play, "-");
        assert_int_equal(car->discard, 0);
        assert_int_equal(car->top, HP_NO_CARD);
        assert_int_equal(car->draw, 24 - 5 - 4 - 3);

        car = &view.car[2];
        assert_int_equal(car->place.at, 60);
        assert_int_equal(car->place.spot, 1);
        assert_int_equal(car->gear, 4);
        assert_int_equal(car->hand, 7);
        assert_int_equal(car->discard, 2);
        assert_int_equal(car->top, HP_FIVE);

        assert_int_equal(view.car[3].status, HP_FINISHED);
        assert_int_equal(view.car[3].finished_at, 1);
        assert_int_equal(view.car[4].status, HP_RETIRED);
        assert_int_equal(view.car[4].finished_at, 5);
        assert_int_equal(view.car[4].place.at, 0);
        assert_int_equal(view.car[4].engine, 2);
    }
}

/* Without it a stress card taken or a handicap would be a secret, though both were seen to happen. */
static void r13_1_heat_and_stress_owned_are_no_secret(void **state)
{
    (void)state;
    const hp_race race = race_at(TRACK " 1 3 10 plan 5.0/1/4/1122334/1234405SSSSS/H/- 6.0/1/6/1122334/*/-/-");
    const hp_view view = look(&race, HP_SPECTATOR);
    assert_int_equal(view.car[0].heat, 5); /* a handicap of two */
    assert_int_equal(view.car[0].stress, 5);
    assert_int_equal(view.car[1].heat, 7);
    assert_int_equal(view.reserve, 37 - 5 - 3);
}

/* Without it one would not know whom the race waits for. */
static void r13_1_r2_3_everybody_sees_who_has_planned(void **state)
{
    (void)state;
    hp_race race = race_at(TRACK " 1 3 10 plan 5.0/1/6/1122334/*/-/- 6.0/1/6/1122334/*/-/-");
    play(&race, 1, "plan 1 4", NULL);
    for (int seat = 0; seat < 2; seat++) {
        const hp_view view = look(&race, seat);
        assert_int_equal(view.car[0].has_planned, 0);
        assert_int_equal(view.car[1].has_planned, 1);
        assert_int_equal(view.car[1].hand, 7); /* and not how many cards it plans */
        assert_int_equal(view.car[1].covered, 0);
        assert_int_equal(view.car[1].gear, 1);
    }
}

/* ---- R13.2: one's own hand and plan ------------------------------------------------------------ */

/* Without it a player could not see the own cards. */
static void r13_2_own_hand_and_plan(void **state)
{
    (void)state;
    hp_race race = race_at(TRACK " 1 3 10 plan 5.0/2/6/11223S5/*/-/- 6.0/1/6/1122334/*/-/-");
    hp_view view = look(&race, 0);
    assert_pile(view.choice.hand, "11223S5");
    assert_int_equal(view.choice.step, HP_STEP_PLAN);
    assert_int_equal(view.choice.gear, 2);
    assert_int_equal(view.choice.engine, 6);
    assert_int_equal(view.planned, 0);
    play(&race, 0, "plan 3 3 S 1", NULL);
    view = look(&race, 0);
    static const uint8_t plan[HP_GEARS] = {HP_THREE, HP_STRESS, HP_ONE, 0};
    assert_int_equal(view.planned, 3);
    assert_memory_equal(view.plan, plan, sizeof plan);
    assert_int_equal(view.choice.flags, HP_HAS_PLANNED);
    play(&race, 1, "plan 1 4", NULL); /* car 1 is in front: car 0's cards lie face down now */
    view = look(&race, 0);
    assert_memory_equal(view.plan, plan, sizeof plan);
    assert_pile(view.choice.hand, "1225");
    assert_int_equal(view.car[0].covered, 3);

    view = look(&race, 1);
    assert_pile(view.choice.hand, "112233");
    assert_int_equal(view.planned, 0);
    view = look(&race, HP_SPECTATOR);
    assert_pile(view.choice.hand, "-");
    assert_int_equal(view.choice.step, HP_STEP_WAIT);
}

/* Positions that differ in what is hidden alone. */
typedef struct {
    const char *what;
    const char *one, *other;
    int owner; /* sees the difference; -1 where nobody may */
} pair;

#define REST " 20.0/1/6/1122334/*/-/- F1/1/6/1122334/*/-/-"
static const pair pairs[] = {
    {"hand or draw pile", TRACK " 1 9 10 plan 5.0/1/6/1122334/*/-/-" REST,
     TRACK " 1 9 10 plan 5.0/1/6/05SSSH4/*/-/-" REST, 0},
    {"hand or under the top of the discard pile", TRACK " 1 9 10 plan 5.0/1/6/1122334/*/05H3/-" REST,
     TRACK " 1 9 10 plan 5.0/1/6/0512234/*/13H3/-" REST, 0},
    {"draw pile or under the top of the discard pile", TRACK " 1 9 10 plan 5.0/1/6/1122334/*/05H3/-" REST,
     TRACK " 1 9 10 plan 5.0/1/6/1122334/*/SSS3/-" REST, -1},
    {"which card is planned", TRACK " 1 9 10 plan 5.0/1/6/1122334/*/-/>4" REST,
     TRACK " 1 9 10 plan 5.0/1/6/1122334/*/-/>1" REST, 0},
    {"which gear is planned", TRACK " 1 9 10 plan 5.0/2/6/1122334/*/-/>4" REST,
     TRACK " 1 9 10 plan 5.0/2/6/1122334/*/-/>1234" REST, 0},
    {"in which order", TRACK " 1 9 10 plan 5.0/2/6/1122334/*/-/>34" REST,
     TRACK " 1 9 10 plan 5.0/2/6/1122334/*/-/>43" REST, 0},
    {"a plan or retiring", TRACK " 1 9 10 plan 5.0/1/6/1122334/*/-/>4" REST,
     TRACK " 1 9 10 plan 5.0/1/6/1122334/*/-/>X" REST, 0},
    {"a plan that clutters", TRACK " 1 9 10 plan 5.0/2/1/12HHHHH/*/-/>12" REST,
     TRACK " 1 9 10 plan 5.0/2/1/12HHHHH/*/-/>12H" REST, 0},
    {"cards face down",
     TRACK " 1 9 10 react:1:16:4:4:cb 5.0/2/6/11223/*/-/34 20.0/1/6/112233/*/-/4"
           " F1/1/6/1122334/*/-/-",
     TRACK " 1 9 10 react:1:16:4:4:cb 5.0/2/6/12334/*/-/SS 20.0/1/6/112233/*/-/4 F1/1/6/1122334/*/-/-", 0},
    {"their order",
     TRACK " 1 9 10 react:1:16:4:4:cb 5.0/2/6/11223/*/-/34 20.0/1/6/112233/*/-/4"
           " F1/1/6/1122334/*/-/-",
     TRACK " 1 9 10 react:1:16:4:4:cb 5.0/2/6/11223/*/-/43 20.0/1/6/112233/*/-/4 F1/1/6/1122334/*/-/-", 0},
    {"face down and cluttered",
     TRACK " 1 9 10 react:1:16:4:4:cb 5.0/2/1/HHHHH/*/-/34 20.0/1/6/112233/*/-/4"
           " F1/1/6/1122334/*/-/-",
     TRACK " 1 9 10 react:1:16:4:4:cb 5.0/2/1/HHHHH/*/-/3H 20.0/1/6/112233/*/-/4 F1/1/6/1122334/*/-/-", 0},
    {"Heat to cool in the hand", TRACK " 1 9 10 react:0:1:4:4:cba 5.0/1/3/112HHH/*/-/4" REST,
     TRACK " 1 9 10 react:0:1:4:4:cba 5.0/1/3/112233/*/-/4" REST, 0},
    {"cards to discard in the hand", TRACK " 1 9 10 discard:0:1:4:4 5.0/1/3/HHHSSS/*/-/4" REST,
     TRACK " 1 9 10 discard:0:1:4:4 5.0/1/3/112233/*/-/4" REST, 0},
    {"cards kept after the race",
     TRACK " 1 9 1 plan X3/1/6/1122334/*/05H3/- 20.0/1/6/1122334/*/-/-"
           " F1/1/6/1122334/*/-/-",
     TRACK " 1 9 1 plan X3/1/6/1122335/*/04H3/- 20.0/1/6/1122334/*/-/- F1/1/6/1122334/*/-/-", 0},
    {"the generator",
     TRACK " 1 9 10 plan 5.0/1/6/1122334/*/-/-" REST
           " @0000000000000000000000000000000000000000000000000000000000000000:0",
     TRACK " 1 9 10 plan 5.0/1/6/1122334/*/-/-" REST
           " @0000000000000000000000000000000000000000000000000000000000000001:99",
     -1},
};

/* Compares the views of all seats; for pairs that somebody, or nobody, may tell apart. */
static void compare_pairs(bool owned)
{
    static const int seats[] = {0, 1, 2, HP_SPECTATOR};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if ((pairs[i].owner >= 0) != owned)
            continue;
        const hp_race one = race_at(pairs[i].one);
        const hp_race other = race_at(pairs[i].other);
        assert_memory_not_equal(&one, &other, sizeof one);
        for (size_t k = 0; k < sizeof seats / sizeof *seats; k++) {
            const hp_view a = look(&one, seats[k]);
            const hp_view b = look(&other, seats[k]);
            const bool same = memcmp(&a, &b, sizeof a) == 0;
            if (same != (seats[k] != pairs[i].owner))
                fail_msg("%s: seat %d", pairs[i].what, seats[k]);
        }
    }
}

/* Without it a seat's view would hold, in some byte, what another player holds or plans. */
static void r13_2_views_of_others_are_the_same_whatever_is_hidden(void **state)
{
    (void)state;
    compare_pairs(true);
}

/* Without it players could count what is left in the own draw pile without having kept count. */
static void r13_3_nobody_sees_into_draw_and_discard_piles(void **state)
{
    (void)state;
    compare_pairs(false);
}

/* Without it waiting, or not waiting, would tell of the cards in a hand. */
static void r13_2_what_is_asked_does_not_depend_on_hidden_cards(void **state)
{
    (void)state;
    static const char *const hands[] = {"1122334", "12HHHHH", "HHHHSS4"};
    for (size_t i = 0; i < sizeof hands / sizeof *hands; i++) {
        hp_race race = race_of(TRACK " 1 9 0 plan 15.0/1/0/%s/*/-/-", hands[i]);
        play(&race, 0, i == 1 ? "plan 1 1" : "plan 1 4", NULL);
        assert_int_equal(race.step, HP_STEP_REACT);
        play(&race, 0, "done", NULL);
        assert_int_equal(race.step, HP_STEP_DISCARD);
    }
}

/* ---- Events ------------------------------------------------------------------------------------ */

/* Without it the events would tell what the views hide. */
static void r13_2_cards_drawn_by_others_are_hidden(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = race_at(TRACK " 1 9 01 discard:0:1:4:4 5.0/2/6/11223/*/-/34 20.0/1/6/112233/*/-/4");
    play(&race, 0, "keep", &events);
    const hp_event *draw = heard(&events, HP_EV_DRAW, 0);
    assert_int_equal(draw->count, 2);
    const hp_event own = hp_event_for(draw, 0);
    assert_memory_equal(&own, draw, sizeof own);
    assert_true(own.cards[0] != HP_NO_CARD && own.cards[1] != HP_NO_CARD);
    static const int others[] = {1, 5, HP_SPECTATOR};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const hp_event seen = hp_event_for(draw, others[i]);
        hp_event expected = *draw;
        expected.cards[0] = expected.cards[1] = HP_NO_CARD;
        assert_memory_equal(&seen, &expected, sizeof seen); /* how many is seen, and the rest of it */
    }
}

/* Without it others would see all the cards that a car discards, or not even the top one. */
static void r13_4_of_discards_others_see_number_and_top(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = race_at(TRACK " 1 9 0 discard:0:1:4:4 5.0/1/6/112235/*/-/4");
    play(&race, 0, "discard 1 5 2", &events);
    const hp_event *discard = heard(&events, HP_EV_DISCARD, 0);
    const hp_event own = hp_event_for(discard, 0);
    assert_memory_equal(&own, discard, sizeof own);
    hp_event expected = *discard;
    expected.cards[0] = expected.cards[1] = HP_NO_CARD;
    for (int seat = 1; seat <= HP_SPECTATOR; seat += HP_SPECTATOR - 1) {
        const hp_event seen = hp_event_for(discard, seat);
        assert_memory_equal(&seen, &expected, sizeof seen);
        assert_int_equal(seen.count, 3);
        assert_int_equal(seen.cards[2], HP_TWO);
    }

    race = race_at(TRACK " 1 9 0 discard:0:1:4:4 5.0/1/6/112235/*/-/4");
    play(&race, 0, "discard 5", &events);
    const hp_event alone = hp_event_for(heard(&events, HP_EV_DISCARD, 0), 3);
    assert_int_equal(alone.cards[0], HP_FIVE);
}

/* Without it a seat would miss, or see changed, what everybody sees. */
static void r13_1_other_events_are_the_same_for_all(void **state)
{
    (void)state;
    for (int kind = 0; kind < HP_EV_KINDS; kind++) {
        if (kind == HP_EV_DRAW || kind == HP_EV_DISCARD)
            continue;
        hp_event event;
        memset(&event, 1, sizeof event);
        event.kind = (uint8_t)kind;
        event.count = 4;
        for (int seat = 0; seat <= HP_CARS_MAX; seat++) {
            const hp_event seen = hp_event_for(&event, seat == HP_CARS_MAX ? HP_SPECTATOR : seat);
            assert_memory_equal(&seen, &event, sizeof seen);
        }
    }
}

/* ---- Whole races ------------------------------------------------------------------------------- */

/* Called at every decision of a race. */
typedef void at_decision(const hp_race *race, unsigned number);

static void race_through(unsigned number, int laps, at_decision *look_at_it)
{
    hp_circuit circuit;
    hp_circuit_at((int)number % hp_circuits(), &circuit);
    hp_setup setup = {
        .track = circuit.track, .laps = (uint8_t)laps, .cars = (uint8_t)(1 + number % HP_CARS_MAX)};
    setup.handicap[0] = (uint8_t)(number % 3);
    hp_seed_of(13, number, setup.seed);
    bot_dice dice = {number};
    hp_race race;
    assert_int_equal(hp_start(&race, &setup, NULL), HP_OK);
    for (unsigned n = number;; n++) {
        look_at_it(&race, n);
        const int car = hp_to_act(&race);
        if (car < 0)
            break;
        hp_choice choice;
        hp_choose_from(&race, car, &choice);
        assert_int_equal(hp_apply(&race, car, bot_any(&choice, &dice), NULL), HP_OK);
    }
}

static void guess_and_look_again(const hp_race *race, unsigned number)
{
    for (int i = 0; i <= race->cars; i++) {
        const int seat = i == race->cars ? HP_SPECTATOR : i;
        uint8_t seed[HP_SEED_BYTES];
        hp_seed_of(number, (uint64_t)seat, seed);
        const hp_view view = look(race, seat);
        hp_race guess;
        memset(&guess, 0xa5, sizeof guess);
        hp_guess(&view, seed, &guess);
        const hp_view again = look(&guess, seat);
        assert_memory_equal(&again, &view, sizeof view);

        /* What it made up is a race that might be, card by card. */
        char text[HP_POSITION_TEXT], circuit[HP_NAME_MAX + 1];
        hp_fault fault = {0};
        hp_race read;
        const size_t length = hp_position_write(&guess, "guess", text, sizeof text);
        if (hp_position_read(text, length, &read, circuit, &fault) != HP_TEXT_OK)
            fail_msg("fault %d (%s): %s", (int)fault.kind, fault.word, text);
        assert_memory_equal(&read, &guess, sizeof read);
    }
}

/* Without it a bot that searches would start from a race that differs from what it sees; and whatever the
 * view holds beyond that would be dealt anew and so differ: a leak. */
static void r13_a_guess_looks_the_same_through_whole_races(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 24; n++)
        race_through(n, 1 + (int)n / 12, guess_and_look_again);
}

static void play_guess_to_the_end(const hp_race *race, unsigned number)
{
    if (number % 16 != 0)
        return;
    const int seat = (int)(number / 16) % (race->cars + 1);
    uint8_t seed[HP_SEED_BYTES];
    hp_seed_of(number, 77, seed);
    const hp_view view = look(race, seat == race->cars ? HP_SPECTATOR : seat);
    hp_race guess;
    hp_guess(&view, seed, &guess);
    bot_dice dice = {number};
    for (int car, acts = 0; (car = hp_to_act(&guess)) >= 0; acts++) {
        hp_choice choice;
        hp_choose_from(&guess, car, &choice);
        assert_int_equal(hp_apply(&guess, car, bot_any(&choice, &dice), NULL), HP_OK);
        assert_true(acts < 20000);
        for (int i = 0; i < guess.cars; i++) {
            const hp_car *c = &guess.car[i];
            const hp_pile all = {c->hand.counts + c->draw.counts + c->discard.counts + c->play.counts};
            assert_int_equal(hp_count(all, HP_HEAT) + c->engine, view.car[i].heat);
            assert_int_equal(hp_size(all) - hp_count(all, HP_HEAT) - hp_count(all, HP_STRESS), 14);
        }
    }
    assert_int_equal(guess.step, HP_STEP_OVER);
}

/* Without it a search would run into a state that the rules do not know. */
static void r13_a_guess_can_be_played_to_the_end(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 12; n++)
        race_through(n, 1, play_guess_to_the_end);
}

/* Without it all guesses would be one, and a search would trust it. */
static void r13_other_seeds_are_other_guesses(void **state)
{
    (void)state;
    const hp_race race = race_at(TRACK " 1 9 10 plan 5.0/1/6/1122334/*/05H3/- 20.0/1/6/1122334/*/-/>4");
    const hp_view view = look(&race, 0);
    hp_race first;
    int other_hands = 0, other_plans = 0, other_discards = 0;
    for (unsigned n = 0; n < 32; n++) {
        uint8_t seed[HP_SEED_BYTES];
        hp_race guess, same;
        hp_seed_of(n, 1, seed);
        hp_guess(&view, seed, &guess);
        hp_guess(&view, seed, &same);
        assert_memory_equal(&guess, &same, sizeof guess); /* one seed, one guess */
        assert_pile(guess.car[0].hand, "1122334");        /* what is known stays */
        if (n == 0)
            first = guess;
        other_hands += guess.car[1].hand.counts != first.car[1].hand.counts;
        other_plans += memcmp(guess.car[1].plan, first.car[1].plan, sizeof first.car[1].plan) != 0;
        other_discards += guess.car[0].discard.counts != first.car[0].discard.counts;
    }
    assert_true(other_hands > 20);
    assert_true(other_plans > 10);
    assert_true(other_discards > 10);
}

/* Without it a guess might always give the hand that is really there. */
static void r13_2_a_guess_does_not_know_hidden_cards(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const hp_race one = race_at(pairs[i].one);
        const hp_race other = race_at(pairs[i].other);
        uint8_t seed[HP_SEED_BYTES] = {1};
        hp_race guesses[2];
        const hp_view views[2] = {look(&one, 1), look(&other, 1)};
        hp_guess(&views[0], seed, &guesses[0]);
        hp_guess(&views[1], seed, &guesses[1]);
        assert_memory_equal(&guesses[0], &guesses[1], sizeof guesses[0]);
    }
}

/* ---- Foresight --------------------------------------------------------------------------------- */

/* Plays an act and then nothing more up to the discard, and compares with what was foreseen. */
static void compare_foresight(const hp_race *race, int car, hp_act act)
{
    static heard_events events;
    hp_race then = *race;
    const hp_view view = look(race, car);
    const hp_outcome seen = hp_foresee(&view, act);
    const hp_listener listener = listener_of(&events);
    const int round = race->round;
    const int cars_before = race->cars - race->finished - race->retired;
    events.n = 0;
    assert_int_equal(hp_apply(&then, car, act, &listener), HP_OK);
    while (then.round == round && hp_to_act(&then) == car && then.step != HP_STEP_DISCARD &&
           then.step != HP_STEP_PLAN)
        assert_int_equal(
            hp_apply(&then, car, act_of(then.step == HP_STEP_REACT ? "done" : "stay"), &listener), HP_OK);
    if (cars_before != then.cars - then.finished - then.retired)
        return; /* somebody retired, which nobody could foresee */
    int flips = 0, spins = 0, cluttered = 0;
    for (int i = 0; i < events.n; i++) {
        const bool mine = events.event[i].car == car;
        flips += mine && events.event[i].kind == HP_EV_FLIP;
        spins += mine && events.event[i].kind == HP_EV_SPIN;
        cluttered += mine && events.event[i].kind == HP_EV_CLUTTERED;
    }
    assert_int_equal(seen.cluttered, cluttered > 0);
    assert_int_equal(seen.chance, flips > 0);
    if (seen.chance)
        return;
    const hp_car *after = &then.car[car];
    assert_int_equal(seen.spins, spins > 0);
    assert_int_equal(seen.gear, after->gear);
    assert_int_equal(seen.engine, after->engine);
    assert_int_equal(seen.to.at, hp_progress(&then, car));
    assert_int_equal(seen.to.spot, after->spot);
    if (seen.cluttered) {
        assert_int_equal(seen.speed, 0);
        return; /* others may have had their turns since */
    }
    const int cooled = act.kind == HP_COOL ? act.number : act.kind == HP_ADRENALINE_COOL ? 1 : 0;
    assert_int_equal(seen.speed, then.turn.speed);
    assert_int_equal(seen.stress, race->reserve - then.reserve);
    assert_int_equal(seen.price, race->car[car].engine + cooled - after->engine);
}

/* Every act of the car to act, where what it leads to depends on nobody else. */
static void foresee_all(const hp_race *race, unsigned number)
{
    (void)number;
    const int car = hp_to_act(race);
    if (car < 0 || race->step == HP_STEP_DISCARD)
        return;
    if (race->step == HP_STEP_PLAN && ((race->waiting & (race->waiting - 1)) != 0 || race->order[0] != car))
        return; /* it would not be the next to move */
    hp_choice choice;
    hp_act acts[HP_ACTS_MAX];
    hp_choose_from(race, car, &choice);
    for (int i = hp_acts(&choice, acts) - 1; i >= 0; i--)
        if (acts[i].kind != HP_RETIRE && acts[i].kind != HP_UNPLAN)
            compare_foresight(race, car, acts[i]);
}

/* Without it a screen would promise what the rules do not keep. */
static void r8_foreseen_as_it_comes_through_whole_races(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 24; n++)
        race_through(n, 1 + (int)n / 12, foresee_all);
}

/* Without it a spin-out, a blocked move or a dear shift would come as a surprise. */
static void r8_foreseen_case_by_case(void **state)
{
    (void)state;
    static const struct {
        const char *position, *act;
        hp_outcome expected;
    } cases[] = {
        {TRACK " 1 9 0 plan 8.0/1/6/1122334/*/-/-",
         "plan 1 4",
         {.gear = 1, .speed = 4, .engine = 6, .to = {12, 0}}},
        {TRACK " 1 9 0 plan 8.0/1/6/1122334/*/-/-",
         "plan 3 1 2 4",
         {.gear = 3, .speed = 7, .price = 4, .engine = 2, .to = {15, 0}}},
        {TRACK " 1 9 0 plan 8.0/1/3/1122334/*/-/-",
         "plan 3 1 2 4",
         {.spins = true, .gear = 1, .speed = 7, .price = 3, .engine = 0, .stress = 2, .to = {10, 0}}},
        {TRACK " 1 9 0 plan 8.0/2/2/12HHHHH/*/-/-",
         "plan 3 1 2 H",
         {.cluttered = true, .gear = 1, .engine = 2, .to = {8, 0}}},
        {TRACK " 1 9 0 plan 15.0/1/6/112233S/*/-/-",
         "plan 2 2 S",
         {.chance = true, .gear = 2, .speed = 2, .engine = 6, .to = {17, 0}}},
        {TRACK " 1 9 120 slip:0:15:4:4 19.0/1/6/112233/*/-/4 20.0/1/6/1122334/*/-/- 21.0/1/6/1122334/*/-/-",
         "slip",
         {.gear = 1, .speed = 4, .engine = 6, .to = {21, 1}}},
        {TRACK " 1 9 0 react:0:9:7:4:cba 12.0/1/1/112HHH/*/-/4",
         "cool 2",
         {.gear = 1, .speed = 7, .price = 3, .engine = 0, .to = {12, 0}}},
        {TRACK " 1 9 0 react:0:15:4:4:cbam 19.0/1/6/112233/*/-/4",
         "boost",
         {.chance = true, .gear = 1, .speed = 4, .price = 1, .engine = 5, .to = {19, 0}}},
        {TRACK " 1 9 0 react:0:15:4:4:cbam 19.0/1/6/112233/*/-/4",
         "adrenaline move",
         {.gear = 1, .speed = 5, .engine = 6, .to = {20, 0}}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const hp_race race = race_at(cases[i].position);
        const hp_view view = look(&race, 0);
        const hp_outcome seen = hp_foresee(&view, act_of(cases[i].act));
        const hp_outcome *expected = &cases[i].expected;
        assert_int_equal(seen.chance, expected->chance);
        assert_int_equal(seen.cluttered, expected->cluttered);
        assert_int_equal(seen.spins, expected->spins);
        assert_int_equal(seen.gear, expected->gear);
        assert_int_equal(seen.speed, expected->speed);
        assert_int_equal(seen.price, expected->price);
        assert_int_equal(seen.engine, expected->engine);
        assert_int_equal(seen.stress, expected->stress);
        assert_int_equal(seen.to.at, expected->to.at);
        assert_int_equal(seen.to.spot, expected->to.spot);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(r13_1_everybody_sees_what_lies_open),
        cmocka_unit_test(r13_1_heat_and_stress_owned_are_no_secret),
        cmocka_unit_test(r13_1_r2_3_everybody_sees_who_has_planned),
        cmocka_unit_test(r13_2_own_hand_and_plan),
        cmocka_unit_test(r13_2_views_of_others_are_the_same_whatever_is_hidden),
        cmocka_unit_test(r13_3_nobody_sees_into_draw_and_discard_piles),
        cmocka_unit_test(r13_2_what_is_asked_does_not_depend_on_hidden_cards),
        cmocka_unit_test(r13_2_cards_drawn_by_others_are_hidden),
        cmocka_unit_test(r13_4_of_discards_others_see_number_and_top),
        cmocka_unit_test(r13_1_other_events_are_the_same_for_all),
        cmocka_unit_test(r13_a_guess_looks_the_same_through_whole_races),
        cmocka_unit_test(r13_a_guess_can_be_played_to_the_end),
        cmocka_unit_test(r13_other_seeds_are_other_guesses),
        cmocka_unit_test(r13_2_a_guess_does_not_know_hidden_cards),
        cmocka_unit_test(r8_foreseen_as_it_comes_through_whole_races),
        cmocka_unit_test(r8_foreseen_case_by_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
