/* What is said over a WebSocket: first who it is, then a line at a time. */
#define _POSIX_C_SOURCE 200809L
#include "server/session.h"

#include <stdio.h>
#include <string.h>

static void complain(session *c, const char *code, const char *text)
{
    char buffer[256];
    const int length =
        snprintf(buffer, sizeof buffer, "{\"m\":\"error\",\"code\":\"%s\",\"text\":\"%s\"}", code, text);
    session_say(c, buffer, (size_t)length);
}

/* ---- The greeting ------------------------------------------------------------------------------- */

/* "seat TOKEN N" or "watch N"; false for anything else. */
static bool read_greeting(const char *line, char token[TOKEN_TEXT + 1], unsigned *since)
{
    int end = 0;
    token[0] = '\0';
    if (sscanf(line, "watch %9u%n", since, &end) == 1 && line[end] == '\0')
        return true;
    return sscanf(line, "seat %32[0-9a-f] %9u%n", token, since, &end) == 2 && line[end] == '\0' &&
           strlen(token) == TOKEN_TEXT;
}

static void greet(session *c, const char *line)
{
    char token[TOKEN_TEXT + 1];
    unsigned since = 0;
    hall_table *t = hall_find(c->s->hall, c->id);
    if (t == NULL || !read_greeting(line, token, &since)) {
        complain(c, "not_a_line", "Say first who you are: seat TOKEN N, or watch N.");
        session_hang_up(c, 1008);
        return;
    }
    const int seat = token[0] != '\0' ? table_seat_of(hall_shown(t), token, TOKEN_TEXT) : -1;
    if (token[0] != '\0' && (seat < 0 || hall_shown(t)->settings.seat[seat].kind != TABLE_PERSON)) {
        complain(c, "wrong_token", "There is no seat with this token.");
        session_hang_up(c, 1008);
        return;
    }
    if (since > hall_shown(t)->entries)
        complain(c, "ahead", "There are not as many entries; here is how things stand.");
    c->greeted = true;
    c->follower.viewer = seat >= 0 ? seat : HP_SPECTATOR;
    hall_follow(c->s->hall, t, &c->follower, since);
}

/* ---- Enough of them ----------------------------------------------------------------------------- */

/* An act that the race does not wait for only changes a plan, and may do so for ever. */
static bool moves_on(const table *t, int seat, const char *line)
{
    return strcmp(line, "start") == 0 || (strncmp(line, "act ", 4) == 0 && (t->awaited >> seat & 1));
}

bool lines_enough(session *c, const hall_table *t, int seat, const char *line, const char **code,
                  const char **why)
{
    char whose[LIMITS_ADDRESS];
    if (moves_on(hall_live(t), seat, line))
        return false;
    const bool phrase = strncmp(line, "phrase", 6) == 0;
    if (hall_live(t)->entries >= (phrase ? CHATTER_PHRASES : CHATTER_ENTRIES)) {
        *code = "not_now";
        *why = "Too much has been said at this table already.";
        return true;
    }
    snprintf(whose, sizeof whose, "%s/%d", hall_id(t), seat);
    if (limits_ask(c->s->chatter, whose, server_clock()))
        return false;
    c->s->figures.refused_rate++;
    *code = "too_fast";
    *why = "Too many of these from this seat; wait a little.";
    return true;
}

/* ---- Lines of a seat ---------------------------------------------------------------------------- */

static void refuse(session *c, table_error error, hp_error rule)
{
    char buffer[512];
    const size_t length = table_error_message(error, rule, buffer, sizeof buffer);
    session_say(c, buffer, length - 1);
}

static void say(session *c, const char *line, size_t length)
{
    const char *code, *why;
    hp_error rule = HP_OK;
    uint64_t ticket;
    if (lines_enough(c, c->follower.at, c->follower.viewer, line, &code, &why)) {
        complain(c, code, why);
        return;
    }
    const table_error error =
        hall_say(c->s->hall, c->follower.at, c->follower.viewer, line, length, &rule, &ticket);
    if (error != TABLE_FINE)
        refuse(c, error, rule);
}

static void foresee(session *c, const char *act, size_t length)
{
    char buffer[TABLE_FORESIGHT_TEXT];
    const size_t n =
        table_foresight(hall_shown(c->follower.at), c->follower.viewer, act, length, buffer, sizeof buffer);
    session_say(c, buffer, n - 1);
}

void lines_hear(session *c, const char *text, size_t length)
{
    static const char foresees[] = "foresee ";
    char line[SESSION_LINE + 1];
    memcpy(line, text, length);
    line[length] = '\0';
    if (!c->greeted) {
        greet(c, strlen(line) == length ? line : "");
        return;
    }
    if (strlen(line) != length) {
        refuse(c, TABLE_NOT_A_LINE, HP_OK);
        return;
    }
    if (strcmp(line, "ping") == 0) {
        session_say(c, "{\"m\":\"pong\"}", 12);
        return;
    }
    if (!hall_seated(&c->follower)) { /* or not any more */
        complain(c, "not_seated", "Spectators have nothing to say.");
        return;
    }
    if (c->s->stopping) {
        complain(c, "stopping", "The server is about to stop; come back and go on.");
    } else if (strncmp(line, foresees, sizeof foresees - 1) == 0) {
        foresee(c, line + sizeof foresees - 1, length - (sizeof foresees - 1));
    } else if (strcmp(line, "rematch") == 0) {
        uint64_t ticket;
        if (hall_rematch(c->s->hall, c->follower.at, c->address, &ticket) == NULL)
            refuse(c, TABLE_NOT_NOW, HP_OK);
    } else if (!table_for_people(line, length)) {
        refuse(c, TABLE_NOT_A_LINE, HP_OK);
    } else {
        say(c, line, length);
    }
}
