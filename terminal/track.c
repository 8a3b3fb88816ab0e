#define _DEFAULT_SOURCE /* M_PI */
#include "terminal/track.h"

#include <math.h>
#include <string.h>

/* Lengths are in columns; a row is two of them, which is about how terminals' characters are. */
typedef struct {
    double x, y;
} point;

enum { PER_SPACE = 10, SAMPLES = HP_SPACES_MAX * PER_SPACE };

typedef struct {
    int spaces;
    int n;             /* samples */
    point at[SAMPLES]; /* along the middle of the road; sample i is at progress i / PER_SPACE */
    point right[SAMPLES];
    double half; /* of the road's width */
} road;

static point between(point a, point b, point c, point d, double t)
{
    /* Catmull-Rom: a curve through b and c that its neighbours a and d bend */
    const double t2 = t * t, t3 = t2 * t;
    const double f0 = -t3 + 2 * t2 - t, f1 = 3 * t3 - 5 * t2 + 2, f2 = -3 * t3 + 4 * t2 + t, f3 = t3 - t2;
    return (point){(a.x * f0 + b.x * f1 + c.x * f2 + d.x * f3) / 2,
                   (a.y * f0 + b.y * f1 + c.y * f2 + d.y * f3) / 2};
}

/* The middles of the spaces; of a circuit without a drawing, a ring. */
static void middles(const hp_circuit *circuit, point *at)
{
    const int n = circuit->track.spaces;
    for (int i = 0; i < n; i++) {
        const double turn = 2 * M_PI * i / n;
        at[i] = circuit->points > 0 ? (point){circuit->centre[i].x, circuit->centre[i].y}
                                    : (point){500 + 480 * cos(turn), 333 + 313 * sin(turn)};
    }
}

/* Spreads the points over the sheet. Across and down are stretched apart, so that a small sheet is used, but not by
 * so much that the circuit is no longer known. */
static void fit(road *r, point *at, int columns, int rows, double least)
{
    point low = at[0], high = at[0];
    for (int i = 1; i < r->spaces; i++) {
        low = (point){fmin(low.x, at[i].x), fmin(low.y, at[i].y)};
        high = (point){fmax(high.x, at[i].x), fmax(high.y, at[i].y)};
    }
    const double wide = fmax(high.x - low.x, 1), tall = fmax(high.y - low.y, 1), stretch = 1.75;
    r->half = least;
    double across = 1, down = 1;
    for (int i = 0; i < 2; i++) { /* the width depends on the scale, which depends on the width */
        const double margin = r->half + 0.6;
        across = (columns - 2 * margin - 3) / wide;
        down = (2 * rows - 2 * margin) / tall;
        across = fmin(across, down * stretch);
        down = fmin(down, across * stretch);
        const double space = 0.5 * fmin(across, down) * hypot(at[1].x - at[0].x, at[1].y - at[0].y);
        r->half = fmin(fmax(space, least), 4);
    }
    for (int i = 0; i < r->spaces; i++)
        at[i] = (point){columns / 2.0 + (at[i].x - (low.x + high.x) / 2) * across,
                        rows + (at[i].y - (low.y + high.y) / 2) * down};
}

static void sample(road *r, const point *at)
{
    const int n = r->spaces;
    r->n = n * PER_SPACE;
    for (int i = 0; i < r->n; i++) {
        const int s = i / PER_SPACE;
        r->at[i] = between(at[(s + n - 1) % n], at[s], at[(s + 1) % n], at[(s + 2) % n],
                           (double)(i % PER_SPACE) / PER_SPACE);
    }
    for (int i = 0; i < r->n; i++) {
        const point a = r->at[(i + r->n - 2) % r->n], b = r->at[(i + 2) % r->n];
        const double length = fmax(hypot(b.x - a.x, b.y - a.y), 1e-9);
        r->right[i] = (point){-(b.y - a.y) / length, (b.x - a.x) / length}; /* rows count downwards */
    }
}

static hp_side line_side(const hp_circuit *circuit, int space)
{
    hp_side side = (hp_side)circuit->side;
    for (int i = 0; i < circuit->track.corners; i++)
        if (circuit->track.corner[i].after < space)
            side = (hp_side)circuit->line_side[i];
    return side;
}

/* ---- The ground --------------------------------------------------------------------------------- */

/* How far sample i is from the line behind that space, in columns along the road. */
static double from_line(const road *r, int i, int after)
{
    int apart = i - after * PER_SPACE - PER_SPACE / 2;
    apart = (apart % r->n + r->n) % r->n;
    if (apart > r->n / 2)
        apart -= r->n;
    const point a = r->at[i], b = r->at[(i + PER_SPACE) % r->n];
    return fabs((double)apart / PER_SPACE) * hypot(b.x - a.x, b.y - a.y);
}

static surface ground_at(const road *r, const hp_circuit *circuit, point p)
{
    int nearest = 0;
    double best = 1e18;
    for (int i = 0; i < r->n; i++) {
        const double dx = p.x - r->at[i].x, dy = p.y - r->at[i].y, far = dx * dx + dy * dy;
        if (far < best) {
            best = far;
            nearest = i;
        }
    }
    if (best > r->half * r->half)
        return GROUND;
    const int space = (nearest + PER_SPACE / 2) / PER_SPACE % r->spaces;
    for (int i = 0; i < circuit->track.corners; i++)
        if (from_line(r, nearest, circuit->track.corner[i].after) < 0.55)
            return CORNER;
    if (from_line(r, nearest, r->spaces - 1) < 0.55)
        return START;
    const double side =
        (p.x - r->at[nearest].x) * r->right[nearest].x + (p.y - r->at[nearest].y) * r->right[nearest].y;
    const bool on_line = (side > 0) == (line_side(circuit, space) == HP_RIGHT);
    return on_line ? (space & 1 ? LINE_ODD : LINE) : space & 1 ? ROAD_ODD : ROAD;
}

static map_place place_of(const track_map *map, point p)
{
    int column = (int)floor(p.x), row = (int)floor(p.y / 2);
    column = column < 0 ? 0 : column >= map->columns ? map->columns - 1 : column;
    row = row < 0 ? 0 : row >= map->rows ? map->rows - 1 : row;
    return (map_place){(int16_t)column, (int16_t)row};
}

static point beside(const road *r, int i, double right)
{
    i = (i % r->n + r->n) % r->n;
    return (point){r->at[i].x + right * r->right[i].x, r->at[i].y + right * r->right[i].y};
}

static void set_spots(track_map *map, const road *r, const hp_circuit *circuit)
{
    for (int space = 0; space < r->spaces; space++)
        for (int spot = 0; spot < 2; spot++) {
            const bool right = (line_side(circuit, space) == HP_RIGHT) == (spot == 0);
            map->spot[space][spot] =
                place_of(map, beside(r, space * PER_SPACE, (right ? 0.5 : -0.5) * r->half));
        }
}

/* ---- Signs -------------------------------------------------------------------------------------- */

/* Nothing else there, for so many columns. */
static bool is_free(const track_map *map, const bool taken[MAP_ROWS][MAP_COLUMNS], map_place at, int width)
{
    if (at.row < 0 || at.row >= map->rows || at.column < 0 || at.column + width > map->columns)
        return false;
    for (int i = 0; i < width; i++)
        if (taken[at.row][at.column + i])
            return false;
    return true;
}

/* The nearest free place beside the road. */
static map_place room_beside(const track_map *map, const road *r, bool taken[MAP_ROWS][MAP_COLUMNS],
                             int sample_at, int width)
{
    for (double gap = 1; gap < 9; gap += 0.5)
        for (int shift = 0; shift <= 6; shift = shift <= 0 ? 3 - shift : -shift)
            for (int side = 1; side >= -1; side -= 2) {
                const point p = beside(r, sample_at + shift, side * (r->half + gap));
                const map_place at = {(int16_t)(floor(p.x) - width / 2), (int16_t)floor(p.y / 2)};
                if (!is_free(map, taken, at, width))
                    continue;
                for (int i = 0; i < width; i++)
                    taken[at.row][at.column + i] = true;
                return at;
            }
    return (map_place){-1, -1};
}

static void set_signs(track_map *map, const road *r, const hp_circuit *circuit)
{
    static bool taken[MAP_ROWS][MAP_COLUMNS];
    for (int row = 0; row < map->rows; row++)
        for (int column = 0; column < map->columns; column++)
            taken[row][column] =
                map->ground[2 * row][column] != GROUND || map->ground[2 * row + 1][column] != GROUND;
    for (int i = 0; i < circuit->track.corners; i++)
        map->sign[i] =
            room_beside(map, r, taken, circuit->track.corner[i].after * PER_SPACE + PER_SPACE / 2, MAP_SIGN);
    map->arrow = room_beside(map, r, taken, 0, 1);
    const point a = r->at[0], b = r->at[PER_SPACE];
    const double turn = atan2(b.y - a.y, b.x - a.x);
    map->direction = ((int)lround(turn / (M_PI / 4)) + 8) % 8;
}

void track_lay_out(track_map *map, const hp_circuit *circuit, int columns, int rows, bool to_race)
{
    static road r; /* large, and used by nobody else */
    point at[HP_SPACES_MAX] = {{0, 0}};
    memset(map, 0, sizeof *map);
    map->columns = columns < 1 ? 1 : columns < MAP_COLUMNS ? columns : MAP_COLUMNS;
    map->rows = rows < 1 ? 1 : rows < MAP_ROWS ? rows : MAP_ROWS;
    r.spaces = circuit->track.spaces;
    middles(circuit, at);
    fit(&r, at, map->columns, map->rows, to_race ? 2 : 1.3);
    sample(&r, at);
    for (int y = 0; y < 2 * map->rows; y++)
        for (int x = 0; x < map->columns; x++)
            map->ground[y][x] = (uint8_t)ground_at(&r, circuit, (point){x + 0.5, y + 0.5});
    set_spots(map, &r, circuit);
    set_signs(map, &r, circuit);
}
