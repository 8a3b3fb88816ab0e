/* A table that this process keeps: entries go to the file first, and then to the screen; bots think in threads
 * of their own, so that keys are heard meanwhile. */
#define _DEFAULT_SOURCE
#include "terminal/link.h"

#include "bots/bots.h"
#include "cli/faults.h"
#include "table/keep.h"
#include "terminal/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum {
    HINT_PLAYOUTS = 1200, /* about a second */
    TIME_TO_ANSWER = 200  /* ms that a program has for its decision when all leave */
};
static const char champion_time[] = "200ms";

struct local;

/* A bot at the wheel, and the thread in which it thinks. */
typedef struct {
    struct local *table;
    bot *driver;
    size_t heard; /* events that it was told of */
    hp_view view;
    hp_act act;
    uint32_t at; /* the entry that it answers */
    pthread_t thread;
    bool thinking;
    atomic_bool done;
} thinker;

typedef struct {
    struct local *table;
    hp_view view;
    hp_memory memory;
    bot_estimate all[HP_ACTS_MAX];
    int n;
    uint32_t at;
    pthread_t thread;
    bool thinking;
    bool again; /* somebody has asked meanwhile */
    atomic_bool done;
} adviser;

typedef struct local {
    table_link link; /* first: a link is one of these */
    table t;
    table_settings start;
    kept file;
    int viewer;  /* seat, or HP_SPECTATOR */
    int bell;    /* the other end of link.wake */
    bool stuck;  /* the disk has refused an entry: nobody drives until somebody asks again */
    int at_once; /* bots that may think at the same time */
    hp_event *events;
    size_t in_events, events_size;
    hp_memory memory[HP_CARS_MAX];
    thinker seat[HP_CARS_MAX];
    adviser champion;
    char *program[HP_CARS_MAX]; /* that drives for a bot; NULL for none */
    char *circuit_text;         /* NULL for one that is built in */
    uint64_t *times;            /* of the entries, */
    char **lines;               /* and themselves, behind their seat and a blank */
    size_t lines_size;
} local;

/* From any thread. A full pipe rings already. */
static void ring(const local *l)
{
    while (write(l->bell, "", 1) < 0 && errno == EINTR)
        continue;
}

/* ---- Telling ------------------------------------------------------------------------------------ */

/* Without the folder. */
static const char *name_of(const char *program)
{
    const char *slash = strrchr(program, '/');
    return slash != NULL ? slash + 1 : program;
}

static void give_state(local *l)
{
    static char text[TABLE_STATE_TEXT];
    const size_t length = table_state(&l->t, "here", l->viewer, text, sizeof text);
    json_error_t error;
    json_t *state = json_loadb(text, length, 0, &error);
    json_t *seats = json_object_get(json_object_get(state, "table"), "seats");
    for (size_t i = 0; i < HP_CARS_MAX; i++)
        if (l->program[i] != NULL)
            json_object_set_new(json_array_get(seats, i), "name", json_string(name_of(l->program[i])));
    link_give(&l->link, state);
}

static void give_entry(local *l, const table_entry *entry)
{
    const size_t length = table_message(&l->t, entry, l->viewer, NULL, 0);
    char *text = must_have(malloc(length + 1));
    table_message(&l->t, entry, l->viewer, text, length + 1);
    link_give_text(&l->link, text, length);
    free(text);
}

static void give_error(local *l, table_error error, hp_error rule)
{
    char text[512];
    link_give_text(&l->link, text, table_error_message(error, rule, text, sizeof text));
}

/* ---- Entries ------------------------------------------------------------------------------------ */

static void hear(void *self, const hp_event *event)
{
    local *l = self;
    if (l->in_events == l->events_size) {
        l->events_size = l->events_size < 256 ? 256 : 2 * l->events_size;
        l->events = must_have(realloc(l->events, l->events_size * sizeof *l->events));
    }
    l->events[l->in_events++] = *event;
}

/* For the race file. */
static void note(local *l, const table_entry *entry)
{
    const size_t i = l->t.entries - 1;
    if (i >= l->lines_size) {
        l->lines_size = l->lines_size < 256 ? 256 : 2 * l->lines_size;
        l->lines = must_have(realloc(l->lines, l->lines_size * sizeof *l->lines));
        l->times = must_have(realloc(l->times, l->lines_size * sizeof *l->times));
    }
    char text[TABLE_LINE + 16];
    snprintf(text, sizeof text, "%d %.*s", entry->seat, (int)entry->length, entry->line);
    l->lines[i] = must_have(strdup(text));
    l->times[i] = entry->time;
}

/* The table has played an entry, whose events are those from first on. */
static void take_over(local *l, const table *next, table_entry *entry, size_t first)
{
    l->t = *next;
    for (size_t i = first; i < l->in_events; i++)
        for (int seat = 0; seat < l->t.settings.seats; seat++) {
            const hp_event seen = hp_event_for(&l->events[i], seat);
            hp_remember(&l->memory[seat], &seen);
        }
    note(l, entry);
    entry->events = l->events + first;
    entry->in_events = l->in_events - first;
    give_entry(l, entry);
}

static table_error play(local *l, table_entry *entry, table *next, hp_error *rule)
{
    const hp_listener listener = {.hear = hear, .self = l};
    const size_t first = l->in_events;
    *next = l->t;
    const table_error error =
        table_play(next, entry->seat, entry->line, entry->length, entry->time, &listener, rule);
    if (error != TABLE_FINE)
        l->in_events = first;
    return error;
}

static void finish(local *l);
static void drive(local *l);

/* One entry: onto the disk, and then into the open. */
static table_error enter(local *l, int seat, const char *line, hp_error *rule)
{
    const bool was_over = l->t.phase == TABLE_OVER;
    const size_t first = l->in_events;
    table_entry entry = {.time = (uint64_t)link_clock(), .seat = seat, .line = line, .length = strlen(line)};
    table next;
    const table_error error = play(l, &entry, &next, rule);
    if (error != TABLE_FINE)
        return error;
    if (!kept_append(&l->file, entry.time, seat, line, entry.length)) {
        l->in_events = first;
        l->stuck = true;
        link_give(&l->link,
                  json_pack("{s:s,s:s,s:s}", "m", "error", "code", "not_kept", "text", strerror(errno)));
        return TABLE_FINE;
    }
    take_over(l, &next, &entry, first);
    give_state(l);
    if (l->t.phase == TABLE_OVER && !was_over)
        finish(l);
    return TABLE_FINE;
}

/* ---- Bots --------------------------------------------------------------------------------------- */

static void *think(void *self)
{
    thinker *b = self;
    b->act = bot_choose(b->driver, &b->view);
    atomic_store(&b->done, true);
    ring(b->table);
    return NULL;
}

static void start_thinking(local *l, int seat)
{
    thinker *b = &l->seat[seat];
    if (b->driver == NULL) {
        char spec[TABLE_BOT_SPEC];
        const uint64_t seed = table_bot_seed(&l->t, seat);
        table_bot_spec(&l->t, seat, champion_time, spec, sizeof spec);
        b->driver = l->program[seat] != NULL ? bot_open(l->program[seat], seat, seed) : NULL;
        if (b->driver == NULL) /* a program that is gone has its bot drive */
            b->driver = must_have(bot_open(spec, seat, seed));
        b->heard = 0;
    }
    for (; b->heard < l->in_events; b->heard++)
        bot_hear(b->driver, &l->events[b->heard]);
    hp_look(&l->t.race, seat, &b->view);
    b->at = l->t.entries;
    atomic_store(&b->done, false);
    b->thinking = pthread_create(&b->thread, NULL, think, b) == 0;
    if (!b->thinking) { /* no thread to be had: then the keys wait a little */
        think(b);
        b->thinking = true;
        b->thread = pthread_self();
    }
}

static void wait_for(pthread_t thread)
{
    if (!pthread_equal(thread, pthread_self()))
        pthread_join(thread, NULL);
}

static int thinking(const local *l)
{
    int n = 0;
    for (int i = 0; i < HP_CARS_MAX; i++)
        n += l->seat[i].thinking;
    return n;
}

static void drive(local *l)
{
    const uint8_t due = l->stuck ? 0 : table_bots_due(&l->t);
    for (int i = 0; i < l->t.settings.seats && thinking(l) < l->at_once; i++)
        if ((due >> i & 1) && !l->seat[i].thinking)
            start_thinking(l, i);
}

static void take_decision(local *l, int seat)
{
    thinker *b = &l->seat[seat];
    char line[TABLE_DRIVE_LINE];
    hp_error rule;
    wait_for(b->thread);
    b->thinking = false;
    table_drive_line(b->at, b->act, line, sizeof line);
    enter(l, seat, line, &rule); /* an old one is refused, and the bot asked again where it is due */
}

/* ---- Hints -------------------------------------------------------------------------------------- */

static void *advise(void *self)
{
    adviser *a = self;
    a->n = bot_explain(&a->view, &a->memory, HINT_PLAYOUTS, a->at, a->all);
    atomic_store(&a->done, true);
    ring(a->table);
    return NULL;
}

static void give_no_hint(local *l)
{
    link_give(&l->link, json_pack("{s:s,s:s}", "m", "hint", "code", "past"));
}

static void hint(table_link *self)
{
    local *l = (local *)self;
    adviser *a = &l->champion;
    a->again = a->thinking;
    if (a->thinking || l->viewer == HP_SPECTATOR || l->t.phase != TABLE_RACING)
        return;
    hp_look(&l->t.race, l->viewer, &a->view);
    if (a->view.choice.step == HP_STEP_WAIT || a->view.choice.step == HP_STEP_OVER)
        return;
    a->table = l;
    a->memory = l->memory[l->viewer];
    a->at = l->t.entries;
    atomic_store(&a->done, false);
    a->thinking = pthread_create(&a->thread, NULL, advise, a) == 0;
    if (!a->thinking)
        give_no_hint(l);
}

/* Whether it is still about what the viewer has to decide: nobody else may see it. */
static bool fits(const local *l, const adviser *a)
{
    const int seat = a->view.seat;
    return seat == l->viewer && (l->t.awaited >> seat & 1) && a->at >= l->t.asked[seat];
}

static void give_hint(local *l)
{
    enum { TOLD = 5 };
    adviser *a = &l->champion;
    pthread_join(a->thread, NULL);
    a->thinking = false;
    if (!fits(l, a)) {
        if (a->again)
            hint(&l->link);
        else
            give_no_hint(l);
        return;
    }
    json_t *acts = json_array();
    for (int i = 0; i < a->n && i < TOLD; i++) {
        const bot_estimate *e = &a->all[i];
        char act[HP_ACT_TEXT];
        hp_act_write(e->act, act, sizeof act);
        if (e->playouts > 0)
            json_array_append_new(acts, json_pack("{s:s,s:i,s:i}", "act", act, "win",
                                                  (int)(1000ull * e->wins / e->playouts), "place",
                                                  (int)(100 * e->places / e->playouts)));
    }
    link_give(&l->link, json_pack("{s:s,s:i,s:i,s:o}", "m", "hint", "n", (int)a->at, "seat",
                                  (int)a->view.seat, "acts", acts));
}

/* ---- The end ------------------------------------------------------------------------------------ */

typedef struct {
    char *text;
    size_t length, size;
} growing;

static void grow(void *self, const char *text, size_t length)
{
    growing *g = self;
    if (g->length + length > g->size) {
        g->size = 2 * (g->length + length);
        g->text = must_have(realloc(g->text, g->size));
    }
    memcpy(g->text + g->length, text, length);
    g->length += length;
}

/* Writes the race down. When that fails the kept race stays, and is written down next time. */
static void finish(local *l)
{
    growing file = {NULL, 0, 0};
    table_recorder recorder = {.write = grow, .self = &file};
    table_record_begin(&recorder, &l->t, &l->start);
    for (size_t i = 0; i < l->t.entries; i++) {
        char *line = strchr(l->lines[i], ' ');
        const table_entry entry = {.time = l->times[i],
                                   .seat = (int)strtol(l->lines[i], NULL, 10),
                                   .line = line + 1,
                                   .length = strlen(line + 1)};
        table_record_entry(&recorder, &entry);
    }
    if (kept_finish(&l->file, file.text, file.length))
        kept_race_path(&l->file, l->link.race_file, sizeof l->link.race_file);
    free(file.text);
}

/* ---- As a link ---------------------------------------------------------------------------------- */

static void foresee(local *l, const char *act)
{
    const size_t length = table_foresight(&l->t, l->viewer, act, strlen(act), NULL, 0);
    char *text = must_have(malloc(length + 1));
    table_foresight(&l->t, l->viewer, act, strlen(act), text, length + 1);
    link_give_text(&l->link, text, length);
    free(text);
}

static void say(table_link *self, const char *line)
{
    local *l = (local *)self;
    hp_error rule = HP_OK;
    l->stuck = false;
    if (l->viewer == HP_SPECTATOR) {
        give_error(l, TABLE_NOT_SEATED, HP_OK);
    } else if (strncmp(line, "foresee ", 8) == 0) {
        foresee(l, line + 8);
    } else {
        const table_error error =
            table_for_people(line, strlen(line)) ? enter(l, l->viewer, line, &rule) : TABLE_NOT_A_LINE;
        if (error != TABLE_FINE)
            give_error(l, error, rule);
    }
    drive(l);
}

static void look(table_link *self, int seat)
{
    local *l = (local *)self;
    l->viewer = seat < 0 ? HP_SPECTATOR : seat;
    give_state(l);
}

static void silence(const local *l)
{
    char rubbish[64];
    while (read(l->link.wake, rubbish, sizeof rubbish) > 0)
        continue;
}

static void work(table_link *self)
{
    local *l = (local *)self;
    silence(l);
    l->stuck = false;
    for (int i = 0; i < HP_CARS_MAX; i++)
        if (l->seat[i].thinking && atomic_load(&l->seat[i].done))
            take_decision(l, i);
    if (l->champion.thinking && atomic_load(&l->champion.done))
        give_hint(l);
    drive(l);
}

static void faults(table_link *self, void (*tell)(const char *sentence))
{
    const local *l = (const local *)self;
    for (int i = 0; i < HP_CARS_MAX; i++) {
        const bot_report *report =
            l->seat[i].driver != NULL && !l->seat[i].thinking ? bot_report_of(l->seat[i].driver) : NULL;
        char list[FAULTS_TEXT], sentence[FAULTS_TEXT + WHY];
        if (report == NULL || words_of_faults(report, list)[0] == '\0')
            continue;
        snprintf(sentence, sizeof sentence,
                 report->stopped ? _("car %d, “%s”, was shut down, and rookie drove on (%s)")
                                 : _("car %d, “%s”, left decisions to rookie (%s)"),
                 i + 1, name_of(l->program[i]), list);
        tell(sentence);
    }
}

/* Whether a program owes an answer. */
static bool owes(const local *l, int seat)
{
    return l->program[seat] != NULL && l->seat[seat].thinking && !atomic_load(&l->seat[seat].done);
}

static bool anybody_owes(const local *l)
{
    bool any = false;
    for (int i = 0; i < HP_CARS_MAX; i++)
        any |= owes(l, i);
    return any;
}

static void dismiss(thinker *b)
{
    if (b->thinking)
        wait_for(b->thread);
    bot_close(b->driver);
    b->driver = NULL;
    b->thinking = false;
}

/* Nobody who leaves waits for a program that hangs: when the others have gone in the orderly way, what is left is
 * ended. A signal cuts the moment for its answer short. */
static void dismiss_all(local *l)
{
    struct pollfd bell = {.fd = l->link.wake, .events = POLLIN};
    while (anybody_owes(l) && poll(&bell, 1, TIME_TO_ANSWER) > 0)
        silence(l);
    for (int i = 0; i < HP_CARS_MAX; i++)
        if (!owes(l, i))
            dismiss(&l->seat[i]);
    bot_end_all();
    for (int i = 0; i < HP_CARS_MAX; i++)
        dismiss(&l->seat[i]);
}

static void close_local(table_link *self)
{
    local *l = (local *)self;
    dismiss_all(l);
    if (l->champion.thinking)
        pthread_join(l->champion.thread, NULL);
    kept_close(&l->file);
    link_empty(&l->link);
    for (size_t i = 0; i < l->t.entries; i++)
        free(l->lines[i]);
    for (int i = 0; i < HP_CARS_MAX; i++)
        free(l->program[i]);
    free(l->circuit_text);
    free(l->lines);
    free(l->times);
    free(l->events);
    close(l->link.wake);
    close(l->bell);
    free(l);
}

static local *new_local(void)
{
    int ends[2];
    local *l = must_have(calloc(1, sizeof *l));
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    l->link = (table_link){
        .say = say, .look = look, .hint = hint, .work = work, .close = close_local, .faults = faults};
    l->viewer = HP_SPECTATOR;
    l->at_once = cores > 2 ? (int)cores - 1 : 1;
    l->file.fd = -1;
    for (int i = 0; i < HP_CARS_MAX; i++)
        l->seat[i].table = l;
    must_have(pipe(ends) == 0 ? l : NULL);
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    }
    l->link.wake = ends[0];
    l->bell = ends[1];
    return l;
}

static uint8_t people_of(const table_settings *s)
{
    uint8_t people = 0;
    for (int i = 0; i < s->seats; i++)
        if (s->seat[i].kind == TABLE_PERSON)
            people |= (uint8_t)(1 << i);
    return people;
}

/* With one person there is nobody to hide a hand from. */
static void first_look(local *l)
{
    const uint8_t people = l->link.people;
    if ((people & (people - 1)) == 0)
        for (int i = 0; i < HP_CARS_MAX; i++)
            if (people >> i & 1)
                l->viewer = i;
}

table_link *local_open(const table_settings *settings, const hp_circuit *circuit, const char *circuit_text,
                       const char *const program[HP_CARS_MAX], char why[WHY])
{
    local *l = new_local();
    for (int i = 0; i < HP_CARS_MAX; i++)
        l->program[i] = program[i] != NULL ? must_have(strdup(program[i])) : NULL;
    const uint64_t now = (uint64_t)link_clock();
    hp_error rule;
    l->start = *settings;
    l->link.circuit = *circuit;
    l->circuit_text = circuit_text != NULL ? must_have(strdup(circuit_text)) : NULL;
    l->link.people = people_of(settings);
    if (!table_open(&l->t, settings, now)) {
        snprintf(why, WHY, "%s", words_of_error(HP_BAD_SETUP));
    } else if (kept_create(&l->file, settings, now, circuit_text, why, WHY)) {
        first_look(l);
        if (enter(l, TABLE_KEEPER, "start", &rule) == TABLE_FINE && l->t.entries > 0) {
            drive(l);
            return &l->link;
        }
        snprintf(why, WHY, _("cannot write “%s”: %s"), l->file.path, strerror(errno));
    }
    close_local(&l->link);
    return NULL;
}

/* Plays what is in the file. */
static bool play_again(local *l, kept_race *race, char why[WHY])
{
    table_entry entry;
    table next;
    hp_error rule;
    bool good;
    while (kept_next(race, &entry, &good)) {
        const size_t first = l->in_events;
        if (play(l, &entry, &next, &rule) != TABLE_FINE) {
            good = false;
            break;
        }
        take_over(l, &next, &entry, first);
    }
    if (!good)
        snprintf(why, WHY, _("%s:%d: this entry does not belong here; the race cannot go on"), l->file.path,
                 race->line - 1);
    return good;
}

static bool find_circuit(local *l, const kept_race *race)
{
    hp_fault fault;
    const bool found = race->circuit != NULL ? hp_circuit_read(race->circuit, strlen(race->circuit),
                                                               &l->link.circuit, &fault) == HP_TEXT_OK
                                             : hp_circuit_named(race->settings.circuit, &l->link.circuit);
    return found && memcmp(&l->link.circuit.track, &race->settings.track, sizeof race->settings.track) == 0;
}

table_link *local_resume(const char *path, char why[WHY])
{
    local *l = new_local();
    kept_race race;
    if (!kept_open(&l->file, path, &race, why, WHY)) {
        close_local(&l->link);
        return NULL;
    }
    l->start = race.settings;
    l->link.people = people_of(&race.settings);
    l->circuit_text = race.circuit != NULL ? must_have(strdup(race.circuit)) : NULL;
    bool good = find_circuit(l, &race) && table_open(&l->t, &race.settings, race.opened);
    if (!good)
        snprintf(why, WHY, _("%s: this is no race that was kept here, or it is damaged"), path);
    first_look(l);
    good = good && play_again(l, &race, why);
    free(race.text);
    if (!good) {
        close_local(&l->link);
        return NULL;
    }
    hp_error rule;
    if (l->t.phase == TABLE_GATHERING)
        enter(l, TABLE_KEEPER, "start", &rule); /* the program ended before its first entry */
    else
        give_state(l);
    if (l->t.phase == TABLE_OVER)
        finish(l);
    drive(l);
    return &l->link;
}

table_link *local_again(table_link *over, char why[WHY])
{
    local *l = (local *)over;
    table_settings settings = l->start;
    for (int i = 0; i < settings.seats; i++)
        memset(settings.seat[i].salt, 0, sizeof settings.seat[i].salt);
    table_link *next = NULL;
    dismiss_all(l); /* before the next race has programs */
    if (getrandom(settings.secret, sizeof settings.secret, 0) != (ssize_t)sizeof settings.secret)
        snprintf(why, WHY, "%s", strerror(errno));
    else
        next = local_open(&settings, &over->circuit, l->circuit_text, (const char *const *)l->program, why);
    close_local(over);
    return next;
}
