#include "bots/standing.h"
#include "bots/judgement.h"

const uint8_t bot_knot[BOT_KNOTS] = {0, 12, 20, 29, 41, 60, 90};

/* `learn standing 30000`: at each knot, by sign. In units of which 4096 are 1 for the tangent below. Far from the finish
 * a lead is worth next to nothing: who is behind has adrenaline and the slipstream. */
static const int16_t in_duels[BOT_KNOTS][BOT_COLUMNS] = {
    {1866, -182, -353, -187, 561, 3136, 35,   -60, -355, -34,  42, -13,  234, -81, 34,  0, 279,
     -414, -629, 511,  248,  26,  -735, -252, 611, 591,  -222, 22, -108, -42, 722, 416, 98},
    {1013, -1929, 930,  1803, 239, 2687, 1540, 342, 590,  819, -182, -389, 92,   -12,  -74,  0,  216,
     1213, 2087,  -670, -590, -95, -677, -167, 322, 1072, 484, -163, -254, -372, -870, 1415, 953},
    {626, -3464, -3,   -187,  -1601, 1715, 1523, 1483, 995, 924,  110,  543,  44,   -265,  -139, 0,   33,
     336, 1183,  -287, -1020, -138,  -198, -68,  231,  558, 1238, -388, -563, -400, -2577, 2913, 1633},
    {870, -692, 196, 207,  644,  1523, 1749, 1139, 1248, 922, 577,  292,  38,   58,  29,  0,  10,
     -36, 250,  214, -382, -103, -145, 85,   139,  100,  326, -201, -261, -116, 497, 759, 459},
    {343, -812, -80, -348, -664, 222, 1038, 1082, 832, 804, 404, 433,  32,   50,   59,  0,  -15,
     -18, 38,   313, -798, 78,   32,  -64,  -72,  -76, 50,  296, -739, -617, -708, 785, 428},
    {205, 160, 126, 243,  211, 661,  661, 413, 349, 277, 419, 121,  11,   0,   -59, 0,  21,
     25,  153, 8,   -749, -57, -130, -7,  97,  110, 143, -63, -713, -704, 626, -44, -60},
    {86, -128, 38, 0,    -183, 161, 446, 267, 190, 136, 74, 100,  6,    20,  13,  0, -17,
     24, 17,   55, -758, 20,   -11, -12, -16, 28,  10,  28, -744, -704, -99, 171, 93},
};
static const int16_t in_fields[BOT_KNOTS][BOT_COLUMNS] = {
    {2132, 478, -987, 475, 721,  3108, 928,  -358, -204, 253,  51,  27,   204,  -504, 84,   0,    195,
     283,  484, 546,  328, -126, -747, -403, 354,  778,  -336, 118, -119, -264, 1319, -996, -1332},
    {1204, -110, 613,   1183, -999, 2444, 1469, 328, 503,  605, -500, 145, 85,   -256, -227, 0,   302,
     1141, 2075, -1021, -450, -244, -699, -146, 381, 1123, 791, -280, -36, -115, 410,  -382, -559},
    {1135, -802, 274,  -126, -1618, 1580, 1747, 1624, 1236, 962, 211,  53,   59,   -364, -111, 0,  92,
     413,  1088, -340, -491, -201,  -275, -60,  232,  575,  995, -301, -221, -132, 142,  803,  520},
    {905, -247, -129, -76,  -133, 1715, 1824, 1202, 1282, 849, 439,  52,   38,  -155, -46, 0,  -91,
     18,  281,  135,  -389, -321, -140, 31,   83,   189,  405, -124, -204, -54, 341,  491, 706},
    {461, -353, 24,  -235, -356, 437, 898, 1086, 1007, 654, 377, 155,  29,   -52,  -22, 0,  72,
     11,  43,   236, -392, -46,  -67, -46, 20,   -59,  48,  170, -364, -287, -587, 110, -90},
    {285, -223, 175, 168,  49,   761,  822, 610, 484, 523, 436,  411,  18,   -40, -11, 0,  49,
     176, 225,  -95, -501, -131, -160, -51, 140, 224, 198, -112, -439, -434, 586, 192, 231},
    {203, -106, 42, -44,  -279, 511, 508, 476, 423, 324, 198, 178,  12,   22,   3,   0, -7,
     22,  68,   93, -589, 8,    -47, -13, -9,  45,  77,  37,  -561, -510, -117, 101, 88},
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
