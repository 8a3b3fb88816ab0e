/* Bots. A bot hears what its seat may hear and sees what its seat may see, and returns an act. It never
 * meets the race: there is nothing here to cheat with. */
#ifndef HP_BOTS_H
#define HP_BOTS_H

#include "hairpin.h"

/* ---- For those who put bots at the wheel -------------------------------------------------------- */

typedef struct bot bot;

/* A name, or a name and options: "rookie", "champion:200ms", "champion:5000"; or, with a slash in it, a
 * program and its time for a decision, "./mybot.py:500ms" (docs/BOT-PROTOCOL.md). The same seed and the same
 * views give the same acts, unless the bot goes by the clock. NULL when there is no such bot, when it does
 * not take these options, or without memory. */
bot *bot_open(const char *spec, int seat, uint64_t seed);
void bot_close(bot *b);

/* The names that there are, from 0 on; NULL behind the last. */
const char *bot_name(int i);

/* Ends all programs and whatever they have started, at once: the rookie decides what they were asked. From any
 * thread, and from a signal handler. */
void bot_end_all(void);

/* Every event of its race, from hp_start on, as the race tells it: what the seat may not see is hidden
 * here, before the bot gets it. */
void bot_hear(bot *b, const hp_event *event);

/* The view must be that of its seat, with something to decide. What comes back is legal. */
hp_act bot_choose(bot *b, const hp_view *view);

/* What a program outside did wrong. Each time the rookie decided in its place. */
typedef enum {
    BOT_SLOW,     /* no answer in its time */
    BOT_GONE,     /* it has ended, or closed its input or output */
    BOT_RUBBISH,  /* a line that is no answer to what was asked */
    BOT_TOO_MUCH, /* more than BOT_ANSWER_MAX bytes for one decision */
    BOT_ILLEGAL,  /* an act that the rules do not allow now */
    BOT_LOST,     /* it gets nowhere: so many rounds that the race might never end */
    BOT_FAULTS
} bot_fault;

enum {
    BOT_ANSWER_MAX = 4096, /* bytes, comments included */
    BOT_FAULTS_MAX = 3,    /* with these it is shut down */
    BOT_WROTE = 64         /* of a line, and the NUL */
};

typedef struct {
    uint32_t faults[BOT_FAULTS]; /* how often, by kind; decisions after it was shut down do not count */
    bool stopped;                /* it was shut down, or is gone: the rookie drives on */
    uint32_t first;              /* the decision of its first fault, from 1; 0 without */
    char wrote[BOT_WROTE];       /* and what it had written: "?" for all but ASCII's letters and signs */
} bot_report;

/* As it is now; it lives as long as the bot. NULL for a bot that is no program outside. */
const bot_report *bot_report_of(const bot *b);

/* ---- For those who write bots ------------------------------------------------------------------- */

/* A bot's own dice, so that the race's stay untouched: splitmix64. */
typedef struct {
    uint64_t state;
} bot_dice;

static inline uint64_t bot_roll(bot_dice *dice)
{
    uint64_t z = (dice->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline uint32_t bot_roll_below(bot_dice *dice, uint32_t n)
{
    return (uint32_t)((bot_roll(dice) >> 32) * n >> 32);
}

/* A kind of bot is a row in the table of bots.c. */
typedef struct {
    const char *name;
    size_t size; /* of its state, which is zeroed, 16-byte aligned, and all the memory that it has */
    /* False when it does not understand the options, which are "" when there are none. NULL: takes none. */
    bool (*start)(void *state, const char *options);
    void (*hear)(void *state, const hp_event *seen); /* NULL: deaf */
    hp_act (*choose)(void *state, const hp_view *view, bot_dice *dice);
    void (*stop)(void *state); /* before its state goes, if it was started. NULL: nothing to end */
    const bot_report *(*report)(const void *state); /* NULL: it can do nothing wrong */
} bot_kind;

extern const bot_kind bot_rookie, bot_driver, bot_champion;
extern const bot_kind bot_process; /* in no table: its options are the whole spec */

/* What a driver of changing moods does, and how good each legal act looks to it, in tenths of a space;
 * returns how many there are. BOT_NEVER: it would not dream of it. For bots that look ahead. */
enum { BOT_NEVER = INT32_MIN / 2 };
hp_act bot_driver_act(const hp_view *view, bot_dice *dice, int moods);
int bot_driver_judge(const hp_view *view, hp_act acts[HP_ACTS_MAX], int worth[HP_ACTS_MAX]);

/* Those that it likes best, best first: at least one, at most so many, none that it would never do. Returns
 * how many. */
int bot_driver_best(const hp_view *view, int most, hp_act best[]);

enum { BOT_LINE = 6 };

/* What a champion thinks of an act: playouts to the end of the race. */
typedef struct {
    hp_act act;
    uint32_t playouts;
    uint32_t wins;
    uint64_t places;       /* the sum of them */
    uint64_t heat;         /* the sum of Heat in the engine when the next round begins */
    hp_act line[BOT_LINE]; /* how the car went on in the first of them */
    int in_line;
} bot_estimate;

/* Every legal act, best first: before all others those that drivers like, or that did well in the first third of the
 * playouts, which have more of them. Returns how many. */
int bot_explain(const hp_view *view, const hp_memory *memory, uint32_t playouts, uint64_t seed,
                bot_estimate all[HP_ACTS_MAX]);

/* One of the legal acts, any: what "random" does, for a caller that has the choice at hand. */
hp_act bot_any(const hp_choice *choice, bot_dice *dice);

#endif
