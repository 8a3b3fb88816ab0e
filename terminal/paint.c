#define _XOPEN_SOURCE 700 /* wcwidth */
#define NCURSES_WIDECHAR 1
#include "terminal/paint.h"

#include "cli/words.h"
#include "table/table.h"

#include <langinfo.h>
#include <locale.h>
#include <ncurses.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

static bool utf8;
static int colours; /* 0, 8, 16 or 256 */
static SCREEN *sheet;

/* ---- What the terminal can show ----------------------------------------------------------------- */

static const char *locale_wanted(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (int i = 0; i < 3; i++) {
        const char *value = getenv(variables[i]);
        if (value != NULL && value[0] != '\0')
            return value;
    }
    return "C";
}

/* The letters alone: numbers stay as programs write them. A locale that is not installed is taken at its word where
 * it speaks of UTF-8; many servers know none but C. */
void paint_prepare(void)
{
    const char *wanted = locale_wanted();
    const char *code = strchr(wanted, '.');
    if (setlocale(LC_CTYPE, "") == NULL && code != NULL &&
        (strncasecmp(code, ".utf-8", 6) == 0 || strncasecmp(code, ".utf8", 5) == 0) &&
        setlocale(LC_CTYPE, "C.UTF-8") == NULL)
        setlocale(LC_CTYPE, "C.utf8");
    utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

bool paint_utf8(void)
{
    return utf8;
}

const char *paint_either(const char *fine, const char *plain)
{
    return utf8 ? fine : plain;
}

static void find_colours(void)
{
    const char *none = getenv("NO_COLOR");
    colours = 0;
    if ((none != NULL && none[0] != '\0') || !has_colors() || start_color() == ERR)
        return;
    use_default_colors();
    colours = COLORS >= 256 ? 256 : COLORS >= 16 ? 16 : COLORS >= 8 ? 8 : 0;
}

bool paint_open(void)
{
    const char *terminal = getenv("TERM");
    if (terminal == NULL || terminal[0] == '\0' || strcmp(terminal, "dumb") == 0)
        return false;
    sheet = newterm(NULL, stdout, stdin);
    if (sheet == NULL)
        return false;
    set_term(sheet);
    set_escdelay(50);
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    curs_set(0);
    find_colours();
    return true;
}

void paint_close(void)
{
    erase();
    refresh();
    endwin();
    delscreen(sheet);
    sheet = NULL;
}

int paint_rows(void)
{
    return LINES;
}

int paint_columns(void)
{
    return COLS;
}

void paint_clear(void)
{
    erase();
}

void paint_show(void)
{
    refresh();
}

/* ---- Inks --------------------------------------------------------------------------------------- */

/* Pairs are made as they are asked for; terminals have at least 64. */
static int pair_of(int front, int back)
{
    enum { MOST = 63 };
    static struct {
        int front, back;
    } pairs[MOST];
    static int n;
    for (int i = 0; i < n; i++)
        if (pairs[i].front == front && pairs[i].back == back)
            return i + 1;
    if (n == MOST || n + 1 >= COLOR_PAIRS)
        return 0;
    pairs[n].front = front;
    pairs[n].back = back;
    init_pair((short)(n + 1), (short)front, (short)back);
    return ++n;
}

/* In so many colours each: -1 is the terminal's own. */
typedef struct {
    short front[3], back[3]; /* 256, 16, 8 */
    attr_t with, without;    /* besides colours, and where there are none */
} dye;

static const dye dyes[INK_CAR + TABLE_COLOURS] = {
    [INK_PLAIN] = {{-1, -1, -1}, {-1, -1, -1}, A_NORMAL, A_NORMAL},
    [INK_DIM] = {{244, 8, -1}, {-1, -1, -1}, A_NORMAL, A_NORMAL},
    [INK_BOLD] = {{-1, -1, -1}, {-1, -1, -1}, A_BOLD, A_BOLD},
    [INK_BAR] = {{230, 15, 7}, {88, 1, 1}, A_BOLD, A_REVERSE},
    [INK_GOOD] = {{77, 10, 2}, {-1, -1, -1}, A_NORMAL, A_NORMAL},
    [INK_WARN] = {{214, 11, 3}, {-1, -1, -1}, A_BOLD, A_BOLD},
    [INK_BAD] = {{203, 9, 1}, {-1, -1, -1}, A_BOLD, A_BOLD},
    [INK_HEAT] = {{202, 9, 1}, {-1, -1, -1}, A_BOLD, A_BOLD},
    [INK_CARD] = {{16, 0, 0}, {252, 7, 7}, A_NORMAL, A_NORMAL},
    [INK_CHOSEN] = {{16, 0, 0}, {220, 11, 3}, A_BOLD, A_REVERSE | A_BOLD},
    [INK_CURSOR] = {{-1, -1, -1}, {-1, -1, -1}, A_REVERSE, A_REVERSE},
    [INK_SIGN] = {{231, 15, 7}, {160, 1, 1}, A_BOLD, A_REVERSE | A_BOLD},
    [INK_CAR + TABLE_RED] = {{231, 15, 7}, {160, 9, 1}, A_BOLD, A_REVERSE | A_BOLD},
    [INK_CAR + TABLE_ORANGE] = {{16, 0, 0}, {208, 3, 3}, A_BOLD, A_REVERSE | A_BOLD},
    [INK_CAR + TABLE_YELLOW] = {{16, 0, 0}, {226, 11, 3}, A_BOLD, A_REVERSE | A_BOLD},
    [INK_CAR + TABLE_GREEN] = {{231, 0, 0}, {28, 10, 2}, A_BOLD, A_REVERSE | A_BOLD},
    [INK_CAR + TABLE_BLUE] = {{231, 15, 7}, {27, 12, 4}, A_BOLD, A_REVERSE | A_BOLD},
    [INK_CAR + TABLE_PURPLE] = {{231, 15, 7}, {91, 13, 5}, A_BOLD, A_REVERSE | A_BOLD},
    [INK_CAR + TABLE_BLACK] = {{231, 15, 7}, {16, 0, 0}, A_BOLD, A_REVERSE | A_BOLD},
    [INK_CAR + TABLE_WHITE] = {{16, 0, 0}, {231, 15, 7}, A_BOLD, A_REVERSE | A_BOLD},
};

static void use_ink(int how)
{
    const dye *d = &dyes[how];
    const int level = colours == 256 ? 0 : colours == 16 ? 1 : 2;
    if (colours == 0)
        attr_set(d->without, 0, NULL);
    else
        attr_set(d->with, (short)pair_of(d->front[level], d->back[level]), NULL);
}

/* ---- Text --------------------------------------------------------------------------------------- */

/* The character at *text, which is moved on; what is no UTF-8 becomes a question mark. */
static uint32_t next_character(const char **text)
{
    const unsigned char *at = (const unsigned char *)*text;
    const int more = at[0] < 0x80 ? 0 : at[0] < 0xc0 ? -1 : at[0] < 0xe0 ? 1 : at[0] < 0xf0 ? 2 : 3;
    uint32_t c = more <= 0 ? at[0] : at[0] & (0x3fu >> more);
    int i = 1;
    for (; i <= more && (at[i] & 0xc0) == 0x80; i++)
        c = c << 6 | (at[i] & 0x3f);
    *text += i;
    return more < 0 || i <= more || c < 0x20 || (c >= 0x7f && c < 0xa0) ? '?' : c;
}

/* What stands for a character where there are only the letters of ASCII: those of our six languages. */
static const char *spelled(uint32_t c)
{
    static const struct {
        uint16_t from;
        char to[4];
    } letters[] = {
        {0xa0, " "},    {0xab, "\""},   {0xb7, "-"},     {0xbb, "\""},  {0xc0, "A"},   {0xc2, "A"},
        {0xc4, "Ae"},   {0xc5, "Aa"},   {0xc6, "Ae"},    {0xc7, "C"},   {0xc8, "E"},   {0xc9, "E"},
        {0xca, "E"},    {0xcb, "E"},    {0xce, "I"},     {0xcf, "I"},   {0xd4, "O"},   {0xd6, "Oe"},
        {0xd8, "Oe"},   {0xd9, "U"},    {0xdb, "U"},     {0xdc, "Ue"},  {0xdf, "ss"},  {0xe0, "a"},
        {0xe1, "a"},    {0xe2, "a"},    {0xe4, "ae"},    {0xe5, "aa"},  {0xe6, "ae"},  {0xe7, "c"},
        {0xe8, "e"},    {0xe9, "e"},    {0xea, "e"},     {0xeb, "e"},   {0xed, "i"},   {0xee, "i"},
        {0xef, "i"},    {0xf3, "o"},    {0xf4, "o"},     {0xf6, "oe"},  {0xf8, "oe"},  {0xf9, "u"},
        {0xfa, "u"},    {0xfb, "u"},    {0xfc, "ue"},    {0x152, "Oe"}, {0x153, "oe"}, {0x386, "A"},
        {0x388, "E"},   {0x389, "I"},   {0x38a, "I"},    {0x38c, "O"},  {0x38e, "Y"},  {0x38f, "O"},
        {0x390, "i"},   {0x391, "A"},   {0x392, "V"},    {0x393, "G"},  {0x394, "D"},  {0x395, "E"},
        {0x396, "Z"},   {0x397, "I"},   {0x398, "Th"},   {0x399, "I"},  {0x39a, "K"},  {0x39b, "L"},
        {0x39c, "M"},   {0x39d, "N"},   {0x39e, "X"},    {0x39f, "O"},  {0x3a0, "P"},  {0x3a1, "R"},
        {0x3a3, "S"},   {0x3a4, "T"},   {0x3a5, "Y"},    {0x3a6, "F"},  {0x3a7, "Ch"}, {0x3a8, "Ps"},
        {0x3a9, "O"},   {0x3ac, "a"},   {0x3ad, "e"},    {0x3ae, "i"},  {0x3af, "i"},  {0x3b0, "y"},
        {0x3b1, "a"},   {0x3b2, "v"},   {0x3b3, "g"},    {0x3b4, "d"},  {0x3b5, "e"},  {0x3b6, "z"},
        {0x3b7, "i"},   {0x3b8, "th"},  {0x3b9, "i"},    {0x3ba, "k"},  {0x3bb, "l"},  {0x3bc, "m"},
        {0x3bd, "n"},   {0x3be, "x"},   {0x3bf, "o"},    {0x3c0, "p"},  {0x3c1, "r"},  {0x3c2, "s"},
        {0x3c3, "s"},   {0x3c4, "t"},   {0x3c5, "y"},    {0x3c6, "f"},  {0x3c7, "ch"}, {0x3c8, "ps"},
        {0x3c9, "o"},   {0x3ca, "i"},   {0x3cb, "y"},    {0x3cc, "o"},  {0x3cd, "y"},  {0x3ce, "o"},
        {0x2013, "-"},  {0x2014, "-"},  {0x2018, "'"},   {0x2019, "'"}, {0x201a, "'"}, {0x201c, "\""},
        {0x201d, "\""}, {0x201e, "\""}, {0x2026, "..."}, {0x202f, " "},
    };
    size_t low = 0, high = sizeof letters / sizeof letters[0];
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (letters[middle].from == c)
            return letters[middle].to;
        if (letters[middle].from < c)
            low = middle + 1;
        else
            high = middle;
    }
    return "?";
}

void paint_plain(const char *text, char *out, size_t size)
{
    size_t n = 0;
    while (*text != '\0') {
        const char *from = text;
        const uint32_t c = next_character(&text);
        const size_t length = (size_t)(text - from);
        if (c < 0x80 || !utf8) {
            const char one[2] = {(char)c, '\0'};
            for (const char *to = c < 0x80 ? one : spelled(c); *to != '\0' && n + 1 < size; to++)
                out[n++] = *to;
        } else if (n + length < size) {
            memcpy(out + n, from, length);
            n += length;
        }
    }
    out[n] = '\0';
}

enum { WIDEST = 512 };

/* As the terminal takes it, at most so many columns of it; how many those are. */
static int to_cells(const char *text, int width, wchar_t *cells)
{
    int columns = 0, n = 0;
    while (*text != '\0' && n < WIDEST - 4) {
        const uint32_t c = next_character(&text);
        wchar_t piece[4] = {(wchar_t)c, 0, 0, 0};
        if (c >= 0x80 && !utf8)
            for (int i = 0; i < 3; i++)
                piece[i] = (unsigned char)spelled(c)[i];
        int wide = 0;
        for (int i = 0; piece[i] != 0; i++)
            wide += utf8 && wcwidth(piece[i]) > 0 ? wcwidth(piece[i]) : !utf8;
        if (columns + wide > width)
            break;
        for (int i = 0; piece[i] != 0; i++)
            cells[n++] = piece[i];
        columns += wide;
    }
    cells[n] = 0;
    return columns;
}

int paint_width(const char *text)
{
    wchar_t cells[WIDEST];
    return to_cells(text, WIDEST, cells);
}

int paint_text(int row, int column, int width, int how, const char *text)
{
    wchar_t cells[WIDEST];
    if (row < 0 || row >= LINES || column < 0 || column >= COLS || width <= 0)
        return 0;
    width = width < COLS - column ? width : COLS - column;
    const int columns = to_cells(text, width, cells);
    use_ink(how);
    mvaddwstr(row, column, cells);
    return columns;
}

int paint_format(int row, int column, int width, int how, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return paint_text(row, column, width, how, text);
}

/* How much of the text goes into one row: whole words, as many as fit, or as much of one as does. */
static size_t row_of(const char *text, int width)
{
    size_t good = 0;
    for (size_t at = 0; text[at] != '\0';) {
        const size_t word = at + strspn(text + at, " ") + strcspn(text + at + strspn(text + at, " "), " ");
        char piece[1024];
        snprintf(piece, sizeof piece, "%.*s", (int)(word < 1000 ? word : 1000), text);
        if (paint_width(piece) > width)
            break;
        good = at = word;
    }
    if (good > 0)
        return good;
    for (int columns = 0; text[good] != '\0' && columns < width; columns++) /* one long word */
        for (good++; (text[good] & 0xc0) == 0x80;)
            good++;
    return good;
}

int paint_wrapped(int row, int column, int width, int rows, int how, const char *text)
{
    int used = 0;
    for (; *text != '\0' && used < rows && width > 0; used++) {
        const size_t length = row_of(text, width);
        paint_format(row + used, column, width, how, "%.*s", (int)length, text);
        text += length;
        text += strspn(text, " ");
    }
    return used;
}

void paint_fill(int row, int column, int width, int how, const char *sign)
{
    for (int i = 0; i < width; i++)
        paint_text(row, column + i, 1, how, sign);
}

/* ---- The map ------------------------------------------------------------------------------------ */

static const short greys[SURFACES][3] = {
    [GROUND] = {-1, -1, -1},  [ROAD] = {236, 8, -1},  [ROAD_ODD] = {238, 8, -1}, [LINE] = {241, 7, 7},
    [LINE_ODD] = {244, 7, 7}, [CORNER] = {160, 9, 1}, [START] = {231, 15, 7},
};

/* With 8 colours or none the road is shaded. */
static void paint_shaded(int row, int column, surface upper, surface lower, const char *sign)
{
    static const char *const fine[SURFACES] = {" ", "░", "░", "▒", "▒", "█", "▓"};
    static const char *const plain[SURFACES] = {" ", ".", ".", ":", ":", "#", "|"};
    const surface both = upper == CORNER || lower == CORNER ? CORNER
                         : upper == START || lower == START ? START
                         : upper != GROUND                  ? upper
                                                            : lower;
    const int how = colours > 0 && both == CORNER ? INK_BAD : INK_PLAIN;
    paint_text(row, column, 1, how, sign[0] != '\0' ? sign : utf8 ? fine[both] : plain[both]);
}

void paint_place(int row, int column, surface upper, surface lower, const char *sign)
{
    if (colours < 16) {
        paint_shaded(row, column, upper, lower, sign);
        return;
    }
    const int level = colours == 256 ? 0 : 1;
    const surface whole = upper != GROUND ? upper : lower;
    const short up = greys[upper][level], low = greys[lower][level];
    if (sign[0] != '\0' || up == low || !utf8) {
        const short back = greys[whole][level];
        const short front = whole == GROUND ? -1 : back == 7 || back == 15 || back >= 240 ? 16 : 252;
        attr_set(A_NORMAL,
                 (short)pair_of(colours == 256 || front < 0 ? front
                                : front == 16               ? 0
                                                            : 15,
                                back),
                 NULL);
        mvaddstr(row, column, sign[0] != '\0' ? sign : " ");
    } else if (up >= 0) {
        attr_set(A_NORMAL, (short)pair_of(up, low), NULL);
        mvaddstr(row, column, "▀");
    } else {
        attr_set(A_NORMAL, (short)pair_of(low, up), NULL);
        mvaddstr(row, column, "▄");
    }
}

/* ---- Keys --------------------------------------------------------------------------------------- */

int paint_key(void)
{
    wint_t key;
    const int kind = get_wch(&key);
    if (kind == ERR)
        return KEY_NONE_YET;
    if (kind == OK)
        return key == '\r' || key == '\n' ? PAINT_ENTER
               : key == 27                ? PAINT_ESCAPE
               : key == '\t'              ? PAINT_TAB
               : key == 127 || key == 8   ? PAINT_BACKSPACE
                                          : (int)key;
    switch (key) {
    case KEY_UP:
        return PAINT_UP;
    case KEY_DOWN:
        return PAINT_DOWN;
    case KEY_LEFT:
        return PAINT_LEFT;
    case KEY_RIGHT:
        return PAINT_RIGHT;
    case KEY_ENTER:
        return PAINT_ENTER;
    case KEY_BACKSPACE:
        return PAINT_BACKSPACE;
    case KEY_HOME:
        return PAINT_HOME;
    case KEY_END:
        return PAINT_END;
    case KEY_RESIZE:
        return PAINT_RESIZE;
    default:
        return PAINT_OTHER;
    }
}
