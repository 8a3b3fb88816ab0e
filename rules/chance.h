/* Drawing, inlined: five or six draws come to every turn. */
#ifndef HP_RULES_CHANCE_H
#define HP_RULES_CHANCE_H

#include "hairpin.h"

void hp_chance_refill(hp_chance *chance);                                 /* makes the next 32 draws */
uint32_t hp_chance_again(hp_chance *chance, uint32_t scaled, uint32_t n); /* until it favours nobody */

static inline uint32_t chance_draw(hp_chance *chance)
{
    const uint32_t i = chance->drawn % HP_DRAWS;
    if (i == 0)
        hp_chance_refill(chance);
    chance->drawn++;
    return chance->draw[i];
}

/* Scales a draw to n. Of its 65536 values only as many count as are a multiple of n, so that no result
 * is likelier than another: in the few cases that may be beyond those a closer look is needed. */
static inline uint32_t chance_below(hp_chance *chance, uint32_t n)
{
    const uint32_t scaled = chance_draw(chance) * n;
    return (scaled & 0xffff) < n ? hp_chance_again(chance, scaled, n) : scaled >> 16;
}

#endif
