#include "rules/road.h"

bool hp_road_slipstream(const hp_track *track, const uint64_t taken[4], road_stand from, int laps)
{
    const bool beside = road_spots(taken, from.space) == ROAD_BOTH_TAKEN;
    const bool behind = road_spots(taken, road_shift(track, from, 1).space) != 0;
    return (beside || behind) && road_shift(track, from, 2).lap < laps && road_moves(track, taken, from, 2);
}

int hp_road_lines(const hp_track *track, road_stand from, road_stand to, int laps,
                  uint8_t lines[HP_CORNERS_MAX])
{
    int way = road_progress(track, to.lap, to.space) - road_progress(track, from.lap, from.space);
    const int to_finish = road_progress(track, laps, 0) - road_progress(track, from.lap, from.space);
    if (way > to_finish)
        way = to_finish;

    int next = 0; /* the first line ahead */
    while (next < track->corners && track->corner[next].after < from.space)
        next++;

    int found = 0;
    for (int i = 0; i < track->corners; i++, next++) {
        const bool wraps = next >= track->corners;
        const int line = wraps ? next - track->corners : next;
        const int ahead = track->corner[line].after - from.space + (wraps ? track->spaces : 0);
        if (ahead >= way)
            break;
        lines[found++] = (uint8_t)line;
    }
    return found;
}

road_stand hp_road_spin(const hp_track *track, const uint64_t taken[4], road_stand from, int line)
{
    int ahead = track->corner[line].after - from.space;
    if (ahead < 0)
        ahead += track->spaces;
    road_stand to = road_shift(track, from, ahead);
    while (road_spots(taken, to.space) == ROAD_BOTH_TAKEN)
        to = road_shift(track, to, -1);
    to.spot = (int)(road_spots(taken, to.space) & 1);
    return to;
}
