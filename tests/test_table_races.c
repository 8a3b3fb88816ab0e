/* label: slow
 * Proves over whole races, with bots, persons and absences at random, that the same entries make the same
 * table, that messages hold what they should and nothing that is hidden, and that race files can be checked. */
#include "tests/table_talk.h"

/* ---- Evenings ----------------------------------------------------------------------------------- */

enum {
    CIRCUITS = 4,
    EVENINGS = CIRCUITS * HP_CARS_MAX, /* each circuit with each number of seats */
    ENTRIES_MAX = 4000,
    EVENTS_MAX = 20000,
    VIEWERS = HP_CARS_MAX + 1 /* the spectator is the last */
};

typedef struct {
    uint64_t time;
    int seat;
    size_t length;
    char line[TABLE_LINE + 1];
    size_t first, events; /* those that it led to, in the evening's */
} kept_entry;

/* A table from its opening to the end, as its keeper would keep it, and as it was after each entry. */
typedef struct {
    table_settings settings;
    kept_entry *entry; /* from 1 */
    table *after;      /* after[0] is the table as it was opened */
    hp_event *event;
    int entries, events;
    bot *bot[HP_CARS_MAX];
    bot_dice dice;
} evening;

static evening evenings[EVENINGS];

static uint32_t roll(evening *e, uint32_t n)
{
    return bot_roll_below(&e->dice, n);
}

static void hear(void *self, const hp_event *event)
{
    evening *e = self;
    assert_true(e->events < EVENTS_MAX);
    e->event[e->events++] = *event;
    for (int i = 0; i < e->settings.seats; i++)
        bot_hear(e->bot[i], event);
}

/* Said, and kept if it is taken. */
__attribute__((format(printf, 4, 5))) static bool speak(evening *e, uint64_t now, int seat,
                                                        const char *format, ...)
{
    kept_entry *entry = &e->entry[e->entries + 1];
    const hp_listener listener = {.hear = hear, .self = e};
    table t = e->after[e->entries];
    table_error error;
    hp_error rule;
    va_list arguments;
    va_start(arguments, format);
    entry->length = (size_t)vsnprintf(entry->line, sizeof entry->line, format, arguments);
    va_end(arguments);
    entry->seat = seat;
    entry->first = (size_t)e->events;
    const char *wrong = try_line(&t, seat, entry->line, entry->length, now, &listener, &error, &rule);
    if (wrong != NULL)
        fail_msg("seat %d: %s: %s", seat, entry->line, wrong);
    if (error != TABLE_FINE)
        return false;
    entry->time = t.moved;
    entry->events = (size_t)e->events - entry->first;
    e->after[++e->entries] = t;
    assert_true(e->entries < ENTRIES_MAX - 1);
    return true;
}

static const table *now_of(const evening *e)
{
    return &e->after[e->entries];
}

static int any_person(evening *e)
{
    const table_settings *s = &now_of(e)->settings;
    const int from = (int)roll(e, s->seats);
    for (int i = 0; i < s->seats; i++)
        if (s->seat[(from + i) % s->seats].kind == TABLE_PERSON)
            return (from + i) % s->seats;
    return -1;
}

static void gather(evening *e, uint64_t now)
{
    const int seat = (int)roll(e, e->settings.seats), person = any_person(e);
    char key[HP_SEED_TEXT], salt[HP_SEED_TEXT] = "-";
    switch (roll(e, 10)) {
    case 0:
        speak(e, now, person, "start");
        break;
    case 1:
        speak(e, now, person, "leave");
        break;
    case 2:
        speak(e, now, person, "bot %s", table_level_word((table_level)roll(e, TABLE_LEVELS)));
        break;
    case 3:
        speak(e, now, person, "phrase %u", 1 + roll(e, TABLE_PHRASES));
        break;
    default:
        key_of(seat, key);
        if (roll(e, 2) > 0) {
            uint8_t bytes[32];
            hp_seed_of(bot_roll(&e->dice), 1, bytes);
            hp_hex_write(bytes, salt);
        }
        speak(e, now, seat, "take %s %s %s %s the \"%d\"",
              table_colour_word((table_colour)roll(e, TABLE_COLOURS)), salt, key, name_of(seat), seat);
    }
}

/* What a seat does that has something to decide: its bot's choice, or any act. */
static void decide(evening *e, uint64_t now, int seat, bool by_bot)
{
    const table *t = now_of(e);
    hp_view view;
    char text[HP_ACT_TEXT];
    hp_look(&t->race, seat, &view);
    const bool wise = by_bot || roll(e, 3) > 0;
    hp_act_write(wise ? bot_choose(e->bot[seat], &view) : bot_any(&view.choice, &e->dice), text, sizeof text);
    assert_true(speak(e, now, seat, "%s %u %s", by_bot ? "drive" : "act", t->entries, text));
}

static int any_awaited(evening *e)
{
    int seat = (int)roll(e, e->settings.seats);
    while (!(now_of(e)->awaited >> seat & 1))
        seat = (seat + 1) % e->settings.seats;
    return seat;
}

static void race_a_little(evening *e, uint64_t now)
{
    const table *t = now_of(e);
    const int person = any_person(e), late = table_late(t, now);
    const uint32_t what = roll(e, 100);
    if (late >= 0 && what < 50)
        speak(e, now, TABLE_KEEPER, "late %d", late);
    else if (what < 3)
        speak(e, now, person, "phrase %u", 1 + roll(e, TABLE_PHRASES));
    else if (what < 5)
        speak(e, now, person, "leave");
    else if (what < 6)
        speak(e, now, person, "bot %s", table_level_word((table_level)roll(e, TABLE_LEVELS)));
    else if (what < 12)
        speak(e, now, person, "back");
    else if (what < 16)
        speak(e, now, person, "agree %d", any_awaited(e));
    else if (what < 17)
        speak(e, now, TABLE_KEEPER, "resume");
    else if (what < 19)
        speak(e, now, person, "act %u unplan", t->entries);
    else if (what < 21 && person >= 0 && t->race.step == HP_STEP_PLAN &&
             t->race.car[person].status == HP_RACING && !(t->away >> person & 1))
        decide(e, now, person, false); /* perhaps once more */
    else {
        const int seat = any_awaited(e);
        decide(e, now, seat, table_bots_due(t) >> seat & 1);
    }
}

static void play_evening(evening *e, int number)
{
    static const char letters[] = "ppookrrdc";
    static const char *const bots[] = {"rookie", "driver", "champion:8"};
    char seats[HP_CARS_MAX + 1] = "";
    hp_circuit circuit;
    e->dice.state = (uint64_t)number;
    for (int i = 0; i <= number / CIRCUITS; i++)
        seats[i] = letters[roll(e, sizeof letters - 1)];
    if (strpbrk(seats, "pok") == NULL)
        seats[0] = 'p';
    e->settings = settings_for(seats);
    hp_circuit_at(number % CIRCUITS, &circuit);
    memcpy(e->settings.circuit, circuit.name, sizeof circuit.name);
    e->settings.track = circuit.track;
    e->settings.clock = number % 3 > 0 ? 60 : 0;
    hp_seed_of(7, (uint64_t)number, e->settings.secret);
    for (int i = 0; i < e->settings.seats; i++) {
        e->settings.seat[i].handicap = (uint8_t)roll(e, HP_HANDICAP_MAX + 1);
        assert_non_null(e->bot[i] = bot_open(bots[roll(e, 12) % 5 % 3], i, bot_roll(&e->dice)));
    }
    e->entry = malloc(ENTRIES_MAX * sizeof *e->entry);
    e->after = malloc(ENTRIES_MAX * sizeof *e->after);
    e->event = malloc(EVENTS_MAX * sizeof *e->event);
    assert_true(e->entry != NULL && e->after != NULL && e->event != NULL);
    uint64_t now = NOON;
    assert_true(table_open(e->after, &e->settings, now));
    speak(e, now, TABLE_KEEPER, "start"); /* if nobody is missing */
    for (; now_of(e)->phase == TABLE_GATHERING; now += roll(e, 9 * SECOND))
        gather(e, now);
    for (; now_of(e)->phase == TABLE_RACING; now += roll(e, 20 * SECOND))
        race_a_little(e, now);
    speak(e, now, TABLE_KEEPER, "rematch " ELSEWHERE);
    for (int i = 0; i < e->settings.seats; i++)
        bot_close(e->bot[i]);
}

static int play_all(void **state)
{
    (void)state;
    for (int i = 0; i < EVENINGS; i++)
        play_evening(&evenings[i], i);
    return 0;
}

static int forget_all(void **state)
{
    (void)state;
    for (int i = 0; i < EVENINGS; i++) {
        free(evenings[i].entry);
        free(evenings[i].after);
        free(evenings[i].event);
    }
    return 0;
}

static table_entry entry_of(const evening *e, int i)
{
    const kept_entry *kept = &e->entry[i];
    return (table_entry){.time = kept->time,
                         .seat = kept->seat,
                         .line = kept->line,
                         .length = kept->length,
                         .events = e->event + kept->first,
                         .in_events = kept->events};
}

/* The k-th viewer of a table, the spectator being the last; -2 when it has no such seat. */
static int viewer_of(const table *t, int k)
{
    return k == HP_CARS_MAX ? HP_SPECTATOR : k < t->settings.seats ? k : -2;
}

/* ---- Entries ------------------------------------------------------------------------------------ */

static bool starts_with(const char *line, const char *word)
{
    return strncmp(line, word, strlen(word)) == 0;
}

/* Without it the other tests might prove nothing. */
static void an_evening_has_everything(void **state)
{
    (void)state;
    static const char *const words[] = {"take ",   "leave",  "bot ",  "start", "act ",   "drive ",
                                        "phrase ", "agree ", "late ", "back",  "resume", "rematch "};
    enum { WORDS = sizeof words / sizeof *words };
    int count[WORDS] = {0}, agreed = 0, unplans = 0;
    for (int k = 0; k < EVENINGS; k++)
        for (int i = 1; i <= evenings[k].entries; i++) {
            const kept_entry *entry = &evenings[k].entry[i];
            for (int w = 0; w < WORDS; w++)
                count[w] += starts_with(entry->line, words[w]);
            agreed += starts_with(entry->line, "agree") &&
                      evenings[k].after[i].away != evenings[k].after[i - 1].away;
            unplans += strstr(entry->line, "unplan") != NULL;
        }
    for (int w = 0; w < WORDS; w++)
        if (count[w] < 3)
            fail_msg("%s: %d", words[w], count[w]);
    assert_true(agreed > 0 && unplans > 0);
}

static void the_same_entries_make_the_same_table(void **state)
{
    (void)state;
    for (int k = 0; k < EVENINGS; k++) {
        const evening *e = &evenings[k];
        table t;
        memset(&t, 0xa5, sizeof t);
        assert_true(table_open(&t, &e->settings, NOON));
        for (int i = 0;; i++) {
            assert_memory_equal(&t, &e->after[i], sizeof t);
            if (i == e->entries)
                break;
            const kept_entry *entry = &e->entry[i + 1];
            assert_int_equal(table_play(&t, entry->seat, entry->line, entry->length, entry->time, NULL, NULL),
                             TABLE_FINE);
        }
        assert_int_equal(t.phase, TABLE_OVER);
    }
}

/* ---- Messages ----------------------------------------------------------------------------------- */

enum { MESSAGE_MAX = 1 << 16 };

/* The end of the message: what hp_event_write says about what hp_event_for lets through. */
static void expect_events(const table_entry *entry, int viewer, const char *message)
{
    static char expected[MESSAGE_MAX];
    size_t length = 0;
    if (entry->in_events > 0)
        length += (size_t)sprintf(expected, ",\"events\":[");
    for (size_t i = 0; i < entry->in_events; i++) {
        const hp_event seen = hp_event_for(&entry->events[i], viewer);
        length += hp_event_write(&seen, expected + length, HP_EVENT_TEXT);
        expected[length - 1] = i + 1 < entry->in_events ? ',' : ']';
    }
    length += (size_t)sprintf(expected + length, "}\n");
    assert_true(strlen(message) > length);
    assert_string_equal(message + strlen(message) - length, expected);
    if (entry->in_events == 0)
        assert_null(strstr(message, "events"));
}

static void an_entry_tells_each_viewer_what_it_may_see(void **state)
{
    (void)state;
    static char message[MESSAGE_MAX];
    for (int k = 0; k < EVENINGS; k++)
        for (int i = 1; i <= evenings[k].entries; i++)
            for (int v = 0; v < VIEWERS; v++) {
                const table *t = &evenings[k].after[i];
                const table_entry entry = entry_of(&evenings[k], i);
                const int viewer = viewer_of(t, v);
                char start[200];
                if (viewer == -2)
                    continue;
                const size_t length = table_message(t, &entry, viewer, message, sizeof message);
                assert_true(length < sizeof message && is_message(message, length));
                snprintf(
                    start, sizeof start, "{\"m\":\"entry\",\"n\":%d,\"t\":%llu,\"seat\":%d,\"what\":\"%.*s\"",
                    i, (unsigned long long)entry.time, entry.seat, (int)strcspn(entry.line, " "), entry.line);
                assert_memory_equal(message, start, strlen(start));
                expect_events(&entry, viewer, message);
            }
}

/* The act, and what it may not be taken for, in a line that is an act; NULL in others. */
static const char *act_in(const table_entry *entry)
{
    if (!starts_with(entry->line, "act ") && !starts_with(entry->line, "drive "))
        return NULL;
    return strchr(strchr(entry->line, ' ') + 1, ' ') + 1;
}

static void an_act_is_told_to_its_own_seat_alone(void **state)
{
    (void)state;
    static char message[MESSAGE_MAX], other[MESSAGE_MAX];
    for (int k = 0; k < EVENINGS; k++)
        for (int i = 1; i <= evenings[k].entries; i++)
            for (int v = 0; v < VIEWERS; v++) {
                const table *t = &evenings[k].after[i];
                table_entry entry = entry_of(&evenings[k], i);
                const int viewer = viewer_of(t, v);
                const char *act = act_in(&entry);
                if (viewer == -2)
                    continue;
                char expected[HP_ACT_TEXT + 10];
                table_message(t, &entry, viewer, message, sizeof message);
                if (act == NULL || viewer != entry.seat) {
                    assert_null(strstr(message, "\"act\":"));
                } else {
                    snprintf(expected, sizeof expected, "\"act\":\"%s\"", act);
                    assert_non_null(strstr(message, expected));
                }
                const bool planning =
                    act != NULL &&
                    (starts_with(act, "plan ") || starts_with(act, "retire") || starts_with(act, "unplan"));
                assert_int_equal(strstr(message, "\"planned\":") != NULL, planning);
                if (!planning)
                    continue;
                const bool taken_back = starts_with(act, "unplan");
                assert_non_null(strstr(message, taken_back ? "\"planned\":false" : "\"planned\":true"));
                if (viewer == entry.seat || taken_back)
                    continue;
                /* Whatever is planned, the others read the same. */
                static const char *const plans[] = {"plan 1 5", "plan 4 H H H H", "retire"};
                for (int p = 0; p < 3; p++) {
                    char line[TABLE_LINE + 1];
                    snprintf(line, sizeof line, "%.*s%s", (int)(act - entry.line), entry.line, plans[p]);
                    table_entry instead = entry;
                    instead.line = line;
                    instead.length = strlen(line);
                    table_message(t, &instead, viewer, other, sizeof other);
                    assert_string_equal(message, other);
                }
            }
}

static void no_text_of(const evening *e, const char *text)
{
    hp_head head;
    char hex[HP_SEED_TEXT];
    table_head(&e->after[e->entries], &head);
    hp_hex_write(head.setup.seed, hex);
    assert_null(strstr(text, hex));
    hp_hex_write(e->settings.secret, hex);
    assert_null(strstr(text, hex));
    for (int i = 0; i < e->settings.seats; i++) {
        key_of(i, hex);
        assert_null(strstr(text, hex));
        assert_null(strstr(text, token_of(i)));
    }
}

static void keys_secret_and_seed_are_told_to_nobody(void **state)
{
    (void)state;
    static char text[MESSAGE_MAX];
    for (int k = 0; k < EVENINGS; k++)
        for (int i = 1; i <= evenings[k].entries; i++) {
            const evening *e = &evenings[k];
            const table *t = &e->after[i];
            const table_entry entry = entry_of(e, i);
            const int viewer = viewer_of(t, i % VIEWERS) == -2 ? HP_SPECTATOR : viewer_of(t, i % VIEWERS);
            if (i > 40 && i % 4 > 0) /* after the start nothing new can happen with them */
                continue;
            table_message(t, &entry, viewer, text, sizeof text);
            no_text_of(e, text);
            table_state(t, TABLE_NAMED, viewer, text, sizeof text);
            no_text_of(e, text);
            table_notice(t, TABLE_NAMED, text, sizeof text);
            no_text_of(e, text);
        }
}

/* ---- The state ---------------------------------------------------------------------------------- */

/* R2.2: those who have finished by place, those who race as they stand, those who have retired by place. */
static int write_standings(const hp_race *race, char *text)
{
    static const hp_status groups[] = {HP_FINISHED, HP_RACING, HP_RETIRED};
    int length = sprintf(text, ",\"standings\":[");
    for (int g = 0; g < 3; g++) {
        uint8_t order[HP_CARS_MAX];
        int n = groups[g] == HP_RACING ? hp_standings(race, order) : 0;
        for (int place = 1; groups[g] != HP_RACING && place <= race->cars; place++)
            for (int i = 0; i < race->cars; i++)
                if (race->car[i].status == groups[g] && race->car[i].place == place)
                    order[n++] = (uint8_t)i;
        for (int i = 0; i < n; i++)
            length += sprintf(text + length, "%s%d", text[length - 1] == '[' ? "" : ",", order[i]);
    }
    return length + sprintf(text + length, "]");
}

static void a_state_is_notice_view_and_acts(void **state)
{
    (void)state;
    static char text[MESSAGE_MAX], expected[MESSAGE_MAX], notice[4000];
    for (int k = 0; k < EVENINGS; k++)
        for (int i = 0; i <= evenings[k].entries; i++) {
            const table *t = &evenings[k].after[i];
            const size_t in_notice = table_notice(t, TABLE_NAMED, notice, sizeof notice);
            assert_true(is_message(notice, in_notice));
            notice[in_notice - 1] = '\0';
            for (int v = 0; v < VIEWERS; v++) {
                const int viewer = viewer_of(t, v);
                if (viewer == -2)
                    continue;
                int length = sprintf(expected, "{\"m\":\"state\",\"n\":%d,\"you\":%d,\"table\":%s", i,
                                     viewer == HP_SPECTATOR ? -1 : viewer, notice);
                if (t->phase != TABLE_GATHERING) {
                    hp_view view;
                    hp_act acts[HP_ACTS_MAX];
                    hp_look(&t->race, viewer, &view);
                    length += sprintf(expected + length, ",\"view\":");
                    length += (int)hp_view_write(&view, expected + length, HP_VIEW_TEXT) - 1;
                    length += write_standings(&t->race, expected + length);
                    const bool away = viewer != HP_SPECTATOR && (t->away >> viewer & 1);
                    const int n = viewer == HP_SPECTATOR || away ? 0 : hp_acts(&view.choice, acts);
                    for (int a = 0; a < n; a++) {
                        length += sprintf(expected + length, a == 0 ? ",\"acts\":[\"" : ",\"");
                        length += (int)hp_act_write(acts[a], expected + length, HP_ACT_TEXT);
                        length += sprintf(expected + length, a + 1 < n ? "\"" : "\"]");
                    }
                }
                length += sprintf(expected + length, "}\n");
                const size_t in_text = table_state(t, TABLE_NAMED, viewer, text, sizeof text);
                assert_string_equal(text, expected);
                assert_true(in_text == (size_t)length && in_text < TABLE_STATE_TEXT &&
                            is_message(text, in_text));
            }
        }
}

/* The leak test: a table that differs only in what this viewer cannot know reads the same. The other race is
 * dealt anew behind the viewer's view; keys are nobody's business. */
static void tables_that_differ_in_what_is_hidden_read_the_same(void **state)
{
    (void)state;
    static char text[TABLE_STATE_TEXT], other_text[TABLE_STATE_TEXT];
    int others = 0;
    for (int k = 0; k < EVENINGS; k++)
        for (int i = 0; i <= evenings[k].entries; i++)
            for (int v = 0; v < VIEWERS; v++) {
                const table *t = &evenings[k].after[i];
                const int viewer = viewer_of(t, v);
                if (viewer == -2 || t->phase != TABLE_RACING)
                    continue;
                table other = *t;
                hp_view view, same;
                uint8_t seed[HP_SEED_BYTES];
                hp_look(&t->race, viewer, &view);
                hp_seed_of((uint64_t)i, (uint64_t)v, seed);
                hp_guess(&view, seed, &other.race);
                hp_look(&other.race, viewer, &same);
                assert_memory_equal(&view, &same, sizeof view);
                for (int s = 0; s < t->settings.seats; s++) {
                    other.asked[s] = 0;
                    if (t->settings.seat[s].kind == TABLE_PERSON)
                        hp_seed_of((uint64_t)i, (uint64_t)s, other.settings.seat[s].key);
                }
                table_state(t, TABLE_NAMED, viewer, text, sizeof text);
                table_state(&other, TABLE_NAMED, viewer, other_text, sizeof other_text);
                assert_string_equal(text, other_text);
                table_notice(t, TABLE_NAMED, text, sizeof text);
                table_notice(&other, TABLE_NAMED, other_text, sizeof other_text);
                assert_string_equal(text, other_text);
                others += hp_hash(&t->race) != hp_hash(&other.race);
            }
    assert_true(others > 10000);
}

/* ---- Examples ----------------------------------------------------------------------------------- */

static void messages_are_written_like_this(void **state)
{
    (void)state;
    char text[TABLE_STATE_TEXT], hex[HP_SEED_TEXT], expected[2048];
    uint8_t commitment[32];
    table_settings settings = settings_for("pork");
    settings.clock = 60;
    settings.seat[2].handicap = 1;
    table t = open_with(&settings);
    say_at(&t, NOON + 5, 0, "phrase 4");
    table_commitment(&t, commitment);
    hp_hex_write(commitment, hex);
    snprintf(
        expected, sizeof expected,
        "{\"m\":\"table\",\"id\":\"" TABLE_NAMED "\",\"n\":1,\"phase\":\"gathering\",\"circuit\":\"usa\","
        "\"laps\":1,\"clock\":60,\"substitute\":\"driver\",\"commitment\":\"%s\",\"opened\":1763251200000,"
        "\"seats\":[{\"kind\":\"person\",\"name\":\"Ada\",\"colour\":\"red\",\"handicap\":0,\"away\":false,"
        "\"driver\":\"person\"},{\"kind\":\"open\",\"handicap\":0},"
        "{\"kind\":\"bot\",\"level\":\"rookie\",\"handicap\":1,\"driver\":\"rookie\"},"
        "{\"kind\":\"open\",\"name\":\"Di\",\"colour\":\"green\",\"handicap\":0,\"kept\":true}],"
        "\"awaited\":[]}\n",
        hex);
    table_notice(&t, TABLE_NAMED, text, sizeof text);
    assert_string_equal(text, expected);

    /* a race: somebody is away, somebody is agreed about, somebody has brought a salt */
    say_at(&t, NOON + 6, 3, "%s", take_line("white", SALT, 3, "Di \"\\\""));
    say_at(&t, NOON + 7, 1, "%s", take_line("blue", "-", 1, "Bo"));
    say_at(&t, NOON + 8, 1, "bot champion");
    say_at(&t, NOON + 20 * SECOND, 0, "agree 3");
    say_at(&t, NOON + 20 * SECOND + 10, 3, "back"); /* which ends it */
    say_at(&t, NOON + 20 * SECOND + 11, 2, "drive %s", act_line(&t, 2, 0) + 4);
    table_notice(&t, TABLE_NAMED, text, sizeof text);
    assert_non_null(strstr(text, "\"phase\":\"racing\""));
    assert_non_null(strstr(text,
                           "\"seats\":[{\"kind\":\"person\",\"name\":\"Ada\",\"colour\":\"red\","
                           "\"handicap\":0,\"away\":false,\"driver\":\"person\"},"
                           "{\"kind\":\"person\",\"name\":\"Bo\",\"colour\":\"blue\",\"handicap\":0,"
                           "\"away\":true,\"driver\":\"champion\"},"
                           "{\"kind\":\"bot\",\"level\":\"rookie\",\"colour\":\"orange\",\"handicap\":1,"
                           "\"driver\":\"rookie\"},"
                           "{\"kind\":\"person\",\"name\":\"Di \\\"\\\\\\\"\",\"colour\":\"white\","
                           "\"handicap\":0,\"salt\":\"" SALT "\",\"away\":false,\"driver\":\"person\"}],"
                           "\"awaited\":[{\"seat\":0,\"since\":1763251200007,\"until\":1763251260007},"
                           "{\"seat\":1,\"since\":1763251200007},"
                           "{\"seat\":3,\"since\":1763251220010,\"until\":1763251280010}]}"));
}

/* What belongs to each kind of entry. */
static void entries_are_written_like_this(void **state)
{
    (void)state;
    table t = table_with_clock("pppo", 60);
    const struct {
        int seat;
        const char *line, *message;
    } said_here[] = {
        {3, take_line("white", SALT, 3, "Di \"\\\""),
         ",\"name\":\"Di \\\"\\\\\\\"\",\"colour\":\"white\",\"events\":["},
        {0, "phrase 4", ",\"phrase\":4}\n"},
        {0, "agree 1", ",\"for\":1}\n"},
        {1, "back", NULL},
        {2, "bot rookie", ",\"level\":\"rookie\"}\n"},
        {2, "leave", "}\n"},
        {2, "back", "}\n"},
        {0, "start", NULL},
        {TABLE_KEEPER, "late 0", ",\"for\":0}\n"},
        {TABLE_KEEPER, "resume", "}\n"},
    };
    for (size_t i = 0; i < sizeof said_here / sizeof *said_here; i++) {
        static heard_events events;
        const hp_listener listener = listener_of(&events);
        events.n = 0;
        const char *line = said_here[i].line;
        char message[8192], expected[300];
        const uint64_t now = NOON + (i + 1) * 10 * SECOND;
        const table_error error = table_play(&t, said_here[i].seat, line, strlen(line), now, &listener, NULL);
        assert_int_equal(error == TABLE_FINE, said_here[i].message != NULL);
        const table_entry entry = {now,          said_here[i].seat, line,
                                   strlen(line), events.event,      (size_t)events.n};
        if (error == TABLE_FINE) {
            table_message(&t, &entry, HP_SPECTATOR, message, sizeof message);
            snprintf(expected, sizeof expected,
                     "{\"m\":\"entry\",\"n\":%u,\"t\":%llu,\"seat\":%d,\"what\":\"%.*s\"%s", t.entries,
                     (unsigned long long)now, said_here[i].seat, (int)strcspn(line, " "), line,
                     said_here[i].message);
            assert_memory_equal(message, expected, strlen(expected));
        }
    }
    race_on(&t);
    say(&t, TABLE_KEEPER, "rematch " ELSEWHERE);
    const table_entry rematch = {1, TABLE_KEEPER, "rematch " ELSEWHERE, 8 + TABLE_ID, NULL, 0};
    char message[1024];
    table_message(&t, &rematch, 0, message, sizeof message);
    assert_non_null(strstr(message, ",\"what\":\"rematch\",\"id\":\"" ELSEWHERE "\"}\n"));
    char notice[4096], places[64] = "\"awaited\":[],\"places\":[";
    for (int place = 1; place <= 4; place++)
        for (int i = 0; i < 4; i++)
            if (t.race.car[i].place == place)
                snprintf(places + strlen(places), 3, "%d%s", i, place < 4 ? "," : "]");
    table_notice(&t, TABLE_NAMED, notice, sizeof notice);
    assert_non_null(strstr(notice, "\"phase\":\"over\""));
    assert_non_null(strstr(notice, places));
    assert_non_null(strstr(notice, "],\"rematch\":\"" ELSEWHERE "\"}\n"));
}

static void errors_are_written_like_this(void **state)
{
    (void)state;
    char text[512];
    table_error_message(TABLE_SEAT_TAKEN, HP_OK, text, sizeof text);
    assert_string_equal(
        text, "{\"m\":\"error\",\"code\":\"seat_taken\",\"text\":\"Somebody sits there already.\"}\n");
    table_error_message(TABLE_ILLEGAL, HP_NOT_YOUR_TURN, text, sizeof text);
    assert_string_equal(text,
                        "{\"m\":\"error\",\"code\":\"not_your_turn\",\"text\":\"It is not this car's turn.\","
                        "\"rule\":\"R2.1\"}\n");
    for (int error = 0; error < TABLE_ERRORS; error++)
        for (int rule = 0; rule < HP_ERRORS; rule++) {
            const size_t length = table_error_message((table_error)error, (hp_error)rule, text, sizeof text);
            assert_true(length < sizeof text && is_message(text, length));
            assert_int_equal(strstr(text, "\"rule\":") != NULL,
                             error == TABLE_ILLEGAL && hp_rule_of((hp_error)rule)[0] != '\0');
        }
}

/* ---- Foresight ---------------------------------------------------------------------------------- */

static int write_crossings(const hp_prospect *p, char *text)
{
    int length = sprintf(text, ",\"corners\":[");
    for (int i = 0; i < p->crossed; i++)
        length += sprintf(text + length, "%s{\"corner\":%d,\"limit\":%d,\"pays\":%d}", i > 0 ? "," : "",
                          p->crossing[i].corner, p->crossing[i].limit, p->crossing[i].pays);
    return length + sprintf(text + length, "]");
}

/* All but the odds: they are rounded, and looked at elsewhere. */
static void write_foresight(const hp_outlook *seen, const char *act, char *text)
{
    const hp_outcome *o = &seen->without.outcome;
    int length = sprintf(
        text,
        "{\"m\":\"foresee\",\"act\":\"%s\",\"ok\":true,\"gear\":%d,\"shift\":%d,\"speed\":%d,\"chance\":%s,"
        "\"cluttered\":%s,\"spins\":%s,\"price\":%d,\"engine\":%d,\"stress\":%d,"
        "\"to\":{\"at\":%d,\"spot\":%d}",
        act, o->gear, seen->shift, o->speed, o->chance ? "true" : "false", o->cluttered ? "true" : "false",
        o->spins ? "true" : "false", o->price, o->engine, o->stress, o->to.at, o->to.spot);
    length += write_crossings(&seen->without, text + length);
    if (seen->prospects == 0)
        sprintf(text + length, ",\"risk_per_mille\":%d}\n", o->spins ? 1000 : 0);
    else
        sprintf(text + length, ",\"odds\":[");
}

/* Each within a thousandth of what it is, all of them a thousand, and the risk their part that spins out. */
static void read_odds(const hp_outlook *seen, const char *odds)
{
    int sum = 0, risk = 0, read = 0, told = -1;
    for (int i = 0; i < seen->prospects; i++) {
        const hp_prospect *p = &seen->prospect[i];
        char corners[1024], expected[2048];
        int speed, share;
        assert_int_equal(sscanf(odds, "{\"speed\":%d,\"per_mille\":%d%n", &speed, &share, &read), 2);
        assert_int_equal(speed, p->outcome.speed);
        assert_true(i == 0 || speed > seen->prospect[i - 1].outcome.speed);
        assert_true(((uint64_t)share + 1) * seen->weights > p->weight * 1000);
        assert_true((uint64_t)share * seen->weights < p->weight * 1000 + seen->weights);
        write_crossings(p, corners);
        sprintf(expected, ",\"to\":{\"at\":%d,\"spot\":%d},\"price\":%d,\"engine\":%d,\"spins\":%s%s}%s",
                p->outcome.to.at, p->outcome.to.spot, p->outcome.price, p->outcome.engine,
                p->outcome.spins ? "true" : "false", corners, i + 1 < seen->prospects ? "," : "]");
        assert_memory_equal(odds + read, expected, strlen(expected));
        odds += (size_t)read + strlen(expected);
        sum += share;
        risk += p->outcome.spins ? share : 0;
    }
    assert_int_equal(sum, 1000);
    assert_int_equal(sscanf(odds, ",\"risk_per_mille\":%d}\n%n", &told, &read), 1);
    assert_int_equal(told, risk);
    assert_int_equal(odds[read], '\0');
}

static void foresight_is_that_of_the_rules(void **state)
{
    (void)state;
    static char text[TABLE_FORESIGHT_TEXT], expected[TABLE_FORESIGHT_TEXT];
    int legal = 0, kinds = 0, odds = 0;
    for (int k = 0; k < EVENINGS; k++)
        for (int i = 0; i <= evenings[k].entries; i++) {
            const table *t = &evenings[k].after[i];
            const int seat = i % t->settings.seats;
            hp_act acts[HP_ACTS_MAX];
            hp_view view;
            if (t->phase == TABLE_GATHERING)
                continue;
            hp_look(&t->race, seat, &view);
            const int n = hp_acts(&view.choice, acts);
            for (int a = 0; a < n; a++, legal++) {
                char act[HP_ACT_TEXT];
                hp_outlook seen;
                hp_expect(&view, acts[a], &seen);
                hp_act_write(acts[a], act, sizeof act);
                write_foresight(&seen, act, expected);
                const size_t length = table_foresight(t, seat, act, strlen(act), text, sizeof text);
                assert_true(length < sizeof text && is_message(text, length));
                assert_memory_equal(text, expected, strlen(expected));
                if (seen.prospects > 0)
                    read_odds(&seen, text + strlen(expected));
                else
                    assert_string_equal(text, expected);
                odds += seen.prospects > 0;
                kinds |= 1 << acts[a].kind;
            }
        }
    assert_true(legal > 10000);
    assert_true(odds > 1000);
    assert_int_equal(kinds, (1 << HP_ACT_KINDS) - 1);
}

static void foresight_says_why_not(void **state)
{
    (void)state;
    const struct {
        const char *act, *expected;
    } tries[] = {
        {"done", "{\"m\":\"foresee\",\"act\":\"done\",\"ok\":false,\"code\":\"wrong_step\",\"text\":"
                 "\"That is not what is to be decided now.\",\"rule\":\"R2.1\"}\n"},
        {"plan 4  1 1 1 1",
         "{\"m\":\"foresee\",\"act\":\"plan 4 1 1 1 1\",\"ok\":false,\"code\":\"shift_too_far\","
         "\"text\":\"Gears can be shifted by two at most.\",\"rule\":\"R3.2\"}\n"},
        {"fly", "{\"m\":\"foresee\",\"ok\":false,\"code\":\"not_a_line\",\"text\":"
                "\"This is not a line that can be understood here.\"}\n"},
    };
    const table t = table_for("pp"), before = table_for("po");
    char text[512];
    for (int i = 0; i < 3; i++) {
        const size_t length = table_foresight(&t, 0, tries[i].act, strlen(tries[i].act), text, sizeof text);
        assert_string_equal(text, tries[i].expected);
        assert_true(is_message(text, length));
    }
    table_foresight(&before, 0, "plan 1 1", 8, text, sizeof text);
    assert_non_null(strstr(text, "{\"m\":\"foresee\",\"ok\":false,\"code\":\"not_now\""));
    table_foresight(&t, 0, "\"\xff", 2, text, sizeof text);
    assert_non_null(strstr(text, "\"not_a_line\""));
    table_foresight(&t, HP_SPECTATOR, "plan 1 1", 8, text, sizeof text);
    assert_non_null(strstr(text, "\"not_your_turn\""));
    table over = table_for("r");
    race_on(&over);
    table_foresight(&over, 0, "plan 1 1", 8, text, sizeof text);
    assert_non_null(strstr(text, "\"race_over\""));
}

/* It is a question: nobody learns of it, and another race would do as well. */
static void foresight_tells_nothing_hidden(void **state)
{
    (void)state;
    for (int k = 5; k < EVENINGS; k += 6)
        for (int i = 0; i <= evenings[k].entries; i += 2) {
            const table *t = &evenings[k].after[i];
            const int seat = i % t->settings.seats;
            table other = *t;
            hp_view view;
            hp_act acts[HP_ACTS_MAX];
            uint8_t seed[HP_SEED_BYTES];
            char act[HP_ACT_TEXT], text[TABLE_FORESIGHT_TEXT], other_text[TABLE_FORESIGHT_TEXT];
            if (t->phase != TABLE_RACING)
                continue;
            hp_look(&t->race, seat, &view);
            hp_seed_of((uint64_t)i, 5, seed);
            hp_guess(&view, seed, &other.race);
            const int n = hp_acts(&view.choice, acts);
            hp_act_write(n > 0 ? acts[i % n] : act_of("boost"), act, sizeof act);
            table_foresight(t, seat, act, strlen(act), text, sizeof text);
            table_foresight(&other, seat, act, strlen(act), other_text, sizeof other_text);
            assert_string_equal(text, other_text);
        }
}

/* ---- Sizes -------------------------------------------------------------------------------------- */

/* Every corner in every outcome of four cards turned over. */
static void the_longest_foresight_fits(void **state)
{
    (void)state;
    static char text[2 * TABLE_FORESIGHT_TEXT];
    table_settings settings = settings_for("p");
    settings.laps = HP_LAPS_MAX;
    settings.track = (hp_track){.spaces = 128, .heat = 19, .stress = 6, .corners = HP_CORNERS_MAX};
    for (int i = 0; i < HP_CORNERS_MAX; i++)
        settings.track.corner[i] = (hp_corner){.after = (uint8_t)(100 + i), .limit = 20};
    table t = race_with(&settings);
    hp_car *car = &t.race.car[0];
    car->draw.counts += car->hand.counts - pile_from("SSSS111").counts;
    car->hand = pile_from("SSSS111");
    car->gear = 3;
    car->engine = 19;
    for (int at = 85; at < 115; at++) {
        car->lap = 8;
        car->space = (uint8_t)at;
        const size_t length = table_foresight(&t, 0, "plan 4 S S S S", 14, text, sizeof text);
        assert_true(length < TABLE_FORESIGHT_TEXT && is_message(text, length));
    }
}

/* The longest of everything at once, and more than a table can hold. */
static void the_longest_state_fits(void **state)
{
    (void)state;
    static char text[2 * TABLE_STATE_TEXT];
    table_settings settings = settings_for("pppppp");
    settings.clock = TABLE_CLOCK_MAX;
    memset(settings.circuit, 'x', HP_NAME_MAX);
    settings.track = (hp_track){.spaces = 128, .heat = 19, .stress = 6, .corners = HP_CORNERS_MAX};
    for (int i = 0; i < HP_CORNERS_MAX; i++)
        settings.track.corner[i] = (hp_corner){.after = (uint8_t)(100 + i), .limit = 20};
    for (int i = 0; i < HP_CARS_MAX; i++) {
        memset(settings.seat[i].name, '"', HP_NAME_MAX);
        memset(settings.seat[i].salt, 0xff, 32);
    }
    table t = race_with(&settings);
    /* six cards of different kinds in hand, to be discarded: the longest list of acts */
    t.race.step = HP_STEP_DISCARD;
    t.race.waiting = 1;
    t.race.order[t.race.now] = 0;
    t.race.car[0].hand = pile_from("012345");
    t.race.round = UINT16_MAX;
    t.phase = TABLE_OVER;
    t.entries = UINT32_MAX;
    t.opened = t.moved = UINT64_MAX;
    t.awaited = t.away = 0x3f;
    memset(t.rematch, '"', TABLE_ID);
    for (int i = 0; i < HP_CARS_MAX; i++) {
        t.agreed[i] = 0x3f;
        t.since[i] = UINT64_MAX - UINT64_C(1000) * TABLE_CLOCK_MAX;
        t.race.car[i].place = (uint8_t)(i + 1);
    }
    const char *id = "\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"";
    for (int away = 0; away < 2; away++) {
        t.away = away ? 0x3e : 0;
        const size_t length = table_state(&t, id, 0, text, sizeof text);
        assert_true(is_message(text, length));
        assert_in_range(length, TABLE_STATE_TEXT / 2, TABLE_STATE_TEXT - 1);
        assert_in_range(table_notice(&t, id, text, sizeof text), 2000, 3800 - 100);
    }
}

typedef size_t writes(const evening *e, int i, char *buffer, size_t size);

static size_t writes_state(const evening *e, int i, char *buffer, size_t size)
{
    return table_state(&e->after[i], TABLE_NAMED, i % e->settings.seats, buffer, size);
}

static size_t writes_notice(const evening *e, int i, char *buffer, size_t size)
{
    return table_notice(&e->after[i], TABLE_NAMED, buffer, size);
}

static size_t writes_message(const evening *e, int i, char *buffer, size_t size)
{
    const table_entry entry = entry_of(e, i);
    return table_message(&e->after[i], &entry, entry.seat < 0 ? HP_SPECTATOR : entry.seat, buffer, size);
}

static size_t writes_foresight(const evening *e, int i, char *buffer, size_t size)
{
    return table_foresight(&e->after[i], 0, "plan 1 1", 8, buffer, size);
}

static size_t writes_error(const evening *e, int i, char *buffer, size_t size)
{
    (void)e;
    return table_error_message((table_error)(i % TABLE_ERRORS), HP_WRONG_STEP, buffer, size);
}

/* In every smaller buffer: the same length, as much as fits, a NUL, and nothing behind it. */
static void what_does_not_fit_is_cut(void **state)
{
    (void)state;
    static writes *const writers[] = {writes_state, writes_notice, writes_message, writes_foresight,
                                      writes_error};
    static char whole[MESSAGE_MAX], part[MESSAGE_MAX];
    const evening *e = &evenings[EVENINGS - 1];
    for (int w = 0; w < 5; w++)
        for (int i = 1; i <= e->entries; i += e->entries / 5) {
            const size_t length = writers[w](e, i, whole, sizeof whole);
            assert_int_equal(strlen(whole), length);
            assert_int_equal(writers[w](e, i, NULL, 0), length);
            for (size_t size = 1; size <= length + 1; size++) {
                memset(part, 0x5a, size + 1);
                assert_int_equal(writers[w](e, i, part, size), length);
                assert_memory_equal(part, whole, size - 1);
                assert_int_equal(part[size - 1], '\0');
                assert_int_equal(part[size], 0x5a);
            }
        }
}

/* ---- Race files --------------------------------------------------------------------------------- */

static void a_seed_is_mixed_of_secret_and_salts(void **state)
{
    (void)state;
    int salted = 0;
    for (int k = 0; k < EVENINGS; k++) {
        const evening *e = &evenings[k];
        const table *t = &e->after[e->entries];
        uint8_t all[32 * (1 + HP_CARS_MAX)], seed[32];
        hp_head head;
        hp_race race;
        memcpy(all, e->settings.secret, 32);
        for (int i = 0; i < e->settings.seats; i++) {
            memcpy(all + 32 * (i + 1), t->settings.seat[i].salt, 32);
            salted += !all_zero(t->settings.seat[i].salt, 32);
        }
        hp_sha256(all, 32u * (1u + e->settings.seats), seed);
        table_head(t, &head);
        assert_memory_equal(head.setup.seed, seed, 32);
        /* and the race is the one of this seed */
        int first = 0;
        while (e->after[first].phase == TABLE_GATHERING)
            first++;
        assert_int_equal(hp_start(&race, &head.setup, NULL), HP_OK);
        assert_memory_equal(&race, &e->after[first].race, sizeof race);
    }
    assert_true(salted > 5);
}

static void read_lines(hp_reader *reader, const char *lines)
{
    for (; *lines != '\0'; lines += strcspn(lines, "\n") + 1) {
        hp_fault fault = {0};
        if (hp_read_line(reader, lines, strcspn(lines, "\n"), NULL, &fault) != HP_TEXT_OK)
            fail_msg("fault %d in line %d (%s): %s", (int)fault.kind, fault.line, fault.word, lines);
    }
}

static void a_race_file_can_be_made_and_checked(void **state)
{
    (void)state;
    for (int k = 0; k < EVENINGS; k++) {
        const evening *e = &evenings[k];
        hp_reader reader;
        hp_head head;
        char text[HP_HEAD_TEXT];
        memset(&reader, 0, sizeof reader);
        table_head(&e->after[e->entries], &head);
        assert_true(hp_head_write(&head, text, sizeof text) < sizeof text);
        read_lines(&reader, text);
        assert_memory_equal(&reader.head, &head, sizeof head);
        for (int i = 1; i <= e->entries; i++) {
            const table_entry entry = entry_of(e, i);
            const table *t = &e->after[i];
            if (act_in(&entry) != NULL) {
                hp_act_line_write(entry.seat, act_of(act_in(&entry)), text, sizeof text);
                read_lines(&reader, text);
            }
            const bool ends = t->phase == TABLE_OVER && t[-1].phase == TABLE_RACING;
            if (t->race.round != t[-1].race.round || ends) {
                hp_round_line_write(&t->race, text, sizeof text);
                read_lines(&reader, text);
            }
            if (t->phase != TABLE_GATHERING)
                assert_memory_equal(&reader.race, &t->race, sizeof t->race);
        }
        assert_int_equal(reader.ended, 1);
    }
}

static void a_race_file_has_the_names_of_all(void **state)
{
    (void)state;
    table t = table_for("porc");
    say(&t, 1, "%s", take_line("blue", SALT, 1, "Bo  \"#\" \xc3\xbc"));
    say(&t, 1, "leave"); /* for a while */
    race_on(&t);
    hp_head head;
    table_head(&t, &head);
    assert_string_equal(head.seat[0], "Ada");
    assert_string_equal(head.seat[1], "Bo  \"#\" \xc3\xbc");
    assert_string_equal(head.seat[2], "rookie");
    assert_string_equal(head.seat[3], "champion");
    assert_true(head.mixed && head.salt[1][31] == 0xff && all_zero(head.salt[2], 32));
    assert_memory_equal(head.secret, t.settings.secret, 32);
    assert_int_equal(head.setup.cars, 4);
    char text[HP_HEAD_TEXT];
    hp_reader reader;
    memset(&reader, 0, sizeof reader);
    hp_head_write(&head, text, sizeof text);
    read_lines(&reader, text);
    assert_memory_equal(&reader.head, &head, sizeof head);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_evening_has_everything),
        cmocka_unit_test(the_same_entries_make_the_same_table),
        cmocka_unit_test(an_entry_tells_each_viewer_what_it_may_see),
        cmocka_unit_test(an_act_is_told_to_its_own_seat_alone),
        cmocka_unit_test(keys_secret_and_seed_are_told_to_nobody),
        cmocka_unit_test(a_state_is_notice_view_and_acts),
        cmocka_unit_test(tables_that_differ_in_what_is_hidden_read_the_same),
        cmocka_unit_test(messages_are_written_like_this),
        cmocka_unit_test(entries_are_written_like_this),
        cmocka_unit_test(errors_are_written_like_this),
        cmocka_unit_test(foresight_is_that_of_the_rules),
        cmocka_unit_test(foresight_says_why_not),
        cmocka_unit_test(foresight_tells_nothing_hidden),
        cmocka_unit_test(the_longest_foresight_fits),
        cmocka_unit_test(the_longest_state_fits),
        cmocka_unit_test(what_does_not_fit_is_cut),
        cmocka_unit_test(a_seed_is_mixed_of_secret_and_salts),
        cmocka_unit_test(a_race_file_can_be_made_and_checked),
        cmocka_unit_test(a_race_file_has_the_names_of_all),
    };
    return cmocka_run_group_tests(tests, play_all, forget_all);
}
