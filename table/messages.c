/* What a table tells: notices, states and entries as JSON, for one viewer each. */
#include "table/table.h"

#include "record/text.h"

#include <string.h>

/* ---- JSON --------------------------------------------------------------------------------------- */

static void key(text_out *out, const char *name)
{
    hp_out_text(out, ",\"");
    hp_out_text(out, name);
    hp_out_text(out, "\":");
}

static void number(text_out *out, const char *name, int32_t value)
{
    key(out, name);
    hp_out_number(out, value);
}

/* Times and counts of entries may be beyond 32 bits. */
static void large(text_out *out, const char *name, uint64_t value)
{
    char digits[21];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do
        digits[--at] = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    key(out, name);
    hp_out_text(out, digits + at);
}

static void truth(text_out *out, const char *name, bool value)
{
    key(out, name);
    hp_out_text(out, value ? "true" : "false");
}

/* Names hold no control characters, so that two characters need care. */
static void string(text_out *out, const char *text, size_t length)
{
    hp_out_char(out, '"');
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"' || text[i] == '\\')
            hp_out_char(out, '\\');
        hp_out_char(out, text[i]);
    }
    hp_out_char(out, '"');
}

static void text(text_out *out, const char *name, const char *value)
{
    key(out, name);
    string(out, value, strlen(value));
}

static void hex(text_out *out, const char *name, const uint8_t bytes[32])
{
    char digits[HP_SEED_TEXT];
    hp_hex_write(bytes, digits);
    text(out, name, digits);
}

static void seats_of(text_out *out, const char *name, uint8_t bits)
{
    key(out, name);
    hp_out_char(out, '[');
    for (int i = 0, n = 0; i < HP_CARS_MAX; i++)
        if (bits >> i & 1) {
            if (n++ > 0)
                hp_out_char(out, ',');
            hp_out_number(out, i);
        }
    hp_out_char(out, ']');
}

/* ---- The notice --------------------------------------------------------------------------------- */

static bool is_set(const uint8_t bytes[32])
{
    static const uint8_t nothing[32];
    return memcmp(bytes, nothing, sizeof nothing) != 0;
}

/* Never the seat's key: it is nobody's business. */
static void write_seat(text_out *out, const table *t, int i)
{
    static const char *const kinds[] = {"open", "person", "bot"};
    const table_seat *seat = &t->settings.seat[i];
    const bool away = t->away >> i & 1;
    hp_out_text(out, "{\"kind\":\"");
    hp_out_text(out, kinds[seat->kind]);
    hp_out_char(out, '"');
    if (seat->kind == TABLE_BOT)
        text(out, "level", table_level_word((table_level)seat->level));
    if (seat->name[0] != '\0')
        text(out, "name", seat->name);
    if (seat->colour < TABLE_COLOURS)
        text(out, "colour", table_colour_word((table_colour)seat->colour));
    number(out, "handicap", seat->handicap);
    if (seat->kind == TABLE_OPEN && is_set(seat->key))
        truth(out, "kept", true);
    if (is_set(seat->salt))
        hex(out, "salt", seat->salt);
    if (seat->kind == TABLE_PERSON)
        truth(out, "away", away);
    if (seat->kind != TABLE_OPEN)
        text(out, "driver",
             seat->kind == TABLE_BOT || away ? table_level_word((table_level)seat->level) : "person");
    if (t->agreed[i] != 0)
        seats_of(out, "agreed", t->agreed[i]);
    hp_out_char(out, '}');
}

static void write_awaited(text_out *out, const table *t)
{
    hp_out_text(out, ",\"awaited\":[");
    for (int i = 0, n = 0; i < t->settings.seats; i++) {
        if (!(t->awaited >> i & 1))
            continue;
        hp_out_text(out, n++ > 0 ? ",{\"seat\":" : "{\"seat\":");
        hp_out_number(out, i);
        large(out, "since", t->since[i]);
        const bool person = t->settings.seat[i].kind == TABLE_PERSON && !(t->away >> i & 1);
        if (t->settings.clock > 0 && person)
            large(out, "until", t->since[i] + UINT64_C(1000) * t->settings.clock);
        hp_out_char(out, '}');
    }
    hp_out_char(out, ']');
}

static void write_cars(text_out *out, const char *name, const uint8_t *cars, int n)
{
    key(out, name);
    hp_out_char(out, '[');
    for (int i = 0; i < n; i++) {
        if (i > 0)
            hp_out_char(out, ',');
        hp_out_number(out, cars[i]);
    }
    hp_out_char(out, ']');
}

/* All cars as they stand now: those that have finished, those that race, those that have retired. */
static int all_standings(const hp_race *race, uint8_t cars[HP_CARS_MAX])
{
    uint8_t racing[HP_CARS_MAX];
    const int in_race = hp_standings(race, racing);
    int n = 0;
    for (int place = 1; place <= race->cars; place++) {
        for (int i = 0; place == race->finished + 1 && i < in_race; i++)
            cars[n++] = racing[i];
        for (int i = 0; i < race->cars; i++)
            if (race->car[i].place == place && race->car[i].status != HP_RACING)
                cars[n++] = (uint8_t)i;
    }
    return n;
}

static void write_notice(text_out *out, const table *t, const char *id)
{
    static const char *const phases[] = {"gathering", "racing", "over"};
    uint8_t commitment[32];
    hp_out_text(out, "{\"m\":\"table\"");
    text(out, "id", id);
    large(out, "n", t->entries);
    text(out, "phase", phases[t->phase]);
    text(out, "circuit", t->settings.circuit);
    number(out, "laps", t->settings.laps);
    number(out, "clock", (int32_t)t->settings.clock);
    text(out, "substitute", table_level_word((table_level)t->settings.substitute));
    table_commitment(t, commitment);
    hex(out, "commitment", commitment);
    large(out, "opened", t->opened);
    hp_out_text(out, ",\"seats\":[");
    for (int i = 0; i < t->settings.seats; i++) {
        if (i > 0)
            hp_out_char(out, ',');
        write_seat(out, t, i);
    }
    hp_out_char(out, ']');
    write_awaited(out, t);
    if (t->phase == TABLE_OVER) {
        uint8_t cars[HP_CARS_MAX];
        write_cars(out, "places", cars, all_standings(&t->race, cars));
    }
    if (t->rematch[0] != '\0')
        text(out, "rematch", t->rematch);
    hp_out_char(out, '}');
}

size_t table_notice(const table *t, const char *id, char *buffer, size_t size)
{
    text_out out = hp_text_into(buffer, size);
    write_notice(&out, t, id);
    hp_out_char(&out, '\n');
    return hp_out_end(&out);
}

/* ---- The state ---------------------------------------------------------------------------------- */

static void write_acts(text_out *out, const hp_view *view)
{
    hp_act acts[HP_ACTS_MAX];
    const int n = hp_acts(&view->choice, acts);
    if (n == 0)
        return;
    hp_out_text(out, ",\"acts\":[");
    for (int i = 0; i < n; i++) {
        char act[HP_ACT_TEXT];
        hp_act_write(acts[i], act, sizeof act);
        hp_out_text(out, i > 0 ? ",\"" : "\"");
        hp_out_text(out, act);
        hp_out_char(out, '"');
    }
    hp_out_char(out, ']');
}

/* A line that ends with a line feed, without it. */
static void embed(text_out *out, char *line, size_t length)
{
    line[length - 1] = '\0';
    hp_out_text(out, line);
}

size_t table_state(const table *t, const char *id, int viewer, char *buffer, size_t size)
{
    text_out out = hp_text_into(buffer, size);
    hp_out_text(&out, "{\"m\":\"state\"");
    large(&out, "n", t->entries);
    number(&out, "you", viewer == HP_SPECTATOR ? -1 : viewer);
    key(&out, "table");
    write_notice(&out, t, id);
    if (t->phase != TABLE_GATHERING) {
        char line[HP_VIEW_TEXT];
        hp_view view;
        hp_look(&t->race, viewer, &view);
        key(&out, "view");
        embed(&out, line, hp_view_write(&view, line, sizeof line));
        uint8_t cars[HP_CARS_MAX];
        write_cars(&out, "standings", cars, all_standings(&t->race, cars));
        if (viewer != HP_SPECTATOR && !(t->away >> viewer & 1))
            write_acts(&out, &view);
    }
    hp_out_text(&out, "}\n");
    return hp_out_end(&out);
}

/* ---- Entries ------------------------------------------------------------------------------------ */

static void write_events(text_out *out, const table_entry *entry, int viewer)
{
    hp_out_text(out, ",\"events\":[");
    for (size_t i = 0; i < entry->in_events; i++) {
        char line[HP_EVENT_TEXT];
        const hp_event seen = hp_event_for(&entry->events[i], viewer);
        if (i > 0)
            hp_out_char(out, ',');
        embed(out, line, hp_event_write(&seen, line, sizeof line));
    }
    hp_out_char(out, ']');
}

/* The act itself is for its own seat; of a plan the others learn that there is one, or is none any more. */
static void write_act(text_out *out, const table_entry *entry, text_in *in, int viewer)
{
    int32_t since;
    hp_act act;
    hp_fault fault;
    if (!hp_next_number(in, "entry", 0, INT32_MAX, &since) ||
        hp_act_read(in->text + in->at, in->length - in->at, &act, &fault) != HP_TEXT_OK)
        return;
    if (viewer == entry->seat) {
        char line[HP_ACT_TEXT];
        hp_act_write(act, line, sizeof line);
        text(out, "act", line);
    }
    if (act.kind == HP_PLAN || act.kind == HP_RETIRE || act.kind == HP_UNPLAN)
        truth(out, "planned", act.kind != HP_UNPLAN);
}

static void write_details(text_out *out, const table *t, const table_entry *entry, text_word what,
                          text_in *in, int viewer)
{
    const table_seat *seat = entry->seat >= 0 ? &t->settings.seat[entry->seat] : NULL;
    int32_t value;
    text_word word;
    if (hp_word_is(what, "act") || hp_word_is(what, "drive"))
        write_act(out, entry, in, viewer);
    else if (hp_word_is(what, "phrase") && hp_next_number(in, "phrase", 1, TABLE_PHRASES, &value))
        number(out, "phrase", value);
    else if ((hp_word_is(what, "agree") || hp_word_is(what, "late")) &&
             hp_next_number(in, "seat", 0, HP_CARS_MAX - 1, &value))
        number(out, "for", value);
    else if (hp_word_is(what, "bot") && seat != NULL)
        text(out, "level", table_level_word((table_level)seat->level));
    else if (hp_word_is(what, "rematch") && hp_next_word(in, "id", &word)) {
        key(out, "id");
        string(out, word.text, word.length);
    } else if (hp_word_is(what, "take") && seat != NULL && seat->colour < TABLE_COLOURS) {
        text(out, "name", seat->name);
        text(out, "colour", table_colour_word((table_colour)seat->colour));
    }
}

size_t table_message(const table *t, const table_entry *entry, int viewer, char *buffer, size_t size)
{
    text_out out = hp_text_into(buffer, size);
    hp_fault fault = {0};
    text_in in = {.text = entry->line, .length = entry->length, .fault = &fault};
    text_word what = {.text = "", .length = 0};
    hp_next_word(&in, "word", &what);
    hp_out_text(&out, "{\"m\":\"entry\"");
    large(&out, "n", t->entries);
    large(&out, "t", entry->time);
    number(&out, "seat", entry->seat);
    key(&out, "what");
    string(&out, what.text, what.length);
    write_details(&out, t, entry, what, &in, viewer);
    if (entry->in_events > 0)
        write_events(&out, entry, viewer);
    hp_out_text(&out, "}\n");
    return hp_out_end(&out);
}

/* ---- Answers ------------------------------------------------------------------------------------ */

static void write_error(text_out *out, table_error error, hp_error rule)
{
    text(out, "code", table_error_word(error, rule));
    text(out, "text", table_error_text(error, rule));
    if (error == TABLE_ILLEGAL && hp_rule_of(rule)[0] != '\0')
        text(out, "rule", hp_rule_of(rule));
}

size_t table_error_message(table_error error, hp_error rule, char *buffer, size_t size)
{
    text_out out = hp_text_into(buffer, size);
    hp_out_text(&out, "{\"m\":\"error\"");
    write_error(&out, error, rule);
    hp_out_text(&out, "}\n");
    return hp_out_end(&out);
}

static void write_place(text_out *out, hp_place place)
{
    hp_out_text(out, ",\"to\":{\"at\":");
    hp_out_number(out, place.at);
    number(out, "spot", place.spot);
    hp_out_char(out, '}');
}

static void write_crossings(text_out *out, const hp_prospect *p)
{
    hp_out_text(out, ",\"corners\":[");
    for (int i = 0; i < p->crossed; i++) {
        hp_out_text(out, i > 0 ? ",{\"corner\":" : "{\"corner\":");
        hp_out_number(out, p->crossing[i].corner);
        number(out, "limit", p->crossing[i].limit);
        number(out, "pays", p->crossing[i].pays);
        hp_out_char(out, '}');
    }
    hp_out_char(out, ']');
}

static void write_outcome(text_out *out, const hp_outlook *outlook)
{
    const hp_outcome *o = &outlook->without.outcome;
    number(out, "gear", o->gear);
    number(out, "shift", outlook->shift);
    number(out, "speed", o->speed);
    truth(out, "chance", o->chance);
    truth(out, "cluttered", o->cluttered);
    truth(out, "spins", o->spins);
    number(out, "price", o->price);
    number(out, "engine", o->engine);
    number(out, "stress", o->stress);
    write_place(out, o->to);
    write_crossings(out, &outlook->without);
}

/* Thousandths that add up to a thousand: rounded down, and those most cut get one more. */
static void share_out(const hp_outlook *outlook, int per_mille[HP_PROSPECTS_MAX])
{
    uint64_t cut[HP_PROSPECTS_MAX];
    int missing = 1000;
    for (int i = 0; i < outlook->prospects; i++) {
        const uint64_t thousandfold = outlook->prospect[i].weight * 1000;
        per_mille[i] = (int)(thousandfold / outlook->weights);
        cut[i] = thousandfold % outlook->weights;
        missing -= per_mille[i];
    }
    for (; missing > 0; missing--) {
        int most = 0;
        for (int i = 1; i < outlook->prospects; i++)
            if (cut[i] > cut[most])
                most = i;
        per_mille[most]++;
        cut[most] = 0;
    }
}

/* The risk is what the odds add up to; without any it is there or not. */
static void write_odds(text_out *out, const hp_outlook *outlook)
{
    int per_mille[HP_PROSPECTS_MAX], risk = outlook->without.outcome.spins ? 1000 : 0;
    if (outlook->prospects > 0) {
        risk = 0;
        share_out(outlook, per_mille);
        hp_out_text(out, ",\"odds\":[");
    }
    for (int i = 0; i < outlook->prospects; i++) {
        const hp_prospect *p = &outlook->prospect[i];
        hp_out_text(out, i > 0 ? ",{\"speed\":" : "{\"speed\":");
        hp_out_number(out, p->outcome.speed);
        number(out, "per_mille", per_mille[i]);
        write_place(out, p->outcome.to);
        number(out, "price", p->outcome.price);
        number(out, "engine", p->outcome.engine);
        truth(out, "spins", p->outcome.spins);
        write_crossings(out, p);
        hp_out_char(out, '}');
        risk += p->outcome.spins ? per_mille[i] : 0;
    }
    if (outlook->prospects > 0)
        hp_out_char(out, ']');
    number(out, "risk_per_mille", risk);
}

size_t table_foresight(const table *t, int seat, const char *act_text, size_t length, char *buffer,
                       size_t size)
{
    text_out out = hp_text_into(buffer, size);
    hp_act act;
    hp_fault fault;
    hp_view view;
    table_error error = TABLE_FINE;
    hp_error rule = HP_OK;
    if (t->phase == TABLE_GATHERING)
        error = TABLE_NOT_NOW;
    else if (hp_act_read(act_text, length, &act, &fault) != HP_TEXT_OK)
        error = TABLE_NOT_A_LINE;
    else {
        hp_look(&t->race, seat, &view);
        rule = hp_check(&view.choice, act);
        error = rule == HP_OK ? TABLE_FINE : TABLE_ILLEGAL;
    }
    hp_out_text(&out, "{\"m\":\"foresee\"");
    if (error != TABLE_NOT_NOW && error != TABLE_NOT_A_LINE) {
        char written[HP_ACT_TEXT];
        hp_act_write(act, written, sizeof written);
        text(&out, "act", written);
    }
    truth(&out, "ok", error == TABLE_FINE);
    if (error == TABLE_FINE) {
        hp_outlook outlook;
        hp_expect(&view, act, &outlook);
        write_outcome(&out, &outlook);
        write_odds(&out, &outlook);
    } else {
        write_error(&out, error, rule);
    }
    hp_out_text(&out, "}\n");
    return hp_out_end(&out);
}
