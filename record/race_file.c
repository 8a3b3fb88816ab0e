/* Race files: docs/RACE-FILES.md. Reading one plays it, so that every line is checked as it comes. */
#include "record/track_text.h"

#include <string.h>

enum { FORMAT = 1 };

/* The lines of a head in their order, then what follows it. Only a mixed seed has a secret and salts. */
enum {
    LINE_FORMAT,
    LINE_RULES,
    LINE_CIRCUIT,
    LINE_TRACK,
    LINE_LAPS,
    LINE_CARS,
    LINE_SEAT,
    LINE_COMMITMENT,
    LINE_SECRET,
    LINE_SALT,
    LINE_SEED,
    LINE_PLAY
};

static const char *const keys[] = {
    [LINE_FORMAT] = "hairpin",  [LINE_RULES] = "rules",
    [LINE_CIRCUIT] = "circuit", [LINE_TRACK] = "track",
    [LINE_LAPS] = "laps",       [LINE_CARS] = "cars",
    [LINE_SEAT] = "seat",       [LINE_COMMITMENT] = "commitment",
    [LINE_SECRET] = "secret",   [LINE_SALT] = "salt",
    [LINE_SEED] = "seed",
};

/* ---- Writing ---------------------------------------------------------------------------------- */

/* The rest of a line. */
static void out_hex_line(text_out *out, const uint8_t bytes[32])
{
    char hex[HP_SEED_TEXT];
    hp_hex_write(bytes, hex);
    hp_out_text(out, hex);
    hp_out_char(out, '\n');
}

/* A salt of zeroes is none. */
static bool is_salt(const uint8_t salt[32])
{
    static const uint8_t none[32];
    return memcmp(salt, none, sizeof none) != 0;
}

size_t hp_head_write(const hp_head *head, char *buffer, size_t size)
{
    const hp_setup *setup = &head->setup;
    text_out out = hp_text_into(buffer, size);
    uint8_t commitment[32];
    hp_out_number_line(&out, "hairpin race", FORMAT);
    hp_out_number_line(&out, "rules", HP_RULES_VERSION);
    hp_out_line(&out, "circuit", head->circuit);
    hp_out_text(&out, "track ");
    hp_out_track(&out, &setup->track);
    hp_out_char(&out, '\n');
    hp_out_number_line(&out, "laps", setup->laps);
    hp_out_number_line(&out, "cars", setup->cars);
    for (int i = 0; i < setup->cars; i++) {
        hp_out_text(&out, "seat ");
        hp_out_number(&out, i);
        hp_out_text(&out, " handicap ");
        hp_out_number(&out, setup->handicap[i]);
        if (head->seat[i][0] != '\0')
            hp_out_char(&out, ' ');
        hp_out_text(&out, head->seat[i]);
        hp_out_char(&out, '\n');
    }
    hp_commitment(head->mixed ? head->secret : setup->seed, commitment);
    hp_out_text(&out, "commitment ");
    out_hex_line(&out, commitment);
    if (head->mixed) {
        hp_out_text(&out, "secret ");
        out_hex_line(&out, head->secret);
    }
    for (int i = 0; head->mixed && i < setup->cars; i++)
        if (is_salt(head->salt[i])) {
            hp_out_text(&out, "salt ");
            hp_out_number(&out, i);
            hp_out_char(&out, ' ');
            out_hex_line(&out, head->salt[i]);
        }
    hp_out_text(&out, "seed ");
    out_hex_line(&out, setup->seed);
    return hp_out_end(&out);
}

size_t hp_act_line_write(int car, hp_act act, char *buffer, size_t size)
{
    text_out out = hp_text_into(buffer, size);
    char text[HP_ACT_TEXT];
    hp_act_write(act, text, sizeof text);
    hp_out_number(&out, car);
    hp_out_char(&out, ' ');
    hp_out_text(&out, text);
    hp_out_char(&out, '\n');
    return hp_out_end(&out);
}

size_t hp_round_line_write(const hp_race *race, char *buffer, size_t size)
{
    text_out out = hp_text_into(buffer, size);
    const bool over = race->step == HP_STEP_OVER;
    hp_out_text(&out, over ? "end " : "round ");
    if (!over) {
        hp_out_number(&out, race->round);
        hp_out_char(&out, ' ');
    }
    hp_out_hex(&out, hp_hash(race));
    for (int place = 1; over && place <= race->cars; place++)
        for (int i = 0; i < race->cars; i++)
            if (race->car[i].place == place) {
                hp_out_char(&out, ' ');
                hp_out_number(&out, i);
            }
    hp_out_char(&out, '\n');
    return hp_out_end(&out);
}

/* ---- Reading ---------------------------------------------------------------------------------- */

/* The number behind a key, which has just been read. */
static bool read_value(text_in *in, const char *key, int32_t low, int32_t high, int32_t *value)
{
    text_word word;
    return hp_next_word(in, "number", &word) && hp_word_to_number(in, word, key, low, high, value);
}

static bool read_version(text_in *in, const char *what, int32_t known)
{
    int32_t version;
    const size_t at = in->at;
    if (!read_value(in, what, 1, INT16_MAX, &version))
        return false;
    if (version == known)
        return true;
    hp_fail(in, HP_TEXT_VERSION, hp_word_of(what));
    in->fault->column = (int)at + 2; /* behind the blank */
    in->fault->number = version;
    in->fault->high = known;
    return false;
}

static bool read_format(text_in *in)
{
    return hp_next_is(in, "race", "hairpin race 1") && read_version(in, "race", FORMAT);
}

static bool read_circuit_line(text_in *in, hp_head *head)
{
    text_word word;
    if (!hp_next_word(in, "name", &word))
        return false;
    return hp_word_to_name(word, head->circuit) || hp_fail(in, HP_TEXT_BAD_NAME, word);
}

/* A circuit of ours may not be spoken of with other figures. */
static bool read_track_line(text_in *in, hp_head *head)
{
    text_word word;
    bool known;
    if (!hp_next_word(in, "spaces", &word) || !hp_read_track(in, word, &head->setup.track))
        return false;
    if (!hp_track_is_built_in(head->circuit, &head->setup.track, &known) && known) {
        hp_fail(in, HP_TEXT_OTHER_FIGURES, hp_word_of(head->circuit));
        in->fault->column = (int)(word.text - in->text) + 1;
        return false;
    }
    return true;
}

/* seat 0 handicap 0 The name, to the end of the line */
static bool read_seat(text_in *in, hp_reader *reader)
{
    int32_t number, handicap;
    const int seat = reader->seats;
    if (!hp_next_number(in, "seat", seat, seat, &number) || !hp_next_is(in, "handicap", "handicap"))
        return false;
    if (!read_value(in, "handicap", 0, HP_HANDICAP_MAX, &handicap))
        return false;
    reader->head.setup.handicap[seat] = (uint8_t)handicap;
    reader->seats++;
    if (hp_at_end(in))
        return true;
    const text_word name = {in->text + in->at, in->length - in->at};
    if (name.length > HP_NAME_MAX)
        return hp_fail(in, HP_TEXT_BAD_NAME, name);
    memcpy(reader->head.seat[seat], name.text, name.length);
    in->at = in->length;
    return true;
}

static bool read_hex(text_in *in, uint8_t bytes[32])
{
    text_word word;
    if (!hp_next_word(in, "number", &word))
        return false;
    return hp_hex_read(word.text, word.length, bytes) || hp_fail(in, HP_TEXT_BAD_NUMBER, word);
}

static bool read_committed(text_in *in, const hp_reader *reader, const char *key, uint8_t bytes[32])
{
    uint8_t commitment[32];
    if (!read_hex(in, bytes))
        return false;
    hp_commitment(bytes, commitment);
    if (memcmp(commitment, reader->commitment, sizeof commitment) == 0)
        return true;
    in->at = 0;
    return hp_fail(in, HP_TEXT_COMMITMENT, hp_word_of(key));
}

/* salt 2 HEX: by rising seats, as many as have one */
static bool read_salt(text_in *in, hp_reader *reader)
{
    text_word word;
    int32_t seat;
    if (!read_value(in, "salt", reader->salts, reader->head.setup.cars - 1, &seat))
        return false;
    if (!hp_next_word(in, "number", &word))
        return false;
    uint8_t *salt = reader->head.salt[seat];
    if (!hp_hex_read(word.text, word.length, salt) || !is_salt(salt))
        return hp_fail(in, HP_TEXT_BAD_NUMBER, word);
    reader->salts = (uint8_t)(seat + 1);
    return true;
}

static bool read_seed(text_in *in, hp_reader *reader)
{
    hp_head *head = &reader->head;
    if (!head->mixed)
        return read_committed(in, reader, keys[LINE_SEED], head->setup.seed);
    uint8_t mixed[HP_SEED_BYTES];
    if (!read_hex(in, head->setup.seed))
        return false;
    hp_seed_mix(head->secret, head->salt, head->setup.cars, mixed);
    if (memcmp(mixed, head->setup.seed, sizeof mixed) == 0)
        return true;
    in->at = 0;
    return hp_fail(in, HP_TEXT_SEED_NOT_MIXED, (text_word){0});
}

/* The line that must come in a phase: secret and salts only may. */
static uint8_t line_due(int phase)
{
    return phase == LINE_SECRET || phase == LINE_SALT ? LINE_SEED : (uint8_t)phase;
}

/* Whether the line just read was the last of its key. */
static bool key_is_done(const hp_reader *reader)
{
    const int cars = reader->head.setup.cars;
    if (reader->phase == LINE_SEAT)
        return reader->seats == cars;
    return reader->phase != LINE_SALT || reader->salts == cars;
}

static bool read_head_line(text_in *in, hp_reader *reader)
{
    text_word word;
    int32_t number;
    hp_setup *setup = &reader->head.setup;
    if (!hp_next_word(in, keys[reader->phase], &word))
        return false;
    if (!hp_word_is(word, keys[reader->phase]))
        reader->phase = line_due(reader->phase);
    if (!hp_word_is(word, keys[reader->phase])) {
        in->at = 0;
        return hp_fail(in, HP_TEXT_MISSING_KEY,
                       hp_word_of(reader->phase == LINE_FORMAT ? "hairpin race 1" : keys[reader->phase]));
    }
    bool ok = false;
    switch (reader->phase) {
    case LINE_FORMAT:
        ok = read_format(in);
        break;
    case LINE_RULES:
        ok = read_version(in, "rules", HP_RULES_VERSION);
        break;
    case LINE_CIRCUIT:
        ok = read_circuit_line(in, &reader->head);
        break;
    case LINE_TRACK:
        ok = read_track_line(in, &reader->head);
        break;
    case LINE_LAPS:
        ok = read_value(in, "laps", 1, HP_LAPS_MAX, &number);
        setup->laps = ok ? (uint8_t)number : 0;
        break;
    case LINE_CARS:
        ok = read_value(in, "cars", 1, HP_CARS_MAX, &number);
        setup->cars = ok ? (uint8_t)number : 0;
        break;
    case LINE_SEAT:
        ok = read_seat(in, reader);
        break;
    case LINE_COMMITMENT:
        ok = read_hex(in, reader->commitment);
        break;
    case LINE_SECRET:
        ok = read_committed(in, reader, keys[LINE_SECRET], reader->head.secret);
        reader->head.mixed = true;
        break;
    case LINE_SALT:
        ok = read_salt(in, reader);
        break;
    case LINE_SEED:
        ok = read_seed(in, reader);
        break;
    }
    if (!ok || !hp_no_more(in))
        return false;
    if (key_is_done(reader))
        reader->phase++;
    return true;
}

static bool read_hash(text_in *in, const hp_race *race)
{
    text_word word;
    char hash[17];
    text_out out = hp_text_into(hash, sizeof hash);
    hp_out_hex(&out, hp_hash(race));
    hp_out_end(&out);
    if (!hp_next_word(in, "hash", &word))
        return false;
    if (hp_word_is(word, hash))
        return true;
    hp_fail(in, HP_TEXT_OTHER_HASH, word);
    in->fault->number = race->round;
    return false;
}

static bool read_end_line(text_in *in, hp_reader *reader)
{
    const hp_race *race = &reader->race;
    if (!read_hash(in, race))
        return false;
    for (int place = 1; place <= race->cars; place++) {
        int32_t car;
        if (!hp_next_number(in, "car", 0, race->cars - 1, &car))
            return false;
        if (race->car[car].place != place)
            return hp_fail(in, HP_TEXT_OTHER_RESULT, (text_word){0});
    }
    if (!hp_no_more(in))
        return false;
    reader->round_due = 0;
    reader->ended = 1;
    return true;
}

static bool read_round_line(text_in *in, hp_reader *reader)
{
    text_word word;
    int32_t round;
    const bool over = reader->race.step == HP_STEP_OVER;
    if (!hp_next_word(in, over ? "end" : "round", &word))
        return false;
    if (!hp_word_is(word, over ? "end" : "round")) {
        in->at = 0;
        return hp_fail_expected(in, over ? "end" : "round");
    }
    if (over)
        return read_end_line(in, reader);
    if (!read_value(in, "round", reader->race.round, reader->race.round, &round) ||
        !read_hash(in, &reader->race) || !hp_no_more(in))
        return false;
    reader->round_due = 0;
    return true;
}

static bool read_act_line(text_in *in, hp_reader *reader, const hp_listener *listener)
{
    int32_t car;
    hp_act act;
    if (!hp_next_number(in, "car", 0, reader->race.cars - 1, &car))
        return false;
    const size_t skipped = in->at;
    if (hp_act_read(in->text + skipped, in->length - skipped, &act, in->fault) != HP_TEXT_OK) {
        in->fault->column += (int)skipped;
        return false;
    }
    const int round = reader->race.round;
    const hp_error error = hp_apply(&reader->race, car, act, listener);
    if (error != HP_OK) {
        hp_fail(in, HP_TEXT_ILLEGAL_ACT, (text_word){0});
        in->fault->refused = error;
        in->fault->number = car;
        in->fault->column = (int)skipped + 2;
        return false;
    }
    reader->acts++;
    reader->act_car = (uint8_t)car;
    reader->act = act;
    reader->round_due = reader->race.round != round || reader->race.step == HP_STEP_OVER;
    return true;
}

static bool read_any_line(text_in *in, hp_reader *reader, const hp_listener *listener)
{
    if (!hp_check_text(in))
        return false;
    if (hp_at_end(in) || in->text[in->at] == '#')
        return true;
    if (reader->ended) {
        text_word word;
        hp_next_word(in, "", &word);
        return hp_fail(in, HP_TEXT_EXTRA, word);
    }
    if (reader->started)
        return reader->round_due ? read_round_line(in, reader) : read_act_line(in, reader, listener);

    hp_reader next = *reader; /* a head line that fails leaves nothing behind */
    if (!read_head_line(in, &next))
        return false;
    *reader = next;
    if (reader->phase != LINE_PLAY)
        return true;
    hp_start(&reader->race, &reader->head.setup, listener); /* every figure has been checked */
    reader->started = 1;
    reader->round_due = 1;
    return true;
}

hp_text_fault hp_read_line(hp_reader *reader, const char *line, size_t length, const hp_listener *listener,
                           hp_fault *fault)
{
    text_in in = {.text = line, .length = length, .fault = fault};
    reader->line++;
    fault->line = reader->line;
    bool ok = false;
    if (length > HP_LINE_MAX) {
        hp_fail(&in, HP_TEXT_LINE_TOO_LONG, (text_word){0});
        fault->number = HP_LINE_MAX;
    } else {
        ok = read_any_line(&in, reader, listener);
    }
    fault->line = reader->line;
    if (ok)
        fault->kind = HP_TEXT_OK;
    return fault->kind;
}

hp_text_fault hp_read_end(const hp_reader *reader, hp_fault *fault)
{
    if (reader->started)
        return HP_TEXT_OK;
    text_in in = {.text = "", .fault = fault};
    fault->line = reader->line;
    hp_fail(&in, HP_TEXT_CUT_OFF, hp_word_of(keys[line_due(reader->phase)]));
    fault->column = 0;
    return HP_TEXT_CUT_OFF;
}
