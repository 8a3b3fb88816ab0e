/* Proves that the event log says what docs/EVENTS.md promises: for each kind of event just the keys of its
 * row, one line each, and that the longest texts fit the buffers that the header names. */
#include "tests/support.h"

/* ---- Every kind -------------------------------------------------------------------------------- */

static const struct {
    hp_event event;
    const char *line;
} lines[] = {
    {{.kind = HP_EV_GRID, .car = 2, .slot = 3, .to = {-2, 0}},
     "{\"e\":\"grid\",\"car\":2,\"slot\":3,\"at\":-2,\"spot\":0}\n"},
    {{.kind = HP_EV_DRAW, .car = 1, .count = 7, .cards = {0, 1, 2, 3, 5, 6, 7}},
     "{\"e\":\"draw\",\"car\":1,\"cards\":[\"0\",\"1\",\"2\",\"3\",\"5\",\"H\",\"S\"]}\n"},
    {{.kind = HP_EV_DRAW, .car = 1, .count = 1, .cards = {HP_FOUR}},
     "{\"e\":\"draw\",\"car\":1,\"cards\":[\"4\"]}\n"},
    {{.kind = HP_EV_DRAW,
      .car = 1,
      .count = 2,
      .cards = {HP_NO_CARD, HP_NO_CARD}}, /* as another seat sees it */
     "{\"e\":\"draw\",\"car\":1,\"cards\":[\"?\",\"?\"]}\n"},
    {{.kind = HP_EV_RESHUFFLE, .car = 5, .number = 17}, "{\"e\":\"reshuffle\",\"car\":5,\"n\":17}\n"},
    {{.kind = HP_EV_ROUND, .number = 12, .count = 5, .cars = {4, 0, 3, 1, 2}, .adrenaline = 1 << 2 | 1 << 1},
     "{\"e\":\"round\",\"n\":12,\"order\":[4,0,3,1,2],\"adrenaline\":[1,2]}\n"},
    {{.kind = HP_EV_ROUND, .number = 1, .count = 1, .adrenaline = 1},
     "{\"e\":\"round\",\"n\":1,\"order\":[0],\"adrenaline\":[0]}\n"},
    {{.kind = HP_EV_SHIFT, .car = 0, .gear_from = 1, .gear_to = 3, .paid = 1},
     "{\"e\":\"shift\",\"car\":0,\"from\":1,\"to\":3,\"paid\":1}\n"},
    {{.kind = HP_EV_REVEAL, .car = 3, .count = 3, .cards = {HP_FOUR, HP_STRESS, HP_ZERO}},
     "{\"e\":\"reveal\",\"car\":3,\"cards\":[\"4\",\"S\",\"0\"]}\n"},
    {{.kind = HP_EV_CLUTTERED, .car = 4}, "{\"e\":\"cluttered\",\"car\":4}\n"},
    {{.kind = HP_EV_FLIP, .car = 1, .count = 1, .cards = {HP_HEAT}, .why = HP_BY_STRESS},
     "{\"e\":\"flip\",\"car\":1,\"card\":\"H\",\"kept\":false,\"why\":\"stress\"}\n"},
    {{.kind = HP_EV_FLIP, .car = 1, .count = 1, .cards = {HP_TWO}, .kept = 1, .why = HP_BY_BOOST},
     "{\"e\":\"flip\",\"car\":1,\"card\":\"2\",\"kept\":true,\"why\":\"boost\"}\n"},
    {{.kind = HP_EV_MOVE,
      .car = 2,
      .why = HP_BY_CARDS,
      .number = 9,
      .from = {-1, 1},
      .to = {8, 0},
      .speed = 9},
     "{\"e\":\"move\",\"car\":2,\"why\":\"cards\",\"spaces\":9,\"from\":{\"at\":-1,\"spot\":1},"
     "\"to\":{\"at\":8,\"spot\":0},\"speed\":9}\n"},
    {{.kind = HP_EV_MOVE,
      .car = 0,
      .why = HP_BY_BOOST,
      .number = 1,
      .from = {7, 0},
      .to = {7, 0},
      .speed = 10},
     "{\"e\":\"move\",\"car\":0,\"why\":\"boost\",\"spaces\":1,\"from\":{\"at\":7,\"spot\":0},"
     "\"to\":{\"at\":7,\"spot\":0},\"speed\":10}\n"},
    {{.kind = HP_EV_MOVE, .car = 0, .why = HP_BY_ADRENALINE, .number = 1, .to = {1, 1}, .speed = 1},
     "{\"e\":\"move\",\"car\":0,\"why\":\"adrenaline\",\"spaces\":1,\"from\":{\"at\":0,\"spot\":0},"
     "\"to\":{\"at\":1,\"spot\":1},\"speed\":1}\n"},
    {{.kind = HP_EV_MOVE, .car = 5, .why = HP_BY_SLIPSTREAM, .number = 2, .from = {99, 1}, .to = {101, 0}},
     "{\"e\":\"move\",\"car\":5,\"why\":\"slipstream\",\"spaces\":2,\"from\":{\"at\":99,\"spot\":1},"
     "\"to\":{\"at\":101,\"spot\":0},\"speed\":0}\n"},
    {{.kind = HP_EV_BOOST, .car = 1}, "{\"e\":\"boost\",\"car\":1}\n"},
    {{.kind = HP_EV_COOL, .car = 1, .number = 3, .why = HP_BY_GEAR},
     "{\"e\":\"cool\",\"car\":1,\"n\":3,\"why\":\"gear\"}\n"},
    {{.kind = HP_EV_COOL, .car = 1, .number = 1, .why = HP_BY_ADRENALINE},
     "{\"e\":\"cool\",\"car\":1,\"n\":1,\"why\":\"adrenaline\"}\n"},
    {{.kind = HP_EV_CORNER, .car = 1, .corner = 3, .speed = 9, .limit = 2, .paid = 7},
     "{\"e\":\"corner\",\"car\":1,\"corner\":3,\"speed\":9,\"limit\":2,\"paid\":7}\n"},
    {{.kind = HP_EV_SPIN, .car = 1, .corner = 3, .number = 2, .to = {56, 1}},
     "{\"e\":\"spin\",\"car\":1,\"corner\":3,\"stress\":2,\"to\":{\"at\":56,\"spot\":1}}\n"},
    {{.kind = HP_EV_DISCARD, .car = 0, .count = 6, .cards = {1, 1, 2, 3, 0, 5}},
     "{\"e\":\"discard\",\"car\":0,\"cards\":[\"1\",\"1\",\"2\",\"3\",\"0\",\"5\"]}\n"},
    {{.kind = HP_EV_REPLENISH, .car = 2}, "{\"e\":\"replenish\",\"car\":2}\n"},
    {{.kind = HP_EV_FINISH, .car = 2, .place = 1}, "{\"e\":\"finish\",\"car\":2,\"place\":1}\n"},
    {{.kind = HP_EV_RETIRE, .car = 3, .place = 6}, "{\"e\":\"retire\",\"car\":3,\"place\":6}\n"},
    {{.kind = HP_EV_END, .count = 3, .cars = {2, 0, 1}, .number = 31},
     "{\"e\":\"end\",\"places\":[2,0,1],\"rounds\":31}\n"},
};

enum { LINES = sizeof lines / sizeof lines[0] };

static void every_kind_has_its_line(void **state)
{
    (void)state;
    unsigned kinds = 0;
    for (int i = 0; i < LINES; i++) {
        char text[HP_EVENT_TEXT];
        assert_int_equal(hp_event_write(&lines[i].event, text, sizeof text), strlen(lines[i].line));
        assert_string_equal(text, lines[i].line);
        kinds |= 1u << lines[i].event.kind;
    }
    assert_int_equal(kinds, (1u << HP_EV_KINDS) - 1);
}

static hp_head usa_head(void)
{
    hp_circuit circuit;
    hp_head head;
    memset(&head, 0, sizeof head);
    assert_true(hp_circuit_named("usa", &circuit));
    snprintf(head.circuit, sizeof head.circuit, "usa");
    head.setup.track = circuit.track;
    head.setup.laps = 2;
    head.setup.cars = 3;
    head.setup.handicap[1] = 2;
    head.setup.seed[0] = 0xab;
    return head;
}

static const char usa_line[] =
    "{\"e\":\"race\",\"track\":\"usa\",\"spaces\":69,\"laps\":2,\"cars\":3,\"heat\":[6,4,6],\"stress\":3,"
    "\"reserve\":28,\"corners\":[{\"after\":11,\"limit\":7},{\"after\":32,\"limit\":3},{\"after\":48,"
    "\"limit\":3},{\"after\":56,\"limit\":2}],"
    "\"seed\":\"ab00000000000000000000000000000000000000000000000000000000000000\"}\n";

static void the_first_line_is_the_race(void **state)
{
    (void)state;
    const hp_head head = usa_head();
    char text[HP_EVENT_TEXT];
    assert_int_equal(hp_event_head_write(&head, text, sizeof text), strlen(usa_line));
    assert_string_equal(text, usa_line);
}

static void small_buffers_cut_the_line(void **state)
{
    (void)state;
    const hp_head head = usa_head();
    for (int i = -1; i < LINES; i++) {
        const char *line = i < 0 ? usa_line : lines[i].line;
        for (size_t size = 1; size <= strlen(line) + 1; size++) {
            char *text = malloc(size);
            assert_non_null(text);
            const size_t length =
                i < 0 ? hp_event_head_write(&head, text, size) : hp_event_write(&lines[i].event, text, size);
            assert_int_equal(length, strlen(line));
            assert_int_equal(strlen(text), size - 1);
            assert_memory_equal(text, line, size - 1);
            free(text);
        }
    }
    assert_int_equal(hp_event_write(&lines[0].event, NULL, 0), strlen(lines[0].line));
}

/* ---- The document ------------------------------------------------------------------------------ */

static char *document(void)
{
    enum { DOCUMENT_MAX = 1 << 16 };
    char *text = malloc(DOCUMENT_MAX);
    FILE *file = fopen(SOURCE_DIR "/docs/EVENTS.md", "rb");
    assert_true(text != NULL && file != NULL);
    text[fread(text, 1, DOCUMENT_MAX - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* The second column of the row about that event. */
static void keys_column(const char *doc, const char *event, char *column, size_t size)
{
    char start[40];
    snprintf(start, sizeof start, "\n| `%s` | ", event);
    const char *row = strstr(doc, start);
    if (row == NULL)
        fail_msg("docs/EVENTS.md has no row about %s", event);
    row += strlen(start);
    const char *end = strstr(row, " | ");
    assert_true(end != NULL && (size_t)(end - row) < size);
    memcpy(column, row, (size_t)(end - row));
    column[end - row] = '\0';
}

/* Every key of the line is in its row, by itself or within a "{...}", or among the conventions as "at" is. */
static void assert_keys_documented(const char *doc, const char *line, const char *column)
{
    for (const char *at = line; (at = strchr(at, '"')) != NULL;) {
        char key[40], code[44], quoted[44], convention[48];
        const size_t length = strcspn(at + 1, "\"");
        snprintf(key, sizeof key, "%.*s", (int)length, at + 1);
        at += length + 2;
        if (*at != ':' || strcmp(key, "e") == 0)
            continue;
        snprintf(code, sizeof code, "`%s`", key);
        snprintf(quoted, sizeof quoted, "\"%s\"", key);
        snprintf(convention, sizeof convention, "`%s`", quoted);
        if (strstr(column, code) == NULL && strstr(column, quoted) == NULL && strstr(doc, convention) == NULL)
            fail_msg("%s is not in the row of %s", key, line);
    }
}

/* Every key of the document, outside its remarks in brackets, is in the line. */
static void assert_keys_written(const char *line, const char *column)
{
    int depth = 0;
    for (const char *at = column; *at != '\0'; at++) {
        depth += (*at == '(') - (*at == ')');
        if (*at != '`')
            continue;
        char key[44];
        const size_t length = strcspn(at + 1, "`");
        snprintf(key, sizeof key, "\"%.*s\":", (int)length, at + 1);
        at += length + 1;
        if (depth == 0 && strstr(line, key) == NULL)
            fail_msg("%s is missing in %s", key, line);
    }
}

static void the_keys_are_those_of_the_document(void **state)
{
    (void)state;
    char *doc = document();
    for (int i = -1; i < LINES; i++) {
        const char *line = i < 0 ? usa_line : lines[i].line;
        char event[20], column[1000];
        snprintf(event, sizeof event, "%.*s", (int)strcspn(line + 6, "\""), line + 6);
        keys_column(doc, event, column, sizeof column);
        assert_keys_documented(doc, line, column);
        assert_keys_written(line, column);
    }
    free(doc);
}

/* ---- The longest ------------------------------------------------------------------------------- */

static hp_track longest_track(void)
{
    hp_track track = {.spaces = 128, .heat = 19, .stress = 6, .corners = HP_CORNERS_MAX};
    for (int i = 0; i < HP_CORNERS_MAX; i++)
        track.corner[i] = (hp_corner){(uint8_t)(114 + i), 20};
    assert_true(hp_track_valid(&track));
    return track;
}

static hp_head longest_head(void)
{
    hp_head head;
    memset(&head, 0, sizeof head);
    memset(head.circuit, 'c', HP_NAME_MAX);
    head.setup.track = longest_track();
    head.setup.laps = HP_LAPS_MAX;
    head.setup.cars = HP_CARS_MAX;
    for (int i = 0; i < HP_CARS_MAX; i++) {
        memset(head.seat[i], 's', HP_NAME_MAX);
        head.setup.handicap[i] = HP_HANDICAP_MAX;
    }
    return head;
}

/* Every member at its utmost, although no race would have them all. */
static void the_longest_events_fit(void **state)
{
    (void)state;
    for (int kind = 0; kind < HP_EV_KINDS; kind++) {
        hp_event event;
        memset(&event, 0xff, sizeof event);
        event.kind = (uint8_t)kind;
        event.count = kind == HP_EV_ROUND || kind == HP_EV_END ? HP_CARS_MAX : HP_HAND;
        event.why = HP_BY_SLIPSTREAM;
        event.kept = 0;
        event.from = event.to = (hp_place){INT16_MIN, INT16_MIN};
        memset(event.cars, 5, sizeof event.cars);
        char text[HP_EVENT_TEXT];
        assert_in_range(hp_event_write(&event, text, sizeof text), 1, HP_EVENT_TEXT - 1);
    }
}

static void the_longest_heads_fit(void **state)
{
    (void)state;
    hp_head head = longest_head();
    char text[HP_HEAD_TEXT], line[HP_EVENT_TEXT];
    const size_t length = hp_head_write(&head, text, sizeof text);
    assert_in_range(length, 1, 640); /* as the header says */
    head.mixed = true;
    memset(head.secret, 0xff, sizeof head.secret);
    memset(head.salt, 0xff, sizeof head.salt);
    assert_int_equal(hp_head_write(&head, text, sizeof text), length + 504);
    assert_in_range(hp_event_head_write(&head, line, sizeof line), 1, HP_EVENT_TEXT - 1);
    for (const char *at = text; *at != '\0'; at += strcspn(at, "\n") + 1)
        assert_in_range(strcspn(at, "\n"), 1, HP_LINE_MAX);
}

/* Each car with all the stress that there is and a two-figure engine, in the longest kind of turn. */
static void the_longest_position_fits(void **state)
{
    (void)state;
    hp_race race;
    memset(&race, 0, sizeof race);
    race.track = longest_track();
    race.laps = HP_LAPS_MAX;
    race.cars = HP_CARS_MAX;
    race.round = UINT16_MAX;
    race.in_order = HP_CARS_MAX;
    race.step = HP_STEP_REACT;
    race.turn = (hp_turn){.lap = 8,
                          .space = 127,
                          .speed = 24,
                          .cool = 3,
                          .adrenaline_cool = 1,
                          .adrenaline_move = 1,
                          .boost = 1,
                          .last = HP_STRESS};
    race.chance.drawn = 999999999;
    for (int i = 0; i < HP_CARS_MAX; i++) {
        hp_car *car = &race.car[i];
        race.order[i] = (uint8_t)i;
        *car = (hp_car){.lap = 9, .space = 24, .spot = 1, .gear = 4, .engine = 10, .top = HP_STRESS};
        car->discard = pile_from("011122233344453HHHHHHHHHHSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSS");
    }
    char name[HP_NAME_MAX + 1] = "", text[HP_POSITION_TEXT];
    memset(name, 'n', HP_NAME_MAX);
    const size_t length = hp_position_write(&race, name, text, sizeof text);
    assert_in_range(length, 700, HP_POSITION_TEXT - 1);
    const char *step = strstr(text, " react:0:1151:24:S:cbam "); /* where the head ends */
    assert_non_null(step);
    assert_in_range(step - text, 1, 350);
    assert_int_equal(strlen(strstr(text, " @")), 76); /* and a blank, as the header allows for 80 */
}

static void the_longest_act_fits_exactly(void **state)
{
    (void)state;
    size_t longest = 0;
    for (int kind = 0; kind < HP_ACT_KINDS; kind++) {
        char text[HP_ACT_TEXT];
        const hp_act act = {.kind = (uint8_t)kind, .number = HP_ACT_CARDS};
        const size_t length = hp_act_write(act, text, sizeof text);
        longest = length > longest ? length : longest;
    }
    assert_int_equal(longest, HP_ACT_TEXT - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_its_line),    cmocka_unit_test(the_first_line_is_the_race),
        cmocka_unit_test(small_buffers_cut_the_line), cmocka_unit_test(the_keys_are_those_of_the_document),
        cmocka_unit_test(the_longest_events_fit),     cmocka_unit_test(the_longest_heads_fit),
        cmocka_unit_test(the_longest_position_fits),  cmocka_unit_test(the_longest_act_fits_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
