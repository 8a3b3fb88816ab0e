/* What the parts of the drawing share. */
#ifndef HP_TERMINAL_VIEW_H
#define HP_TERMINAL_VIEW_H

#include "terminal/screen.h"

/* Where things are, for the size that the terminal has now. */
typedef struct {
    int rows, columns;
    int map_rows, map_columns; /* from row 1, column 0 */
    int side, side_width;      /* standings and journal */
    int cockpit;               /* the first row of it */
} sheet;

/* A car's number in its colour. */
int view_car_ink(const scene *s, int car);
/* Whose road is shown: one's own, or that of the car that drives, or of the leader. */
int view_focus(const scene *s);

/* Where what is chosen now may take the car: each place is told to mark. */
void view_landings(const screen *c, void (*mark)(void *self, hp_place to), void *self);

/* cockpit.c: the lower part of the screen. */
void cockpit_draw(const screen *c, const sheet *z);

#endif
