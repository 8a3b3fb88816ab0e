/* Proves the small parts of the server: limits by address, settings as text, and bots that think in threads. */
#define _POSIX_C_SOURCE 200809L
#include "tests/support.h"

#include "server/limits.h"
#include "server/pool.h"
#include "table/saved.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* ---- Limits ------------------------------------------------------------------------------------- */

static void a_reserve_is_spent_and_fills_again(void **state)
{
    (void)state;
    limits_bucket bucket = {0};
    for (int i = 0; i < 3; i++)
        assert_true(limits_take(&bucket, 2, 3, 1000));
    assert_false(limits_take(&bucket, 2, 3, 1000));
    assert_false(limits_take(&bucket, 2, 3, 1499)); /* two a second: one after half a second */
    assert_true(limits_take(&bucket, 2, 3, 1500));
    assert_false(limits_take(&bucket, 2, 3, 1500));
    for (int i = 0; i < 3; i++)
        assert_true(limits_take(&bucket, 2, 3, UINT64_MAX / 2)); /* never more than the reserve */
    assert_false(limits_take(&bucket, 2, 3, UINT64_MAX / 2));
}

static void a_clock_that_goes_back_gives_nothing(void **state)
{
    (void)state;
    limits_bucket bucket = {0};
    assert_true(limits_take(&bucket, 1, 1, 5000));
    assert_false(limits_take(&bucket, 1, 1, 4000));
}

static void each_address_has_its_own_reserve(void **state)
{
    (void)state;
    limits *l = limits_open(1, 2, 0);
    assert_true(limits_ask(l, "10.0.0.1", 0) && limits_ask(l, "10.0.0.1", 0));
    assert_false(limits_ask(l, "10.0.0.1", 0));
    assert_true(limits_ask(l, "10.0.0.2", 0));
    assert_true(limits_connect(l, "10.0.0.1", 0)); /* 0: any number */
    limits_close(l);
}

static void connections_are_counted_until_hung_up(void **state)
{
    (void)state;
    limits *l = limits_open(0, 0, 2);
    assert_true(limits_connect(l, "::1", 0) && limits_connect(l, "::1", 0));
    assert_false(limits_connect(l, "::1", 0));
    limits_hang_up(l, "::1");
    assert_true(limits_connect(l, "::1", 0));
    limits_hang_up(l, "unheard of");
    assert_false(limits_connect(l, "::1", 0));
    for (int i = 0; i < 1000; i++)
        assert_true(limits_ask(l, "::1", 0)); /* no rate, no end */
    limits_close(l);
}

/* Without it somebody could try codes until one fits. */
static void wrong_guesses_are_few(void **state)
{
    (void)state;
    limits *l = limits_open(1000, 1000, 0);
    uint64_t now = 1000000;
    for (int i = 0; i < LIMITS_GUESSES; i++)
        assert_true(limits_guess(l, "a", now));
    assert_false(limits_guess(l, "a", now));
    assert_true(limits_ask(l, "a", now)); /* another matter */
    assert_true(limits_guess(l, "b", now));
    now += 6000;
    assert_true(limits_guess(l, "a", now)); /* a tenth of them is back */
    assert_false(limits_guess(l, "a", now));
    for (int i = 0; i < 100; i++) { /* right ones count for nothing */
        assert_true(limits_guess(l, "c", now));
        limits_guessed(l, "c");
    }
    for (int i = 0; i < 100000; i++) /* those who look for the forgotten do not forget this */
        limits_ask(l, "d", now + 1000);
    assert_false(limits_guess(l, "a", now + 1000));
    now += 60000;
    for (int i = 0; i < LIMITS_GUESSES; i++)
        assert_true(limits_guess(l, "a", now));
    assert_false(limits_guess(l, "a", now));
    limits_close(l);
    l = limits_open(0, 1, 0);
    for (int i = 0; i < 1000; i++)
        assert_true(limits_guess(l, "a", now)); /* any number */
    limits_close(l);
}

static void addresses_of_a_network_are_one(void **state)
{
    (void)state;
    static const char *const known[][2] = {
        {"10.0.0.1", "10.0.0.1"},
        {"2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"},
        {"2001:DB8:1:2::9", "2001:db8:1:2::"},
        {"2001:db8:1:3::9", "2001:db8:1:3::"},
        {"fe80::1", "fe80::"},
        {"::ffff:10.0.0.1", "10.0.0.1"},
        {"::FFFF:a00:1", "10.0.0.1"},
        {"[2001:db8::1]", "[2001:db8::1]"},
        {"", ""},
        {"unknown", "unknown"},
        {"0123456789012345678901234567890123456789012345678",
         "012345678901234567890123456789012345678901234"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char address[LIMITS_ADDRESS];
        limits_address(known[i][0], address);
        assert_string_equal(address, known[i][1]);
    }
}

static void visits_are_counted_apart(void **state)
{
    (void)state;
    limits *l = limits_open(0, 1, 2);
    for (int i = 0; i < 2 * LIMITS_VISITS; i++) {
        assert_false(limits_crowded(l, "a"));
        assert_true(limits_visit(l, "a", 1));
    }
    assert_true(limits_crowded(l, "a"));
    assert_false(limits_crowded(l, "b"));
    assert_true(limits_connect(l, "a", 1));
    for (int i = 0; i < 100000; i++) /* those who look for the forgotten do not forget this */
        limits_connect(l, "b", 100000);
    assert_true(limits_crowded(l, "a"));
    limits_leave(l, "a");
    assert_false(limits_crowded(l, "a"));
    limits_close(l);
    l = limits_open(1, 1, 0);
    assert_false(limits_visit(l, "a", 1)); /* any number: they are not counted */
    assert_false(limits_crowded(l, "a"));
    limits_close(l);
}

/* Those who are gone make room: many more than can be remembered at a time come one after the other. */
static void strangers_are_forgotten(void **state)
{
    (void)state;
    limits *l = limits_open(10, 1, 1);
    int refused = 0;
    for (int i = 0; i < 300000; i++) {
        char address[LIMITS_ADDRESS];
        snprintf(address, sizeof address, "10.%d.%d.%d", i >> 16 & 255, i >> 8 & 255, i & 255);
        refused += !limits_ask(l, address, (uint64_t)i * 10);
    }
    assert_int_equal(refused, 0);
    assert_false(limits_ask(l, "10.4.147.223", 299999 * 10)); /* the last one has spent its reserve */
    limits_close(l);
}

/* ---- Settings ----------------------------------------------------------------------------------- */

static table_settings settings_of(int seats)
{
    table_settings s = {.laps = 2, .seats = (uint8_t)seats, .substitute = TABLE_ROOKIE, .clock = 86400};
    hp_circuit circuit;
    hp_circuit_at(seats % hp_circuits(), &circuit);
    memcpy(s.circuit, circuit.name, sizeof s.circuit);
    s.track = circuit.track;
    memset(s.secret, 0xa5, sizeof s.secret);
    for (int i = 0; i < seats; i++) {
        s.seat[i] =
            (table_seat){.kind = (uint8_t)(i % 3), .level = (uint8_t)(i % TABLE_LEVELS), .handicap = 1};
        s.seat[i].colour = i % 3 == TABLE_PERSON ? (uint8_t)i : TABLE_COLOURS;
        if (i % 3 == TABLE_PERSON) {
            snprintf(s.seat[i].name, sizeof s.seat[i].name, "Zoë \"%d\" x", i);
            memset(s.seat[i].key, i + 1, 32);
            memset(s.seat[i].salt, i, 32);
        }
    }
    return s;
}

static void settings_read_as_they_are_written(void **state)
{
    (void)state;
    for (int seats = 1; seats <= HP_CARS_MAX; seats++) {
        table_settings s = settings_of(seats), back;
        s.old_manners = seats == 2;
        char text[SAVED_TEXT];
        assert_true(saved_write(&s, text, sizeof text) < sizeof text);
        assert_true(saved_read(text, &back));
        assert_memory_equal(&s, &back, sizeof s);
    }
}

static void the_longest_settings_fit(void **state)
{
    (void)state;
    table_settings s = settings_of(HP_CARS_MAX);
    char text[SAVED_TEXT];
    for (int i = 0; i < HP_CARS_MAX; i++)
        memset(s.seat[i].name, 'x', HP_NAME_MAX);
    memset(s.circuit, 'x', HP_NAME_MAX);
    assert_true(saved_write(&s, text, sizeof text) < sizeof text);
}

/* Else the entries of a race that was begun before would not lead to the same table. */
static void old_settings_keep_old_manners(void **state)
{
    (void)state;
    table_settings s = settings_of(2), back;
    char text[SAVED_TEXT];
    saved_write(&s, text, sizeof text);
    assert_int_equal(text[7], '2');
    text[7] = '1';
    assert_true(saved_read(text, &back));
    assert_int_equal(back.old_manners, 1);
    text[7] = '0';
    assert_false(saved_read(text, &back));
    text[7] = '3';
    assert_false(saved_read(text, &back));
}

/* Whatever is cut off or changed is refused, or read as other settings; nothing is read beyond the text. */
static void spoiled_settings_are_refused(void **state)
{
    (void)state;
    const table_settings s = settings_of(4);
    char text[SAVED_TEXT], spoiled[SAVED_TEXT];
    const size_t length = saved_write(&s, text, sizeof text);
    table_settings back;
    for (size_t cut = 0; cut < length; cut++) {
        memcpy(spoiled, text, cut);
        spoiled[cut] = '\0';
        /* Whole lines of seats may be missing: then they are fewer. */
        assert_true(!saved_read(spoiled, &back) || back.seats < s.seats);
    }
    for (size_t i = 0; i < length; i++) {
        memcpy(spoiled, text, length + 1);
        spoiled[i] = '\n';
        assert_true(!saved_read(spoiled, &back) || memcmp(&back, &s, sizeof s) != 0 || text[i] == '\n');
    }
    assert_false(saved_read("", &back));
    assert_false(saved_read("tables 3\n", &back));
}

/* ---- The pool ----------------------------------------------------------------------------------- */

static atomic_int told;

static void count(void *self)
{
    (void)self;
    atomic_fetch_add(&told, 1);
}

static void a_moment(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static pool_job job_of(int seat)
{
    hp_setup setup = {.laps = 1, .cars = 2};
    hp_circuit circuit;
    hp_race race;
    hp_circuit_at(0, &circuit);
    setup.track = circuit.track;
    hp_start(&race, &setup, NULL);
    pool_job job = {.seat = seat, .at = (uint32_t)(100 + seat), .thinker = bot_open("driver", 0, 1)};
    hp_look(&race, 0, &job.view);
    return job;
}

static void every_decision_comes_back(void **state)
{
    (void)state;
    enum { JOBS = 200 };
    bool seen[JOBS] = {false};
    atomic_store(&told, 0);
    pool *p = pool_open(3, count, NULL);
    for (int i = 0; i < JOBS; i++) {
        const pool_job job = job_of(i);
        assert_true(pool_push(p, &job));
    }
    for (int back = 0; back < JOBS;) {
        pool_job job;
        if (!pool_pop(p, &job)) {
            a_moment();
            continue;
        }
        assert_false(seen[job.seat]);
        assert_int_equal(job.at, 100 + job.seat);
        assert_int_equal(hp_check(&job.view.choice, job.act), HP_OK);
        seen[job.seat] = true;
        bot_close(job.thinker);
        back++;
    }
    assert_int_equal(pool_waiting(p), 0);
    assert_int_equal(atomic_load(&told), JOBS);
    pool_close(p);
}

/* Whoever asks for much keeps nobody else waiting. */
static void lines_take_turns(void **state)
{
    (void)state;
    enum { MANY = 60, FEW = 3 };
    static pool_job jobs[MANY + FEW]; /* made first: then they are pushed before many are done */
    int before; /* done when the last was pushed: all of them, if that took long enough */
    do {
        for (int i = 0; i < MANY + FEW; i++) {
            jobs[i] = job_of(i);
            bot_close(jobs[i].thinker);
            jobs[i].thinker = bot_open("champion:5ms", 0, 1);
            jobs[i].line = i < MANY ? 7 : 8;
        }
        atomic_store(&told, 0);
        pool *p = pool_open(1, count, NULL);
        for (int i = 0; i < MANY + FEW; i++)
            assert_true(pool_push(p, &jobs[i]));
        before = atomic_load(&told);
        int last_of_few = 0, next_of_many = 0;
        for (int back = 0; back < MANY + FEW;) {
            pool_job job;
            if (!pool_pop(p, &job)) {
                a_moment();
                continue;
            }
            back++;
            if (job.seat >= MANY)
                last_of_few = back;
            else
                assert_int_equal(job.seat, next_of_many++); /* in a line they keep their order */
            bot_close(job.thinker);
        }
        assert_in_range(last_of_few, FEW, before + 2 * FEW + 2); /* one of the others each, and one in hand */
        pool_close(p);
    } while (before > MANY / 2);
}

static void closing_drops_what_waits(void **state)
{
    (void)state;
    pool *p = pool_open(1, count, NULL);
    for (int i = 0; i < 50; i++) {
        const pool_job job = job_of(i);
        assert_true(pool_push(p, &job));
    }
    pool_close(p); /* leaks are what the sanitizers look for */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reserve_is_spent_and_fills_again),
        cmocka_unit_test(a_clock_that_goes_back_gives_nothing),
        cmocka_unit_test(each_address_has_its_own_reserve),
        cmocka_unit_test(connections_are_counted_until_hung_up),
        cmocka_unit_test(wrong_guesses_are_few),
        cmocka_unit_test(addresses_of_a_network_are_one),
        cmocka_unit_test(visits_are_counted_apart),
        cmocka_unit_test(strangers_are_forgotten),
        cmocka_unit_test(settings_read_as_they_are_written),
        cmocka_unit_test(the_longest_settings_fit),
        cmocka_unit_test(old_settings_keep_old_manners),
        cmocka_unit_test(spoiled_settings_are_refused),
        cmocka_unit_test(every_decision_comes_back),
        cmocka_unit_test(lines_take_turns),
        cmocka_unit_test(closing_drops_what_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
