/* What is asked by HTTP: docs/PROTOCOL.md has the list. */
#define _POSIX_C_SOURCE 200809L
#include "record/embedded.h"
#include "server/session.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { LISTED = 100, CIRCUIT_FILE = 32 * 1024, SEAT_TEXT = TOKEN_TEXT + 32 };

static const char as_json[] = "application/json", as_text[] = "text/plain; charset=utf-8";

static void bad_request(session *c, const char *text)
{
    session_refuse(c, 400, "bad_request", text);
}

static void refuse_as(session *c, table_error error, hp_error rule)
{
    session_refuse(c, 409, table_error_word(error, rule), table_error_text(error, rule));
}

/* ---- Reading JSON ------------------------------------------------------------------------------- */

/* Whether an object has only these keys, ended by NULL. */
static bool only_keys(json_t *object, const char *const *keys)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        const char *const *known = keys;
        while (*known != NULL && strcmp(*known, key) != 0)
            known++;
        if (*known == NULL)
            return false;
    }
    return true;
}

/* The body as an object that has only these keys; NULL after refusing it. An empty body is an empty object. */
static json_t *read_body(session *c, const char *const *keys)
{
    json_error_t error;
    json_t *body = json_loadb(c->in_body > 0 ? c->body : "{}", c->in_body > 0 ? c->in_body : 2,
                              JSON_REJECT_DUPLICATES, &error);
    if (!json_is_object(body)) {
        bad_request(c, "The body must be a JSON object.");
        json_decref(body);
        return NULL;
    }
    if (!only_keys(body, keys)) {
        bad_request(c, "The body has a key that is not known here.");
        json_decref(body);
        return NULL;
    }
    return body;
}

/* A string of the object, or otherwise when it has none; NULL when it is something else, or has a NUL. */
static const char *text_of(const json_t *object, const char *key, const char *otherwise)
{
    const json_t *value = json_object_get(object, key);
    if (value == NULL)
        return otherwise;
    const char *text = json_string_value(value);
    return text != NULL && strlen(text) == json_string_length(value) ? text : NULL;
}

/* False when it is no number within the bounds. */
static bool number_of(const json_t *object, const char *key, int64_t low, int64_t high, int64_t otherwise,
                      int64_t *number)
{
    const json_t *value = json_object_get(object, key);
    *number = value == NULL ? otherwise : json_is_integer(value) ? json_integer_value(value) : low - 1;
    return *number >= low && *number <= high;
}

static bool salt_of(const json_t *object, uint8_t salt[32])
{
    const char *text = text_of(object, "salt", NULL);
    return json_object_get(object, "salt") == NULL || (text != NULL && hp_hex_read(text, strlen(text), salt));
}

/* ---- Tokens ------------------------------------------------------------------------------------- */

static void make_token(char token[TOKEN_TEXT + 1], uint8_t key[32])
{
    unsigned char bytes[TOKEN_TEXT / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        abort();
    for (int i = 0; i < TOKEN_TEXT / 2; i++)
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    hp_sha256(token, TOKEN_TEXT, key);
}

/* The seat that the request has the token of; -1 after refusing it. */
static int seat_of(session *c, const hall_table *t)
{
    if (c->token[0] == '\0') {
        session_refuse(c, 401, "no_token", "This needs the token of a seat: Authorization: Bearer TOKEN.");
        return -1;
    }
    const int seat = table_seat_of(hall_live(t), c->token, TOKEN_TEXT);
    if (seat < 0)
        session_refuse(c, 401, "wrong_token", "There is no seat with this token.");
    return seat;
}

/* ---- Opening a table ---------------------------------------------------------------------------- */

typedef struct {
    table_settings settings;
    hp_circuit circuit;
    const char *circuit_file;
    bool listed;
    char token[HP_CARS_MAX][TOKEN_TEXT + 1]; /* "" where nobody sits yet */
} opening;

/* What is wrong with it, or NULL. */
static const char *read_circuit(const json_t *body, opening *o)
{
    const char *name = text_of(body, "circuit", ""), *file = text_of(body, "circuit_file", "");
    hp_fault fault;
    if (name == NULL || file == NULL || (name[0] == '\0') == (file[0] == '\0'))
        return "Give either circuit, a name, or circuit_file, a text.";
    if (strlen(file) > CIRCUIT_FILE)
        return "The circuit file is too large.";
    if (file[0] != '\0' && hp_circuit_read(file, strlen(file), &o->circuit, &fault) != HP_TEXT_OK)
        return "The circuit file cannot be read; hairpin circuits says what is wrong with it.";
    if (name[0] != '\0' && !hp_circuit_named(name, &o->circuit))
        return "There is no circuit of that name.";
    hp_circuit known;
    if (file[0] != '\0' && hp_circuit_named(o->circuit.name, &known) &&
        memcmp(&known.track, &o->circuit.track, sizeof known.track) != 0)
        return "A circuit of that name is built in and has other figures; choose another name.";
    o->circuit_file = file;
    memcpy(o->settings.circuit, o->circuit.name, sizeof o->settings.circuit);
    o->settings.track = o->circuit.track;
    return NULL;
}

static const char *read_person(const json_t *body, table_seat *seat, char token[TOKEN_TEXT + 1])
{
    const char *name = text_of(body, "name", ""), *colour = text_of(body, "colour", "");
    table_colour chosen;
    if (name == NULL || !table_name_valid(name, strlen(name)))
        return table_error_text(TABLE_BAD_NAME, HP_OK);
    if (colour == NULL || !table_colour_named(colour, strlen(colour), &chosen))
        return table_error_text(TABLE_BAD_COLOUR, HP_OK);
    if (!salt_of(body, seat->salt))
        return table_error_text(TABLE_BAD_SALT, HP_OK);
    memcpy(seat->name, name, strlen(name));
    seat->colour = (uint8_t)chosen;
    make_token(token, seat->key);
    return NULL;
}

static const char *read_seat(json_t *body, table_seat *seat, table_level substitute,
                             char token[TOKEN_TEXT + 1])
{
    static const char *const open_keys[] = {"kind", "handicap", NULL};
    static const char *const bot_keys[] = {"kind", "handicap", "level", NULL};
    static const char *const person_keys[] = {"kind", "handicap", "name", "colour", "salt", NULL};
    static const char unknown[] = "A seat has a key that does not belong to its kind.";
    const char *kind = json_is_object(body) ? text_of(body, "kind", "") : NULL;
    const char *level = json_is_object(body) ? text_of(body, "level", "driver") : NULL;
    table_level chosen;
    int64_t handicap;
    if (kind == NULL || level == NULL)
        return "Each seat is an object with a kind.";
    if (!number_of(body, "handicap", 0, HP_HANDICAP_MAX, 0, &handicap))
        return "A handicap is 0 to 2.";
    *seat =
        (table_seat){.colour = TABLE_COLOURS, .level = (uint8_t)substitute, .handicap = (uint8_t)handicap};
    if (strcmp(kind, "open") == 0)
        return only_keys(body, open_keys) ? NULL : unknown;
    if (strcmp(kind, "person") == 0) {
        seat->kind = TABLE_PERSON;
        return only_keys(body, person_keys) ? read_person(body, seat, token) : unknown;
    }
    if (strcmp(kind, "bot") != 0)
        return "The kind of a seat is person, open or bot.";
    if (!only_keys(body, bot_keys))
        return unknown;
    if (!table_level_named(level, strlen(level), &chosen))
        return table_error_text(TABLE_NO_LEVEL, HP_OK);
    seat->kind = TABLE_BOT;
    seat->level = (uint8_t)chosen;
    return NULL;
}

static const char *read_seats(const json_t *body, opening *o)
{
    const json_t *seats = json_object_get(body, "seats");
    const size_t n = json_array_size(seats);
    if (n < 1 || n > HP_CARS_MAX)
        return "seats is a list of 1 to 6.";
    o->settings.seats = (uint8_t)n;
    for (size_t i = 0; i < n; i++) {
        table_seat *seat = &o->settings.seat[i];
        const char *wrong =
            read_seat(json_array_get(seats, i), seat, (table_level)o->settings.substitute, o->token[i]);
        for (size_t k = 0; k < i && wrong == NULL; k++)
            if (seat->colour < TABLE_COLOURS && o->settings.seat[k].colour == seat->colour)
                wrong = table_error_text(TABLE_COLOUR_TAKEN, HP_OK);
        if (wrong != NULL)
            return wrong;
    }
    return NULL;
}

static const char *read_opening(const json_t *body, opening *o)
{
    const char *wrong = read_circuit(body, o);
    const char *substitute = text_of(body, "substitute", "driver");
    const json_t *listed = json_object_get(body, "listed");
    table_level level;
    int64_t laps, clock;
    if (wrong != NULL)
        return wrong;
    if (!number_of(body, "laps", 1, HP_LAPS_MAX, o->circuit.laps, &laps))
        return "laps is 1 to 9.";
    if (!number_of(body, "clock", 0, TABLE_CLOCK_MAX, 0, &clock))
        return "clock is 0 or seconds, up to two weeks.";
    if (substitute == NULL || !table_level_named(substitute, strlen(substitute), &level))
        return table_error_text(TABLE_NO_LEVEL, HP_OK);
    if (listed != NULL && !json_is_boolean(listed))
        return "listed is true or false.";
    o->settings.laps = (uint8_t)laps;
    o->settings.clock = (uint32_t)clock;
    o->settings.substitute = (uint8_t)level;
    o->listed = json_is_true(listed);
    return read_seats(body, o);
}

/* The notice is of the table as it was asked for, which is on the disk when the answer goes out. */
static void answer_opening(session *c, hall_table *t, const opening *o)
{
    char notice[TABLE_STATE_TEXT], text[TABLE_STATE_TEXT + 1024];
    const size_t n = table_notice(hall_live(t), hall_id(t), notice, sizeof notice);
    notice[n - 1] = '\0';
    int length = snprintf(text, sizeof text, "{\"id\":\"%s\",\"tokens\":[", hall_id(t));
    const char *comma = "";
    for (int i = 0; i < o->settings.seats; i++)
        if (o->token[i][0] != '\0') {
            length += snprintf(text + length, sizeof text - (size_t)length,
                               "%s{\"seat\":%d,\"token\":\"%s\"}", comma, i, o->token[i]);
            comma = ",";
        }
    length += snprintf(text + length, sizeof text - (size_t)length, "],\"table\":%s}\n", notice);
    session_answer(c, 201, as_json, text, (size_t)length);
}

static void open_table(session *c)
{
    static const char *const keys[] = {"circuit", "circuit_file", "laps",   "seats",
                                       "clock",   "substitute",   "listed", NULL};
    json_t *body = read_body(c, keys);
    opening o = {.listed = false};
    uint64_t ticket;
    if (body == NULL)
        return;
    const char *wrong = read_opening(body, &o);
    if (wrong != NULL) {
        bad_request(c, wrong);
    } else if (!hall_welcomes(c->s->hall, c->address)) {
        c->s->figures.refused_full++;
        session_refuse(c, 429, "full", "This address has opened many tables; finish some, or wait.");
    } else {
        hall_table *t = hall_create(c->s->hall, &o.settings, o.circuit_file, o.listed, c->address, &ticket);
        if (t == NULL) {
            c->s->figures.refused_full++;
            session_refuse(c, 503, "full", "The server takes no more tables now.");
        } else {
            answer_opening(c, t, &o);
            session_answer_when(c, ticket);
        }
    }
    json_decref(body);
}

/* ---- At a table --------------------------------------------------------------------------------- */

static void show_notice(session *c, hall_table *t)
{
    char text[TABLE_STATE_TEXT];
    session_answer(c, 200, as_json, text, table_notice(hall_shown(t), hall_id(t), text, sizeof text));
}

static void list_tables(session *c)
{
    hall_table *found[LISTED];
    const int n = hall_list(c->s->hall, found, LISTED);
    char *text = malloc((size_t)LISTED * TABLE_STATE_TEXT + 32);
    if (text == NULL) {
        session_refuse(c, 503, "full", "The server is short of memory.");
        return;
    }
    size_t length = (size_t)sprintf(text, "{\"tables\":[");
    for (int i = 0; i < n; i++) {
        if (i > 0)
            text[length++] = ',';
        length += table_notice(hall_shown(found[i]), hall_id(found[i]), text + length, TABLE_STATE_TEXT);
        length--; /* the line feed */
    }
    length += (size_t)sprintf(text + length, "]}\n");
    session_answer(c, 200, as_json, text, length);
    free(text);
}

/* Says a line for a seat, and answers when it is safe. */
static bool say(session *c, hall_table *t, int seat, const char *line, const char *answer, int status)
{
    hp_error rule = HP_OK;
    uint64_t ticket;
    const table_error error = hall_say(c->s->hall, t, seat, line, strlen(line), &rule, &ticket);
    if (error != TABLE_FINE) {
        refuse_as(c, error, rule);
        return false;
    }
    session_answer(c, status, as_json, answer, strlen(answer));
    session_answer_when(c, ticket);
    return true;
}

/* A token that is as good as one of ours: no other seat of the table has it, and a WebSocket can begin with it. */
static bool is_good_token(const hall_table *t, const char *token)
{
    return strspn(token, "0123456789abcdef") == TOKEN_TEXT &&
           table_seat_of(hall_live(t), token, TOKEN_TEXT) < 0;
}

/* Whoever has the seat already has not heard so, and asks again. The race may have started with it. */
static bool sits_there(const session *c, const hall_table *t, int number)
{
    return c->token[0] != '\0' && hall_live(t)->settings.seat[number].kind == TABLE_PERSON &&
           table_seat_of(hall_live(t), c->token, TOKEN_TEXT) == number;
}

static void write_seat(int number, const char *token, char answer[SEAT_TEXT])
{
    snprintf(answer, SEAT_TEXT, "{\"seat\":%d,\"token\":\"%s\"}\n", number, token);
}

static void say_again_who_sits_there(session *c, int number)
{
    char answer[SEAT_TEXT];
    write_seat(number, c->token, answer);
    session_answer(c, 201, as_json, answer, strlen(answer));
    session_answer_when(c, hall_newest(c->s->hall));
}

static void take_seat(session *c, hall_table *t, int number)
{
    static const char *const keys[] = {"name", "colour", "salt", NULL};
    const table_seat *seat = &hall_live(t)->settings.seat[number];
    if (sits_there(c, t, number)) {
        say_again_who_sits_there(c, number);
        return;
    }
    json_t *body = read_body(c, keys);
    if (body == NULL)
        return;
    const bool kept = seat->kind == TABLE_OPEN && seat->name[0] != '\0';
    const char *name = text_of(body, "name", kept ? seat->name : "");
    const char *colour = text_of(body, "colour", kept ? table_colour_word((table_colour)seat->colour) : "");
    char token[TOKEN_TEXT + 1], line[TABLE_LINE + 1], hex[HP_SEED_TEXT], salt[HP_SEED_TEXT] = "-",
                                                                         answer[SEAT_TEXT];
    uint8_t key[32], bytes[32] = {0};
    table_colour chosen;
    if (name == NULL || !table_name_valid(name, strlen(name))) {
        bad_request(c, table_error_text(TABLE_BAD_NAME, HP_OK));
    } else if (colour == NULL || !table_colour_named(colour, strlen(colour), &chosen)) {
        bad_request(c, table_error_text(TABLE_BAD_COLOUR, HP_OK));
    } else if (!salt_of(body, bytes)) {
        bad_request(c, table_error_text(TABLE_BAD_SALT, HP_OK));
    } else {
        if (json_object_get(body, "salt") != NULL)
            hp_hex_write(bytes, salt);
        if ((kept && c->token[0] != '\0') || is_good_token(t, c->token)) {
            memcpy(token, c->token, sizeof token);
            hp_sha256(token, TOKEN_TEXT, key);
        } else {
            make_token(token, key);
        }
        hp_hex_write(key, hex);
        snprintf(line, sizeof line, "take %s %s %s %s", table_colour_word(chosen), salt, hex, name);
        write_seat(number, token, answer);
        say(c, t, number, line, answer, 201);
    }
    json_decref(body);
}

/* The same for what may be said too often. To take a seat may not: before the next time somebody has to leave. */
static void say_now_and_then(session *c, hall_table *t, int seat, const char *line)
{
    const char *code, *why;
    if (lines_enough(c, t, seat, line, &code, &why))
        session_refuse(c, strcmp(code, "too_fast") == 0 ? 429 : 409, code, why);
    else
        say(c, t, seat, line, "{}\n", 200);
}

static void hand_to_bot(session *c, hall_table *t, int number)
{
    static const char *const keys[] = {"level", NULL};
    json_t *body = read_body(c, keys);
    char line[32];
    if (body == NULL)
        return;
    const char *level = text_of(body, "level", "driver");
    table_level chosen;
    if (level == NULL || !table_level_named(level, strlen(level), &chosen)) {
        bad_request(c, table_error_text(TABLE_NO_LEVEL, HP_OK));
    } else {
        snprintf(line, sizeof line, "bot %s", table_level_word(chosen));
        say_now_and_then(c, t, number, line);
    }
    json_decref(body);
}

static void rematch(session *c, hall_table *t)
{
    uint64_t ticket = 0;
    char answer[64];
    if (hall_live(t)->phase != TABLE_OVER) {
        refuse_as(c, TABLE_NOT_NOW, HP_OK);
        return;
    }
    const hall_table *again = hall_rematch(c->s->hall, t, c->address, &ticket);
    if (again == NULL) {
        session_refuse(c, 503, "full", "The server takes no more tables now.");
        return;
    }
    snprintf(answer, sizeof answer, "{\"id\":\"%s\"}\n", hall_id(again));
    session_answer(c, 201, as_json, answer, strlen(answer));
    session_answer_when(c, ticket);
}

static void download(session *c, char *text, size_t length, const char *type)
{
    if (text == NULL)
        refuse_as(c, TABLE_NOT_NOW, HP_OK);
    else
        session_answer(c, 200, type, text, length);
    free(text);
}

static void show_circuit(session *c, const hall_table *t)
{
    const char *text = hall_circuit(t);
    if (text[0] != '\0') {
        session_answer(c, 200, as_text, text, strlen(text));
        return;
    }
    for (int i = 0; i < hp_embedded_circuit_count; i++)
        if (strcmp(hp_embedded_circuits[i].name, hall_shown(t)->settings.circuit) == 0) {
            session_answer(c, 200, as_text, hp_embedded_circuits[i].data, hp_embedded_circuits[i].size);
            return;
        }
    session_refuse(c, 404, "no_such_page", "There is nothing here.");
}

static void list_circuits(session *c)
{
    char text[8192];
    int length = snprintf(text, sizeof text, "{\"circuits\":[");
    for (int i = 0; i < hp_circuits() && length < (int)sizeof text - 256; i++) {
        hp_circuit circuit;
        hp_circuit_at(i, &circuit);
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "%s{\"name\":\"%s\",\"title\":\"%s\",\"laps\":%d}", i > 0 ? "," : "", circuit.name,
                           circuit.title, circuit.laps);
    }
    length += snprintf(text + length, sizeof text - (size_t)length, "]}\n");
    session_answer(c, 200, as_json, text, (size_t)length);
}

/* For those at this machine, whose own address would be of no use to anybody else. The others know one that is. */
static void show_server(session *c)
{
    char found[SERVER_ADDRESSES][SERVER_ADDRESS], text[SERVER_ADDRESSES * (SERVER_ADDRESS + 3) + 64];
    const bool local = strncmp(c->address, "127.", 4) == 0;
    const int n = local ? server_addresses(c->s->settings, found, SERVER_ADDRESSES) : 0;
    int length = snprintf(text, sizeof text, "{\"version\":\"%s\",\"addresses\":[", HP_VERSION);
    for (int i = 0; i < n; i++)
        length +=
            snprintf(text + length, sizeof text - (size_t)length, "%s\"%s\"", i > 0 ? "," : "", found[i]);
    length += snprintf(text + length, sizeof text - (size_t)length, "]}\n");
    session_answer(c, 200, as_json, text, (size_t)length);
}

/* ---- Which of them ------------------------------------------------------------------------------ */

static void nothing_here(session *c)
{
    session_refuse(c, 404, "no_such_page", "There is nothing here.");
}

static void wrong_method(session *c)
{
    session_refuse(c, 405, "wrong_method", "This cannot be asked for in that way.");
}

/* /seats/N, /seats/N/leave, /seats/N/bot */
static void at_seat(session *c, hall_table *t, const char *rest)
{
    const int number = rest[0] - '0';
    if (number < 0 || number >= hall_live(t)->settings.seats || (rest[1] != '\0' && rest[1] != '/')) {
        session_refuse(c, 404, "no_such_seat", "There is no such seat.");
        return;
    }
    const char *what = rest[1] == '/' ? rest + 2 : "";
    const bool leave = strcmp(what, "leave") == 0, bot = strcmp(what, "bot") == 0;
    if (what[0] != '\0' && !leave && !bot) {
        nothing_here(c);
        return;
    }
    if (!c->post) {
        wrong_method(c);
        return;
    }
    if (what[0] == '\0') {
        take_seat(c, t, number);
        return;
    }
    const int seat = seat_of(c, t);
    if (seat < 0)
        return;
    if (seat != number)
        session_refuse(c, 401, "wrong_token", "This is the token of another seat.");
    else if (leave)
        say_now_and_then(c, t, seat, "leave");
    else
        hand_to_bot(c, t, seat);
}

static void at_table(session *c, hall_table *t, const char *rest)
{
    static const char seats[] = "seats/";
    size_t length = 0;
    const bool start = strcmp(rest, "start") == 0, again = strcmp(rest, "rematch") == 0;
    const bool race = strcmp(rest, "race") == 0, events = strcmp(rest, "events") == 0;
    const bool circuit = strcmp(rest, "circuit") == 0;
    if (strncmp(rest, seats, sizeof seats - 1) == 0) {
        at_seat(c, t, rest + sizeof seats - 1);
    } else if (rest[0] != '\0' && !start && !again && !race && !events && !circuit) {
        nothing_here(c);
    } else if (c->post != (start || again)) {
        wrong_method(c);
    } else if (start || again) {
        const int seat = seat_of(c, t);
        if (seat >= 0 && start)
            say(c, t, seat, "start", "{}\n", 200);
        else if (seat >= 0)
            rematch(c, t);
    } else if (race) {
        char *text = hall_race_file(t, &length);
        download(c, text, length, as_text);
    } else if (events) {
        char *text = hall_event_log(t, &length);
        download(c, text, length, "application/jsonl; charset=utf-8");
    } else if (circuit) {
        show_circuit(c, t);
    } else {
        show_notice(c, t);
    }
}

/* "K7M2QX" as it is in an id; false when it is none. People write capitals, and take some letters for digits. */
static bool read_code(const char *text, char code[HALL_CODE + 1])
{
    if (strlen(text) != HALL_CODE)
        return false;
    for (int i = 0; i <= HALL_CODE; i++) {
        const char letter = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] - 'A' + 'a') : text[i];
        code[i] = letter == 'i' || letter == 'l' ? '1' : letter == 'o' ? '0' : letter;
    }
    return true;
}

/* Codes are short enough to be guessed, by somebody who may try often. */
static void at_code(session *c, const char *text)
{
    char code[HALL_CODE + 1];
    if (c->post) {
        wrong_method(c);
        return;
    }
    if (!limits_guess(c->s->limits, c->address, server_clock())) {
        c->s->figures.refused_rate++;
        session_refuse(c, 429, "too_fast", "Too many wrong codes from this address; wait a minute.");
        return;
    }
    hall_table *t = read_code(text, code) ? hall_with_code(c->s->hall, code) : NULL;
    if (t == NULL) {
        session_refuse(c, 404, "no_such_table", "No table with this code waits for people.");
        return;
    }
    limits_guessed(c->s->limits, c->address);
    show_notice(c, t);
}

static void show_figures(session *c)
{
    size_t length = 0;
    char *text = figures_write(c->s, &length);
    if (text != NULL)
        session_answer(c, 200, "text/plain; version=0.0.4", text, length);
    else
        session_refuse(c, 503, "full", "The server is short of memory.");
    free(text);
}

static void show_health(session *c)
{
    session_answer(c, 200, as_text, "ok\n", 3);
}

void api_answer(session *c)
{
    static const struct {
        const char *path;
        void (*get)(session *c), (*post)(session *c);
    } pages[] = {
        {"/healthz", show_health, NULL},          {"/metrics", show_figures, NULL},
        {"/api/circuits", list_circuits, NULL},   {"/api/server", show_server, NULL},
        {"/api/tables", list_tables, open_table},
    };
    static const char codes[] = "/api/codes/";
    char id[TABLE_ID + 1];
    int end = 0;
    if (c->s->stopping) {
        session_refuse(c, 503, "stopping", "The server is about to stop.");
        return;
    }
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++)
        if (strcmp(c->path, pages[i].path) == 0) {
            void (*page)(session *) = c->post ? pages[i].post : pages[i].get;
            (page != NULL ? page : wrong_method)(c);
            return;
        }
    if (c->post && pages_find(c->path) != NULL) {
        wrong_method(c);
        return;
    }
    if (strncmp(c->path, codes, sizeof codes - 1) == 0) {
        at_code(c, c->path + sizeof codes - 1);
        return;
    }
    if (sscanf(c->path, "/api/tables/%22[0-9A-Za-z_-]%n", id, &end) != 1 ||
        (c->path[end] != '\0' && c->path[end] != '/')) {
        nothing_here(c);
        return;
    }
    hall_table *t = strlen(id) == TABLE_ID ? hall_find(c->s->hall, id) : NULL;
    if (t == NULL)
        session_refuse(c, 404, "no_such_table", "There is no such table.");
    else
        at_table(c, t, c->path[end] == '/' ? c->path + end + 1 : "");
}
