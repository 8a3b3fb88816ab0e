/* hairpin sim: many races, by bots that take any legal act, on several cores.
 *
 * Workers take batches of races in order, a bounded number ahead of what is written; whoever finds the
 * next batch complete writes it. So a log is the same whatever the number of workers, memory is bounded,
 * and an interrupted run has whole races without gaps. */
#define _POSIX_C_SOURCE 200809L
#include "bots/bots.h"
#include "cli/cli.h"
#include "cli/recording.h"
#include "cli/tally.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    BATCH = 8, /* races */
    AHEAD = 4, /* batches in the making for each worker */
    JOBS_MAX = 64
};

static cli_option options[] = {
    {"circuit", "NAME", N_("a circuit's name or file (usa)"), NULL},
    {"cars", "N", N_("cars, 1 to 6 (6)"), NULL},
    {"laps", "N", N_("laps, 1 to 9 (as the circuit says)"), NULL},
    {"races", "N", N_("how many races (1000)"), NULL},
    {"seed", "N", N_("the same seed gives the same races (1)"), NULL},
    {"handicap", "N,N,...", N_("Heat cards fewer at the start, 0 to 2, for each car (0)"), NULL},
    {"jobs", "N", N_("how many cores to use, 1 to 64 (1)"), NULL},
    {"events", "FILE", N_("write the event log: JSON Lines"), NULL},
    {"record", "DIR", N_("write a race file for each race"), NULL},
    {"json", NULL, N_("print the summary as JSON"), NULL},
    {0},
};

/* ---- One race ---------------------------------------------------------------------------------- */

/* What is made of a batch. */
typedef struct {
    tally counts;
    growing events;
    bool wants_events;
    bool done; /* and not written yet */
} output;

static void hear(void *self, const hp_event *event)
{
    output *out = self;
    tally_event(&out->counts, event);
    if (out->wants_events) {
        char line[HP_EVENT_TEXT];
        growing_append(&out->events, line, hp_event_write(event, line, sizeof line));
    }
}

/* Whoever listens or records, the race is the same. */
static void play(const hp_head *head, uint64_t bot_seed, output *out, growing *record)
{
    char line[HP_HEAD_TEXT];
    const hp_listener listener = {.hear = hear, .self = out};
    bot_dice dice = {bot_seed};
    hp_race race;
    if (out->wants_events)
        growing_append(&out->events, line, hp_event_head_write(head, line, sizeof line));
    hp_start(&race, &head->setup, &listener);
    if (record != NULL)
        recording_begin(record, head, &race);
    for (int car; (car = hp_to_act(&race)) >= 0; out->counts.decisions++) {
        hp_choice choice;
        hp_choose_from(&race, car, &choice);
        const hp_act act = bot_any(&choice, &dice);
        const int round = race.round;
        hp_apply(&race, car, act, &listener);
        if (record != NULL)
            recording_act(record, car, act, round, &race);
    }
}

/* ---- Many races -------------------------------------------------------------------------------- */

static volatile sig_atomic_t interrupted;

static void interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

typedef struct {
    hp_head head; /* but for the seed */
    uint64_t seed, races;
    FILE *events;
    const char *record; /* a folder */

    pthread_mutex_t lock;           /* for all that follows */
    pthread_cond_t written;         /* told when next_written grows or a worker ends */
    output batch[AHEAD * JOBS_MAX]; /* batch n is in place n % ahead, and its worker's own until it is done */
    uint64_t ahead;                 /* AHEAD for each worker */
    uint64_t next_batch;            /* that nobody has taken */
    uint64_t next_written;          /* all before it are on disk and counted */
    bool writing;                   /* somebody is, with the lock released */
    uint64_t running;               /* workers */
    tally total;
    int error; /* errno of the first file that could not be written */
    char where[RECORDING_PATH];
} simulation;

static void failed(simulation *sim, const char *where)
{
    if (sim->error == 0) {
        sim->error = errno != 0 ? errno : EIO;
        snprintf(sim->where, sizeof sim->where, "%s", where);
    }
}

static void write_record(simulation *sim, uint64_t race, const growing *record)
{
    char path[RECORDING_PATH];
    if (!recording_write(record, sim->record, race, path)) {
        pthread_mutex_lock(&sim->lock);
        failed(sim, path);
        pthread_mutex_unlock(&sim->lock);
    }
}

static void play_batch(simulation *sim, uint64_t batch, output *out, growing *record)
{
    hp_head head = sim->head;
    for (uint64_t i = batch * BATCH; i < (batch + 1) * BATCH && i < sim->races; i++) {
        uint8_t theirs[HP_SEED_BYTES]; /* other numbers than any race of this seed has */
        uint64_t bot_seed = 0;
        hp_seed_of(sim->seed, i, head.setup.seed);
        hp_seed_of(sim->seed, i | UINT64_C(1) << 63, theirs);
        for (int k = 0; k < 8; k++)
            bot_seed |= (uint64_t)theirs[k] << (8 * k);
        play(&head, bot_seed, out, sim->record != NULL ? record : NULL);
        if (sim->record != NULL)
            write_record(sim, i, record);
    }
}

/* Writes the batches that are complete and next. One worker at a time does, without holding the others. */
static void write_batches(simulation *sim)
{
    if (sim->writing)
        return;
    sim->writing = true;
    for (output *out; (out = &sim->batch[sim->next_written % sim->ahead])->done;) {
        bool good = true;
        pthread_mutex_unlock(&sim->lock);
        errno = 0;
        if (out->events.length > 0)
            good = fwrite(out->events.data, 1, out->events.length, sim->events) == out->events.length;
        pthread_mutex_lock(&sim->lock);
        if (out->events.failed)
            errno = ENOMEM;
        if (!good || out->events.failed)
            failed(sim, cli_given(options, "events"));
        tally_add(&sim->total, &out->counts);
        free(out->events.data);
        out->events = (growing){0};
        out->done = false;
        sim->next_written++;
        pthread_cond_broadcast(&sim->written);
    }
    sim->writing = false;
}

static void *work(void *argument)
{
    simulation *sim = argument;
    growing record = {0};
    pthread_mutex_lock(&sim->lock);
    while (!interrupted && sim->error == 0 && sim->next_batch * BATCH < sim->races) {
        if (sim->next_batch == sim->next_written + sim->ahead) {
            pthread_cond_wait(&sim->written, &sim->lock);
            continue;
        }
        const uint64_t number = sim->next_batch++;
        output *out = &sim->batch[number % sim->ahead];
        pthread_mutex_unlock(&sim->lock);

        memset(&out->counts, 0, sizeof out->counts);
        out->wants_events = sim->events != NULL;
        play_batch(sim, number, out, &record);

        pthread_mutex_lock(&sim->lock);
        out->done = true;
        write_batches(sim);
    }
    sim->running--;
    pthread_cond_broadcast(&sim->written);
    pthread_mutex_unlock(&sim->lock);
    free(record.data);
    return NULL;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Waits for the workers; on a terminal, says how far they are. */
static void watch(simulation *sim)
{
    const bool terminal = isatty(STDERR_FILENO);
    const double start = seconds();
    pthread_mutex_lock(&sim->lock);
    while (sim->running > 0) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 200000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&sim->written, &sim->lock, &until);
        static double last_said; /* the condition is told far more often than eyes can follow */
        if (!terminal || seconds() - last_said < 0.2)
            continue;
        last_said = seconds();
        cli_progress(sim->total.races, sim->races, 0, last_said - start);
    }
    pthread_mutex_unlock(&sim->lock);
    if (terminal)
        fprintf(stderr, "\r%60s\r", "");
}

static bool run_workers(simulation *sim, uint64_t jobs)
{
    pthread_t workers[JOBS_MAX];
    uint64_t started = 0;
    pthread_mutex_init(&sim->lock, NULL);
    pthread_cond_init(&sim->written, NULL);
    sim->running = jobs;
    sim->ahead = AHEAD * jobs;
    while (started < jobs && pthread_create(&workers[started], NULL, work, sim) == 0)
        started++;
    pthread_mutex_lock(&sim->lock);
    sim->running -= jobs - started;
    pthread_mutex_unlock(&sim->lock);
    watch(sim);
    for (uint64_t i = 0; i < started; i++)
        pthread_join(workers[i], NULL);
    pthread_mutex_destroy(&sim->lock);
    pthread_cond_destroy(&sim->written);
    return started > 0;
}

/* ---- The command ------------------------------------------------------------------------------- */

static bool read_handicap(const char *text, hp_setup *setup)
{
    if (text == NULL)
        return true;
    int car = 0;
    for (;; text += 2, car++) {
        const bool good =
            text[0] >= '0' && text[0] <= '0' + HP_HANDICAP_MAX && (text[1] == ',' || text[1] == '\0');
        if (!good || car == setup->cars) {
            cli_complain("%s", _("“--handicap” takes a number from 0 to 2 for each car, as 0,1,0"));
            return false;
        }
        setup->handicap[car] = (uint8_t)(text[0] - '0');
        if (text[1] == '\0')
            return true;
    }
}

static bool open_outputs(simulation *sim)
{
    const char *events = cli_given(options, "events");
    sim->record = cli_given(options, "record");
    if (sim->record != NULL && !recording_folder(sim->record))
        return false;
    if (events != NULL && (sim->events = strcmp(events, "-") == 0 ? stdout : fopen(events, "wb")) == NULL) {
        cli_complain(_("cannot open “%s”: %s"), events, strerror(errno));
        return false;
    }
    return true;
}

static int run(char **arguments, int n)
{
    (void)arguments, (void)n;
    static simulation sim;
    hp_circuit circuit;
    uint64_t cars, laps, jobs;
    const char *name = cli_given(options, "circuit");
    if (!cli_number(options, "cars", 1, HP_CARS_MAX, HP_CARS_MAX, &cars) ||
        !cli_number(options, "laps", 1, HP_LAPS_MAX, 0, &laps) ||
        !cli_number(options, "races", 1, 1000000000, 1000, &sim.races) ||
        !cli_number(options, "seed", 0, UINT64_MAX, 1, &sim.seed) ||
        !cli_number(options, "jobs", 1, JOBS_MAX, 1, &jobs))
        return EXIT_USAGE;
    if (!cli_circuit(name != NULL ? name : "usa", &circuit) ||
        (cli_given(options, "record") != NULL && !cli_circuit_is_itself(&circuit)))
        return EXIT_FAILED;
    hp_setup *setup = &sim.head.setup;
    setup->track = circuit.track;
    setup->cars = (uint8_t)cars;
    setup->laps = laps > 0 ? (uint8_t)laps : circuit.laps;
    if (!read_handicap(cli_given(options, "handicap"), setup))
        return EXIT_USAGE;
    memcpy(sim.head.circuit, circuit.name, sizeof sim.head.circuit);
    for (uint64_t i = 0; i < cars; i++)
        snprintf(sim.head.seat[i], sizeof sim.head.seat[i], "random");
    if (!open_outputs(&sim))
        return EXIT_FAILED;

    struct sigaction action = {.sa_handler = interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (!run_workers(&sim, jobs))
        return cli_complain("%s", _("cannot start a thread"));
    if (sim.events != NULL && sim.events != stdout && fclose(sim.events) != 0)
        failed(&sim, cli_given(options, "events"));

    if (sim.events == stdout)
        ; /* the log and nothing else */
    else if (cli_given(options, "json") != NULL)
        tally_print_json(&sim.total, (int)cars);
    else
        tally_print(&sim.total, (int)cars);
    if (sim.error != 0)
        return cli_complain(_("cannot write “%s”: %s"), sim.where, strerror(sim.error));
    if (interrupted)
        cli_complain(_("interrupted after %llu races; those are complete"),
                     (unsigned long long)sim.total.races);
    return interrupted ? EXIT_INTERRUPTED : EXIT_OK;
}

const cli_command cmd_sim = {
    .name = "sim",
    .arguments = "",
    .summary = N_("play many races by random bots, and count what happens"),
    .more = N_("The same seed gives the same log, byte for byte, whatever --jobs is. Ctrl-C stops early and\n"
               "keeps the races that are complete."),
    .options = options,
    .run = run,
};
