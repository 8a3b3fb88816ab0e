/* Sentences for people: what happened, what an act would lead to, what a step is about. The same on the screen
 * and in line mode. */
#ifndef HP_TERMINAL_TELL_H
#define HP_TERMINAL_TELL_H

#include "cli/words.h"
#include "terminal/scene.h"

enum { TELL = SENTENCE_MAX };

/* Told of each sentence; car is whom it is about, or -1. */
typedef struct {
    void (*line)(void *self, const char *sentence, int car);
    void *self;
} teller;

/* An entry that is no act, and each event of an entry. */
void tell_entry(const json_t *entry, const scene *s, const teller *to);
void tell_event(const json_t *event, const scene *s, const teller *to);

/* "7 spaces"-like places: the lap, the space and whether it is the race line. */
void tell_place(hp_place place, const scene *s, char *text, size_t size);

/* What "foresee" answered, in up to OUTCOME_LINES lines: speed, place and price; corners; risk. */
enum { OUTCOME_LINES = 3 };
typedef struct {
    char line[OUTCOME_LINES][TELL]; /* "" for nothing to say */
    bool bad;                       /* it may spin out, or will not move */
} outcome;
void tell_outcome(const json_t *foresight, const scene *s, outcome *o);

/* "Boost for 1 Heat", for an act of a turn or a plan. */
void tell_act(const char *act, char *text, size_t size);

const char *tell_title(hp_step step); /* "Plan your turn" */
const char *tell_help(hp_step step);  /* what it is about */
const char *tell_rule(hp_step step);  /* "R3" */
/* Why something was refused, by the protocol's code. */
const char *tell_code(const char *code);
/* Whom the race waits for, or how it ended. */
void tell_waiting(const scene *s, char *text, size_t size);
const char *tell_phrase(int number);

/* Percent of a per mille, "12 %". */
void tell_percent(int per_mille, char *text, size_t size);

#endif
