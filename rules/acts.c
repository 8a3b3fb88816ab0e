/* Which acts are legal, and why the others are not. All of it depends on an hp_choice alone, so that
 * the rules, a screen and a bot that knows only its view ask the same code. */
#include "rules/pile.h"

#include <string.h>

/* An act as one word, whatever the order of bytes on the machine: kind, number, then a byte a card. */
static inline uint64_t word_of(hp_act act)
{
    uint64_t word;
    memcpy(&word, &act, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static inline void put(hp_act *act, uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    memcpy(act, &word, sizeof word);
}

enum { FIRST_CARD = 16, ONE_MORE = 1 << 8 }; /* the bit where the cards begin; one added to the number */

/* The act with one card more. */
static inline uint64_t with_card(uint64_t word, hp_card card)
{
    const uint64_t number = word >> 8 & 0xff;
    return (word | (uint64_t)card << (FIRST_CARD + 8 * number)) + ONE_MORE;
}

/* ---- Listing ---------------------------------------------------------------------------------- */

/* Cards to pick from, a bit a card: as many low bits of byte k as there are cards of kind k, at most four.
 * Picking only such as are not below the last finds no selection twice. */
typedef uint64_t fan;

static inline fan spread(hp_pile pile)
{
    fan f = 0;
    for (int n = 1; n <= HP_GEARS; n++) /* the high bit of a byte: whether it counts n or more */
        f |= (((pile.counts + PILE_ONES * (uint64_t)(0x80 - n)) & PILE_HIGHS) >> 7) << (n - 1);
    return f;
}

/* The bit where the byte of the lowest card begins: eight times its kind. */
static inline uint64_t lowest(fan f)
{
    return (uint64_t)__builtin_ctzll(f) & 56;
}

/* What is left when the lowest card was picked; and when all of its kind, whose byte is there, were not. */
static inline fan picked(fan f)
{
    return f & (f - 1);
}

static inline fan passed(fan f, uint64_t byte)
{
    return f & (~UINT64_C(0xff) << byte);
}

/* That card at a place in an act. */
static inline uint64_t card_at(uint64_t byte, int place)
{
    return byte << (FIRST_CARD - 3 + 8 * place);
}

/* Every selection of up to highest cards; gears tells by bits which sizes are wanted. Each is stored,
 * and counts only if wanted: a branch there would be a coin toss. */
static inline hp_act *plans(fan hand, int highest, unsigned gears, hp_act *out)
{
    for (fan one = hand; one != 0;) {
        const uint64_t a = lowest(one);
        const uint64_t act_1 = HP_PLAN + ONE_MORE + card_at(a, 0);
        put(out, act_1);
        out += gears >> 1 & 1;
        for (fan two = highest < 2 ? 0 : picked(one); two != 0;) {
            const uint64_t b = lowest(two);
            const uint64_t act_2 = act_1 + ONE_MORE + card_at(b, 1);
            put(out, act_2);
            out += gears >> 2 & 1;
            for (fan three = highest < 3 ? 0 : picked(two); three != 0;) {
                const uint64_t c = lowest(three);
                const uint64_t act_3 = act_2 + ONE_MORE + card_at(c, 2);
                put(out, act_3);
                out += gears >> 3 & 1;
                for (fan four = highest < 4 ? 0 : picked(three); four != 0;) {
                    const uint64_t d = lowest(four);
                    put(out++, act_3 + ONE_MORE + card_at(d, 3));
                    four = passed(four, d);
                }
                three = passed(three, c);
            }
            two = passed(two, b);
        }
        one = passed(one, a);
    }
    return out;
}

/* R3.4: every playable card, then Heat. */
static uint64_t cluttered_plan(hp_pile playable, int gear)
{
    uint64_t word = HP_PLAN;
    for (fan f = spread(playable); f != 0; f = picked(f))
        word = with_card(word, (hp_card)(lowest(f) / 8));
    while ((word >> 8 & 0xff) < (uint64_t)gear)
        word = with_card(word, HP_HEAT);
    return word;
}

__attribute__((noinline)) static hp_act *list_plans(const hp_choice *choice, hp_act *out)
{
    const hp_pile playable = pile_only(choice->hand, PILE_PLAYABLE);
    const int by = choice->engine > 0 ? 2 : 1; /* R3.1, R3.2 */
    const int highest = choice->gear + by < HP_GEARS ? choice->gear + by : HP_GEARS;
    const int first = choice->gear - by > 1 ? choice->gear - by : 1;
    const unsigned gears = (2u << highest) - (1u << first);
    /* Called with a number, so that the compiler makes a short one for low gears. */
    if (highest == 2)
        out = plans(spread(playable), 2, gears, out);
    else if (highest == 3)
        out = plans(spread(playable), 3, gears, out);
    else
        out = plans(spread(playable), 4, gears, out);
    const int cards = hp_size(playable);
    for (int gear = first > cards ? first : cards + 1; gear <= highest; gear++)
        put(out++, cluttered_plan(playable, gear));
    if (choice->flags & HP_MAY_RETIRE)
        put(out++, HP_RETIRE);
    if (choice->flags & HP_HAS_PLANNED)
        put(out++, HP_UNPLAN);
    return out;
}

static hp_act *list_reactions(const hp_choice *choice, hp_act *out)
{
    const int heat = hp_count(choice->hand, HP_HEAT);
    put(out++, HP_DONE);
    for (int n = 1; n <= choice->cool && n <= heat; n++)
        put(out++, HP_COOL | (uint64_t)n << 8);
    if (choice->adrenaline_cool && heat > 0)
        put(out++, HP_ADRENALINE_COOL);
    if (choice->adrenaline_move)
        put(out++, HP_ADRENALINE_MOVE);
    if (choice->boost && choice->engine > 0)
        put(out++, HP_BOOST);
    return out;
}

/* Slips a card under the one on top: it takes that one's place, and that one the next. */
static inline uint64_t with_card_under(uint64_t word, hp_card card, hp_card top)
{
    const uint64_t place = FIRST_CARD - 8 + 8 * (word >> 8 & 0xff);
    return word + (((uint64_t)card - (uint64_t)top + ((uint64_t)top << 8)) << place) + ONE_MORE;
}

/* Every selection of cards to lie under that one. */
static hp_act *discards(hp_pile under, hp_card top, hp_act *out)
{
    const hp_act *first = out;
    put(out++, with_card(HP_DISCARD, top));
    while (under.counts != 0) {
        const hp_card card = pile_lowest(under);
        const hp_act *end = out; /* those without a card of this kind */
        for (const hp_act *less = first; less < end; less++) {
            uint64_t word = word_of(*less);
            for (int n = hp_count(under, card); n > 0; n--)
                put(out++, word = with_card_under(word, card, top));
        }
        under = pile_only(under, ~PILE_KIND(card));
    }
    return out;
}

__attribute__((noinline)) static hp_act *list_discards(const hp_choice *choice, hp_act *out)
{
    const hp_pile hand = pile_only(choice->hand, PILE_DISCARDABLE);
    put(out++, HP_KEEP);
    for (hp_pile tops = hand; tops.counts != 0;) {
        const hp_card top = pile_lowest(tops);
        out = discards((hp_pile){hand.counts - pile_of(top, 1).counts}, top, out);
        tops = pile_only(tops, ~PILE_KIND(top));
    }
    return out;
}

int hp_acts(const hp_choice *choice, hp_act acts[HP_ACTS_MAX])
{
    hp_act *out = acts;
    switch ((hp_step)choice->step) {
    case HP_STEP_PLAN:
        out = list_plans(choice, out);
        break;
    case HP_STEP_REACT:
        out = list_reactions(choice, out);
        break;
    case HP_STEP_SLIP:
        put(out++, HP_STAY);
        put(out++, HP_SLIP);
        break;
    case HP_STEP_DISCARD:
        out = list_discards(choice, out);
        break;
    case HP_STEP_OVER:
    case HP_STEP_WAIT:
        break;
    }
    return (int)(out - acts);
}

/* ---- Checking --------------------------------------------------------------------------------- */

/* The first n cards of the act as a pile; false when one is no card or more are named. */
static bool named_cards(hp_act act, int n, hp_pile *named)
{
    uint64_t cards = word_of(act) >> FIRST_CARD;
    if (n > HP_ACT_CARDS || cards >> (8 * n) != 0 || (cards & ~(PILE_ONES * (HP_KINDS - 1))) != 0)
        return false;
    named->counts = 0;
    for (; n > 0; n--, cards >>= 8)
        pile_add(named, (hp_card)(cards & 0xff), 1);
    return true;
}
_Static_assert((HP_KINDS & (HP_KINDS - 1)) == 0, "named_cards tells cards by their bits");

static hp_error check_shift(const hp_choice *choice, int gear)
{
    if (gear < 1 || gear > HP_GEARS)
        return HP_NO_SUCH_GEAR;
    const int by = gear > choice->gear ? gear - choice->gear : choice->gear - gear;
    if (by > 2)
        return HP_SHIFT_TOO_FAR;
    return by == 2 && choice->engine == 0 ? HP_SHIFT_UNPAID : HP_OK;
}

static hp_error check_plan(const hp_choice *choice, hp_act act)
{
    const int gear = act.number;
    const hp_error shift = check_shift(choice, gear);
    if (shift != HP_OK)
        return shift;
    hp_pile named;
    if (!named_cards(act, gear, &named))
        return HP_NOT_AN_ACT;
    if (!pile_holds(choice->hand, named))
        return HP_NOT_IN_HAND;
    const int heat = hp_count(named, HP_HEAT);
    if (heat == 0)
        return HP_OK;
    const int playable = hp_size(pile_only(choice->hand, PILE_PLAYABLE));
    if (playable >= gear)
        return HP_HEAT_NOT_PLAYABLE;
    return heat > gear - playable ? HP_CLUTTER_INCOMPLETE : HP_OK;
}

static hp_error check_cool(const hp_choice *choice, hp_act act)
{
    if (choice->cool == 0)
        return HP_NO_COOLDOWN;
    if (act.number == 0)
        return HP_NOT_AN_ACT;
    if (act.number > choice->cool)
        return HP_COOLS_TOO_MUCH;
    return act.number > hp_count(choice->hand, HP_HEAT) ? HP_NO_HEAT_IN_HAND : HP_OK;
}

static hp_error check_adrenaline_cool(const hp_choice *choice)
{
    if (!(choice->flags & HP_HAS_ADRENALINE))
        return HP_NO_ADRENALINE;
    if (!choice->adrenaline_cool)
        return HP_ADRENALINE_USED;
    return hp_count(choice->hand, HP_HEAT) == 0 ? HP_NO_HEAT_IN_HAND : HP_OK;
}

static hp_error check_adrenaline_move(const hp_choice *choice)
{
    if (!(choice->flags & HP_HAS_ADRENALINE))
        return HP_NO_ADRENALINE;
    if (choice->flags & HP_ADRENALINE_MOVED)
        return HP_ADRENALINE_USED;
    return choice->adrenaline_move ? HP_OK : HP_ADRENALINE_STUCK;
}

static hp_error check_boost(const hp_choice *choice)
{
    if (!choice->boost)
        return HP_BOOST_USED;
    return choice->engine == 0 ? HP_BOOST_UNPAID : HP_OK;
}

static hp_error check_discard(const hp_choice *choice, hp_act act)
{
    hp_pile named;
    if (act.number == 0 || !named_cards(act, act.number, &named))
        return HP_NOT_AN_ACT;
    if (pile_only(named, ~PILE_DISCARDABLE).counts != 0)
        return HP_NOT_DISCARDABLE;
    return pile_holds(choice->hand, named) ? HP_OK : HP_DISCARD_NOT_IN_HAND;
}

/* The step that each kind of act belongs to. */
static const uint8_t steps[HP_ACT_KINDS] = {
    [HP_PLAN] = HP_STEP_PLAN,
    [HP_RETIRE] = HP_STEP_PLAN,
    [HP_UNPLAN] = HP_STEP_PLAN,
    [HP_COOL] = HP_STEP_REACT,
    [HP_ADRENALINE_COOL] = HP_STEP_REACT,
    [HP_ADRENALINE_MOVE] = HP_STEP_REACT,
    [HP_BOOST] = HP_STEP_REACT,
    [HP_DONE] = HP_STEP_REACT,
    [HP_SLIP] = HP_STEP_SLIP,
    [HP_STAY] = HP_STEP_SLIP,
    [HP_DISCARD] = HP_STEP_DISCARD,
    [HP_KEEP] = HP_STEP_DISCARD,
};

hp_error hp_check(const hp_choice *choice, hp_act act)
{
    if (act.kind >= HP_ACT_KINDS)
        return HP_NOT_AN_ACT;
    if (choice->step != steps[act.kind]) {
        if (choice->step == HP_STEP_OVER)
            return HP_RACE_OVER;
        return choice->step == HP_STEP_WAIT ? HP_NOT_YOUR_TURN : HP_WRONG_STEP;
    }
    const uint64_t unasked = word_of(act) >> 8; /* for most acts, number and cards must be nothing */
    switch ((hp_act_kind)act.kind) {
    case HP_PLAN:
        return check_plan(choice, act);
    case HP_DISCARD:
        return check_discard(choice, act);
    case HP_COOL:
        return unasked > UINT8_MAX ? HP_NOT_AN_ACT : check_cool(choice, act);
    case HP_RETIRE:
        return unasked ? HP_NOT_AN_ACT : choice->flags & HP_MAY_RETIRE ? HP_OK : HP_TOO_EARLY_TO_RETIRE;
    case HP_UNPLAN:
        return unasked ? HP_NOT_AN_ACT : choice->flags & HP_HAS_PLANNED ? HP_OK : HP_NOTHING_PLANNED;
    case HP_ADRENALINE_COOL:
        return unasked ? HP_NOT_AN_ACT : check_adrenaline_cool(choice);
    case HP_ADRENALINE_MOVE:
        return unasked ? HP_NOT_AN_ACT : check_adrenaline_move(choice);
    case HP_BOOST:
        return unasked ? HP_NOT_AN_ACT : check_boost(choice);
    case HP_DONE:
    case HP_SLIP:
    case HP_STAY:
    case HP_KEEP:
        return unasked ? HP_NOT_AN_ACT : HP_OK;
    case HP_ACT_KINDS:
        break;
    }
    return HP_NOT_AN_ACT;
}

const char *hp_rule_of(hp_error error)
{
    static const char rules[HP_ERRORS][6] = {
        [HP_RACE_OVER] = "R12.3",         [HP_NOT_YOUR_TURN] = "R2.1",
        [HP_WRONG_STEP] = "R2.1",         [HP_NO_SUCH_GEAR] = "R3.1",
        [HP_SHIFT_TOO_FAR] = "R3.2",      [HP_SHIFT_UNPAID] = "R3.2",
        [HP_NOT_IN_HAND] = "R3.3",        [HP_HEAT_NOT_PLAYABLE] = "R3.3",
        [HP_CLUTTER_INCOMPLETE] = "R3.4", [HP_TOO_EARLY_TO_RETIRE] = "R12.3",
        [HP_NOTHING_PLANNED] = "R2.3",    [HP_NO_COOLDOWN] = "R6.1",
        [HP_COOLS_TOO_MUCH] = "R6.2",     [HP_NO_HEAT_IN_HAND] = "R6.2",
        [HP_NO_ADRENALINE] = "R5.1",      [HP_ADRENALINE_USED] = "R5.3",
        [HP_ADRENALINE_STUCK] = "R5.4",   [HP_BOOST_USED] = "R6.3",
        [HP_BOOST_UNPAID] = "R6.3",       [HP_DISCARD_NOT_IN_HAND] = "R9.1",
        [HP_NOT_DISCARDABLE] = "R9.1",    [HP_BAD_SETUP] = "R1.1",
    };
    return rules[error];
}
