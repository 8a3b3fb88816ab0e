/* Proves that a race file holds a race: whatever is played and written is read back to the same race at every
 * act, every fault is told apart with its line and leaves the reader alone, and every race file in
 * tests/fixtures/races plays to its end: to add a test, drop one there. */
#define _POSIX_C_SOURCE 200809L

#include "bots/bots.h"
#include "tests/support.h"

#include <dirent.h>

enum {
    TEXT_MAX = 1 << 18,
    SOMEWHERE = -1 /* a column that a test does not ask for */
};

static char *read_whole(const char *path)
{
    char *text = malloc(TEXT_MAX);
    FILE *file = fopen(path, "rb");
    if (file == NULL || text == NULL)
        fail_msg("%s cannot be read", path);
    const size_t size = fread(text, 1, TEXT_MAX - 1, file);
    assert_true(size < TEXT_MAX - 1);
    text[size] = '\0';
    fclose(file);
    return text;
}

/* One line, from a block of just its size; a fault must leave the reader as it was. */
static hp_fault read_line(hp_reader *reader, const char *line, size_t length)
{
    hp_reader before = *reader;
    hp_fault fault;
    memset(&fault, 0, sizeof fault);
    char *copy = malloc(length > 0 ? length : 1);
    assert_non_null(copy);
    memcpy(copy, line, length);
    const hp_text_fault kind = hp_read_line(reader, copy, length, NULL, &fault);
    free(copy);
    before.line++;
    assert_int_equal(reader->line, before.line);
    if (kind == HP_TEXT_OK)
        return (hp_fault){HP_TEXT_OK, .line = reader->line};
    assert_int_equal(kind, fault.kind);
    assert_int_equal(fault.line, before.line);
    assert_true(fault.column >= 1 && (size_t)fault.column <= length + 2);
    assert_memory_equal(reader, &before, sizeof before);
    return fault;
}

/* All lines up to the first fault, then the end. */
static hp_fault read_text(hp_reader *reader, const char *text, size_t size)
{
    memset(reader, 0, sizeof *reader);
    for (size_t at = 0; at < size;) {
        const char *end = memchr(text + at, '\n', size - at);
        const size_t length = end == NULL ? size - at : (size_t)(end - text) - at;
        const hp_fault fault = read_line(reader, text + at, length);
        if (fault.kind != HP_TEXT_OK)
            return fault;
        at += length + 1;
    }
    hp_fault fault = {.kind = HP_TEXT_OK};
    const hp_text_fault kind = hp_read_end(reader, &fault);
    assert_int_equal(kind, fault.kind);
    return fault;
}

static void assert_fault(hp_fault found, hp_fault wanted, const char *about)
{
    if (found.kind == wanted.kind && found.line == wanted.line &&
        (wanted.column == SOMEWHERE || found.column == wanted.column) && found.number == wanted.number &&
        found.low == wanted.low && found.high == wanted.high && found.refused == wanted.refused &&
        strcmp(found.word, wanted.word) == 0)
        return;
    fail_msg("%s: fault %d in line %d, column %d: %d of %d..%d, refused %d, '%s'", about, (int)found.kind,
             found.line, found.column, (int)found.number, (int)found.low, (int)found.high, (int)found.refused,
             found.word);
}

/* ---- Writing and reading ------------------------------------------------------------------------ */

/* What was heard, as one number. */
static void count_event(void *self, const hp_event *event)
{
    uint64_t *sum = self;
    char text[HP_EVENT_TEXT];
    hp_event_write(event, text, sizeof text);
    for (const char *c = text; *c != '\0'; c++)
        *sum = (*sum ^ (uint8_t)*c) * UINT64_C(0x100000001b3);
}

typedef struct {
    hp_race race;
    hp_reader reader;
    uint64_t played, read; /* events */
    char text[TEXT_MAX];
    size_t length;
} written_race;

/* Adds lines to the file and reads them. */
static void feed(written_race *file, const char *lines)
{
    const hp_listener listener = {.hear = count_event, .self = &file->read};
    const size_t size = strlen(lines);
    assert_true(file->length + size < TEXT_MAX);
    memcpy(file->text + file->length, lines, size + 1);
    file->length += size;
    for (const char *line = lines; *line != '\0'; line += strcspn(line, "\n") + 1) {
        hp_fault fault = {0};
        if (hp_read_line(&file->reader, line, strcspn(line, "\n"), &listener, &fault) != HP_TEXT_OK)
            fail_msg("fault %d in line %d, '%s': %s", (int)fault.kind, fault.line, fault.word, line);
    }
}

static void feed_round_line(written_race *file)
{
    char text[HP_LINE_MAX + 2];
    assert_in_range(hp_round_line_write(&file->race, text, sizeof text), 1, HP_LINE_MAX + 1);
    feed(file, text);
}

static hp_head random_head(int circuit_number, int cars, int laps, bot_dice *dice)
{
    static const char *const names[] = {"", "Ada", "Z\xc3\xb8rn  the\tThird", "# 1",
                                        "1234567890123456789012345678901"};
    hp_circuit circuit;
    hp_head head;
    memset(&head, 0, sizeof head);
    hp_circuit_at(circuit_number % hp_circuits(), &circuit);
    head.setup.track = circuit.track;
    memcpy(head.circuit, circuit.name, sizeof head.circuit);
    if (circuit_number == hp_circuits()) { /* one that is not built in */
        snprintf(head.circuit, sizeof head.circuit, "own");
        head.setup.track.spaces = 30;
        head.setup.track.corners = 1;
        memset(head.setup.track.corner + 1, 0,
               sizeof head.setup.track.corner - sizeof head.setup.track.corner[0]);
    }
    head.setup.cars = (uint8_t)cars;
    head.setup.laps = (uint8_t)laps;
    hp_seed_of(21, bot_roll(dice), head.setup.seed);
    for (int i = 0; i < cars; i++) {
        head.setup.handicap[i] = (uint8_t)bot_roll_below(dice, HP_HANDICAP_MAX + 1);
        snprintf(head.seat[i], sizeof head.seat[i], "%s", names[bot_roll_below(dice, 5)]);
    }
    return head;
}

/* Makes the seed one of a secret and the salts of some seats. */
static void mix(hp_head *head, unsigned salted, bot_dice *dice)
{
    head->mixed = true;
    hp_seed_of(26, bot_roll(dice), head->secret);
    for (int i = 0; i < head->setup.cars; i++)
        if (salted >> i & 1)
            hp_seed_of(27, bot_roll(dice), head->salt[i]);
    hp_seed_mix(head->secret, head->salt, head->setup.cars, head->setup.seed);
}

/* Plays a race by random acts, plans taken back included, and reads each line as it is written. */
static void write_race(written_race *file, const hp_head *head, bot_dice *dice)
{
    const hp_listener listener = {.hear = count_event, .self = &file->played};
    char text[HP_HEAD_TEXT];
    memset(file, 0, sizeof *file);
    assert_int_equal(hp_start(&file->race, &head->setup, &listener), HP_OK);
    hp_head_write(head, text, sizeof text);
    feed(file, text);
    assert_int_equal(file->reader.started, 1);
    assert_memory_equal(&file->reader.head, head, sizeof *head);
    assert_memory_equal(&file->reader.race, &file->race, sizeof file->race);
    feed_round_line(file);
    for (int acts = 1; file->race.step != HP_STEP_OVER; acts++) {
        int car = hp_to_act(&file->race);
        const int other = (int)bot_roll_below(dice, file->race.cars);
        if (file->race.step == HP_STEP_PLAN && file->race.car[other].planned && bot_roll_below(dice, 3) == 0)
            car = other; /* second thoughts */
        hp_choice choice;
        hp_choose_from(&file->race, car, &choice);
        const hp_act act = bot_any(&choice, dice);
        const int round = file->race.round;
        assert_int_equal(hp_apply(&file->race, car, act, &listener), HP_OK);
        hp_act_line_write(car, act, text, sizeof text);
        feed(file, text);
        assert_memory_equal(&file->reader.race, &file->race, sizeof file->race);
        assert_int_equal(file->reader.acts, acts);
        assert_int_equal(file->reader.act_car, car);
        assert_memory_equal(&file->reader.act, &act, sizeof act);
        if (file->race.round != round || file->race.step == HP_STEP_OVER)
            feed_round_line(file);
    }
    assert_int_equal(file->reader.ended, 1);
    assert_true(file->read == file->played);
}

static written_race *new_file(void)
{
    written_race *file = calloc(1, sizeof *file);
    assert_non_null(file);
    return file;
}

static void what_is_written_is_read_back(void **state)
{
    (void)state;
    written_race *file = new_file();
    bot_dice dice = {22};
    hp_reader reader;
    for (int circuit = 0; circuit <= hp_circuits(); circuit++)
        for (int cars = 1; cars <= HP_CARS_MAX; cars++) {
            hp_head head = random_head(circuit, cars, 1 + (circuit + cars) % 3, &dice);
            if ((circuit + cars) % 2 == 1)
                mix(&head, (unsigned)bot_roll(&dice), &dice);
            write_race(file, &head, &dice);
            assert_int_equal(read_text(&reader, file->text, file->length).kind, HP_TEXT_OK);
            assert_int_equal(reader.ended, 1);
            assert_memory_equal(&reader.race, &file->race, sizeof reader.race);
        }
    free(file);
}

static void comments_and_blank_lines_are_free(void **state)
{
    (void)state;
    written_race *file = new_file();
    bot_dice dice = {23};
    hp_reader reader;
    hp_head head = random_head(0, 2, 1, &dice);
    mix(&head, 3, &dice);
    write_race(file, &head, &dice);
    char *spread = malloc(4 * TEXT_MAX);
    assert_non_null(spread);
    size_t size = 0;
    for (const char *line = file->text; *line != '\0'; line += strcspn(line, "\n") + 1) {
        const bool seat = strncmp(line, "seat", 4) == 0; /* its name goes to the line's end */
        size += (size_t)sprintf(spread + size, "# before 0 plan 1 1\n\n \t \n  # \xe2\x82\xac\n%s%.*s%s\n",
                                seat ? "" : "\t ", (int)strcspn(line, "\n"), line, seat ? "" : " \t");
    }
    assert_int_equal(read_text(&reader, spread, size).kind, HP_TEXT_OK);
    assert_int_equal(reader.ended, 1);
    assert_memory_equal(&reader.head, &head, sizeof head);
    assert_memory_equal(&reader.race, &file->race, sizeof reader.race);
    free(spread);
    free(file);
}

static void small_buffers_cut_the_text(void **state)
{
    (void)state;
    bot_dice dice = {24};
    hp_head head = random_head(1, 6, 1, &dice);
    mix(&head, 0x35, &dice);
    char whole[HP_HEAD_TEXT];
    const size_t length = hp_head_write(&head, whole, sizeof whole);
    for (size_t size = 1; size <= length + 1; size++) {
        char *text = malloc(size);
        assert_non_null(text);
        assert_int_equal(hp_head_write(&head, text, size), length);
        assert_int_equal(strlen(text), size - 1);
        assert_memory_equal(text, whole, size - 1);
        free(text);
    }
    hp_race race;
    char text[8];
    assert_int_equal(hp_start(&race, &head.setup, NULL), HP_OK);
    assert_int_equal(hp_round_line_write(&race, text, sizeof text), 25);
    assert_string_equal(text, "round 1");
    assert_int_equal(hp_act_line_write(2, act_of("plan 3 1 4 4"), text, sizeof text), 15);
    assert_string_equal(text, "2 plan ");
}

/* ---- Faults ------------------------------------------------------------------------------------- */

/* A small race, one lap alone. */
static const char *const good[] = {
    "hairpin race 1",                                                              /* 1 */
    "rules 1",                                                                     /* 2 */
    "circuit one-corner",                                                          /* 3 */
    "track 25,6,3,12/4",                                                           /* 4 */
    "laps 1",                                                                      /* 5 */
    "cars 1",                                                                      /* 6 */
    "seat 0 handicap 0 Ada",                                                       /* 7 */
    "commitment 219d0141b4f61e76102c88776102a011ae25441327a4d59d86489cd288fc37d9", /* 8 */
    "seed 6b6f14e6af2627186bf8a55e474dcf6ef3f6ce81af560da871ec51eb670171a9",       /* 9 */
    "round 1 1d6da250896a4cd6",                                                    /* 10 */
    "0 plan 2 4 4",                                                                /* 11 */
    "0 boost",                                                                     /* 12 */
    "0 adrenaline move",                                                           /* 13 */
    "0 cool 1",                                                                    /* 14 */
    "0 done",                                                                      /* 15 */
    "0 discard 3 2",                                                               /* 16 */
    "round 2 701a61e208bd3c6d",                                                    /* 17 */
    "0 plan 4 1 S S S",                                                            /* 18 */
    "0 adrenaline move",                                                           /* 19 */
    "0 done",                                                                      /* 20 */
    "0 discard 0 2",                                                               /* 21 */
    "round 3 e79108d10b2f2ae7",                                                    /* 22 */
    "0 plan 4 1 3 4 5",                                                            /* 23 */
    "0 adrenaline move",                                                           /* 24 */
    "0 adrenaline cool",                                                           /* 25 */
    "0 boost",                                                                     /* 26 */
    "0 discard 3",                                                                 /* 27 */
    "end d91ab168c9bd9500 0",                                                      /* 28 */
};

enum { GOOD_LINES = sizeof good / sizeof good[0], HEAD_LINES = 9 };

static const char *const keys[HEAD_LINES + 1] = {"hairpin race 1", "rules", "circuit",    "track", "laps",
                                                 "cars",           "seat",  "commitment", "seed",  "round"};

static size_t add_line(char *text, size_t length, const char *line)
{
    return length + (size_t)sprintf(text + length, "%s\n", line);
}

/* Lines with one replaced by others, or by nothing for NULL. Returns their length. */
static size_t lines_but(const char *const *lines, int n, int line, const char *instead, char *text)
{
    size_t length = 0;
    for (int i = 1; i <= n; i++)
        if (i != line || instead != NULL)
            length = add_line(text, length, i == line ? instead : lines[i - 1]);
    return length;
}

static size_t good_but(int line, const char *instead, char *text)
{
    return lines_but(good, GOOD_LINES, line, instead, text);
}

#define WORD(kind, line, column, word)                                                                       \
    {                                                                                                        \
        HP_TEXT_##kind, line, column, 0, 0, 0, HP_OK, word                                                   \
    }
#define NUMBER(kind, line, column, number, low, high, word)                                                  \
    {                                                                                                        \
        HP_TEXT_##kind, line, column, number, low, high, HP_OK, word                                         \
    }
#define REFUSED(line, column, car, reason)                                                                   \
    {                                                                                                        \
        HP_TEXT_ILLEGAL_ACT, line, column, car, 0, 0, reason, ""                                             \
    }

#define SIX_TIMES_TEN "123456789 123456789 123456789 123456789 123456789 123456789 "

static const struct {
    int replaced;
    const char *instead;
    hp_fault fault;
} faults[] = {
    /* What it is, and of which version. */
    {1, "hairpin circuit 1", WORD(EXPECTED, 1, 9, "hairpin race 1")},
    {1, "hairpin", WORD(EXPECTED, 1, 8, "hairpin race 1")},
    {1, "hairpin race", WORD(EXPECTED, 1, 13, "number")},
    {1, "hairpin race one", WORD(BAD_NUMBER, 1, 14, "one")},
    {1, "hairpin race 0", NUMBER(NUMBER_RANGE, 1, 14, 0, 1, 32767, "race")},
    {1, "hairpin race 2", NUMBER(VERSION, 1, 14, 2, 0, 1, "race")},
    {1, "hairpin race 1 usa", WORD(EXTRA, 1, 16, "usa")},
    {1, "\n# a comment\nHairpin race 1", WORD(MISSING_KEY, 3, 1, "hairpin race 1")},
    {2, "rules 2", NUMBER(VERSION, 2, 7, 2, 0, HP_RULES_VERSION, "rules")},
    {2, "rules", WORD(EXPECTED, 2, 6, "number")},
    {2, "rules 1 1", WORD(EXTRA, 2, 9, "1")},

    /* The circuit. */
    {3, "circuit", WORD(EXPECTED, 3, 8, "name")},
    {3, "circuit USA", WORD(BAD_NAME, 3, 9, "USA")},
    {3, "circuit the usa", WORD(EXTRA, 3, 13, "usa")},
    {3, "circuit usa", WORD(OTHER_FIGURES, 4, 7, "usa")},
    {4, "track", WORD(EXPECTED, 4, 6, "spaces")},
    {4, "track x,6,3,12/4", WORD(BAD_NUMBER, 4, 7, "x")},
    {4, "track 24,6,3,12/4", NUMBER(NUMBER_RANGE, 4, 7, 24, 25, 128, "spaces")},
    {4, "track 25,1,3,12/4", NUMBER(NUMBER_RANGE, 4, 10, 1, 2, 19, "heat")},
    {4, "track 25,6,7,12/4", NUMBER(NUMBER_RANGE, 4, 12, 7, 0, 6, "stress")},
    {4, "track 25,6,3,25/4", NUMBER(NUMBER_RANGE, 4, 14, 25, 0, 24, "corner")},
    {4, "track 25,6,3,12/21", NUMBER(NUMBER_RANGE, 4, 17, 21, 1, 20, "limit")},
    {4, "track 25,6,3,12/4,12/4", NUMBER(CORNER_ORDER, 4, 19, 12, 0, 0, "12")},
    {4, "track 25,6,3,12/4 5", WORD(EXTRA, 4, 19, "5")},

    /* The race. */
    {5, "laps", WORD(EXPECTED, 5, 5, "number")},
    {5, "laps 0", NUMBER(NUMBER_RANGE, 5, 6, 0, 1, 9, "laps")},
    {5, "laps 10", NUMBER(NUMBER_RANGE, 5, 6, 10, 1, 9, "laps")},
    {5, "laps -1", NUMBER(NUMBER_RANGE, 5, 6, -1, 1, 9, "laps")},
    {5, "laps 99999999999", NUMBER(NUMBER_RANGE, 5, 6, 1000000000, 1, 9, "laps")},
    {5, "laps two", WORD(BAD_NUMBER, 5, 6, "two")},
    {6, "cars 0", NUMBER(NUMBER_RANGE, 6, 6, 0, 1, 6, "cars")},
    {6, "cars 7", NUMBER(NUMBER_RANGE, 6, 6, 7, 1, 6, "cars")},
    {6, "cars 2", WORD(MISSING_KEY, 8, 1, "seat")},
    {7, "seat 1 handicap 0 Ada", NUMBER(NUMBER_RANGE, 7, 6, 1, 0, 0, "seat")},
    {7, "seat Ada", WORD(BAD_NUMBER, 7, 6, "Ada")},
    {7, "seat 0", WORD(EXPECTED, 7, 7, "handicap")},
    {7, "seat 0 Ada", WORD(EXPECTED, 7, 8, "handicap")},
    {7, "seat 0 handicap", WORD(EXPECTED, 7, 16, "number")},
    {7, "seat 0 handicap 3 Ada", NUMBER(NUMBER_RANGE, 7, 17, 3, 0, 2, "handicap")},
    {7, "seat 0 handicap 0 12345678901234567890123456789012",
     WORD(BAD_NAME, 7, 19, "1234567890123456789012345678901")},
    {7, "seat 0 handicap 0 A\xff", WORD(NOT_TEXT, 7, 20, "")},

    /* The seed. */
    {8, "commitment", WORD(EXPECTED, 8, 11, "number")},
    {8, "commitment 219d", WORD(BAD_NUMBER, 8, 12, "219d")},
    {8, "commitment 119d0141b4f61e76102c88776102a011ae25441327a4d59d86489cd288fc37d9",
     WORD(COMMITMENT, 9, 1, "seed")},
    {9, "seed 6b6f14e6af2627186bf8a55e474dcf6ef3f6ce81af560da871ec51eb670171a8",
     WORD(COMMITMENT, 9, 1, "seed")},
    {9, "seed 6B6f14e6af2627186bf8a55e474dcf6ef3f6ce81af560da871ec51eb670171a9",
     WORD(BAD_NUMBER, 9, 6, "6B6f14e6af2627186bf8a55e474dcf6")},
    {9, "seed 6b6f14e6af2627186bf8a55e474dcf6ef3f6ce81af560da871ec51eb670171a9 0", WORD(EXTRA, 9, 71, "0")},

    /* Rounds. */
    {10, NULL, WORD(EXPECTED, 10, 1, "round")},
    {17, NULL, WORD(EXPECTED, 17, 1, "round")},
    {10, "round", WORD(EXPECTED, 10, 6, "number")},
    {10, "round 1", WORD(EXPECTED, 10, 8, "hash")},
    {10, "round 2 1d6da250896a4cd6", NUMBER(NUMBER_RANGE, 10, 7, 2, 1, 1, "round")},
    {10, "round 1 1d6da250896a4cd7", NUMBER(OTHER_HASH, 10, 9, 1, 0, 0, "1d6da250896a4cd7")},
    {10, "round 1 1D6DA250896A4CD6", NUMBER(OTHER_HASH, 10, 9, 1, 0, 0, "1D6DA250896A4CD6")},
    {10, "round 1 1d6da250896a4cd", NUMBER(OTHER_HASH, 10, 9, 1, 0, 0, "1d6da250896a4cd")},
    {22, "round 3 1d6da250896a4cd6", NUMBER(OTHER_HASH, 22, 9, 3, 0, 0, "1d6da250896a4cd6")},
    {10, "round 1 1d6da250896a4cd6 0", WORD(EXTRA, 10, 26, "0")},
    {11, "round 1 1d6da250896a4cd6", WORD(BAD_NUMBER, 11, 1, "round")},
    {28, "round 4 d91ab168c9bd9500", WORD(EXPECTED, 28, 1, "end")},
    {17, "end 701a61e208bd3c6d 0", WORD(EXPECTED, 17, 1, "round")},

    /* Acts. */
    {11, "plan 2 4 4", WORD(BAD_NUMBER, 11, 1, "plan")},
    {11, "1 plan 2 4 4", NUMBER(NUMBER_RANGE, 11, 1, 1, 0, 0, "car")},
    {11, "-1 plan 2 4 4", NUMBER(NUMBER_RANGE, 11, 1, -1, 0, 0, "car")},
    {11, "0", WORD(EXPECTED, 11, 2, "act")},
    {11, "0 fly", WORD(UNKNOWN_ACT, 11, 3, "fly")},
    {11, "0 plan 2 4", WORD(EXPECTED, 11, 11, "card")},
    {11, "0 plan 2 4 9", WORD(BAD_CARD, 11, 12, "9")},
    {11, "0 plan 2 4 4 4", WORD(EXTRA, 11, 14, "4")},
    {11, "0 plan 4 1 1 1 1", REFUSED(11, 3, 0, HP_SHIFT_TOO_FAR)},
    {11, "0 plan 1 5", REFUSED(11, 3, 0, HP_NOT_IN_HAND)},
    {11, "0 retire", REFUSED(11, 3, 0, HP_TOO_EARLY_TO_RETIRE)},
    {11, "0 boost", REFUSED(11, 3, 0, HP_WRONG_STEP)},
    {14, "0 cool 2", REFUSED(14, 3, 0, HP_COOLS_TOO_MUCH)},
    {14, "0 boost", REFUSED(14, 3, 0, HP_BOOST_USED)},
    {16, "0 discard S", REFUSED(16, 3, 0, HP_NOT_DISCARDABLE)},

    /* The end. */
    {28, "0 keep", WORD(EXPECTED, 28, 1, "end")},
    {28, "end", WORD(EXPECTED, 28, 4, "hash")},
    {28, "end d91ab168c9bd9501 0", NUMBER(OTHER_HASH, 28, 5, 3, 0, 0, "d91ab168c9bd9501")},
    {28, "end d91ab168c9bd9500", WORD(EXPECTED, 28, 21, "car")},
    {28, "end d91ab168c9bd9500 1", NUMBER(NUMBER_RANGE, 28, 22, 1, 0, 0, "car")},
    {28, "end d91ab168c9bd9500 0 0", WORD(EXTRA, 28, 24, "0")},
    {28, "end d91ab168c9bd9500 0\n\n# fine\n0 plan 1 1", WORD(EXTRA, 31, 1, "0")},
    {28, "end d91ab168c9bd9500 0\nend d91ab168c9bd9500 0", WORD(EXTRA, 29, 1, "end")},

    /* Bytes, wherever they are. */
    {12, "0 boost\r", WORD(NOT_TEXT, 12, 8, "")},
    {12, "# \x01\n0 boost", WORD(NOT_TEXT, 12, 3, "")},
    {12, "# caf\xe9\n0 boost", WORD(NOT_TEXT, 12, 6, "")},
    {12, "#" SIX_TIMES_TEN SIX_TIMES_TEN SIX_TIMES_TEN SIX_TIMES_TEN "123456789 12345\n0 boost",
     NUMBER(LINE_TOO_LONG, 12, 1, 255, 0, 0, "")},
};

static void the_good_file_is_good(void **state)
{
    (void)state;
    hp_reader reader;
    static char text[TEXT_MAX];
    assert_int_equal(read_text(&reader, text, good_but(0, NULL, text)).kind, HP_TEXT_OK);
    assert_int_equal(reader.ended, 1);
    assert_int_equal(reader.acts, 15);
    assert_int_equal(reader.line, GOOD_LINES);
}

static void every_fault_is_told_apart(void **state)
{
    (void)state;
    static char text[TEXT_MAX];
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        hp_reader reader;
        const size_t length = good_but(faults[i].replaced, faults[i].instead, text);
        assert_fault(read_text(&reader, text, length), faults[i].fault,
                     faults[i].instead != NULL ? faults[i].instead : "a line left out");
    }
}

/* Each line of the head left out, doubled, or after the next one. */
static void head_lines_come_once_and_in_order(void **state)
{
    (void)state;
    static char text[TEXT_MAX];
    hp_reader reader;
    for (int line = 1; line <= HEAD_LINES; line++) {
        hp_fault missing = {HP_TEXT_MISSING_KEY, .line = line, .column = 1};
        snprintf(missing.word, sizeof missing.word, "%s", keys[line - 1]);
        size_t length = good_but(line, NULL, text);
        assert_fault(read_text(&reader, text, length), missing, good[line - 1]);

        char both[400];
        snprintf(both, sizeof both, "%s\n%s", good[line], good[line - 1]);
        length = good_but(line, both, text); /* the next one first */
        assert_fault(read_text(&reader, text, length), missing, both);

        hp_fault next = {line < HEAD_LINES ? HP_TEXT_MISSING_KEY : HP_TEXT_EXPECTED, .line = line + 1,
                         .column = 1};
        snprintf(next.word, sizeof next.word, "%s", keys[line]);
        snprintf(both, sizeof both, "%s\n%s", good[line - 1], good[line - 1]);
        length = good_but(line, both, text);
        assert_fault(read_text(&reader, text, length), next, both);
    }
}

static void a_head_that_ends_early_is_cut_off(void **state)
{
    (void)state;
    hp_reader reader;
    static char text[TEXT_MAX];
    size_t length = 0;
    for (int lines = 0; lines <= GOOD_LINES; lines++) {
        const hp_fault fault = read_text(&reader, text, length);
        if (lines < HEAD_LINES) {
            hp_fault wanted = {HP_TEXT_CUT_OFF, .line = lines};
            snprintf(wanted.word, sizeof wanted.word, "%s", lines == 0 ? "hairpin" : keys[lines]);
            assert_fault(fault, wanted, "cut off");
            assert_int_equal(reader.started, 0);
        } else { /* a race that has not ended is no fault */
            assert_int_equal(fault.kind, HP_TEXT_OK);
            assert_int_equal(reader.started, 1);
            assert_int_equal(reader.ended, lines == GOOD_LINES);
        }
        if (lines < GOOD_LINES)
            length = add_line(text, length, good[lines]);
    }
}

/* Wherever a file is cut, the lines before are read as ever: the fault, if any, is in the last one. */
static void no_cut_does_harm(void **state)
{
    (void)state;
    static char text[TEXT_MAX];
    const size_t length = good_but(0, NULL, text);
    int line = 1;
    for (size_t cut = 0; cut <= length; cut++) {
        hp_reader reader;
        const hp_fault fault = read_text(&reader, text, cut);
        if (fault.kind != HP_TEXT_OK)
            assert_int_equal(fault.line, fault.kind == HP_TEXT_CUT_OFF ? reader.line : line);
        assert_int_equal(reader.ended, cut + 1 >= length); /* only the last line's end is missing */
        if (cut < length && text[cut] == '\n')
            line++;
    }
}

static void nul_bytes_are_no_text(void **state)
{
    (void)state;
    static char text[TEXT_MAX], broken[TEXT_MAX];
    const size_t length = good_but(0, NULL, text);
    for (size_t at = 0; at + 1 < length; at++) {
        hp_reader reader;
        memcpy(broken, text, length);
        broken[at] = '\0';
        const hp_fault fault = read_text(&reader, broken, length);
        if (text[at] != '\n')
            assert_int_equal(fault.kind, HP_TEXT_NOT_TEXT);
        assert_int_not_equal(fault.kind, HP_TEXT_OK);
    }
}

static void the_longest_line_is_allowed(void **state)
{
    (void)state;
    hp_reader reader;
    char line[HP_LINE_MAX + 2];
    memset(&reader, 0, sizeof reader);
    memset(line, '#', sizeof line);
    assert_int_equal(read_line(&reader, line, HP_LINE_MAX).kind, HP_TEXT_OK);
    assert_int_equal(read_line(&reader, line, HP_LINE_MAX + 1).kind, HP_TEXT_LINE_TOO_LONG);
}

/* ---- Mixed seeds ------------------------------------------------------------------------------- */

static void salts_of_any_seats_are_read_back(void **state)
{
    (void)state;
    bot_dice dice = {28};
    for (int cars = 1; cars <= HP_CARS_MAX; cars++)
        for (unsigned salted = 0; salted < 1u << cars; salted++) {
            hp_head head = random_head(cars % hp_circuits(), cars, 1, &dice);
            mix(&head, salted, &dice);
            char text[HP_HEAD_TEXT];
            hp_reader reader;
            const size_t length = hp_head_write(&head, text, sizeof text);
            assert_true(length < sizeof text);
            assert_int_equal(read_text(&reader, text, length).kind, HP_TEXT_OK);
            assert_int_equal(reader.started, 1);
            assert_memory_equal(&reader.head, &head, sizeof head);
            int salts = 0;
            for (const char *at = strstr(text, "\nsalt "); at != NULL; at = strstr(at + 1, "\nsalt "))
                salts++;
            assert_int_equal(salts, __builtin_popcount(salted));
        }
}

#define SECRET "4df50bad9dfe44632b4e68f4dc57360c056dcdebe7ba90ee6bf8666107fb2eff"
#define SALT_0 "76108f84396dc2d72ce275fdb0e0ef37b229b2898bf5a31d576fea11a766a42b"
#define SALT_1 "70bed0fe3b332b7b0468b742e709ccafb169be47b6ebdd993b030e9ad5afbc89"
#define MIXED "67e240cca9c9681a77ee32387bc7ef27447a9e451558f419af946ebc69808016"

/* The head of a race of three, the last of them without a salt. */
static const char *const mixed[] = {
    "hairpin race 1",                                                              /* 1 */
    "rules 1",                                                                     /* 2 */
    "circuit one-corner",                                                          /* 3 */
    "track 25,6,3,12/4",                                                           /* 4 */
    "laps 1",                                                                      /* 5 */
    "cars 3",                                                                      /* 6 */
    "seat 0 handicap 0 Ada",                                                       /* 7 */
    "seat 1 handicap 0 Max",                                                       /* 8 */
    "seat 2 handicap 0",                                                           /* 9 */
    "commitment 14d38f6aab473be93c04c3dd7a148eed8587178fc4464be07d2dcde56dac4038", /* 10 */
    "secret " SECRET,                                                              /* 11 */
    "salt 0 " SALT_0,                                                              /* 12 */
    "salt 1 " SALT_1,                                                              /* 13 */
    "seed " MIXED,                                                                 /* 14 */
    "round 1 cc908e7c646cfab6",                                                    /* 15 */
};

enum { MIXED_LINES = sizeof mixed / sizeof mixed[0], COMMITMENT_LINE = 10, SEED_LINE = 14 };

static size_t mixed_but(int line, const char *instead, char *text)
{
    return lines_but(mixed, MIXED_LINES, line, instead, text);
}

static const struct {
    int replaced;
    const char *instead;
    hp_fault fault;
} mixed_faults[] = {
    /* The secret. */
    {11, "secret", WORD(EXPECTED, 11, 7, "number")},
    {11, "secret 4df5", WORD(BAD_NUMBER, 11, 8, "4df5")},
    {11, "secret " SECRET "0", WORD(BAD_NUMBER, 11, 8, "4df50bad9dfe44632b4e68f4dc57360")},
    {11, "secret 4Df50bad9dfe44632b4e68f4dc57360c056dcdebe7ba90ee6bf8666107fb2eff",
     WORD(BAD_NUMBER, 11, 8, "4Df50bad9dfe44632b4e68f4dc57360")},
    {11, "secret " SECRET " 0", WORD(EXTRA, 11, 73, "0")},
    {11, "secret " SALT_0, WORD(COMMITMENT, 11, 1, "secret")},
    {11, "secret " MIXED, WORD(COMMITMENT, 11, 1, "secret")},
    {10, "commitment " SECRET, WORD(COMMITMENT, 11, 1, "secret")},
    {11, "Secret " SECRET, WORD(MISSING_KEY, 11, 1, "seed")},
    {11, "secret " SECRET "\nsecret " SECRET, WORD(MISSING_KEY, 12, 1, "seed")},
    {10, "secret " SECRET, WORD(MISSING_KEY, 10, 1, "commitment")},
    {9, "secret " SECRET, WORD(MISSING_KEY, 9, 1, "seat")},
    {11, NULL, WORD(MISSING_KEY, 11, 1, "seed")}, /* salts without it */

    /* The salts. */
    {12, "salt", WORD(EXPECTED, 12, 5, "number")},
    {12, "salt 0", WORD(EXPECTED, 12, 7, "number")},
    {12, "salt " SALT_0, WORD(BAD_NUMBER, 12, 6, "76108f84396dc2d72ce275fdb0e0ef3")},
    {12, "salt Ada " SALT_0, WORD(BAD_NUMBER, 12, 6, "Ada")},
    {12, "salt -1 " SALT_0, NUMBER(NUMBER_RANGE, 12, 6, -1, 0, 2, "salt")},
    {12, "salt 3 " SALT_0, NUMBER(NUMBER_RANGE, 12, 6, 3, 0, 2, "salt")},
    {13, "salt 6 " SALT_1, NUMBER(NUMBER_RANGE, 13, 6, 6, 1, 2, "salt")},
    {13, "salt 0 " SALT_1, NUMBER(NUMBER_RANGE, 13, 6, 0, 1, 2, "salt")},
    {12, "salt 0 " SALT_0 "\nsalt 0 " SALT_0, NUMBER(NUMBER_RANGE, 13, 6, 0, 1, 2, "salt")},
    {12, "salt 1 " SALT_1 "\nsalt 0 " SALT_0, NUMBER(NUMBER_RANGE, 13, 6, 0, 2, 2, "salt")},
    {13, "salt 2 " SALT_1 "\nsalt 2 " SALT_1, WORD(MISSING_KEY, 14, 1, "seed")},
    {12, "salt 2 " SALT_0, WORD(MISSING_KEY, 13, 1, "seed")},
    {12, "salt 0 76108f84", WORD(BAD_NUMBER, 12, 8, "76108f84")},
    {12, "salt 0 " SALT_0 "0", WORD(BAD_NUMBER, 12, 8, "76108f84396dc2d72ce275fdb0e0ef3")},
    {12, "salt 0 76108F84396dc2d72ce275fdb0e0ef37b229b2898bf5a31d576fea11a766a42b",
     WORD(BAD_NUMBER, 12, 8, "76108F84396dc2d72ce275fdb0e0ef3")},
    {12, "salt 0 0000000000000000000000000000000000000000000000000000000000000000",
     WORD(BAD_NUMBER, 12, 8, "0000000000000000000000000000000")},
    {12, "salt 0 " SALT_0 " Ada", WORD(EXTRA, 12, 73, "Ada")},
    {11, "salt 0 " SALT_0 "\nsecret " SECRET, WORD(MISSING_KEY, 11, 1, "seed")},
    {14, "seed " MIXED "\nsalt 2 " SALT_1, WORD(EXPECTED, 15, 1, "round")},

    /* The seed. */
    {12, NULL, WORD(SEED_NOT_MIXED, 13, 1, "")},
    {13, NULL, WORD(SEED_NOT_MIXED, 13, 1, "")},
    {12, "salt 0 " SALT_1, WORD(SEED_NOT_MIXED, 14, 1, "")},
    {13, "salt 2 " SALT_1, WORD(SEED_NOT_MIXED, 14, 1, "")},
    {13, "salt 1 " SALT_1 "\nsalt 2 " SALT_1, WORD(SEED_NOT_MIXED, 15, 1, "")},
    {14, "seed " SECRET, WORD(SEED_NOT_MIXED, 14, 1, "")},
    {14, "seed 67e2", WORD(BAD_NUMBER, 14, 6, "67e2")},
    {14, "seed 67E240cca9c9681a77ee32387bc7ef27447a9e451558f419af946ebc69808016",
     WORD(BAD_NUMBER, 14, 6, "67E240cca9c9681a77ee32387bc7ef2")},
    {14, "seed " MIXED " 0", WORD(EXTRA, 14, 71, "0")},
    {14, NULL, WORD(MISSING_KEY, 14, 1, "seed")},
};

static void every_fault_of_a_mixed_seed_is_told_apart(void **state)
{
    (void)state;
    static char text[TEXT_MAX];
    hp_reader reader;
    assert_int_equal(read_text(&reader, text, mixed_but(0, NULL, text)).kind, HP_TEXT_OK);
    assert_true(reader.head.mixed);
    for (size_t i = 0; i < sizeof mixed_faults / sizeof mixed_faults[0]; i++) {
        const size_t length = mixed_but(mixed_faults[i].replaced, mixed_faults[i].instead, text);
        assert_fault(read_text(&reader, text, length), mixed_faults[i].fault,
                     mixed_faults[i].instead != NULL ? mixed_faults[i].instead : "a line left out");
        assert_int_equal(reader.started, mixed_faults[i].fault.kind == HP_TEXT_EXPECTED &&
                                             strcmp(mixed_faults[i].fault.word, "round") == 0);
    }
}

/* Every other digit in the place of each, and each one left out. */
static void no_digit_of_a_mixed_seed_can_be_changed(void **state)
{
    (void)state;
    static char text[TEXT_MAX];
    for (int line = COMMITMENT_LINE; line <= SEED_LINE; line++) {
        const bool of_secret = line <= COMMITMENT_LINE + 1; /* commitment or secret */
        const hp_text_fault wanted = of_secret ? HP_TEXT_COMMITMENT : HP_TEXT_SEED_NOT_MIXED;
        const int found_in = of_secret ? COMMITMENT_LINE + 1 : SEED_LINE;
        const size_t length = strlen(mixed[line - 1]);
        for (size_t at = length - 64; at < length; at++) {
            char changed[HP_LINE_MAX + 1];
            hp_reader reader;
            for (const char *digit = "0123456789abcdef"; *digit != '\0'; digit++) {
                if (mixed[line - 1][at] == *digit)
                    continue;
                strcpy(changed, mixed[line - 1]);
                changed[at] = *digit;
                const hp_fault fault = read_text(&reader, text, mixed_but(line, changed, text));
                if (fault.kind != wanted || fault.line != found_in || fault.column != 1)
                    fail_msg("fault %d in line %d, column %d: %s", (int)fault.kind, fault.line, fault.column,
                             changed);
                assert_int_equal(reader.started, 0);
            }
            strcpy(changed, mixed[line - 1]);
            memmove(changed + at, changed + at + 1, length - at);
            const hp_fault fault = read_text(&reader, text, mixed_but(line, changed, text));
            assert_int_equal(fault.kind, HP_TEXT_BAD_NUMBER);
            assert_int_equal(fault.line, line);
            assert_int_equal(fault.column, length - 63);
        }
    }
}

/* Whoever leaves out that players had a part in it is found out by the commitment. */
static void a_mixed_seed_does_not_pass_as_a_plain_one(void **state)
{
    (void)state;
    static char text[TEXT_MAX];
    hp_reader reader;
    size_t length = 0;
    for (int i = 1; i <= MIXED_LINES; i++)
        if (i <= COMMITMENT_LINE || i >= SEED_LINE)
            length = add_line(text, length, mixed[i - 1]);
    assert_fault(read_text(&reader, text, length), (hp_fault)WORD(COMMITMENT, 11, 1, "seed"), "no secret");
    /* And a plain seed does not pass as a secret that nobody salted. */
    length = good_but(9,
                      "secret 6b6f14e6af2627186bf8a55e474dcf6ef3f6ce81af560da871ec51eb670171a9\n"
                      "seed 6b6f14e6af2627186bf8a55e474dcf6ef3f6ce81af560da871ec51eb670171a9",
                      text);
    assert_fault(read_text(&reader, text, length), (hp_fault)WORD(SEED_NOT_MIXED, 10, 1, ""), "a secret");
}

static void secret_and_salts_may_be_missing_but_not_the_seed(void **state)
{
    (void)state;
    static char text[TEXT_MAX];
    size_t length = 0;
    for (int lines = 1; lines <= MIXED_LINES; lines++) {
        hp_reader reader;
        length = add_line(text, length, mixed[lines - 1]);
        const hp_fault fault = read_text(&reader, text, length);
        if (lines >= COMMITMENT_LINE && lines < SEED_LINE)
            assert_fault(fault, (hp_fault)WORD(CUT_OFF, lines, 0, "seed"), "cut off");
        assert_int_equal(fault.kind, lines < SEED_LINE ? HP_TEXT_CUT_OFF : HP_TEXT_OK);
        assert_int_equal(reader.head.mixed, lines > COMMITMENT_LINE);
    }
}

/* ---- More cars --------------------------------------------------------------------------------- */

static void other_cars_wait_for_their_turn(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        hp_error refused;
        int car;
    } cases[] = {
        {"1 boost", HP_NOT_YOUR_TURN, 1},
        {"1 plan 1 1", HP_NOT_YOUR_TURN, 1},
        {"0 slip", HP_WRONG_STEP, 0},
    };
    hp_reader reader;
    memset(&reader, 0, sizeof reader);
    reader.started = 1;
    reader.race = race_at("usa 1 1 01 react:0:-1:5:5:b 4.0/1/6/2233SH/*/-/5 -1.1/1/6/011H34/*/-/S");
    reader.head.setup.cars = 2;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const hp_fault fault = read_line(&reader, cases[i].line, strlen(cases[i].line));
        assert_fault(fault, (hp_fault)REFUSED((int)i + 1, 3, cases[i].car, cases[i].refused), cases[i].line);
    }
    assert_int_equal(read_line(&reader, "2 boost", 7).kind, HP_TEXT_NUMBER_RANGE);
    assert_int_equal(read_line(&reader, "0 boost", 7).kind, HP_TEXT_OK);
    assert_int_equal(reader.acts, 1);
    assert_int_equal(reader.act.kind, HP_BOOST);
}

static void the_result_must_be_that_of_the_race(void **state)
{
    (void)state;
    written_race *file = new_file();
    bot_dice dice = {25};
    hp_reader reader;
    const hp_head head = random_head(2, 3, 1, &dice);
    write_race(file, &head, &dice);
    char *places = file->text + file->length - 6; /* "0 1 2\n" */
    const char first = places[0];
    places[0] = places[2];
    places[2] = first;
    assert_int_equal(read_text(&reader, file->text, file->length).kind, HP_TEXT_OTHER_RESULT);
    assert_int_equal(reader.ended, 0);
    places[0] = places[4]; /* the same car twice */
    assert_int_equal(read_text(&reader, file->text, file->length).kind, HP_TEXT_OTHER_RESULT);
    free(file);
}

static void names_of_seats_are_free(void **state)
{
    (void)state;
    static char text[TEXT_MAX];
    static const struct {
        const char *line, *name;
    } cases[] = {
        {"seat 0 handicap 2", ""},
        {"seat 0 handicap 2   ", ""},
        {"seat 0 handicap 2 1234567890123456789012345678901", "1234567890123456789012345678901"},
        {"seat 0 handicap 2 Ada of  London #1", "Ada of  London #1"},
        {"seat\t0\thandicap\t2\t\xe7\xa6\x8f", "\xe7\xa6\x8f"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hp_reader reader;
        const size_t length = good_but(7, cases[i].line, text);
        /* With another handicap the race is another, which the first round's hash tells. */
        const hp_fault fault = read_text(&reader, text, length);
        assert_int_equal(fault.kind, HP_TEXT_OTHER_HASH);
        assert_int_equal(fault.line, 10);
        assert_string_equal(reader.head.seat[0], cases[i].name);
        assert_int_equal(reader.head.setup.handicap[0], 2);
    }
}

/* ---- Files ------------------------------------------------------------------------------------- */

static void the_documented_example_is_a_race(void **state)
{
    (void)state;
    static const char fence[] = "```race\n";
    char *doc = read_whole(SOURCE_DIR "/docs/RACE-FILES.md");
    int examples = 0;
    for (const char *at = strstr(doc, fence); at != NULL; at = strstr(at, fence)) {
        hp_reader reader;
        at += strlen(fence);
        const char *end = strstr(at, "```\n");
        assert_non_null(end);
        const hp_fault fault = read_text(&reader, at, (size_t)(end - at));
        if (fault.kind != HP_TEXT_OK)
            fail_msg("docs/RACE-FILES.md: fault %d in line %d of the example", (int)fault.kind, fault.line);
        assert_int_equal(reader.ended, 1);
        assert_int_equal(reader.race.step, HP_STEP_OVER);
        at = end;
        examples++;
    }
    assert_int_equal(examples, 2); /* a plain seed and a mixed one */
    free(doc);
}

/* What all of them together must have been. */
typedef struct {
    unsigned circuits, cars, laps;
    int files, retired, handicaps, mixed;
} coverage;

static void replay(const char *name, coverage *seen)
{
    char path[1000];
    hp_reader reader;
    hp_circuit circuit;
    snprintf(path, sizeof path, SOURCE_DIR "/tests/fixtures/races/%s", name);
    char *text = read_whole(path);
    const hp_fault fault = read_text(&reader, text, strlen(text));
    if (fault.kind != HP_TEXT_OK)
        fail_msg("%s:%d: fault %d, column %d, '%s', %d, refused %d", path, fault.line, (int)fault.kind,
                 fault.column, fault.word, (int)fault.number, (int)fault.refused);
    if (!reader.ended)
        fail_msg("%s does not come to its end", path);
    free(text);
    for (int i = 0; i < hp_circuits(); i++) {
        hp_circuit_at(i, &circuit);
        seen->circuits |= (unsigned)(strcmp(circuit.name, reader.head.circuit) == 0) << i;
    }
    seen->files++;
    seen->cars |= 1u << reader.race.cars;
    seen->laps |= 1u << reader.race.laps;
    seen->retired += reader.race.retired;
    seen->mixed += reader.head.mixed;
    for (int i = 0; i < reader.race.cars; i++)
        seen->handicaps += reader.head.setup.handicap[i];
}

static void every_stored_race_plays_to_its_end(void **state)
{
    (void)state;
    coverage seen = {0};
    DIR *folder = opendir(SOURCE_DIR "/tests/fixtures/races");
    assert_non_null(folder);
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        const char *ending = strrchr(entry->d_name, '.');
        if (ending != NULL && strcmp(ending, ".race") == 0)
            replay(entry->d_name, &seen);
    }
    closedir(folder);
    assert_true(seen.files >= 12);
    assert_int_equal(seen.circuits, (1u << hp_circuits()) - 1);
    assert_int_equal(seen.cars, 0x7e); /* 1 to 6 */
    assert_int_equal(seen.laps & 0xe, 0xe);
    assert_true(seen.retired > 0 && seen.handicaps > 0 && seen.mixed > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_back),
        cmocka_unit_test(comments_and_blank_lines_are_free),
        cmocka_unit_test(small_buffers_cut_the_text),
        cmocka_unit_test(the_good_file_is_good),
        cmocka_unit_test(every_fault_is_told_apart),
        cmocka_unit_test(head_lines_come_once_and_in_order),
        cmocka_unit_test(a_head_that_ends_early_is_cut_off),
        cmocka_unit_test(no_cut_does_harm),
        cmocka_unit_test(nul_bytes_are_no_text),
        cmocka_unit_test(the_longest_line_is_allowed),
        cmocka_unit_test(salts_of_any_seats_are_read_back),
        cmocka_unit_test(every_fault_of_a_mixed_seed_is_told_apart),
        cmocka_unit_test(no_digit_of_a_mixed_seed_can_be_changed),
        cmocka_unit_test(a_mixed_seed_does_not_pass_as_a_plain_one),
        cmocka_unit_test(secret_and_salts_may_be_missing_but_not_the_seed),
        cmocka_unit_test(other_cars_wait_for_their_turn),
        cmocka_unit_test(the_result_must_be_that_of_the_race),
        cmocka_unit_test(names_of_seats_are_free),
        cmocka_unit_test(the_documented_example_is_a_race),
        cmocka_unit_test(every_stored_race_plays_to_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
