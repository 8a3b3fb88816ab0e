/* What a driver goes by when it judges acts: figures in a table, so that others can be tried
 * (bench/learn/judgement.c). */
#ifndef HP_BOTS_JUDGEMENT_H
#define HP_BOTS_JUDGEMENT_H

#include "bots/bots.h"

enum {
    BOT_STRAIGHT = 16, /* spaces to the corner from which on more make no difference */
    BOT_ROOM = 9,      /* the same where a turn ends */
    BOT_PASS = 8       /* spaces to the corner from which on a slipstream can be given back before it */
};

/* What speed cards that stay in hand are worth beyond the next turn, by their value. */
typedef struct {
    int each[HP_FIVE + 1];
    int straight[HP_FIVE + 1]; /* the more of this, the farther the corner is */
} bot_hand_judgement;

/* Worths in tenths of a space. All members are int: a table of figures. */
typedef struct {
    int heat[8];                /* of an engine with so many Heat cards, or more */
    int next;                   /* how much of the next turn's gain counts now, in hundredths */
    int gear[HP_GEARS + 1];     /* to be in this gear then */
    int room[BOT_ROOM + 1];     /* to have so many spaces before the next corner line */
    bot_hand_judgement plan;    /* of the cards that a plan keeps */
    bot_hand_judgement discard; /* of those that a discard keeps */
    int stress;                 /* what a stress card in the hand costs */
    int boost;                  /* of a boost, beside the way that it brings */
    int close;                  /* to end a move right behind others, or beside them: their slipstream */
    int pass;                   /* of a slipstream past the only rival, on a straight */
    int slack;                  /* what a next turn costs that must pay more than it has */
    int spin;                   /* and a spin-out, beside the way back */
    int clutter;                /* and a turn without moving */
    int home;                   /* to be over the finish line */
    int late;                   /* so many spaces before the finish Heat begins to lose its worth */
} bot_judgement;

extern const bot_judgement bot_judgement_of_drivers;

/* As bot_driver_judge, with other figures. */
int bot_judge_by(const bot_judgement *judge, const hp_view *view, hp_act acts[HP_ACTS_MAX],
                 int worth[HP_ACTS_MAX]);

/* The best that a car's next turn could bring in a race that a bot imagines, in tenths of a space. */
int bot_driver_outlook(const hp_race *race, int car);

#endif
