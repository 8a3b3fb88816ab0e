#include "bots/ahead.h"

bot_corner bot_next_corner(const hp_track *track, int laps, int at)
{
    const int space = (at + track->spaces) % track->spaces;
    const bot_corner none = {.ahead = HP_SPACES_MAX, .limit = HP_LIMIT_MAX};
    int i = 0;
    while (i < track->corners && track->corner[i].after < space)
        i++;
    const int lap = i < track->corners ? 0 : track->spaces; /* that of the next lap is the first again */
    const hp_corner *line = &track->corner[lap == 0 ? i : 0];
    const bot_corner next = {line->after + lap - space, line->limit};
    return track->corners == 0 || at + next.ahead >= laps * track->spaces ? none : next;
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
