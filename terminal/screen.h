/* The race on the screen: what it shows, and what the keys do. */
#ifndef HP_TERMINAL_SCREEN_H
#define HP_TERMINAL_SCREEN_H

#include "terminal/decide.h"
#include "terminal/link.h"
#include "terminal/tell.h"
#include "terminal/track.h"

enum { LOG_LINES = 200, SCREEN_ROWS = 24, SCREEN_COLUMNS = 80 };

typedef enum { OVER_NOTHING, OVER_HELP, OVER_HINT, OVER_PHRASES, OVER_RESULT } overlay;

typedef struct {
    table_link *link;
    scene s; /* the newest state that is shown, once there is one */
    bool there;
    decision d;
    json_t *foreseen;            /* by act: what the table answered, null until it has */
    char why[HP_ACT_TEXT];       /* an act that is not possible: its reason is to be said when it comes */
    hp_place shown[HP_CARS_MAX]; /* where cars are drawn: on their way, while they move */
    track_map map;
    char log[LOG_LINES][TELL];
    int log_car[LOG_LINES];
    int in_log;
    char status[TELL]; /* what has just happened, or went wrong */
    int status_ink;
    overlay over;
    json_t *hint;
    bool hinting;
    bool retiring; /* once more, and it is done */
    int eyes;      /* which of several people has the screen; -1 nobody yet */
    int wanted;    /* the one whose plan is to be changed, or -1 */
    bool lost, gone;
    bool still;    /* nothing moves */
    bool hurry;    /* until all that has come is shown */
    bool paused;   /* a replay */
    bool again;    /* a rematch is wanted */
    json_t *early; /* entries that came before the first state, or on the way to another act of a replay */
    enum { GOES_ON, QUITS, AGAIN } end;
} screen;

/* Whether somebody else has to take the screen over before a hand may be seen. */
bool screen_curtain(const screen *c);
/* Whether hands are not to be seen: somebody has to take over, or nobody here decides. */
bool screen_hides(const screen *c);
/* The seat that all have been waiting for so long that a bot may drive it; -1 for none. */
int screen_late(const screen *c);
/* The answer to "foresee", or NULL while there is none. */
const json_t *screen_foresight(const screen *c, const char *act);

/* view.c */
void view_draw(screen *c);

#endif
