#include "cli/arena_file.h"

#include "bots/bots.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- Seats ------------------------------------------------------------------------------------- */

/* With more bots than cars, neighbours in the list would meet and others never: each deal takes the bots
 * in an order of its own. */
static void shuffle(const arena_head *head, uint32_t deal, uint8_t order[ARENA_BOTS_MAX])
{
    uint8_t seed[HP_SEED_BYTES]; /* other numbers than any race or bot of this seed has */
    bot_dice dice = {0};
    hp_seed_of(head->seed, deal | UINT64_C(1) << 62, seed);
    for (int i = 0; i < 8; i++)
        dice.state |= (uint64_t)seed[i] << (8 * i);
    for (int i = head->bots - 1; i > 0; i--) {
        const uint32_t j = bot_roll_below(&dice, (uint32_t)i + 1);
        const uint8_t other = order[j];
        order[j] = order[i];
        order[i] = other;
    }
}

void arena_seats(const arena_head *head, uint32_t race, uint8_t drivers[HP_CARS_MAX])
{
    const uint32_t bots = (uint32_t)head->bots;
    uint8_t order[ARENA_BOTS_MAX];
    for (int i = 0; i < ARENA_BOTS_MAX; i++)
        order[i] = (uint8_t)i;
    if (head->bots > head->cars)
        shuffle(head, race / bots, order);
    for (uint32_t i = 0; i < HP_CARS_MAX; i++)
        drivers[i] = i < (uint32_t)head->cars ? order[(i + race) % bots] : 0;
}

/* ---- Writing ----------------------------------------------------------------------------------- */

typedef struct {
    char *text;
    size_t length;
} writer;

static void put(writer *w, const char *text)
{
    const size_t length = strlen(text);
    memcpy(w->text + w->length, text, length + 1); /* ARENA_LINE is enough for any line */
    w->length += length;
}

static void put_number(writer *w, const char *before, uint64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, number);
    put(w, before);
    put(w, text);
}

static void put_string(writer *w, const char *before, const char *text)
{
    put(w, before);
    put(w, "\"");
    put(w, text);
    put(w, "\"");
}

static void put_bytes(writer *w, const char *before, const uint8_t *list, int n)
{
    put(w, before);
    for (int i = 0; i < n; i++)
        put_number(w, i > 0 ? "," : "[", list[i]);
    put(w, "]");
}

static void put_shorts(writer *w, const char *before, const uint16_t *list, int n)
{
    put(w, before);
    for (int i = 0; i < n; i++)
        put_number(w, i > 0 ? "," : "[", list[i]);
    put(w, "]");
}

size_t arena_head_write(const arena_head *head, char *buffer)
{
    writer w = {buffer, 0};
    put_number(&w, "{\"format\":\"hairpin arena\",\"version\":1,\"rules\":", (uint64_t)head->rules);
    put_number(&w, ",\"seed\":", head->seed);
    for (int i = 0; i < head->bots; i++)
        put_string(&w, i > 0 ? "," : ",\"bots\":[", head->bot[i]);
    put_number(&w, "],\"cars\":", (uint64_t)head->cars);
    put_number(&w, ",\"laps\":", (uint64_t)head->laps);
    put_string(&w, ",\"circuit\":", head->circuit);
    put_string(&w, ",\"figures\":", head->figures);
    put(&w, "}\n");
    return w.length;
}

size_t arena_race_write(const arena_race *race, char *buffer)
{
    writer w = {buffer, 0};
    put_number(&w, "{\"race\":", race->race);
    put_number(&w, ",\"deal\":", race->deal);
    put_string(&w, ",\"circuit\":", race->circuit);
    put_number(&w, ",\"laps\":", race->laps);
    put_number(&w, ",\"seed\":", race->seed);
    put_bytes(&w, ",\"bots\":", race->bot, race->cars);
    put_bytes(&w, ",\"slots\":", race->slot, race->cars);
    put_bytes(&w, ",\"places\":", race->place, race->cars);
    put_number(&w, ",\"rounds\":", race->rounds);
    put_shorts(&w, ",\"spins\":", race->spins, race->cars);
    put_shorts(&w, ",\"heat\":", race->heat, race->cars);
    put(&w, "}\n");
    return w.length;
}

/* ---- Reading ----------------------------------------------------------------------------------- */

/* Only what is written above is read: the same keys in the same order, no spaces. The first fault stays,
 * and everything after it reads nothing. */
typedef struct {
    const char *text;
    size_t length, at;
    hp_fault fault;
    hp_fault later; /* that nobody looks at */
} scan;

static hp_fault *fail(scan *s, hp_text_fault kind, const char *word, size_t length)
{
    if (s->fault.kind != HP_TEXT_OK)
        return &s->later;
    s->fault.kind = kind;
    s->fault.column = (int)s->at + 1;
    for (size_t i = 0; i < length && i < HP_NAME_MAX; i++)
        s->fault.word[i] = word[i] >= ' ' && word[i] <= '~' ? word[i] : '?';
    return &s->fault;
}

static bool good(const scan *s)
{
    return s->fault.kind == HP_TEXT_OK;
}

static void expect(scan *s, const char *text)
{
    const size_t length = strlen(text);
    if (!good(s))
        return;
    if (s->length - s->at < length || memcmp(s->text + s->at, text, length) != 0)
        fail(s, HP_TEXT_EXPECTED, text, length);
    else
        s->at += length;
}

static bool next_is(const scan *s, char c)
{
    return good(s) && s->at < s->length && s->text[s->at] == c;
}

static int32_t shown(uint64_t number)
{
    return number > 1000000000 ? 1000000000 : (int32_t)number;
}

static uint64_t number(scan *s, const char *of, uint64_t low, uint64_t high)
{
    const size_t start = s->at;
    uint64_t value = 0;
    size_t end = start;
    if (!good(s))
        return low;
    bool fits = true;
    for (; end < s->length && s->text[end] >= '0' && s->text[end] <= '9'; end++) {
        const uint64_t digit = (uint64_t)(s->text[end] - '0');
        fits = fits && value <= (UINT64_MAX - digit) / 10;
        value = fits ? value * 10 + digit : value;
    }
    if (end == start || !fits || (end > start + 1 && s->text[start] == '0')) {
        fail(s, HP_TEXT_BAD_NUMBER, s->text + start, end > start ? end - start : s->length - start);
        return low;
    }
    if (value < low || value > high) {
        hp_fault *fault = fail(s, HP_TEXT_NUMBER_RANGE, of, strlen(of));
        fault->number = shown(value);
        fault->low = shown(low);
        fault->high = shown(high);
        return low;
    }
    s->at = end;
    return value;
}

bool arena_bot_name(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == '"' || text[i] == '\\' || text[i] == 0x7f)
            return false;
    return length > 0 && length < ARENA_BOT_TEXT;
}

static bool circuit_name(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!((text[i] >= 'a' && text[i] <= 'z') || (text[i] >= '0' && text[i] <= '9') || text[i] == '-'))
            return false;
    return length > 0 && length <= HP_NAME_MAX;
}

static bool sixteen_digits(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!((text[i] >= 'a' && text[i] <= 'f') || (text[i] >= '0' && text[i] <= '9')))
            return false;
    return length == ARENA_FIGURES - 1;
}

/* A string of the right kind, whose greatest length fits the buffer. */
static void string(scan *s, bool (*right)(const char *text, size_t length), char *buffer)
{
    expect(s, "\"");
    if (!good(s))
        return;
    const char *start = s->text + s->at;
    const char *end = memchr(start, '"', s->length - s->at);
    const size_t length = end != NULL ? (size_t)(end - start) : s->length - s->at;
    if (end == NULL || !right(start, length)) {
        fail(s, HP_TEXT_BAD_NAME, start, length);
        return;
    }
    memcpy(buffer, start, length);
    buffer[length] = '\0';
    s->at += length + 1;
}

/* A number for each car; no two the same where they are an order. */
static void list(scan *s, const char *key, int cars, uint64_t low, uint64_t high, bool order,
                 uint16_t *values)
{
    expect(s, ",\"");
    expect(s, key);
    expect(s, "\":[");
    for (int i = 0; i < cars; i++) {
        if (i > 0)
            expect(s, ",");
        const size_t here = s->at;
        values[i] = (uint16_t)number(s, key, low, high);
        for (int j = 0; j < i && order && good(s); j++)
            if (values[j] == values[i]) {
                s->at = here;
                fail(s, HP_TEXT_IMPOSSIBLE, key, strlen(key));
            }
    }
    expect(s, "]");
}

static void bytes(scan *s, const char *key, int cars, uint64_t low, uint64_t high, bool order,
                  uint8_t *values)
{
    uint16_t wide[HP_CARS_MAX] = {0};
    list(s, key, cars, low, high, order, wide);
    for (int i = 0; i < cars; i++)
        values[i] = (uint8_t)wide[i];
}

static hp_text_fault ended(scan *s, hp_fault *fault)
{
    expect(s, "}");
    if (good(s) && s->at < s->length)
        fail(s, HP_TEXT_EXTRA, s->text + s->at, s->length - s->at);
    *fault = s->fault;
    return fault->kind;
}

hp_text_fault arena_head_read(const char *line, size_t length, arena_head *head, hp_fault *fault)
{
    scan s = {.text = line, .length = length};
    arena_head read;
    memset(&read, 0, sizeof read);
    expect(&s, "{\"format\":\"hairpin arena\",");
    expect(&s, "\"version\":");
    number(&s, "version", 1, 1);
    expect(&s, ",\"rules\":");
    read.rules = (int)number(&s, "rules", 1, HP_RULES_VERSION);
    expect(&s, ",\"seed\":");
    read.seed = number(&s, "seed", 0, UINT64_MAX);
    expect(&s, ",\"bots\":[");
    do {
        if (read.bots > 0)
            expect(&s, ",");
        if (read.bots == ARENA_BOTS_MAX)
            fail(&s, HP_TEXT_TOO_MANY, "bots", 4)->high = ARENA_BOTS_MAX;
        else
            string(&s, arena_bot_name, read.bot[read.bots++]);
    } while (next_is(&s, ','));
    expect(&s, "],\"cars\":");
    read.cars = (int)number(&s, "cars", 1, HP_CARS_MAX);
    expect(&s, ",\"laps\":");
    read.laps = (int)number(&s, "laps", 0, HP_LAPS_MAX);
    expect(&s, ",\"circuit\":");
    string(&s, circuit_name, read.circuit);
    expect(&s, ",\"figures\":");
    string(&s, sixteen_digits, read.figures);
    if (ended(&s, fault) == HP_TEXT_OK)
        *head = read;
    return fault->kind;
}

hp_text_fault arena_race_read(const char *line, size_t length, const arena_head *head, uint32_t race_number,
                              arena_race *race, hp_fault *fault)
{
    scan s = {.text = line, .length = length};
    const int cars = head->cars;
    const uint32_t deal = race_number / (uint32_t)head->bots;
    arena_race read;
    uint8_t drivers[HP_CARS_MAX];
    memset(&read, 0, sizeof read);
    arena_seats(head, race_number, drivers);
    read.cars = (uint8_t)cars;
    expect(&s, "{\"race\":");
    read.race = (uint32_t)number(&s, "race", race_number, race_number);
    expect(&s, ",\"deal\":");
    read.deal = (uint32_t)number(&s, "deal", deal, deal);
    expect(&s, ",\"circuit\":");
    string(&s, circuit_name, read.circuit);
    if (good(&s) && strcmp(head->circuit, "all") != 0 && strcmp(head->circuit, read.circuit) != 0)
        fail(&s, HP_TEXT_EXPECTED, head->circuit, strlen(head->circuit));
    expect(&s, ",\"laps\":");
    read.laps = (uint8_t)number(&s, "laps", head->laps > 0 ? (uint64_t)head->laps : 1,
                                head->laps > 0 ? (uint64_t)head->laps : HP_LAPS_MAX);
    expect(&s, ",\"seed\":");
    read.seed = number(&s, "seed", head->seed, head->seed);
    bytes(&s, "bots", cars, 0, (uint64_t)head->bots - 1, false, read.bot);
    if (good(&s) && memcmp(read.bot, drivers, sizeof drivers) != 0)
        fail(&s, HP_TEXT_IMPOSSIBLE, "bots", 4);
    bytes(&s, "slots", cars, 1, (uint64_t)cars, true, read.slot);
    bytes(&s, "places", cars, 1, (uint64_t)cars, true, read.place);
    expect(&s, ",\"rounds\":");
    read.rounds = (uint16_t)number(&s, "rounds", 1, UINT16_MAX);
    list(&s, "spins", cars, 0, UINT16_MAX, false, read.spins);
    list(&s, "heat", cars, 0, UINT16_MAX, false, read.heat);
    if (ended(&s, fault) == HP_TEXT_OK)
        *race = read;
    return fault->kind;
}
