/* Circuits, and settings for a table out of what somebody chose. */
#include "engine.h"

#include "record/embedded.h"
#include "table/saved.h"

#include <string.h>

/* ---- Circuits ----------------------------------------------------------------------------------- */

int engine_circuits(void);
int engine_circuit(size_t length);
int engine_sha256(size_t length);
int engine_settle(size_t length);

/* A list of name, title and laps. */
EXPORT(circuits) int engine_circuits(void)
{
    engine_begin();
    engine_add_text("[");
    for (int i = 0; i < hp_circuits(); i++) {
        hp_circuit circuit;
        hp_circuit_at(i, &circuit);
        engine_add_text(i > 0 ? ",{" : "{");
        engine_add_string("name", circuit.name, strlen(circuit.name));
        engine_add_string("title", circuit.title, strlen(circuit.title));
        engine_add_number("laps", circuit.laps);
        engine_add_text("}");
    }
    engine_add_text("]");
    return engine_end();
}

/* The file of the circuit of that name. */
EXPORT(circuit) int engine_circuit(size_t length)
{
    const char *name = engine_text(length);
    engine_begin();
    for (int i = 0; i < hp_embedded_circuit_count && name != NULL; i++)
        if (strcmp(hp_embedded_circuits[i].name, name) == 0)
            engine_add(hp_embedded_circuits[i].data, hp_embedded_circuits[i].size);
    return engine_end();
}

/* Browsers have it too, but not for pages that came without TLS. */
EXPORT(sha256) int engine_sha256(size_t length)
{
    const char *text = engine_text(length);
    uint8_t digest[32];
    char hex[HP_SEED_TEXT];
    engine_begin();
    if (text != NULL) {
        hp_sha256(text, length, digest);
        hp_hex_write(digest, hex);
        engine_add_text(hex);
    }
    return engine_end();
}

/* ---- Settings ----------------------------------------------------------------------------------- */

/* What was chosen, a line each:
 *
 *     circuit usa               or "file", and the circuit file behind all other lines
 *     laps 2                    0: as the circuit says
 *     substitute driver
 *     clock 60
 *     secret 64 hex digits
 *     open HANDICAP             and so on for all seats
 *     bot HANDICAP LEVEL
 *     person HANDICAP COLOUR SALT KEY NAME      - stands for no salt */
typedef struct {
    const char *left;
    text_in in;
    hp_fault fault;
} reading;

static bool next_line(reading *r)
{
    const char *end = strchr(r->left, '\n');
    if (end == NULL)
        return false;
    r->in = (text_in){.text = r->left, .length = (size_t)(end - r->left), .fault = &r->fault};
    r->left = end + 1;
    return true;
}

static bool keyed(reading *r, const char *key)
{
    return next_line(r) && hp_next_is(&r->in, key, key);
}

static bool number(reading *r, const char *key, int32_t high, int32_t *value)
{
    return keyed(r, key) && hp_next_number(&r->in, key, 0, high, value) && hp_no_more(&r->in);
}

static bool bytes(reading *r, uint8_t out[32])
{
    text_word word;
    return hp_next_word(&r->in, "bytes", &word) && hp_hex_read(word.text, word.length, out);
}

static table_error level(reading *r, uint8_t *out)
{
    text_word word;
    table_level found;
    if (!hp_next_word(&r->in, "level", &word) || !table_level_named(word.text, word.length, &found))
        return TABLE_NO_LEVEL;
    *out = (uint8_t)found;
    return hp_no_more(&r->in) ? TABLE_FINE : TABLE_NOT_A_LINE;
}

static table_error person(reading *r, table_seat *seat)
{
    text_word word;
    table_colour colour;
    if (!hp_next_word(&r->in, "colour", &word) || !table_colour_named(word.text, word.length, &colour))
        return TABLE_BAD_COLOUR;
    text_in salt = r->in;
    if (!hp_next_word(&r->in, "salt", &word))
        return TABLE_BAD_SALT;
    if (!hp_word_is(word, "-")) {
        r->in = salt;
        if (!bytes(r, seat->salt))
            return TABLE_BAD_SALT;
    }
    if (!bytes(r, seat->key))
        return TABLE_NOT_A_LINE;
    const size_t at = r->in.at + 1; /* a blank, and the name to the line's end */
    const size_t length = at < r->in.length ? r->in.length - at : 0;
    if (!table_name_valid(r->in.text + r->in.length - length, length))
        return TABLE_BAD_NAME;
    memcpy(seat->name, r->in.text + at, length);
    seat->kind = TABLE_PERSON;
    seat->colour = (uint8_t)colour;
    return TABLE_FINE;
}

static table_error seat(reading *r, table_settings *s)
{
    table_seat *new = &s->seat[s->seats];
    text_word kind;
    int32_t handicap;
    if (s->seats == HP_CARS_MAX || !hp_next_word(&r->in, "kind", &kind) ||
        !hp_next_number(&r->in, "handicap", 0, HP_HANDICAP_MAX, &handicap))
        return TABLE_NOT_A_LINE;
    *new = (table_seat){.colour = TABLE_COLOURS, .level = s->substitute, .handicap = (uint8_t)handicap};
    table_error error = TABLE_NOT_A_LINE;
    if (hp_word_is(kind, "open"))
        error = hp_no_more(&r->in) ? TABLE_FINE : TABLE_NOT_A_LINE;
    else if (hp_word_is(kind, "person"))
        error = person(r, new);
    else if (hp_word_is(kind, "bot")) {
        new->kind = TABLE_BOT;
        error = level(r, &new->level);
    }
    for (int i = 0; i < s->seats && error == TABLE_FINE; i++)
        if (new->colour < TABLE_COLOURS && s->seat[i].colour == new->colour)
            error = TABLE_COLOUR_TAKEN;
    s->seats++;
    return error;
}

static bool find_circuit(reading *r, bool of_file, const char *name, hp_circuit *circuit)
{
    hp_circuit known;
    if (!of_file)
        return hp_circuit_named(name, circuit);
    return hp_circuit_read(r->left, strlen(r->left), circuit, &r->fault) == HP_TEXT_OK &&
           (!hp_circuit_named(circuit->name, &known) ||
            memcmp(&known.track, &circuit->track, sizeof known.track) == 0);
}

static table_error read_opening(reading *r, table_settings *s)
{
    text_word word;
    char name[HP_NAME_MAX + 1] = "";
    int32_t laps, clock;
    hp_circuit circuit;
    if (!next_line(r) || !hp_next_word(&r->in, "circuit", &word))
        return TABLE_NOT_A_LINE;
    const bool of_file = hp_word_is(word, "file");
    if (!of_file && (!hp_next_word(&r->in, "circuit", &word) || !hp_word_to_name(word, name)))
        return TABLE_NOT_A_LINE;
    if (!number(r, "laps", HP_LAPS_MAX, &laps) || !keyed(r, "substitute"))
        return TABLE_NOT_A_LINE;
    table_error error = level(r, &s->substitute);
    if (error != TABLE_FINE)
        return error;
    if (!number(r, "clock", TABLE_CLOCK_MAX, &clock) || !keyed(r, "secret") || !bytes(r, s->secret))
        return TABLE_NOT_A_LINE;
    while (*r->left != '\0' && *r->left != '\n') {
        if (!next_line(r))
            return TABLE_NOT_A_LINE;
        if ((error = seat(r, s)) != TABLE_FINE)
            return error;
    }
    if (of_file && *r->left == '\n')
        r->left++;
    if (!find_circuit(r, of_file, name, &circuit))
        return TABLE_NOT_A_LINE;
    memcpy(s->circuit, circuit.name, sizeof s->circuit);
    s->track = circuit.track;
    s->laps = laps > 0 ? (uint8_t)laps : circuit.laps;
    s->clock = (uint32_t)clock;
    return s->seats > 0 ? TABLE_FINE : TABLE_NOT_A_LINE;
}

/* The answer is the text of the settings, or an error message in JSON. */
EXPORT(settle) int engine_settle(size_t length)
{
    const char *text = engine_text(length);
    table_settings settings = {.seats = 0};
    reading r = {.left = text};
    char out[SAVED_TEXT];
    const table_error error = text != NULL ? read_opening(&r, &settings) : TABLE_NOT_A_LINE;
    engine_begin();
    if (error == TABLE_FINE)
        engine_add(out, saved_write(&settings, out, sizeof out));
    else
        engine_add(out, table_error_message(error, HP_OK, out, sizeof out));
    return engine_end();
}
