/* What a driver goes by when it judges acts: figures in a table, so that others can be tried
 * (bench/learn/judgement.c). */
#ifndef HP_BOTS_JUDGEMENT_H
#define HP_BOTS_JUDGEMENT_H

#include "bots/feelings.h"

enum {
    BOT_STRAIGHT = 16, /* spaces to the corner from which on more make no difference */
    BOT_ROOM = 9,      /* the same where a turn ends */
    BOT_PASS = 8,      /* spaces to the corner from which on a slipstream can be given back before it */
    BOT_LAST = 20      /* spaces to the finish in which it is too late for that */
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
    int close_last;             /* the same in the last spaces */
    int pass;                   /* of a slipstream past the only rival, on a straight before those */
    int sprint;                 /* of Heat to boost with in a next turn that no corner hinders */
    int slack;                  /* what a next turn costs that must pay more than it has */
    int spin;                   /* and a spin-out, beside the way back */
    int clutter;                /* and a turn without moving */
    int home;                   /* to be over the finish line */
    int late;                   /* so many spaces before the finish Heat begins to lose its worth */
} bot_judgement;

extern const bot_judgement bot_judgement_of_drivers;

/* Which feelings spoke for and against each act, for those who learn them: of act i those from begin[i] to
 * begin[i + 1]. */
typedef struct {
    int begin[HP_ACTS_MAX + 1];
    int n;
    struct {
        uint16_t feeling;
        int16_t quarters; /* of its word that count: where cards are turned over, it speaks four times */
    } note[HP_ACTS_MAX * 4 * 2 * BOT_FELT]; /* four falls of the cards, each with its place and its hand */
} bot_notes;

/* All that acts are judged by. */
typedef struct {
    const bot_judgement *figures;
    const int8_t *feelings; /* NULL: it has none */
    bot_notes *notes;       /* NULL where nobody learns */
} bot_mind;

extern const bot_mind bot_mind_of_drivers;

/* As bot_driver_judge, with another mind. */
int bot_judge_by(const bot_mind *mind, const hp_view *view, hp_act acts[HP_ACTS_MAX], int worth[HP_ACTS_MAX]);

/* The best that a car's next turn could bring in a race that a bot imagines, in tenths of a space. */
int bot_driver_outlook(const hp_race *race, int car);

#endif
