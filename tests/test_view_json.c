/* Proves that a view's text holds all of the view, nothing hidden, and fits where it is said to fit. */
#include "tests/support.h"

#include "bots/bots.h"

enum { SEATS = HP_CARS_MAX + 1 }; /* the spectator is the last */

static int seat_of(int i)
{
    return i == HP_CARS_MAX ? HP_SPECTATOR : i;
}

/* The text of one view is written here and stays until the next call. */
static const char *text_of(const hp_view *view)
{
    static char text[2][HP_VIEW_TEXT];
    static int which;
    which = !which;
    assert_in_range(hp_view_write(view, text[which], HP_VIEW_TEXT), 1, HP_VIEW_TEXT - 1);
    return text[which];
}

static void a_view_is_written_like_this(void **state)
{
    (void)state;
    hp_circuit circuit;
    hp_circuit_named("usa", &circuit);
    hp_setup setup = {.track = circuit.track, .laps = 2, .cars = 1};
    hp_seed_of(1, 1, setup.seed);
    hp_race race;
    hp_view view;
    hp_start(&race, &setup, NULL);
    hp_look(&race, HP_SPECTATOR, &view);
    assert_string_equal(text_of(&view),
                        "{\"seat\":-1,\"round\":1,\"step\":\"plan\",\"laps\":2,\"spaces\":69,"
                        "\"heat\":6,\"stress\":3,\"corners\":["
                        "{\"after\":11,\"limit\":7},{\"after\":32,\"limit\":3},{\"after\":48,"
                        "\"limit\":3},{\"after\":56,\"limit\":2}],"
                        "\"reserve\":34,\"order\":[0],\"adrenaline\":[0],\"cars\":[{\"at\":-1,"
                        "\"spot\":0,\"gear\":1,\"engine\":6,"
                        "\"hand\":7,\"covered\":0,\"play\":[],\"draw\":11,\"discard\":0,"
                        "\"heat\":7,\"stress\":3,\"planned\":false,"
                        "\"status\":\"racing\",\"place\":0}]}\n");
}

/* Own plan: while it may be changed, and face down until it is revealed. */
static void a_plan_is_an_act(void **state)
{
    (void)state;
    hp_circuit circuit;
    hp_circuit_named("usa", &circuit);
    const hp_setup setup = {.track = circuit.track, .laps = 1, .cars = 2};
    hp_race race;
    hp_start(&race, &setup, NULL);
    for (int turn = 0; turn < 2; turn++) {
        const int car = hp_to_act(&race);
        hp_choice choice;
        hp_act acts[HP_ACTS_MAX];
        char expected[HP_ACT_TEXT + 16] = "\"plan\":\"";
        hp_view view;
        hp_choose_from(&race, car, &choice);
        hp_acts(&choice, acts);
        hp_look(&race, car, &view);
        assert_null(strstr(text_of(&view), ",\"plan\":"));
        assert_int_equal(hp_apply(&race, car, acts[0], NULL), HP_OK);
        hp_act_write(acts[0], expected + 8, HP_ACT_TEXT);
        strcat(expected, "\"");
        hp_look(&race, car, &view);
        if (view.planned != 0 || view.car[car].covered > 0)
            assert_non_null(strstr(text_of(&view), expected));
        hp_look(&race, !car, &view);
        if (view.planned == 0 && view.car[!car].covered == 0)
            assert_null(strstr(text_of(&view), ",\"plan\":"));
    }
}

/* Through whole races: views are equal when, and only when, their texts are; and races that differ in what
 * is hidden alone give the same text. */
static void a_text_holds_all_of_the_view_and_nothing_hidden(void **state)
{
    (void)state;
    for (int c = 0; c < 4; c++) {
        hp_circuit circuit;
        hp_circuit_at(c, &circuit);
        hp_setup setup = {.track = circuit.track, .laps = 2, .cars = HP_CARS_MAX};
        hp_race race;
        bot_dice dice = {(uint64_t)c};
        hp_view before[SEATS] = {{.unused = {1}}};
        char text_before[SEATS][HP_VIEW_TEXT] = {""};
        hp_seed_of(3, (uint64_t)c, setup.seed);
        hp_start(&race, &setup, NULL);
        for (int car; (car = hp_to_act(&race)) >= 0;) {
            for (int i = 0; i < SEATS; i++) {
                hp_view view, same;
                hp_race other;
                uint8_t seed[HP_SEED_BYTES];
                hp_look(&race, seat_of(i), &view);
                const char *text = text_of(&view);
                assert_int_equal(memcmp(&view, &before[i], sizeof view) == 0,
                                 strcmp(text, text_before[i]) == 0);
                strcpy(text_before[i], text);
                before[i] = view;
                hp_seed_of(race.chance.drawn, (uint64_t)i, seed);
                hp_guess(&view, seed, &other);
                hp_look(&other, seat_of(i), &same);
                assert_string_equal(text_of(&same), text_before[i]);
            }
            hp_choice choice;
            hp_choose_from(&race, car, &choice);
            assert_int_equal(hp_apply(&race, car, bot_any(&choice, &dice), NULL), HP_OK);
        }
    }
}

/* The longest of everything at once, and more than a race can hold. */
static void the_longest_text_fits(void **state)
{
    (void)state;
    hp_view view = {.round = 65535, .laps = HP_LAPS_MAX, .cars = HP_CARS_MAX, .in_order = HP_CARS_MAX};
    view.step = HP_STEP_DISCARD;
    view.choice.step = HP_STEP_DISCARD;
    view.adrenaline = 0x3f;
    view.reserve = HP_STRESS_SUPPLY;
    view.planned = HP_GEARS;
    view.choice.hand = pile_from("0123455");
    view.turn = (hp_turn){.lap = -1, .speed = 24, .cool = 10};
    view.track = (hp_track){.spaces = HP_SPACES_MAX, .heat = 19, .stress = 6, .corners = HP_CORNERS_MAX};
    for (int i = 0; i < HP_CORNERS_MAX; i++)
        view.track.corner[i] = (hp_corner){.after = (uint8_t)(100 + i), .limit = HP_LIMIT_MAX};
    for (int i = 0; i < HP_CARS_MAX; i++) {
        view.order[i] = (uint8_t)i;
        view.car[i] = (hp_car_view){.play = pile_from("0123450123HHHHSSSS"),
                                    .place = {.at = 1199, .spot = 1},
                                    .engine = 19,
                                    .covered = 4,
                                    .draw = 40,
                                    .discard = 40,
                                    .heat = 20,
                                    .stress = 37,
                                    .status = HP_FINISHED};
    }
    assert_in_range(hp_view_write(&view, NULL, 0), 2000, HP_VIEW_TEXT - 500);
}

static void a_short_buffer_cuts(void **state)
{
    (void)state;
    hp_view view = {.cars = 1, .seat = HP_SPECTATOR};
    char text[9];
    const size_t length = hp_view_write(&view, text, sizeof text);
    assert_string_equal(text, "{\"seat\":");
    assert_int_equal(length, hp_view_write(&view, NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_view_is_written_like_this),
        cmocka_unit_test(a_plan_is_an_act),
        cmocka_unit_test(a_text_holds_all_of_the_view_and_nothing_hidden),
        cmocka_unit_test(the_longest_text_fits),
        cmocka_unit_test(a_short_buffer_cuts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
