/* Proves that acts and their text are the same thing: every act that can be chosen is written and read back
 * without loss, and every fault in a text is told apart with its column and leaves the act alone. */
#include "bots/bots.h"
#include "tests/support.h"

/* ---- Every kind -------------------------------------------------------------------------------- */

static const struct {
    hp_act act;
    const char *text;
} examples[] = {
    {{.kind = HP_PLAN, .number = 3, .cards = {HP_ONE, HP_FOUR, HP_FOUR}}, "plan 3 1 4 4"},
    {{.kind = HP_PLAN, .number = 1, .cards = {HP_ZERO}}, "plan 1 0"},
    {{.kind = HP_PLAN, .number = 4, .cards = {HP_STRESS, HP_FIVE, HP_HEAT, HP_HEAT}}, "plan 4 S 5 H H"},
    {{.kind = HP_RETIRE}, "retire"},
    {{.kind = HP_UNPLAN}, "unplan"},
    {{.kind = HP_COOL, .number = 2}, "cool 2"},
    {{.kind = HP_ADRENALINE_COOL}, "adrenaline cool"},
    {{.kind = HP_ADRENALINE_MOVE}, "adrenaline move"},
    {{.kind = HP_BOOST}, "boost"},
    {{.kind = HP_DONE}, "done"},
    {{.kind = HP_SLIP}, "slip"},
    {{.kind = HP_STAY}, "stay"},
    {{.kind = HP_DISCARD, .number = 2, .cards = {HP_ONE, HP_FIVE}}, "discard 1 5"},
    {{.kind = HP_DISCARD, .number = 6, .cards = {0, 1, 2, 3, 4, 5}}, "discard 0 1 2 3 4 5"},
    {{.kind = HP_KEEP}, "keep"},
    /* Values that the rules refuse have a text, too: a screen must be able to say what it refused. */
    {{.kind = HP_PLAN}, "plan 0"},
    {{.kind = HP_PLAN, .number = 6, .cards = {7, 7, 7, 7, 7, 7}}, "plan 6 S S S S S S"},
    {{.kind = HP_COOL}, "cool 0"},
    {{.kind = HP_COOL, .number = 6}, "cool 6"},
};

enum { EXAMPLES = sizeof examples / sizeof examples[0] };

static void assert_lossless(hp_act act)
{
    char text[HP_ACT_TEXT];
    hp_act read;
    hp_fault fault;
    memset(&read, 0x5a, sizeof read);
    const size_t length = hp_act_write(act, text, sizeof text);
    assert_int_equal(length, strlen(text));
    assert_true(length < sizeof text);
    assert_int_equal(hp_act_read(text, length, &read, &fault), HP_TEXT_OK);
    assert_memory_equal(&read, &act, sizeof act);
}

static void every_kind_has_its_text(void **state)
{
    (void)state;
    unsigned kinds = 0;
    for (int i = 0; i < EXAMPLES; i++) {
        char text[HP_ACT_TEXT];
        hp_act_write(examples[i].act, text, sizeof text);
        assert_string_equal(text, examples[i].text);
        assert_lossless(examples[i].act);
        kinds |= 1u << examples[i].act.kind;
    }
    assert_int_equal(kinds, (1u << HP_ACT_KINDS) - 1);
}

static void cards_have_letters(void **state)
{
    (void)state;
    char letters[HP_KINDS + 2] = "";
    for (int i = 0; i <= HP_KINDS; i++)
        letters[i] = hp_card_letter((hp_card)i);
    assert_string_equal(letters, "012345HS?");
}

static void what_is_no_act_is_written_as_one_that_cannot_be_read(void **state)
{
    (void)state;
    static const hp_act none[] = {
        {.kind = HP_ACT_KINDS},
        {.kind = 0xff, .number = 0xff},
        {.kind = HP_PLAN, .number = HP_ACT_CARDS + 1},
        {.kind = HP_DISCARD, .number = 0xff},
        {.kind = HP_DISCARD},
        {.kind = HP_PLAN, .number = 1, .cards = {HP_KINDS}},
        {.kind = HP_DISCARD, .number = 1, .cards = {0xff}},
    };
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        char text[HP_ACT_TEXT];
        hp_act read;
        hp_fault fault;
        const size_t length = hp_act_write(none[i], text, sizeof text);
        assert_true(length < sizeof text);
        assert_int_not_equal(hp_act_read(text, length, &read, &fault), HP_TEXT_OK);
    }
}

/* ---- All acts of random races ------------------------------------------------------------------ */

static void every_act_that_can_be_chosen_is_lossless(void **state)
{
    (void)state;
    unsigned kinds = 0;
    for (int race_number = 0; race_number < 40; race_number++) {
        hp_circuit circuit;
        hp_race race;
        bot_dice dice = {(uint64_t)race_number};
        hp_circuit_at(race_number % hp_circuits(), &circuit);
        hp_setup setup = {
            .track = circuit.track, .laps = 1, .cars = (uint8_t)(1 + race_number % HP_CARS_MAX)};
        hp_seed_of(3, (uint64_t)race_number, setup.seed);
        assert_int_equal(hp_start(&race, &setup, NULL), HP_OK);
        while (race.step != HP_STEP_OVER) {
            for (int car = 0; car < race.cars; car++) {
                hp_choice choice;
                hp_act acts[HP_ACTS_MAX];
                hp_choose_from(&race, car, &choice);
                for (int i = hp_acts(&choice, acts) - 1; i >= 0; i--) {
                    assert_lossless(acts[i]);
                    kinds |= 1u << acts[i].kind;
                }
            }
            hp_choice choice;
            hp_choose_from(&race, hp_to_act(&race), &choice);
            assert_int_equal(hp_apply(&race, hp_to_act(&race), bot_any(&choice, &dice), NULL), HP_OK);
        }
    }
    assert_int_equal(kinds, (1u << HP_ACT_KINDS) - 1);
}

/* ---- Reading ----------------------------------------------------------------------------------- */

static void blanks_are_free(void **state)
{
    (void)state;
    static const struct {
        const char *free, *plain;
    } cases[] = {
        {"  plan\t3   1 4\t4  ", "plan 3 1 4 4"},
        {"adrenaline \t move", "adrenaline move"},
        {"\tdone ", "done"},
        {"discard  1\t5", "discard 1 5"},
        {"cool 002", "cool 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const hp_act spread = act_of(cases[i].free), plain = act_of(cases[i].plain);
        assert_memory_equal(&spread, &plain, sizeof plain);
    }
}

#define WORD(kind, column, word)                                                                             \
    {                                                                                                        \
        HP_TEXT_##kind, 0, column, 0, 0, 0, HP_OK, word                                                      \
    }
#define NUMBER(kind, column, number, low, high, word)                                                        \
    {                                                                                                        \
        HP_TEXT_##kind, 0, column, number, low, high, HP_OK, word                                            \
    }

static const struct {
    const char *text;
    hp_fault fault;
} faults[] = {
    {"", WORD(EXPECTED, 1, "act")},
    {"  \t", WORD(EXPECTED, 4, "act")},
    {"fly", WORD(UNKNOWN_ACT, 1, "fly")},
    {" Plan 1 1", WORD(UNKNOWN_ACT, 2, "Plan")},
    {"plans 1 1", WORD(UNKNOWN_ACT, 1, "plans")},
    {"pla", WORD(UNKNOWN_ACT, 1, "pla")},
    {"a-word-that-is-longer-than-any-name-may-be", WORD(UNKNOWN_ACT, 1, "a-word-that-is-longer-than-any-")},
    {"na\xc3\xafve", WORD(UNKNOWN_ACT, 1, "na\xc3\xafve")},
    {"adrenaline", WORD(EXPECTED, 11, "move/cool")},
    {"adrenaline boost", WORD(UNKNOWN_ACT, 12, "boost")},
    {"adrenaline cool 1", WORD(EXTRA, 17, "1")},
    {"plan", WORD(EXPECTED, 5, "gear")},
    {"plan x", WORD(BAD_NUMBER, 6, "x")},
    {"plan 2x 1 1", WORD(BAD_NUMBER, 6, "2x")},
    {"plan -", WORD(BAD_NUMBER, 6, "-")},
    {"plan +1 1", WORD(BAD_NUMBER, 6, "+1")},
    {"plan 7 1 1 1 1 1 1 1", NUMBER(NUMBER_RANGE, 6, 7, 0, 6, "gear")},
    {"plan -1", NUMBER(NUMBER_RANGE, 6, -1, 0, 6, "gear")},
    {"plan 99999999999999999999", NUMBER(NUMBER_RANGE, 6, 1000000000, 0, 6, "gear")},
    {"plan 3 1 4", WORD(EXPECTED, 11, "card")},
    {"plan 3 1 4 ", WORD(EXPECTED, 12, "card")},
    {"plan 2 1 6", WORD(BAD_CARD, 10, "6")},
    {"plan 2 1 h", WORD(BAD_CARD, 10, "h")},
    {"plan 2 14", WORD(BAD_CARD, 8, "14")},
    {"plan 2 1 ?", WORD(BAD_CARD, 10, "?")},
    {"plan 2 1 1 1", WORD(EXTRA, 12, "1")},
    {"cool", WORD(EXPECTED, 5, "number")},
    {"cool two", WORD(BAD_NUMBER, 6, "two")},
    {"cool 7", NUMBER(NUMBER_RANGE, 6, 7, 0, 6, "number")},
    {"cool 1 1", WORD(EXTRA, 8, "1")},
    {"discard", WORD(EXPECTED, 8, "card")},
    {"discard 1 x", WORD(BAD_CARD, 11, "x")},
    {"discard 0 1 2 3 4 5 1", NUMBER(TOO_MANY, 21, 0, 0, 6, "cards")},
    {"retire now", WORD(EXTRA, 8, "now")},
    {"unplan 1", WORD(EXTRA, 8, "1")},
    {"boost 2", WORD(EXTRA, 7, "2")},
    {"done done", WORD(EXTRA, 6, "done")},
    {"slip 2", WORD(EXTRA, 6, "2")},
    {"stay 0", WORD(EXTRA, 6, "0")},
    {"keep 1", WORD(EXTRA, 6, "1")},
    {"do\x01ne", WORD(NOT_TEXT, 3, "")},
    {"done\n", WORD(NOT_TEXT, 5, "")},
    {"done\r", WORD(NOT_TEXT, 5, "")},
    {"done \x7f", WORD(NOT_TEXT, 6, "")},
    {"done \xff", WORD(NOT_TEXT, 6, "")},
    {"done \xc0\x80", WORD(NOT_TEXT, 6, "")},
    {"done \xed\xa0\x80", WORD(NOT_TEXT, 6, "")},
    {"done \xc2\x85", WORD(NOT_TEXT, 6, "")},
    {"done \xe2\x82", WORD(NOT_TEXT, 6, "")},
};

/* In a block of just its size, for the sanitizer to catch a read beyond its end. */
static hp_fault fault_in(const char *text, size_t length)
{
    hp_act act, before;
    hp_fault fault;
    memset(&act, 0x5a, sizeof act);
    memcpy(&before, &act, sizeof act);
    memset(&fault, 0x5a, sizeof fault);
    char *copy = malloc(length > 0 ? length : 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    const hp_text_fault kind = hp_act_read(copy, length, &act, &fault);
    free(copy);
    assert_int_equal(kind, fault.kind);
    assert_memory_equal(&act, &before, sizeof act);
    return fault;
}

static void every_fault_is_told_apart(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        const hp_fault found = fault_in(faults[i].text, strlen(faults[i].text)), *wanted = &faults[i].fault;
        if (found.kind != wanted->kind || found.line != 0 || found.column != wanted->column ||
            found.number != wanted->number || found.low != wanted->low || found.high != wanted->high ||
            found.refused != HP_OK || strcmp(found.word, wanted->word) != 0)
            fail_msg("\"%s\": fault %d at column %d, %d of %d..%d, '%s'", faults[i].text, (int)found.kind,
                     found.column, (int)found.number, (int)found.low, (int)found.high, found.word);
    }
    const hp_fault nul = fault_in("done\0", 5);
    assert_int_equal(nul.kind, HP_TEXT_NOT_TEXT);
    assert_int_equal(nul.column, 5);
}

/* ---- Small buffers ----------------------------------------------------------------------------- */

static void small_buffers_cut_the_text(void **state)
{
    (void)state;
    for (int i = 0; i < EXAMPLES; i++) {
        const size_t length = strlen(examples[i].text);
        for (size_t size = 0; size <= length + 1; size++) {
            char *buffer = malloc(size > 0 ? size : 1);
            assert_non_null(buffer);
            assert_int_equal(hp_act_write(examples[i].act, size > 0 ? buffer : NULL, size), length);
            if (size > 0) {
                assert_int_equal(strlen(buffer), size <= length ? size - 1 : length);
                assert_memory_equal(buffer, examples[i].text, size - 1);
            }
            free(buffer);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_its_text),
        cmocka_unit_test(cards_have_letters),
        cmocka_unit_test(what_is_no_act_is_written_as_one_that_cannot_be_read),
        cmocka_unit_test(every_act_that_can_be_chosen_is_lossless),
        cmocka_unit_test(blanks_are_free),
        cmocka_unit_test(every_fault_is_told_apart),
        cmocka_unit_test(small_buffers_cut_the_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
