/* What the parts of this program share: one run, in one thread. */
#ifndef LOAD_LOAD_H
#define LOAD_LOAD_H

#include "bench/load/figures.h"
#include "bench/load/message.h"
#include "bench/load/wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

enum {
    OPENERS = 32, /* HTTP connections: answers wait for the disk, so that one would take long */
    AT_ONCE = 64, /* WebSockets being made: below what a listening socket keeps waiting */
    BATCH = 64,   /* acts sent before looking who has answered */
    TRIES = 3,    /* of a request whose connection was lost */
    COMPLAINTS = 8,
    HOLD_SECONDS = 10,
    MS = 1000 * 1000,
};

typedef enum { OPENER, SEAT } kind;

/* Opens one table after the other, and takes its seats. */
typedef struct {
    kind kind; /* first here and in seat: epoll hands us either */
    wire wire;
    long table;
    long step;  /* 0: opens the table; else takes seat step - 1 */
    bool asked; /* an answer is due */
    int tries;
} opener;

typedef enum { NEW, OPENING, JOINING, THERE, OVER, LOST } seat_state;

typedef struct {
    kind kind;
    wire wire;
    seat_state state;
    bool queued;  /* for sending its act */
    bool refused; /* its last act was */
    int number;   /* -1: a spectator */
    long table;
    long newest;      /* entry */
    uint64_t sent_at; /* when the act was sent that is not confirmed; 0: there is none */
    char token[64];
    char act[ACT_TEXT]; /* chosen, not sent; "": none */
} seat;

typedef struct {
    char id[64];
    long over; /* seats that know that it is */
    bool broken;
} table;

typedef struct {
    figures f;
    long pid, seconds;
    bool json;
    char where[300]; /* host:port */
    struct sockaddr_storage address;
    socklen_t address_length;
    int epoll;
    uint64_t dice, deadline, told; /* told: when progress was last shown */

    opener openers[OPENERS];
    table *tables;
    long n_tables, tables_taken, tables_ready; /* taken: by an opener */

    seat *seats;
    long next_seat, opening; /* all before next_seat have been begun; opening: those not there yet */
    long settled;            /* races that are over or broken */

    seat **queue; /* a ring: each seat is in it once at most */
    size_t head, waiting;
    double credit; /* acts that the rate allows now */
    uint64_t credit_at, first_act, last_act;

    uint64_t pause_until, pause; /* when the server said 429, and for how long next time */
    int complaints;
} load_run;

extern load_run load;

/* ---- load.c ------------------------------------------------------------------------------------- */

uint64_t now(void); /* nanoseconds */
/* The first few are told: thousands would say the same. */
__attribute__((format(printf, 1, 2))) void complain(const char *format, ...);
/* There is nothing to measure any more: the run ends. */
void give_up(const char *why);
/* The server has said 429: for how many seconds, or 0 if it did not say. */
void wait_a_little(int seconds);
void no_more_waiting(void);
const char *why_lost(const wire *w);

/* ---- tables.c: opens tables and takes seats over HTTP ------------------------------------------- */

void openers_start(void);
void openers_pump(void); /* asks what can be asked now */
void opener_event(opener *o);

/* ---- seats.c: sits at the tables over WebSockets, and races ------------------------------------- */

void seats_pump(void); /* begins connections that can be begun now */
void seat_event(seat *s);
void acts_pump(void); /* sends acts that may be sent now */
/* Says what the first few races wait for that are not over. */
void tell_unfinished(void);

#endif
