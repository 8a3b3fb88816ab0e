/* Fuzzes tables. The first line of the input is the seats, a letter each as tests/tables.h has them, and the
 * seconds of the clock; each further line is a seat, milliseconds since the line before, and what is said:
 *
 *     por 60
 *     0 500 phrase 1
 *     2 0 !5
 *
 * "!5" stands for the sixth act that the seat may choose, said by whoever has its wheel. Whatever is said: a
 * refused line changes nothing, no table is in disorder, every message is one, fits, and tells a viewer no more
 * than its view; and the entries that were taken make the same table again. */
#include "tests/tables.h"

#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ENTRIES_MAX = 2000, EVENTS_MAX = 400, MESSAGE_MAX = 1 << 17 };

#define NOON UINT64_C(1763251200000)

static void require(bool holds)
{
    if (!holds)
        abort();
}

typedef struct {
    uint64_t time;
    int seat;
    size_t length;
    char line[TABLE_LINE];
} kept_entry;

static struct {
    table_settings settings;
    table t;
    kept_entry entry[ENTRIES_MAX];
    int entries;
    hp_event event[EVENTS_MAX]; /* of the last entry */
    size_t events;
} at;

static void hear(void *self, const hp_event *event)
{
    (void)self;
    require(at.events < EVENTS_MAX);
    at.event[at.events++] = *event;
}

/* ---- What must hold ----------------------------------------------------------------------------- */

/* Another race that looks the same to the viewer makes no difference. */
static void require_state(int viewer)
{
    static char text[TABLE_STATE_TEXT], other_text[TABLE_STATE_TEXT];
    const size_t length = table_state(&at.t, TABLE_NAMED, viewer, text, sizeof text);
    require(length < sizeof text && is_message(text, length));
    if (at.t.phase != TABLE_RACING)
        return;
    table other = at.t;
    hp_view view;
    uint8_t seed[HP_SEED_BYTES];
    hp_look(&at.t.race, viewer, &view);
    hp_seed_of(at.t.entries, 1, seed);
    hp_guess(&view, seed, &other.race);
    table_state(&other, TABLE_NAMED, viewer, other_text, sizeof other_text);
    require(strcmp(text, other_text) == 0);
}

static void require_messages(const kept_entry *kept)
{
    static char text[MESSAGE_MAX];
    const table_entry entry = {.time = kept->time,
                               .seat = kept->seat,
                               .line = kept->line,
                               .length = kept->length,
                               .events = at.event,
                               .in_events = at.events};
    for (int i = 0; i <= at.settings.seats; i++) {
        const int viewer = i == at.settings.seats ? HP_SPECTATOR : i;
        const size_t length = table_message(&at.t, &entry, viewer, text, sizeof text);
        require(length < sizeof text && is_message(text, length));
        require(viewer == entry.seat || strstr(text, "\"act\":") == NULL);
        if (i == (int)(at.t.entries % (at.settings.seats + 1u))) /* in turn: it takes its time */
            require_state(viewer);
    }
    const size_t length = table_notice(&at.t, TABLE_NAMED, text, sizeof text);
    require(is_message(text, length));
}

static void require_same_again(void)
{
    static table again;
    memset(&again, 0x5a, sizeof again);
    require(table_open(&again, &at.settings, NOON));
    for (int i = 0; i < at.entries; i++) {
        const kept_entry *entry = &at.entry[i];
        require(table_play(&again, entry->seat, entry->line, entry->length, entry->time, NULL, NULL) ==
                TABLE_FINE);
    }
    require(memcmp(&again, &at.t, sizeof again) == 0);
}

/* ---- Reading the input -------------------------------------------------------------------------- */

static uint32_t number_in(const char **p, const char *end)
{
    uint32_t value = 0;
    while (*p < end && **p >= '0' && **p <= '9')
        value = (value * 10 + (uint32_t)(*(*p)++ - '0')) % 100000000;
    if (*p < end && **p == ' ')
        ++*p;
    return value;
}

static bool open_table(const char *line, size_t length)
{
    char seats[HP_CARS_MAX + 1] = "";
    size_t n = 0;
    while (n < length && n < HP_CARS_MAX && strchr("pokrdc", line[n]) != NULL && line[n] != '\0') {
        seats[n] = line[n];
        n++;
    }
    const char *p = line + n;
    if (p < line + length && *p == ' ')
        p++;
    at.settings = settings_for(seats);
    at.settings.clock = number_in(&p, line + length);
    return table_open(&at.t, &at.settings, NOON);
}

/* "act 3 plan 1 4" for "!5", and others as they are. */
static size_t spell_out(int seat, const char *line, size_t length, char spelt[TABLE_LINE + 1])
{
    hp_choice choice;
    hp_act acts[HP_ACTS_MAX];
    if (length == 0 || line[0] != '!' || at.t.phase != TABLE_RACING || seat < 0 ||
        seat >= at.settings.seats) {
        memcpy(spelt, line, length);
        return length;
    }
    const char *p = line + 1;
    const uint32_t which = number_in(&p, line + length);
    hp_choose_from(&at.t.race, seat, &choice);
    const uint32_t n = (uint32_t)hp_acts(&choice, acts);
    const bool bot = at.t.settings.seat[seat].kind == TABLE_BOT || (at.t.away >> seat & 1);
    int written = snprintf(spelt, TABLE_LINE, "%s %u ", bot ? "drive" : "act", at.t.entries);
    if (n > 0)
        written += (int)hp_act_write(acts[which % n], spelt + written, HP_ACT_TEXT);
    return (size_t)written;
}

static void play_line(const char *line, size_t length)
{
    const char *p = line, *end = line + length;
    const bool keeper = p < end && *p == '-';
    if (keeper)
        p++;
    const uint32_t number = number_in(&p, end);
    const int seat = keeper ? -(int)(number % 4) : number >= HP_SPECTATOR ? HP_SPECTATOR : (int)number;
    const uint64_t now = at.t.moved + number_in(&p, end);
    kept_entry *entry = &at.entry[at.entries];
    char spelt[TABLE_LINE + 1], text[1024];
    table_error error;
    hp_error rule = HP_OK;
    const hp_listener listener = {.hear = hear};
    if (end - p > TABLE_LINE + 1)
        end = p + TABLE_LINE + 1; /* one too long is as good as many */
    entry->length = spell_out(seat, p, (size_t)(end - p), spelt);
    at.events = 0;
    require(try_line(&at.t, seat, spelt, entry->length, now, &listener, &error, &rule) == NULL);
    require(is_message(text, table_error_message(error, rule, text, sizeof text)));
    if (at.t.phase != TABLE_GATHERING && seat >= 0 && seat < at.settings.seats)
        require(is_message(text, table_foresight(&at.t, seat, p, (size_t)(end - p), text, sizeof text)));
    if (error != TABLE_FINE)
        return;
    entry->seat = seat;
    entry->time = now;
    memcpy(entry->line, spelt, entry->length);
    require_messages(entry);
    at.entries++;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bool opened = false;
    at.entries = 0;
    for (size_t i = 0; i < size && at.entries < ENTRIES_MAX;) {
        const char *line = (const char *)data + i;
        const char *end = memchr(line, '\n', size - i);
        const size_t length = end != NULL ? (size_t)(end - line) : size - i;
        i += length + 1;
        if (opened)
            play_line(line, length);
        else if (!(opened = open_table(line, length)))
            return 0;
    }
    if (opened)
        require_same_again();
    return 0;
}
