#include "bots/standing.h"
#include "bots/judgement.h"

const uint8_t bot_knot[BOT_KNOTS] = {0, 12, 20, 29, 41, 60, 90};

/* `learn standing 30000`: at each knot, by sign. In units of which 4096 are 1 for the tangent below. Far from the finish
 * a lead is worth next to nothing: who is behind has adrenaline and the slipstream. */
static const int16_t in_duels[BOT_KNOTS][BOT_COLUMNS] = {
    {2100, -312,  283,  -116, 96,   559,   -49,  -657, -440, -12, -8,  -4, 325,  496, 319, 0,  -104,
     -804, -1293, 1427, 776,  -431, -1552, -505, 82,   1091, 140, 242, 18, -370, -32, 258, 107},
    {1176, -1346, 1197,  1232,  -648, 2519, 491, 271, 1027, 896, 493,  89,   92,   -289, -219, 0,  202,
     1052, 1724,  -1069, -1010, -11,  -825, -96, 524, 1340, 305, -226, -530, -542, 47,   841,  253},
    {1008, -3108, 409, -234, -2041, 1486, 2501, 1614, 1298, 1037, 1009, 667,  58,   -258,  -108, 0,   140,
     416,  1108,  -40, -781, -266,  -311, -141, 141,  612,  851,  -274, -262, -356, -1199, 2026, 1087},
    {823, -957, 329, 272,  331,  922, 1662, 892, 1037, 941, 277,  909,  46, -73, -21, 0,  51,
     -61, 203,  7,   -379, -157, -51, 73,   215, 250,  404, -392, -204, 9,  609, 934, 763},
    {383, -928, -386, -745,  -414, 424, 991, 899, 676, 888, 524, 236,   36,    -51,  10,  0,  -69,
     -25, -169, 152,  -1105, -33,  -48, -55, -39, 7,   -58, 194, -1028, -1029, -202, 604, 315},
    {156, 186, 324, 518,  435, 859,  979, 306, 511, 359, 417, 127,  7,    -15, -12,  0,   -7,
     47,  156, 46,  -907, -55, -106, -16, 25,  127, 64,  -5,  -868, -884, 981, -299, -171},
    {32, -61, -8, -66,   -154, 480, 149, 222, 51, 109, 40, 76,    2,     -3, 0,  0, 12,
     8,  -9,  46, -1086, -11,  -4,  -2,  9,   4,  5,   9,  -1085, -1059, -2, 56, -1},
};
static const int16_t in_fields[BOT_KNOTS][BOT_COLUMNS] = {
    {2068, 261, -367, 31,  533, 751,  23,  -220, -94, -24,  6,   0,    208, -532, -116, 0,    -12,
     129,  377, 482,  254, 114, -585, -73, 353,  660, -238, -20, -112, -5,  1503, -609, -1302},
    {1160, 89,   1018, 1401, -427, 2386, 812,  386, 264,  439, -605, 152, 83, -74, -135, 0,   367,
     1231, 2044, -958, -290, -116, -676, -164, 416, 1124, 557, -304, 168, 86, 545, -592, -675},
    {1103, -680, 31,   -348, -1731, 1891, 1749, 1566, 1167, 889,  250,  69,   61,  -309, -137, 0,  100,
     368,  1126, -282, -478, -277,  -280, -72,  310,  549,  1088, -303, -213, -93, 36,   603,  343},
    {897, -235, -87, 35,   222,  1532, 1594, 1227, 1272, 744, 589,  165,  37,  -116, -18, 0,  -75,
     -86, 380,  94,  -427, -254, -112, 31,   114,  75,   469, -134, -233, -53, 428,  505, 638},
    {465, -316, 51,  -216, -472, 515, 953, 1116, 919, 757, 216, 203,  29,   -16,  -10, 0,   54,
     55,  -28,  225, -368, -39,  -28, -35, 23,   -18, 4,   193, -364, -241, -515, 59,  -151},
    {280, -219, 306,  303,  214,  752,  792, 631, 410, 484, 441,  375,  18,   -86, -29, 0,  32,
     173, 251,  -128, -472, -149, -183, -35, 106, 240, 196, -122, -390, -414, 550, 225, 229},
    {209, -90, 4,   -109, -365, 536, 614, 463, 444, 319, 227, 213,  12,   3,    15, 0, -2,
     42,  62,  108, -636, -19,  -51, -10, -14, 54,  57,  44,  -611, -564, -110, 98, 86},
};

void bot_measure(const hp_race *race, int car, int sign[BOT_SIGNS])
{
    const hp_car *c = &race->car[car];
    sign[BOT_PROGRESS] = hp_progress(race, car);
    sign[BOT_ON_LINE] = c->spot == 0;
    for (int i = 2; i <= HP_GEARS; i++)
        sign[BOT_GEAR + i - 2] = c->gear == i;
    for (int i = 0; i < 7; i++)
        sign[BOT_HEAT + i] = c->engine > i;
    sign[BOT_NEXT] = bot_driver_outlook(race, car);
    for (int i = 0; i < HP_KINDS; i++) {
        sign[BOT_IN_HAND + i] = i == HP_TWO ? 0 : hp_count(c->hand, (hp_card)i);
        sign[BOT_TO_DRAW + i] = hp_count(c->draw, (hp_card)i);
    }
    sign[BOT_OLD_STRESS] = hp_count(c->discard, HP_STRESS);
    sign[BOT_ADRENALINE] = race->adrenaline >> car & 1;
}

int bot_compare(const hp_race *race, const int a[BOT_SIGNS], const int b[BOT_SIGNS], int more[BOT_COLUMNS])
{
    const int gap = b[BOT_PROGRESS] - a[BOT_PROGRESS];
    const int left = race->laps * race->track.spaces - (gap > 0 ? b : a)[BOT_PROGRESS];
    for (int i = 0; i < BOT_SIGNS; i++)
        more[i] = a[i] - b[i];
    for (int i = 1; i <= 2; i++)
        more[BOT_BEHIND + i - 1] = (gap == i) - (gap == -i);
    return left > 1 ? left : 1;
}

bot_between bot_knots_at(int left)
{
    int i = 0;
    while (i < BOT_KNOTS - 2 && left >= bot_knot[i + 1])
        i++;
    const int from = bot_knot[i], to = bot_knot[i + 1];
    return (bot_between){i, left < to ? 256 * (left - from) / (to - from) : 256};
}

/* The hyperbolic tangent, as y (27 + y^2) / (27 + 9 y^2), which meets 1 at 3. */
static int tangent(int64_t y)
{
    enum { ONE = 1 << 12 };
    if (y > 3 * ONE || y < -3 * ONE)
        return y > 0 ? 1000 : -1000;
    const int64_t square = y * y / ONE;
    return (int)(1000 * y * (27 * ONE + square) / (ONE * (27 * ONE + 9 * square)));
}

int bot_chance(const hp_race *race, const int a[BOT_SIGNS], const int b[BOT_SIGNS])
{
    int more[BOT_COLUMNS];
    const bot_between at = bot_knots_at(bot_compare(race, a, b, more));
    const int16_t(*weight)[BOT_COLUMNS] = &(race->cars == 2 ? in_duels : in_fields)[at.knot];
    int64_t sum = 0;
    for (int i = 0; i < BOT_COLUMNS; i++)
        sum += more[i] * (weight[0][i] * (256 - at.beyond) + weight[1][i] * at.beyond);
    return tangent(sum / 256);
}
