/* Talking at a table, for tests: what is said must be taken, or refused for that reason. */
#ifndef HP_TESTS_TABLE_TALK_H
#define HP_TESTS_TABLE_TALK_H

#include "tests/support.h"

#include "bots/bots.h"
#include "tests/tables.h"

#define NOON UINT64_C(1763251200000)
#define SALT "00000000000000000000000000000000000000000000000000000000000000ff"
#define ELSEWHERE "BBBBBBBBBBBBBBBBBBBBBB"

enum { SECOND = 1000 };

/* ---- Saying ------------------------------------------------------------------------------------- */

__attribute__((unused)) static table open_with(const table_settings *settings)
{
    table t;
    memset(&t, 0xa5, sizeof t); /* every byte must be written */
    assert_true(table_open(&t, settings, NOON));
    assert_null(wrong_with(&t));
    return t;
}

/* The keeper starts the race where no seat is open: entry 1. */
__attribute__((unused)) static table race_with(const table_settings *settings)
{
    table t = open_with(settings);
    for (int i = 0; i < settings->seats; i++)
        if (settings->seat[i].kind == TABLE_OPEN)
            return t;
    assert_int_equal(table_play(&t, TABLE_KEEPER, "start", 5, NOON, NULL, NULL), TABLE_FINE);
    assert_null(wrong_with(&t));
    assert_int_equal(t.phase, TABLE_RACING);
    return t;
}

__attribute__((unused)) static table table_for(const char *seats)
{
    const table_settings settings = settings_for(seats);
    return race_with(&settings);
}

__attribute__((unused)) static table table_with_clock(const char *seats, uint32_t clock)
{
    table_settings settings = settings_for(seats);
    settings.clock = clock;
    return race_with(&settings);
}

__attribute__((unused)) static table_error said(table *t, int seat, uint64_t now, const char *line,
                                                size_t length, hp_error *rule)
{
    table_error error;
    *rule = HP_OK;
    const char *wrong = try_line(t, seat, line, length, now, NULL, &error, rule);
    if (wrong != NULL)
        fail_msg("seat %d: %.*s: %s", seat, (int)length, line, wrong);
    return error;
}

/* Accepted, at that time. */
__attribute__((unused, format(printf, 4, 5))) static void say_at(table *t, uint64_t now, int seat,
                                                                 const char *format, ...)
{
    char line[TABLE_LINE + 1];
    hp_error rule;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    const table_error error = said(t, seat, now, line, (size_t)length, &rule);
    if (error != TABLE_FINE)
        fail_msg("seat %d: %s: %s", seat, line, table_error_word(error, rule));
}

#define say(t, ...) say_at((t), (t)->moved, __VA_ARGS__)

__attribute__((unused)) static void refuse_at(table *t, uint64_t now, int seat, const char *line,
                                              table_error expected)
{
    hp_error rule;
    const table_error error = said(t, seat, now, line, strlen(line), &rule);
    if (error != expected)
        fail_msg("seat %d: %s: %s instead of %s", seat, line, table_error_word(error, rule),
                 table_error_word(expected, HP_OK));
}

__attribute__((unused)) static void refuse(table *t, int seat, const char *line, table_error expected)
{
    refuse_at(t, t->moved, seat, line, expected);
}

__attribute__((unused)) static void refuse_by_rule(table *t, int seat, const char *line, hp_error expected)
{
    hp_error rule;
    assert_int_equal(said(t, seat, t->moved, line, strlen(line), &rule), TABLE_ILLEGAL);
    assert_int_equal(rule, expected);
}

/* "act N ..." with the i-th act that a seat may choose and, as N, the newest entry. */
__attribute__((unused)) static char *act_line(const table *t, int seat, int i)
{
    static char line[TABLE_LINE + 1];
    char text[HP_ACT_TEXT];
    hp_choice choice;
    hp_act acts[HP_ACTS_MAX];
    hp_choose_from(&t->race, seat, &choice);
    const int n = hp_acts(&choice, acts);
    assert_true(n > 0);
    hp_act_write(acts[i < n ? i : n - 1], text, sizeof text);
    snprintf(line, sizeof line, "act %u %s", t->entries, text);
    return line;
}

__attribute__((unused)) static void act_at(table *t, uint64_t now, int seat)
{
    say_at(t, now, seat, "%s", act_line(t, seat, 0));
}

__attribute__((unused)) static void act(table *t, int seat)
{
    act_at(t, t->moved, seat);
}

__attribute__((unused)) static void drive(table *t, int seat)
{
    say(t, seat, "drive %s", act_line(t, seat, 0) + 4);
}

/* The seat whose turn it is, once all have planned in their order. */
__attribute__((unused)) static int plan_all(table *t)
{
    assert_int_equal(t->race.step, HP_STEP_PLAN);
    while (t->phase == TABLE_RACING && t->race.step == HP_STEP_PLAN)
        act(t, hp_to_act(&t->race));
    return hp_to_act(&t->race);
}

/* Whatever comes, until the race is over. */
__attribute__((unused)) static void race_on(table *t)
{
    for (int guard = 0; t->phase == TABLE_RACING; guard++) {
        const int seat = hp_to_act(&t->race);
        assert_true(guard < 10000);
        if (table_bots_due(t) >> seat & 1)
            drive(t, seat);
        else
            act(t, seat);
    }
    assert_int_equal(t->phase, TABLE_OVER);
}

__attribute__((unused)) static char *take_line(const char *colour, const char *salt, int key,
                                               const char *name)
{
    static char line[TABLE_LINE + 1];
    char hex[HP_SEED_TEXT];
    key_of(key, hex);
    snprintf(line, sizeof line, "take %s %s %s %s", colour, salt, hex, name);
    return line;
}

#endif
