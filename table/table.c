/* What a table does with a line: one function for each word, which checks first and changes last. */
#include "table/table.h"

#include "record/text.h"

#include <string.h>

static const uint8_t nothing[32];

_Static_assert(sizeof(table_settings) == offsetof(table_settings, seat) + HP_CARS_MAX * sizeof(table_seat) &&
                   offsetof(table_settings, clock) == offsetof(table_settings, old_manners) + 1 &&
                   offsetof(table, asked) == offsetof(table, unused) + sizeof(((table *)0)->unused) &&
                   sizeof(table) == offsetof(table, rematch) + sizeof(((table *)0)->rematch),
               "no padding: tables compare as bytes");

/* ---- Seats -------------------------------------------------------------------------------------- */

static bool is_seat(const table *t, int seat)
{
    return seat >= 0 && seat < t->settings.seats;
}

static bool is_person(const table *t, int seat)
{
    return is_seat(t, seat) && t->settings.seat[seat].kind == TABLE_PERSON;
}

static bool is_kept(const table_seat *seat)
{
    return seat->kind == TABLE_OPEN && memcmp(seat->key, nothing, sizeof nothing) != 0;
}

static bool bot_drives(const table *t, int seat)
{
    return t->settings.seat[seat].kind == TABLE_BOT || (t->away >> seat & 1);
}

static bool anybody_missing(const table *t)
{
    for (int i = 0; i < t->settings.seats; i++)
        if (t->settings.seat[i].kind == TABLE_OPEN)
            return true;
    return false;
}

static bool colour_free(const table *t, int colour, int but)
{
    for (int i = 0; i < t->settings.seats; i++) {
        const table_seat *seat = &t->settings.seat[i];
        if (i != but && seat->colour == colour && (seat->kind != TABLE_OPEN || is_kept(seat)))
            return false;
    }
    return true;
}

static void empty(table_seat *seat, table_kind kind, table_level level)
{
    *seat = (table_seat){
        .kind = (uint8_t)kind, .level = (uint8_t)level, .colour = TABLE_COLOURS, .handicap = seat->handicap};
}

/* ---- The race ----------------------------------------------------------------------------------- */

void table_commitment(const table *t, uint8_t digest[32])
{
    hp_sha256(t->settings.secret, sizeof t->settings.secret, digest);
}

void table_head(const table *t, hp_head *head)
{
    const table_settings *s = &t->settings;
    memset(head, 0, sizeof *head);
    memcpy(head->circuit, s->circuit, sizeof head->circuit);
    head->setup.track = s->track;
    head->setup.laps = s->laps;
    head->setup.cars = s->seats;
    head->mixed = true;
    memcpy(head->secret, s->secret, sizeof head->secret);
    for (int i = 0; i < s->seats; i++) {
        const table_seat *seat = &s->seat[i];
        const char *name = seat->kind == TABLE_BOT ? table_level_word((table_level)seat->level) : seat->name;
        strncpy(head->seat[i], name, HP_NAME_MAX);
        head->setup.handicap[i] = seat->handicap;
        memcpy(head->salt[i], seat->salt, sizeof head->salt[i]);
    }
    hp_seed_mix(head->secret, (const uint8_t(*)[32])head->salt, s->seats, head->setup.seed);
}

/* Bots get the seats that are open, and the colours that are left. */
static void start(table *t, const hp_listener *listener)
{
    for (int i = 0; i < t->settings.seats; i++)
        if (t->settings.seat[i].kind == TABLE_OPEN)
            empty(&t->settings.seat[i], TABLE_BOT, (table_level)t->settings.substitute);
    for (int i = 0, next = 0; i < t->settings.seats; i++) {
        if (t->settings.seat[i].kind != TABLE_BOT)
            continue;
        while (!colour_free(t, next, i))
            next++;
        t->settings.seat[i].colour = (uint8_t)next;
    }
    hp_head head;
    table_head(t, &head);
    t->phase = TABLE_RACING;
    hp_start(&t->race, &head.setup, listener); /* table_open has checked every figure */
}
_Static_assert((int)TABLE_COLOURS >= (int)HP_CARS_MAX, "start finds a colour for everybody");

/* Whoever has kept the others waiting as long as that is not asked about others who do. */
static bool seems_gone(const table *t, int seat)
{
    return (t->awaited >> seat & 1) && t->moved >= t->since[seat] + UINT64_C(1000) * TABLE_PATIENCE;
}

/* Whether all persons but that one who have not left want a bot to drive it; of those gone nobody does. */
static bool all_agree(const table *t, int whom)
{
    unsigned others = 0;
    for (int i = 0; i < t->settings.seats; i++)
        if (i != whom && is_person(t, i) && !bot_drives(t, i) &&
            ((t->agreed[whom] >> i & 1) || !seems_gone(t, i)))
            others |= 1u << i;
    return others != 0 && (t->agreed[whom] & others) == others;
}

static void send_away(table *t, int seat)
{
    t->away |= (uint8_t)(1 << seat);
    t->sent |= (uint8_t)(1 << seat);
}

/* After an entry: who is awaited, and since when. A seat that has just acted has a new decision, if any,
 * unless its old one goes on. While cars plan the time runs from the start of the round, whatever is taken back. */
static void look_around(table *t, int acted, bool goes_on, unsigned round)
{
    const uint8_t before = t->awaited;
    if (t->phase == TABLE_RACING && t->race.step == HP_STEP_OVER)
        t->phase = TABLE_OVER;
    t->awaited = t->phase == TABLE_RACING ? t->race.waiting : 0;
    const bool new_round = t->race.round != round;
    for (int i = 0; i < t->settings.seats; i++) {
        const bool now = t->awaited >> i & 1, was = before >> i & 1;
        const bool anew = now && (!was || new_round || (i == acted && !goes_on));
        if (anew && (new_round || t->race.step != HP_STEP_PLAN))
            t->since[i] = t->moved;
        if (new_round || (now && !was && t->race.step != HP_STEP_PLAN))
            t->spared &= (uint8_t) ~(1 << i);
        if (anew || i == acted)
            t->asked[i] = t->entries;
        if (anew || !now)
            t->agreed[i] = 0;
    }
    for (int i = 0; i < t->settings.seats; i++)
        if (!bot_drives(t, i) && all_agree(t, i)) {
            send_away(t, i);
            i = -1; /* there is one less to agree about others */
        }
}

static bool seat_valid(const table_seat *seat)
{
    if (seat->kind > TABLE_BOT || seat->level >= TABLE_LEVELS || seat->handicap > HP_HANDICAP_MAX)
        return false;
    if (seat->kind == TABLE_PERSON || is_kept(seat))
        return seat->colour < TABLE_COLOURS && memchr(seat->name, '\0', sizeof seat->name) != NULL &&
               table_name_valid(seat->name, strlen(seat->name));
    return seat->colour == TABLE_COLOURS && seat->name[0] == '\0' &&
           memcmp(seat->key, nothing, sizeof nothing) == 0;
}

static bool circuit_valid(const table_settings *s)
{
    char name[HP_NAME_MAX + 1];
    return memchr(s->circuit, '\0', sizeof s->circuit) != NULL &&
           hp_word_to_name(hp_word_of(s->circuit), name) && hp_track_valid(&s->track);
}

bool table_open(table *t, const table_settings *settings, uint64_t now)
{
    if (!circuit_valid(settings) || settings->laps < 1 || settings->laps > HP_LAPS_MAX ||
        settings->seats < 1 || settings->seats > HP_CARS_MAX || settings->substitute >= TABLE_LEVELS ||
        settings->clock > TABLE_CLOCK_MAX || settings->old_manners > 1)
        return false;
    memset(t, 0, sizeof *t);
    t->settings = *settings;
    t->opened = t->moved = now;
    for (int i = 0; i < settings->seats; i++) {
        const table_seat *seat = &settings->seat[i];
        if (!seat_valid(seat) || (seat->colour < TABLE_COLOURS && !colour_free(t, seat->colour, i)))
            return false;
    }
    return true;
}

/* ---- Lines -------------------------------------------------------------------------------------- */

/* A line that is being played. */
typedef struct {
    table *t;
    int seat;
    uint64_t now;
    text_in in;
    const hp_listener *listener;
    hp_error rule;
    bool goes_on; /* the seat's decision is the same as before, and so is its time */
} saying;

static bool next_word(saying *s, text_word *word)
{
    return hp_next_word(&s->in, "word", word);
}

static bool next_seat(saying *s, int32_t *seat)
{
    return hp_next_number(&s->in, "seat", 0, s->t->settings.seats - 1, seat) && hp_at_end(&s->in);
}

static bool next_bytes(saying *s, uint8_t bytes[32])
{
    text_word word;
    return next_word(s, &word) && hp_hex_read(word.text, word.length, bytes);
}

/* take COLOUR SALT KEY NAME; - stands for no salt */
static table_error say_take(saying *s)
{
    table *t = s->t;
    if (t->phase != TABLE_GATHERING)
        return TABLE_NOT_NOW;
    if (!is_seat(t, s->seat))
        return TABLE_NOT_SEATED;
    table_seat *seat = &t->settings.seat[s->seat];
    if (seat->kind != TABLE_OPEN)
        return TABLE_SEAT_TAKEN;
    table_seat taken = {.kind = TABLE_PERSON, .level = t->settings.substitute, .handicap = seat->handicap};
    text_word word;
    table_colour colour;
    if (!next_word(s, &word) || !table_colour_named(word.text, word.length, &colour))
        return TABLE_BAD_COLOUR;
    text_in salt = s->in;
    if (!next_word(s, &word))
        return TABLE_BAD_SALT;
    if (!hp_word_is(word, "-")) {
        s->in = salt;
        if (!next_bytes(s, taken.salt))
            return TABLE_BAD_SALT;
    }
    if (!next_bytes(s, taken.key) || memcmp(taken.key, nothing, sizeof nothing) == 0)
        return TABLE_NOT_A_LINE;
    if (is_kept(seat) && memcmp(seat->key, taken.key, sizeof taken.key) != 0)
        return TABLE_SEAT_KEPT;
    const size_t at = s->in.at + 1; /* a blank, and the name to the line's end */
    const size_t length = at < s->in.length ? s->in.length - at : 0;
    if (!table_name_valid(s->in.text + s->in.length - length, length))
        return TABLE_BAD_NAME;
    if (!colour_free(t, (int)colour, s->seat))
        return TABLE_COLOUR_TAKEN;
    memcpy(taken.name, s->in.text + at, length);
    taken.colour = (uint8_t)colour;
    *seat = taken;
    if (!anybody_missing(t))
        start(t, s->listener);
    return TABLE_FINE;
}

/* leave */
static table_error say_leave(saying *s)
{
    table *t = s->t;
    if (!hp_at_end(&s->in))
        return TABLE_NOT_A_LINE;
    if (!is_person(t, s->seat))
        return TABLE_NOT_SEATED;
    if (t->phase == TABLE_OVER)
        return TABLE_NOT_NOW;
    if (t->phase == TABLE_GATHERING)
        empty(&t->settings.seat[s->seat], TABLE_OPEN, (table_level)t->settings.substitute);
    else
        t->away |= (uint8_t)(1 << s->seat);
    return TABLE_FINE;
}

/* bot LEVEL */
static table_error say_bot(saying *s)
{
    table *t = s->t;
    text_word word;
    table_level level;
    if (!is_person(t, s->seat))
        return TABLE_NOT_SEATED;
    if (t->phase == TABLE_OVER)
        return TABLE_NOT_NOW;
    if (!next_word(s, &word) || !hp_at_end(&s->in))
        return TABLE_NOT_A_LINE;
    if (!table_level_named(word.text, word.length, &level))
        return TABLE_NO_LEVEL;
    if (t->phase == TABLE_GATHERING) {
        empty(&t->settings.seat[s->seat], TABLE_BOT, level);
    } else {
        t->settings.seat[s->seat].level = (uint8_t)level;
        t->away |= (uint8_t)(1 << s->seat);
    }
    return TABLE_FINE;
}

/* start */
static table_error say_start(saying *s)
{
    table *t = s->t;
    if (!hp_at_end(&s->in))
        return TABLE_NOT_A_LINE;
    const bool keeper = s->seat == TABLE_KEEPER && !anybody_missing(t);
    if (!keeper && !is_person(t, s->seat))
        return TABLE_NOT_SEATED;
    if (t->phase != TABLE_GATHERING)
        return TABLE_NOT_NOW;
    start(t, s->listener);
    return TABLE_FINE;
}

/* What is said behind "act" and "drive": the number of an entry and an act. */
static table_error act(saying *s)
{
    table *t = s->t;
    int32_t number;
    hp_act done;
    hp_fault fault;
    if (!hp_next_number(&s->in, "entry", 0, INT32_MAX, &number))
        return TABLE_NOT_A_LINE;
    const size_t at = s->in.at;
    if (hp_act_read(s->in.text + at, s->in.length - at, &done, &fault) != HP_TEXT_OK)
        return TABLE_NOT_A_LINE;
    if ((uint32_t)number > t->entries)
        return TABLE_AHEAD;
    if ((uint32_t)number < t->asked[s->seat])
        return TABLE_OLD;
    const bool planning = t->race.step == HP_STEP_PLAN;
    s->rule = hp_apply(&t->race, s->seat, done, s->listener);
    if (s->rule != HP_OK)
        return TABLE_ILLEGAL;
    if (!planning || t->race.step != HP_STEP_PLAN)
        t->spared &= (uint8_t) ~(1 << s->seat); /* the next decision is another one */
    return TABLE_FINE;
}

/* act N ACT, by its person */
static table_error say_act(saying *s)
{
    if (!is_person(s->t, s->seat))
        return TABLE_NOT_SEATED;
    if (s->t->phase != TABLE_RACING)
        return TABLE_NOT_NOW;
    return bot_drives(s->t, s->seat) ? TABLE_BOT_DRIVES : act(s);
}

/* drive N ACT, by a bot */
static table_error say_drive(saying *s)
{
    if (!is_seat(s->t, s->seat))
        return TABLE_NOT_SEATED;
    if (s->t->phase != TABLE_RACING)
        return TABLE_NOT_NOW;
    return bot_drives(s->t, s->seat) ? act(s) : TABLE_BOT_DOES_NOT;
}

/* phrase NUMBER */
static table_error say_phrase(saying *s)
{
    int32_t number;
    if (!is_person(s->t, s->seat))
        return TABLE_NOT_SEATED;
    if (!hp_next_number(&s->in, "phrase", 1, TABLE_PHRASES, &number))
        return TABLE_NO_PHRASE;
    return hp_at_end(&s->in) ? TABLE_FINE : TABLE_NOT_A_LINE;
}

/* Whether the race waits for a person there who could be relieved. */
static bool keeps_waiting(const table *t, int seat)
{
    return is_person(t, seat) && (t->awaited >> seat & 1) && !(t->away >> seat & 1);
}

/* agree SEAT */
static table_error say_agree(saying *s)
{
    table *t = s->t;
    int32_t whom;
    if (!is_person(t, s->seat))
        return TABLE_NOT_SEATED;
    if (t->phase != TABLE_RACING)
        return TABLE_NOT_NOW;
    if (bot_drives(t, s->seat))
        return TABLE_BOT_DRIVES;
    if (!next_seat(s, &whom))
        return TABLE_NOT_A_LINE;
    if (whom == s->seat || !keeps_waiting(t, whom))
        return TABLE_NOT_AWAITED;
    if (s->now < t->since[whom] + UINT64_C(1000) * TABLE_GRACE && !t->settings.old_manners)
        return TABLE_NOT_AWAITED;
    t->agreed[whom] |= (uint8_t)(1 << s->seat);
    return TABLE_FINE;
}

static bool time_over(const table *t, int seat, uint64_t now)
{
    return t->settings.clock > 0 && keeps_waiting(t, seat) &&
           now >= t->since[seat] + UINT64_C(1000) * t->settings.clock;
}

/* late SEAT, by the keeper */
static table_error say_late(saying *s)
{
    int32_t whom;
    if (s->seat != TABLE_KEEPER || !next_seat(s, &whom))
        return TABLE_NOT_A_LINE;
    if (!time_over(s->t, whom, s->now))
        return TABLE_NOT_AWAITED;
    send_away(s->t, whom);
    return TABLE_FINE;
}

/* back: with a new beginning of its time for those who were sent away, once for each decision. Else whoever leaves
 * and comes back, or is back sooner than the bot decides, would win time without end and be rid of all votes. */
static table_error say_back(saying *s)
{
    table *t = s->t;
    if (!hp_at_end(&s->in))
        return TABLE_NOT_A_LINE;
    if (!is_person(t, s->seat))
        return TABLE_NOT_SEATED;
    if (t->phase != TABLE_RACING)
        return TABLE_NOT_NOW;
    if (!(t->away >> s->seat & 1))
        return TABLE_BOT_DOES_NOT;
    const uint8_t seat = (uint8_t)(1 << s->seat);
    s->goes_on = (!(t->sent & seat) || (t->spared & seat)) && !t->settings.old_manners;
    t->away &= (uint8_t)~seat;
    t->sent &= (uint8_t)~seat;
    if (!s->goes_on) {
        t->since[s->seat] = s->now;
        t->spared |= seat;
    }
    t->settings.seat[s->seat].level = t->settings.substitute;
    return TABLE_FINE;
}

/* resume, by the keeper, who was away himself: nobody's time has run meanwhile */
static table_error say_resume(saying *s)
{
    if (s->seat != TABLE_KEEPER || !hp_at_end(&s->in))
        return TABLE_NOT_A_LINE;
    if (s->t->phase != TABLE_RACING)
        return TABLE_NOT_NOW;
    for (int i = 0; i < s->t->settings.seats; i++)
        s->t->since[i] = s->now; /* also where a plan is made: it may be taken back */
    return TABLE_FINE;
}

/* rematch ID, by the keeper: again where the table that he named before was closed */
static table_error say_rematch(saying *s)
{
    text_word word;
    if (s->seat != TABLE_KEEPER || !next_word(s, &word) || word.length != TABLE_ID || !hp_at_end(&s->in))
        return TABLE_NOT_A_LINE;
    if (s->t->phase != TABLE_OVER)
        return TABLE_NOT_NOW;
    memcpy(s->t->rematch, word.text, TABLE_ID);
    return TABLE_FINE;
}

static const struct {
    const char *word;
    table_error (*say)(saying *s);
    bool people; /* may say it */
    bool acts;   /* it answers the decision of its seat */
} lines[] = {
    {"act", say_act, true, true},           {"drive", say_drive, false, true},
    {"phrase", say_phrase, true, false},    {"agree", say_agree, true, false},
    {"back", say_back, true, true},         {"take", say_take, false, false},
    {"leave", say_leave, true, false},      {"bot", say_bot, true, false},
    {"start", say_start, true, false},      {"late", say_late, false, false},
    {"rematch", say_rematch, false, false}, {"resume", say_resume, false, false},
};
enum { LINES = sizeof lines / sizeof lines[0] };

/* Which of the lines begins with that word; LINES for none. */
static int line_of(text_in *in)
{
    text_word word;
    if (!hp_next_word(in, "word", &word))
        return LINES;
    int i = 0;
    while (i < LINES && !hp_word_is(word, lines[i].word))
        i++;
    return i;
}

bool table_for_people(const char *line, size_t length)
{
    hp_fault fault = {0};
    text_in in = {.text = line, .length = length, .fault = &fault};
    const int which = line_of(&in);
    return which < LINES && lines[which].people;
}

table_error table_play(table *t, int seat, const char *line, size_t length, uint64_t now,
                       const hp_listener *listener, hp_error *rule)
{
    hp_fault fault = {0};
    saying s = {.t = t,
                .seat = seat,
                .now = now > t->moved ? now : t->moved,
                .in = {.text = line, .length = length, .fault = &fault},
                .listener = listener};
    if (length > TABLE_LINE)
        return TABLE_TOO_LONG;
    if (!hp_check_text(&s.in))
        return TABLE_NOT_A_LINE;
    const int which = line_of(&s.in);
    if (which == LINES)
        return TABLE_NOT_A_LINE;
    const unsigned round = t->race.round;
    const table_error error = lines[which].say(&s);
    if (rule != NULL)
        *rule = s.rule;
    if (error != TABLE_FINE)
        return error;
    t->entries++;
    t->moved = s.now;
    look_around(t, lines[which].acts ? seat : TABLE_KEEPER, s.goes_on, round);
    return TABLE_FINE;
}

/* ---- Questions ---------------------------------------------------------------------------------- */

int table_seat_of(const table *t, const char *token, size_t length)
{
    uint8_t key[32];
    int found = -1;
    hp_sha256(token, length, key);
    for (int i = 0; i < HP_CARS_MAX; i++) {
        unsigned differs = 0;
        for (int k = 0; k < 32; k++)
            differs |= (unsigned)(key[k] ^ t->settings.seat[i].key[k]);
        found = differs == 0 ? i : found;
    }
    return found;
}

uint8_t table_bots_due(const table *t)
{
    uint8_t due = 0;
    for (int i = 0; i < t->settings.seats; i++)
        if ((t->awaited >> i & 1) && bot_drives(t, i))
            due |= (uint8_t)(1 << i);
    return due;
}

int table_late(const table *t, uint64_t now)
{
    for (int i = 0; i < t->settings.seats; i++)
        if (time_over(t, i, now))
            return i;
    return -1;
}

uint64_t table_deadline(const table *t)
{
    uint64_t first = 0;
    for (int i = 0; i < t->settings.seats && t->settings.clock > 0; i++) {
        const uint64_t end = t->since[i] + UINT64_C(1000) * t->settings.clock;
        if (keeps_waiting(t, i) && (first == 0 || end < first))
            first = end;
    }
    return first;
}
