/* Proves that every fault and every refusal has a sentence in every language, and that counting is right. */
#include "tests/support.h"

#include "cli/words.h"

static const char *const languages[] = {"en", "da", "nl", "de", "fr", "el"};
enum { LANGUAGES = sizeof languages / sizeof languages[0] };

/* Told apart from each other, and from English in the other languages. */
static void every_fault_has_a_sentence_of_its_own(void **state)
{
    (void)state;
    static char english[HP_TEXT_FAULTS][SENTENCE_MAX];
    for (int l = 0; l < LANGUAGES; l++) {
        assert_true(words_choose(languages[l]));
        for (int kind = HP_TEXT_OK; kind < HP_TEXT_FAULTS; kind++) {
            const hp_fault fault = {
                .kind = (hp_text_fault)kind, .number = 471, .low = 472, .high = 473, .word = "xyzzy"};
            char sentence[SENTENCE_MAX];
            assert_ptr_equal(words_of_fault(&fault, sentence), sentence);
            assert_true(words_width(sentence) > 5);
            if (l == 0)
                strcpy(english[kind], sentence);
            else
                assert_string_not_equal(sentence, english[kind]);
            for (int other = 0; l == 0 && other < kind; other++)
                assert_string_not_equal(sentence, english[other]);
            /* What the English one names, every other names too. */
            static const char *const facts[] = {"xyzzy", "471", "472", "473"};
            for (int f = 0; f < 4; f++)
                assert_int_equal(strstr(sentence, facts[f]) != NULL, strstr(english[kind], facts[f]) != NULL);
        }
    }
}

static void every_refusal_has_a_sentence(void **state)
{
    (void)state;
    for (int l = 0; l < LANGUAGES; l++) {
        assert_true(words_choose(languages[l]));
        for (int error = HP_OK; error < HP_ERRORS; error++) {
            assert_true(words_width(words_of_error((hp_error)error)) > 5);
            const hp_fault fault = {.kind = HP_TEXT_ILLEGAL_ACT, .number = 3, .refused = (hp_error)error};
            char sentence[SENTENCE_MAX];
            words_of_fault(&fault, sentence);
            assert_non_null(strstr(sentence, words_of_error((hp_error)error)));
            assert_non_null(strstr(sentence, hp_rule_of((hp_error)error)));
            assert_null(strstr(sentence, "()"));
        }
    }
}

/* A part of a position is named in the reader's language, a key of a file as it stands in the file. */
static void concepts_are_translated_and_keys_are_not(void **state)
{
    (void)state;
    char sentence[SENTENCE_MAX];
    assert_true(words_choose("de"));
    assert_non_null(strstr(words_of_fault(&(hp_fault){.kind = HP_TEXT_IMPOSSIBLE, .word = "order"}, sentence),
                           "Reihenfolge"));
    assert_non_null(
        strstr(words_of_fault(&(hp_fault){.kind = HP_TEXT_MISSING_KEY, .word = "name"}, sentence), "name"));
}

static void one_and_many(void **state)
{
    (void)state;
    /* Whether the form for many is used, for 0, 1 and 2: French counts none as one. */
    static const struct {
        const char *language;
        bool many[3];
    } counts[] = {
        {"en", {true, false, true}}, {"da", {true, false, true}},  {"nl", {true, false, true}},
        {"de", {true, false, true}}, {"fr", {false, false, true}}, {"el", {true, false, true}},
    };
    for (size_t i = 0; i < LANGUAGES; i++) {
        assert_true(words_choose(counts[i].language));
        const char *many = n_("%d legal act:\n", "%d legal acts:\n", 100);
        for (unsigned long n = 0; n < 3; n++)
            assert_int_equal(strcmp(n_("%d legal act:\n", "%d legal acts:\n", n), many) == 0,
                             counts[i].many[n]);
    }
}

static void unknown_languages_are_english(void **state)
{
    (void)state;
    assert_true(words_choose("da"));
    assert_false(words_choose("tlh"));
    assert_string_equal(_("the race is over"), "the race is over");
    assert_true(words_choose("el_GR.UTF-8"));
    assert_string_not_equal(_("the race is over"), "the race is over");
    assert_string_equal(_("no text of ours"), "no text of ours");
    assert_int_equal(words_width("σπινάρω"), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fault_has_a_sentence_of_its_own),
        cmocka_unit_test(every_refusal_has_a_sentence),
        cmocka_unit_test(concepts_are_translated_and_keys_are_not),
        cmocka_unit_test(one_and_many),
        cmocka_unit_test(unknown_languages_are_english),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
