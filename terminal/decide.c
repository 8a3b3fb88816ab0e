#include "terminal/decide.h"

#include <stdio.h>
#include <string.h>

/* An act's cards as letters: "plan 3 1 4 4" has "144", "discard 1 5" has "15". */
static void cards_of(const char *act, char letters[HP_ACT_TEXT])
{
    size_t n = 0;
    const char *at = strchr(act, ' ');
    if (at != NULL && strncmp(act, "plan ", 5) == 0)
        at = strchr(at + 1, ' ');
    for (; at != NULL; at = strchr(at + 1, ' '))
        letters[n++] = at[1];
    letters[n] = '\0';
}

static bool is_plan(const char *act, int gear)
{
    return strncmp(act, "plan ", 5) == 0 && act[5] == (char)('0' + gear);
}

/* Whether all of the few are among the many, one for one. */
static bool among(const char *few, const char *many)
{
    char left[HP_ACT_TEXT];
    snprintf(left, sizeof left, "%s", many);
    for (; *few != '\0'; few++) {
        char *found = strchr(left, *few);
        if (found == NULL)
            return false;
        *found = '.';
    }
    return true;
}

bool decide_has(const scene *s, const char *act)
{
    for (int i = 0; i < s->acts; i++)
        if (strcmp(s->act[i], act) == 0)
            return true;
    return false;
}

bool decide_is_chosen(const decision *d, int card)
{
    for (int i = 0; i < d->in_chosen; i++)
        if (d->chosen[i] == card)
            return true;
    return false;
}

static void letters_chosen(const decision *d, const scene *s, char letters[HP_ACT_TEXT])
{
    for (int i = 0; i < d->in_chosen; i++)
        letters[i] = s->hand[d->chosen[i]];
    letters[d->in_chosen] = '\0';
}

/* A listed act of this step that begins like this and has all of these cards, and exactly these if so wished. */
static const char *listed(const decision *d, const scene *s, const char *letters, bool exactly)
{
    char cards[HP_ACT_TEXT];
    for (int i = 0; i < s->acts; i++) {
        const bool ours =
            d->step == HP_STEP_PLAN ? is_plan(s->act[i], d->gear) : strncmp(s->act[i], "discard ", 8) == 0;
        if (!ours)
            continue;
        cards_of(s->act[i], cards);
        if (among(letters, cards) && (!exactly || strlen(cards) == strlen(letters)))
            return s->act[i];
    }
    return NULL;
}

bool decide_fits(const decision *d, const scene *s, int card)
{
    char letters[HP_ACT_TEXT];
    letters_chosen(d, s, letters);
    const size_t n = strlen(letters);
    letters[n] = s->hand[card];
    letters[n + 1] = '\0';
    return n < HP_HAND && listed(d, s, letters, false) != NULL;
}

bool decide_gear_possible(const scene *s, int gear)
{
    for (int i = 0; i < s->acts; i++)
        if (is_plan(s->act[i], gear))
            return true;
    return false;
}

/* ---- Choosing ----------------------------------------------------------------------------------- */

/* Chooses cards of these letters, as far as they are in the hand. */
static void choose_letters(decision *d, const scene *s, const char *letters)
{
    d->in_chosen = 0;
    for (; *letters != '\0'; letters++)
        for (int i = 0; s->hand[i] != '\0' && i < HP_HAND; i++)
            if (s->hand[i] == *letters && !decide_is_chosen(d, i)) {
                d->chosen[d->in_chosen++] = i;
                break;
            }
}

/* Where the gear leaves no choice of cards, they are chosen. */
static void choose_forced(decision *d, const scene *s)
{
    const char *only = NULL;
    char letters[HP_ACT_TEXT];
    if (d->in_chosen > 0)
        return;
    for (int i = 0; i < s->acts; i++)
        if (is_plan(s->act[i], d->gear)) {
            if (only != NULL)
                return;
            only = s->act[i];
        }
    if (only == NULL)
        return;
    cards_of(only, letters);
    choose_letters(d, s, letters);
}

/* So many acts with these letters: another decision has others. */
static uint32_t mark_of(const scene *s)
{
    uint32_t mark = 2166136261u;
    for (int i = 0; i < s->acts; i++)
        for (const char *c = s->act[i]; *c != '\0'; c++)
            mark = (mark ^ (uint8_t)*c) * 16777619u;
    return (mark ^ (uint32_t)s->round) * 16777619u ^ (uint32_t)(s->you + 1);
}

/* The same plan once more, after it was made or taken back. */
static bool still_planning(const decision *d, const scene *s)
{
    return d->step == HP_STEP_PLAN && s->may == HP_STEP_PLAN && d->round == s->round && d->you == s->you &&
           strcmp(d->hand, s->hand) == 0;
}

void decide_update(decision *d, const scene *s)
{
    const uint32_t mark = mark_of(s);
    const decision before = *d;
    d->sent = false;
    if (d->mark == mark && d->step == s->may)
        return;
    *d = (decision){.step = s->may, .mark = mark, .you = s->you, .round = s->round};
    snprintf(d->hand, sizeof d->hand, "%s", s->hand);
    if (d->step != HP_STEP_PLAN || s->you < 0)
        return;
    if (s->plan[0] != '\0' && decide_has(s, s->plan)) {
        decide_take(d, s, s->plan);
    } else if (still_planning(&before, s)) {
        d->gear = before.gear;
        d->cursor = before.cursor;
        d->in_chosen = before.in_chosen;
        memcpy(d->chosen, before.chosen, sizeof d->chosen);
    } else {
        d->gear = s->car[s->you].gear;
        for (int gear = HP_GEARS; gear > 0 && !decide_gear_possible(s, d->gear); gear--)
            d->gear = gear;
        choose_forced(d, s);
    }
}

/* The cards wanted, made up to the number that the gear needs from the rest of the hand. */
static void make_up(const scene *s, int gear, const char *letters, char ask[HP_ACT_TEXT])
{
    char all[HP_ACT_TEXT], left[HP_HAND + 2];
    snprintf(all, sizeof all, "%s", letters);
    snprintf(left, sizeof left, "%s", s->hand);
    for (const char *c = letters; *c != '\0'; c++) {
        char *found = strchr(left, *c);
        if (found != NULL)
            memmove(found, found + 1, strlen(found));
    }
    strncat(all, left, sizeof all - strlen(all) - 1);
    int n = snprintf(ask, HP_ACT_TEXT, "plan %d", gear);
    for (int i = 0; i < gear && all[i] != '\0' && n < HP_ACT_TEXT - 2; i++)
        n += snprintf(ask + n, HP_ACT_TEXT - (size_t)n, " %c", all[i]);
}

bool decide_gear(decision *d, const scene *s, int gear, char ask[HP_ACT_TEXT])
{
    if (gear < 1 || gear > HP_GEARS || !decide_gear_possible(s, gear)) {
        make_up(s, gear, "", ask);
        return false;
    }
    const decision before = *d;
    d->gear = gear;
    d->in_chosen = 0;
    for (int i = 0; i < before.in_chosen; i++)
        if (d->in_chosen < gear && decide_fits(d, s, before.chosen[i]))
            d->chosen[d->in_chosen++] = before.chosen[i];
    choose_forced(d, s);
    return true;
}

static void drop(decision *d, int place)
{
    d->in_chosen--;
    for (int i = place; i < d->in_chosen; i++)
        d->chosen[i] = d->chosen[i + 1];
}

bool decide_toggle(decision *d, const scene *s, int card, char ask[HP_ACT_TEXT])
{
    if (card < 0 || card >= (int)strlen(s->hand))
        return true;
    for (int i = 0; i < d->in_chosen; i++)
        if (d->chosen[i] == card) {
            drop(d, i);
            return true;
        }
    const decision before = *d;
    if (!decide_fits(d, s, card) && d->step == HP_STEP_PLAN && d->in_chosen == d->gear && d->in_chosen > 0)
        drop(d, 0); /* the gear is full: the card that was chosen first makes room */
    if (decide_fits(d, s, card)) {
        d->chosen[d->in_chosen++] = card;
        return true;
    }
    *d = before;
    char letters[HP_ACT_TEXT + 1] = {s->hand[card]};
    letters_chosen(d, s, letters + 1);
    if (d->step == HP_STEP_PLAN)
        make_up(s, d->gear, letters, ask);
    else
        snprintf(ask, HP_ACT_TEXT, "discard %c", s->hand[card]);
    return false;
}

void decide_take(decision *d, const scene *s, const char *act)
{
    char letters[HP_ACT_TEXT];
    if (d->step == HP_STEP_PLAN || d->step == HP_STEP_DISCARD) {
        cards_of(act, letters);
        if (strncmp(act, "plan ", 5) == 0)
            d->gear = act[5] - '0';
        choose_letters(d, s, letters);
        return;
    }
    for (int i = 0; i < s->acts; i++)
        if (strcmp(s->act[i], act) == 0)
            d->cursor = i;
}

bool decide_act(const decision *d, const scene *s, char act[HP_ACT_TEXT])
{
    const char *found = NULL;
    char letters[HP_ACT_TEXT];
    letters_chosen(d, s, letters);
    switch ((hp_step)d->step) {
    case HP_STEP_PLAN:
        found = listed(d, s, letters, true);
        break;
    case HP_STEP_REACT:
    case HP_STEP_SLIP:
        found = d->cursor < s->acts ? s->act[d->cursor] : NULL;
        break;
    case HP_STEP_DISCARD:
        if (letters[0] == '\0')
            found = "keep";
        else if (listed(d, s, letters, true) != NULL) { /* as named: the last one lies on top (R9.2) */
            int n = snprintf(act, HP_ACT_TEXT, "discard");
            for (const char *c = letters; *c != '\0' && n < HP_ACT_TEXT - 2; c++)
                n += snprintf(act + n, HP_ACT_TEXT - (size_t)n, " %c", *c);
            return true;
        }
        break;
    case HP_STEP_OVER:
    case HP_STEP_WAIT:
        break;
    }
    if (found == NULL)
        return false;
    snprintf(act, HP_ACT_TEXT, "%s", found);
    return true;
}
