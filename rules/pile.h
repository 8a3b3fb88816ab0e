/* Arithmetic on piles: eight counters in one word, so that adding, taking and drawing are a few
 * instructions and no branches. Sums and differences of whole piles are written out as such, on .counts:
 * a ninth kind of card would make those, and the listing in acts.c, two words. */
#ifndef HP_RULES_PILE_H
#define HP_RULES_PILE_H

#include "hairpin.h"

#define PILE_ONES UINT64_C(0x0101010101010101)
#define PILE_HIGHS UINT64_C(0x8080808080808080)

static inline hp_pile pile_of(hp_card card, int n)
{
    return (hp_pile){(uint64_t)n << (8 * (unsigned)card)};
}

static inline void pile_add(hp_pile *pile, hp_card card, int n)
{
    pile->counts += pile_of(card, n).counts;
}

static inline void pile_take(hp_pile *pile, hp_card card, int n)
{
    pile->counts -= pile_of(card, n).counts;
}

/* The k-th card of the pile, k from 0, when it lies sorted by kind, as a pile of one. The product holds in
 * byte j how many cards are of kinds 0 to j; the kind looked for is the first with more than k. All are
 * below 128, so that the high bit of each byte can carry the comparison. */
static inline hp_pile pile_kth(hp_pile pile, int k)
{
    const uint64_t sums = pile.counts * PILE_ONES;
    const uint64_t above = ((sums | PILE_HIGHS) - PILE_ONES * (uint64_t)(k + 1)) & PILE_HIGHS;
    return (hp_pile){(above & (0 - above)) >> 7};
}

/* The lowest kind of card that is in the pile, which must not be empty. */
static inline hp_card pile_lowest(hp_pile pile)
{
    return (hp_card)(__builtin_ctzll(pile.counts) / 8);
}

/* True when every count of part is at most that of whole. */
static inline bool pile_holds(hp_pile whole, hp_pile part)
{
    return (((whole.counts | PILE_HIGHS) - part.counts) & PILE_HIGHS) == PILE_HIGHS;
}

/* What two piles have in common: of each kind the smaller count. */
static inline hp_pile pile_common(hp_pile a, hp_pile b)
{
    const uint64_t in_b = (((a.counts | PILE_HIGHS) - b.counts) & PILE_HIGHS) / 0x80 * 0xff;
    return (hp_pile){(b.counts & in_b) | (a.counts & ~in_b)};
}

/* Classes as masks over the counters; rules/cards.c has the table that they must agree with. */
#define PILE_KIND(card) (UINT64_C(0xff) << (8 * (card)))
#define PILE_SPEED (PILE_KIND(HP_ONE) | PILE_KIND(HP_TWO) | PILE_KIND(HP_THREE) | PILE_KIND(HP_FOUR))
#define PILE_PLAYABLE (~PILE_KIND(HP_HEAT))                             /* R3.3 */
#define PILE_DISCARDABLE (~(PILE_KIND(HP_HEAT) | PILE_KIND(HP_STRESS))) /* R9.1 */

static inline hp_pile pile_only(hp_pile pile, uint64_t mask)
{
    return (hp_pile){pile.counts & mask};
}

#endif
