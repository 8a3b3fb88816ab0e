/* A circuit's course in characters: its points, spread over so many columns and rows, with a road of two spots. */
#ifndef HP_TERMINAL_TRACK_H
#define HP_TERMINAL_TRACK_H

#include "hairpin.h"
#include "terminal/paint.h"

enum { MAP_COLUMNS = 200, MAP_ROWS = 100 };

typedef struct {
    int16_t column, row;
} map_place;

typedef struct {
    int columns, rows;
    uint8_t ground[2 * MAP_ROWS][MAP_COLUMNS]; /* surface, by half rows */
    map_place spot[HP_SPACES_MAX][2];          /* where a car on it is drawn */
    map_place sign[HP_CORNERS_MAX];            /* where a limit is written; column -1 for nowhere */
    map_place arrow;                           /* driving direction at the start: where, */
    int direction;                             /* and which of eight, 0 is right, 2 is down */
} track_map;

/* Signs take this many columns. */
enum { MAP_SIGN = 3 };

/* To race on it a car has to fit on each spot; else the road may be thinner. */
void track_lay_out(track_map *map, const hp_circuit *circuit, int columns, int rows, bool to_race);

#endif
