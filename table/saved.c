#include "table/saved.h"

#include "record/text.h"
#include "record/track_text.h"

#include <string.h>

/* "tables 2", then a line for each figure and each seat; this is between a keeper and itself. "tables 1" is the same
 * for a table with old manners. */
enum { FORMAT = 2 };

static void hex(text_out *out, const uint8_t bytes[32])
{
    char text[HP_SEED_TEXT];
    hp_hex_write(bytes, text);
    hp_out_text(out, text);
}

size_t saved_write(const table_settings *s, char *buffer, size_t size)
{
    text_out out = hp_text_into(buffer, size);
    hp_out_number_line(&out, "tables", s->old_manners ? 1 : FORMAT);
    hp_out_line(&out, "circuit", s->circuit);
    hp_out_text(&out, "track ");
    hp_out_track(&out, &s->track);
    hp_out_char(&out, '\n');
    hp_out_number_line(&out, "laps", s->laps);
    hp_out_number_line(&out, "substitute", s->substitute);
    hp_out_number_line(&out, "clock", (int32_t)s->clock);
    hp_out_text(&out, "secret ");
    hex(&out, s->secret);
    hp_out_char(&out, '\n');
    for (int i = 0; i < s->seats; i++) {
        const table_seat *seat = &s->seat[i];
        const int figures[] = {seat->kind, seat->level, seat->colour, seat->handicap};
        hp_out_text(&out, "seat");
        for (int k = 0; k < 4; k++) {
            hp_out_char(&out, ' ');
            hp_out_number(&out, figures[k]);
        }
        hp_out_char(&out, ' ');
        hex(&out, seat->key);
        hp_out_char(&out, ' ');
        hex(&out, seat->salt);
        hp_out_char(&out, ' ');
        hp_out_text(&out, seat->name);
        hp_out_char(&out, '\n');
    }
    return hp_out_end(&out);
}

/* ---- Reading ------------------------------------------------------------------------------------ */

/* The next line of the text, which is moved on; false at its end. */
static bool next_line(const char **text, text_in *in, hp_fault *fault)
{
    const char *end = strchr(*text, '\n');
    if (end == NULL)
        return false;
    *in = (text_in){.text = *text, .length = (size_t)(end - *text), .fault = fault};
    *text = end + 1;
    return true;
}

static bool bytes(text_in *in, uint8_t out[32])
{
    text_word word;
    return hp_next_word(in, "bytes", &word) && hp_hex_read(word.text, word.length, out);
}

static bool figure(const char **text, const char *key, int32_t high, int32_t *value)
{
    hp_fault fault;
    text_in in;
    return next_line(text, &in, &fault) && hp_next_is(&in, key, key) &&
           hp_next_number(&in, key, 0, high, value) && hp_no_more(&in);
}

static bool read_seat(text_in *in, table_seat *seat)
{
    int32_t figures[4];
    if (!hp_next_is(in, "seat", "seat"))
        return false;
    for (int i = 0; i < 4; i++)
        if (!hp_next_number(in, "figure", 0, 255, &figures[i]))
            return false;
    if (!bytes(in, seat->key) || !bytes(in, seat->salt) || in->at == in->length)
        return false;
    const size_t length = in->length - in->at - 1; /* a blank, and the name */
    if (length > HP_NAME_MAX)
        return false;
    memcpy(seat->name, in->text + in->at + 1, length);
    seat->kind = (uint8_t)figures[0];
    seat->level = (uint8_t)figures[1];
    seat->colour = (uint8_t)figures[2];
    seat->handicap = (uint8_t)figures[3];
    return true;
}

bool saved_read(const char *text, table_settings *settings)
{
    table_settings s = {.seats = 0};
    hp_fault fault;
    text_in in;
    text_word word;
    int32_t format, laps, substitute, clock;
    if (!figure(&text, "tables", FORMAT, &format) || format < 1)
        return false;
    if (!next_line(&text, &in, &fault) || !hp_next_is(&in, "circuit", "circuit") ||
        !hp_next_word(&in, "name", &word) || !hp_word_to_name(word, s.circuit))
        return false;
    if (!next_line(&text, &in, &fault) || !hp_next_is(&in, "track", "track") ||
        !hp_next_word(&in, "figures", &word) || !hp_read_track(&in, word, &s.track))
        return false;
    if (!figure(&text, "laps", HP_LAPS_MAX, &laps) ||
        !figure(&text, "substitute", TABLE_LEVELS - 1, &substitute) ||
        !figure(&text, "clock", TABLE_CLOCK_MAX, &clock))
        return false;
    if (!next_line(&text, &in, &fault) || !hp_next_is(&in, "secret", "secret") || !bytes(&in, s.secret))
        return false;
    for (; next_line(&text, &in, &fault); s.seats++)
        if (s.seats == HP_CARS_MAX || !read_seat(&in, &s.seat[s.seats]))
            return false;
    s.old_manners = format == 1;
    s.laps = (uint8_t)laps;
    s.substitute = (uint8_t)substitute;
    s.clock = (uint32_t)clock;
    *settings = s;
    return *text == '\0';
}
