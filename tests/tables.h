/* What tests and fuzzers of tables share: tables to play at, lines said with care, and what holds of every
 * table and every message. Nothing here needs cmocka. */
#ifndef HP_TESTS_TABLES_H
#define HP_TESTS_TABLES_H

#include "table/table.h"

#include <stdlib.h>
#include <string.h>

#define TABLE_NAMED "AAAAAAAAAAAAAAAAAAAAAA" /* an id */

/* ---- Settings ----------------------------------------------------------------------------------- */

__attribute__((unused)) static const char *token_of(int seat)
{
    static const char tokens[HP_CARS_MAX][33] = {
        "00112233445566778899aabbccddeeff", "10112233445566778899aabbccddeeff",
        "20112233445566778899aabbccddeeff", "30112233445566778899aabbccddeeff",
        "40112233445566778899aabbccddeeff", "50112233445566778899aabbccddeeff"};
    return tokens[seat];
}

__attribute__((unused)) static const char *name_of(int seat)
{
    static const char names[HP_CARS_MAX][4] = {"Ada", "Bo", "Cy", "Di", "Eve", "Flo"};
    return names[seat];
}

__attribute__((unused)) static void key_of(int seat, char hex[HP_SEED_TEXT])
{
    uint8_t key[32];
    hp_sha256(token_of(seat), strlen(token_of(seat)), key);
    hp_hex_write(key, hex);
}

/* A seat for each letter: person, open, kept, rookie, driver, champion. Persons, and those whom a seat is kept
 * for, have the names and tokens above, and the colours in their order. */
__attribute__((unused)) static table_settings settings_for(const char *seats)
{
    table_settings s;
    hp_circuit circuit;
    memset(&s, 0, sizeof s);
    hp_circuit_named("usa", &circuit);
    memcpy(s.circuit, circuit.name, sizeof s.circuit);
    s.track = circuit.track;
    s.laps = 1;
    s.substitute = TABLE_DRIVER;
    hp_seed_of(11, 12, s.secret);
    for (; seats[s.seats] != '\0'; s.seats++) {
        const char letter = seats[s.seats];
        table_seat *seat = &s.seat[s.seats];
        seat->colour = TABLE_COLOURS;
        seat->kind = letter == 'p' ? TABLE_PERSON : letter == 'o' || letter == 'k' ? TABLE_OPEN : TABLE_BOT;
        seat->level = letter == 'r' ? TABLE_ROOKIE : letter == 'c' ? TABLE_CHAMPION : TABLE_DRIVER;
        if (letter == 'p' || letter == 'k') {
            seat->colour = s.seats;
            strcpy(seat->name, name_of(s.seats));
            hp_sha256(token_of(s.seats), strlen(token_of(s.seats)), seat->key);
        }
    }
    return s;
}

/* ---- What holds of every table ------------------------------------------------------------------ */

static bool all_zero(const void *data, size_t size)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

static const char *wrong_with_seat(const table *t, int i)
{
    const table_seat *seat = &t->settings.seat[i];
    const bool awaited = t->awaited >> i & 1, away = t->away >> i & 1;
    const bool person = seat->kind == TABLE_PERSON;
    if (seat->kind == TABLE_OPEN && t->phase != TABLE_GATHERING)
        return "a seat is open in a race";
    if (person && (seat->colour >= TABLE_COLOURS || !table_name_valid(seat->name, strlen(seat->name))))
        return "a person without name or colour";
    if (seat->kind == TABLE_BOT && (!all_zero(seat->name, sizeof seat->name) || !all_zero(seat->key, 32)))
        return "a bot with name or key";
    if (seat->kind == TABLE_BOT && (seat->colour < TABLE_COLOURS) != (t->phase != TABLE_GATHERING))
        return "a bot's colour";
    if (away && !(person && t->phase != TABLE_GATHERING))
        return "away, and no person in a race";
    if ((t->sent >> i & 1) && !away)
        return "sent away, and there";
    if (t->asked[i] > t->entries || t->since[i] > t->moved)
        return "asked for something in the time to come";
    if (t->agreed[i] != 0 && !(awaited && person))
        return "agreed about somebody who is not awaited";
    if (t->agreed[i] >> i & 1)
        return "agreed about oneself";
    for (int k = 0; k < t->settings.seats; k++) {
        if ((t->agreed[i] >> k & 1) && t->settings.seat[k].kind != TABLE_PERSON)
            return "agreed, and no person";
        if (k != i && seat->colour < TABLE_COLOURS && t->settings.seat[k].colour == seat->colour)
            return "two of a colour";
    }
    return NULL;
}

/* NULL, or what no table may be. */
__attribute__((unused)) static const char *wrong_with(const table *t)
{
    const bool racing = t->phase == TABLE_RACING;
    if (t->phase > TABLE_OVER || t->moved < t->opened)
        return "phase or times";
    if (t->phase == TABLE_GATHERING ? !all_zero(&t->race, sizeof t->race)
                                    : (t->race.step == HP_STEP_OVER) == racing)
        return "a race in another phase";
    if (t->awaited != (racing ? t->race.waiting : 0))
        return "awaited, and not by the race";
    if (t->rematch[0] != '\0' && (t->phase != TABLE_OVER || t->rematch[TABLE_ID] != '\0'))
        return "a rematch before the end";
    for (int i = 0; i < t->settings.seats; i++) {
        const char *wrong = wrong_with_seat(t, i);
        if (wrong != NULL)
            return wrong;
    }
    const uint8_t due = table_bots_due(t);
    for (int i = 0; i < t->settings.seats; i++)
        if ((due >> i & 1) !=
            ((t->awaited >> i & 1) && (t->settings.seat[i].kind == TABLE_BOT || (t->away >> i & 1))))
            return "bots due";
    const uint64_t deadline = table_deadline(t);
    if ((deadline != 0) != (t->settings.clock > 0 && (t->awaited & ~due)))
        return "a deadline with nobody to wait for, or none";
    if (deadline != 0 && (table_late(t, deadline - 1) != -1 || table_late(t, deadline) < 0))
        return "late before the deadline, or not after it";
    return NULL;
}

/* ---- Lines -------------------------------------------------------------------------------------- */

typedef struct {
    const hp_listener *further;
    int n;
} counted_events;

static void count_and_pass(void *self, const hp_event *event)
{
    counted_events *c = self;
    c->n++;
    if (c->further != NULL)
        c->further->hear(c->further->self, event);
}

/* Plays a line from a block of just its size. NULL, or what is wrong with what the table did: refused lines
 * change nothing and nothing is told, others count as one entry. */
__attribute__((unused)) static const char *try_line(table *t, int seat, const char *line, size_t length,
                                                    uint64_t now, const hp_listener *listener,
                                                    table_error *error, hp_error *rule)
{
    table before;
    counted_events events = {.further = listener};
    const hp_listener counter = {.hear = count_and_pass, .self = &events};
    char *copy = malloc(length > 0 ? length : 1);
    if (copy == NULL)
        return "no memory";
    memcpy(&before, t, sizeof before); /* with what may lie between its members */
    memcpy(copy, line, length);
    *error = table_play(t, seat, copy, length, now, &counter, rule);
    free(copy);
    if (*error != TABLE_FINE)
        return events.n > 0                                  ? "told, though refused"
               : memcmp(&before, t, sizeof before) != 0      ? "changed, though refused"
               : (*error == TABLE_ILLEGAL) && *rule == HP_OK ? "illegal by no rule"
                                                             : NULL;
    if (t->entries != before.entries + 1 || t->moved != (now > before.moved ? now : before.moved))
        return "an entry that was not counted";
    return wrong_with(t);
}

/* ---- JSON --------------------------------------------------------------------------------------- */

/* Behind the value that starts there, or NULL where none does. Strict; deep nesting is none of ours. */
static const char *json_value(const char *p, const char *end, int depth);

static const char *json_string(const char *p, const char *end)
{
    if (p == end || *p++ != '"')
        return NULL;
    for (; p < end && *p != '"'; p++)
        if ((unsigned char)*p < 0x20 || (*p == '\\' && (++p == end || (*p != '"' && *p != '\\'))))
            return NULL;
    return p < end ? p + 1 : NULL;
}

static const char *json_number(const char *p, const char *end)
{
    if (p < end && *p == '-')
        p++;
    if (p == end || *p < '0' || *p > '9')
        return NULL;
    if (*p == '0')
        return p + 1;
    while (p < end && *p >= '0' && *p <= '9')
        p++;
    return p;
}

static const char *json_list(const char *p, const char *end, int depth)
{
    const bool object = *p++ == '{';
    const char close = object ? '}' : ']';
    if (p < end && *p == close)
        return p + 1;
    for (;;) {
        if (object && ((p = json_string(p, end)) == NULL || p == end || *p++ != ':'))
            return NULL;
        if ((p = json_value(p, end, depth + 1)) == NULL || p == end)
            return NULL;
        if (*p == close)
            return p + 1;
        if (*p++ != ',')
            return NULL;
    }
}

static const char *json_value(const char *p, const char *end, int depth)
{
    if (p == NULL || p == end || depth > 8)
        return NULL;
    if (*p == '{' || *p == '[')
        return json_list(p, end, depth);
    if (*p == '"')
        return json_string(p, end);
    if (end - p >= 4 && memcmp(p, "true", 4) == 0)
        return p + 4;
    if (end - p >= 5 && memcmp(p, "false", 5) == 0)
        return p + 5;
    return json_number(p, end);
}

/* One object, without blanks, and a line feed. */
__attribute__((unused)) static bool is_message(const char *text, size_t length)
{
    return length > 2 && text[0] == '{' && text[length - 1] == '\n' && text[length] == '\0' &&
           json_value(text, text + length - 1, 0) == text + length - 1;
}

#endif
