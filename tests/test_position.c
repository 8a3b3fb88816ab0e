/* Proves that a position is a race and nothing is lost between them: every moment of random races is written
 * and read back to the same bytes, and what no race can have is refused with the part that is wrong. */
#include "bots/bots.h"
#include "tests/support.h"

#include <time.h>

static char *read_whole(const char *path)
{
    enum { TEXT_MAX = 1 << 16 };
    char *text = malloc(TEXT_MAX);
    FILE *file = fopen(path, "rb");
    if (file == NULL || text == NULL)
        fail_msg("%s cannot be read", path);
    text[fread(text, 1, TEXT_MAX - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void assert_round_trip(const hp_race *race, const char *name)
{
    char text[HP_POSITION_TEXT], again[HP_POSITION_TEXT], circuit[HP_NAME_MAX + 1];
    hp_race read;
    hp_fault fault;
    const size_t length = hp_position_write(race, name, text, sizeof text);
    assert_true(length < sizeof text);
    assert_int_equal(strlen(text), length);
    memset(&read, 0x5a, sizeof read);
    if (hp_position_read(text, length, &read, circuit, &fault) != HP_TEXT_OK)
        fail_msg("fault %d at column %d, '%s': %s", (int)fault.kind, fault.column, fault.word, text);
    assert_memory_equal(&read, race, sizeof read);
    assert_string_equal(circuit, name);
    hp_position_write(&read, circuit, again, sizeof again);
    assert_string_equal(again, text);
}

/* ---- The document ------------------------------------------------------------------------------ */

static void the_documented_examples_are_positions(void **state)
{
    (void)state;
    static const char fence[] = "```position\n";
    char *doc = read_whole(SOURCE_DIR "/docs/POSITION.md");
    int examples = 0;
    for (char *at = strstr(doc, fence); at != NULL; at = strstr(at, fence)) {
        at += strlen(fence);
        char *end = strstr(at, "\n```");
        assert_non_null(end);
        *end = '\0';
        const hp_race race = race_at(at);
        assert_round_trip(&race, "usa");
        at = end + 1;
        examples++;
    }
    assert_true(examples >= 2);
    free(doc);
}

static const char planning[] = "usa 1 1 10 plan -1.1/1/6/0113HS4/*/-/- -1.0/1/6/2233S5H/*/-/>5";
static const char reacting[] = "usa 1 1 10 react:1:-1:5:5:b -1.1/1/6/011H34/*/-/S 4.0/1/6/2233SH/*/-/5";

static void a_position_says_everything(void **state)
{
    (void)state;
    const hp_race race = race_at(planning);
    assert_int_equal(race.cars, 2);
    assert_int_equal(race.laps, 1);
    assert_int_equal(race.round, 1);
    assert_int_equal(race.step, HP_STEP_PLAN);
    assert_int_equal(race.order[0], 1);
    assert_int_equal(race.adrenaline, 1 << 0); /* it follows from the order */
    assert_int_equal(race.waiting, 1 << 0);
    assert_int_equal(race.reserve, HP_STRESS_SUPPLY - 6);
    assert_stands(&race, 0, -1, 1);
    assert_stands(&race, 1, -1, 0);
    assert_pile(race.car[0].hand, "0113HS4");
    assert_pile(race.car[0].draw, "122233445SS"); /* what * stands for */
    assert_pile(race.car[1].hand, "2233S5H");     /* planned cards are still in the hand */
    assert_int_equal(race.car[1].planned, 1);
    assert_int_equal(race.car[1].plan[0], HP_FIVE);
    assert_int_equal(race.car[0].top, HP_NO_CARD);
    assert_int_equal(race.chance.drawn, 0); /* without a seed it is all zeroes */
    for (int i = 0; i < 8; i++)
        assert_int_equal(race.chance.key[i], 0);
}

static void a_running_turn_is_said_too(void **state)
{
    (void)state;
    const hp_race race = race_at(reacting);
    assert_int_equal(race.step, HP_STEP_REACT);
    assert_int_equal(race.order[race.now], 1);
    assert_int_equal(race.waiting, 1 << 1);
    assert_int_equal(race.turn.lap, -1);
    assert_int_equal(race.turn.space, 68);
    assert_int_equal(race.turn.speed, 5);
    assert_int_equal(race.turn.last, HP_FIVE);
    assert_true(race.turn.boost && !race.turn.cool && !race.turn.adrenaline_cool &&
                !race.turn.adrenaline_move);
    assert_pile(race.car[0].play, "S"); /* face down */
    assert_int_equal(race.car[0].plan[0], HP_STRESS);
    assert_pile(race.car[1].play, "5");
}

static void symbols_are_what_may_still_be_used(void **state)
{
    (void)state;
    const hp_race first = race_at("usa 1 1 0 react:0:-1:5:5:cbam 4.0/1/6/2233SH/*/-/5");
    assert_int_equal(first.turn.cool, 3);
    assert_true(first.turn.boost && first.turn.adrenaline_cool && first.turn.adrenaline_move);
    const hp_race second = race_at("usa 1 1 0 react:0:-1:9:3:mc 8.0/2/5/2233H/*/H/513");
    assert_int_equal(second.turn.cool, 1);
    assert_true(!second.turn.boost && !second.turn.adrenaline_cool && second.turn.adrenaline_move);
}

static void a_discard_pile_has_its_top_card_last(void **state)
{
    (void)state;
    const hp_race race = race_at("italy 2 9 0 plan 60.0/3/2/0113SS4/*/4H2S1/-");
    assert_pile(race.car[0].discard, "124HS");
    assert_int_equal(race.car[0].top, HP_ONE);
    assert_stands(&race, 0, 60, 0);
    assert_int_equal(race.car[0].lap, 1);
    assert_int_equal(race.car[0].space, 6);
}

static void places_of_cars_that_left_are_said(void **state)
{
    (void)state;
    const hp_race race =
        race_at("usa 1 20 1 plan F1/4/2/0113SS4/*/-/- 3.1/1/6/2233S5H/*/-/- X3/1/6/2233S5H/*/-/-");
    assert_int_equal(race.finished, 1);
    assert_int_equal(race.retired, 1);
    assert_int_equal(race.car[0].status, HP_FINISHED);
    assert_int_equal(race.car[2].status, HP_RETIRED);
    assert_int_equal(race.car[2].place, 3);
    const hp_race over = race_at("usa 1 20 - over F1/4/2/0113SS4/*/-/- X2/1/6/2233S5H/*/-/-");
    assert_int_equal(over.step, HP_STEP_OVER);
    assert_int_equal(hp_to_act(&over), -1);
}

static void a_name_may_come_with_figures(void **state)
{
    (void)state;
    hp_race race = race_at("oval=40,6,3,12/5,30/4 1 1 0 plan -1.0/1/6/0113SS4/*/-/-");
    assert_int_equal(race.track.spaces, 40);
    assert_int_equal(race.track.corners, 2);
    assert_int_equal(race.track.corner[1].after, 30);
    assert_int_equal(race.track.corner[1].limit, 4);
    assert_round_trip(&race, "oval");
    assert_round_trip(&race, "usa"); /* a name of ours with other figures keeps them */
    race = race_at("usa=69,6,3,11/7,32/3,48/3,56/2 1 1 0 plan -1.0/1/6/0113SS4/*/-/-");
    char text[HP_POSITION_TEXT];
    hp_position_write(&race, "usa", text, sizeof text);
    assert_memory_equal(text, "usa 1 1 0 plan", 14);
}

/* ---- Random races ------------------------------------------------------------------------------ */

static void run_race(const char *name, hp_track track, int cars, int laps, uint64_t number)
{
    hp_race race;
    bot_dice dice = {number};
    hp_setup setup = {.track = track, .laps = (uint8_t)laps, .cars = (uint8_t)cars};
    hp_seed_of(11, number, setup.seed);
    for (int i = 0; i < cars; i++)
        setup.handicap[i] = (uint8_t)bot_roll_below(&dice, HP_HANDICAP_MAX + 1);
    assert_int_equal(hp_start(&race, &setup, NULL), HP_OK);
    assert_round_trip(&race, name);
    while (race.step != HP_STEP_OVER) {
        hp_choice choice;
        const int car = hp_to_act(&race);
        hp_choose_from(&race, car, &choice);
        assert_int_equal(hp_apply(&race, car, bot_any(&choice, &dice), NULL), HP_OK);
        assert_round_trip(&race, name);
    }
}

static void every_moment_of_a_race_is_a_position(void **state)
{
    (void)state;
    hp_circuit circuit;
    hp_fault fault;
    char *text = read_whole(SOURCE_DIR "/tests/fixtures/one-corner.circuit");
    uint64_t number = 0;
    for (int cars = 1; cars <= HP_CARS_MAX; cars++) {
        for (int i = 0; i < hp_circuits(); i++) {
            hp_circuit_at(i, &circuit);
            run_race(circuit.name, circuit.track, cars, 1 + (i + cars) % 2, ++number);
        }
        assert_int_equal(hp_circuit_read(text, strlen(text), &circuit, &fault), HP_TEXT_OK);
        for (int laps = 1; laps <= 3; laps++)
            run_race(circuit.name, circuit.track, cars, laps, ++number);
    }
    run_race(circuit.name, circuit.track, HP_CARS_MAX, HP_LAPS_MAX, ++number);
    free(text);
}

/* What a seat imagines of the others is possible, too, and leaves no car more acts than there can be. */
static void assert_guess_is_possible(const hp_race *race, int seat, bot_dice *dice)
{
    hp_view view;
    hp_race guess;
    uint8_t seed[HP_SEED_BYTES];
    hp_look(race, seat, &view);
    hp_seed_of(12, bot_roll(dice), seed);
    hp_guess(&view, seed, &guess);
    assert_round_trip(&guess, "italy");
    for (int car = 0; car < guess.cars; car++) {
        hp_choice choice;
        hp_act acts[4 * HP_ACTS_MAX]; /* room for too many */
        hp_choose_from(&guess, car, &choice);
        assert_in_range(hp_acts(&choice, acts), 0, HP_ACTS_MAX);
    }
}

static void what_a_seat_guesses_is_a_position(void **state)
{
    (void)state;
    hp_circuit circuit;
    assert_true(hp_circuit_named("italy", &circuit));
    for (uint64_t number = 0; number < 20; number++) {
        hp_race race;
        bot_dice dice = {number};
        hp_setup setup = {.track = circuit.track, .laps = 1, .cars = 4};
        hp_seed_of(13, number, setup.seed);
        assert_int_equal(hp_start(&race, &setup, NULL), HP_OK);
        while (race.step != HP_STEP_OVER) {
            hp_choice choice;
            const int car = hp_to_act(&race);
            for (int seat = 0; seat < race.cars; seat++)
                assert_guess_is_possible(&race, seat, &dice);
            hp_choose_from(&race, car, &choice);
            assert_int_equal(hp_apply(&race, car, bot_any(&choice, &dice), NULL), HP_OK);
        }
    }
}

/* R8.2: seven cards at the end of a turn have stress from a spin-out among them, whoever looks on. */
static void a_guess_knows_of_a_spin_out(void **state)
{
    (void)state;
    const hp_race race = race_at("usa 1 1 01 discard:0:-1:1:1 0.0/1/6/S122334/*/-/1 -1.1/1/6/011H34/*/-/S");
    hp_view view;
    hp_look(&race, 1, &view);
    for (uint64_t i = 0; i < 500; i++) {
        hp_race guess;
        hp_choice choice;
        hp_act acts[4 * HP_ACTS_MAX]; /* room for too many */
        uint8_t seed[HP_SEED_BYTES];
        hp_seed_of(14, i, seed);
        hp_guess(&view, seed, &guess);
        assert_in_range(hp_count(guess.car[0].hand, HP_STRESS), 1, 3);
        hp_choose_from(&guess, 0, &choice);
        assert_in_range(hp_acts(&choice, acts), 1, HP_ACTS_MAX);
        assert_round_trip(&guess, "usa");
    }
}

static void small_buffers_cut_the_text(void **state)
{
    (void)state;
    const hp_race race = race_at(reacting);
    char whole[HP_POSITION_TEXT];
    const size_t length = hp_position_write(&race, "usa", whole, sizeof whole);
    for (size_t size = 1; size <= length + 1; size++) {
        char *text = malloc(size);
        assert_non_null(text);
        assert_int_equal(hp_position_write(&race, "usa", text, size), length);
        assert_int_equal(strlen(text), size - 1);
        assert_memory_equal(text, whole, size - 1);
        free(text);
    }
    assert_int_equal(hp_position_write(&race, "usa", NULL, 0), length);
}

/* ---- Refusals ---------------------------------------------------------------------------------- */

#define CAR "/1/6/0112233/*/-/-"
#define SEED "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static const struct {
    const char *text;
    hp_text_fault kind;
    const char *word;
    int number;
} refusals[] = {
    /* The head. */
    {"", HP_TEXT_EXPECTED, "circuit", 0},
    {"usa", HP_TEXT_EXPECTED, "laps", 0},
    {"usa 1", HP_TEXT_EXPECTED, "round", 0},
    {"usa 1 1", HP_TEXT_EXPECTED, "order", 0},
    {"usa 1 1 0", HP_TEXT_EXPECTED, "step", 0},
    {"usa 1 1 0 plan", HP_TEXT_EXPECTED, "car", 0},
    {"usa 1 1 0 plan @" SEED ":0", HP_TEXT_EXPECTED, "car", 0},
    {"monaco 1 1 0 plan 0.0" CAR, HP_TEXT_UNKNOWN_CIRCUIT, "monaco", 0},
    {"USA 1 1 0 plan 0.0" CAR, HP_TEXT_BAD_NAME, "USA", 0},
    {"=40,6,3 1 1 0 plan 0.0" CAR, HP_TEXT_BAD_NAME, "", 0},
    {"-=40,6,3 1 1 0 plan 0.0" CAR, HP_TEXT_BAD_NAME, "-", 0},
    {"a234567890123456789012345678901 1 1 0 plan 0.0" CAR, HP_TEXT_UNKNOWN_CIRCUIT,
     "a234567890123456789012345678901", 0},
    {"a2345678901234567890123456789012 1 1 0 plan 0.0" CAR, HP_TEXT_BAD_NAME,
     "a234567890123456789012345678901", 0},
    {"usa 0 1 0 plan 0.0" CAR, HP_TEXT_NUMBER_RANGE, "laps", 0},
    {"usa 10 1 0 plan 0.0" CAR, HP_TEXT_NUMBER_RANGE, "laps", 10},
    {"usa one 1 0 plan 0.0" CAR, HP_TEXT_BAD_NUMBER, "one", 0},
    {"usa 1 0 0 plan 0.0" CAR, HP_TEXT_NUMBER_RANGE, "round", 0},
    {"usa 1 65536 0 plan 0.0" CAR, HP_TEXT_NUMBER_RANGE, "round", 65536},
    {"usa 1 -1 0 plan 0.0" CAR, HP_TEXT_NUMBER_RANGE, "round", -1},
    {"usa\n1 1 0 plan 0.0" CAR, HP_TEXT_NOT_TEXT, "", 0},
    {"usa 1 1 0 plan 0.0" CAR "\r", HP_TEXT_NOT_TEXT, "", 0},
    {"usa 1 1 0 plan 0.0" CAR " \xff", HP_TEXT_NOT_TEXT, "", 0},

    /* Figures. */
    {"oval= 1 1 0 plan 0.0" CAR, HP_TEXT_BAD_NUMBER, "", 0},
    {"oval=24,6,3,12/5 1 1 0 plan 0.0" CAR, HP_TEXT_NUMBER_RANGE, "spaces", 24},
    {"oval=129,6,3,12/5 1 1 0 plan 0.0" CAR, HP_TEXT_NUMBER_RANGE, "spaces", 129},
    {"oval=40,1,3,12/5 1 1 0 plan 0.0" CAR, HP_TEXT_NUMBER_RANGE, "heat", 1},
    {"oval=40,20,3,12/5 1 1 0 plan 0.0" CAR, HP_TEXT_NUMBER_RANGE, "heat", 20},
    {"oval=40,6,7,12/5 1 1 0 plan 0.0" CAR, HP_TEXT_NUMBER_RANGE, "stress", 7},
    {"oval=40,6,-1,12/5 1 1 0 plan 0.0" CAR, HP_TEXT_NUMBER_RANGE, "stress", -1},
    {"oval=40,6,3,40/5 1 1 0 plan 0.0" CAR, HP_TEXT_NUMBER_RANGE, "corner", 40},
    {"oval=40,6,3,12/0 1 1 0 plan 0.0" CAR, HP_TEXT_NUMBER_RANGE, "limit", 0},
    {"oval=40,6,3,12/21 1 1 0 plan 0.0" CAR, HP_TEXT_NUMBER_RANGE, "limit", 21},
    {"oval=40,6,3,12 1 1 0 plan 0.0" CAR, HP_TEXT_BAD_NUMBER, "", 0},
    {"oval=40,6,3,12/5/1 1 1 0 plan 0.0" CAR, HP_TEXT_BAD_NUMBER, "5/1", 0},
    {"oval=40,6,3,12/5,12/4 1 1 0 plan 0.0" CAR, HP_TEXT_CORNER_ORDER, "12", 12},
    {"oval=40,6,3,12/5,11/4 1 1 0 plan 0.0" CAR, HP_TEXT_CORNER_ORDER, "11", 11},
    {"oval=40,6,3,0/1,1/1,2/1,3/1,4/1,5/1,6/1,7/1,8/1,9/1,10/1,11/1,12/1,13/1,14/1 1 1 0 plan 0.0" CAR,
     HP_TEXT_TOO_MANY, "corners", 0},

    /* The order. */
    {"usa 1 1 x plan 0.0" CAR, HP_TEXT_IMPOSSIBLE, "order", 0},
    {"usa 1 1 6 plan 0.0" CAR, HP_TEXT_IMPOSSIBLE, "order", 0},
    {"usa 1 1 0000000 plan 0.0" CAR, HP_TEXT_IMPOSSIBLE, "order", 0},
    {"usa 1 1 - plan 0.0" CAR, HP_TEXT_IMPOSSIBLE, "order", 0},
    {"usa 1 1 0-1 plan 0.0" CAR " 0.1" CAR, HP_TEXT_IMPOSSIBLE, "order", 0},
    {"usa 1 1 1 plan 0.0" CAR, HP_TEXT_IMPOSSIBLE, "order", 0},  /* there is no car 1 */
    {"usa 1 1 00 plan 0.0" CAR, HP_TEXT_IMPOSSIBLE, "order", 0}, /* twice */
    {"usa 1 1 0 plan 0.0" CAR " 1.0" CAR, HP_TEXT_IMPOSSIBLE, "order", 0},
    {"usa 1 1 01 plan 0.0" CAR " 1.0" CAR, HP_TEXT_IMPOSSIBLE, "order", 0},
    {"usa 1 1 10 plan 1.0" CAR " 1.1" CAR, HP_TEXT_IMPOSSIBLE, "order", 0}, /* R2.2 */
    {"usa 1 1 01 plan F1" CAR " 1.1" CAR, HP_TEXT_IMPOSSIBLE, "order", 0},
    {"usa 1 1 012 plan 2.0" CAR " X3" CAR " F1" CAR, HP_TEXT_IMPOSSIBLE, "order", 0},
    {"usa 1 1 01 plan 2.0" CAR " X3" CAR " F1" CAR, HP_TEXT_IMPOSSIBLE, "order", 0}, /* it retired earlier */
    {"usa 1 1 1 over F1" CAR " X2" CAR, HP_TEXT_IMPOSSIBLE, "order", 0},

    /* The step. */
    {"usa 1 1 0 fly 0.0" CAR, HP_TEXT_IMPOSSIBLE, "step", 0},
    {"usa 1 1 0 Plan 0.0" CAR, HP_TEXT_IMPOSSIBLE, "step", 0},
    {"usa 1 1 0 plan:0 0.0" CAR, HP_TEXT_EXTRA, "0", 0},
    {"usa 1 1 0 over 0.0" CAR, HP_TEXT_IMPOSSIBLE, "step", 0},                /* a car still races */
    {"usa 1 1 - plan F1" CAR, HP_TEXT_IMPOSSIBLE, "step", 0},                 /* nobody is left to plan */
    {"usa 1 1 0 plan 0.0/1/6/0112233/*/-/>1", HP_TEXT_IMPOSSIBLE, "step", 0}, /* all have planned */
    {"usa 1 1 0 react 4.0/1/6/2233SH/*/-/5", HP_TEXT_BAD_NUMBER, "", 0},
    {"usa 1 1 0 react:x:-1:5:5:b 4.0/1/6/2233SH/*/-/5", HP_TEXT_BAD_NUMBER, "x", 0},
    {"usa 1 1 0 react:6:-1:5:5:b 4.0/1/6/2233SH/*/-/5", HP_TEXT_NUMBER_RANGE, "car", 6},
    {"usa 1 1 0 react:1:-1:5:5:b 4.0/1/6/2233SH/*/-/5", HP_TEXT_IMPOSSIBLE, "step", 0}, /* no such car */
    {"usa 1 1 0 react:0:-25:5:5:b 4.0/1/6/2233SH/*/-/5", HP_TEXT_NUMBER_RANGE, "place", -25},
    {"usa 1 1 0 react:0:69:5:5:b 74.0/1/6/2233SH/*/-/5", HP_TEXT_NUMBER_RANGE, "place", 69},
    {"usa 1 1 0 react:0:-1:25:5:b 4.0/1/6/2233SH/*/-/5", HP_TEXT_NUMBER_RANGE, "speed", 25},
    {"usa 1 1 0 react:0:-1:-1:5:b 4.0/1/6/2233SH/*/-/5", HP_TEXT_NUMBER_RANGE, "speed", -1},
    {"usa 1 1 0 react:0:-1:5::b 4.0/1/6/2233SH/*/-/5", HP_TEXT_BAD_CARD, "", 0},
    {"usa 1 1 0 react:0:-1:5:6:b 4.0/1/6/2233SH/*/-/5", HP_TEXT_BAD_CARD, "6", 0},
    {"usa 1 1 0 react:0:-1:5:55:b 4.0/1/6/2233SH/*/-/5", HP_TEXT_BAD_CARD, "55", 0},
    {"usa 1 1 0 slip:0:-1:5:5 4.0/1/6/2233SH/*/-/5", HP_TEXT_IMPOSSIBLE, "step", 0}, /* behind nobody */
    {"usa 1 9 01 slip:1:1:5:5 F1" CAR " 4.0/1/6/2233SH/*/-/5", HP_TEXT_IMPOSSIBLE, "order", 0},

    /* Symbols. */
    {"usa 1 1 0 react:0:-1:5:5:x 4.0/1/6/2233SH/*/-/5", HP_TEXT_IMPOSSIBLE, "symbols", 0},
    {"usa 1 1 0 react:0:-1:6:1: 5.0/1/6/2233SH/*/-/51", HP_TEXT_IMPOSSIBLE, "symbols",
     0}, /* nothing to ask */
    {"usa 1 1 0 react:0:-1:5:5:b 4.0/1/0/2233SH/*/-/5", HP_TEXT_IMPOSSIBLE, "symbols",
     0}, /* nor to pay with */
    {"usa 1 1 0 discard:0:-1:5:5:b 4.0/1/6/2233SH/*/-/5", HP_TEXT_IMPOSSIBLE, "symbols", 0},
    {"usa 1 1 10 react:1:-1:5:5:ba -1.1/1/6/011H34/*/-/S 4.0/1/6/2233SH/*/-/5", HP_TEXT_IMPOSSIBLE, "symbols",
     0},
    {"usa 1 1 10 react:1:-1:5:5:bm -1.1/1/6/011H34/*/-/S 4.0/1/6/2233SH/*/-/5", HP_TEXT_IMPOSSIBLE, "symbols",
     0},

    /* Where cars are. */
    {"usa 1 1 0 plan x.0" CAR, HP_TEXT_BAD_NUMBER, "x", 0},
    {"usa 1 1 0 plan 0" CAR, HP_TEXT_BAD_NUMBER, "", 0},
    {"usa 1 1 0 plan 0.2" CAR, HP_TEXT_NUMBER_RANGE, "spot", 2},
    {"usa 1 1 0 plan -25.0" CAR, HP_TEXT_NUMBER_RANGE, "place", -25},
    {"usa 1 1 0 plan 94.0" CAR, HP_TEXT_NUMBER_RANGE, "place", 94},
    {"usa 1 1 0 plan 69.0" CAR, HP_TEXT_IMPOSSIBLE, "place", 0}, /* it would have finished */
    {"usa 1 1 01 react:0:-1:5:5:b 4.0/1/6/2233SH/*/-/5 69.1/1/6/011H34/*/-/S", HP_TEXT_IMPOSSIBLE, "place",
     0},
    {"usa 1 1 0 react:0:5:4:5:b 4.0/1/6/2233SH/*/-/5", HP_TEXT_IMPOSSIBLE, "place", 0}, /* backwards */
    {"usa 1 1 0 react:0:-21:4:5:b 4.0/1/6/2233SH/*/-/5", HP_TEXT_IMPOSSIBLE, "place",
     0}, /* too far for a turn */
    {"usa 1 1 012 react:0:-2:5:5:b 3.0/1/6/2233SH/*/-/5 -2.0/1/6/2233SH/*/-/5 -2.1/1/6/2233SH/*/-/5",
     HP_TEXT_IMPOSSIBLE, "place", 0}, /* its own spot on the grid is not free */
    {"usa 1 1 01 plan 1.0" CAR " 1.0" CAR, HP_TEXT_SPOT_TAKEN, "", 1},
    {"usa 2 1 012 plan 70.1" CAR " 1.0" CAR " 1.1" CAR, HP_TEXT_SPOT_TAKEN, "", 2}, /* R4.5 */

    /* Places. */
    {"usa 1 1 0 plan F" CAR, HP_TEXT_BAD_NUMBER, "F", 0},
    {"usa 1 1 0 plan F0" CAR, HP_TEXT_NUMBER_RANGE, "place", 0},
    {"usa 1 1 0 plan X7" CAR, HP_TEXT_NUMBER_RANGE, "place", 7},
    {"usa 1 1 0 plan 1.0" CAR " F2" CAR, HP_TEXT_IMPOSSIBLE, "places", 0}, /* who is first? */
    {"usa 1 1 0 plan 1.0" CAR " F1" CAR " F1" CAR, HP_TEXT_IMPOSSIBLE, "places", 0},
    {"usa 1 1 0 plan 1.0" CAR " X2" CAR " F1" CAR, HP_TEXT_IMPOSSIBLE, "places",
     0}, /* retired ones are last */
    {"usa 1 1 0 plan 1.0" CAR " X4" CAR " F1" CAR, HP_TEXT_IMPOSSIBLE, "places", 0},
    {"usa 1 1 0 plan 1.0" CAR " X2" CAR, HP_TEXT_IMPOSSIBLE, "places", 0}, /* R12.3: nobody has finished */

    /* Gear and engine. */
    {"usa 1 1 0 plan 0.0/0/6/0112233/*/-/-", HP_TEXT_NUMBER_RANGE, "gear", 0},
    {"usa 1 1 0 plan 0.0/5/6/0112233/*/-/-", HP_TEXT_NUMBER_RANGE, "gear", 5},
    {"usa 1 1 0 plan 0.0//6/0112233/*/-/-", HP_TEXT_BAD_NUMBER, "", 0},
    {"usa 1 1 0 plan 0.0/1/21/0112233/*/-/-", HP_TEXT_NUMBER_RANGE, "engine", 21},
    {"usa 1 1 0 plan 0.0/1/-1/0112233/*/-/-", HP_TEXT_NUMBER_RANGE, "engine", -1},

    /* Cards. */
    {"usa 1 1 0 plan 0.0/1/6", HP_TEXT_EXPECTED, "cards", 0},
    {"usa 1 1 0 plan 0.0/1/6//*/-/-", HP_TEXT_EXPECTED, "cards", 0},
    {"usa 1 1 0 plan 0.0/1/6/0112233/*/-", HP_TEXT_EXPECTED, "cards", 0},
    {"usa 1 1 0 plan 0.0/1/6/011223x/*/-/-", HP_TEXT_BAD_CARD, "x", 0},
    {"usa 1 1 0 plan 0.0/1/6/011223*/*/-/-", HP_TEXT_BAD_CARD, "*", 0},
    {"usa 1 1 0 plan 0.0/1/6/0112233/*/*/-", HP_TEXT_BAD_CARD, "*", 0},
    {"usa 1 1 0 plan 0.0/1/6/0112233/**/-/-", HP_TEXT_BAD_CARD, "*", 0},
    {"usa 1 1 0 plan 0.0/1/6/0112233/*/-/-/-", HP_TEXT_BAD_CARD, "-", 0},
    {"usa 1 1 0 plan 0.0/1/6/0112233/*/1?/-", HP_TEXT_BAD_CARD, "?", 0},
    {"usa 1 1 0 plan 0.0/1/6/0012233/*/-/-", HP_TEXT_CARDS_AMISS, "0", 0},
    {"usa 1 1 01 plan 1.0" CAR " 0.0/1/6/1112233/*/1/-", HP_TEXT_CARDS_AMISS, "1", 1},
    {"usa 1 1 0 plan 0.0/1/6/0112233/*/55/-", HP_TEXT_CARDS_AMISS, "5", 0},
    {"usa 1 1 0 plan 0.0/1/6/01122HH/*/-/-", HP_TEXT_CARDS_AMISS, "H", 0}, /* 8 of 7 */
    {"usa 1 1 0 plan 0.0/1/8/0112233/*/-/-", HP_TEXT_CARDS_AMISS, "H", 0},
    {"usa 1 1 0 plan 0.0/1/6/0112233/12344445HSSS/-/-", HP_TEXT_CARDS_AMISS, "4", 0},
    {"usa 1 1 0 plan 0.0/1/6/0112233/123445HSSS/-/-", HP_TEXT_CARDS_AMISS, "4", 0}, /* one is missing */
    {"usa 1 1 0 plan 0.0/1/6/0112233/123444HSSS/-/-", HP_TEXT_CARDS_AMISS, "5", 0},
    {"usa 1 1 0 plan 0.0/1/3/0112233/1234445HSSS/-/-", HP_TEXT_CARDS_AMISS, "H", 0}, /* a handicap of 3 */
    {"usa 1 1 0 plan 0.0/1/6/0112233/1234445HSS/-/-", HP_TEXT_CARDS_AMISS, "S", 0},
    {"usa 1 1 0 plan 0.0/1/6/0112233/*/SSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSS/-", HP_TEXT_CARDS_AMISS, "S",
     0},
    {"usa 1 1 01 plan 1.0/1/6/0112233/*/SSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSS/- 0.0" CAR, HP_TEXT_CARDS_AMISS,
     "S", 1}, /* R1.3: the supply has 37 */
    {"usa 1 1 0 plan 0.0/1/6/0112233/*/"
     "SSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSS"
     "SS/-",
     HP_TEXT_TOO_MANY, "cards", 0},

    /* Hands. */
    {"usa 1 1 0 plan 0.0/1/6/011223/*/-/-", HP_TEXT_IMPOSSIBLE, "hand", 0},
    {"usa 1 1 0 plan 0.0/1/6/-/*/-/-", HP_TEXT_IMPOSSIBLE, "hand", 0},
    {"usa 1 1 0 plan 0.0/1/6/01122333/*/-/-", HP_TEXT_IMPOSSIBLE, "hand", 0},
    {"usa 1 1 0 plan 1.0" CAR " F1/1/6/011223/*/-/-", HP_TEXT_IMPOSSIBLE, "hand", 0},
    {"usa 1 1 0 react:0:-1:5:5:b 4.0/1/6/02233SH/*/-/5", HP_TEXT_IMPOSSIBLE, "hand", 0},
    {"usa 1 1 0 react:0:-1:6:1:b 5.0/2/6/02233S/*/-/15", HP_TEXT_IMPOSSIBLE, "hand", 0},
    {"usa 1 1 0 discard:0:-1:5:5 4.0/1/6/0122334/*/-/5", HP_TEXT_IMPOSSIBLE, "hand", 0},

    /* Plans. */
    {"usa 1 1 01 plan 1.0" CAR " 0.0/1/6/0112233/*/-/>5", HP_TEXT_IMPOSSIBLE, "plan",
     0}, /* not in the hand */
    {"usa 1 1 01 plan 1.0" CAR " 0.0/1/6/0112233/*/-/>1122", HP_TEXT_IMPOSSIBLE, "plan", 0}, /* up by three */
    {"usa 1 1 01 plan 1.0" CAR " 0.0/1/6/0112233/*/-/>11223", HP_TEXT_IMPOSSIBLE, "plan",
     0}, /* no such gear */
    {"usa 1 1 01 plan 1.0" CAR " 0.0/1/6/0112233/*/-/>-", HP_TEXT_IMPOSSIBLE, "plan", 0},
    {"usa 1 1 01 plan 1.0" CAR " 0.0/1/6/0112233/*/-/>X", HP_TEXT_IMPOSSIBLE, "plan", 0}, /* too early */
    {"usa 1 1 01 plan 1.0" CAR " 0.0/1/6/0112233/*/-/>", HP_TEXT_EXPECTED, "cards", 0},
    {"usa 1 1 01 plan 1.0" CAR " 0.0/1/6/0112233/*/-/>x", HP_TEXT_BAD_CARD, "x", 0},
    {"usa 1 1 10 react:1:-1:5:5:b -1.1/1/6/0113H34/*/-/>3 4.0/1/6/2233SH/*/-/5", HP_TEXT_IMPOSSIBLE, "plan",
     0},

    /* Play areas. */
    {"usa 1 1 0 plan 0.0/1/6/0112233/*/-/5", HP_TEXT_IMPOSSIBLE, "play area", 0},
    {"usa 1 1 0 plan 1.0" CAR " F1/1/6/0112233/*/-/>1", HP_TEXT_IMPOSSIBLE, "play area", 0},
    {"usa 1 1 10 react:1:-1:5:5:b -1.1/1/6/0113H34/*/-/- 4.0/1/6/2233SH/*/-/5", HP_TEXT_IMPOSSIBLE,
     "play area", 0}, /* its turn is to come */
    {"usa 1 1 10 react:1:-1:5:5:b -1.1/1/6/0113H/*/-/S3 4.0/1/6/2233SH/*/-/5", HP_TEXT_IMPOSSIBLE,
     "play area", 0},
    {"usa 1 1 10 react:1:-1:5:5:b -1.1/1/6/011334/*/-/H 4.0/1/6/2233SH/*/-/5", HP_TEXT_IMPOSSIBLE,
     "play area", 0}, /* R3.3 */
    {"usa 1 1 01 react:1:-1:5:5:b -1.1/1/6/011H34/*/-/S 4.0/1/6/2233SH/*/-/5", HP_TEXT_IMPOSSIBLE,
     "play area", 0}, /* its turn is over */
    {"usa 1 1 0 react:0:-1:5:5:b 4.0/1/6/2233SH/*/-/-", HP_TEXT_IMPOSSIBLE, "play area", 0},
    {"usa 1 1 0 react:0:-1:5:5:b 4.0/1/6/2233SH/*/-/1", HP_TEXT_IMPOSSIBLE, "play area",
     0}, /* 5 is not there */
    {"usa 1 1 0 react:0:-1:5:H:b 4.0/1/6/2233S4/*/-/H", HP_TEXT_IMPOSSIBLE, "play area", 0}, /* R3.5 */
    {"usa 1 1 0 discard:0:-1:20:5 19.0/4/6/22H/*/-/1112344S5", HP_TEXT_IMPOSSIBLE, "play area", 0},
    {"usa 1 1 - over F1/1/6/0112233/*/-/5", HP_TEXT_IMPOSSIBLE, "play area", 0},
    {"usa 1 1 - over F1/1/6/011223/*/-/-", HP_TEXT_IMPOSSIBLE, "play area", 0},

    /* Cars and the generator. */
    {"usa 1 1 012345 plan 1.0" CAR " 2.0" CAR " 3.0" CAR " 4.0" CAR " 5.0" CAR " 6.0" CAR " 7.0" CAR,
     HP_TEXT_TOO_MANY, "cars", 0},
    {"usa 1 1 0 plan 0.0" CAR " @" SEED ":0 more", HP_TEXT_EXTRA, "more", 0},
    {"usa 1 1 01 plan 1.0" CAR " @" SEED ":0 0.0" CAR, HP_TEXT_EXTRA, "0.0/1/6/0112233/*/-/-", 0},
    {"usa 1 1 0 plan 0.0" CAR " more", HP_TEXT_BAD_NUMBER, "more", 0}, /* taken for a car */
    {"usa 1 1 0 plan 0.0" CAR " @", HP_TEXT_BAD_NUMBER, "", 0},
    {"usa 1 1 0 plan 0.0" CAR " @" SEED, HP_TEXT_BAD_NUMBER, "", 0},
    {"usa 1 1 0 plan 0.0" CAR " @" SEED ":", HP_TEXT_BAD_NUMBER, "", 0},
    {"usa 1 1 0 plan 0.0" CAR " @" SEED "0:0", HP_TEXT_BAD_NUMBER, "0123456789abcdef0123456789abcde", 0},
    {"usa 1 1 0 plan 0.0" CAR " @0123:0", HP_TEXT_BAD_NUMBER, "0123", 0},
    {"usa 1 1 0 plan 0.0" CAR " @g123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef:0",
     HP_TEXT_BAD_NUMBER, "g123456789abcdef0123456789abcde", 0},
    {"usa 1 1 0 plan 0.0" CAR " @" SEED ":-1", HP_TEXT_NUMBER_RANGE, "draws", -1},
    {"usa 1 1 0 plan 0.0" CAR " @" SEED ":1000000000", HP_TEXT_NUMBER_RANGE, "draws", 1000000000},
};

typedef struct {
    hp_race race;
    char name[HP_NAME_MAX + 1];
} position;

/* Reads a text from a block of just its size; what was there before must stay. */
static hp_fault refusal_of(const char *text, size_t length)
{
    position into, before;
    hp_fault fault;
    memset(&into, 0x5a, sizeof into);
    memcpy(&before, &into, sizeof into);
    memset(&fault, 0x5a, sizeof fault);
    char *copy = malloc(length > 0 ? length : 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    const hp_text_fault kind = hp_position_read(copy, length, &into.race, into.name, &fault);
    free(copy);
    if (kind == HP_TEXT_OK) {
        fail_msg("taken for a position: %.*s", (int)length, text);
    }
    assert_int_equal(kind, fault.kind);
    assert_int_equal(fault.line, 0);
    assert_true(fault.column >= 1 && (size_t)fault.column <= length + 1);
    assert_memory_equal(&into, &before, sizeof into);
    return fault;
}

static void every_refusal_names_what_is_wrong(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        position into;
        hp_fault fault = {0};
        const char *text = refusals[i].text;
        const hp_text_fault kind = hp_position_read(text, strlen(text), &into.race, into.name, &fault);
        if (kind == refusals[i].kind && strcmp(fault.word, refusals[i].word) == 0 &&
            fault.number == refusals[i].number) {
            refusal_of(text, strlen(text));
            continue;
        }
        print_error("fault %d at column %d, '%s', %d; not %d, '%s', %d: %s\n", (int)kind, fault.column,
                    fault.word, (int)fault.number, (int)refusals[i].kind, refusals[i].word,
                    refusals[i].number, text);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

/* The same with a byte cut off, changed or doubled is refused, or else it is a position like any other. */
static void whatever_is_not_refused_is_a_position(void **state)
{
    (void)state;
    static const char letters[] = "0159HSX-/:.,>*@=Fcbam x";
    const char *const texts[] = {planning, reacting,
                                 "oval=40,6,3,12/5 1 1 - over F1/1/6/0112233/*/-/- @" SEED ":9"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        for (size_t at = 0; at < strlen(texts[i]); at++)
            for (size_t j = 0; j < sizeof letters; j++) {
                char text[400];
                position into;
                hp_fault fault;
                snprintf(text, sizeof text, "%s", texts[i]);
                text[at] = letters[j]; /* a NUL the last time: cut off */
                if (hp_position_read(text, strlen(text), &into.race, into.name, &fault) == HP_TEXT_OK)
                    assert_round_trip(&into.race, into.name);
                else
                    refusal_of(text, strlen(text));
            }
}

static void a_nul_is_no_text(void **state)
{
    (void)state;
    char text[sizeof planning];
    memcpy(text, planning, sizeof planning);
    text[5] = '\0';
    assert_int_equal(refusal_of(text, strlen(planning)).kind, HP_TEXT_NOT_TEXT);
    assert_int_equal(refusal_of(planning, sizeof planning).kind, HP_TEXT_NOT_TEXT); /* the one at its end */
}

/* Whoever sends 100 kB waits for nothing and makes nobody wait. */
static void long_texts_are_refused_quickly(void **state)
{
    (void)state;
    enum { LONG = 100 * 1000 };
    static const char *const starts[] = {
        "",
        "oval=",
        "oval=40,6,3,12/5,",
        "usa ",
        "usa 1 ",
        "usa 1 1 ",
        "usa 1 1 0 ",
        "usa 1 1 0 react:0:-1:5:5:",
        "usa 1 1 0 plan ",
        "usa 1 1 0 plan 0.0/1/6/",
        "usa 1 1 0 plan 0.0/1/6/0112233/*/",
        "usa 1 1 0 plan 0.0/1/6/0112233/*/-/>",
        "usa 1 1 0 plan 0.0/1/6/0112233/*/-/- @",
    };
    static const char fill[] = "0a bS,/:9-";
    char *text = malloc(LONG);
    assert_non_null(text);
    const clock_t began = clock();
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        for (size_t j = 0; j < strlen(fill); j++) {
            memset(text, fill[j], LONG);
            memcpy(text, starts[i], strlen(starts[i]));
            refusal_of(text, LONG);
        }
    assert_true(clock() - began < 2 * CLOCKS_PER_SEC); /* 130 of them, sanitizers included */
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_documented_examples_are_positions),
        cmocka_unit_test(a_position_says_everything),
        cmocka_unit_test(a_running_turn_is_said_too),
        cmocka_unit_test(symbols_are_what_may_still_be_used),
        cmocka_unit_test(a_discard_pile_has_its_top_card_last),
        cmocka_unit_test(places_of_cars_that_left_are_said),
        cmocka_unit_test(a_name_may_come_with_figures),
        cmocka_unit_test(every_moment_of_a_race_is_a_position),
        cmocka_unit_test(what_a_seat_guesses_is_a_position),
        cmocka_unit_test(a_guess_knows_of_a_spin_out),
        cmocka_unit_test(small_buffers_cut_the_text),
        cmocka_unit_test(every_refusal_names_what_is_wrong),
        cmocka_unit_test(whatever_is_not_refused_is_a_position),
        cmocka_unit_test(a_nul_is_no_text),
        cmocka_unit_test(long_texts_are_refused_quickly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
