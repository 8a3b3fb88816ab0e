/* Shares of many durations. */
#include "tests/support.h"

#include "cli/durations.h"

static void none_is_nothing(void **state)
{
    (void)state;
    durations d = {0};
    assert_int_equal(durations_within(&d, 0.99), 0);
}

static void short_ones_are_exact(void **state)
{
    (void)state;
    durations d = {0};
    for (uint64_t i = 1; i <= 20; i++)
        durations_add(&d, i);
    assert_int_equal(durations_within(&d, 0.5), 10);
    assert_int_equal(durations_within(&d, 0.05), 1);
    assert_int_equal(durations_within(&d, 1), 20);
}

/* Whatever the size, what is read off is no less than the truth and at most a sixteenth above. */
static void any_is_told_within_a_sixteenth(void **state)
{
    (void)state;
    for (uint64_t at = 1; at < UINT64_C(1) << 40; at += at / 7 + 1) {
        durations d = {0};
        durations_add(&d, at);
        durations_add(&d, UINT64_C(1) << 41);
        const uint64_t told = durations_within(&d, 0.5);
        assert_true(told >= at && told <= at + at / 16);
    }
}

static void the_longest_of_all_fits(void **state)
{
    (void)state;
    durations d = {0};
    durations_add(&d, UINT64_MAX);
    assert_true(durations_within(&d, 0.5) == UINT64_MAX || durations_within(&d, 0.5) > UINT64_C(1) << 46);
    assert_int_equal(d.longest, UINT64_MAX);
}

static void two_join_to_one(void **state)
{
    (void)state;
    durations a = {0}, b = {0}, both = {0};
    for (uint64_t i = 0; i < 100; i++) {
        durations_add(i % 3 ? &a : &b, i * i);
        durations_add(&both, i * i);
    }
    durations_join(&a, &b);
    assert_memory_equal(&a, &both, sizeof a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_is_nothing),
        cmocka_unit_test(short_ones_are_exact),
        cmocka_unit_test(any_is_told_within_a_sixteenth),
        cmocka_unit_test(the_longest_of_all_fits),
        cmocka_unit_test(two_join_to_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
