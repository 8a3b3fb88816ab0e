/* The terminal as a sheet to paint on: text in columns, whatever it can show. ncursesw is behind it, and nobody
 * else knows. */
#ifndef HP_TERMINAL_PAINT_H
#define HP_TERMINAL_PAINT_H

#include <stdbool.h>
#include <stddef.h>

typedef enum {
    INK_PLAIN,
    INK_DIM,
    INK_BOLD,
    INK_BAR, /* the title and the keys */
    INK_GOOD,
    INK_WARN,
    INK_BAD,
    INK_HEAT,
    INK_CARD,   /* in the hand */
    INK_CHOSEN, /* and chosen to be played */
    INK_CURSOR, /* what the next key is about */
    INK_SIGN,   /* a speed limit */
    INK_CAR     /* and a table_colour: a car's number */
} ink;

/* What the road is made of. */
typedef enum { GROUND, ROAD, ROAD_ODD, LINE, LINE_ODD, CORNER, START, SURFACES } surface;

/* Before anything else: finds out what the terminal can show. Also for line mode, which only asks paint_utf8. */
void paint_prepare(void);
bool paint_utf8(void);
/* False when there is no terminal that could be painted on. */
bool paint_open(void);
void paint_close(void); /* the terminal is as it was */

int paint_rows(void);
int paint_columns(void);
void paint_clear(void);
void paint_show(void); /* what was painted since is seen now */

/* A text within width columns, cut where it is longer; how many it took. */
int paint_text(int row, int column, int width, int how, const char *text);
__attribute__((format(printf, 5, 6))) int paint_format(int row, int column, int width, int how,
                                                       const char *format, ...);
/* Over several rows, broken between words; how many rows it took. */
int paint_wrapped(int row, int column, int width, int rows, int how, const char *text);
void paint_fill(int row, int column, int width, int how,
                const char *sign); /* the same sign again and again */
int paint_width(const char *text);

/* A place of the map: upper and lower half, and what stands on it ("" for nothing). */
void paint_place(int row, int column, surface upper, surface lower, const char *sign);

/* The one with letters that everybody has, or the finer one. */
const char *paint_either(const char *fine, const char *plain);

/* Text without what the terminal cannot show. */
void paint_plain(const char *text, char *out, size_t size);

/* ---- Keys --------------------------------------------------------------------------------------- */

enum {
    KEY_NONE_YET = -1,
    PAINT_UP = 0x110000,
    PAINT_DOWN,
    PAINT_LEFT,
    PAINT_RIGHT,
    PAINT_ENTER,
    PAINT_BACKSPACE,
    PAINT_ESCAPE,
    PAINT_TAB,
    PAINT_HOME,
    PAINT_END,
    PAINT_RESIZE,
    PAINT_OTHER
};

/* The next key: a character, or one of these; KEY_NONE_YET at once when there is none. */
int paint_key(void);

#endif
