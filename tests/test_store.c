/* What is told to be safe is there after anything that can happen to a server. */
#define _POSIX_C_SOURCE 200809L
#include "tests/support.h"

#include "server/store.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- A store in a folder of its own ---------------------------------------------------------------- */

typedef struct {
    char top[64], folder[96], path[128]; /* a fresh folder, the store's in it, and its database */
    store *s;
    char error[STORE_ERROR];

    pthread_mutex_t lock; /* for what follows: what done was told, and whether it is kept from returning */
    pthread_cond_t changed;
    uint64_t ticket, failed_ticket;
    int calls, failures;
    bool disordered, hold;
    int report; /* a pipe that gets each ticket, or -1 */
} house;

static void hear_done(void *self, uint64_t ticket, bool good)
{
    house *h = self;
    pthread_mutex_lock(&h->lock);
    h->calls++;
    h->disordered |= ticket <= h->ticket || h->failures > 0;
    if (good)
        h->ticket = ticket;
    else {
        h->failures++;
        h->failed_ticket = ticket;
    }
    if (good && h->report >= 0 && write(h->report, &ticket, sizeof ticket) != sizeof ticket)
        h->disordered = true;
    pthread_cond_broadcast(&h->changed);
    while (h->hold)
        pthread_cond_wait(&h->changed, &h->lock);
    pthread_mutex_unlock(&h->lock);
}

/* Until that ticket is safe; false when it never will be. */
static bool wait_for(house *h, uint64_t ticket)
{
    pthread_mutex_lock(&h->lock);
    while (h->ticket < ticket && h->failures == 0)
        pthread_cond_wait(&h->changed, &h->lock);
    const bool good = h->ticket >= ticket;
    pthread_mutex_unlock(&h->lock);
    return good;
}

static void hold(house *h, bool on)
{
    pthread_mutex_lock(&h->lock);
    h->hold = on;
    pthread_cond_broadcast(&h->changed);
    pthread_mutex_unlock(&h->lock);
}

static bool try_open(house *h)
{
    h->ticket = 0;
    h->calls = h->failures = 0;
    h->error[0] = '\0';
    h->s = store_open(h->folder, hear_done, h, h->error);
    return h->s != NULL;
}

static void open_store(house *h)
{
    if (!try_open(h))
        fail_msg("%s", h->error);
}

static void close_store(house *h)
{
    store_close(h->s);
    h->s = NULL;
    assert_false(h->disordered);
}

static void reopen(house *h)
{
    close_store(h);
    open_store(h);
}

/* It must be refused, with a sentence that has these words. */
static void refuses(house *h, const char *words)
{
    assert_false(try_open(h));
    if (strstr(h->error, words) == NULL || h->error[strlen(h->error) - 1] != '.')
        fail_msg("“%s” is not “%s”", h->error, words);
}

static int set_up(void **state)
{
    house *h = calloc(1, sizeof *h);
    assert_non_null(h);
    strcpy(h->top, "/tmp/hairpin-store-XXXXXX");
    assert_non_null(mkdtemp(h->top));
    snprintf(h->folder, sizeof h->folder, "%s/data", h->top);
    snprintf(h->path, sizeof h->path, "%s/races.db", h->folder);
    pthread_mutex_init(&h->lock, NULL);
    pthread_cond_init(&h->changed, NULL);
    h->report = -1;
    *state = h;
    return 0;
}

static int tear_down(void **state)
{
    static const char *const files[] = {"races.db", "races.db-wal", "races.db-shm", "lock"};
    house *h = *state;
    char path[160];
    if (h->s != NULL)
        store_close(h->s);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", h->folder, files[i]);
        unlink(path);
    }
    rmdir(h->folder);
    unlink(h->folder);
    const int result = rmdir(h->top);
    pthread_cond_destroy(&h->changed);
    pthread_mutex_destroy(&h->lock);
    free(h);
    return result;
}

/* ---- Writing and reading back ---------------------------------------------------------------------- */

static uint64_t create(house *h, const char *id, uint64_t time)
{
    return store_create(h->s, id, time, time % 2 == 1, "settings", "circuit");
}

static uint64_t append(house *h, const char *id, uint32_t n, const char *line)
{
    return store_append(h->s, id, n, 1000 + n, (int)n % 3 - 1, line, strlen(line));
}

/* What was told, as text: "[id time listed/unlisted open/over/damaged settings circuit]" and "n@time seat:line;". */
typedef struct {
    char text[8192];
    size_t length;
    int patience; /* so many more are taken; negative: all */
} told;

__attribute__((format(printf, 2, 3))) static bool note(told *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(t->text + t->length, sizeof t->text - t->length, format, arguments);
    va_end(arguments);
    t->length += (size_t)n;
    assert_true(t->length < sizeof t->text);
    return t->patience < 0 || t->patience-- > 0;
}

static bool note_table(void *self, const store_table *table)
{
    return note(self, "[%s %llu %s %s %s %s]", table->id, (unsigned long long)table->time,
                table->listed ? "listed" : "unlisted",
                table->finished  ? "over"
                : table->damaged ? "damaged"
                                 : "open",
                table->settings, table->circuit);
}

static bool note_entry(void *self, const store_entry *entry)
{
    return note(self, "%u@%llu %d:%.*s;", (unsigned)entry->n, (unsigned long long)entry->time, entry->seat,
                (int)entry->length, entry->line);
}

static bool load(house *h, const char *id, told *t)
{
    *t = (told){.patience = -1};
    const store_reader reader = {.table = note_table, .entry = note_entry, .self = t};
    return store_load(h->s, id, &reader);
}

static bool load_all(house *h, told *t)
{
    *t = (told){.patience = -1};
    const store_reader reader = {.table = note_table, .entry = note_entry, .self = t};
    return store_load_all(h->s, &reader);
}

static void assert_loads(house *h, const char *id, const char *expected)
{
    told t;
    assert_true(load(h, id, &t));
    assert_string_equal(t.text, expected);
}

static void assert_all(house *h, const char *expected)
{
    told t;
    assert_true(load_all(h, &t));
    assert_string_equal(t.text, expected);
}

/* The database as others see it. */
static int64_t ask(const house *h, const char *question)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *st = NULL;
    int64_t answer = -1;
    assert_int_equal(sqlite3_open_v2(h->path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL),
                     SQLITE_OK);
    sqlite3_busy_timeout(db, 60000); /* the store may be at it just now */
    assert_int_equal(sqlite3_prepare_v2(db, question, -1, &st, NULL), SQLITE_OK);
    const int result = sqlite3_step(st);
    assert_true(result == SQLITE_ROW || result == SQLITE_DONE);
    if (result == SQLITE_ROW)
        answer = sqlite3_column_int64(st, 0);
    sqlite3_finalize(st);
    sqlite3_close(db);
    return answer;
}

static void tables_come_oldest_first_with_their_entries(void **state)
{
    house *h = *state;
    open_store(h);
    assert_all(h, "");
    create(h, "late", 7);
    create(h, "early", 2);
    append(h, "late", 1, "a");
    append(h, "early", 1, "b");
    append(h, "early", 2, "c d");
    append(h, "late", 2, "");
    assert_true(wait_for(h, append(h, "early", 3, "e")));
    const char *all = "[early 2 unlisted open settings circuit]1@1001 0:b;2@1002 1:c d;3@1003 -1:e;"
                      "[late 7 listed open settings circuit]1@1001 0:a;2@1002 1:;";
    assert_all(h, all);
    reopen(h);
    assert_all(h, all);
    append(h, "late", 3, "more");
    reopen(h);
    assert_loads(h, "late", "[late 7 listed open settings circuit]1@1001 0:a;2@1002 1:;3@1003 -1:more;");
    assert_loads(h, "early", "[early 2 unlisted open settings circuit]1@1001 0:b;2@1002 1:c d;3@1003 -1:e;");
}

static void a_reader_can_stop(void **state)
{
    house *h = *state;
    open_store(h);
    create(h, "a", 1);
    append(h, "a", 1, "x");
    append(h, "a", 2, "y");
    assert_true(wait_for(h, create(h, "b", 2)));
    told t = {.patience = 1};
    const store_reader reader = {.table = note_table, .entry = note_entry, .self = &t};
    assert_false(store_load_all(h->s, &reader));
    assert_string_equal(t.text, "[a 1 listed open settings circuit]1@1001 0:x;");
    t = (told){0};
    assert_false(store_load(h->s, "a", &reader));
    assert_string_equal(t.text, "[a 1 listed open settings circuit]");
}

static void any_text_comes_back_as_it_was(void **state)
{
    house *h = *state;
    open_store(h);
    create(h, "a", UINT64_C(1763251200000));
    store_append(h->s, "a", 1, UINT64_MAX, -1, "1 2 3 4 \n5", 10);
    store_append(h->s, "a", UINT32_MAX, 0, 5, "a\0b", 3);
    const uint64_t ticket = append(h, "a", 3, "ünï “x” 🏁");
    assert_true(wait_for(h, ticket));
    const char *open =
        "[a 1763251200000 unlisted open settings circuit]1@18446744073709551615 -1:1 2 3 4 \n5;"
        "4294967295@0 5:a;3@1003 -1:ünï “x” 🏁;"; /* %.*s stops at the NUL; see below */
    assert_loads(h, "a", open);
    assert_int_equal(ask(h, "SELECT length(CAST(line AS BLOB)) FROM entries WHERE seq = 2"), 3);
    assert_true(wait_for(h, store_finish(h->s, "a", 1)));
    char over[512];
    const char *cut = strstr(open, "open");
    snprintf(over, sizeof over, "%.*sover%s", (int)(cut - open), open, cut + 4);
    assert_loads(h, "a", over);
    assert_int_equal(ask(h, "SELECT instr(CAST(log AS BLOB), x'610062') > 0 FROM tables"), 1);
}

static void what_is_queued_is_written_before_it_closes(void **state)
{
    house *h = *state;
    char line[32];
    open_store(h);
    uint64_t ticket = create(h, "a", 1);
    for (uint32_t n = 1; n <= 3000; n++) {
        snprintf(line, sizeof line, "%u", (unsigned)n);
        const uint64_t next = append(h, "a", n, line);
        assert_int_equal(next, ticket + 1);
        ticket = next;
    }
    store_close(h->s);
    assert_false(h->disordered);
    assert_int_equal(h->ticket, ticket); /* done has told all of them */
    open_store(h);
    assert_int_equal(ask(h, "SELECT count(*) FROM entries"), 3000);
    assert_int_equal(ask(h, "SELECT count(*) FROM entries WHERE n = seq AND line = seq"), 3000);
    assert_true(wait_for(h, create(h, "b", 2))); /* tickets begin at 1 again */
    assert_int_equal(h->ticket, 1);
    assert_loads(h, "b", "[b 2 unlisted open settings circuit]");
}

/* While the disk is busy with one, all others gather for the next transaction. */
static void many_share_a_commit(void **state)
{
    house *h = *state;
    store_figures before, waiting, after;
    open_store(h);
    hold(h, true);
    assert_true(wait_for(h, create(h, "a", 1)));
    store_measure(h->s, &before);
    assert_int_equal(before.commits, 1);
    assert_int_equal(before.writes, 1);
    assert_int_equal(before.waiting, 0);
    uint64_t ticket = 0;
    for (uint32_t n = 1; n <= 1000; n++)
        ticket = append(h, "a", n, "x");
    store_measure(h->s, &waiting);
    assert_int_equal(waiting.waiting, 1000);
    hold(h, false);
    assert_true(wait_for(h, ticket));
    store_measure(h->s, &after);
    assert_int_equal(after.commits, 3); /* of 512 at most */
    assert_int_equal(after.writes, 1001);
    assert_int_equal(after.waiting, 0);
    assert_true(after.longest > 0 && after.longest <= after.microseconds && after.bytes > 4096);
    assert_int_equal(h->calls, 3);
}

/* ---- Races that are over --------------------------------------------------------------------------- */

static void finishing_moves_the_entries(void **state)
{
    house *h = *state;
    told t;
    open_store(h);
    create(h, "a", 1);
    create(h, "b", 2);
    create(h, "none", 3);
    append(h, "a", 1, "x");
    append(h, "b", 1, "y");
    assert_true(wait_for(h, append(h, "a", 2, "z")));
    store_finish(h->s, "none", 9);
    assert_true(wait_for(h, store_finish(h->s, "a", 9)));
    const char *a = "[a 1 listed over settings circuit]1@1001 0:x;2@1002 1:z;";
    const char *b = "[b 2 unlisted open settings circuit]1@1001 0:y;";
    for (int round = 0; round < 2; round++) {
        assert_loads(h, "a", a);
        assert_loads(h, "b", b);
        assert_loads(h, "none", "[none 3 listed over settings circuit]");
        assert_all(h, b);
        assert_false(load(h, "c", &t));
        assert_string_equal(t.text, "");
        reopen(h);
    }
    /* What it left behind is gone, and the rest is not. */
    assert_int_equal(ask(h, "SELECT count(*) FROM entries"), 1);
    assert_int_equal(ask(h, "SELECT finished FROM tables WHERE id = 'a'"), 9);
    assert_true(wait_for(h, append(h, "b", 2, "more")));
    assert_loads(h, "b", "[b 2 unlisted open settings circuit]1@1001 0:y;2@1002 1:more;");
}

/* All of it can come into one transaction. */
static void a_whole_race_in_one_commit(void **state)
{
    house *h = *state;
    open_store(h);
    hold(h, true);
    create(h, "first", 1);
    assert_true(wait_for(h, 1));
    create(h, "a", 1);
    append(h, "a", 1, "x");
    append(h, "a", 2, "y");
    store_finish(h->s, "a", 3);
    append(h, "a", 3, "good race");
    const uint64_t ticket = store_finish(h->s, "a", 4);
    hold(h, false);
    assert_true(wait_for(h, ticket));
    assert_int_equal(h->calls, 2);
    assert_loads(h, "a", "[a 1 listed over settings circuit]1@1001 0:x;2@1002 1:y;3@1003 -1:good race;");
}

static void something_is_said_after_the_race(void **state)
{
    house *h = *state;
    open_store(h);
    create(h, "a", 1);
    append(h, "a", 1, "x");
    store_finish(h->s, "a", 3);
    assert_true(wait_for(h, append(h, "a", 2, "good race")));
    reopen(h);
    assert_true(wait_for(h, append(h, "a", 3, "rematch")));
    assert_true(wait_for(h, store_finish(h->s, "a", 4)));
    reopen(h);
    assert_loads(h, "a",
                 "[a 1 listed over settings circuit]1@1001 0:x;2@1002 1:good race;3@1003 -1:rematch;");
    assert_int_equal(ask(h, "SELECT finished FROM tables"), 3);
    assert_int_equal(ask(h, "SELECT count(*) FROM entries"), 0);
}

static void what_is_over_for_long_is_forgotten(void **state)
{
    house *h = *state;
    told t;
    open_store(h);
    create(h, "a", 1);
    create(h, "b", 2);
    create(h, "c", 3);
    append(h, "a", 1, "x");
    append(h, "c", 1, "y");
    store_finish(h->s, "a", 9);
    store_finish(h->s, "b", 20);
    assert_true(wait_for(h, store_forget(h->s, 10)));
    assert_false(load(h, "a", &t));
    assert_loads(h, "b", "[b 2 unlisted over settings circuit]");
    assert_loads(h, "c", "[c 3 listed open settings circuit]1@1001 0:y;");
    assert_true(wait_for(h, append(h, "a", 2, "good race"))); /* by somebody who still looked at it */
    assert_true(wait_for(h, append(h, "b", 1, "good race")));
    reopen(h);
    assert_int_equal(ask(h, "SELECT count(*) FROM tables"), 2);
    assert_int_equal(ask(h, "SELECT count(*) FROM entries"), 1);
    assert_loads(h, "b", "[b 2 unlisted over settings circuit]1@1001 0:good race;");
}

/* Others must not wait for it long. */
static void many_are_forgotten_one_after_the_other(void **state)
{
    house *h = *state;
    char id[16];
    open_store(h);
    for (uint64_t i = 0; i < 450; i++) {
        snprintf(id, sizeof id, "%u", (unsigned)i);
        create(h, id, i);
        store_finish(h->s, id, i);
    }
    static const int64_t left[] = {250, 50, 0, 0};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        assert_true(wait_for(h, store_forget(h->s, 1000)));
        assert_int_equal(ask(h, "SELECT count(*) FROM tables"), left[i]);
    }
}

/* A database of a version that forgot nothing gets what it needs for that. */
static void older_databases_learn_to_forget(void **state)
{
    house *h = *state;
    open_store(h);
    create(h, "a", 1);
    assert_true(wait_for(h, store_finish(h->s, "a", 9)));
    close_store(h);
    ask(h, "DROP INDEX by_end");
    open_store(h);
    assert_int_equal(ask(h, "SELECT count(*) FROM sqlite_master WHERE name = 'by_end'"), 1);
    assert_true(wait_for(h, store_forget(h->s, 10)));
    assert_int_equal(ask(h, "SELECT count(*) FROM tables"), 0);
}

/* Others may look at a table at any time: they find what is safe, or a little more. */
static void reading_goes_on_while_it_writes(void **state)
{
    house *h = *state;
    told t;
    char line[8];
    open_store(h);
    assert_true(wait_for(h, create(h, "a", 1)));
    for (uint32_t n = 1; n <= 200; n++) {
        snprintf(line, sizeof line, "%u", (unsigned)n);
        append(h, "a", n, line);
        append(h, "a", n, line); /* twice, so that two share a commit now and then */
        if (n == 150)
            store_finish(h->s, "a", 5);
        pthread_mutex_lock(&h->lock);
        const uint64_t safe = h->ticket;
        pthread_mutex_unlock(&h->lock);
        assert_true(load(h, "a", &t));
        uint64_t entries = 0;
        for (const char *at = t.text; (at = strchr(at, ';')) != NULL; at++)
            entries++;
        const uint64_t finished = strstr(t.text, " over ") != NULL;
        assert_in_range(1 + entries + finished, safe, 2 * n + 1 + (n >= 150));
    }
    close_store(h);
}

/* ---- Who may have it ------------------------------------------------------------------------------- */

static void one_server_at_a_time(void **state)
{
    house *h = *state;
    char error[STORE_ERROR];
    struct stat about;
    open_store(h);
    assert_null(store_open(h->folder, hear_done, h, error));
    assert_non_null(strstr(error, h->folder));
    assert_non_null(strstr(error, "in use by another server"));
    assert_int_equal(stat(h->folder, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0700);
    assert_int_equal(stat(h->path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    assert_true(wait_for(h, create(h, "a", 1))); /* the first was not disturbed */
    reopen(h);
    assert_loads(h, "a", "[a 1 listed open settings circuit]");
}

static void write_file(const char *path, const char *bytes, size_t length)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void rubbish_is_refused(void **state)
{
    house *h = *state;
    char rubbish[20000];
    struct stat about;
    memset(rubbish, 'x', sizeof rubbish);
    assert_int_equal(mkdir(h->folder, 0700), 0);
    for (size_t length = 10; length <= sizeof rubbish; length += 1999) {
        write_file(h->path, rubbish, length);
        refuses(h, "is not a database");
        assert_int_equal(stat(h->path, &about), 0);
        assert_int_equal(about.st_size, length); /* it was left as it was */
    }
    write_file(h->path, "", 0); /* that is as good as none */
    open_store(h);
}

/* A damaged page does not go unnoticed. */
static void a_damaged_database_is_refused(void **state)
{
    house *h = *state;
    uint64_t ticket = 0;
    open_store(h);
    create(h, "a", 1);
    for (uint32_t n = 1; n <= 1000; n++)
        ticket = append(h, "a", n, "a line that fills pages");
    assert_true(wait_for(h, ticket));
    close_store(h);
    char rubbish[4096];
    memset(rubbish, 'x', sizeof rubbish);
    FILE *file = fopen(h->path, "r+");
    assert_non_null(file);
    assert_int_equal(fseek(file, -2 * (long)sizeof rubbish, SEEK_END), 0);
    assert_int_equal(fwrite(rubbish, 1, sizeof rubbish, file), sizeof rubbish);
    assert_int_equal(fclose(file), 0);
    refuses(h, "malformed");
}

static void lost_entries_are_noticed(void **state)
{
    house *h = *state;
    told t;
    open_store(h);
    create(h, "a", 1);
    append(h, "a", 1, "x");
    append(h, "a", 2, "y");
    append(h, "a", 3, "z");
    create(h, "b", 1);
    append(h, "b", 1, "x");
    assert_true(wait_for(h, store_finish(h->s, "b", 3)));
    ask(h, "DELETE FROM entries WHERE n = 2");
    assert_false(load(h, "a", &t));
    ask(h, "UPDATE tables SET log = substr(log, 1, length(log) - 1) WHERE id = 'b'");
    assert_false(load(h, "b", &t));
    assert_false(wait_for(h, store_finish(h->s, "a", 3))); /* nor is a log made of what is left */
    reopen(h);                                             /* for the others */
    create(h, "c", 2);
    assert_true(wait_for(h, append(h, "c", 1, "x")));
    assert_all(h, "[a 1 listed damaged settings circuit][c 2 unlisted open settings circuit]1@1001 0:x;");
    assert_false(load(h, "a", &t));
    reopen(h);
    ask(h, "UPDATE entries SET previous = 1 WHERE id = 'c'");
    reopen(h);
    assert_all(h, "[a 1 listed damaged settings circuit][c 2 unlisted damaged settings circuit]");
}

static void databases_of_others_are_refused(void **state)
{
    house *h = *state;
    assert_int_equal(mkdir(h->folder, 0700), 0);
    ask(h, "CREATE TABLE tables(id TEXT)");
    refuses(h, "belongs to another program");
    ask(h, "PRAGMA user_version = 1");
    refuses(h, "belongs to another program");
    ask(h, "PRAGMA application_id = -5");
    refuses(h, "belongs to another program");
    unlink(h->path);
    open_store(h);
    close_store(h);
    ask(h, "PRAGMA user_version = 2");
    refuses(h, "of a newer hairpin");
    ask(h, "PRAGMA user_version = 1");
    open_store(h);
}

/* In a child that root's rights are taken from; its exit code is 0 when the folder was refused so. */
static void refuses_others(house *h, const char *words)
{
    const pid_t child = fork();
    if (child == 0) {
        if (getuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
            _exit(2);
        _exit(!try_open(h) && strstr(h->error, words) != NULL ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void folders_that_will_not_do_are_refused(void **state)
{
    house *h = *state;
    char folder[sizeof h->folder];
    strcpy(folder, h->folder);
    snprintf(h->folder, sizeof h->folder, "%s/missing/data", h->top);
    refuses(h, "cannot be made: No such file or directory");
    strcpy(h->folder, folder);
    write_file(h->folder, "x", 1);
    refuses(h, "is not a folder");
    unlink(h->folder);

    assert_int_equal(chmod(h->top, 0755), 0);
    assert_int_equal(mkdir(h->folder, 0755), 0);
    assert_int_equal(chmod(h->folder, 0555), 0);
    refuses_others(h, "cannot be written to: Permission denied");
    assert_int_equal(chmod(h->folder, 0), 0);
    refuses_others(h, "cannot be opened: Permission denied");
    assert_int_equal(chmod(h->folder, 0777), 0);
    write_file(h->path, "", 0);
    assert_int_equal(chmod(h->path, 0444), 0);
    refuses_others(h, "cannot be opened: Permission denied");
}

/* ---- When things go wrong -------------------------------------------------------------------------- */

/* A play with a place for every ticket: two tables at a time, and each is created, has 38 entries and is
 * finished. Whatever happens, what is found later is its beginning up to some place. */
enum { STEPS = 40, IN_FLIGHT = 300 };

typedef struct {
    char id[STORE_ID];
    uint64_t step;
    char line[400];
} scene;

static scene scene_at(uint64_t place)
{
    scene now = {.step = place / 2 % STEPS};
    snprintf(now.id, sizeof now.id, "t%llu-%llu", (unsigned long long)(place / 2 / STEPS),
             (unsigned long long)(place % 2));
    const int length = snprintf(now.line, sizeof now.line, "place %llu ", (unsigned long long)place);
    memset(now.line + length, 'a' + (int)(place % 26), place * 7 % 300);
    return now;
}

static uint64_t play_scene(store *s, uint64_t place)
{
    const scene now = scene_at(place);
    if (now.step == 0)
        return store_create(s, now.id, place, true, now.line, "circuit");
    if (now.step == STEPS - 1)
        return store_finish(s, now.id, place);
    return store_append(s, now.id, (uint32_t)now.step, place, (int)(place % 6), now.line, strlen(now.line));
}

/* Goes on from one place to the other, with so many in flight, unless it is killed before; false when it is refused. */
static bool play_on(house *h, uint64_t place, uint64_t end)
{
    for (; place < end; place++) {
        const uint64_t ticket = play_scene(h->s, place);
        if (ticket == 0 || (ticket > IN_FLIGHT && !wait_for(h, ticket - IN_FLIGHT)))
            return false;
    }
    return true;
}

typedef struct {
    uint64_t first; /* the place where its table was created */
    uint64_t found; /* scenes of it */
    bool good;
} audience;

static bool see_table(void *self, const store_table *table)
{
    audience *a = self;
    const scene expected = scene_at(a->first);
    a->good = strcmp(table->id, expected.id) == 0 && strcmp(table->settings, expected.line) == 0 &&
              table->time == a->first;
    a->found = 1 + table->finished;
    return a->good;
}

static bool see_entry(void *self, const store_entry *entry)
{
    audience *a = self;
    const uint64_t place = a->first + 2 * (uint64_t)entry->n;
    const scene expected = scene_at(place);
    a->good = entry->n == expected.step && entry->time == place && entry->seat == (int)(place % 6) &&
              entry->length == strlen(expected.line) &&
              memcmp(entry->line, expected.line, entry->length) == 0;
    a->found++;
    return a->good;
}

/* How far the play got: all before that place is there, and nothing else. */
static uint64_t places_found(house *h)
{
    enum { TABLES = 20000 };
    uint64_t total = 0, found[TABLES] = {0};
    int tables = 0, missing = 0;
    for (; tables < TABLES; tables++) {
        audience a = {.first = (uint64_t)(tables / 2 * STEPS * 2 + tables % 2)};
        const store_reader reader = {.table = see_table, .entry = see_entry, .self = &a};
        const bool loaded = store_load(h->s, scene_at(a.first).id, &reader);
        assert_true(loaded ? a.good : a.found == 0);
        missing += !loaded;
        if (!loaded && tables % 2 == 1)
            break;
        total += found[tables] = a.found;
    }
    for (int i = 0; i < tables; i++) {
        const uint64_t first = (uint64_t)(i / 2 * STEPS * 2 + i % 2);
        const uint64_t due = first < total ? (total - first + 1) / 2 : 0;
        assert_int_equal(found[i], due < STEPS ? due : STEPS);
    }
    assert_int_equal(ask(h, "SELECT count(*) FROM tables"), tables + 1 - missing);
    return total;
}

static void pause_for(long microseconds)
{
    const struct timespec time = {.tv_nsec = 1000 * microseconds};
    nanosleep(&time, NULL);
}

/* A server that is killed, at any moment: the last ticket that it told of. Its play is not longer than we can see,
 * should the kill be late. */
static uint64_t play_and_kill(house *h, uint64_t place, bool wait, long microseconds)
{
    enum { LONGEST = 20000 };
    int pipes[2];
    uint64_t ticket, last = 0;
    assert_int_equal(pipe(pipes), 0);
    const pid_t child = fork();
    if (child == 0) {
        close(pipes[0]);
        h->report = pipes[1];
        if (try_open(h) && play_on(h, place, place + LONGEST))
            for (;;)
                pause();
        _exit(1); /* nobody should come here */
    }
    close(pipes[1]);
    if (wait)
        assert_int_equal(read(pipes[0], &last, sizeof last), sizeof last);
    pause_for(microseconds);
    kill(child, SIGKILL);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    while (read(pipes[0], &ticket, sizeof ticket) == sizeof ticket) {
        assert_true(ticket > last);
        last = ticket;
    }
    close(pipes[0]);
    return last;
}

static void what_was_told_survives_a_kill(void **state)
{
    house *h = *state;
    uint64_t place = 0;
    srand((unsigned)time(NULL));
    for (int round = 0; round < 20; round++) {
        const uint64_t told_of = play_and_kill(h, place, round % 3 != 0, rand() % 40000);
        open_store(h); /* the lease of the dead is free */
        const uint64_t found = places_found(h);
        if (found < place + told_of)
            fail_msg("%llu of %llu + %llu are there", (unsigned long long)found, (unsigned long long)place,
                     (unsigned long long)told_of);
        place = found;
        close_store(h);
    }
    assert_true(place > 0);
}

/* In a child: the disk takes no more than that. Tells the last good ticket; exit code 0 when all went as
 * promised. */
static void play_until_full(house *h, int report)
{
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || !try_open(h))
        _exit(2);
    limit.rlim_cur = 400000;
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        _exit(3);
    play_on(h, 0, UINT64_MAX);
    if (wait_for(h, UINT64_MAX) || h->failures != 1 || h->failed_ticket <= h->ticket || h->disordered)
        _exit(4);
    if (create(h, "new", 1) != 0 || append(h, "t0-0", 1, "x") != 0 || store_finish(h->s, "t0-0", 1) != 0)
        _exit(5); /* it takes nothing any more */
    store_figures figures;
    store_measure(h->s, &figures);
    if (figures.waiting != 0 || figures.writes != h->ticket)
        _exit(6);
    limit.rlim_cur = limit.rlim_max; /* that there is room again makes no difference */
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0 || append(h, "t0-0", 1, "x") != 0)
        _exit(7);
    store_close(h->s);
    _exit(h->calls > 1 && write(report, &h->ticket, sizeof h->ticket) == sizeof h->ticket ? 0 : 8);
}

static void a_full_disk_is_told(void **state)
{
    house *h = *state;
    int pipes[2], status;
    uint64_t safe;
    assert_int_equal(pipe(pipes), 0);
    const pid_t child = fork();
    if (child == 0)
        play_until_full(h, pipes[1]);
    close(pipes[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(read(pipes[0], &safe, sizeof safe), sizeof safe);
    close(pipes[0]);
    open_store(h);
    assert_int_equal(places_found(h), safe); /* the transaction that failed left nothing */
    assert_true(wait_for(h, play_scene(h->s, safe)));
    assert_int_equal(places_found(h), safe + 1);
}

/* A mistake of the server's must not look like success. */
static void writing_to_no_table_fails(void **state)
{
    house *h = *state;
    open_store(h);
    hold(h, true);
    assert_true(wait_for(h, create(h, "a", 1)));
    append(h, "a", 1, "in the same transaction");
    const uint64_t bad = append(h, "b", 1, "x");
    const uint64_t after = create(h, "c", 1);
    hold(h, false);
    assert_false(wait_for(h, bad));
    assert_int_equal(h->failed_ticket, after);
    assert_int_equal(create(h, "d", 1), 0);
    assert_loads(h, "a", "[a 1 listed open settings circuit]"); /* what was safe can still be read */
    reopen(h);
    assert_all(h, "[a 1 listed open settings circuit]");
    assert_false(wait_for(h, create(h, "a", 2))); /* there is one already */
    reopen(h);
    assert_all(h, "[a 1 listed open settings circuit]");
}

#define with_house(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        with_house(tables_come_oldest_first_with_their_entries),
        with_house(a_reader_can_stop),
        with_house(any_text_comes_back_as_it_was),
        with_house(what_is_queued_is_written_before_it_closes),
        with_house(many_share_a_commit),
        with_house(finishing_moves_the_entries),
        with_house(a_whole_race_in_one_commit),
        with_house(something_is_said_after_the_race),
        with_house(what_is_over_for_long_is_forgotten),
        with_house(many_are_forgotten_one_after_the_other),
        with_house(older_databases_learn_to_forget),
        with_house(reading_goes_on_while_it_writes),
        with_house(one_server_at_a_time),
        with_house(rubbish_is_refused),
        with_house(a_damaged_database_is_refused),
        with_house(lost_entries_are_noticed),
        with_house(databases_of_others_are_refused),
        with_house(folders_that_will_not_do_are_refused),
        with_house(what_was_told_survives_a_kill),
        with_house(a_full_disk_is_told),
        with_house(writing_to_no_table_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
