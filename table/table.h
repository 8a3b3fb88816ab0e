/* A table: one race with its seats, from the first seat taken to the rematch. It says who sits where, whose
 * turn it is and since when, who drives for whom, and what each of them may see.
 *
 * All that ever happens to a table is a line of text from a seat, or from the table's keeper, at a time:
 * an entry. Whoever keeps the settings and the entries keeps the table: the same entries make the same
 * table anywhere, down to the last byte. So it has no sockets, files, threads or clock of its own; it is a
 * flat value, copied by assignment, and the server, the browser and the terminal keep it each in their way.
 *
 *     table_open(&t, &settings, now)                an empty table
 *     table_play(&t, seat, "act 12 plan 1 4", now)  one entry; refused ones change nothing
 *     table_message(&t, &entry, viewer, ...)        what somebody at it may know of that entry
 *     table_state(&t, viewer, ...)                  and how things stand
 *
 * docs/PROTOCOL.md has the lines and the messages. */
#ifndef HP_TABLE_H
#define HP_TABLE_H

#include "hairpin.h"

enum {
    TABLE_KEEPER = -1,   /* as a seat: the table's keeper, who watches the clock */
    TABLE_LINE = 255,    /* bytes of an entry's line; the longest is "take" with 12 + 65 + 65 + 31 */
    TABLE_PHRASES = 12,  /* reactions, by number from 1 */
    TABLE_PATIENCE = 60, /* seconds; who keeps others waiting longer has no voice in who is relieved */
    TABLE_GRACE =
        15,        /* seconds for a decision before others may ask for a bot; our clients show it after 20 */
    TABLE_ID = 22, /* characters of a table's name, and the NUL */
    TABLE_CLOCK_MAX = 14 * 24 * 3600 /* seconds for a decision: two weeks */
};

/* Bots that may sit at a table, weakest first; each is a bot of that name. */
typedef enum { TABLE_ROOKIE, TABLE_DRIVER, TABLE_CHAMPION, TABLE_LEVELS } table_level;

typedef enum {
    TABLE_RED,
    TABLE_ORANGE,
    TABLE_YELLOW,
    TABLE_GREEN,
    TABLE_BLUE,
    TABLE_PURPLE,
    TABLE_BLACK,
    TABLE_WHITE,
    TABLE_COLOURS
} table_colour;

const char *table_level_word(table_level level);    /* "rookie" */
const char *table_colour_word(table_colour colour); /* "red" */
bool table_level_named(const char *word, size_t length, table_level *level);
bool table_colour_named(const char *word, size_t length, table_colour *colour);

/* A name for people: valid UTF-8 of 1 to HP_NAME_MAX bytes, no control characters, nothing that turns the
 * direction of text, no blank at either end. */
bool table_name_valid(const char *name, size_t length);

/* ---- Setting up --------------------------------------------------------------------------------- */

typedef enum { TABLE_OPEN, TABLE_PERSON, TABLE_BOT } table_kind;

typedef struct {
    uint8_t kind;   /* table_kind. TABLE_OPEN in settings: who has the key may take it, or anybody if 0 */
    uint8_t level;  /* table_level of its bot, or of the one that drives while its person is away */
    uint8_t colour; /* table_colour, or TABLE_COLOURS: bots take what is left when the race starts */
    uint8_t handicap;
    char name[HP_NAME_MAX + 1]; /* "" for a bot, and while it is open */
    uint8_t key[32];            /* SHA-256 of its token; 0 where there is none */
    uint8_t salt[32];           /* what its person added to the shuffle; 0 for nothing */
} table_seat;

typedef struct {
    char circuit[HP_NAME_MAX + 1];
    hp_track track;
    uint8_t laps;
    uint8_t seats;       /* 1 to HP_CARS_MAX: a car each */
    uint8_t substitute;  /* table_level that fills seats left open, and drives for those away */
    uint8_t old_manners; /* of a table that was opened before saved.c's format 2: its entries were judged less
                            strictly, and must lead to the same table for ever. New ones have 0 */
    uint32_t clock;      /* seconds for a decision, or 0 for no end */
    uint8_t secret[32];  /* the keeper's part of the shuffle */
    table_seat seat[HP_CARS_MAX];
} table_settings;

/* ---- The table ---------------------------------------------------------------------------------- */

typedef enum { TABLE_GATHERING, TABLE_RACING, TABLE_OVER } table_phase;

typedef struct {
    table_settings settings;     /* seats are as they are now */
    hp_race race;                /* from TABLE_RACING on */
    uint32_t entries;            /* played so far: the number of the last, the first being 1 */
    uint8_t phase;               /* table_phase */
    uint8_t away;                /* bit by seat: a bot drives for its person */
    uint8_t agreed[HP_CARS_MAX]; /* for each seat, bit by seat: who wants a bot to drive it */
    uint8_t awaited;             /* bit by seat: the race waits for it */
    uint8_t sent;                /* bit by seat: away, and not of its own will */
    uint8_t spared;              /* bit by seat: has had new time for this decision already */
    uint8_t unused[1];
    uint32_t asked[HP_CARS_MAX]; /* the entry since which its decision is the one that it is */
    uint64_t since[HP_CARS_MAX]; /* when the race began to wait for it: milliseconds as in now */
    uint64_t opened, moved;      /* when the table was opened, and of the last entry */
    char rematch[TABLE_ID + 2];  /* the table to go on at, or ""; one more, so that there is no padding */
} table;

/* Why a line is refused. */
typedef enum {
    TABLE_FINE,
    TABLE_NOT_A_LINE, /* no such word, or not what belongs behind it */
    TABLE_TOO_LONG,   /* more than TABLE_LINE bytes */
    TABLE_NOT_NOW,    /* not before, during or after the race */
    TABLE_SEAT_TAKEN,
    TABLE_SEAT_KEPT,  /* for somebody with another token */
    TABLE_NOT_SEATED, /* nobody sits there who could say that */
    TABLE_BAD_NAME,
    TABLE_BAD_COLOUR,
    TABLE_COLOUR_TAKEN,
    TABLE_BAD_SALT,
    TABLE_NO_LEVEL, /* no such bot */
    TABLE_NO_PHRASE,
    TABLE_OLD,          /* the decision that it answers is past: late, or sent twice */
    TABLE_AHEAD,        /* it answers an entry that is still to come */
    TABLE_BOT_DRIVES,   /* a bot has the wheel; "back" takes it over */
    TABLE_BOT_DOES_NOT, /* and here it has not */
    TABLE_NOT_AWAITED,  /* nobody waits for that seat, or not long enough */
    TABLE_ILLEGAL,      /* the rules say no: hp_error tells why */
    TABLE_ERRORS
} table_error;

/* What was refused, as a word for programs ("seat_taken", "not_your_turn") and a sentence in English. */
const char *table_error_word(table_error error, hp_error rule);
const char *table_error_text(table_error error, hp_error rule);

/* False when the settings are not such as a table can have. The race starts with the entry that takes the last
 * open seat, or with "start": by a person, or by the keeper when no seat was open to begin with. */
bool table_open(table *t, const table_settings *settings, uint64_t now);

/* The secret's SHA-256, which is shown before anybody sits down. */
void table_commitment(const table *t, uint8_t digest[32]);

/* Plays one entry. Times never go back: an earlier now counts as that of the entry before. rule is set with
 * TABLE_ILLEGAL, and may be NULL. A refused line changes nothing, and nothing is told. */
table_error table_play(table *t, int seat, const char *line, size_t length, uint64_t now,
                       const hp_listener *listener, hp_error *rule);

/* Whether a person may say such a line, judged by its first word. The others are the keeper's, or a bot's. */
bool table_for_people(const char *line, size_t length);

/* The seat whose key is the SHA-256 of this token; -1 for none. Takes the same time for all of them. */
int table_seat_of(const table *t, const char *token, size_t length);

/* Bit by seat: those that the race waits for and a bot drives. */
uint8_t table_bots_due(const table *t);
/* A seat whose time is over at now, or -1. */
int table_late(const table *t, uint64_t now);
/* When table_late will next find one; 0: never. */
uint64_t table_deadline(const table *t);

/* Set-up, names and salts for the race file; only once the race is over may anybody see it. */
void table_head(const table *t, hp_head *head);

/* ---- Messages ----------------------------------------------------------------------------------- */

/* One line of JSON each, with its line feed, written as in hairpin.h: cut where it does not fit, the result
 * being the whole length. The viewer is a seat or HP_SPECTATOR. */

/* A table at its largest: six seats of below 500, and 800 besides; a view of HP_VIEW_TEXT; and all acts. */
enum { TABLE_STATE_TEXT = 3800 + HP_VIEW_TEXT + HP_ACTS_MAX * HP_ACT_TEXT };

/* How things stand: seats, clock, and once the race is on, view and acts. */
size_t table_state(const table *t, const char *id, int viewer, char *buffer, size_t size);
/* The same for those outside: seats and who is awaited. */
size_t table_notice(const table *t, const char *id, char *buffer, size_t size);

typedef struct {
    uint64_t time;
    int seat;
    const char *line;
    size_t length;
    const hp_event *events; /* all of them; the viewer's part is chosen here */
    size_t in_events;
} table_entry;

/* An entry that has just been played: t is the table after it. */
size_t table_message(const table *t, const table_entry *entry, int viewer, char *buffer, size_t size);

size_t table_error_message(table_error error, hp_error rule, char *buffer, size_t size);

/* At most 14 corners of 37 in each of 13 outcomes of 110, and the one without chance; and 300 besides. */
enum { TABLE_FORESIGHT_TEXT = 300 + (HP_PROSPECTS_MAX + 1) * (110 + 37 * HP_CORNERS_MAX) };

/* What an act of a seat would or may lead to (hp_expect), or why it is not possible. */
size_t table_foresight(const table *t, int seat, const char *act, size_t length, char *buffer, size_t size);

#endif
