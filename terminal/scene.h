/* A state message as something to draw: numbers and letters in their bounds, names that are fit to be shown,
 * whatever the other side has sent. */
#ifndef HP_TERMINAL_SCENE_H
#define HP_TERMINAL_SCENE_H

#include "terminal/link.h"

#include <jansson.h>

enum { SCENE_NAME = 64 };

typedef struct {
    char name[SCENE_NAME]; /* of its person, or its bot's level and number */
    uint8_t kind;          /* table_kind */
    uint8_t colour;        /* table_colour; TABLE_COLOURS while it has none */
    bool away;
    int at, spot;
    int gear, engine, draw, discard, stress;
    int place;      /* in the result, 0 while racing */
    uint8_t status; /* hp_status */
    char top;       /* a card's letter, or '\0' */
    bool planned;
    int64_t since; /* while it is awaited */
} scene_car;

typedef struct {
    int64_t n;     /* the newest entry */
    int you;       /* -1 for those who only watch */
    uint8_t phase; /* table_phase */
    int cars;
    scene_car car[HP_CARS_MAX];
    uint8_t awaited; /* bit by seat */
    int64_t until;   /* when your time is over; 0: never */
    char id[ID_TEXT], rematch[ID_TEXT];
    /* from the start of the race on: */
    bool racing; /* there is a view */
    int laps, round, spaces, corners;
    hp_corner corner[HP_CORNERS_MAX];
    int standings[HP_CARS_MAX]; /* foremost first */
    uint8_t adrenaline;         /* bit by car */
    uint8_t step;               /* hp_step */
    int turn;                   /* the car whose turn runs, or -1 */
    int speed;                  /* of it, so far */
    char hand[HP_HAND + 2];     /* your cards' letters */
    char plan[HP_ACT_TEXT];     /* your plan, or "" */
    uint8_t may;                /* hp_step that you decide, HP_STEP_WAIT for none */
    int acts;
    char act[HP_ACTS_MAX][HP_ACT_TEXT];
} scene;

/* False when the message is no state that makes sense; then the scene is as it was. */
bool scene_read(const json_t *message, scene *s);

/* Numbers and texts of a JSON object: in range, or otherwise. */
int scene_number(const json_t *object, const char *key, int low, int high, int otherwise);
int64_t scene_time(const json_t *object, const char *key);     /* in milliseconds, 0 when there is none */
const char *scene_text(const json_t *object, const char *key); /* "" when there is none */
/* An id has letters, digits, - and _; of anything else it is "". */
void scene_id(const json_t *object, const char *key, char id[ID_TEXT]);
/* A place as {"at","spot"}. */
hp_place scene_place(const json_t *object, const char *key);
/* Letters of a list of cards, '?' for what is none; size bytes at most. */
void scene_cards(const json_t *list, char *letters, size_t size);

const char *scene_level(const char *word); /* a bot's level, in the reader's language */

#endif
