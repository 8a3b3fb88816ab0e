/* The store in SQLite: one file, races.db, that a host can copy and look into.
 *
 * A table is a row of `tables`. What happens at it is appended to `entries`, where all tables are mixed as it
 * comes, and nothing else is written for it: no index, no count, no older page. So a commit of many acts is a
 * few pages in a row and one fsync, and that is what makes thousands of them a second possible.
 *
 * With no index, the entries of one table are found along a chain: each tells its table's previous one, and
 * the last of each unfinished table is kept in memory (`live`). When a race is over its entries are copied
 * into its row as one text, the log. What that leaves behind in `entries` is removed when the store is opened
 * next, all at once; a race that is over has no use for it, and removing it then would touch old pages. */
#define _POSIX_C_SOURCE 200809L
#include "server/store.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <search.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    VERSION = 1,              /* of the schema */
    APPLICATION = 0x6870696e, /* "hpin": marks a database as ours */
    BATCH = 512,              /* writes in a transaction at most, so that none waits long for others */
    BUSY_TIME = 10000,        /* ms to wait for somebody who looks into the database with other tools */
    PATH_BYTES = 4096
};
#define FORGET_AT_ONCE "200" /* races removed in a transaction, likewise */

#define DATABASE "races.db"

static const char schema[] =
    "BEGIN IMMEDIATE;"
    "CREATE TABLE tables(id TEXT PRIMARY KEY NOT NULL, time INTEGER NOT NULL, listed INTEGER NOT NULL,"
    " settings TEXT NOT NULL, circuit TEXT NOT NULL, finished INTEGER, log TEXT,"
    " CHECK((finished IS NULL) = (log IS NULL)));"
    /* So that starting takes as long as there are races going on, not as long as there ever were. */
    "CREATE INDEX unfinished ON tables(time) WHERE finished IS NULL;"
    "CREATE TABLE entries(seq INTEGER PRIMARY KEY, previous INTEGER NOT NULL, id TEXT NOT NULL,"
    " n INTEGER NOT NULL, time INTEGER NOT NULL, seat INTEGER NOT NULL, line TEXT NOT NULL);";

/* Younger than the others, and made where it is missing, so that races to be removed are found at once. */
static const char by_end[] =
    "CREATE INDEX IF NOT EXISTS by_end ON tables(finished) WHERE finished IS NOT NULL";

typedef enum {
    BEGIN,
    COMMIT,
    ROLLBACK,
    CREATE,
    APPEND,
    APPEND_LATE,
    FINISH,
    FORGET,
    CHAIN,
    ENTRIES,
    TABLE,
    UNFINISHED,
    STATEMENTS
} statement;

/* Entries come as n, time, seat, line, id and previous; tables as their row has them. */
static const char *const sql[STATEMENTS] = {
    [BEGIN] = "BEGIN",
    [COMMIT] = "COMMIT",
    [ROLLBACK] = "ROLLBACK",
    [CREATE] = "INSERT INTO tables(id, time, listed, settings, circuit) VALUES(?1, ?2, ?3, ?4, ?5)",
    [APPEND] = "INSERT INTO entries(previous, id, n, time, seat, line) VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
    [APPEND_LATE] = "UPDATE tables SET log = log || ?2 WHERE id = ?1 AND finished IS NOT NULL",
    [FINISH] = "UPDATE tables SET finished = ?2, log = ?3 WHERE id = ?1",
    [FORGET] = "DELETE FROM tables WHERE rowid IN"
               " (SELECT rowid FROM tables WHERE finished < ?1 LIMIT " FORGET_AT_ONCE ")",
    [CHAIN] = "WITH RECURSIVE chain(seq) AS (VALUES(?1) UNION ALL SELECT previous FROM chain JOIN entries"
              " USING(seq) WHERE previous BETWEEN 1 AND seq - 1)"
              " SELECT n, time, seat, line, id, previous FROM entries WHERE seq IN (SELECT seq FROM chain)"
              " ORDER BY seq",
    [ENTRIES] = "SELECT n, time, seat, line, id, previous, seq FROM entries ORDER BY seq",
    [TABLE] = "SELECT id, time, listed, settings, circuit, finished, log FROM tables WHERE id = ?1",
    [UNFINISHED] = ("SELECT id, time, listed, settings, circuit, finished, log FROM tables"
                    " WHERE finished IS NULL ORDER BY time, rowid"),
};

typedef struct {
    sqlite3 *db;
    sqlite3_stmt *prepared[STATEMENTS];
} connection;

/* A table that is not finished. Only the writing thread changes these and their tree, under the lock. */
typedef struct {
    const char *id; /* first: by_id reads it there */
    int64_t last;   /* its last entry that is on the disk, or 0 */
    int64_t newest; /* its last entry, for the writing thread alone */
    bool over;      /* finished in the transaction that is being written; likewise */
    bool damaged;   /* its chain had a gap when the store was opened */
} live;

typedef enum { JOB_CREATE, JOB_APPEND, JOB_FINISH, JOB_FORGET } job_kind;

/* A write that waits. */
typedef struct job {
    struct job *next;
    job_kind kind;
    uint64_t ticket, time;
    uint32_t n;
    int seat;
    bool listed;
    live *table; /* found by the writing thread; NULL when the table is finished already */
    const char *id, *settings, *circuit, *line; /* all of them in text */
    size_t length;                              /* of line */
    char text[];
} job;

struct store {
    void (*done)(void *self, uint64_t ticket, bool good);
    void *self;
    int folder, lease;  /* descriptors */
    dev_t device;       /* where races.db was when it was opened, */
    ino_t node;         /* and which file it was */
    connection writing; /* the writing thread's, once there is one; */
    bool forgetful;     /* so is this: it has removed races */
    connection reading;
    pthread_mutex_t reading_lock; /* for reading */
    pthread_t thread;
    bool has_thread;

    pthread_mutex_t lock; /* for all that follows */
    pthread_cond_t queued;
    job *first, **end;
    uint64_t tickets, concluded; /* the last one given out, and the last that done was or will be told */
    bool closing, failed;
    char trouble[STORE_ERROR]; /* why it failed */
    void *tables;              /* a tree of live */
    store_figures figures;
};

/* ---- Texts and trees ----------------------------------------------------------------------------- */

typedef struct {
    char *bytes; /* and a NUL behind them */
    size_t length, size;
} text;

static bool text_add(text *t, const char *bytes, size_t length)
{
    if (length >= t->size - t->length) {
        const size_t size = 2 * t->size + length + 1;
        char *larger = realloc(t->bytes, size);
        if (larger == NULL)
            return false;
        t->bytes = larger;
        t->size = size;
    }
    memcpy(t->bytes + t->length, bytes, length);
    t->length += length;
    t->bytes[t->length] = '\0';
    return true;
}

/* A log has for each entry "N TIME SEAT LENGTH LINE" and a line feed; the length makes any line safe. */
static bool log_add(text *log, const store_entry *entry)
{
    char head[96];
    const int length = snprintf(head, sizeof head, "%u %lld %d %zu ", (unsigned)entry->n,
                                (long long)entry->time, entry->seat, entry->length);
    return text_add(log, head, (size_t)length) && text_add(log, entry->line, entry->length) &&
           text_add(log, "\n", 1);
}

static bool log_number(const char **at, long long *number)
{
    char *end;
    errno = 0;
    *number = strtoll(*at, &end, 10);
    if (errno != 0 || end == *at || *end != ' ')
        return false;
    *at = end + 1;
    return true;
}

/* False when the log is damaged, or the reader stopped. */
static bool log_tell(const text *log, const store_reader *reader)
{
    const char *at = log->bytes, *const end = log->bytes + log->length;
    while (at < end) {
        long long n, time, seat, length;
        if (!log_number(&at, &n) || !log_number(&at, &time) || !log_number(&at, &seat) ||
            !log_number(&at, &length) || length < 0 || length >= end - at || at[length] != '\n')
            return false;
        const store_entry entry = {.n = (uint32_t)n,
                                   .time = (uint64_t)time,
                                   .seat = (int)seat,
                                   .line = at,
                                   .length = (size_t)length};
        if (!reader->entry(reader->self, &entry))
            return false;
        at += length + 1;
    }
    return true;
}

/* What is in a tree begins with its id. */
static int by_id(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void *find(void *const *tree, const char *id)
{
    void *const *node = tfind(&id, tree, by_id);
    return node != NULL ? *node : NULL;
}

/* ---- Statements ---------------------------------------------------------------------------------- */

static int64_t column_number(sqlite3_stmt *st, int column)
{
    return sqlite3_column_int64(st, column);
}

static const char *column_text(sqlite3_stmt *st, int column)
{
    return (const char *)sqlite3_column_text(st, column);
}

static void bind_text(sqlite3_stmt *st, int parameter, const char *bytes, size_t length)
{
    /* The text outlives the step. What cannot be bound is NULL then, which no column takes. */
    sqlite3_bind_text64(st, parameter, bytes, length, SQLITE_STATIC, SQLITE_UTF8);
}

/* Runs a statement that has no rows. */
static bool run(connection *c, statement which)
{
    const bool good = sqlite3_step(c->prepared[which]) == SQLITE_DONE;
    return sqlite3_reset(c->prepared[which]) == SQLITE_OK && good;
}

/* Ends the reading of rows, the last of which gave this result. */
static bool end(sqlite3_stmt *st, int result)
{
    sqlite3_reset(st);
    return result == SQLITE_DONE;
}

static store_entry entry_of(sqlite3_stmt *st)
{
    return (store_entry){.n = (uint32_t)column_number(st, 0),
                         .time = (uint64_t)column_number(st, 1),
                         .seat = sqlite3_column_int(st, 2),
                         .line = column_text(st, 3),
                         .length = (size_t)sqlite3_column_bytes(st, 3)};
}

/* Adds all entries of the table whose last one this is; 0 when there is none. */
static bool gather(connection *c, int64_t last, text *log)
{
    sqlite3_stmt *st = c->prepared[CHAIN];
    bool good = true, whole = last == 0;
    int result;
    sqlite3_bind_int64(st, 1, last);
    while ((result = sqlite3_step(st)) == SQLITE_ROW && good) {
        const store_entry entry = entry_of(st);
        whole |= column_number(st, 5) == 0; /* it begins at the beginning */
        good = entry.line != NULL && log_add(log, &entry);
    }
    return end(st, result) && good && whole;
}

static bool prepare(connection *c)
{
    for (int i = 0; i < STATEMENTS; i++)
        if (sqlite3_prepare_v3(c->db, sql[i], -1, SQLITE_PREPARE_PERSISTENT, &c->prepared[i], NULL) !=
            SQLITE_OK)
            return false;
    return true;
}

static void disconnect(connection *c)
{
    for (int i = 0; i < STATEMENTS; i++)
        sqlite3_finalize(c->prepared[i]);
    sqlite3_close(c->db);
}

/* ---- Writing ------------------------------------------------------------------------------------- */

static live *add_live(store *s, const char *id)
{
    const size_t size = strlen(id) + 1;
    live *table = calloc(1, sizeof *table + size);
    if (table == NULL)
        return NULL;
    table->id = memcpy(table + 1, id, size);
    pthread_mutex_lock(&s->lock);
    const bool added = tsearch(table, &s->tables, by_id) != NULL;
    pthread_mutex_unlock(&s->lock);
    if (!added)
        free(table);
    return added ? table : NULL;
}

/* An id that exists already is our own mistake, and fails. */
static bool write_create(store *s, job *j)
{
    sqlite3_stmt *st = s->writing.prepared[CREATE];
    bind_text(st, 1, j->id, strlen(j->id));
    sqlite3_bind_int64(st, 2, (int64_t)j->time);
    sqlite3_bind_int(st, 3, j->listed);
    bind_text(st, 4, j->settings, strlen(j->settings));
    bind_text(st, 5, j->circuit, strlen(j->circuit));
    return run(&s->writing, CREATE) && (j->table = add_live(s, j->id)) != NULL;
}

/* Something is still said at a table whose race is over: a phrase, a rematch. That is rare, and may cost. */
static bool write_late(store *s, const job *j, const store_entry *entry)
{
    sqlite3_stmt *st = s->writing.prepared[APPEND_LATE];
    text log = {0};
    bool good = log_add(&log, entry);
    if (good) {
        bind_text(st, 1, j->id, strlen(j->id));
        bind_text(st, 2, log.bytes, log.length);
        good = run(&s->writing, APPEND_LATE) && (sqlite3_changes(s->writing.db) == 1 || s->forgetful);
    }
    free(log.bytes);
    return good;
}

static bool write_append(store *s, job *j)
{
    sqlite3_stmt *st = s->writing.prepared[APPEND];
    if (j->table == NULL) {
        const store_entry entry = {
            .n = j->n, .time = j->time, .seat = j->seat, .line = j->line, .length = j->length};
        return write_late(s, j, &entry);
    }
    sqlite3_bind_int64(st, 1, j->table->newest);
    bind_text(st, 2, j->id, strlen(j->id));
    sqlite3_bind_int64(st, 3, j->n);
    sqlite3_bind_int64(st, 4, (int64_t)j->time);
    sqlite3_bind_int(st, 5, j->seat);
    bind_text(st, 6, j->line, j->length);
    if (!run(&s->writing, APPEND))
        return false;
    j->table->newest = sqlite3_last_insert_rowid(s->writing.db);
    return true;
}

static bool write_finish(store *s, job *j)
{
    sqlite3_stmt *st = s->writing.prepared[FINISH];
    text log = {0};
    if (j->table == NULL)
        return true; /* it is already */
    bool good = text_add(&log, "", 0) && gather(&s->writing, j->table->newest, &log);
    if (good) {
        bind_text(st, 1, j->id, strlen(j->id));
        sqlite3_bind_int64(st, 2, (int64_t)j->time);
        bind_text(st, 3, log.bytes, log.length);
        good = run(&s->writing, FINISH);
    }
    free(log.bytes);
    j->table->over = true;
    return good;
}

static bool write_forget(store *s, const job *j)
{
    sqlite3_bind_int64(s->writing.prepared[FORGET], 1, (int64_t)j->time);
    s->forgetful = true;
    return run(&s->writing, FORGET);
}

static bool write_job(store *s, job *j)
{
    j->table = find(&s->tables, j->id);
    if (j->table != NULL && j->table->over)
        j->table = NULL;
    switch (j->kind) {
    case JOB_CREATE:
        return write_create(s, j);
    case JOB_APPEND:
        return write_append(s, j);
    case JOB_FINISH:
        return write_finish(s, j);
    case JOB_FORGET:
        return write_forget(s, j);
    }
    return false;
}

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

/* What is written to a file that was removed is gone when the program ends. */
static bool still_there(const store *s)
{
    struct stat about;
    return fstatat(s->folder, DATABASE, &about, 0) == 0 && about.st_dev == s->device &&
           about.st_ino == s->node;
}

/* All of them, or none. Should the disk break down while it is told to keep a transaction, a later start may
 * find it after all; nobody was told so, and it is whole. */
static bool commit(store *s, job *first)
{
    bool good = run(&s->writing, BEGIN);
    for (job *j = first; j != NULL && good; j = j->next)
        good = write_job(s, j);
    good = good && run(&s->writing, COMMIT);
    const bool gone = good && !still_there(s);
    if (!good || gone) {
        pthread_mutex_lock(&s->lock);
        snprintf(s->trouble, sizeof s->trouble, "%s",
                 gone ? DATABASE " is no longer in its folder" : sqlite3_errmsg(s->writing.db));
        pthread_mutex_unlock(&s->lock);
    }
    good = good && !gone;
    if (!good && !sqlite3_get_autocommit(s->writing.db))
        run(&s->writing, ROLLBACK);
    return good;
}

/* Readers may know of it now. Under the lock. */
static void publish(store *s, job *first, uint64_t took)
{
    s->figures.commits++;
    s->figures.microseconds += took;
    if (took > s->figures.longest)
        s->figures.longest = took;
    for (job *j = first; j != NULL; j = j->next) {
        s->figures.writes++;
        s->concluded = j->ticket;
        if (j->table == NULL)
            continue;
        j->table->last = j->table->newest;
        if (j->kind == JOB_FINISH) { /* the last that has found it */
            tdelete(j->table, &s->tables, by_id);
            free(j->table);
        }
    }
}

static void free_jobs(job *first)
{
    while (first != NULL) {
        job *next = first->next;
        free(first);
        first = next;
    }
}

/* Takes up to that many from the queue. Under the lock. */
static job *take(store *s, int most)
{
    job *first = s->first, **cut = &s->first;
    while (*cut != NULL && most-- > 0)
        cut = &(*cut)->next;
    job *rest = *cut;
    *cut = NULL;
    if (rest == NULL)
        s->end = &s->first;
    s->first = rest;
    return first;
}

/* No ticket is given out after this, so that this is the last word on all of them. */
static void give_up(store *s)
{
    pthread_mutex_lock(&s->lock);
    s->failed = true;
    s->concluded = s->tickets;
    job *rest = take(s, INT_MAX);
    pthread_mutex_unlock(&s->lock);
    free_jobs(rest);
    s->done(s->self, s->concluded, false);
}

/* The writing thread. While it waits for the disk the queue grows, and is its next transaction. */
static void *write_all(void *self)
{
    store *s = self;
    for (bool good = true; good;) {
        pthread_mutex_lock(&s->lock);
        while (s->first == NULL && !s->closing)
            pthread_cond_wait(&s->queued, &s->lock);
        job *first = take(s, BATCH);
        pthread_mutex_unlock(&s->lock);
        if (first == NULL)
            return NULL;

        const uint64_t start = now();
        if ((good = commit(s, first))) {
            pthread_mutex_lock(&s->lock);
            publish(s, first, now() - start);
            const uint64_t ticket = s->concluded;
            pthread_mutex_unlock(&s->lock);
            s->done(s->self, ticket, true);
        }
        free_jobs(first);
    }
    give_up(s);
    return NULL;
}

/* ---- Queueing ------------------------------------------------------------------------------------ */

static const char *put(char **at, const char *bytes, size_t length)
{
    char *start = *at;
    memcpy(start, bytes, length);
    start[length] = '\0';
    *at += length + 1;
    return start;
}

/* Copies the texts; those that the kind of write does not have are "". */
static job *new_job(job_kind kind, const char *id, const char *settings, const char *circuit,
                    const char *line, size_t length)
{
    const size_t of_id = strlen(id), of_settings = strlen(settings), of_circuit = strlen(circuit);
    job *j = calloc(1, sizeof *j + of_id + of_settings + of_circuit + length + 4);
    if (j == NULL)
        return NULL;
    char *at = j->text;
    j->kind = kind;
    j->id = put(&at, id, of_id);
    j->settings = put(&at, settings, of_settings);
    j->circuit = put(&at, circuit, of_circuit);
    j->line = put(&at, line, length);
    j->length = length;
    return j;
}

static uint64_t queue(store *s, job *j)
{
    pthread_mutex_lock(&s->lock);
    const bool refused = s->failed || s->closing;
    const uint64_t ticket = refused ? 0 : ++s->tickets;
    if (!refused) {
        j->ticket = ticket;
        *s->end = j;
        s->end = &j->next;
        pthread_cond_signal(&s->queued);
    }
    pthread_mutex_unlock(&s->lock);
    if (refused)
        free(j);
    return ticket;
}

uint64_t store_create(store *s, const char *id, uint64_t time, bool listed, const char *settings,
                      const char *circuit)
{
    job *j = new_job(JOB_CREATE, id, settings, circuit, "", 0);
    if (j == NULL)
        return 0;
    j->time = time;
    j->listed = listed;
    return queue(s, j);
}

uint64_t store_append(store *s, const char *id, uint32_t n, uint64_t time, int seat, const char *line,
                      size_t length)
{
    job *j = new_job(JOB_APPEND, id, "", "", line, length);
    if (j == NULL)
        return 0;
    j->n = n;
    j->time = time;
    j->seat = seat;
    return queue(s, j);
}

uint64_t store_finish(store *s, const char *id, uint64_t time)
{
    job *j = new_job(JOB_FINISH, id, "", "", "", 0);
    if (j == NULL)
        return 0;
    j->time = time;
    return queue(s, j);
}

uint64_t store_forget(store *s, uint64_t before)
{
    job *j = new_job(JOB_FORGET, "", "", "", "", 0);
    if (j == NULL)
        return 0;
    j->time = before;
    return queue(s, j);
}

/* ---- Reading ------------------------------------------------------------------------------------- */

/* Tables are read into memory and told when the database is left alone again: however long the reader takes,
 * nobody waits for it. */
typedef struct loaded {
    store_table told; /* begins with its id */
    text log;
    struct loaded *next;
} loaded;

static char *copy_column(sqlite3_stmt *st, int column)
{
    const char *bytes = column_text(st, column);
    return bytes != NULL ? strdup(bytes) : NULL;
}

static void free_loaded(loaded *l)
{
    free((char *)l->told.id);
    free((char *)l->told.settings);
    free((char *)l->told.circuit);
    free(l->log.bytes);
    free(l);
}

/* NULL without memory. */
static loaded *load_row(sqlite3_stmt *st)
{
    loaded *l = calloc(1, sizeof *l);
    if (l == NULL)
        return NULL;
    l->told = (store_table){.id = copy_column(st, 0),
                            .time = (uint64_t)column_number(st, 1),
                            .listed = column_number(st, 2) != 0,
                            .settings = copy_column(st, 3),
                            .circuit = copy_column(st, 4),
                            .finished = sqlite3_column_type(st, 5) != SQLITE_NULL};
    const char *log = l->told.finished ? column_text(st, 6) : "";
    const size_t length = l->told.finished ? (size_t)sqlite3_column_bytes(st, 6) : 0;
    if (l->told.id != NULL && l->told.settings != NULL && l->told.circuit != NULL && log != NULL &&
        text_add(&l->log, log, length))
        return l;
    free_loaded(l);
    return NULL;
}

/* Tells a table, unless nothing is to be told any more, and frees it. */
static bool tell(loaded *l, bool good, const store_reader *reader)
{
    good = good && reader->table(reader->self, &l->told) && (l->told.damaged || log_tell(&l->log, reader));
    free_loaded(l);
    return good;
}

/* All that is not finished, in order, and also as a tree. */
static bool load_unfinished(connection *c, loaded **list, void **tree)
{
    sqlite3_stmt *st = c->prepared[UNFINISHED];
    bool good = true;
    int result;
    while ((result = sqlite3_step(st)) == SQLITE_ROW && good) {
        good = (*list = load_row(st)) != NULL && tsearch(*list, tree, by_id) != NULL;
        if (*list != NULL)
            list = &(*list)->next;
    }
    return end(st, result) && good;
}

/* Gives them their entries, in one pass over all that there are. */
static bool load_entries(connection *c, void *const *tree)
{
    sqlite3_stmt *st = c->prepared[ENTRIES];
    bool good = true;
    int result;
    while ((result = sqlite3_step(st)) == SQLITE_ROW && good) {
        const char *id = column_text(st, 4);
        loaded *table = id != NULL ? find(tree, id) : NULL;
        const store_entry entry = entry_of(st);
        good = id != NULL && entry.line != NULL && (table == NULL || log_add(&table->log, &entry));
    }
    return end(st, result) && good;
}

static bool is_damaged(store *s, const char *id)
{
    pthread_mutex_lock(&s->lock);
    const live *known = find(&s->tables, id);
    const bool damaged = known != NULL && known->damaged;
    pthread_mutex_unlock(&s->lock);
    return damaged;
}

bool store_load_all(store *s, const store_reader *reader)
{
    loaded *list = NULL;
    void *tree = NULL;
    pthread_mutex_lock(&s->reading_lock);
    bool good = run(&s->reading, BEGIN) && load_unfinished(&s->reading, &list, &tree) &&
                load_entries(&s->reading, &tree);
    run(&s->reading, COMMIT);
    pthread_mutex_unlock(&s->reading_lock);

    for (loaded *next; list != NULL; list = next) {
        next = list->next;
        tdelete(list, &tree, by_id);
        list->told.damaged = is_damaged(s, list->told.id);
        good = tell(list, good, reader);
    }
    return good;
}

bool store_load(store *s, const char *id, const store_reader *reader)
{
    /* Before the database is looked at, so that it has this entry for sure; it may have later ones. */
    pthread_mutex_lock(&s->lock);
    const live *known = find(&s->tables, id);
    const int64_t last = known != NULL ? known->last : 0;
    const bool damaged = known != NULL && known->damaged;
    pthread_mutex_unlock(&s->lock);
    if (damaged)
        return false;

    sqlite3_stmt *st = s->reading.prepared[TABLE];
    loaded *found = NULL;
    pthread_mutex_lock(&s->reading_lock);
    bool good = run(&s->reading, BEGIN);
    bind_text(st, 1, id, strlen(id));
    if (good && sqlite3_step(st) == SQLITE_ROW)
        found = load_row(st);
    if (found != NULL && !found->told.finished)
        good = gather(&s->reading, last, &found->log);
    sqlite3_reset(st);
    run(&s->reading, COMMIT);
    pthread_mutex_unlock(&s->reading_lock);
    return found != NULL && tell(found, good, reader);
}

void store_measure(store *s, store_figures *figures)
{
    static const char *const files[] = {DATABASE, DATABASE "-wal"};
    pthread_mutex_lock(&s->lock);
    *figures = s->figures;
    figures->waiting = s->tickets - s->concluded;
    pthread_mutex_unlock(&s->lock);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct stat about;
        if (fstatat(s->folder, files[i], &about, 0) == 0)
            figures->bytes += (uint64_t)about.st_size;
    }
}

/* ---- Opening and closing ------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static bool complain(char error[STORE_ERROR], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error, STORE_ERROR, format, arguments);
    va_end(arguments);
    return false;
}

/* A new folder is known to its parent for good only when that is on the disk. */
static bool open_folder(store *s, const char *folder, char error[STORE_ERROR])
{
    const bool made = mkdir(folder, 0700) == 0;
    if (!made && errno != EEXIST)
        return complain(error, "The folder “%s” cannot be made: %s.", folder, strerror(errno));
    s->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (s->folder < 0 && errno == ENOTDIR)
        return complain(error, "“%s” is not a folder.", folder);
    if (s->folder < 0)
        return complain(error, "The folder “%s” cannot be opened: %s.", folder, strerror(errno));
    const int parent = made ? openat(s->folder, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (parent >= 0) {
        fsync(parent);
        close(parent);
    }
    return true;
}

/* A lease that lasts as long as the process: the system ends it, even when that is killed. A storage that
 * several machines reach will keep one with an expiry instead, which its holder renews. flock, because closing
 * another descriptor of the file does not lose it, as it would with fcntl. */
static bool take_lease(store *s, const char *folder, char error[STORE_ERROR])
{
    s->lease = openat(s->folder, "lock", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (s->lease < 0)
        return complain(error, "The folder “%s” cannot be written to: %s.", folder, strerror(errno));
    if (flock(s->lease, LOCK_EX | LOCK_NB) == 0)
        return true;
    if (errno == EWOULDBLOCK)
        return complain(error, "The folder “%s” is in use by another server.", folder);
    return complain(error, "The folder “%s” cannot be locked: %s.", folder, strerror(errno));
}

/* Runs a statement that answers with one number. */
static bool ask(sqlite3 *db, const char *question, int64_t *answer)
{
    sqlite3_stmt *st = NULL;
    bool good = sqlite3_prepare_v2(db, question, -1, &st, NULL) == SQLITE_OK;
    if ((good = good && sqlite3_step(st) == SQLITE_ROW))
        *answer = column_number(st, 0);
    return sqlite3_finalize(st) == SQLITE_OK && good;
}

static bool unusable(sqlite3 *db, const char *path, char error[STORE_ERROR])
{
    return complain(error, "The database “%s” cannot be used: %s.", path, sqlite3_errmsg(db));
}

/* Whether it is ours, before anything is changed in it. */
static bool check(sqlite3 *db, const char *path, int64_t *version, char error[STORE_ERROR])
{
    int64_t application = 0, objects = 0;
    if (!ask(db, "PRAGMA user_version", version) || !ask(db, "PRAGMA application_id", &application) ||
        !ask(db, "SELECT count(*) FROM sqlite_master", &objects))
        return unusable(db, path, error);
    if (*version != 0 ? application != APPLICATION : objects > 0)
        return complain(error, "The database “%s” belongs to another program.", path);
    if (*version > VERSION)
        return complain(error, "The database “%s” is of a newer hairpin: version %d, and this one knows %d.",
                        path, (int)*version, VERSION);
    if (sqlite3_db_readonly(db, "main") == 1)
        return complain(error, "The database “%s” cannot be written to.", path);
    return true;
}

static bool execute(sqlite3 *db, const char *statements)
{
    return sqlite3_exec(db, statements, NULL, NULL, NULL) == SQLITE_OK;
}

static bool make_schema(sqlite3 *db)
{
    char marks[96];
    snprintf(marks, sizeof marks, "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT", APPLICATION,
             VERSION);
    return execute(db, schema) && execute(db, marks);
}

static bool in_wal_mode(sqlite3 *db)
{
    sqlite3_stmt *st = NULL;
    bool wal = false;
    if (sqlite3_prepare_v2(db, "PRAGMA journal_mode = WAL", -1, &st, NULL) == SQLITE_OK &&
        sqlite3_step(st) == SQLITE_ROW) {
        const char *mode = column_text(st, 0);
        wal = mode != NULL && strcmp(mode, "wal") == 0;
    }
    sqlite3_finalize(st);
    return wal;
}

static bool open_connection(connection *c, const char *path, int flags)
{
    return sqlite3_open_v2(path, &c->db, flags | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK &&
           sqlite3_busy_timeout(c->db, BUSY_TIME) == SQLITE_OK;
}

static bool open_database(store *s, const char *path, char error[STORE_ERROR])
{
    int64_t version = 0;
    /* Made here and not by SQLite, which would let everybody read it, and gives its other files the same mode.
     * The secrets of races are in it. */
    const int file = openat(s->folder, DATABASE, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    struct stat about;
    if (file < 0 || fstat(file, &about) != 0)
        return complain(error, "The database “%s” cannot be opened: %s.", path, strerror(errno));
    close(file);
    s->device = about.st_dev;
    s->node = about.st_ino;
    sqlite3 **db = &s->writing.db;
    if (!open_connection(&s->writing, path, SQLITE_OPEN_READWRITE))
        return unusable(*db, path, error);
    if (!check(*db, path, &version, error))
        return false;
    if (!in_wal_mode(*db))
        return complain(error, "The database “%s” cannot have a write-ahead log where it is.", path);
    if (!execute(*db, "PRAGMA synchronous = FULL") || (version == 0 && !make_schema(*db)) ||
        !execute(*db, by_end) || !prepare(&s->writing))
        return unusable(*db, path, error);
    if (!open_connection(&s->reading, path, SQLITE_OPEN_READONLY) || !prepare(&s->reading))
        return unusable(s->reading.db, path, error);
    return true;
}

/* Finds the last entry of each table, and whether there are any of tables that are finished. False when the
 * database cannot be read. A table whose chain has a gap is marked, and left as it is: nothing can be written
 * behind it, and no log made of it. */
static bool survey(store *s, bool *left_behind)
{
    sqlite3_stmt *st = s->writing.prepared[UNFINISHED];
    bool good = true;
    int result;
    while ((result = sqlite3_step(st)) == SQLITE_ROW && good)
        good = column_text(st, 0) != NULL && add_live(s, column_text(st, 0)) != NULL;
    good = end(st, result) && good;

    st = s->writing.prepared[ENTRIES];
    while (good && (result = sqlite3_step(st)) == SQLITE_ROW) {
        const char *id = column_text(st, 4);
        live *table = id != NULL ? find(&s->tables, id) : NULL;
        good = id != NULL;
        *left_behind |= table == NULL;
        if (table != NULL) {
            table->damaged |= table->newest != column_number(st, 5);
            table->last = table->newest = column_number(st, 6);
        }
    }
    return end(st, result) && good;
}

static bool recover(store *s, const char *path, char error[STORE_ERROR])
{
    bool left_behind = false;
    if (!survey(s, &left_behind))
        return sqlite3_errcode(s->writing.db) != SQLITE_OK
                   ? unusable(s->writing.db, path, error)
                   : complain(error, "The database “%s” is damaged.", path);
    if (!left_behind)
        return true;
    if (!execute(s->writing.db, "DELETE FROM entries WHERE id NOT IN"
                                " (SELECT id FROM tables WHERE finished IS NULL)"))
        return unusable(s->writing.db, path, error);
    /* That was large, perhaps; the file that it went through need not stay so. */
    sqlite3_wal_checkpoint_v2(s->writing.db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    return true;
}

static bool open_all(store *s, const char *folder, char error[STORE_ERROR])
{
    char path[PATH_BYTES];
    const int length = snprintf(path, sizeof path, "%s/" DATABASE, folder);
    if (length < 0 || (size_t)length >= sizeof path)
        return complain(error, "The folder's name is too long.");
    if (!open_folder(s, folder, error) || !take_lease(s, folder, error) || !open_database(s, path, error) ||
        !recover(s, path, error))
        return false;
    s->has_thread = pthread_create(&s->thread, NULL, write_all, s) == 0;
    return s->has_thread || complain(error, "A thread cannot be started.");
}

store *store_open(const char *folder, void (*done)(void *self, uint64_t ticket, bool good), void *self,
                  char error[STORE_ERROR])
{
    store *s = calloc(1, sizeof *s);
    if (s == NULL) {
        complain(error, "There is not enough memory.");
        return NULL;
    }
    s->done = done;
    s->self = self;
    s->folder = s->lease = -1;
    s->end = &s->first;
    pthread_mutex_init(&s->lock, NULL);
    pthread_mutex_init(&s->reading_lock, NULL);
    pthread_cond_init(&s->queued, NULL);
    if (open_all(s, folder, error))
        return s;
    store_close(s);
    return NULL;
}

void store_close(store *s)
{
    if (s->has_thread) {
        pthread_mutex_lock(&s->lock);
        s->closing = true;
        pthread_cond_signal(&s->queued);
        pthread_mutex_unlock(&s->lock);
        pthread_join(s->thread, NULL);
    }
    disconnect(&s->reading);
    disconnect(&s->writing); /* last: it tidies up, which the other may not */
    while (s->tables != NULL) {
        live *table = *(live **)s->tables;
        tdelete(table, &s->tables, by_id);
        free(table);
    }
    if (s->lease >= 0)
        close(s->lease); /* after the database, whose next owner may come now */
    if (s->folder >= 0)
        close(s->folder);
    pthread_cond_destroy(&s->queued);
    pthread_mutex_destroy(&s->reading_lock);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

void store_trouble(store *s, char error[STORE_ERROR])
{
    pthread_mutex_lock(&s->lock);
    snprintf(error, STORE_ERROR, "%s", s->trouble);
    pthread_mutex_unlock(&s->lock);
}
