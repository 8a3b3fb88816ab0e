/* Racing in a terminal: what cli/ calls. */
#ifndef HP_TERMINAL_H
#define HP_TERMINAL_H

#include "table/table.h"
#include "terminal/link.h"

/* A race as somebody wants it. */
typedef struct {
    hp_circuit circuit;
    char *circuit_text; /* of one that is not built in; else NULL */
    int laps;
    int people;
    char name[HP_CARS_MAX][HP_NAME_MAX + 1];
    int opponents;
    table_level level[HP_CARS_MAX];
    const char *program[HP_CARS_MAX]; /* that drives instead (docs/BOT-PROTOCOL.md); NULL for none */
    char *vs;                         /* the text that they are named in, or NULL */
    bool seeded;                      /* the same seed gives the same cards */
    uint64_t seed;
} wish;

typedef struct {
    bool lines; /* line mode, although there is a terminal */
    bool still; /* nothing moves */
} manner;

typedef enum { SCREEN_QUIT, SCREEN_AGAIN, SCREEN_INTERRUPTED } screen_end;

typedef enum { TERMINAL_FINE, TERMINAL_FAILED, TERMINAL_INTERRUPTED } terminal_end;

/* Before anything else. False when there is a terminal that can be painted on and is not wanted, or none: then
 * everything is said in lines. */
bool terminal_open(const manner *how);
void terminal_close(void);

/* Races as wished, or with NULL as chosen from a menu, which also offers to go on with those that were kept;
 * otherwise says what a menu begins with. With TERMINAL_FAILED there is a sentence in why. */
terminal_end terminal_race(const manner *how, wish *w, bool choose, char why[WHY]);
terminal_end terminal_go_on(const manner *how, char why[WHY]); /* with the newest race that was kept */
/* Link and name for joining, see join.c. */
terminal_end terminal_join(const manner *how, const char *address, const char *id, const char *name,
                           char why[WHY]);
terminal_end terminal_watch(const manner *how, const char *what, const char *id, char why[WHY]);

/* ---- Inside ------------------------------------------------------------------------------------- */

/* A menu's answer: begin the race wished, or go on with a kept one. */
typedef enum { MENU_RACE, MENU_GO_ON, MENU_QUIT } menu_choice;
menu_choice menu_run(wish *w, char path[], size_t size);
menu_choice lines_menu(wish *w, char path[], size_t size);

screen_end screen_run(table_link *l, bool still, char rematch[ID_TEXT], bool *gone);
screen_end lines_run(table_link *l, char rematch[ID_TEXT], bool *gone);

/* net.c: a race on a server. With a name a seat is taken where none is ours yet; NULL only watches. */
table_link *net_join(const char *address, const char *id, const char *name, char why[WHY]);
/* The rematch of that race, in the seat that is kept there. Closes the one that is over. */
table_link *net_again(table_link *over, const char *id, char why[WHY]);
bool net_is_address(const char *text);
/* How to come back: what belongs to "--join". False when the seat's token could not be kept here; then it is in it. */
bool net_where(const table_link *l, char *text, size_t size);

#endif
