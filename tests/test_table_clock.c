/* Proves how a table does without somebody: when the others agree, and when the clock runs out. */
#include "tests/table_talk.h"

/* ---- Agreeing ----------------------------------------------------------------------------------- */

/* One where everybody has been waited for so long that others may ask for a bot. */
static table waiting_for(const char *seats)
{
    table t = table_for(seats);
    say_at(&t, NOON + TABLE_GRACE * SECOND, 0, "phrase 9");
    return t;
}

static void all_others_must_agree(void **state)
{
    (void)state;
    table t = waiting_for("pprp");
    say(&t, 0, "agree 3");
    assert_int_equal(t.agreed[3], 1);
    assert_int_equal(t.away, 0);
    say(&t, 0, "agree 3"); /* saying it again is not another voice */
    assert_int_equal(t.away, 0);
    say(&t, 1, "agree 3");
    assert_int_equal(t.away, 8);
    assert_int_equal(table_bots_due(&t), 4 | 8);
    refuse(&t, 3, act_line(&t, 3, 0), TABLE_BOT_DRIVES);
    refuse(&t, 0, "agree 3", TABLE_NOT_AWAITED);
    say(&t, 3, "back");
    assert_int_equal(t.agreed[3], 0);
    assert_int_equal(t.away, 0);
}

static void who_has_left_has_no_voice(void **state)
{
    (void)state;
    table t = waiting_for("ppp");
    say(&t, 1, "leave");
    refuse(&t, 1, "agree 2", TABLE_BOT_DRIVES);
    say(&t, 0, "agree 2");
    assert_int_equal(t.away, 6);
}

/* It is the same whether somebody leaves before or after the others agree. */
static void who_leaves_is_waited_for_no_longer(void **state)
{
    (void)state;
    table t = waiting_for("ppp");
    say(&t, 0, "agree 2");
    assert_int_equal(t.away, 0);
    table by_bot = t, by_clock = t;
    say(&t, 1, "leave");
    assert_int_equal(t.away, 6);
    say(&by_bot, 1, "bot rookie");
    assert_int_equal(by_bot.away, 6);
    by_clock.settings.clock = 60;
    say_at(&by_clock, NOON + 60 * SECOND, TABLE_KEEPER, "late 1");
    assert_int_equal(by_clock.away, 6);
}

/* Without it the last one at the table would lose the wheel when all others are gone. */
static void those_gone_cannot_send_anybody_away(void **state)
{
    (void)state;
    table t = waiting_for("ppp");
    say(&t, 0, "agree 2");
    say(&t, 0, "leave");
    assert_int_equal(t.away, 1);
    say(&t, 1, "leave");
    assert_int_equal(t.away, 3);
    act(&t, 2);
}

/* Whoever loses the wheel has no voice from then on, so that one can follow another. */
static void one_who_is_sent_away_has_no_voice(void **state)
{
    (void)state;
    table t = waiting_for("pppp");
    for (int i = 0; i < 2; i++) {
        say(&t, i, "agree 2");
        say(&t, i, "agree 3");
    }
    assert_int_equal(t.away, 0);
    say(&t, 2, "agree 3");
    assert_int_equal(t.away, 4 | 8);
}

/* Else two who have gone would be waited for for ever, each for want of the other's voice. */
static void who_keeps_all_waiting_has_no_voice(void **state)
{
    (void)state;
    table t = table_for("ppp");
    act(&t, 0);
    say_at(&t, NOON + (TABLE_PATIENCE - 1) * SECOND, 0, "agree 1");
    assert_int_equal(t.away, 0);
    say_at(&t, NOON + (TABLE_PATIENCE + 1) * SECOND, 0, "agree 1");
    assert_int_equal(t.away, 2);
    say_at(&t, NOON + (TABLE_PATIENCE + 1) * SECOND, 0, "agree 2");
    assert_int_equal(t.away, 6);
}

/* Else in a race of two either could take the other's wheel at any time. */
static void nobody_is_sent_away_at_once(void **state)
{
    (void)state;
    const uint64_t grace = TABLE_GRACE * SECOND;
    table t = table_for("pp");
    refuse(&t, 0, "agree 1", TABLE_NOT_AWAITED);
    refuse_at(&t, NOON + grace - 1, 0, "agree 1", TABLE_NOT_AWAITED);
    say_at(&t, NOON + grace, 0, "agree 1");
    assert_int_equal(t.away, 2);
    say_at(&t, NOON + 2 * grace, 1, "back");
    refuse_at(&t, NOON + 3 * grace - 1, 0, "agree 1", TABLE_NOT_AWAITED);
    say_at(&t, NOON + 3 * grace, 0, "agree 1");
    say(&t, 1, "back"); /* once more, before the bot has planned: they still agree */
    assert_int_equal(t.away, 2);
    /* as it was when old races were begun */
    table_settings settings = settings_for("pp");
    settings.old_manners = 1;
    table old = race_with(&settings);
    say(&old, 0, "agree 1");
    assert_int_equal(old.away, 2);
}

static void nobody_agrees_alone(void **state)
{
    (void)state;
    table alone = table_for("p"), with_bot = table_for("pr");
    refuse(&alone, 0, "agree 0", TABLE_NOT_AWAITED);
    refuse(&with_bot, 0, "agree 0", TABLE_NOT_AWAITED);
    refuse(&with_bot, 0, "agree 1", TABLE_NOT_AWAITED);
    refuse(&with_bot, 1, "agree 0", TABLE_NOT_SEATED);
}

static void one_agrees_about_those_awaited(void **state)
{
    (void)state;
    table t = waiting_for("pppr");
    static const char *const bad[] = {"agree", "agree 4", "agree -1", "agree x", "agree 1 2"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuse(&t, 0, bad[i], TABLE_NOT_A_LINE);
    refuse(&t, 0, "agree 0", TABLE_NOT_AWAITED);
    refuse(&t, 0, "agree 3", TABLE_NOT_AWAITED);
    refuse(&t, TABLE_KEEPER, "agree 0", TABLE_NOT_SEATED);
    refuse(&t, HP_SPECTATOR, "agree 0", TABLE_NOT_SEATED);
    act(&t, 1);
    refuse(&t, 0, "agree 1", TABLE_NOT_AWAITED);
    say(&t, 1, "agree 0"); /* who has planned may ask others to */
    say(&t, 2, "leave");
    assert_int_equal(t.away, 5);
}

static void agreement_ends_when_the_seat_acts(void **state)
{
    (void)state;
    table t = waiting_for("ppp");
    say(&t, 0, "agree 2");
    act(&t, 2);
    assert_int_equal(t.agreed[2], 0);
    say(&t, 2, "act %u unplan", t.entries);
    assert_int_equal(t.agreed[2], 0);
    say(&t, 1, "agree 2");
    assert_int_equal(t.away, 0);
    /* and in a turn, where it is awaited again at once */
    table turn = table_for("ppp");
    const int now = plan_all(&turn), other = now == 0;
    refuse_at(&turn, NOON + (TABLE_GRACE - 1) * SECOND, other, now == 0 ? "agree 0" : "agree 1",
              TABLE_NOT_AWAITED);
    say_at(&turn, NOON + TABLE_GRACE * SECOND, other, "agree %d", now);
    say(&turn, other, "phrase 9");
    assert_int_equal(turn.agreed[now], 1 << other);
    say(&turn, now, "act %u boost", turn.entries);
    assert_int_equal(turn.awaited, 1 << now);
    assert_int_equal(turn.agreed[now], 0);
}

/* ---- The clock ---------------------------------------------------------------------------------- */

static void without_a_clock_nobody_is_late(void **state)
{
    (void)state;
    table t = table_for("pp");
    assert_int_equal(table_deadline(&t), 0);
    assert_int_equal(table_late(&t, UINT64_MAX), -1);
    refuse_at(&t, UINT64_MAX, TABLE_KEEPER, "late 0", TABLE_NOT_AWAITED);
}

static void late_is_when_the_time_is_over(void **state)
{
    (void)state;
    table t = table_with_clock("ppr", 60);
    const uint64_t end = NOON + 60 * SECOND;
    assert_true(table_deadline(&t) == end);
    assert_int_equal(table_late(&t, end - 1), -1);
    assert_int_equal(table_late(&t, end), 0);
    refuse_at(&t, end - 1, TABLE_KEEPER, "late 0", TABLE_NOT_AWAITED);
    act_at(&t, NOON + 1, 1);
    refuse_at(&t, end, TABLE_KEEPER, "late 1", TABLE_NOT_AWAITED); /* has planned */
    refuse_at(&t, end, TABLE_KEEPER, "late 2", TABLE_NOT_AWAITED); /* a bot takes its time */
    say_at(&t, end, TABLE_KEEPER, "late 0");
    assert_int_equal(t.away, 1);
    assert_int_equal(table_bots_due(&t), 5);
    assert_int_equal(table_deadline(&t), 0);
    refuse_at(&t, end, TABLE_KEEPER, "late 0", TABLE_NOT_AWAITED);
}

static void only_the_keeper_watches_the_clock(void **state)
{
    (void)state;
    table t = table_with_clock("pp", 60);
    const uint64_t end = NOON + 60 * SECOND;
    refuse_at(&t, end, 0, "late 1", TABLE_NOT_A_LINE);
    refuse_at(&t, end, 1, "late 1", TABLE_NOT_A_LINE);
    refuse_at(&t, end, HP_SPECTATOR, "late 1", TABLE_NOT_A_LINE);
    refuse_at(&t, end, 0, "resume", TABLE_NOT_A_LINE);
    refuse_at(&t, end, TABLE_KEEPER, "late", TABLE_NOT_A_LINE);
    refuse_at(&t, end, TABLE_KEEPER, "late 2", TABLE_NOT_A_LINE);
    refuse_at(&t, end, TABLE_KEEPER, "late 0 1", TABLE_NOT_A_LINE);
    refuse_at(&t, end, TABLE_KEEPER, "resume 0", TABLE_NOT_A_LINE);
}

static void planning_counts_from_the_start_of_the_round(void **state)
{
    (void)state;
    table t = table_with_clock("pp", 60);
    const uint64_t end = NOON + 60 * SECOND;
    act_at(&t, NOON + 30 * SECOND, 0);
    say_at(&t, NOON + 50 * SECOND, 0, "act %u unplan", t.entries);
    assert_true(t.since[0] == NOON);
    assert_true(table_deadline(&t) == end);
    say_at(&t, end + 5, TABLE_KEEPER, "late 0");
    /* and in the next round anew */
    table next = table_with_clock("pp", 60);
    while (next.race.round == 1)
        act_at(&next, next.moved + 7 * SECOND, hp_to_act(&next.race));
    assert_true(next.since[0] == next.moved && next.since[1] == next.moved && next.moved > NOON);
}

static void in_a_turn_every_decision_has_its_time(void **state)
{
    (void)state;
    table t = table_with_clock("pp", 60);
    act_at(&t, NOON + 10 * SECOND, 0);
    act_at(&t, NOON + 40 * SECOND, 1);
    const int now = hp_to_act(&t.race);
    assert_true(table_deadline(&t) == NOON + 100 * SECOND);
    say_at(&t, NOON + 50 * SECOND, now, "phrase 10"); /* words win no time */
    assert_true(table_deadline(&t) == NOON + 100 * SECOND);
    say_at(&t, NOON + 90 * SECOND, now, "act %u boost", t.entries);
    assert_true(table_deadline(&t) == NOON + 150 * SECOND);
    refuse_at(&t, NOON + 149 * SECOND, TABLE_KEEPER, now ? "late 1" : "late 0", TABLE_NOT_AWAITED);
    say_at(&t, NOON + 150 * SECOND, TABLE_KEEPER, "late %d", now);
}

static void back_starts_a_new_time(void **state)
{
    (void)state;
    table t = table_with_clock("pp", 60);
    say_at(&t, NOON + 60 * SECOND, TABLE_KEEPER, "late 0");
    say_at(&t, NOON + 70 * SECOND, 0, "back");
    assert_true(t.since[0] == NOON + 70 * SECOND && t.since[1] == NOON);
    refuse_at(&t, NOON + 129 * SECOND, TABLE_KEEPER, "late 0", TABLE_NOT_AWAITED);
    /* also for a plan that the bot has made, and that is taken back */
    table planned = table_with_clock("pp", 60);
    say_at(&planned, NOON + 60 * SECOND, TABLE_KEEPER, "late 0");
    drive(&planned, 0);
    say_at(&planned, NOON + 70 * SECOND, 0, "back");
    say_at(&planned, NOON + 80 * SECOND, 0, "act %u unplan", planned.entries);
    assert_true(planned.since[0] == NOON + 70 * SECOND);
    /* and in a turn */
    table turn = table_with_clock("pp", 60);
    const int now = plan_all(&turn);
    say_at(&turn, NOON + 60 * SECOND, TABLE_KEEPER, "late %d", now);
    say_at(&turn, NOON + 70 * SECOND, now, "back");
    assert_true(table_deadline(&turn) == NOON + 130 * SECOND);
}

/* Else two lines in one packet, said again and again, would stop the clock. */
static void leaving_wins_no_time(void **state)
{
    (void)state;
    table t = table_with_clock("ppp", 60);
    say_at(&t, NOON + 20 * SECOND, 1, "agree 0");
    say_at(&t, NOON + 30 * SECOND, 0, "leave");
    say_at(&t, NOON + 30 * SECOND, 0, "back");
    assert_true(t.since[0] == NOON && t.agreed[0] == 2);
    say_at(&t, NOON + 40 * SECOND, 0, "bot rookie");
    drive(&t, 0); /* whatever is planned and taken back */
    say_at(&t, NOON + 50 * SECOND, 0, "back");
    say_at(&t, NOON + 50 * SECOND, 0, "act %u unplan", t.entries);
    assert_true(t.since[0] == NOON);
    say_at(&t, NOON + 60 * SECOND, TABLE_KEEPER, "late 0");
    say_at(&t, NOON + 61 * SECOND, 0, "back"); /* this one does */
    assert_true(t.since[0] == NOON + 61 * SECOND);
    /* nor in a turn, but for a decision that is new */
    table turn = table_with_clock("pp", 60);
    const int now = plan_all(&turn);
    say_at(&turn, NOON + 30 * SECOND, now, "leave");
    say_at(&turn, NOON + 30 * SECOND, now, "back");
    assert_true(table_deadline(&turn) == NOON + 60 * SECOND);
    say_at(&turn, NOON + 40 * SECOND, now, "leave");
    say(&turn, now, "drive %u boost", turn.entries);
    say_at(&turn, NOON + 45 * SECOND, now, "back");
    assert_true(table_deadline(&turn) == NOON + 100 * SECOND);
}

/* Else whoever is back sooner than the bot decides would never be late. */
static void a_decision_has_new_time_once(void **state)
{
    (void)state;
    table t = table_with_clock("pp", 60);
    say_at(&t, NOON + 60 * SECOND, TABLE_KEEPER, "late 0");
    say_at(&t, NOON + 60 * SECOND, 0, "back");
    say_at(&t, NOON + 70 * SECOND, 0, "%s", act_line(&t, 0, 0));
    say_at(&t, NOON + 80 * SECOND, 0, "act %u unplan", t.entries);
    say_at(&t, NOON + 120 * SECOND, TABLE_KEEPER, "late 0");
    say_at(&t, NOON + 121 * SECOND, 0, "back");
    assert_true(t.since[0] == NOON + 60 * SECOND);
    say_at(&t, NOON + 121 * SECOND, TABLE_KEEPER, "late 0");
    /* another decision is another matter */
    for (int i = 0; i < 2; i++)
        say(&t, i, "%s %s", i == 0 ? "drive" : "act", act_line(&t, i, 0) + 4);
    const int now = hp_to_act(&t.race);
    if (!(t.away >> now & 1))
        say_at(&t, t.since[now] + 60 * SECOND, TABLE_KEEPER, "late %d", now);
    say_at(&t, t.moved + SECOND, now, "back");
    assert_true(t.since[now] == t.moved);
    say(&t, now, "act %u boost", t.entries);
    say_at(&t, t.since[now] + 60 * SECOND, TABLE_KEEPER, "late %d", now);
    say_at(&t, t.moved + SECOND, now, "back");
    assert_true(t.since[now] == t.moved);
}

/* A race that was begun before goes on as its entries were judged then. */
static void old_manners_give_new_time(void **state)
{
    (void)state;
    table_settings settings = settings_for("ppp");
    settings.clock = 60;
    settings.old_manners = 1;
    table t = race_with(&settings);
    say(&t, 1, "agree 0");
    say(&t, 0, "leave");
    say_at(&t, NOON + 20 * SECOND, 0, "back");
    assert_true(t.since[0] == NOON + 20 * SECOND && t.agreed[0] == 0);
    say(&t, 2, "agree 0");
    assert_int_equal(t.away, 0);
    settings.old_manners = 2;
    assert_false(table_open(&t, &settings, NOON));
}

static void resume_gives_everybody_new_time(void **state)
{
    (void)state;
    const uint64_t again = NOON + 3600 * SECOND;
    table t = table_with_clock("ppp", 60);
    act_at(&t, NOON + 1, 0);
    say_at(&t, again, TABLE_KEEPER, "resume");
    assert_int_equal(table_late(&t, again + 59 * SECOND), -1);
    assert_true(table_deadline(&t) == again + 60 * SECOND);
    say_at(&t, again + 1, 0, "act %u unplan", t.entries); /* who had planned, too */
    assert_int_equal(table_late(&t, again + 59 * SECOND), -1);
    assert_true(table_deadline(&t) == again + 60 * SECOND);
    table turn = table_with_clock("pp", 60);
    plan_all(&turn);
    say_at(&turn, again, TABLE_KEEPER, "resume");
    assert_true(table_deadline(&turn) == again + 60 * SECOND);
}

static void the_deadline_is_the_earliest(void **state)
{
    (void)state;
    table t = table_with_clock("ppp", 60);
    assert_true(table_deadline(&t) == NOON + 60 * SECOND);
    for (int i = 0; i < 3; i++)
        say_at(&t, NOON + 60 * SECOND, TABLE_KEEPER, "late %d", i);
    say_at(&t, NOON + 80 * SECOND, 0, "back");
    say_at(&t, NOON + 70 * SECOND, 2, "back"); /* counts as 80, too */
    assert_true(t.since[2] == NOON + 80 * SECOND);
    say_at(&t, NOON + 90 * SECOND, 1, "back");
    assert_true(table_deadline(&t) == NOON + 140 * SECOND);
    act(&t, 2);
    assert_true(table_deadline(&t) == NOON + 140 * SECOND);
    act(&t, 0);
    assert_true(table_deadline(&t) == NOON + 150 * SECOND);
    assert_int_equal(table_late(&t, NOON + 150 * SECOND), 1);
    say(&t, 1, "leave");
    assert_int_equal(table_deadline(&t), 0);
}

static void times_never_go_back(void **state)
{
    (void)state;
    table t = table_with_clock("pp", 60);
    say_at(&t, NOON + 10, 0, "phrase 1");
    say_at(&t, NOON - 10, 0, "phrase 1");
    say_at(&t, 0, 0, "phrase 1");
    assert_true(t.moved == NOON + 10 && t.opened == NOON);
    say_at(&t, 0, TABLE_KEEPER, "resume");
    assert_true(t.since[0] == NOON + 10);
    act_at(&t, NOON + 20, 0);
    act_at(&t, NOON, 1);
    assert_true(t.since[hp_to_act(&t.race)] == NOON + 20);
}

static void two_weeks_are_the_longest(void **state)
{
    (void)state;
    table t = table_with_clock("pp", TABLE_CLOCK_MAX);
    const uint64_t end = NOON + UINT64_C(1209600000);
    assert_true(table_deadline(&t) == end);
    say_at(&t, end, TABLE_KEEPER, "late 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_others_must_agree),
        cmocka_unit_test(who_has_left_has_no_voice),
        cmocka_unit_test(who_leaves_is_waited_for_no_longer),
        cmocka_unit_test(those_gone_cannot_send_anybody_away),
        cmocka_unit_test(one_who_is_sent_away_has_no_voice),
        cmocka_unit_test(who_keeps_all_waiting_has_no_voice),
        cmocka_unit_test(nobody_is_sent_away_at_once),
        cmocka_unit_test(nobody_agrees_alone),
        cmocka_unit_test(one_agrees_about_those_awaited),
        cmocka_unit_test(agreement_ends_when_the_seat_acts),
        cmocka_unit_test(without_a_clock_nobody_is_late),
        cmocka_unit_test(late_is_when_the_time_is_over),
        cmocka_unit_test(only_the_keeper_watches_the_clock),
        cmocka_unit_test(planning_counts_from_the_start_of_the_round),
        cmocka_unit_test(in_a_turn_every_decision_has_its_time),
        cmocka_unit_test(back_starts_a_new_time),
        cmocka_unit_test(leaving_wins_no_time),
        cmocka_unit_test(a_decision_has_new_time_once),
        cmocka_unit_test(old_manners_give_new_time),
        cmocka_unit_test(resume_gives_everybody_new_time),
        cmocka_unit_test(the_deadline_is_the_earliest),
        cmocka_unit_test(times_never_go_back),
        cmocka_unit_test(two_weeks_are_the_longest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
