/* A decision while it is being made: what is chosen so far, among the acts that the table has listed. Nothing of
 * the rules is here: an act is possible when it is in the list. */
#ifndef HP_TERMINAL_DECIDE_H
#define HP_TERMINAL_DECIDE_H

#include "terminal/scene.h"

typedef struct {
    uint8_t step;            /* hp_step; HP_STEP_WAIT while there is nothing to decide */
    int gear;                /* planning */
    int cursor;              /* a place in the hand, or among the acts of a turn */
    int chosen[HP_HAND + 1]; /* places in the hand, in the order chosen */
    int in_chosen;
    bool sent;      /* and not answered yet */
    uint32_t mark;  /* of which acts this is, */
    int you, round; /* whose, and when */
    char hand[HP_HAND + 2];
} decision;

/* A new scene: what was chosen stays while the acts are the same. */
void decide_update(decision *d, const scene *s);

bool decide_has(const scene *s, const char *act);
bool decide_is_chosen(const decision *d, int card);
/* Whether the card could be chosen besides those that are. */
bool decide_fits(const decision *d, const scene *s, int card);
bool decide_gear_possible(const scene *s, int gear);

/* Shifts, or chooses a card or takes it back. False where the rules say no; then ask is an act that "foresee" would
 * explain it by. */
bool decide_gear(decision *d, const scene *s, int gear, char ask[HP_ACT_TEXT]);
bool decide_toggle(decision *d, const scene *s, int card, char ask[HP_ACT_TEXT]);
/* Everything chosen as in this act. */
void decide_take(decision *d, const scene *s, const char *act);

/* The act as chosen so far; false while it is none. */
bool decide_act(const decision *d, const scene *s, char act[HP_ACT_TEXT]);

#endif
