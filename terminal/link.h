/* A table to talk to, whoever keeps it: this process (local.c), a server (net.c), or a race file (replay.c). What
 * comes from it are the messages of docs/PROTOCOL.md, so that no screen knows who answers. Besides those:
 *
 *     {"m":"status","word":"lost"}      the connection is gone and is being tried again; "open": it is back;
 *                                       "gone": there is no such race, or the seat is somebody else's;
 *                                       "ends": of a race file that stops before the race is over
 *     {"m":"hint","acts":[...]}         what a champion thinks, best first: {"act","win","place"}, in per mille
 *                                       and hundredths; {"m":"hint","code":"not_here"} where nobody can be
 *                                       asked, and "past" when the decision has been made meanwhile
 *
 * Nothing here waits: wake is readable when work() has something to do. An error "not_kept" means that the disk did
 * not take an entry; work() tries again. */
#ifndef HP_TERMINAL_LINK_H
#define HP_TERMINAL_LINK_H

#include "table/table.h"

#include <jansson.h>

enum { WHY = 512, ID_TEXT = TABLE_ID + 1 };

typedef struct link_message {
    struct link_message *next;
    json_t *json;
} link_message;

typedef struct table_link table_link;

struct table_link {
    void (*say)(table_link *l, const char *line); /* a line of the protocol, or one of replay.c's */
    /* From now on as that seat sees it, -1: as everybody does. The state comes at once. Only where more than one
     * person sits at this terminal. */
    void (*look)(table_link *l, int seat);
    void (*hint)(table_link *l); /* for the seat that looks */
    void (*work)(table_link *l); /* takes in what has happened elsewhere */
    void (*close)(table_link *l);
    int wake;
    uint8_t people; /* bit by seat: who sits at this terminal; 0 for those who only watch */
    bool remote;    /* on a server, */
    bool over;      /* and the race there is over */
    int64_t ahead;  /* milliseconds from our clock to the table's, as far as we know */
    bool replay;    /* understands "next", "back", "round" and "end" (replay.c) */
    hp_circuit circuit;
    char gone[WHY];      /* why there is nothing to talk to any more, after the status "gone" */
    char race_file[512]; /* where the race is written down once it is over, "" for nowhere */
    void (*faults)(table_link *l,
                   void (*tell)(const char *sentence)); /* of programs at the wheel; NULL: none drive */
    link_message *first, *last;
};

/* The next message, to be decref'ed; NULL when there is none. */
json_t *link_next(table_link *l);
bool link_waiting(const table_link *l); /* whether there is one */
/* For those who implement a link; takes the message over. NULL (not JSON) is left out. */
void link_give(table_link *l, json_t *message);
void link_give_text(table_link *l, const char *text, size_t length);
void link_status(table_link *l, const char *word);
void link_empty(table_link *l);

/* Milliseconds since 1970, by our clock and by the table's: times in messages are the table's. */
int64_t link_clock(void);
int64_t link_now(const table_link *l);

/* Memory that is there, or the program ends: nothing confirmed is lost by that. */
void *must_have(void *memory);

/* ---- Kinds -------------------------------------------------------------------------------------- */

/* A new race in this process, kept in a file of its own. The circuit's text is NULL for one that is built in. A
 * seat's program, where there is one, drives instead of its bot, as long as this process keeps the race. NULL, with
 * a sentence in why. */
table_link *local_open(const table_settings *settings, const hp_circuit *circuit, const char *circuit_text,
                       const char *const program[HP_CARS_MAX], char why[WHY]);
/* One that was kept. */
table_link *local_resume(const char *path, char why[WHY]);

/* The same race once more: same seats, other cards. Closes the one that is over. */
table_link *local_again(table_link *over, char why[WHY]);

/* A race file, from its start. */
table_link *replay_open(const char *path, char why[WHY]);

#endif
