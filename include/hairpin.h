/* hairpin: card-driven car racing. The one public header.
 *
 * Data flows one way. A player's act goes into the race; out come events and, for each seat, a view:
 *
 *     hp_start(&race, &setup, NULL)            a race is a flat value: copy it by assignment
 *     hp_choose_from(&race, car, &choice)      what that car may decide now
 *     hp_acts(&choice, acts)                   every legal act
 *     hp_apply(&race, car, acts[i], listener)  the rules; tells the listener what happened
 *     hp_look(&race, seat, &view)              what that seat may see, and nothing else
 *
 * Nothing here allocates, does I/O, reads a clock, keeps a global or uses floating point; callers own
 * every buffer. Clause numbers (R8.2) refer to docs/RULES.md. Words for people are not made here: the
 * library speaks in enums and numbers.
 */
#ifndef HAIRPIN_H
#define HAIRPIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HP_VERSION "0.1.0"
#define HP_RULES_VERSION 1 /* raised when the same seed and acts would lead to another race */

enum {
    HP_CARS_MAX = 6,      /* R1; the grid has room for eight (R1.4) */
    HP_LAPS_MAX = 9,      /* R1.5 allows any number; a progress must fit 16 bits, a lap 8 */
    HP_GEARS = 4,         /* R3.1 */
    HP_HAND = 7,          /* R1.2, R10.1; a spin-out never lifts a hand above it: gear 1 leaves 6 + 1 */
    HP_STRESS_SUPPLY = 37 /* R1.3 */
};

/* ---- Cards ------------------------------------------------------------------------------------ */

/* The kinds of card (R1.1). A kind is a row in a table (rules/cards.c) that gives its class and its
 * value; the rules ask for those and never for the kind's number. */
typedef enum {
    HP_ZERO,
    HP_ONE,
    HP_TWO,
    HP_THREE,
    HP_FOUR,
    HP_FIVE,
    HP_HEAT,
    HP_STRESS,
    HP_KINDS,
    HP_NO_CARD = HP_KINDS /* no card at all, or one that the reader may not see */
} hp_card;

typedef enum { HP_CLASS_SPEED, HP_CLASS_UPGRADE, HP_CLASS_HEAT, HP_CLASS_STRESS } hp_card_class;

hp_card_class hp_class_of(hp_card card);
int hp_value_of(hp_card card); /* what it adds to the speed; Heat and stress add 0 themselves */

/* Cards without an order: how many of each kind, kind k in bits 8k to 8k+7. That is all a hand, a
 * draw pile or the covered part of a discard pile is: nobody knows the order of a draw pile (R13.3),
 * so a card is drawn from it by chance when it is needed. A car owns at most 12 speed cards,
 * 3 upgrades, 37 stress and 20 Heat: no count and no sum reaches 128. */
typedef struct {
    uint64_t counts;
} hp_pile;

static inline int hp_count(hp_pile pile, hp_card card)
{
    return (int)((pile.counts >> (8 * (unsigned)card)) & 0xff);
}

static inline int hp_size(hp_pile pile)
{
    return (int)((pile.counts * UINT64_C(0x0101010101010101)) >> 56);
}

/* ---- The track -------------------------------------------------------------------------------- */

enum {
    HP_SPACES_MIN = 25,  /* a turn covers at most 24: cards 17, boost 4, adrenaline 1, slipstream 2 */
    HP_SPACES_MAX = 128, /* so that which spots are taken fits four 64-bit words */
    HP_CORNERS_MAX = 14, /* so that hp_track is 32 bytes */
    HP_LIMIT_MIN = 1,
    HP_LIMIT_MAX = 20,
    HP_HEAT_MIN = 2, /* R1.6 takes up to two away */
    HP_HEAT_MAX = 19,
    HP_STRESS_MAX = 6, /* six cars share 37 (R1.3) */
    HP_HANDICAP_MAX = 2
};

typedef struct {
    uint8_t after; /* the line lies between this space of the lap, from 0, and the next */
    uint8_t limit;
} hp_corner;

/* What the rules know of a circuit. Corners in the order of their lines, no two at one place. */
typedef struct {
    uint8_t spaces;
    uint8_t heat;   /* Heat cards in each engine at the start */
    uint8_t stress; /* stress cards in each deck at the start */
    uint8_t corners;
    hp_corner corner[HP_CORNERS_MAX];
} hp_track;

/* Progress counts spaces from the start line: 0 is the first space of lap 1, the grid is negative,
 * the finish line lies before laps * spaces. Spot 0 is on the race line. */
typedef struct {
    int16_t at;
    int16_t spot;
} hp_place;

/* ---- Acts ------------------------------------------------------------------------------------- */

/* What a race waits for. */
typedef enum {
    HP_STEP_PLAN,    /* every car plans, in any order (R3) */
    HP_STEP_REACT,   /* one car uses its symbols (R6) */
    HP_STEP_SLIP,    /* one car may slipstream (R7) */
    HP_STEP_DISCARD, /* one car may discard (R9) */
    HP_STEP_OVER,    /* every car has its place */
    HP_STEP_WAIT     /* only in an hp_choice: it is not this car's to decide */
} hp_step;

/* An act and, in brackets, its text form. */
typedef enum {
    HP_PLAN,            /* R3    [plan 3 1 4 4] gear, then as many cards */
    HP_RETIRE,          /* R12.3 [retire] */
    HP_UNPLAN,          /* R2.3  [unplan] takes back a plan or a retirement */
    HP_COOL,            /* R6.2  [cool 2] the gear's cooldown */
    HP_ADRENALINE_COOL, /* R5.3  [adrenaline cool] */
    HP_ADRENALINE_MOVE, /* R5.3  [adrenaline move] */
    HP_BOOST,           /* R6.3  [boost] */
    HP_DONE,            /* R6.1  [done] leaves the other symbols unused */
    HP_SLIP,            /* R7.1  [slip] */
    HP_STAY,            /* R7.1  [stay] */
    HP_DISCARD,         /* R9.1  [discard 1 5] the last one named lies on top (R9.2) */
    HP_KEEP,            /* R9.1  [keep] discards nothing */
    HP_ACT_KINDS
} hp_act_kind;

enum {
    HP_ACT_CARDS = 6 /* a plan names up to 4; a discard up to 6: a turn in 1st gear leaves 6 in hand */
};

/* Cards are named in order, the last one on top (R9.2); entries beyond those named are 0. */
typedef struct {
    uint8_t kind;   /* hp_act_kind */
    uint8_t number; /* plan: gear and so number of cards; cool: how many; discard: number of cards; else 0 */
    uint8_t cards[HP_ACT_CARDS];
} hp_act;

/* What one car may decide at one moment: all that the legality of its acts depends on, and nothing
 * that its player does not know. */
typedef struct {
    hp_pile hand;
    uint8_t step; /* hp_step; HP_STEP_WAIT and HP_STEP_OVER allow nothing */
    uint8_t gear;
    uint8_t engine;          /* Heat in it */
    uint8_t cool;            /* what the gear's cooldown may still take; 0 when none or used */
    uint8_t adrenaline_cool; /* likewise, 0 or 1 */
    uint8_t adrenaline_move; /* 1 while it may be used and would move the car (R5.4) */
    uint8_t boost;           /* 1 until used; needs Heat in the engine besides */
    uint8_t flags;
} hp_choice;

/* In hp_choice.flags. */
enum {
    HP_MAY_RETIRE = 1,       /* a car has finished */
    HP_HAS_PLANNED = 2,      /* the plan may be changed or taken back */
    HP_HAS_ADRENALINE = 4,   /* in this turn */
    HP_ADRENALINE_MOVED = 8, /* and its extra space is used */
};

/* The most acts at one moment. A discard is which cards and which on top: with six different cards in
 * hand the sum of k * C(6,k) is 192, and keeping all is one more. A plan is which cards: from seven
 * different ones C(7,1) + C(7,2) + C(7,3) + C(7,4) is 98, and retire and unplan make it 100. */
enum { HP_ACTS_MAX = 193 };

/* Why an act is refused. hp_rule_of names the clause. */
typedef enum {
    HP_OK,
    HP_NOT_AN_ACT,          /* the value itself makes no sense: kind, card or count out of range */
    HP_RACE_OVER,           /* R12.3 */
    HP_NOT_YOUR_TURN,       /* R2.1 */
    HP_WRONG_STEP,          /* R2.1: not what the race waits for */
    HP_NO_SUCH_GEAR,        /* R3.1 */
    HP_SHIFT_TOO_FAR,       /* R3.2: by three */
    HP_SHIFT_UNPAID,        /* R3.2: by two without Heat in the engine */
    HP_NOT_IN_HAND,         /* R3.3 */
    HP_HEAT_NOT_PLAYABLE,   /* R3.3: Heat named while the hand can fill the gear without */
    HP_CLUTTER_INCOMPLETE,  /* R3.4: a playable card held back */
    HP_TOO_EARLY_TO_RETIRE, /* R12.3 */
    HP_NOTHING_PLANNED,     /* R2.3: nothing to take back */
    HP_NO_COOLDOWN,         /* R6.1: the gear gives none, or it is used */
    HP_COOLS_TOO_MUCH,      /* R6.2 */
    HP_NO_HEAT_IN_HAND,     /* R6.2 */
    HP_NO_ADRENALINE,       /* R5.1 */
    HP_ADRENALINE_USED,     /* R5.3 */
    HP_ADRENALINE_STUCK,    /* R5.4 */
    HP_BOOST_USED,          /* R6.3 */
    HP_BOOST_UNPAID,        /* R6.3 */
    HP_DISCARD_NOT_IN_HAND, /* R9.1 */
    HP_NOT_DISCARDABLE,     /* R9.1 */
    HP_BAD_SETUP,           /* R1: hp_start only */
    HP_ERRORS
} hp_error;

const char *hp_rule_of(hp_error error); /* "R3.2"; "" where no clause speaks */

/* Lists every act that may be chosen and differs in what it does; returns how many. Plans that differ
 * only in the order of their cards count as one, lowest card first and Heat last: everybody sees them all.
 * Discards that differ in the card on top are different: the others see that one alone (R13.4). */
int hp_acts(const hp_choice *choice, hp_act acts[HP_ACTS_MAX]);

/* Whether an act is legal, its cards in any order. */
hp_error hp_check(const hp_choice *choice, hp_act act);

/* ---- Chance ----------------------------------------------------------------------------------- */

enum { HP_DRAWS = 32 }; /* 16-bit draws in one block of the generator */

/* ChaCha8 under a 256-bit key, 16 bits a draw: what was drawn tells nothing of what comes. The state is
 * the key and how many draws were taken; draw holds the block that the last of them belongs to. */
typedef struct {
    uint32_t key[8];
    uint16_t draw[HP_DRAWS];
    uint32_t drawn;
} hp_chance;

enum { HP_SEED_BYTES = 32 };

void hp_chance_seed(hp_chance *chance, const uint8_t seed[HP_SEED_BYTES]);
void hp_chance_skip_to(hp_chance *chance, uint32_t drawn); /* as after that many draws */
uint32_t hp_chance_below(hp_chance *chance, uint32_t n);   /* evenly 0 .. n-1; 1 <= n <= 65536 */

/* ---- The race --------------------------------------------------------------------------------- */

typedef enum { HP_RACING, HP_FINISHED, HP_RETIRED } hp_status;

enum { HP_PLANS_TO_RETIRE = 0xff }; /* in hp_car.planned */

typedef struct {
    hp_pile hand;
    hp_pile draw;
    hp_pile discard;
    hp_pile play; /* the play area; face down from the end of planning to the car's turn */
    int8_t lap;   /* laps completed; -1 on the grid. After leaving the circuit lap, space, spot are 0 */
    uint8_t space;
    uint8_t spot;
    uint8_t gear;
    uint8_t engine;
    uint8_t top;            /* of the discard pile, one of those counted there; HP_NO_CARD when empty */
    uint8_t status;         /* hp_status */
    uint8_t place;          /* from 1; 0 while racing */
    uint8_t planned;        /* gear planned, HP_PLANS_TO_RETIRE, or 0; 0 again once all have planned */
    uint8_t plan[HP_GEARS]; /* cards planned, in the order named; 0 again once they are revealed */
    uint8_t unused[3];
} hp_car;

/* The turn that is running; all of it is in everybody's sight. Zeroes while cars plan. */
typedef struct {
    int8_t lap; /* where it began, for R8.1 */
    uint8_t space;
    uint8_t speed;
    uint8_t cool; /* as in hp_choice */
    uint8_t adrenaline_cool;
    uint8_t adrenaline_move; /* 1 until used */
    uint8_t boost;           /* 1 until used */
    uint8_t last;            /* the last card that came into the play area */
} hp_turn;

/* 480 bytes, no pointers, no padding: assignment copies it, memcmp compares it. */
typedef struct {
    hp_car car[HP_CARS_MAX];
    uint64_t taken[4]; /* two bits a space, bit 0 the race line: where cars stand */
    hp_track track;
    hp_chance chance;
    hp_turn turn;
    uint16_t round;             /* from 1 */
    uint8_t order[HP_CARS_MAX]; /* cars of this round, foremost first (R2.2) */
    uint8_t in_order;           /* how many those are */
    uint8_t now;                /* index in order of the car whose turn it is */
    uint8_t adrenaline;         /* bit by car (R5.1) */
    uint8_t step;               /* hp_step */
    uint8_t cars;               /* that started */
    uint8_t laps;
    uint8_t finished;
    uint8_t retired;
    uint8_t reserve; /* stress cards left (R1.3) */
    uint8_t waiting; /* bit by car: those that the race cannot go on without */
    uint8_t unused[2];
} hp_race;

typedef struct {
    hp_track track;
    uint8_t laps;
    uint8_t cars;
    uint8_t handicap[HP_CARS_MAX]; /* R1.6 */
    uint8_t seed[HP_SEED_BYTES];
} hp_setup;

struct hp_event;

/* Told of everything that happens, in order. Pass NULL where nobody listens. */
typedef struct {
    void (*hear)(void *self, const struct hp_event *event);
    void *self;
} hp_listener;

/* True when every figure is in its range, corners are in order, and entries beyond them are 0. */
bool hp_track_valid(const hp_track *track);

/* Sets up a race, deals the first hands and opens the first round. HP_OK or HP_BAD_SETUP. */
hp_error hp_start(hp_race *race, const hp_setup *setup, const hp_listener *listener);

/* The car that the race waits for: in HP_STEP_PLAN the first by number without a plan; -1 when over. */
int hp_to_act(const hp_race *race);

/* For a car of the race, whether the race waits for it or not. */
void hp_choose_from(const hp_race *race, int car, hp_choice *choice);

/* Plays one act, and all that follows by itself until the next decision. Refused acts change nothing
 * and nothing is told. Which decisions come never depends on hidden cards, only on what everybody
 * sees, so that waiting gives nothing away: a car is asked to cool or discard even with no card for it. */
hp_error hp_apply(hp_race *race, int car, hp_act act, const hp_listener *listener);

int hp_progress(const hp_race *race, int car);

/* The cars still racing as they stand now, foremost first (R2.2); returns how many. */
int hp_standings(const hp_race *race, uint8_t order[HP_CARS_MAX]);

/* The same on every machine for the same race. It depends on hidden cards: do not show it to players. */
uint64_t hp_hash(const hp_race *race);

/* ---- Events ----------------------------------------------------------------------------------- */

typedef enum {
    HP_EV_GRID,      /* car slot to */
    HP_EV_DRAW,      /* car count cards */
    HP_EV_RESHUFFLE, /* car number */
    HP_EV_ROUND,     /* number count cars adrenaline */
    HP_EV_SHIFT,     /* car gear_from gear_to paid */
    HP_EV_REVEAL,    /* car count cards */
    HP_EV_CLUTTERED, /* car */
    HP_EV_FLIP,      /* car count (1) cards kept why: HP_BY_STRESS or HP_BY_BOOST */
    HP_EV_MOVE,      /* car why: HP_BY_CARDS, BOOST, ADRENALINE, SLIPSTREAM; number (spaces) from to speed */
    HP_EV_BOOST,     /* car */
    HP_EV_COOL,      /* car number why: HP_BY_GEAR or HP_BY_ADRENALINE */
    HP_EV_CORNER,    /* car corner speed limit paid */
    HP_EV_SPIN,      /* car corner number (stress cards) to */
    HP_EV_DISCARD,   /* car count cards */
    HP_EV_REPLENISH, /* car */
    HP_EV_FINISH,    /* car place */
    HP_EV_RETIRE,    /* car place */
    HP_EV_END,       /* number (rounds) count cars, winner first */
    HP_EV_KINDS
} hp_event_kind;

typedef enum {
    HP_BY_CARDS,
    HP_BY_STRESS,
    HP_BY_BOOST,
    HP_BY_ADRENALINE,
    HP_BY_SLIPSTREAM,
    HP_BY_GEAR
} hp_cause;

typedef struct hp_event {
    uint8_t kind; /* hp_event_kind; which members hold says the list above, the others are 0 */
    uint8_t car;
    uint8_t why; /* hp_cause */
    uint8_t count;
    uint8_t cards[HP_HAND];
    uint8_t cars[HP_CARS_MAX];
    uint8_t adrenaline; /* bit by car */
    uint8_t slot;
    uint8_t gear_from, gear_to;
    uint8_t kept;
    uint8_t corner, limit;
    uint8_t paid;
    uint8_t speed;
    uint8_t place;
    uint8_t unused;
    uint16_t number;
    hp_place from, to;
} hp_event;

/* ---- Views ------------------------------------------------------------------------------------ */

enum { HP_SPECTATOR = 0xff }; /* as a seat: sees what everybody sees */

/* A car as everybody sees it (R13.1). */
typedef struct {
    hp_pile play;   /* revealed cards of a running turn */
    hp_place place; /* where it stands; 0 once it has left the circuit */
    uint8_t gear;
    uint8_t engine;
    uint8_t hand;    /* sizes */
    uint8_t covered; /* cards played face down */
    uint8_t draw;
    uint8_t discard;
    uint8_t top;
    uint8_t status;
    uint8_t finished_at; /* place in the result, from 1; 0 while racing */
    uint8_t has_planned;
    uint8_t heat; /* Heat cards it owns, the upgrade included: handicaps are no secret */
    uint8_t stress;
} hp_car_view;

/* All that one seat may know of a race at one moment, as bytes that compare with memcmp. */
typedef struct {
    hp_track track;
    hp_car_view car[HP_CARS_MAX];
    hp_choice choice; /* of this seat; its hand is in it (R13.2) */
    hp_turn turn;
    uint16_t round;
    uint8_t seat; /* or HP_SPECTATOR */
    uint8_t order[HP_CARS_MAX];
    uint8_t in_order;
    uint8_t now;
    uint8_t adrenaline;
    uint8_t step;
    uint8_t cars;
    uint8_t laps;
    uint8_t reserve;
    uint8_t planned; /* this seat's own plan, as in hp_car */
    uint8_t plan[HP_GEARS];
    uint8_t unused[3];
} hp_view;

/* The seat is a car's number, or HP_SPECTATOR. */
void hp_look(const hp_race *race, int seat, hp_view *view);

/* An event as a seat may see it: cards drawn by others, and those that others discard under the top
 * one, become HP_NO_CARD (R13.2, R13.4). */
hp_event hp_event_for(const hp_event *event, int seat);

/* Deals whatever the view hides anew, at random: a race that looks the same from that seat. Bots that
 * search start from this; they never see the real one. */
void hp_guess(const hp_view *view, const uint8_t seed[HP_SEED_BYTES], hp_race *race);

/* What a seat remembers of the cards that it saw go: where they are not, and where they may be. Zero it before
 * the race, and let it hear every event that the seat may see, from hp_start on. */
typedef struct {
    hp_pile discarded[HP_CARS_MAX]; /* by car: what surely lies in its discard pile, */
    hp_pile play[HP_CARS_MAX];      /* and what lies open in its play area, on the way there */
    hp_pile shuffled[HP_CARS_MAX];  /* known to be in its draw pile when that was shuffled last, */
    uint8_t drawn[HP_CARS_MAX];     /* of which it has drawn so many cards since */
    uint8_t hidden[HP_CARS_MAX];    /* discards that were not seen, in its discard pile */
    uint8_t stress[HP_CARS_MAX];    /* cards taken by spin-outs and not played since: they are in its hand */
} hp_memory;

void hp_remember(hp_memory *memory, const hp_event *seen);

/* As hp_guess, and consistent with what is remembered. The memory and the view are of the same moment. */
void hp_guess_knowing(const hp_view *view, const hp_memory *memory, const uint8_t seed[HP_SEED_BYTES],
                      hp_race *race);

/* What an act leads to as the cars stand now. */
typedef struct {
    bool chance;    /* cards would be turned over: speed, to and price leave those out */
    bool cluttered; /* R3.5: it would not move */
    bool spins;     /* R8.2: to is where it spins to */
    uint8_t gear;
    uint8_t speed;
    uint8_t price;  /* Heat paid for the shift, the boost and the corners crossed this turn */
    uint8_t engine; /* Heat left then */
    uint8_t stress; /* cards taken by the spin-out */
    hp_place to;
} hp_outcome;

/* For an act that the view's seat may choose. A plan is looked at as if its turn came now. */
hp_outcome hp_foresee(const hp_view *view, hp_act act);

/* A corner line crossed, and the Heat paid for it: all that is left where the car spins out. */
typedef struct {
    uint8_t corner;
    uint8_t limit;
    uint8_t pays;
} hp_crossing;

typedef struct {
    uint64_t weight; /* how likely it is, compared to the others */
    hp_outcome outcome;
    uint8_t crossed; /* lines, in order, up to the one of a spin-out */
    hp_crossing crossing[HP_CORNERS_MAX];
} hp_prospect;

enum { HP_PROSPECTS_MAX = 13 }; /* four stress cards turn over 4 to 16 */

/* What an act may lead to, by the cards that it turns over (R4.2, R6.3). */
typedef struct {
    hp_prospect without; /* as by hp_foresee, which leaves those cards out; its weight is 0 */
    uint8_t shift;       /* Heat for the shift alone (R3.2), which is in every price */
    uint8_t flips;       /* cards that are turned over and count */
    uint8_t prospects;   /* 0 where none is: then it comes as it is without */
    uint64_t weights;    /* of all together: below 2^53, so that thousandths can be reckoned */
    hp_prospect prospect[HP_PROSPECTS_MAX]; /* by speed, the lowest first; chance is false in them */
} hp_outlook;

/* For an act that the view's seat may choose, by what it sees now: cards that it could remember from earlier
 * rounds count as unseen. */
void hp_expect(const hp_view *view, hp_act act, hp_outlook *outlook);

/* ---- Text ------------------------------------------------------------------------------------- */

/* Texts are written into the caller's buffer, always ended by a NUL, and cut where they do not fit; the
 * result is the length without the NUL that the whole text has, as snprintf's. */

enum {
    HP_ACT_TEXT = 20,       /* "discard 0 1 2 3 4 5" and the NUL */
    HP_NAME_MAX = 31,       /* bytes of a circuit's or a seat's name, without the NUL */
    HP_SEED_TEXT = 65,      /* 64 hex digits and the NUL */
    HP_POSITION_TEXT = 2048 /* a head of at most 350, six cars of at most 180 each, a seed of 80 */
};

/* What is wrong with a text from outside. */
typedef enum {
    HP_TEXT_OK,
    HP_TEXT_NOT_TEXT,        /* bytes that no text file holds, at column */
    HP_TEXT_LINE_TOO_LONG,   /* number is the most allowed */
    HP_TEXT_UNKNOWN_KEY,     /* word */
    HP_TEXT_MISSING_KEY,     /* word: the key that should stand here or is nowhere */
    HP_TEXT_DOUBLE_KEY,      /* word */
    HP_TEXT_EXPECTED,        /* word: what should stand here instead */
    HP_TEXT_NUMBER_RANGE,    /* word: of what; low..high is what is allowed, number what was found */
    HP_TEXT_BAD_NUMBER,      /* word: what was found */
    HP_TEXT_BAD_NAME,        /* word */
    HP_TEXT_BAD_CARD,        /* word */
    HP_TEXT_CORNER_OUTSIDE,  /* number: a space beyond the lap's last, high */
    HP_TEXT_CORNER_TWICE,    /* number: the space */
    HP_TEXT_CORNER_ORDER,    /* number: the space that comes too late */
    HP_TEXT_TOO_MANY,        /* word: of what; high is the most */
    HP_TEXT_TOO_FEW,         /* word: of what; low is the least, number what was found */
    HP_TEXT_TOO_SHORT,       /* the lap: number spaces, low needed for grid and one turn */
    HP_TEXT_EXTRA,           /* word: something after the end of what is expected */
    HP_TEXT_UNKNOWN_ACT,     /* word */
    HP_TEXT_VERSION,         /* number is the version found, high the newest known */
    HP_TEXT_UNKNOWN_CIRCUIT, /* word */
    HP_TEXT_OTHER_FIGURES,   /* word: a circuit known here by that name has other figures */
    HP_TEXT_COMMITMENT,      /* word: seed or secret, whichever is not the one committed to */
    HP_TEXT_SEED_NOT_MIXED,  /* the seed is not the one that secret and salts make */
    HP_TEXT_CARDS_AMISS,     /* number: the car whose cards do not add up, word: the kind of card */
    HP_TEXT_SPOT_TAKEN,      /* number: the second car on one spot */
    HP_TEXT_IMPOSSIBLE,      /* word: the part of a position that no race can have */
    HP_TEXT_ILLEGAL_ACT,     /* refused is the reason, number the car */
    HP_TEXT_OTHER_HASH,      /* number: the round whose hash does not match */
    HP_TEXT_OTHER_RESULT,    /* the places at the end are not those of the race */
    HP_TEXT_CUT_OFF,         /* the text ends in the middle */
    HP_TEXT_FAULTS
} hp_text_fault;

typedef struct {
    hp_text_fault kind;
    int line;                  /* from 1; 0 where lines mean nothing */
    int column;                /* from 1; 0 where unknown */
    int32_t number, low, high; /* numbers in a text beyond a thousand million count as that */
    hp_error refused;
    char word[HP_NAME_MAX + 1]; /* printable; longer words are cut */
} hp_fault;

size_t hp_act_write(hp_act act, char *buffer, size_t size);
hp_text_fault hp_act_read(const char *text, size_t length, hp_act *act, hp_fault *fault);

char hp_card_letter(hp_card card); /* '0' to '5', 'H', 'S'; '?' for HP_NO_CARD */

/* A race in progress, hidden cards and generator included, in one line: docs/POSITION.md. The name is
 * the circuit's; figures are spelled out unless it is one of ours with just these. */
size_t hp_position_write(const hp_race *race, const char *circuit, char *buffer, size_t size);
hp_text_fault hp_position_read(const char *text, size_t length, hp_race *race, char circuit[HP_NAME_MAX + 1],
                               hp_fault *fault);

/* ---- Circuits --------------------------------------------------------------------------------- */

typedef struct {
    int16_t x, y;
} hp_point;

typedef enum { HP_LEFT, HP_RIGHT } hp_side;

/* A circuit file (docs/CIRCUITS.md): what the rules know, and what a screen draws. */
typedef struct {
    char name[HP_NAME_MAX + 1];  /* lower case, digits and hyphens */
    char title[HP_NAME_MAX + 1]; /* UTF-8, for screens without a translation of the name */
    hp_track track;
    uint8_t laps;                         /* as printed on the board */
    uint8_t side;                         /* hp_side of the race line at the start, in driving direction */
    uint8_t points;                       /* 0, or as many as spaces */
    uint8_t line_side[HP_CORNERS_MAX];    /* hp_side of the race line beyond each corner */
    uint8_t legend_after[HP_CORNERS_MAX]; /* the space that the legend line before each corner follows */
    hp_point canvas;                      /* size of the drawing */
    hp_point centre[HP_SPACES_MAX];       /* of each space */
} hp_circuit;

hp_text_fault hp_circuit_read(const char *text, size_t length, hp_circuit *circuit, hp_fault *fault);

/* The circuits that are built in, 0 to hp_circuits() - 1. */
int hp_circuits(void);
void hp_circuit_at(int index, hp_circuit *circuit);
bool hp_circuit_named(const char *name, hp_circuit *circuit);

/* ---- Race files ------------------------------------------------------------------------------- */

/* docs/RACE-FILES.md. A race file holds what is needed to play a race again: the set-up with its seed,
 * every act, and a hash at the start of each round. */
typedef struct {
    char circuit[HP_NAME_MAX + 1];
    char seat[HP_CARS_MAX][HP_NAME_MAX + 1]; /* who drove; may be empty */
    hp_setup setup;
    bool mixed; /* the seed was made of the following (hp_seed_mix), and the commitment is to the secret */
    uint8_t secret[32];
    uint8_t salt[HP_CARS_MAX][32]; /* zeroes for none */
} hp_head;

enum {
    HP_HEAD_TEXT = 1280, /* six seats and 14 corners are at most 640, a secret and six salts 504 more */
    HP_LINE_MAX = 255    /* of a race file or a circuit file, without the line's end */
};

size_t hp_head_write(const hp_head *head, char *buffer, size_t size);
/* A car and its act, "2 plan 3 1 4 4"; and, where a round begins, its hash, or at the end the result. */
size_t hp_act_line_write(int car, hp_act act, char *buffer, size_t size);
size_t hp_round_line_write(const hp_race *race, char *buffer, size_t size);

/* Reads a race file line by line and plays it. Zero it before the first line. */
typedef struct {
    hp_head head;
    hp_race race;      /* as it is after the lines read so far, once started */
    int32_t line;      /* lines read */
    int32_t acts;      /* acts played */
    uint8_t phase;     /* private: which line may come */
    uint8_t seats;     /* private */
    uint8_t salts;     /* private: the first seat whose salt may come */
    uint8_t started;   /* 1 once the head is complete and the race set up */
    uint8_t ended;     /* 1 once the result was read */
    uint8_t round_due; /* private: a round line must come next */
    uint8_t act_car;   /* who played the last act, and what: meaningful when acts grows */
    hp_act act;
    uint8_t commitment[32];
} hp_reader;

/* One line without its end. A fault leaves the reader as it was but for line. */
hp_text_fault hp_read_line(hp_reader *reader, const char *line, size_t length, const hp_listener *listener,
                           hp_fault *fault);
/* After the last line: HP_TEXT_CUT_OFF when the head is incomplete. A race that has not ended is no
 * fault: reader->ended tells. */
hp_text_fault hp_read_end(const hp_reader *reader, hp_fault *fault);

/* ---- Seeds ------------------------------------------------------------------------------------ */

void hp_sha256(const void *data, size_t length, uint8_t digest[32]);

/* The commitment to a seed, or to the secret of a mixed one, is its SHA-256, so that anybody can check it
 * with common tools. */
void hp_commitment(const uint8_t seed[HP_SEED_BYTES], uint8_t digest[32]);

/* The seed of race number index among many: SHA-256 of both numbers, eight bytes each, low byte first. */
void hp_seed_of(uint64_t seed, uint64_t index, uint8_t out[HP_SEED_BYTES]);

/* A seed that nobody can choose: SHA-256 of a secret, committed to before anybody brings a salt, and of 32
 * bytes for each seat, its salt or zeroes. For at most HP_CARS_MAX cars. */
void hp_seed_mix(const uint8_t secret[32], const uint8_t salt[][32], int cars, uint8_t seed[HP_SEED_BYTES]);

void hp_hex_write(const uint8_t bytes[32], char text[HP_SEED_TEXT]);
bool hp_hex_read(const char *text, size_t length, uint8_t bytes[32]);

/* ---- The event log ---------------------------------------------------------------------------- */

/* JSON Lines as docs/EVENTS.md says. It holds hidden cards: never send it while the race runs. */
enum { HP_EVENT_TEXT = 1024 }; /* the first line is the longest: 14 corners of 25, a seed, a name */

size_t hp_event_head_write(const hp_head *head, char *buffer, size_t size); /* the "race" line */
size_t hp_event_write(const hp_event *event, char *buffer, size_t size);

/* ---- After the race --------------------------------------------------------------------------- */

enum {
    /* A card adds 2.5 to the speed on average: a car that never leaves 1st gear covers the longest race, nine
     * laps of 128 spaces, in 461 rounds. */
    HP_SUMMARY_ROUNDS = 512,
    /* Brackets and commas between the cars 47; a car 363, with thirteen counts of ten digits; a position and an
     * engine with their commas 5 a round. */
    HP_SUMMARY_TEXT = 47 + HP_CARS_MAX * (363 + 5 * HP_SUMMARY_ROUNDS)
};

typedef struct {
    uint32_t rounds;                    /* in which it took its turn */
    uint32_t heat_shifts, heat_corners; /* Heat paid; each boost is one more */
    uint32_t cooled;                    /* Heat that came back */
    uint32_t spins, boosts, slipstreams;
    uint32_t blocked;       /* moves that ended short (R4.4) */
    uint32_t stress_played; /* those of cluttered hands, too */
    uint32_t stress_taken;  /* by spinning out */
    uint32_t flips;         /* cards turned over, for stress and boosts */
    uint32_t cluttered;     /* turns */
    uint8_t top_speed;
    uint8_t place; /* from 1; 0 while racing */
    uint8_t retired;
    int8_t spent; /* Heat paid and not cooled so far; -1 with the upgrade in the engine, too */
} hp_car_summary;

/* Figures of one race. Zero it before the race, and let it hear every event from hp_start on, as anybody may
 * see it: nothing here depends on hidden cards. Of a race longer than HP_SUMMARY_ROUNDS the later rounds are
 * counted like all others; only what is kept by round ends there. */
typedef struct {
    hp_car_summary car[HP_CARS_MAX];
    uint16_t rounds;  /* begun */
    uint8_t finished; /* cars */
    uint8_t ended;
    /* At the start of each round: 1 for the car that leads, the place for one that has left the circuit. */
    uint8_t position[HP_SUMMARY_ROUNDS][HP_CARS_MAX];
    int8_t spent[HP_SUMMARY_ROUNDS][HP_CARS_MAX];
} hp_summary;

void hp_summary_hear(hp_summary *summary, const hp_event *event);

/* One line of JSON as docs/RACE-FILES.md says. The set-up is that of the race. */
size_t hp_summary_write(const hp_summary *summary, const hp_setup *setup, char *buffer, size_t size);

/* ---- A view as text --------------------------------------------------------------------------- */

/* One line of JSON as docs/BOT-PROTOCOL.md says: all that the view holds, and so nothing hidden. */
enum { HP_VIEW_TEXT = 4096 }; /* a head of at most 650, six cars of at most 300 each, own things of 700 */

size_t hp_view_write(const hp_view *view, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
