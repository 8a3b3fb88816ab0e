#include "bots/ahead.h"

bot_corner bot_next_corner(const hp_track *track, int laps, int at)
{
    const int space = (at + track->spaces) % track->spaces;
    const bot_corner none = {.ahead = HP_SPACES_MAX, .limit = HP_LIMIT_MAX};
    bot_corner next = none;
    for (int i = 0; i < track->corners; i++) {
        const int ahead = (track->corner[i].after - space + track->spaces) % track->spaces;
        if (ahead < next.ahead)
            next = (bot_corner){ahead, track->corner[i].limit};
    }
    return at + next.ahead >= laps * track->spaces ? none : next;
}

int bot_best(const int *worth, int n, bot_dice *dice, int moods)
{
    int best = 0, best_worth = INT32_MIN;
    for (int i = 0; i < n; i++) {
        const int seems = worth[i] + (moods > 0 ? (int)bot_roll_below(dice, (uint32_t)moods) : 0);
        if (seems > best_worth) {
            best_worth = seems;
            best = i;
        }
    }
    return best;
}
