/* Where tables live when nobody looks: everything that touches storage stands behind this. Today it is
 * SQLite in one folder. A store has one thread that writes; what is appended while it is busy goes into
 * its next transaction together, and is told to be safe when that is on the disk. */
#ifndef HP_SERVER_STORE_H
#define HP_SERVER_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct store store;

enum { STORE_ERROR = 256, STORE_ID = 32 };

/* Opens the data folder, making it where there is none. Only one server at a time may have it: a second one
 * is refused while the first lives (its lease). NULL after saying why in error. done is called by the
 * writing thread, and must not call the store: everything up to that ticket is on the disk (or, when good is
 * false, never will be: the store has failed, and nothing more is written). */
store *store_open(const char *folder, void (*done)(void *self, uint64_t ticket, bool good), void *self,
                  char error[STORE_ERROR]);

/* Writes what is queued, and ends. */
void store_close(store *s);

/* Why the store has failed, in the database's words; "" while it has not. */
void store_trouble(store *s, char error[STORE_ERROR]);

/* These queue a write and return its ticket, which grows by one each time; texts are copied. 0 without
 * memory, or after the store has failed. */
uint64_t store_create(store *s, const char *id, uint64_t time, bool listed, const char *settings,
                      const char *circuit);
uint64_t store_append(store *s, const char *id, uint32_t n, uint64_t time, int seat, const char *line,
                      size_t length);
/* The race is over: its entries move into the table's own row, where store_load finds them. */
uint64_t store_finish(store *s, const char *id, uint64_t time);
/* Removes races that were finished before that time, a number of them: to be called again and again. What is
 * still said at one of them goes nowhere. */
uint64_t store_forget(store *s, uint64_t before);

/* A table as it was stored. Texts live until the function that was given it returns. */
typedef struct {
    const char *id;
    uint64_t time;
    bool listed, finished;
    bool damaged; /* some of its entries are missing: none is told */
    const char *settings, *circuit;
} store_table;

typedef struct {
    uint32_t n;
    uint64_t time;
    int seat;
    const char *line;
    size_t length;
} store_entry;

typedef struct {
    bool (*table)(void *self, const store_table *table); /* false stops the reading */
    bool (*entry)(void *self, const store_entry *entry); /* of the table just told, in order */
    void *self;
} store_reader;

/* Every table that is not finished, oldest first; before anything is appended. False when the database cannot
 * be read, or the reader stopped. */
bool store_load_all(store *s, const store_reader *reader);
/* One table, finished or not. False when there is none, or not all of it. Reads what is on the disk, in the calling
 * thread. */
bool store_load(store *s, const char *id, const store_reader *reader);

typedef struct {
    uint64_t commits, writes;
    uint64_t microseconds, longest; /* of commits */
    uint64_t bytes;                 /* of the database's files */
    uint64_t waiting;               /* writes queued now */
} store_figures;

void store_measure(store *s, store_figures *figures);

#endif
