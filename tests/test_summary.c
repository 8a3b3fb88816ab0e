/* Proves the figures that are shown after a race: against a count made from the lines of its event log alone,
 * against the race itself at the start of every round, and in the text. */
#include "tests/support.h"

#include "bots/bots.h"

#include <jansson.h>

/* ---- A count of its own ------------------------------------------------------------------------ */

/* By the names that the summary's text has. */
static const char *const counts[] = {
    "rounds",        "heat_shifts",  "heat_boosts", "heat_corners", "cooled",
    "spins",         "boosts",       "slipstreams", "top_speed",    "blocked",
    "stress_played", "stress_taken", "cluttered",   "flips",        "place",
};
enum { COUNTS = sizeof counts / sizeof counts[0] };

typedef struct {
    hp_summary summary;
    hp_setup setup;
    hp_race race;
    json_int_t count[HP_CARS_MAX][COUNTS];
    int retired[HP_CARS_MAX];
    int rounds;
    uint8_t engine[HP_SUMMARY_ROUNDS][HP_CARS_MAX];
    uint8_t position[HP_SUMMARY_ROUNDS][HP_CARS_MAX];
} counted_race;

static json_int_t *count_of(counted_race *all, json_int_t car, const char *name)
{
    for (int i = 0; i < COUNTS; i++)
        if (strcmp(counts[i], name) == 0)
            return &all->count[car][i];
    fail_msg("no count named %s", name);
    return NULL;
}

static json_int_t member(const json_t *event, const char *key)
{
    assert_true(json_is_integer(json_object_get(event, key)));
    return json_integer_value(json_object_get(event, key));
}

static bool says(const json_t *event, const char *key, const char *text)
{
    const char *found = json_string_value(json_object_get(event, key));
    return found != NULL && strcmp(found, text) == 0;
}

static void count_move(counted_race *all, json_int_t car, const json_t *event)
{
    const json_int_t from = member(json_object_get(event, "from"), "at");
    const json_int_t to = member(json_object_get(event, "to"), "at");
    json_int_t *top = count_of(all, car, "top_speed");
    *count_of(all, car, "slipstreams") += says(event, "why", "slipstream");
    *count_of(all, car, "blocked") += to - from != member(event, "spaces");
    *top = member(event, "speed") > *top ? member(event, "speed") : *top;
}

static void count_line(counted_race *all, const json_t *event)
{
    if (says(event, "e", "round") || says(event, "e", "end"))
        return;
    const json_int_t car = member(event, "car");
    if (says(event, "e", "shift"))
        *count_of(all, car, "heat_shifts") += member(event, "paid");
    if (says(event, "e", "boost")) {
        ++*count_of(all, car, "boosts");
        ++*count_of(all, car, "heat_boosts");
    }
    if (says(event, "e", "corner"))
        *count_of(all, car, "heat_corners") += member(event, "paid");
    if (says(event, "e", "cool"))
        *count_of(all, car, "cooled") += member(event, "n");
    if (says(event, "e", "spin")) {
        ++*count_of(all, car, "spins");
        *count_of(all, car, "stress_taken") += member(event, "stress");
    }
    if (says(event, "e", "cluttered"))
        ++*count_of(all, car, "cluttered");
    if (says(event, "e", "flip"))
        ++*count_of(all, car, "flips");
    if (says(event, "e", "move"))
        count_move(all, car, event);
    if (says(event, "e", "reveal")) {
        const json_t *cards = json_object_get(event, "cards");
        ++*count_of(all, car, "rounds");
        for (size_t i = 0; i < json_array_size(cards); i++)
            *count_of(all, car, "stress_played") +=
                strcmp(json_string_value(json_array_get(cards, i)), "S") == 0;
    }
    if (says(event, "e", "finish") || says(event, "e", "retire"))
        *count_of(all, car, "place") = member(event, "place");
    all->retired[car] |= says(event, "e", "retire");
}

static void hear(void *self, const hp_event *event)
{
    counted_race *all = self;
    char line[HP_EVENT_TEXT];
    hp_event_write(event, line, sizeof line);
    json_t *object = json_loads(line, 0, NULL);
    assert_non_null(object);
    count_line(all, object);
    json_decref(object);
    const hp_event seen = hp_event_for(event, HP_SPECTATOR); /* nothing hidden is needed */
    hp_summary_hear(&all->summary, &seen);
}

/* ---- Races ------------------------------------------------------------------------------------- */

/* As the race itself knows it, whenever a round has begun. */
static void look_at_round(counted_race *all)
{
    const hp_race *race = &all->race;
    if (race->step == HP_STEP_OVER || race->round == all->rounds)
        return;
    all->rounds = race->round;
    if (race->round > HP_SUMMARY_ROUNDS)
        return;
    uint8_t order[HP_CARS_MAX];
    const int racing = hp_standings(race, order);
    for (int car = 0; car < race->cars; car++) {
        all->engine[race->round - 1][car] = race->car[car].engine;
        all->position[race->round - 1][car] = race->car[car].place;
    }
    for (int i = 0; i < racing; i++)
        all->position[race->round - 1][order[i]] = (uint8_t)(race->finished + i + 1);
}

/* Somebody who retires as soon as possible, somebody who never does, and those that drive well. */
static hp_act decide(const hp_race *race, int car, bot_dice *dice)
{
    hp_choice choice;
    hp_choose_from(race, car, &choice);
    if (car == 1 && race->step == HP_STEP_PLAN && (choice.flags & HP_MAY_RETIRE))
        return (hp_act){.kind = HP_RETIRE};
    if (car % 2 == 0) {
        hp_act acts[HP_ACTS_MAX];
        const int n = hp_acts(&choice, acts);
        hp_act act;
        do
            act = acts[bot_roll_below(dice, (uint32_t)n)];
        while (act.kind == HP_RETIRE || act.kind == HP_UNPLAN);
        return act;
    }
    hp_view view;
    hp_look(race, car, &view);
    return bot_driver_act(&view, dice, 1);
}

static counted_race *race_on(const hp_setup *setup, uint64_t seed, int until)
{
    counted_race *all = calloc(1, sizeof *all);
    assert_non_null(all);
    all->setup = *setup;
    const hp_listener listener = {.hear = hear, .self = all};
    bot_dice dice = {seed};
    assert_int_equal(hp_start(&all->race, setup, &listener), HP_OK);
    look_at_round(all);
    for (int car; (car = hp_to_act(&all->race)) >= 0 && all->race.round <= until;) {
        assert_int_equal(hp_apply(&all->race, car, decide(&all->race, car, &dice), &listener), HP_OK);
        look_at_round(all);
    }
    return all;
}

/* ---- Comparing --------------------------------------------------------------------------------- */

static json_t *text_of(const counted_race *all)
{
    char *text = malloc(HP_SUMMARY_TEXT);
    assert_non_null(text);
    const size_t length = hp_summary_write(&all->summary, &all->setup, text, HP_SUMMARY_TEXT);
    assert_in_range(length, 1, HP_SUMMARY_TEXT - 1);
    assert_int_equal(strcspn(text, "\n"), length - 1); /* one line */
    json_t *summary = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(summary);
    free(text);
    return summary;
}

static void assert_list(const json_t *list, const uint8_t by_round[][HP_CARS_MAX], int car, int rounds)
{
    const int kept = rounds < HP_SUMMARY_ROUNDS ? rounds : HP_SUMMARY_ROUNDS;
    assert_int_equal(json_array_size(list), kept);
    for (int r = 0; r < kept; r++)
        assert_int_equal(json_integer_value(json_array_get(list, (size_t)r)), by_round[r][car]);
}

static void assert_right(counted_race *all)
{
    json_t *summary = text_of(all);
    const json_t *cars = json_object_get(summary, "cars");
    assert_int_equal(member(summary, "rounds"), all->rounds);
    assert_int_equal(json_is_true(json_object_get(summary, "ended")), all->race.step == HP_STEP_OVER);
    assert_int_equal(json_array_size(cars), all->setup.cars);
    for (int car = 0; car < all->setup.cars; car++) {
        const json_t *found = json_array_get(cars, (size_t)car);
        for (int i = 0; i < COUNTS; i++)
            if (member(found, counts[i]) != all->count[car][i])
                fail_msg("car %d: %s is %lld, not %lld", car, counts[i], (long long)member(found, counts[i]),
                         (long long)all->count[car][i]);
        assert_int_equal(json_object_size(found), COUNTS + 3); /* no other counts */
        assert_int_equal(json_is_true(json_object_get(found, "retired")), all->retired[car]);
        assert_int_equal(member(found, "place"), all->race.car[car].place);
        assert_list(json_object_get(found, "engine"), (const uint8_t(*)[HP_CARS_MAX])all->engine, car,
                    all->rounds);
        assert_list(json_object_get(found, "positions"), (const uint8_t(*)[HP_CARS_MAX])all->position, car,
                    all->rounds);
    }
    json_decref(summary);
}

static hp_setup setup_on(int circuit_number, int cars, int laps, uint64_t seed)
{
    hp_circuit circuit;
    hp_circuit_at(circuit_number, &circuit);
    hp_setup setup = {.track = circuit.track, .laps = (uint8_t)laps, .cars = (uint8_t)cars};
    for (int i = 0; i < cars; i++)
        setup.handicap[i] = (uint8_t)((seed + (uint64_t)i) % (HP_HANDICAP_MAX + 1));
    hp_seed_of(41, seed, setup.seed);
    return setup;
}

/* ---- The tests --------------------------------------------------------------------------------- */

static void figures_are_those_of_the_event_log_on_all_circuits(void **state)
{
    (void)state;
    int retired = 0, clutter = 0, spins = 0, upgrade = 0;
    for (int circuit = 0; circuit < hp_circuits(); circuit++)
        for (int cars = 1; cars <= HP_CARS_MAX; cars++)
            for (int laps = 1; laps <= 2; laps++) {
                const hp_setup setup = setup_on(circuit, cars, laps, (uint64_t)(cars * 10 + laps));
                counted_race *all = race_on(&setup, (uint64_t)(circuit * 100 + cars * 10 + laps), UINT16_MAX);
                assert_int_equal(all->race.step, HP_STEP_OVER);
                assert_right(all);
                for (int i = 0; i < cars; i++) {
                    retired += all->retired[i];
                    clutter += *count_of(all, i, "cluttered") > 0;
                    spins += *count_of(all, i, "spins") > 0;
                    for (int r = 0; r < all->rounds && r < HP_SUMMARY_ROUNDS; r++)
                        upgrade += all->engine[r][i] > all->engine[0][i];
                }
                free(all);
            }
    assert_true(retired > 0 && clutter > 0 && spins > 0 && upgrade > 0); /* all of it happened */
}

static void a_race_that_goes_on_has_figures_too(void **state)
{
    (void)state;
    for (int until = 0; until < 12; until++) {
        const hp_setup setup = setup_on(0, 4, 2, 7);
        counted_race *all = race_on(&setup, 7, until);
        assert_int_not_equal(all->race.step, HP_STEP_OVER);
        assert_right(all);
        free(all);
    }
}

/* Corners that nobody can drive through for nothing, and cars that do whatever comes first. */
static void a_very_long_race_is_counted_to_its_end(void **state)
{
    (void)state;
    hp_setup setup = setup_on(0, 2, HP_LAPS_MAX, 3);
    setup.track.spaces = HP_SPACES_MAX;
    for (int i = 0; i < setup.track.corners; i++)
        setup.track.corner[i].limit = HP_LIMIT_MIN;
    counted_race *all = calloc(1, sizeof *all);
    assert_non_null(all);
    all->setup = setup;
    const hp_listener listener = {.hear = hear, .self = all};
    assert_int_equal(hp_start(&all->race, &setup, &listener), HP_OK);
    look_at_round(all);
    for (int car; (car = hp_to_act(&all->race)) >= 0;) {
        hp_choice choice;
        hp_act acts[HP_ACTS_MAX];
        hp_choose_from(&all->race, car, &choice);
        hp_acts(&choice, acts);
        assert_int_equal(hp_apply(&all->race, car, acts[0], &listener), HP_OK);
        look_at_round(all);
    }
    assert_true(all->rounds > HP_SUMMARY_ROUNDS);
    assert_right(all);
    free(all);
}

static void the_longest_text_fits_exactly(void **state)
{
    (void)state;
    hp_setup setup = {.track.heat = HP_HEAT_MAX, .cars = HP_CARS_MAX};
    hp_summary *summary = calloc(1, sizeof *summary);
    char *text = malloc(HP_SUMMARY_TEXT);
    assert_true(summary != NULL && text != NULL);
    summary->rounds = UINT16_MAX;
    for (int i = 0; i < HP_CARS_MAX; i++)
        summary->car[i] = (hp_car_summary){
            .rounds = INT32_MAX,
            .heat_shifts = INT32_MAX,
            .heat_corners = INT32_MAX,
            .cooled = INT32_MAX,
            .spins = INT32_MAX,
            .boosts = INT32_MAX,
            .slipstreams = INT32_MAX,
            .blocked = INT32_MAX,
            .stress_played = INT32_MAX,
            .stress_taken = INT32_MAX,
            .flips = INT32_MAX,
            .cluttered = INT32_MAX,
            .top_speed = 22,
            .place = 6,
        };
    memset(summary->position, 6, sizeof summary->position);
    memset(summary->spent, -1, sizeof summary->spent);
    assert_int_equal(hp_summary_write(summary, &setup, text, HP_SUMMARY_TEXT), HP_SUMMARY_TEXT - 1);
    assert_string_equal(text + HP_SUMMARY_TEXT - 5, "}]}\n");
    for (size_t size = 0; size < 500; size++) { /* cut where it does not fit */
        char *cut = malloc(size + 1);
        assert_non_null(cut);
        cut[size] = '#';
        assert_int_equal(hp_summary_write(summary, &setup, cut, size), HP_SUMMARY_TEXT - 1);
        assert_int_equal(cut[size], '#');
        if (size > 0) {
            assert_int_equal(strlen(cut), size - 1);
            assert_memory_equal(cut, text, size - 1);
        }
        free(cut);
    }
    free(text);
    free(summary);
}

/* ---- The document ------------------------------------------------------------------------------ */

static void hear_summary(void *self, const hp_event *event)
{
    hp_summary_hear(self, event);
}

/* The part of the document between a line that begins it and one that ends it. */
static char *example(char *document, const char *begin, char **rest)
{
    char *from = strstr(document, begin);
    assert_non_null(from);
    from += strlen(begin);
    char *to = strstr(from, "\n```");
    assert_non_null(to);
    to[1] = '\0';
    *rest = to + 2;
    return from;
}

static void the_documents_example_is_that_of_its_race(void **state)
{
    (void)state;
    enum { DOCUMENT_MAX = 1 << 16 };
    char *document = malloc(DOCUMENT_MAX), *text = malloc(HP_SUMMARY_TEXT), *rest;
    FILE *file = fopen(SOURCE_DIR "/docs/RACE-FILES.md", "rb");
    assert_true(document != NULL && text != NULL && file != NULL);
    document[fread(document, 1, DOCUMENT_MAX - 1, file)] = '\0';
    fclose(file);
    hp_reader *reader = calloc(1, sizeof *reader);
    hp_summary *summary = calloc(1, sizeof *summary);
    assert_true(reader != NULL && summary != NULL);
    const hp_listener listener = {.hear = hear_summary, .self = summary};
    for (char *line = example(document, "\n```race\n", &rest); *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        hp_fault fault;
        assert_int_equal(hp_read_line(reader, line, length, &listener, &fault), HP_TEXT_OK);
        line += length + 1;
    }
    assert_true(reader->ended);
    hp_summary_write(summary, &reader->head.setup, text, HP_SUMMARY_TEXT);
    assert_string_equal(text, example(rest, "\n```json summary\n", &rest));
    free(summary);
    free(reader);
    free(text);
    free(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_those_of_the_event_log_on_all_circuits),
        cmocka_unit_test(a_race_that_goes_on_has_figures_too),
        cmocka_unit_test(a_very_long_race_is_counted_to_its_end),
        cmocka_unit_test(the_longest_text_fits_exactly),
        cmocka_unit_test(the_documents_example_is_that_of_its_race),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
