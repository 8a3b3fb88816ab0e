/* Proves the arena's statistics on small known cases, its seats, and that its file reads as it is written. */
#include "tests/support.h"

#include "cli/arena_file.h"

#include <math.h>

static void assert_near(double value, double expected, double within)
{
    if (!(fabs(value - expected) <= within)) {
        print_error("%f is not %f\n", value, expected);
        fail();
    }
}

/* Values of Wilson's interval as tables print them. */
static void wilson(void **state)
{
    (void)state;
    const arena_estimate half = arena_wilson(50, 100), none = arena_wilson(0, 10),
                         nothing = arena_wilson(0, 0);
    assert_near(half.value, 0.5, 0);
    assert_near(half.low, 0.4038, 1e-4);
    assert_near(half.high, 0.5962, 1e-4);
    assert_near(none.low, 0, 0);
    assert_near(none.high, 0.2775, 1e-4);
    assert_near(arena_wilson(10, 10).low, 1 - none.high, 1e-9);
    assert_near(nothing.low, 0, 0);
    assert_near(nothing.high, 1, 0);
}

static void means_by_groups(void **state)
{
    (void)state;
    const double sums[] = {2, 4, 6, 8}, ones[] = {1, 1, 1, 1}, twos[] = {2, 2, 2, 2};
    arena_estimate mean = arena_mean(sums, ones, 4); /* the deviation is sqrt(20 / 3), of the mean a half */
    assert_near(mean.value, 5, 1e-12);
    assert_near(mean.high - mean.value, 1.96 * sqrt(20.0 / 3) / 2, 1e-3);
    assert_near(mean.value - mean.low, mean.high - mean.value, 1e-12);
    mean = arena_mean(sums, twos, 4); /* each group is one observation still */
    assert_near(mean.value, 2.5, 1e-12);
    assert_near(mean.high - mean.value, 1.96 * sqrt(20.0 / 3) / 4, 1e-3);
    mean = arena_mean(sums, ones, 1);
    assert_near(mean.low, 2, 0);
    assert_near(mean.high, 2, 0);
    assert_near(arena_mean(sums, ones, 0).value, 0, 0);
}

static void elo_of_known_shares(void **state)
{
    (void)state;
    arena_estimate elo[ARENA_BOTS_MAX];
    uint64_t ahead[ARENA_BOTS_MAX][ARENA_BOTS_MAX] = {{0, 7500}, {2500, 0}};
    arena_elo(2, ahead, elo);
    assert_near(elo[0].value - elo[1].value, 190.85, 0.2); /* 400 log10 3 */
    assert_near(elo[0].value + elo[1].value, 3000, 1e-6);
    /* The difference has a deviation of 1 / sqrt(n p q) in logits, each bot half of it. */
    assert_near(elo[0].high - elo[0].value, 1.96 * 173.72 / sqrt(10000 * 0.1875) / 2, 0.05);

    /* 75 % and 75 % in a row make 90 %: strengths 9, 3, 1. */
    uint64_t three[ARENA_BOTS_MAX][ARENA_BOTS_MAX] = {{0, 7500, 9000}, {2500, 0, 7500}, {1000, 2500, 0}};
    arena_elo(3, three, elo);
    assert_near(elo[0].value - elo[1].value, 190.85, 0.3);
    assert_near(elo[1].value - elo[2].value, 190.85, 0.3);
    assert_near(elo[1].value, 1500, 0.1);
}

static void elo_of_the_unbeaten_is_finite_and_of_the_unmet_even(void **state)
{
    (void)state;
    arena_estimate elo[ARENA_BOTS_MAX];
    uint64_t ahead[ARENA_BOTS_MAX][ARENA_BOTS_MAX] = {{0, 1000000}};
    arena_elo(2, ahead, elo);
    assert_true(elo[0].value > 2500 && elo[0].value < 4000);
    assert_true(elo[0].high - elo[0].value > 100);
    ahead[0][1] = 0;
    arena_elo(ARENA_BOTS_MAX, ahead, elo);
    for (int i = 0; i < ARENA_BOTS_MAX; i++)
        assert_near(elo[i].value, 1500, 1e-6);
}

static void counting_races(void **state)
{
    (void)state;
    const arena_race races[] = {
        {.seed = 1,
         .deal = 0,
         .laps = 2,
         .cars = 4,
         .rounds = 20,
         .bot = {0, 1, 0, 1},
         .place = {1, 2, 3, 4},
         .spins = {1, 0, 2, 0},
         .heat = {5, 6, 7, 8}},
        {.seed = 1,
         .race = 1,
         .deal = 0,
         .laps = 2,
         .cars = 4,
         .rounds = 30,
         .bot = {1, 0, 1, 0},
         .place = {4, 3, 1, 2}},
        {.seed = 2,
         .deal = 0,
         .laps = 3,
         .cars = 4,
         .rounds = 25,
         .bot = {0, 1, 0, 1},
         .place = {1, 4, 2, 3}},
    };
    arena_table table;
    assert_true(arena_count(races, 3, 2, &table));
    assert_int_equal(table.races, 3);
    assert_int_equal(table.deals, 2);
    assert_int_equal(table.rounds, 75);
    assert_int_equal(table.fewest_rounds, 20);
    assert_int_equal(table.most_rounds, 30);
    assert_int_equal(table.bot[0].races, 3); /* races, not cars */
    assert_int_equal(table.bot[0].wins, 2);
    assert_int_equal(table.bot[1].wins, 1);
    assert_int_equal(table.bot[0].cars, 6);
    assert_int_equal(table.bot[0].laps, 14);
    assert_int_equal(table.bot[0].spins, 3);
    assert_int_equal(table.bot[0].heat, 12);
    assert_near(table.bot[0].place.value, (1 + 3 + 3 + 2 + 1 + 2) / 6.0, 1e-12);
    assert_int_equal(table.met, 12); /* two cars against two, three times */
    assert_int_equal(table.ahead[0][1], 3 + 2 + 4);
    assert_int_equal(table.ahead[1][0], 1 + 2 + 0);
    assert_int_equal(table.ahead[0][0], 0);
    assert_true(table.bot[0].elo.value > 1500);
    assert_true(arena_count(NULL, 0, 2, &table));
    assert_near(table.bot[0].elo.value, 1500, 1e-9);
}

static void no_interval_goes_beyond_the_places(void **state)
{
    (void)state;
    arena_race races[10];
    for (uint32_t i = 0; i < 10; i++) /* bot 0 wins all but one: 1.1, give or take 0.2 */
        races[i] = (arena_race){.race = i,
                                .deal = i,
                                .laps = 1,
                                .cars = 2,
                                .bot = {0, 1},
                                .place = {i > 0 ? 1 : 2, i > 0 ? 2 : 1}};
    arena_table table;
    assert_true(arena_count(races, 10, 3, &table));
    assert_near(table.bot[0].place.low, 1, 0);
    assert_near(table.bot[0].place.high, 1.296, 1e-3);
    assert_near(table.bot[1].place.low, 1.704, 1e-3);
    assert_near(table.bot[1].place.high, 2, 0);
    assert_near(table.bot[2].place.low, 0, 0); /* it did not race */
    assert_near(table.bot[2].place.high, 0, 0);
}

/* What happens within a deal goes together: a hundred deals of two races each, which one bot wins twice or not at
 * all, tell no more than a hundred races. */
static void elo_takes_the_races_of_a_deal_together(void **state)
{
    (void)state;
    enum { DEALS = 100, WON = 60 };
    static arena_race races[2 * DEALS];
    for (uint32_t i = 0; i < 2 * DEALS; i++) {
        const uint8_t first = (uint8_t)(i % 2), place = i / 2 < WON ? 1 : 2; /* of bot 0 */
        races[i] = (arena_race){.race = i, .deal = i / 2, .laps = 1, .cars = 2};
        races[i].bot[first] = 0, races[i].place[first] = place;
        races[i].bot[1 - first] = 1, races[i].place[1 - first] = (uint8_t)(3 - place);
    }
    arena_table table;
    assert_true(arena_count(races, 2 * DEALS, 2, &table));
    assert_near(table.bot[0].elo.value - table.bot[1].elo.value, 173.72 * log(1.5), 1);
    const double information = 200 * 0.6 * 0.4, squares = WON * 0.8 * 0.8 + (DEALS - WON) * 1.2 * 1.2;
    assert_near(table.bot[0].elo.high - table.bot[0].elo.value,
                1.96 * 173.72 / 2 * sqrt(squares * DEALS / (DEALS - 1)) / information, 0.3);
}

/* Over one deal every bot has every car once; with more bots than cars all of them meet in time. */
static void every_bot_has_every_seat(void **state)
{
    (void)state;
    for (int bots = 1; bots <= ARENA_BOTS_MAX; bots++)
        for (int cars = 1; cars <= HP_CARS_MAX; cars++) {
            const arena_head head = {.seed = 5, .bots = bots, .cars = cars};
            bool met[ARENA_BOTS_MAX][ARENA_BOTS_MAX] = {{false}};
            for (uint32_t deal = 0; deal < 200; deal++) {
                int had[HP_CARS_MAX][ARENA_BOTS_MAX] = {{0}};
                for (uint32_t r = 0; r < (uint32_t)bots; r++) {
                    uint8_t drivers[HP_CARS_MAX];
                    arena_seats(&head, deal * (uint32_t)bots + r, drivers);
                    for (int i = 0; i < cars; i++) {
                        had[i][drivers[i]]++;
                        for (int j = 0; j < i; j++)
                            met[drivers[i]][drivers[j]] = met[drivers[j]][drivers[i]] = true;
                    }
                }
                for (int i = 0; i < cars; i++)
                    for (int b = 0; b < bots; b++)
                        assert_int_equal(had[i][b], 1);
            }
            for (int a = 0; a < bots && cars > 1; a++)
                for (int b = 0; b < a; b++)
                    assert_true(met[a][b]);
        }
}

static void lines_read_as_they_are_written(void **state)
{
    (void)state;
    char line[ARENA_LINE], again[ARENA_LINE];
    hp_fault fault;
    arena_head head = {.seed = UINT64_MAX, .rules = HP_RULES_VERSION, .bots = ARENA_BOTS_MAX, .cars = 3},
               head_read;
    strcpy(head.circuit, "great-britain");
    strcpy(head.figures, "0123456789abcdef");
    for (int i = 0; i < head.bots; i++) {
        memset(head.bot[i], 'a' + i, ARENA_BOT_TEXT - 1);
        head.bot[i][ARENA_BOT_TEXT - 1] = '\0';
    }
    size_t length = arena_head_write(&head, line);
    assert_true(length < ARENA_LINE && line[length - 1] == '\n' && strlen(line) == length);
    assert_int_equal(arena_head_read(line, length - 1, &head_read, &fault), HP_TEXT_OK);
    assert_int_equal(arena_head_write(&head_read, again), length);
    assert_string_equal(line, again);
    for (size_t cut = 0; cut < length - 1; cut++)
        assert_int_not_equal(arena_head_read(line, cut, &head_read, &fault), HP_TEXT_OK);

    arena_race race = {.seed = UINT64_MAX,
                       .race = 999983,
                       .deal = 999983 / ARENA_BOTS_MAX,
                       .laps = 9,
                       .cars = 3,
                       .rounds = UINT16_MAX,
                       .slot = {3, 1, 2},
                       .place = {2, 3, 1},
                       .spins = {0, UINT16_MAX, 7},
                       .heat = {UINT16_MAX, 0, 12}},
               race_read;
    strcpy(race.circuit, "great-britain");
    arena_seats(&head, race.race, race.bot);
    length = arena_race_write(&race, line);
    assert_int_equal(arena_race_read(line, length - 1, &head, race.race, &race_read, &fault), HP_TEXT_OK);
    arena_race_write(&race_read, again);
    assert_string_equal(line, again);
    for (size_t cut = 0; cut < length - 1; cut++)
        assert_int_not_equal(arena_race_read(line, cut, &head, race.race, &race_read, &fault), HP_TEXT_OK);
    assert_int_equal(arena_race_read(line, length - 1, &head, 0, &race_read, &fault), HP_TEXT_NUMBER_RANGE);
    assert_int_equal(fault.column, 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wilson),
        cmocka_unit_test(means_by_groups),
        cmocka_unit_test(elo_of_known_shares),
        cmocka_unit_test(elo_of_the_unbeaten_is_finite_and_of_the_unmet_even),
        cmocka_unit_test(counting_races),
        cmocka_unit_test(no_interval_goes_beyond_the_places),
        cmocka_unit_test(elo_takes_the_races_of_a_deal_together),
        cmocka_unit_test(every_bot_has_every_seat),
        cmocka_unit_test(lines_read_as_they_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
