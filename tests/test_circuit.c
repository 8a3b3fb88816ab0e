/* Proves that circuit files are read as docs/CIRCUITS.md says: every fault is told apart with its line and
 * leaves the circuit alone, and the circuits that are built in have the figures that the boards print. */
#include "hairpin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TEXT_MAX = 1 << 16 };

/* The file's bytes; the caller frees them. */
static char *read_file(const char *path, size_t *size)
{
    char *text = malloc(TEXT_MAX);
    FILE *file = fopen(path, "rb");
    if (file == NULL || text == NULL)
        fail_msg("%s cannot be read", path);
    *size = fread(text, 1, TEXT_MAX - 1, file);
    text[*size] = '\0';
    fclose(file);
    return text;
}

/* In a block of just its size, for the sanitizer to catch a read beyond its end. */
static hp_text_fault read_exactly(const char *text, size_t length, hp_circuit *circuit, hp_fault *fault)
{
    char *copy = malloc(length > 0 ? length : 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    const hp_text_fault kind = hp_circuit_read(copy, length, circuit, fault);
    free(copy);
    return kind;
}

static void assert_reads(const char *text, size_t length, hp_circuit *circuit)
{
    hp_fault fault;
    const hp_text_fault kind = read_exactly(text, length, circuit, &fault);
    if (kind != HP_TEXT_OK)
        fail_msg("fault %d in line %d, column %d, word '%s'", (int)kind, fault.line, fault.column,
                 fault.word);
    assert_int_equal(fault.kind, HP_TEXT_OK);
    assert_int_equal(fault.line, 0);
}

/* Reads a text that has a fault; the circuit must stay as it was. */
static hp_fault fault_in(const char *text, size_t length)
{
    hp_circuit circuit, before;
    hp_fault fault;
    memset(&circuit, 0x5a, sizeof circuit);
    memcpy(&before, &circuit, sizeof circuit);
    memset(&fault, 0x5a, sizeof fault);
    const hp_text_fault kind = read_exactly(text, length, &circuit, &fault);
    assert_int_not_equal(kind, HP_TEXT_OK);
    assert_int_equal(kind, fault.kind);
    assert_memory_equal(&circuit, &before, sizeof circuit);
    return fault;
}

static void assert_fault(hp_fault found, hp_fault wanted)
{
    if (found.kind == wanted.kind && found.line == wanted.line && found.column == wanted.column &&
        found.number == wanted.number && found.low == wanted.low && found.high == wanted.high &&
        found.refused == wanted.refused && strcmp(found.word, wanted.word) == 0)
        return;
    fail_msg("fault %d in line %d, column %d: %d of %d..%d, '%s'; not %d in line %d, column %d: %d of "
             "%d..%d, '%s'",
             (int)found.kind, found.line, found.column, (int)found.number, (int)found.low, (int)found.high,
             found.word, (int)wanted.kind, wanted.line, wanted.column, (int)wanted.number, (int)wanted.low,
             (int)wanted.high, wanted.word);
}

/* ---- Faults ----------------------------------------------------------------------------------- */

static const char *const good[] = {
    "hairpin circuit 1",                            /* 1 */
    "name test",                                    /* 2 */
    "title A Test",                                 /* 3 */
    "spaces 25",                                    /* 4 */
    "laps 2",                                       /* 5 */
    "heat 6",                                       /* 6 */
    "stress 3",                                     /* 7 */
    "race-line left",                               /* 8 */
    "corner 11 limit 7 race-line right legend 1",   /* 9 */
    "corner 20 limit 3 race-line left legend 14",   /* 10 */
    "canvas 100 60",                                /* 11 */
    "points 0,0 1,0 2,0 3,0 4,0 5,0 6,0 7,0",       /* 12 */
    "points 0,1 1,1 2,1 3,1 4,1 5,1 6,1 7,1",       /* 13 */
    "points 0,2 1,2 2,2 3,2 4,2 5,2 6,2 99,59 0,0", /* 14 */
    "end",                                          /* 15 */
};

enum { GOOD_LINES = sizeof good / sizeof good[0] };

static size_t add_line(char text[TEXT_MAX], size_t length, const char *line)
{
    return length + (size_t)sprintf(text + length, "%s\n", line);
}

/* The good file with one line replaced by another text, or by nothing for NULL. Returns its length. */
static size_t good_but(int line, const char *instead, char text[TEXT_MAX])
{
    size_t length = 0;
    for (int i = 0; i < GOOD_LINES; i++)
        if (i + 1 != line || instead != NULL)
            length = add_line(text, length, i + 1 == line ? instead : good[i]);
    return length;
}

static size_t with_crlf(const char *text, size_t length, char crlf[TEXT_MAX])
{
    size_t size = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n')
            crlf[size++] = '\r';
        crlf[size++] = text[i];
    }
    return size;
}

#define WORD(kind, line, column, word)                                                                       \
    {                                                                                                        \
        HP_TEXT_##kind, line, column, 0, 0, 0, HP_OK, word                                                   \
    }
#define NUMBER(kind, line, column, number, low, high, word)                                                  \
    {                                                                                                        \
        HP_TEXT_##kind, line, column, number, low, high, HP_OK, word                                         \
    }

static const struct {
    int replaced;
    const char *instead;
    hp_fault fault;
} faults[] = {
    /* The first line. */
    {1, NULL, WORD(EXPECTED, 1, 1, "hairpin circuit 1")},
    {1, "hairpin race 1", WORD(EXPECTED, 1, 9, "hairpin circuit 1")},
    {1, "hairpin", WORD(EXPECTED, 1, 8, "hairpin circuit 1")},
    {1, "\n  # a comment\nHairpin circuit 1", WORD(EXPECTED, 3, 1, "hairpin circuit 1")},
    {1, "hairpin circuit", WORD(EXPECTED, 1, 16, "number")},
    {1, "hairpin circuit one", WORD(BAD_NUMBER, 1, 17, "one")},
    {1, "hairpin circuit 2 and more", NUMBER(VERSION, 1, 17, 2, 0, 1, "circuit")},
    {1, "hairpin circuit 0", NUMBER(NUMBER_RANGE, 1, 17, 0, 1, 1, "version")},
    {1, "hairpin circuit 1 usa", WORD(EXTRA, 1, 19, "usa")},

    /* Bytes that are no text, in comments too. */
    {3, "title \x01", WORD(NOT_TEXT, 3, 7, "")},
    {3, "title \xff\xfe", WORD(NOT_TEXT, 3, 7, "")},
    {3, "# caf\xe9", WORD(NOT_TEXT, 3, 6, "")},
    {3, "title A\rname b", WORD(NOT_TEXT, 3, 8, "")},

    /* Keys. */
    {4, "space 25", WORD(UNKNOWN_KEY, 4, 1, "space")},
    {4, "  Spaces 25", WORD(UNKNOWN_KEY, 4, 3, "Spaces")},
    {4, "spaces=25", WORD(UNKNOWN_KEY, 4, 1, "spaces=25")},
    {4, "a-key-much-longer-than-any-name-may-be 25",
     WORD(UNKNOWN_KEY, 4, 1, "a-key-much-longer-than-any-name")},
    {4, "k\xc3\xa9y 1", WORD(UNKNOWN_KEY, 4, 1, "k\xc3\xa9y")},
    {3, "title A\nname again", WORD(DOUBLE_KEY, 4, 1, "name")},
    {3, "title A\ntitle B", WORD(DOUBLE_KEY, 4, 1, "title")},
    {9, "spaces 25", WORD(DOUBLE_KEY, 9, 1, "spaces")},
    {9, "laps 2", WORD(DOUBLE_KEY, 9, 1, "laps")},
    {9, "heat 6", WORD(DOUBLE_KEY, 9, 1, "heat")},
    {9, "stress 3", WORD(DOUBLE_KEY, 9, 1, "stress")},
    {9, "race-line left", WORD(DOUBLE_KEY, 9, 1, "race-line")},
    {12, "canvas 100 60", WORD(DOUBLE_KEY, 12, 1, "canvas")},
    {2, NULL, WORD(MISSING_KEY, 14, 1, "name")},
    {3, NULL, WORD(MISSING_KEY, 14, 1, "title")},
    {4, NULL, WORD(MISSING_KEY, 14, 1, "spaces")},
    {5, NULL, WORD(MISSING_KEY, 14, 1, "laps")},
    {6, "# heat 6", WORD(MISSING_KEY, 15, 1, "heat")},
    {7, NULL, WORD(MISSING_KEY, 14, 1, "stress")},
    {8, NULL, WORD(MISSING_KEY, 14, 1, "race-line")},
    {11, NULL, WORD(MISSING_KEY, 14, 1, "canvas")},

    /* Names. */
    {2, "name", WORD(EXPECTED, 2, 5, "name")},
    {2, "name USA", WORD(BAD_NAME, 2, 6, "USA")},
    {2, "name ../usa", WORD(BAD_NAME, 2, 6, "../usa")},
    {2, "name -usa", WORD(BAD_NAME, 2, 6, "-usa")},
    {2, "name a23456789012345678901234567890bc", WORD(BAD_NAME, 2, 6, "a23456789012345678901234567890b")},
    {2, "name two words", WORD(EXTRA, 2, 10, "words")},
    {3, "title   ", WORD(EXPECTED, 3, 9, "title")},
    {3, "title A title much too long for a screen", WORD(BAD_NAME, 3, 7, "A title much too long for a scr")},

    /* Numbers. */
    {4, "spaces", WORD(EXPECTED, 4, 7, "number")},
    {4, "spaces 25.0", WORD(BAD_NUMBER, 4, 8, "25.0")},
    {4, "spaces 0x19", WORD(BAD_NUMBER, 4, 8, "0x19")},
    {4, "spaces -", WORD(BAD_NUMBER, 4, 8, "-")},
    {4, "spaces 24", NUMBER(TOO_SHORT, 4, 8, 24, 25, 0, "")},
    {4, "spaces 0", NUMBER(TOO_SHORT, 4, 8, 0, 25, 0, "")},
    {4, "spaces 129", NUMBER(NUMBER_RANGE, 4, 8, 129, 25, 128, "spaces")},
    {4, "spaces 99999999999999999999", NUMBER(NUMBER_RANGE, 4, 8, 1000000000, 25, 128, "spaces")},
    {4, "spaces 25 26", WORD(EXTRA, 4, 11, "26")},
    {5, "laps two", WORD(BAD_NUMBER, 5, 6, "two")},
    {5, "laps 0", NUMBER(NUMBER_RANGE, 5, 6, 0, 1, 9, "laps")},
    {5, "laps 10", NUMBER(NUMBER_RANGE, 5, 6, 10, 1, 9, "laps")},
    {5, "laps 2 3", WORD(EXTRA, 5, 8, "3")},
    {6, "heat 1", NUMBER(NUMBER_RANGE, 6, 6, 1, 2, 19, "heat")},
    {6, "heat 20", NUMBER(NUMBER_RANGE, 6, 6, 20, 2, 19, "heat")},
    {6, "heat 262", NUMBER(NUMBER_RANGE, 6, 6, 262, 2, 19, "heat")},
    {7, "stress -1", NUMBER(NUMBER_RANGE, 7, 8, -1, 0, 6, "stress")},
    {7, "stress 7", NUMBER(NUMBER_RANGE, 7, 8, 7, 0, 6, "stress")},
    {8, "race-line", WORD(EXPECTED, 8, 10, "left/right")},
    {8, "race-line middle", WORD(EXPECTED, 8, 11, "left/right")},
    {8, "race-line left right", WORD(EXTRA, 8, 16, "right")},

    /* Corners. */
    {9, "corner", WORD(EXPECTED, 9, 7, "number")},
    {9, "corner x limit 7", WORD(BAD_NUMBER, 9, 8, "x")},
    {9, "corner 11", WORD(EXPECTED, 9, 10, "limit")},
    {9, "corner 11 7 right 1", WORD(EXPECTED, 9, 11, "limit")},
    {9, "corner 11 limit", WORD(EXPECTED, 9, 16, "number")},
    {9, "corner 11 limit 0 race-line right legend 1", NUMBER(NUMBER_RANGE, 9, 17, 0, 1, 20, "limit")},
    {9, "corner 11 limit 21 race-line right legend 1", NUMBER(NUMBER_RANGE, 9, 17, 21, 1, 20, "limit")},
    {9, "corner 11 limit 7 legend 1", WORD(EXPECTED, 9, 19, "race-line")},
    {9, "corner 11 limit 7 race-line up legend 1", WORD(EXPECTED, 9, 29, "left/right")},
    {9, "corner 11 limit 7 race-line right", WORD(EXPECTED, 9, 34, "legend")},
    {9, "corner 11 limit 7 race-line right legend", WORD(EXPECTED, 9, 41, "number")},
    {9, "corner 11 limit 7 race-line right legend 1 press", WORD(EXTRA, 9, 44, "press")},
    {9, "corner 11 limit 7 race-line right legend 25", NUMBER(NUMBER_RANGE, 9, 42, 25, 0, 24, "legend")},
    {9, "corner 11 limit 7 race-line right legend -1", NUMBER(NUMBER_RANGE, 9, 42, -1, 0, 24, "legend")},
    {9, "corner -1 limit 7 race-line right legend 1", NUMBER(NUMBER_RANGE, 9, 8, -1, 0, 127, "corner")},
    {10, "corner 25 limit 3 race-line left legend 14", NUMBER(CORNER_OUTSIDE, 10, 8, 25, 0, 24, "")},
    {10, "corner 276 limit 3 race-line left legend 14", NUMBER(CORNER_OUTSIDE, 10, 8, 276, 0, 24, "")},
    {10, "corner 11 limit 3 race-line left legend 14", NUMBER(CORNER_TWICE, 10, 8, 11, 0, 0, "")},
    {10, "corner 10 limit 3 race-line left legend 4", NUMBER(CORNER_ORDER, 10, 8, 10, 0, 0, "")},
    {11, "corner 11 limit 3 race-line left legend 4", NUMBER(CORNER_TWICE, 11, 8, 11, 0, 0, "")},

    /* Points. */
    {11, "canvas 100", WORD(EXPECTED, 11, 11, "number")},
    {11, "canvas 0 60", NUMBER(NUMBER_RANGE, 11, 8, 0, 1, 10000, "canvas")},
    {11, "canvas 100 10001", NUMBER(NUMBER_RANGE, 11, 12, 10001, 1, 10000, "canvas")},
    {11, "canvas 100x60", WORD(BAD_NUMBER, 11, 8, "100x60")},
    {11, "canvas 100 60 3", WORD(EXTRA, 11, 15, "3")},
    {11, "canvas 99 60", NUMBER(NUMBER_RANGE, 14, 36, 99, 0, 98, "x")},
    {11, "canvas 100 59", NUMBER(NUMBER_RANGE, 14, 39, 59, 0, 58, "y")},
    {12, "points -1,0 1,0 2,0 3,0 4,0 5,0 6,0 7,0", NUMBER(NUMBER_RANGE, 12, 8, -1, 0, 99, "x")},
    {12, "points 0,65536 1,0 2,0 3,0 4,0 5,0 6,0 7,0", NUMBER(NUMBER_RANGE, 12, 10, 65536, 0, 59, "y")},
    {12, "points", WORD(EXPECTED, 12, 7, "x,y")},
    {12, "points 0 0", WORD(EXPECTED, 12, 8, "x,y")},
    {12, "points 0,0 1, 0", WORD(EXPECTED, 12, 12, "x,y")},
    {12, "points 0,0 ,1", WORD(EXPECTED, 12, 12, "x,y")},
    {12, "points 0,0,0", WORD(BAD_NUMBER, 12, 10, "0,0")},
    {12, "points a,0", WORD(BAD_NUMBER, 12, 8, "a")},
    {13, NULL, NUMBER(TOO_FEW, 13, 42, 17, 25, 0, "points")},
    {14, "points 0,2 1,2 2,2 3,2 4,2 5,2 6,2 7,2 8,2 9,2 10,2", NUMBER(TOO_MANY, 14, 44, 0, 0, 25, "points")},

    /* The end. */
    {15, NULL, WORD(CUT_OFF, 14, 0, "end")},
    {15, "# no end", WORD(CUT_OFF, 15, 0, "end")},
    {15, "end of file", WORD(EXTRA, 15, 5, "of")},
    {15, "end\n\nlaps 3", WORD(EXTRA, 17, 1, "laps")},
    {15, "end\nend", WORD(EXTRA, 16, 1, "end")},
};

static void every_fault_is_told_apart(void **state)
{
    (void)state;
    static char text[TEXT_MAX], crlf[TEXT_MAX];
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        const size_t length = good_but(faults[i].replaced, faults[i].instead, text);
        assert_fault(fault_in(text, length), faults[i].fault);
        assert_fault(fault_in(crlf, with_crlf(text, length, crlf)), faults[i].fault);
    }
}

/* A zero byte cannot stand in the table above. */
static void binary_files_are_no_text(void **state)
{
    (void)state;
    static const char picture[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    assert_fault(fault_in(picture, sizeof picture), (hp_fault){HP_TEXT_NOT_TEXT, 1, 1, .word = ""});
    static const char zero[] = "hairpin circuit 1\nname a\0b\n";
    assert_fault(fault_in(zero, sizeof zero - 1), (hp_fault){HP_TEXT_NOT_TEXT, 2, 7, .word = ""});
    /* Longer than a line may be, and yet not called a long line. */
    static char zeroes[1000];
    assert_fault(fault_in(zeroes, sizeof zeroes), (hp_fault){HP_TEXT_NOT_TEXT, 1, 1, .word = ""});
}

/* The good file with a comment of that many bytes as its third line, the last of them as given. */
static size_t good_with_comment(size_t bytes, const char *last, char text[TEXT_MAX])
{
    char lines[HP_LINE_MAX + 20];
    memset(lines, '#', bytes);
    memcpy(lines + bytes - strlen(last), last, strlen(last));
    sprintf(lines + bytes, "\n%s", good[2]);
    return good_but(3, lines, text);
}

static void lines_have_a_longest_length(void **state)
{
    (void)state;
    static char text[TEXT_MAX], crlf[TEXT_MAX];
    static const char *const last[] = {"#", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x8f\x81",
                                       "\xf0\x9f\x8f\x81#"};
    const hp_fault too_long = NUMBER(LINE_TOO_LONG, 3, HP_LINE_MAX + 1, HP_LINE_MAX, 0, 0, "");
    hp_circuit circuit;
    for (size_t i = 0; i < sizeof last / sizeof last[0]; i++) {
        size_t length = good_with_comment(HP_LINE_MAX, last[i], text);
        assert_reads(text, length, &circuit);
        assert_reads(crlf, with_crlf(text, length, crlf), &circuit); /* the CR does not count */
        for (size_t beyond = 1; beyond <= 3; beyond++) { /* a letter that the limit cuts is no binary */
            length = good_with_comment(HP_LINE_MAX + beyond, last[i], text);
            assert_fault(fault_in(text, length), too_long);
            assert_fault(fault_in(crlf, with_crlf(text, length, crlf)), too_long);
        }
    }
}

static void an_empty_file_lacks_its_first_line(void **state)
{
    (void)state;
    hp_fault wanted = {HP_TEXT_EXPECTED, 1, 0, .word = "hairpin circuit 1"};
    assert_fault(fault_in("", 0), wanted);
    hp_circuit circuit;
    hp_fault fault;
    assert_int_equal(hp_circuit_read(NULL, 0, &circuit, &fault), HP_TEXT_EXPECTED);
    assert_fault(fault_in("\n", 1), wanted);
    assert_fault(fault_in("\xef\xbb\xbf", 3), wanted);
    wanted.line = 3;
    assert_fault(fault_in("# a\n\n \t\n", 8), wanted);
}

static void corners_are_counted(void **state)
{
    (void)state;
    static char text[TEXT_MAX];
    for (int corners = 0; corners <= HP_CORNERS_MAX + 1; corners++) {
        size_t length = 0;
        hp_circuit circuit;
        for (int i = 0; i < 8; i++)
            length = add_line(text, length, good[i]);
        for (int i = 0; i < corners; i++) {
            char line[80];
            sprintf(line, "corner %d limit %d race-line left legend 0", i, i + 1);
            length = add_line(text, length, line);
        }
        length = add_line(text, length, "end");
        if (corners == 0) {
            assert_fault(fault_in(text, length),
                         (hp_fault){HP_TEXT_TOO_FEW, 9, 1, .low = 1, .word = "corners"});
        } else if (corners <= HP_CORNERS_MAX) {
            assert_reads(text, length, &circuit);
            assert_int_equal(circuit.track.corners, corners);
            assert_int_equal(circuit.track.corner[corners - 1].limit, corners);
        } else {
            assert_fault(fault_in(text, length),
                         (hp_fault){HP_TEXT_TOO_MANY, 23, 1, .high = HP_CORNERS_MAX, .word = "corners"});
        }
    }
}

/* The longest lap, the first point too many being just beyond what there is room for. */
static void points_are_counted(void **state)
{
    (void)state;
    static char text[TEXT_MAX];
    for (int points = HP_SPACES_MAX - 1; points <= HP_SPACES_MAX + 3; points++) {
        size_t length = 0;
        hp_circuit circuit;
        for (int i = 0; i < 11; i++)
            length = add_line(text, length, i == 3 ? "spaces 128" : good[i]);
        for (int i = 0; i < points; i++)
            length = add_line(text, length, "points 99,59");
        length = add_line(text, length, "end");
        if (points < HP_SPACES_MAX) {
            assert_fault(fault_in(text, length), (hp_fault){HP_TEXT_TOO_FEW, 11 + points, 8, .number = points,
                                                            .low = HP_SPACES_MAX, .word = "points"});
        } else if (points == HP_SPACES_MAX) {
            assert_reads(text, length, &circuit);
            assert_int_equal(circuit.points, HP_SPACES_MAX);
        } else {
            assert_fault(fault_in(text, length), (hp_fault){HP_TEXT_TOO_MANY, 12 + HP_SPACES_MAX, 8,
                                                            .high = HP_SPACES_MAX, .word = "points"});
        }
    }
}

static void canvas_and_points_come_together(void **state)
{
    (void)state;
    static char text[TEXT_MAX];
    size_t length = 0;
    for (int i = 0; i < 11; i++)
        length = add_line(text, length, good[i]);
    length = add_line(text, length, "end");
    assert_fault(fault_in(text, length), (hp_fault){HP_TEXT_MISSING_KEY, 12, 1, .word = "points"});
}

/* ---- What is allowed -------------------------------------------------------------------------- */

/* Facts before those they are judged by, a byte order mark, comments, blanks and line ends of both kinds. */
static void facts_come_in_any_order(void **state)
{
    (void)state;
    static const int order[] = {12, 13, 9, 11, 8, 10, 14, 7, 6, 5, 4, 3, 2};
    static char text[TEXT_MAX];
    hp_circuit plain, mixed;
    memset(&plain, 0, sizeof plain);
    memset(&mixed, 0, sizeof mixed);
    assert_reads(text, good_but(0, NULL, text), &plain);

    size_t length = add_line(text, 0, "\xef\xbb\xbf# before the first line\n\n \thairpin\tcircuit  1 ");
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        length = add_line(text, length, good[order[i] - 1]);
        length = add_line(text, length, "\t# between\r");
    }
    length = add_line(text, length, "end\r\n\n# behind") - 1;
    assert_reads(text, length, &mixed);
    assert_memory_equal(&plain, &mixed, sizeof plain);
}

static void a_fault_is_found_whatever_the_order(void **state)
{
    (void)state;
    static char text[TEXT_MAX];
    size_t length = 0;
    for (int i = 0; i < GOOD_LINES - 1; i++)
        if (i != 3 && i != 10)
            length = add_line(text, length, good[i]);
    const size_t head = length;
    length = add_line(text, head, "spaces 25\ncanvas 99 60\nend");
    assert_fault(fault_in(text, length),
                 (hp_fault){HP_TEXT_NUMBER_RANGE, 12, 36, .number = 99, .high = 98, .word = "x"});

    length = 0;
    for (int i = 0; i < 10; i++)
        if (i != 3)
            length = add_line(text, length, i == 9 ? "corner 25 limit 3 race-line left legend 14" : good[i]);
    length = add_line(text, length, "spaces 25\nend");
    assert_fault(fault_in(text, length), (hp_fault){HP_TEXT_CORNER_OUTSIDE, 9, 8, .number = 25, .high = 24});
}

static void a_title_is_the_rest_of_its_line(void **state)
{
    (void)state;
    static char text[TEXT_MAX];
    hp_circuit circuit;
    assert_reads(text, good_but(3, "title  Z\xc3\xbcrich  #1\tby night \t", text), &circuit);
    assert_string_equal(circuit.title, "Z\xc3\xbcrich  #1\tby night");
    assert_reads(text, good_but(3, "title 1234567890123456789012345678901", text), &circuit);
    assert_int_equal(strlen(circuit.title), HP_NAME_MAX);
    assert_reads(text, good_but(2, "name 1234567890123456789012345678901", text), &circuit);
    assert_int_equal(strlen(circuit.name), HP_NAME_MAX);
}

static void the_limits_themselves_are_allowed(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *instead;
    } cases[] = {
        {5, "laps 1"},
        {5, "laps 9"},
        {6, "heat 2"},
        {6, "heat 19"},
        {7, "stress 0"},
        {7, "stress 6"},
        {9, "corner 0 limit 1 race-line left legend 24"},
        {10, "corner 24 limit 20 race-line left legend 0"},
        {11, "canvas 10000 10000"},
    };
    static char text[TEXT_MAX];
    hp_circuit circuit;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_reads(text, good_but(cases[i].line, cases[i].instead, text), &circuit);
}

static void read_path(const char *path, hp_circuit *circuit)
{
    size_t size;
    char *text = read_file(path, &size);
    assert_reads(text, size, circuit);
    free(text);
}

static void one_corner_is_enough(void **state)
{
    (void)state;
    hp_circuit circuit;
    read_path(SOURCE_DIR "/tests/fixtures/one-corner.circuit", &circuit);
    assert_string_equal(circuit.name, "one-corner");
    assert_string_equal(circuit.title, "One Corner");
    assert_int_equal(circuit.track.spaces, HP_SPACES_MIN);
    assert_int_equal(circuit.track.corners, 1);
    assert_int_equal(circuit.track.corner[0].after, 12);
    assert_int_equal(circuit.track.corner[0].limit, 4);
    assert_int_equal(circuit.legend_after[0], 6);
    assert_int_equal(circuit.laps, 1);
    assert_int_equal(circuit.points, 0);
    assert_int_equal(circuit.canvas.x, 0);
}

/* ---- Built in --------------------------------------------------------------------------------- */

typedef struct {
    uint8_t after, limit, side, legend;
} board_corner;

/* As printed on the boards, written down by hand. Sums tell whether a point was lost or mistyped. */
static const struct {
    const char *name, *title;
    int spaces, laps, heat, stress, side, corners;
    board_corner corner[5];
    hp_point first, last;
    int sum_x, sum_y;
} boards[] = {
    {"usa",
     "USA",
     69,
     2,
     6,
     3,
     HP_LEFT,
     4,
     {{11, 7, HP_RIGHT, 1}, {32, 3, HP_RIGHT, 26}, {48, 3, HP_RIGHT, 42}, {56, 2, HP_LEFT, 51}},
     {777, 130},
     {732, 123},
     36108,
     26410},
    {"great-britain",
     "Great Britain",
     63,
     2,
     6,
     3,
     HP_RIGHT,
     5,
     {{14, 10, HP_RIGHT, 1},
      {29, 6, HP_RIGHT, 20},
      {36, 5, HP_LEFT, 29},
      {42, 4, HP_LEFT, 36},
      {47, 3, HP_RIGHT, 42}},
     {320, 111},
     {295, 151},
     38372,
     19688},
    {"italy",
     "Italy",
     54,
     3,
     6,
     3,
     HP_RIGHT,
     3,
     {{9, 5, HP_RIGHT, 1}, {18, 2, HP_LEFT, 13}, {25, 3, HP_RIGHT, 19}},
     {798, 290},
     {788, 248},
     26604,
     17933},
    {"france",
     "France",
     60,
     2,
     6,
     3,
     HP_RIGHT,
     5,
     {{11, 5, HP_RIGHT, 3},
      {19, 2, HP_RIGHT, 14},
      {26, 4, HP_LEFT, 19},
      {38, 3, HP_RIGHT, 32},
      {46, 4, HP_RIGHT, 39}},
     {480, 580},
     {523, 582},
     29930,
     20388},
};

enum { BOARDS = sizeof boards / sizeof boards[0] };

static void built_in_circuits_are_the_boards(void **state)
{
    (void)state;
    assert_true(hp_circuits() >= BOARDS);
    for (int i = 0; i < BOARDS; i++) {
        hp_circuit circuit;
        hp_circuit_at(i, &circuit);
        assert_string_equal(circuit.name, boards[i].name);
        assert_string_equal(circuit.title, boards[i].title);
        assert_int_equal(circuit.track.spaces, boards[i].spaces);
        assert_int_equal(circuit.track.heat, boards[i].heat);
        assert_int_equal(circuit.track.stress, boards[i].stress);
        assert_int_equal(circuit.laps, boards[i].laps);
        assert_int_equal(circuit.side, boards[i].side);
        assert_int_equal(circuit.track.corners, boards[i].corners);
        for (int j = 0; j < boards[i].corners; j++) {
            assert_int_equal(circuit.track.corner[j].after, boards[i].corner[j].after);
            assert_int_equal(circuit.track.corner[j].limit, boards[i].corner[j].limit);
            assert_int_equal(circuit.line_side[j], boards[i].corner[j].side);
            assert_int_equal(circuit.legend_after[j], boards[i].corner[j].legend);
        }
    }
}

static void built_in_circuits_can_be_drawn(void **state)
{
    (void)state;
    for (int i = 0; i < BOARDS; i++) {
        hp_circuit circuit;
        int sum_x = 0, sum_y = 0;
        hp_circuit_at(i, &circuit);
        assert_int_equal(circuit.points, boards[i].spaces);
        assert_int_equal(circuit.canvas.x, 1000);
        assert_int_equal(circuit.canvas.y, 667);
        for (int j = 0; j < circuit.points; j++) {
            assert_in_range(circuit.centre[j].x, 0, 999);
            assert_in_range(circuit.centre[j].y, 0, 666);
            /* Neighbours, the last and the first included, lie side by side. */
            const hp_point next = circuit.centre[(j + 1) % circuit.points];
            const int x = next.x - circuit.centre[j].x, y = next.y - circuit.centre[j].y;
            assert_in_range(x * x + y * y, 25 * 25, 60 * 60);
            sum_x += circuit.centre[j].x;
            sum_y += circuit.centre[j].y;
        }
        assert_memory_equal(&circuit.centre[0], &boards[i].first, sizeof(hp_point));
        assert_memory_equal(&circuit.centre[circuit.points - 1], &boards[i].last, sizeof(hp_point));
        assert_int_equal(sum_x, boards[i].sum_x);
        assert_int_equal(sum_y, boards[i].sum_y);
    }
}

static void built_in_circuits_have_names(void **state)
{
    (void)state;
    hp_circuit at, named, file;
    for (int i = 0; i < hp_circuits(); i++) {
        char path[200];
        memset(&at, 0, sizeof at);
        memset(&named, 0, sizeof named);
        memset(&file, 0, sizeof file);
        hp_circuit_at(i, &at);
        assert_true(hp_circuit_named(at.name, &named));
        assert_memory_equal(&at, &named, sizeof at);
        snprintf(path, sizeof path, SOURCE_DIR "/circuits/%s.circuit", at.name);
        read_path(path, &file);
        assert_memory_equal(&at, &file, sizeof at);
    }
    memset(&named, 0x5a, sizeof named);
    memcpy(&at, &named, sizeof at);
    assert_false(hp_circuit_named("", &named));
    assert_false(hp_circuit_named("us", &named));
    assert_false(hp_circuit_named("usa2", &named));
    assert_false(hp_circuit_named("USA", &named));
    assert_memory_equal(&at, &named, sizeof at);
}

/* Wherever a download stops, what there is of the file is never a circuit. */
static void no_part_of_a_circuit_is_a_circuit(void **state)
{
    (void)state;
    for (int i = 0; i < BOARDS; i++) {
        char path[200];
        size_t size;
        hp_circuit circuit;
        snprintf(path, sizeof path, SOURCE_DIR "/circuits/%s.circuit", boards[i].name);
        char *text = read_file(path, &size);
        for (size_t part = 0; part + 1 < size; part++)
            fault_in(text, part);
        assert_reads(text, size - 1, &circuit); /* only the last line's end is missing */
        free(text);
    }
}

/* ---- The document ----------------------------------------------------------------------------- */

static void the_documented_example_is_a_circuit(void **state)
{
    (void)state;
    static const char fence[] = "```circuit\n";
    size_t size;
    int examples = 0;
    char *doc = read_file(SOURCE_DIR "/docs/CIRCUITS.md", &size);
    for (const char *at = strstr(doc, fence); at != NULL; at = strstr(at, fence)) {
        hp_circuit circuit;
        at += strlen(fence);
        const char *end = strstr(at, "```\n");
        assert_non_null(end);
        assert_reads(at, (size_t)(end - at), &circuit);
        assert_string_equal(circuit.name, "oval");
        assert_int_equal(circuit.points, circuit.track.spaces);
        at = end;
        examples++;
    }
    assert_int_equal(examples, 1);
    free(doc);
}

static void assert_row(const char *doc, const char *what, int low, int high)
{
    char row[80];
    snprintf(row, sizeof row, "\n| %s | %d to %d", what, low, high);
    if (strstr(doc, row) == NULL)
        fail_msg("docs/CIRCUITS.md does not say%s", row);
}

static void the_documented_limits_are_true(void **state)
{
    (void)state;
    size_t size;
    char *doc = read_file(SOURCE_DIR "/docs/CIRCUITS.md", &size);
    assert_row(doc, "`spaces`", HP_SPACES_MIN, HP_SPACES_MAX);
    assert_row(doc, "`laps`", 1, HP_LAPS_MAX);
    assert_row(doc, "`heat`", HP_HEAT_MIN, HP_HEAT_MAX);
    assert_row(doc, "`stress`", 0, HP_STRESS_MAX);
    assert_row(doc, "corners", 1, HP_CORNERS_MAX);
    assert_row(doc, "`limit`", HP_LIMIT_MIN, HP_LIMIT_MAX);
    assert_row(doc, "`name`, `title`", 1, HP_NAME_MAX);
    free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fault_is_told_apart),
        cmocka_unit_test(binary_files_are_no_text),
        cmocka_unit_test(lines_have_a_longest_length),
        cmocka_unit_test(an_empty_file_lacks_its_first_line),
        cmocka_unit_test(corners_are_counted),
        cmocka_unit_test(points_are_counted),
        cmocka_unit_test(canvas_and_points_come_together),
        cmocka_unit_test(facts_come_in_any_order),
        cmocka_unit_test(a_fault_is_found_whatever_the_order),
        cmocka_unit_test(a_title_is_the_rest_of_its_line),
        cmocka_unit_test(the_limits_themselves_are_allowed),
        cmocka_unit_test(one_corner_is_enough),
        cmocka_unit_test(built_in_circuits_are_the_boards),
        cmocka_unit_test(built_in_circuits_can_be_drawn),
        cmocka_unit_test(built_in_circuits_have_names),
        cmocka_unit_test(no_part_of_a_circuit_is_a_circuit),
        cmocka_unit_test(the_documented_example_is_a_circuit),
        cmocka_unit_test(the_documented_limits_are_true),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
