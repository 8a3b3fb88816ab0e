/* Proves what a table does with each line: who may say it and when, and what it changes; and that a line that
 * is refused changes nothing. The clock is in test_table_clock.c, whole races in test_table_races.c. */
#include "tests/table_talk.h"

/* ---- Opening ------------------------------------------------------------------------------------ */

static void a_table_waits_for_those_who_are_missing(void **state)
{
    (void)state;
    const table t = table_for("por");
    assert_int_equal(t.phase, TABLE_GATHERING);
    assert_int_equal(t.awaited, 0);
    assert_int_equal(t.entries, 0);
    assert_true(t.opened == NOON && t.moved == NOON);
    assert_int_equal(table_deadline(&t), 0);
    assert_int_equal(table_late(&t, UINT64_MAX), -1);
}

static void the_keeper_starts_where_no_seat_is_open(void **state)
{
    (void)state;
    const table_settings settings = settings_for("prp");
    heard_events *events = calloc(1, sizeof *events);
    const hp_listener listener = listener_of(events);
    table t = open_with(&settings);
    assert_int_equal(t.phase, TABLE_GATHERING);
    refuse(&t, 1, "start", TABLE_NOT_SEATED);
    refuse(&t, HP_SPECTATOR, "start", TABLE_NOT_SEATED);
    assert_int_equal(table_play(&t, TABLE_KEEPER, "start", 5, NOON + 1, &listener, NULL), TABLE_FINE);
    assert_null(wrong_with(&t));
    assert_int_equal(t.phase, TABLE_RACING);
    assert_int_equal(t.awaited, 7);
    assert_int_equal(table_bots_due(&t), 2);
    assert_int_equal(t.settings.seat[1].colour, TABLE_ORANGE); /* red and yellow are taken */
    assert_int_equal(heard_count(events, HP_EV_GRID), 3);
    assert_int_equal(heard_count(events, HP_EV_ROUND), 1);
    for (int i = 0; i < 3; i++)
        assert_true(t.since[i] == NOON + 1 && t.asked[i] == 1);
    refuse(&t, TABLE_KEEPER, "start", TABLE_NOT_NOW);
    free(events);
}

static void settings_must_be_such_as_a_table_can_have(void **state)
{
    (void)state;
    const table_settings good = settings_for("pokdrr");
    enum { BAD = 22 };
    table_settings bad[BAD];
    table t;
    for (int i = 0; i < BAD; i++)
        bad[i] = good;
    bad[0].seats = 0;
    bad[1].seats = HP_CARS_MAX + 1;
    bad[2].laps = 0;
    bad[3].laps = HP_LAPS_MAX + 1;
    bad[4].track.spaces = HP_SPACES_MIN - 1;
    bad[5].substitute = TABLE_LEVELS;
    bad[6].clock = TABLE_CLOCK_MAX + 1;
    bad[7].seat[0].kind = TABLE_BOT + 1;
    bad[8].seat[3].level = TABLE_LEVELS;
    bad[9].seat[1].handicap = HP_HANDICAP_MAX + 1;
    bad[10].seat[0].name[0] = '\0';
    bad[11].seat[0].name[0] = '\n';
    memset(bad[12].seat[0].name, 'x', sizeof bad[12].seat[0].name);
    bad[13].seat[0].colour = TABLE_COLOURS;
    bad[14].seat[2].colour = bad[14].seat[0].colour; /* the one kept has it already */
    bad[15].seat[1].colour = TABLE_WHITE;            /* nobody is there to have one */
    bad[16].seat[3].colour = TABLE_WHITE;            /* bots take what is left */
    bad[17].seat[2].name[0] = ' ';
    memset(bad[18].seat[3].name, 'x', sizeof bad[18].seat[3].name);
    bad[19].seat[3].key[31] = 1;
    memset(bad[20].circuit, 'x', sizeof bad[20].circuit);
    strcpy(bad[21].circuit, "\"");
    assert_true(table_open(&t, &good, NOON));
    for (int i = 0; i < BAD; i++)
        if (table_open(&t, &bad[i], NOON))
            fail_msg("settings %d were taken", i);
}

static void the_commitment_is_to_the_secret(void **state)
{
    (void)state;
    const table t = table_for("po");
    uint8_t expected[32], found[32];
    hp_sha256(t.settings.secret, 32, expected);
    table_commitment(&t, found);
    assert_memory_equal(found, expected, 32);
}

/* What lies between the members of the caller's value is not the table's business. */
static void equal_settings_make_equal_tables(void **state)
{
    (void)state;
    const table_settings one = settings_for("prp");
    table_settings other;
    table a, b;
    memset(&other, 0xa5, sizeof other);
    memcpy(other.circuit, one.circuit, sizeof one.circuit);
    memcpy(other.secret, one.secret, sizeof one.secret);
    memcpy(other.seat, one.seat, sizeof one.seat);
    other.track = one.track;
    other.laps = one.laps;
    other.seats = one.seats;
    other.substitute = one.substitute;
    other.old_manners = one.old_manners;
    other.clock = one.clock;
    memset(&a, 0, sizeof a);
    memset(&b, 0xff, sizeof b);
    assert_true(table_open(&a, &one, NOON) && table_open(&b, &other, NOON));
    assert_memory_equal(&a, &b, sizeof a);
}

/* ---- Taking seats ------------------------------------------------------------------------------- */

static void a_seat_is_taken(void **state)
{
    (void)state;
    table_settings settings = settings_for("poo");
    settings.seat[1].handicap = 2;
    table t = open_with(&settings);
    say_at(&t, NOON + 5, 1, "%s", take_line("blue", SALT, 1, "Bo Deux"));
    const table_seat *seat = &t.settings.seat[1];
    uint8_t key[32];
    hp_sha256(token_of(1), 32, key);
    assert_int_equal(seat->kind, TABLE_PERSON);
    assert_int_equal(seat->colour, TABLE_BLUE);
    assert_int_equal(seat->level, TABLE_DRIVER);
    assert_int_equal(seat->handicap, 2);
    assert_string_equal(seat->name, "Bo Deux");
    assert_memory_equal(seat->key, key, 32);
    assert_int_equal(seat->salt[31], 0xff);
    assert_true(all_zero(seat->salt, 31));
    assert_int_equal(t.phase, TABLE_GATHERING);
    assert_int_equal(t.entries, 1);
    assert_true(t.moved == NOON + 5);
}

static void a_seat_is_not_taken_just_so(void **state)
{
    (void)state;
    table t = table_for("pookr");
    const struct {
        int seat;
        const char *line;
        table_error error;
    } tries[] = {
        {0, "take green - " SALT " Eve", TABLE_SEAT_TAKEN},
        {4, "take green - " SALT " Eve", TABLE_SEAT_TAKEN}, /* by a bot */
        {3, "take green - " SALT " Eve", TABLE_SEAT_KEPT},
        {5, "take green - " SALT " Eve", TABLE_NOT_SEATED},
        {TABLE_KEEPER, "take green - " SALT " Eve", TABLE_NOT_SEATED},
        {HP_SPECTATOR, "take green - " SALT " Eve", TABLE_NOT_SEATED},
        {1, "take", TABLE_BAD_COLOUR},
        {1, "take pink - " SALT " Eve", TABLE_BAD_COLOUR},
        {1, "take Blue - " SALT " Eve", TABLE_BAD_COLOUR},
        {1, "take blueish - " SALT " Eve", TABLE_BAD_COLOUR},
        {1, "take red - " SALT " Eve", TABLE_COLOUR_TAKEN},   /* Ada's */
        {1, "take green - " SALT " Eve", TABLE_COLOUR_TAKEN}, /* kept for Di */
        {1, "take blue", TABLE_BAD_SALT},
        {1, "take blue -- " SALT " Eve", TABLE_BAD_SALT},
        {1, "take blue 00ff " SALT " Eve", TABLE_BAD_SALT},
        {1, "take blue " SALT "0 " SALT " Eve", TABLE_BAD_SALT},
        {1, "take blue A000000000000000000000000000000000000000000000000000000000000000 " SALT " Eve",
         TABLE_BAD_SALT},
        {1, "take blue g000000000000000000000000000000000000000000000000000000000000000 " SALT " Eve",
         TABLE_BAD_SALT},
        {1, "take blue -", TABLE_NOT_A_LINE},
        {1, "take blue - Eve", TABLE_NOT_A_LINE}, /* without a key */
        {1, "take blue - 0000000000000000000000000000000000000000000000000000000000000000 Eve",
         TABLE_NOT_A_LINE}, /* with that of nobody */
        {1, "take blue - " SALT, TABLE_BAD_NAME},
        {1, "take blue - " SALT " ", TABLE_BAD_NAME},
        {1, "take blue - " SALT "  Eve", TABLE_BAD_NAME},
        {1, "take blue - " SALT " Eve ", TABLE_BAD_NAME},
        {1, "take blue - " SALT " Eve\t", TABLE_BAD_NAME},
        {1, "take blue - " SALT " 12345678901234567890123456789012", TABLE_BAD_NAME},
        {1, "take blue - " SALT " E\xe2\x80\xaeve", TABLE_BAD_NAME},
    };
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++)
        refuse(&t, tries[i].seat, tries[i].line, tries[i].error);
    say(&t, 1, "%s", take_line("blue", "-", 1, "Bo"));
    refuse(&t, 1, take_line("white", "-", 1, "Bo"), TABLE_SEAT_TAKEN); /* comes twice */
    refuse(&t, 2, take_line("blue", "-", 2, "Cy"), TABLE_COLOUR_TAKEN);
    say(&t, 0, "start");
    refuse(&t, 2, take_line("white", "-", 2, "Cy"), TABLE_NOT_NOW);
    race_on(&t);
    refuse(&t, 2, take_line("white", "-", 2, "Cy"), TABLE_NOT_NOW);
}

/* From a block of just its size. */
static bool name_valid(const char *name)
{
    const size_t length = strlen(name);
    char *copy = malloc(length > 0 ? length : 1);
    assert_non_null(copy);
    memcpy(copy, name, length);
    const bool valid = table_name_valid(copy, length);
    free(copy);
    return valid;
}

static void names_are_for_people(void **state)
{
    (void)state;
    static const char *const good[] = {
        "A",
        "Ada Lovelace",
        "1234567890123456789012345678901",
        "\"\\</script>'", /* whoever shows it takes care */
        "J\xc3\xbcrgen",
        "\xe9\x88\xb4\xe6\x9c\xa8",
        "\xf0\x9f\x8f\x8e",
        "\xd8\xb9\xd9\x84\xd9\x8a", /* Arabic is not turned, it is Arabic */
        "a  b",
        "-",
    };
    static const char *const bad[] = {
        "",
        " ",
        " a",
        "a ",
        "a\tb",
        "a\nb",
        "a\rb",
        "a\x1b[31m",
        "a\x7f",
        "\xc2\x85",                         /* a control character in two bytes */
        "\xc2\xa0x",                        /* a blank that does not break */
        "a\xe3\x80\x80",                    /* an ideographic one */
        "a\xc2\xadx",                       /* a soft hyphen */
        "a\xe2\x80\x8bx",                   /* of no width */
        "a\xe2\x80\x8e",                    /* left to right */
        "a\xe2\x80\xaex",                   /* override */
        "a\xe2\x81\xa7x",                   /* isolate */
        "a\xd8\x9cx",                       /* Arabic letter mark */
        "a\xe2\x80\xa8x",                   /* line separator */
        "\xef\xbb\xbfx",                    /* byte order mark */
        "a\xf3\xa0\x81\xa1",                /* a tag */
        "12345678901234567890123456789012", /* too long */
        "123456789012345678901234567890\xc3\xbc",
        "\xc3",         /* cut off */
        "\xe9\x88",     /* likewise */
        "a\x80",        /* out of place */
        "\xc0\xaf",     /* overlong */
        "\xe0\x80\xaf", /* likewise */
        "\xed\xa0\x80", /* a surrogate */
        "\xf4\x90\x80\x80",
        "\xff",
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        table t = table_for("poo");
        assert_true(name_valid(good[i]));
        say(&t, 1, "%s", take_line("blue", "-", 1, good[i]));
        assert_string_equal(t.settings.seat[1].name, good[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        table t = table_for("poo");
        hp_error rule;
        if (name_valid(bad[i]))
            fail_msg("bad name %d is taken", (int)i);
        const char *line = take_line("blue", "-", 1, bad[i]);
        const table_error error = said(&t, 1, NOON, line, strlen(line), &rule);
        /* a line has no such bytes at all */
        assert_true(error == TABLE_BAD_NAME || error == TABLE_NOT_A_LINE);
    }
    assert_false(table_name_valid("a\0b", 3));
}

static void a_kept_seat_is_for_whom_it_is_kept(void **state)
{
    (void)state;
    table t = table_for("pko");
    refuse(&t, 1, take_line("white", "-", 2, "Cy"), TABLE_SEAT_KEPT);
    refuse(&t, 2, take_line("orange", "-", 2, "Cy"), TABLE_COLOUR_TAKEN); /* its colour is kept, too */
    table own = t;
    say(&own, 1, "%s", take_line("orange", "-", 1, "Bo"));
    assert_int_equal(own.settings.seat[1].kind, TABLE_PERSON);
    say(&t, 1, "%s", take_line("white", "-", 1, "Bo II")); /* name and colour may change */
    assert_int_equal(t.settings.seat[1].colour, TABLE_WHITE);
    say(&t, 2, "%s", take_line("orange", "-", 2, "Cy")); /* and this one is free then */
    assert_int_equal(t.phase, TABLE_RACING);
}

static void the_race_starts_when_the_last_seat_is_taken(void **state)
{
    (void)state;
    table t = table_for("pokr"), before;
    heard_events *events = calloc(1, sizeof *events);
    const hp_listener listener = listener_of(events);
    say_at(&t, NOON + 5, 2, "%s", take_line("white", "-", 2, "Cy"));
    assert_int_equal(t.phase, TABLE_GATHERING);
    before = t;
    const char *line = take_line("blue", "-", 1, "Bo");
    assert_int_equal(table_play(&t, 1, line, strlen(line), NOON + 9, &listener, NULL), TABLE_FINE);
    assert_null(wrong_with(&t));
    assert_int_equal(t.phase, TABLE_RACING);
    assert_int_equal(t.awaited, 15);
    assert_int_equal(t.race.cars, 4);
    assert_int_equal(t.settings.seat[3].colour, TABLE_ORANGE);
    assert_int_equal(heard_count(events, HP_EV_GRID), 4);
    for (int i = 0; i < 4; i++)
        assert_true(t.since[i] == NOON + 9 && t.asked[i] == 2);
    /* Somebody else's salt makes another race. */
    line = take_line("blue", SALT, 1, "Bo");
    assert_int_equal(table_play(&before, 1, line, strlen(line), NOON + 9, NULL, NULL), TABLE_FINE);
    assert_int_not_equal(hp_hash(&t.race), hp_hash(&before.race));
    free(events);
}

static void start_fills_the_seats_that_are_open(void **state)
{
    (void)state;
    table_settings settings = settings_for("pokcro");
    settings.substitute = TABLE_ROOKIE;
    settings.seat[1].handicap = 1;
    table t = open_with(&settings);
    say_at(&t, NOON + 7, 0, "start");
    assert_int_equal(t.phase, TABLE_RACING);
    assert_int_equal(t.awaited, 0x3f);
    assert_int_equal(table_bots_due(&t), 0x3e);
    static const uint8_t levels[] = {TABLE_DRIVER,   TABLE_ROOKIE, TABLE_ROOKIE,
                                     TABLE_CHAMPION, TABLE_ROOKIE, TABLE_ROOKIE};
    static const uint8_t colours[] = {TABLE_RED,   TABLE_ORANGE, TABLE_YELLOW,
                                      TABLE_GREEN, TABLE_BLUE,   TABLE_PURPLE};
    for (int i = 0; i < 6; i++) {
        assert_int_equal(t.settings.seat[i].kind, i == 0 ? TABLE_PERSON : TABLE_BOT);
        assert_int_equal(t.settings.seat[i].level, levels[i]);
        assert_int_equal(t.settings.seat[i].colour, colours[i]); /* what was kept, too */
    }
    assert_int_equal(t.race.car[0].engine, t.settings.track.heat);
    assert_int_equal(t.race.car[1].engine, t.settings.track.heat - 1);
}

static void only_a_person_at_the_table_starts_it(void **state)
{
    (void)state;
    table t = table_for("pokr");
    for (int seat = 1; seat <= 4; seat++)
        refuse(&t, seat, "start", TABLE_NOT_SEATED);
    refuse(&t, TABLE_KEEPER, "start", TABLE_NOT_SEATED);
    refuse(&t, HP_SPECTATOR, "start", TABLE_NOT_SEATED);
    refuse(&t, 0, "start now", TABLE_NOT_A_LINE);
    say(&t, 0, "start");
    refuse(&t, 0, "start", TABLE_NOT_NOW);
    race_on(&t);
    refuse(&t, 0, "start", TABLE_NOT_NOW);
}

static void who_leaves_before_the_race_was_never_there(void **state)
{
    (void)state;
    table_settings settings = settings_for("poo");
    settings.seat[1].handicap = 1;
    table t = open_with(&settings);
    const table before = t;
    say(&t, 1, "%s", take_line("blue", SALT, 1, "Bo"));
    say(&t, 1, "leave");
    assert_memory_equal(&t.settings, &before.settings, sizeof t.settings);
    refuse(&t, 1, "leave", TABLE_NOT_SEATED);
    say(&t, 2, "%s", take_line("blue", "-", 2, "Cy"));
    say(&t, 0, "leave");
    say(&t, 0, "%s", take_line("red", "-", 3, "Di"));
}

static void who_hands_over_before_the_race_is_a_bot(void **state)
{
    (void)state;
    table t = table_for("poo");
    refuse(&t, 0, "bot", TABLE_NOT_A_LINE);
    refuse(&t, 0, "bot rookie rookie", TABLE_NOT_A_LINE);
    refuse(&t, 0, "bot random", TABLE_NO_LEVEL);
    refuse(&t, 1, "bot rookie", TABLE_NOT_SEATED);
    say(&t, 1, "%s", take_line("blue", SALT, 1, "Bo"));
    say(&t, 1, "bot champion");
    assert_int_equal(t.settings.seat[1].kind, TABLE_BOT);
    assert_int_equal(t.settings.seat[1].level, TABLE_CHAMPION);
    assert_true(all_zero(t.settings.seat[1].salt, 32) && all_zero(t.settings.seat[1].key, 32));
    refuse(&t, 1, "leave", TABLE_NOT_SEATED);
    refuse(&t, 1, take_line("blue", "-", 1, "Bo"), TABLE_SEAT_TAKEN);
    say(&t, 0, "bot rookie");
    assert_int_equal(t.phase, TABLE_GATHERING); /* one is missing still */
    say(&t, 2, "%s", take_line("blue", "-", 2, "Cy"));
    assert_int_equal(t.phase, TABLE_RACING);
    assert_int_equal(table_bots_due(&t), 3);
}

static void who_leaves_a_race_may_come_back(void **state)
{
    (void)state;
    table t = table_for("pp");
    refuse(&t, 1, "back", TABLE_BOT_DOES_NOT);
    say(&t, 1, "leave");
    assert_int_equal(t.away, 2);
    assert_int_equal(table_bots_due(&t), 2);
    assert_int_equal(t.settings.seat[1].kind, TABLE_PERSON);
    assert_string_equal(t.settings.seat[1].name, "Bo");
    assert_int_equal(table_seat_of(&t, token_of(1), 32), 1);
    refuse(&t, 1, "back again", TABLE_NOT_A_LINE);
    say(&t, 1, "back");
    assert_int_equal(t.away, 0);
    assert_int_equal(table_bots_due(&t), 0);
    act(&t, 1);
}

static void who_hands_over_in_a_race_chooses_the_bot(void **state)
{
    (void)state;
    table t = table_for("pp");
    refuse(&t, 0, "bot nobody", TABLE_NO_LEVEL);
    say(&t, 0, "bot champion");
    assert_int_equal(t.away, 1);
    assert_int_equal(t.settings.seat[0].kind, TABLE_PERSON);
    assert_int_equal(t.settings.seat[0].level, TABLE_CHAMPION);
    say(&t, 0, "bot rookie"); /* and may choose another */
    assert_int_equal(t.settings.seat[0].level, TABLE_ROOKIE);
    say(&t, 0, "back");
    assert_int_equal(t.settings.seat[0].level, t.settings.substitute);
}

static void lines_of_a_race_are_for_the_race(void **state)
{
    (void)state;
    table before = table_for("po"), after = table_for("pr");
    race_on(&after);
    static const char *const of_a_race[] = {"act 0 done", "agree 1", "back"};
    for (int i = 0; i < 3; i++) {
        refuse(&before, 0, of_a_race[i], TABLE_NOT_NOW);
        refuse(&after, 0, of_a_race[i], TABLE_NOT_NOW);
    }
    refuse(&before, 0, "drive 0 done", TABLE_NOT_NOW);
    refuse(&after, 1, "drive 0 done", TABLE_NOT_NOW);
    refuse(&before, TABLE_KEEPER, "resume", TABLE_NOT_NOW);
    refuse(&after, TABLE_KEEPER, "resume", TABLE_NOT_NOW);
    refuse(&before, TABLE_KEEPER, "late 0", TABLE_NOT_AWAITED);
    refuse(&after, TABLE_KEEPER, "late 0", TABLE_NOT_AWAITED);
    refuse(&after, 0, "leave", TABLE_NOT_NOW);
    refuse(&after, 0, "bot rookie", TABLE_NOT_NOW);
    assert_int_equal(table_deadline(&after), 0);
}

/* ---- Acts --------------------------------------------------------------------------------------- */

static void acts_are_for_persons_who_have_the_wheel(void **state)
{
    (void)state;
    table t = table_for("ppr");
    refuse(&t, 2, act_line(&t, 2, 0), TABLE_NOT_SEATED);
    refuse(&t, 3, act_line(&t, 0, 0), TABLE_NOT_SEATED);
    refuse(&t, TABLE_KEEPER, act_line(&t, 0, 0), TABLE_NOT_SEATED);
    refuse(&t, HP_SPECTATOR, act_line(&t, 0, 0), TABLE_NOT_SEATED);
    act(&t, 0);
    say(&t, 1, "leave");
    refuse(&t, 1, act_line(&t, 1, 0), TABLE_BOT_DRIVES);
    say(&t, 1, "back");
    act(&t, 1);
}

static void bots_drive_where_they_have_the_wheel(void **state)
{
    (void)state;
    table t = table_for("ppr");
    refuse(&t, 0, "drive 0 plan 1 1", TABLE_BOT_DOES_NOT);
    refuse(&t, 3, "drive 0 plan 1 1", TABLE_NOT_SEATED);
    refuse(&t, TABLE_KEEPER, "drive 0 plan 1 1", TABLE_NOT_SEATED);
    drive(&t, 2);
    say(&t, 0, "leave");
    drive(&t, 0);
    say(&t, 0, "back");
    refuse(&t, 0, "drive 4 unplan", TABLE_BOT_DOES_NOT);
}

static void an_act_is_a_number_and_an_act(void **state)
{
    (void)state;
    table t = table_for("pp");
    static const char *const bad[] = {"act",          "act 0",          "act plan 1 1", "act -1 plan 1 1",
                                      "act 0 plan",   "act 0 plan 1",   "act 0 fly",    "act x plan 1 1",
                                      "act 0 done 1", "act 0 plan 1 9", "act 0 cool 7", "act 0 discard",
                                      "act 0x0 done"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuse(&t, 0, bad[i], TABLE_NOT_A_LINE);
    refuse_by_rule(&t, 0, "act 1 done", HP_WRONG_STEP);
    refuse_by_rule(&t, 0, "act 1 plan 4 1 1 1 1", HP_SHIFT_TOO_FAR);
    refuse_by_rule(&t, 0, "act 1 unplan", HP_NOTHING_PLANNED);
    refuse_by_rule(&t, 0, "act 1 retire", HP_TOO_EARLY_TO_RETIRE);
}

static void a_plan_sent_twice_is_old(void **state)
{
    (void)state;
    table t = table_for("ppp");
    char line[TABLE_LINE + 1];
    strcpy(line, act_line(&t, 0, 0));
    say(&t, 0, "%s", line);
    refuse(&t, 0, line, TABLE_OLD);
}

static void an_act_for_the_decision_before_is_old(void **state)
{
    (void)state;
    table t = table_for("pp");
    const int now = plan_all(&t);
    assert_int_equal(t.race.step, HP_STEP_REACT);
    char line[TABLE_LINE + 1];
    snprintf(line, sizeof line, "act %u done", t.entries - 1); /* before it was asked to react */
    refuse(&t, now, line, TABLE_OLD);
    snprintf(line, sizeof line, "act %u boost", t.entries);
    say(&t, now, "%s", line);
    refuse(&t, now, line, TABLE_OLD); /* though it might have a boost for ever */
    say(&t, now, "act %u done", t.entries);
}

/* Whatever others do meanwhile, an act for the decision that still stands is in time. */
static void what_others_do_makes_nothing_old(void **state)
{
    (void)state;
    table t = table_for("pppr");
    char line[TABLE_LINE + 1];
    strcpy(line, act_line(&t, 0, 3));
    act(&t, 1);
    drive(&t, 3);
    say(&t, 0, "phrase 10");
    say(&t, 1, "phrase 9");
    say_at(&t, t.moved + TABLE_GRACE * SECOND, 2, "agree 0");
    say(&t, 1, "act %u unplan", t.entries);
    say(&t, TABLE_KEEPER, "resume");
    say(&t, 2, "leave");
    say(&t, 0, "%s", line);
}

static void an_act_for_the_next_round_is_not_one_for_this(void **state)
{
    (void)state;
    table t = table_for("pp");
    uint32_t began[2] = {0, 0};
    for (unsigned round = 1; round < 4; round++) {
        while (t.race.round == round)
            act(&t, hp_to_act(&t.race));
        for (int i = 0; i < 2; i++) {
            char line[TABLE_LINE + 1];
            snprintf(line, sizeof line, "act %u plan 1 1", t.entries - 1);
            refuse(&t, i, line, TABLE_OLD);
            assert_true(t.asked[i] == t.entries && t.asked[i] > began[i]);
            began[i] = t.asked[i];
        }
    }
}

static void an_act_for_what_is_to_come_is_ahead(void **state)
{
    (void)state;
    table t = table_for("pp");
    refuse(&t, 0, "act 2 plan 1 1", TABLE_AHEAD);
    refuse(&t, 0, "act 999999999999999999999 plan 1 1", TABLE_AHEAD);
    say(&t, 0, "phrase 1");
    refuse(&t, 0, "act 3 plan 1 1", TABLE_AHEAD);
    act(&t, 0);
}

static void another_seats_turn_is_not_ones_own(void **state)
{
    (void)state;
    table t = table_for("pp");
    const int now = plan_all(&t), other = !now;
    char line[TABLE_LINE + 1];
    snprintf(line, sizeof line, "act %u done", t.entries);
    refuse_by_rule(&t, other, line, HP_NOT_YOUR_TURN);
    snprintf(line, sizeof line, "act %u unplan", t.entries); /* too late */
    refuse_by_rule(&t, other, line, HP_NOT_YOUR_TURN);
}

static void a_plan_may_be_replaced_and_taken_back(void **state)
{
    (void)state;
    table t = table_for("pp");
    act(&t, 0);
    assert_int_equal(t.awaited, 2);
    const hp_car first = t.race.car[0];
    say(&t, 0, "%s", act_line(&t, 0, 2));
    assert_memory_not_equal(&first, &t.race.car[0], sizeof first);
    assert_int_equal(t.awaited, 2);
    say(&t, 0, "act %u unplan", t.entries);
    assert_int_equal(t.awaited, 3);
    assert_int_equal(t.race.car[0].planned, 0);
    act(&t, 1);
    assert_int_equal(t.race.step, HP_STEP_PLAN);
    act(&t, 0);
    assert_int_not_equal(t.race.step, HP_STEP_PLAN);
}

/* What a bot thought out for a decision that its person has taken over meanwhile, and handed back. */
static void a_bots_act_can_be_old_too(void **state)
{
    (void)state;
    table t = table_for("pp");
    say(&t, 0, "leave");
    char line[TABLE_LINE + 8];
    snprintf(line, sizeof line, "drive %s", act_line(&t, 0, 0) + 4);
    say(&t, 0, "back");
    refuse(&t, 0, line, TABLE_BOT_DOES_NOT);
    say(&t, 0, "leave");
    refuse(&t, 0, line, TABLE_OLD);
    drive(&t, 0);
    refuse(&t, 0, line, TABLE_OLD);
}

/* ---- Phrases ------------------------------------------------------------------------------------ */

static void a_phrase_changes_nothing_else(void **state)
{
    (void)state;
    table t = table_for("por");
    for (int phase = 0; phase < 3; phase++) {
        table before = t;
        for (int i = 1; i <= TABLE_PHRASES; i++)
            say_at(&t, NOON, 0, "phrase %d", i);
        before.entries += TABLE_PHRASES;
        assert_memory_equal(&t, &before, sizeof t);
        if (phase == 0) {
            say(&t, 0, "start");
            say(&t, 0, "leave"); /* who leaves the wheel may still talk */
        } else if (phase == 1) {
            race_on(&t);
        }
    }
}

static void only_known_phrases_by_people(void **state)
{
    (void)state;
    table t = table_for("por");
    static const char *const unknown[] = {"phrase",    "phrase 0", "phrase 13",
                                          "phrase -1", "phrase x", "phrase hello"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        refuse(&t, 0, unknown[i], TABLE_NO_PHRASE);
    refuse(&t, 0, "phrase 1 2", TABLE_NOT_A_LINE);
    refuse(&t, 1, "phrase 1", TABLE_NOT_SEATED);
    refuse(&t, 2, "phrase 1", TABLE_NOT_SEATED);
    refuse(&t, TABLE_KEEPER, "phrase 1", TABLE_NOT_SEATED);
    refuse(&t, HP_SPECTATOR, "phrase 1", TABLE_NOT_SEATED);
}

/* ---- The rematch -------------------------------------------------------------------------------- */

static void a_rematch_comes_after_the_race(void **state)
{
    (void)state;
    table t = table_for("pr");
    refuse(&t, TABLE_KEEPER, "rematch " ELSEWHERE, TABLE_NOT_NOW);
    race_on(&t);
    refuse(&t, 0, "rematch " ELSEWHERE, TABLE_NOT_A_LINE);
    refuse(&t, TABLE_KEEPER, "rematch", TABLE_NOT_A_LINE);
    refuse(&t, TABLE_KEEPER, "rematch " ELSEWHERE "B", TABLE_NOT_A_LINE);
    refuse(&t, TABLE_KEEPER, "rematch BBBBBBBBBBBBBBBBBBBBB", TABLE_NOT_A_LINE);
    refuse(&t, TABLE_KEEPER, "rematch " ELSEWHERE " B", TABLE_NOT_A_LINE);
    say(&t, TABLE_KEEPER, "rematch " ELSEWHERE);
    assert_string_equal(t.rematch, ELSEWHERE);
    say(&t, TABLE_KEEPER, "rematch CCCCCCCCCCCCCCCCCCCCCC"); /* the other was closed */
    assert_string_equal(t.rematch, "CCCCCCCCCCCCCCCCCCCCCC");
    table gathering = table_for("po");
    refuse(&gathering, TABLE_KEEPER, "rematch " ELSEWHERE, TABLE_NOT_NOW);
}

/* ---- Lines in general --------------------------------------------------------------------------- */

static void a_line_is_not_too_long(void **state)
{
    (void)state;
    table t = table_for("po");
    char line[TABLE_LINE + 2];
    hp_error rule;
    memset(line, ' ', sizeof line);
    memcpy(line, "phrase 1", 8);
    assert_int_equal(said(&t, 0, NOON, line, TABLE_LINE + 1, &rule), TABLE_TOO_LONG);
    assert_int_equal(said(&t, 0, NOON, line, TABLE_LINE, &rule), TABLE_FINE);
    /* the longest that there is */
    strcpy(line, take_line("orange", SALT, 1, "1234567890123456789012345678901"));
    assert_true(strlen(line) <= TABLE_LINE);
    say(&t, 1, "%s", line);
}

static void rubbish_is_no_line(void **state)
{
    (void)state;
    table t = table_for("pp");
    static const char *const bad[] = {"",     " ",          "hello",          "Phrase 1",         "phrase1",
                                      "\xff", "phrase 1\n", "act\x01 0 done", "take\xe2\x80\xa8", "ping",
                                      "seat", "watch 0"};
    hp_error rule;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (int seat = -2; seat <= HP_CARS_MAX; seat++)
            refuse(&t, seat, bad[i], TABLE_NOT_A_LINE);
    assert_int_equal(said(&t, 0, NOON, "phrase 1\0", 9, &rule), TABLE_NOT_A_LINE);
    assert_int_equal(said(&t, 0, NOON, "\0", 1, &rule), TABLE_NOT_A_LINE);
}

/* Any line that there is, for this table; few of them are for this moment. */
static size_t any_line(const table *t, bot_dice *dice, char line[TABLE_LINE + 1])
{
    static const char *const words[] = {"phrase 3",
                                        "agree 0",
                                        "agree 1",
                                        "back",
                                        "leave",
                                        "start",
                                        "bot rookie",
                                        "late 0",
                                        "late 1",
                                        "resume",
                                        "act",
                                        "drive 0 done",
                                        ("rematch " ELSEWHERE)};
    enum { WORDS = sizeof words / sizeof *words };
    static const char *const colours[] = {"red", "blue", "white", "pink"};
    const uint32_t which = bot_roll_below(dice, WORDS + 4);
    const int seat = (int)bot_roll_below(dice, t->settings.seats);
    hp_choice choice;
    hp_act acts[HP_ACTS_MAX];
    if (which < WORDS)
        return (size_t)sprintf(line, "%s", words[which]);
    if (which == WORDS)
        return (size_t)sprintf(
            line, "%s",
            take_line(colours[bot_roll_below(dice, 4)], "-", seat, bot_roll_below(dice, 4) > 0 ? "Ada" : ""));
    if (t->phase != TABLE_RACING)
        return (size_t)sprintf(line, "%u", t->entries);
    hp_choose_from(&t->race, seat, &choice);
    const int n = hp_acts(&choice, acts);
    int length = sprintf(line, "%s %u ", which % 2 ? "act" : "drive", t->entries);
    if (n > 0)
        length += (int)hp_act_write(acts[bot_roll_below(dice, (uint32_t)n)], line + length, HP_ACT_TEXT);
    return (size_t)length;
}

/* Lines by anybody at any time, half of them with a byte changed, taken away or cut off: try_line looks that
 * one that is refused changes nothing. */
static void random_rubbish_is_harmless(void **state)
{
    (void)state;
    static const char *const seats[] = {"pokr", "pppr", "pp", "p", "orpkdp"};
    bot_dice dice = {23};
    int fine = 0;
    table t = table_with_clock(seats[0], 60);
    for (int i = 0; i < 30000; i++) {
        const int seat = (int)bot_roll_below(&dice, t.settings.seats + 2u) - 1;
        const uint64_t now = t.moved + bot_roll_below(&dice, 3) * 30 * SECOND;
        char line[TABLE_LINE + 1];
        hp_error rule;
        size_t length = any_line(&t, &dice, line);
        const uint32_t at = bot_roll_below(&dice, (uint32_t)length);
        switch (bot_roll_below(&dice, 6)) {
        case 0:
            line[at] = (char)bot_roll(&dice);
            break;
        case 1:
            memmove(line + at, line + at + 1, --length - at);
            break;
        case 2:
            length = at;
            break;
        }
        fine += said(&t, seat, now, line, length, &rule) == TABLE_FINE;
        if (i % 100 == 99)
            t = table_with_clock(seats[i / 100 % 5], 60);
    }
    assert_in_range(fine, 1000, 10000);
}

static void people_may_say_what_is_theirs(void **state)
{
    (void)state;
    static const char *const theirs[] = {"act 1 done", "phrase 1", "agree 1", "back",
                                         "leave",      "bot x",    "start"};
    static const char *const others[] = {"drive 1 done", "take red",  "late 1", "resume", "rematch", "",
                                         "ping",         "foresee x", "acts",   "ac",     "\xff"};
    for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++)
        assert_true(table_for_people(theirs[i], strlen(theirs[i])));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(table_for_people(others[i], strlen(others[i])));
}

/* ---- Tokens ------------------------------------------------------------------------------------- */

static void a_token_finds_its_seat(void **state)
{
    (void)state;
    const table t = table_for("pkorpp");
    for (int i = 0; i < HP_CARS_MAX; i++)
        assert_int_equal(table_seat_of(&t, token_of(i), 32), strchr("pk", "pkorpp"[i]) ? i : -1);
    assert_int_equal(table_seat_of(&t, "", 0), -1);
    assert_int_equal(table_seat_of(&t, token_of(0), 31), -1);
    assert_int_equal(table_seat_of(&t, "00112233445566778899AABBCCDDEEFF", 32), -1);
    const table empty = table_for("ooo"), bots = table_for("rdc");
    for (int i = 0; i < HP_CARS_MAX; i++) {
        assert_int_equal(table_seat_of(&empty, token_of(i), 32), -1);
        assert_int_equal(table_seat_of(&bots, token_of(i), 32), -1);
    }
    assert_int_equal(table_seat_of(&empty, "", 0), -1);
    static const char zeroes[32];
    assert_int_equal(table_seat_of(&empty, zeroes, sizeof zeroes), -1);
}

static void a_token_is_good_while_its_seat_is(void **state)
{
    (void)state;
    table t = table_for("poo");
    assert_int_equal(table_seat_of(&t, token_of(4), 32), -1);
    say(&t, 1, "%s", take_line("blue", "-", 4, "Bo"));
    assert_int_equal(table_seat_of(&t, token_of(4), 32), 1);
    say(&t, 1, "leave");
    assert_int_equal(table_seat_of(&t, token_of(4), 32), -1);
    say(&t, 2, "%s", take_line("blue", "-", 4, "Bo"));
    say(&t, 0, "start");
    say(&t, 2, "leave"); /* a race can be come back to */
    assert_int_equal(table_seat_of(&t, token_of(4), 32), 2);
}

/* ---- Words -------------------------------------------------------------------------------------- */

static void every_refusal_has_its_words(void **state)
{
    (void)state;
    enum { ALL = TABLE_ERRORS + HP_ERRORS };
    const char *words[ALL];
    int n = 0;
    for (int i = 0; i < TABLE_ERRORS; i++)
        if (i != TABLE_ILLEGAL)
            words[n++] = table_error_word((table_error)i, HP_OK);
    for (int i = 0; i < HP_ERRORS; i++)
        words[n++] = table_error_word(TABLE_ILLEGAL, (hp_error)i);
    for (int i = 0; i < n; i++) {
        assert_int_equal(strspn(words[i], "abcdefghijklmnopqrstuvwxyz_"), strlen(words[i]));
        assert_true(strlen(words[i]) > 1);
        for (int k = 0; k < i; k++)
            assert_string_not_equal(words[i], words[k]);
    }
    for (int i = 0; i < ALL; i++) {
        const char *text = i < TABLE_ERRORS ? table_error_text((table_error)i, HP_WRONG_STEP)
                                            : table_error_text(TABLE_ILLEGAL, (hp_error)(i - TABLE_ERRORS));
        assert_true(strlen(text) > 5 && text[strlen(text) - 1] == '.');
    }
}

static void levels_and_colours_are_found_by_name(void **state)
{
    (void)state;
    table_level level;
    table_colour colour;
    for (int i = 0; i < TABLE_LEVELS; i++) {
        const char *word = table_level_word((table_level)i);
        assert_true(table_level_named(word, strlen(word), &level));
        assert_int_equal(level, i);
        assert_false(table_level_named(word, strlen(word) - 1, &level));
        bot *b = bot_open(word, 0, 1); /* each is a bot of that name */
        assert_non_null(b);
        bot_close(b);
    }
    for (int i = 0; i < TABLE_COLOURS; i++) {
        const char *word = table_colour_word((table_colour)i);
        assert_true(table_colour_named(word, strlen(word), &colour));
        assert_int_equal(colour, i);
        assert_false(table_colour_named(word, strlen(word) - 1, &colour));
    }
    assert_false(table_level_named("", 0, &level));
    assert_false(table_colour_named("", 0, &colour));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_waits_for_those_who_are_missing),
        cmocka_unit_test(the_keeper_starts_where_no_seat_is_open),
        cmocka_unit_test(settings_must_be_such_as_a_table_can_have),
        cmocka_unit_test(the_commitment_is_to_the_secret),
        cmocka_unit_test(equal_settings_make_equal_tables),
        cmocka_unit_test(a_seat_is_taken),
        cmocka_unit_test(a_seat_is_not_taken_just_so),
        cmocka_unit_test(names_are_for_people),
        cmocka_unit_test(a_kept_seat_is_for_whom_it_is_kept),
        cmocka_unit_test(the_race_starts_when_the_last_seat_is_taken),
        cmocka_unit_test(start_fills_the_seats_that_are_open),
        cmocka_unit_test(only_a_person_at_the_table_starts_it),
        cmocka_unit_test(who_leaves_before_the_race_was_never_there),
        cmocka_unit_test(who_hands_over_before_the_race_is_a_bot),
        cmocka_unit_test(who_leaves_a_race_may_come_back),
        cmocka_unit_test(who_hands_over_in_a_race_chooses_the_bot),
        cmocka_unit_test(lines_of_a_race_are_for_the_race),
        cmocka_unit_test(acts_are_for_persons_who_have_the_wheel),
        cmocka_unit_test(bots_drive_where_they_have_the_wheel),
        cmocka_unit_test(an_act_is_a_number_and_an_act),
        cmocka_unit_test(a_plan_sent_twice_is_old),
        cmocka_unit_test(an_act_for_the_decision_before_is_old),
        cmocka_unit_test(what_others_do_makes_nothing_old),
        cmocka_unit_test(an_act_for_the_next_round_is_not_one_for_this),
        cmocka_unit_test(an_act_for_what_is_to_come_is_ahead),
        cmocka_unit_test(another_seats_turn_is_not_ones_own),
        cmocka_unit_test(a_plan_may_be_replaced_and_taken_back),
        cmocka_unit_test(a_bots_act_can_be_old_too),
        cmocka_unit_test(a_phrase_changes_nothing_else),
        cmocka_unit_test(only_known_phrases_by_people),
        cmocka_unit_test(a_rematch_comes_after_the_race),
        cmocka_unit_test(a_line_is_not_too_long),
        cmocka_unit_test(rubbish_is_no_line),
        cmocka_unit_test(random_rubbish_is_harmless),
        cmocka_unit_test(people_may_say_what_is_theirs),
        cmocka_unit_test(a_token_finds_its_seat),
        cmocka_unit_test(a_token_is_good_while_its_seat_is),
        cmocka_unit_test(every_refusal_has_its_words),
        cmocka_unit_test(levels_and_colours_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
