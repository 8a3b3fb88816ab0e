/* Where cars stand and how they move: the loop of spaces, blocking (R4.4) and corner lines (R8.1). */
#ifndef HP_RULES_ROAD_H
#define HP_RULES_ROAD_H

#include "hairpin.h"

/* Lap and space apart, so that the loop costs no division. */
typedef struct {
    int lap;
    int space;
    int spot;
} road_stand;

enum { ROAD_BOTH_TAKEN = 3 };

static inline unsigned road_spots(const uint64_t taken[4], int space)
{
    return (unsigned)(taken[(unsigned)space / 32] >> (2 * ((unsigned)space % 32))) & 3;
}

static inline void road_toggle(uint64_t taken[4], int space, int spot)
{
    taken[(unsigned)space / 32] ^= UINT64_C(1) << (2 * ((unsigned)space % 32) + (unsigned)spot);
}

static inline int road_progress(const hp_track *track, int lap, int space)
{
    return lap * track->spaces + space;
}

/* The way back from road_progress: at most nine laps, so that stepping is as quick as dividing. */
static inline road_stand road_stand_at(const hp_track *track, hp_place place)
{
    road_stand stand = {.lap = 0, .space = place.at, .spot = place.spot};
    for (; stand.space < 0; stand.space += track->spaces)
        stand.lap--;
    for (; stand.space >= track->spaces; stand.space -= track->spaces)
        stand.lap++;
    return stand;
}

/* By less than a lap, forward or back. */
static inline road_stand road_shift(const hp_track *track, road_stand from, int by)
{
    from.space += by;
    if (from.space >= track->spaces) {
        from.space -= track->spaces;
        from.lap++;
    } else if (from.space < 0) {
        from.space += track->spaces;
        from.lap--;
    }
    return from;
}

/* R4.4: by up to n spaces, to the last space with a free spot, nearest the race line; where there is
 * none, from itself. */
static inline road_stand road_land(const hp_track *track, const uint64_t taken[4], road_stand from, int n)
{
    road_stand to = road_shift(track, from, n);
    for (; n > 0; n--) {
        const unsigned spots = road_spots(taken, to.space);
        if (spots != ROAD_BOTH_TAKEN) {
            to.spot = (int)(spots & 1);
            return to;
        }
        to = road_shift(track, to, -1);
    }
    return from;
}

/* R5.4, R7.4: whether a move by n (1 or 2) would move the car at all. */
static inline bool road_moves(const hp_track *track, const uint64_t taken[4], road_stand from, int n)
{
    for (int i = 1; i <= n; i++)
        if (road_spots(taken, road_shift(track, from, i).space) != ROAD_BOTH_TAKEN)
            return true;
    return false;
}

/* R7.1, R7.3, R7.4: whether a car that stands there, itself in taken, may slipstream. */
bool hp_road_slipstream(const hp_track *track, const uint64_t taken[4], road_stand from, int laps);

/* R8.1, R8.3: the corner lines on the way from one stand to another, in the order crossed, the finish
 * line after that many laps being the last that counts. Less than a lap apart, so none comes twice. */
int hp_road_lines(const hp_track *track, road_stand from, road_stand to, int laps,
                  uint8_t lines[HP_CORNERS_MAX]);

/* R8.2: where a car that crossed this line since from spins to. The car itself is not in taken. */
road_stand hp_road_spin(const hp_track *track, const uint64_t taken[4], road_stand from, int line);

#endif
