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

/* ---- Listing ---------------------------------------------------------------------------------- */

/* Cards sorted by kind. Selections are built card by card in this order: after the card at i, the next
 * is one of the kinds from that of the card at i + 1 on, each by its first card. So none comes twice. */
typedef struct {
    uint8_t kind[HP_KINDS];       /* the kinds there are */
    uint8_t after_first[HP_KINDS]; /* by kind: where the card behind its first one stands */
    uint8_t kind_at[2 * HP_KINDS]; /* by card: the index of its kind; kinds, one behind the last */
    int kinds;
    int cards;
} fan;

static fan spread(hp_pile pile)
{
    fan f;
    f.kinds = 0;
    f.cards = 0;
    while (pile.counts != 0) {
        const int k = __builtin_ctzll(pile.counts) / 8;
        f.kind[f.kinds] = (uint8_t)k;
        f.after_first[f.kinds] = (uint8_t)(f.cards + 1);
        memset(f.kind_at + f.cards, f.kinds, HP_KINDS); /* those too many are overwritten */
        f.cards += hp_count(pile, (hp_card)k);
        f.kinds++;
        pile.counts &= ~PILE_KIND(k);
    }
    f.kind_at[f.cards] = (uint8_t)f.kinds;
    return f;
}

enum { SELECTIONS_MAX = 35 }; /* of one size, from seven cards: C(7,3) and C(7,4) */

/* Every selection with one card more, which comes at that bit of the act. With each goes where in the
 * fan its next card may come from. Returns how many. */
static int extend(const fan *f, const hp_act *given, const uint8_t *given_from, int n_given, int shift,
                  hp_act *longer, uint8_t *longer_from)
{
    const int kinds = f->kinds;
    int n = 0;
    for (int i = 0; i < n_given; i++) {
        const uint64_t word = word_of(given[i]) + ONE_MORE;
        const int from = given_from[i];
        const int first = n;
        for (int k = f->kind_at[from]; k < kinds; k++, n++) {
            put(&longer[n], word | (uint64_t)f->kind[k] << shift);
            longer_from[n] = f->after_first[k];
        }
        longer_from[first] = (uint8_t)(from + 1); /* of a kind that goes on, the next card; or nothing was added */
    }
    return n;
}

/* R3.4: every playable card, then Heat. */
static uint64_t cluttered_plan(const fan *f, int gear)
{
    uint64_t word = HP_PLAN | (uint64_t)gear << 8;
    for (int i = 0; i < gear; i++)
        word |= (uint64_t)(i < f->cards ? f->kind[f->kind_at[i]] : HP_HEAT) << (FIRST_CARD + 8 * i);
    return word;
}

static hp_error check_shift(const hp_choice *choice, int gear)
{
    if (gear < 1 || gear > HP_GEARS)
        return HP_NO_SUCH_GEAR;
    const int by = gear > choice->gear ? gear - choice->gear : choice->gear - gear;
    if (by > 2)
        return HP_SHIFT_TOO_FAR;
    return by == 2 && choice->engine == 0 ? HP_SHIFT_UNPAID : HP_OK;
}

static hp_act *list_plans(const hp_choice *choice, hp_act *out)
{
    const fan f = spread(pile_only(choice->hand, PILE_PLAYABLE));
    const hp_act none = {.kind = HP_PLAN};
    hp_act unlisted[2][SELECTIONS_MAX]; /* for gears out of reach, on the way to those in reach */
    uint8_t from[2][SELECTIONS_MAX + 1];
    from[0][0] = 0;
    const hp_act *smaller = &none;
    int n = 1;
    for (int gear = 1; gear <= HP_GEARS; gear++) {
        const bool listed = check_shift(choice, gear) == HP_OK;
        if (!listed && gear > choice->gear)
            break;
        const int odd = gear % 2;
        hp_act *chosen = listed ? out : unlisted[odd];
        n = extend(&f, smaller, from[1 - odd], n, FIRST_CARD + 8 * (gear - 1), chosen, from[odd]);
        smaller = chosen;
        if (listed)
            out += n;
        if (listed && f.cards < gear)
            put(out++, cluttered_plan(&f, gear));
    }
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

static inline uint64_t with_card(uint64_t word, int card)
{
    const uint64_t number = word >> 8 & 0xff;
    return (word | (uint64_t)card << (FIRST_CARD + 8 * number)) + ONE_MORE;
}

/* Every selection of cards to lie under that one, which is put on top. */
static hp_act *discards(hp_pile under, int top, hp_act *out)
{
    hp_act *first = out;
    put(out++, HP_DISCARD);
    while (under.counts != 0) {
        const int k = __builtin_ctzll(under.counts) / 8;
        const hp_act *end = out; /* those without a card of this kind */
        for (const hp_act *less = first; less < end; less++) {
            uint64_t word = word_of(*less);
            for (int n = hp_count(under, (hp_card)k); n > 0; n--)
                put(out++, word = with_card(word, k));
        }
        under.counts &= ~PILE_KIND(k);
    }
    for (; first < out; first++)
        put(first, with_card(word_of(*first), top));
    return out;
}

static hp_act *list_discards(const hp_choice *choice, hp_act *out)
{
    const hp_pile hand = pile_only(choice->hand, PILE_DISCARDABLE);
    put(out++, HP_KEEP);
    for (uint64_t rest = hand.counts; rest != 0;) {
        const int top = __builtin_ctzll(rest) / 8;
        out = discards((hp_pile){hand.counts - pile_of((hp_card)top, 1).counts}, top, out);
        rest &= ~PILE_KIND(top);
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
    return pile_holds(choice->hand, named) ? HP_OK : HP_NOT_IN_HAND;
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
        [HP_RACE_OVER] = "R12.3",
        [HP_NOT_YOUR_TURN] = "R2.1",
        [HP_WRONG_STEP] = "R2.1",
        [HP_NO_SUCH_GEAR] = "R3.1",
        [HP_SHIFT_TOO_FAR] = "R3.2",
        [HP_SHIFT_UNPAID] = "R3.2",
        [HP_NOT_IN_HAND] = "R3.3",
        [HP_HEAT_NOT_PLAYABLE] = "R3.3",
        [HP_CLUTTER_INCOMPLETE] = "R3.4",
        [HP_TOO_EARLY_TO_RETIRE] = "R12.3",
        [HP_NOTHING_PLANNED] = "R2.3",
        [HP_NO_COOLDOWN] = "R6.1",
        [HP_COOLS_TOO_MUCH] = "R6.2",
        [HP_NO_HEAT_IN_HAND] = "R6.2",
        [HP_NO_ADRENALINE] = "R5.1",
        [HP_ADRENALINE_USED] = "R5.3",
        [HP_ADRENALINE_STUCK] = "R5.4",
        [HP_BOOST_USED] = "R6.3",
        [HP_BOOST_UNPAID] = "R6.3",
        [HP_NOT_DISCARDABLE] = "R9.1",
        [HP_BAD_SETUP] = "R1.1",
    };
    return rules[error];
}
