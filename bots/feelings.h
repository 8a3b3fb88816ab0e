/* What drivers feel beside what they reckon (bots/driver.c): what it is worth to end a turn here or
 * there, with so much Heat, in that gear, with those cards, before or behind a rival. A feeling goes by a few
 * such signs together; those that speak are added up. They were learned by racing (bench/learn/feelings.c). */
#ifndef HP_BOTS_FEELINGS_H
#define HP_BOTS_FEELINGS_H

#include "bots/ahead.h"

enum {
    BOT_FEELINGS = 29957, /* in all; */
    BOT_FELT = 15         /* so many speak in one of the calls below, at the most */
};

/* In tenths of a space. */
extern const int8_t bot_feelings_of_drivers[BOT_FEELINGS];

/* What is the same for all acts of a decision. */
typedef struct {
    int finish;
    bool planning;
    int rivals; /* that still race; */
    struct {
        int at;
        bool before; /* takes its turn before this seat */
        int gear, heat;
        bot_corner next;
    } rival; /* one of them */
} bot_scene;

void bot_survey(const hp_view *view, bot_scene *scene);

/* The road from where a turn ends: the corner ahead, and the one behind it, which is counted from its line. */
typedef struct {
    bot_corner next, then;
} bot_road;

bot_road bot_road_from(const hp_view *view, int at);

/* Which feelings speak where a turn would end; each returns how many. First of the place itself, after an act of this
 * kind; then of the cards that are kept there, with the best that the next turn can bring, in tenths of a space;
 * last of the cards that a discard keeps. After a plan the Heat in the engine counts what can be cooled. */
int bot_feel_place(const bot_scene *scene, const hp_outcome *outcome, const bot_road *road, int engine,
                   hp_act_kind kind, uint16_t felt[BOT_FELT]);
int bot_feel_hand(const bot_scene *scene, const hp_outcome *outcome, const bot_road *road, int engine,
                  hp_pile kept, int next_turn, uint16_t felt[BOT_FELT]);
int bot_feel_discard(const bot_scene *scene, int at, const bot_road *road, hp_pile kept, int next_turn,
                     uint16_t felt[BOT_FELT]);

#endif
