/* hairpin arena: bots against each other, on equal terms, measured.
 *
 * Workers take races in order, a bounded number ahead of what is written; whoever finds the next race
 * complete writes it. So the file is the same whatever the number of workers, and always a beginning of
 * the whole: going on is to read it and play the rest. */
#define _POSIX_C_SOURCE 200809L
#include "bots/bots.h"
#include "cli/arena_file.h"
#include "cli/arena_print.h"
#include "cli/arena_results.h"
#include "cli/cli.h"
#include "cli/faults.h"
#include "cli/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    AHEAD = 16, /* races in the making or waiting for their turn, for each worker */
    JOBS_MAX = 64,
    CIRCUITS_MAX = 32
};

static cli_option options[] = {
    {"bots", "A,B,...", N_("who races, as rookie,random; at most 16"), NULL},
    {"circuit", "NAME", N_("a circuit's name or file, or all of ours in turn (all)"), NULL},
    {"cars", "N", N_("cars, 1 to 6 (6)"), NULL},
    {"laps", "N", N_("laps, 1 to 9 (as the circuit says)"), NULL},
    {"races", "N", N_("how many races, rounded up to whole rotations (600)"), NULL},
    {"seed", "N", N_("the same seed gives the same races (1)"), NULL},
    {"jobs", "N", N_("how many cores to use, 1 to 64 (1)"), NULL},
    {"out", "FILE", N_("write a line for each race, or go on where FILE ends"), NULL},
    {"record", "DIR", N_("write a race file for each race"), NULL},
    {"times", NULL, N_("tell how long the bots took for their decisions"), NULL},
    {"merge", NULL, N_("play nothing: add up the races of these files"), NULL},
    {"json", NULL, N_("print the summary as JSON"), NULL},
    {0},
};

/* ---- One race ---------------------------------------------------------------------------------- */

static atomic_bool interrupted;

/* No race counts whose programs were ended with us. */
static void give_up(int signal_number)
{
    atomic_store(&interrupted, true);
    cli_end_with_bots(signal_number);
}

/* A bot may take minutes for a decision: the second time it ends there and then. */
static void interrupt(int signal_number)
{
    if (atomic_exchange(&interrupted, true))
        cli_end_with_bots(signal_number);
}

typedef struct {
    bot *driver[HP_CARS_MAX];
    arena_race *race;
} field;

static void hear(void *self, const hp_event *event)
{
    const field *f = self;
    arena_race *race = f->race;
    if (event->kind == HP_EV_GRID)
        race->slot[event->car] = event->slot;
    if (event->kind == HP_EV_SPIN)
        race->spins[event->car]++;
    if (event->kind == HP_EV_SHIFT || event->kind == HP_EV_CORNER)
        race->heat[event->car] = (uint16_t)(race->heat[event->car] + event->paid);
    if (event->kind == HP_EV_BOOST)
        race->heat[event->car]++;
    for (int i = 0; i < race->cars; i++)
        bot_hear(f->driver[i], event);
}

typedef struct {
    arena_head head;
    hp_circuit circuit[CIRCUITS_MAX];
    int circuits;
    uint32_t races;
    const char *record; /* a folder, or NULL */
    FILE *out;          /* or NULL */
    off_t length;       /* of its whole lines */

    pthread_mutex_t lock;              /* for all that follows */
    pthread_cond_t written;            /* told when a race is, or a worker ends */
    arena_race ring[AHEAD * JOBS_MAX]; /* race n is in place n % ahead, and its worker's until it is done */
    bool done[AHEAD * JOBS_MAX];
    uint32_t ahead;
    uint32_t next_race;    /* that nobody has taken */
    uint32_t next_written; /* all before it are in all */
    uint64_t running;      /* workers */
    arena_results all;
    int error;                  /* errno of what could not be written, */
    char where[RECORDING_PATH]; /* and its path */
    const char *no_driver;      /* a bot that would not start */
    arena_news news;
} arena;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static hp_act decide(arena *a, int which, bot *driver, const hp_view *view)
{
    if (!a->news.timed)
        return bot_choose(driver, view);
    const double start = seconds();
    const hp_act act = bot_choose(driver, view);
    const double took = seconds() - start;
    pthread_mutex_lock(&a->lock);
    durations_add(&a->news.took[which], (uint64_t)(1e6 * took));
    pthread_mutex_unlock(&a->lock);
    return act;
}

static bool open_field(const arena *a, field *f)
{
    uint8_t seed[HP_SEED_BYTES]; /* other numbers than any race of this arena has */
    bot_dice dice = {0};
    hp_seed_of(a->head.seed, f->race->race | UINT64_C(1) << 63, seed);
    for (int i = 0; i < 8; i++)
        dice.state |= (uint64_t)seed[i] << (8 * i);
    bool good = true;
    for (int i = 0; i < f->race->cars && good; i++)
        good = (f->driver[i] = bot_open(a->head.bot[f->race->bot[i]], i, bot_roll(&dice))) != NULL;
    return good;
}

/* What comes of a race beside its result. */
typedef struct {
    growing record;                    /* its race file, when wished for; used again and again */
    bot_report faults[ARENA_BOTS_MAX]; /* why the rookie had to decide for that bot */
} aftermath;

/* Adds the faults, of which the first stays the first, and tells whether there were any. */
static bool add_faults(const bot_report *report, bot_report *sum)
{
    bool any = false;
    for (int i = 0; report != NULL && i < BOT_FAULTS; i++) {
        sum->faults[i] += report->faults[i];
        any |= report->faults[i] > 0;
    }
    if (any && sum->first == 0) {
        sum->first = report->first;
        memcpy(sum->wrote, report->wrote, sizeof sum->wrote);
    }
    return any;
}

static hp_head head_of(const arena *a, const arena_race *race, const hp_setup *setup)
{
    hp_head head = {.setup = *setup};
    memcpy(head.circuit, race->circuit, sizeof head.circuit);
    for (int i = 0; i < race->cars; i++) {
        const char *spec = a->head.bot[race->bot[i]], *slash = strrchr(spec, '/');
        const char *name = slash != NULL ? slash + 1 : spec;
        size_t length = strlen(name) < HP_NAME_MAX ? strlen(name) : HP_NAME_MAX;
        while (length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80)
            length--; /* no letter is cut in two */
        memcpy(head.seat[i], name, length);
    }
    return head;
}

/* NULL, or the bot that would not start. Gives up when interrupted: a race may take minutes. */
static const char *play(arena *a, uint32_t number, arena_race *race, aftermath *after)
{
    const uint32_t deal = number / (uint32_t)a->head.bots;
    const hp_circuit *circuit = &a->circuit[deal % (uint32_t)a->circuits];
    memset(race, 0, sizeof *race);
    race->seed = a->head.seed;
    race->race = number;
    race->deal = deal;
    memcpy(race->circuit, circuit->name, sizeof race->circuit);
    race->laps = a->head.laps > 0 ? (uint8_t)a->head.laps : circuit->laps;
    race->cars = (uint8_t)a->head.cars;
    arena_seats(&a->head, number, race->bot);

    field f = {.race = race};
    const char *no_driver = NULL;
    if (open_field(a, &f)) {
        hp_setup setup = {.track = circuit->track, .laps = race->laps, .cars = race->cars};
        hp_seed_of(a->head.seed, deal, setup.seed);
        const hp_listener listener = {.hear = hear, .self = &f};
        const hp_head head = head_of(a, race, &setup);
        hp_race state;
        hp_start(&state, &setup, &listener); /* every figure has been checked */
        if (a->record != NULL)
            recording_begin(&after->record, &head, &state);
        for (int car; (car = hp_to_act(&state)) >= 0 && !interrupted;) {
            hp_view view;
            hp_look(&state, car, &view);
            const hp_act act = decide(a, race->bot[car], f.driver[car], &view);
            hp_apply(&state, car, act, &listener);
            if (a->record != NULL)
                recording_act(&after->record, car, act, view.round, &state);
        }
        race->rounds = state.round;
        for (int i = 0; i < race->cars; i++)
            race->place[i] = state.car[i].place;
        memset(after->faults, 0, sizeof after->faults);
        for (int i = 0; i < race->cars; i++)
            add_faults(bot_report_of(f.driver[i]), &after->faults[race->bot[i]]);
    } else {
        for (int i = 0; i < race->cars && no_driver == NULL; i++)
            if (f.driver[i] == NULL)
                no_driver = a->head.bot[race->bot[i]];
    }
    for (int i = 0; i < race->cars; i++)
        if (f.driver[i] != NULL)
            bot_close(f.driver[i]);
    return no_driver;
}

/* ---- Many races -------------------------------------------------------------------------------- */

static bool stopped(const arena *a)
{
    return interrupted || a->error != 0 || a->no_driver != NULL;
}

static void failed(arena *a, const char *where)
{
    if (a->error == 0) {
        a->error = errno != 0 ? errno : EIO;
        snprintf(a->where, sizeof a->where, "%s", where);
    }
}

/* A line that could not be written whole is taken away again. */
static bool write_line(arena *a, const char *line, size_t length)
{
    errno = 0;
    if (fwrite(line, 1, length, a->out) == length && fflush(a->out) == 0) {
        a->length += (off_t)length;
        return true;
    }
    failed(a, cli_given(options, "out"));
    if (ftruncate(fileno(a->out), a->length) != 0)
        return false; /* the next start drops it */
    return false;
}

/* Takes over the races that are complete and next, with the lock held: lines are short. */
static void take_over(arena *a)
{
    for (uint32_t place; a->error == 0 && a->done[place = a->next_written % a->ahead];) {
        char line[ARENA_LINE];
        if (a->out != NULL && !write_line(a, line, arena_race_write(&a->ring[place], line)))
            return;
        if (!arena_keep(&a->all, &a->ring[place])) {
            errno = ENOMEM;
            failed(a, "");
        }
        a->done[place] = false;
        a->next_written++;
        pthread_cond_broadcast(&a->written);
    }
}

/* With the lock held: a race that was driven to its end. */
static void conclude(arena *a, uint32_t number, const aftermath *after)
{
    char path[RECORDING_PATH];
    if (a->record != NULL && !recording_write(&after->record, a->record, number, path))
        failed(a, path);
    for (int i = 0; i < a->head.bots; i++)
        a->news.helped[i] += add_faults(&after->faults[i], &a->news.faults[i]);
    a->done[number % a->ahead] = true;
}

static void *work(void *argument)
{
    arena *a = argument;
    aftermath after = {0};
    pthread_mutex_lock(&a->lock);
    while (!stopped(a) && a->next_race < a->races) {
        if (a->next_race == a->next_written + a->ahead) {
            pthread_cond_wait(&a->written, &a->lock);
            continue;
        }
        const uint32_t number = a->next_race++;
        pthread_mutex_unlock(&a->lock);
        const char *no_driver = play(a, number, &a->ring[number % a->ahead], &after);
        pthread_mutex_lock(&a->lock);
        if (no_driver != NULL)
            a->no_driver = no_driver;
        else if (!interrupted)
            conclude(a, number, &after);
        take_over(a);
    }
    a->running--;
    pthread_cond_broadcast(&a->written);
    pthread_mutex_unlock(&a->lock);
    free(after.record.data);
    return NULL;
}

/* Waits for the workers; on a terminal, says how far they are. */
static void watch(arena *a)
{
    const bool terminal = isatty(STDERR_FILENO);
    const double start = seconds();
    double said = 0; /* the condition is told far more often than eyes can follow */
    pthread_mutex_lock(&a->lock);
    const uint32_t before = a->next_written;
    while (a->running > 0) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 200000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&a->written, &a->lock, &until);
        if (terminal && seconds() - said >= 0.2) {
            said = seconds();
            cli_progress(a->next_written, a->races, before, said - start);
        }
    }
    pthread_mutex_unlock(&a->lock);
    if (terminal)
        fprintf(stderr, "\r%60s\r", "");
}

static bool run_workers(arena *a, uint64_t jobs)
{
    pthread_t workers[JOBS_MAX];
    uint64_t started = 0;
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->written, NULL);
    a->running = jobs;
    a->ahead = AHEAD * (uint32_t)jobs;
    while (started < jobs && pthread_create(&workers[started], NULL, work, a) == 0)
        started++;
    pthread_mutex_lock(&a->lock);
    a->running -= jobs - started;
    pthread_mutex_unlock(&a->lock);
    watch(a);
    for (uint64_t i = 0; i < started; i++)
        pthread_join(workers[i], NULL);
    pthread_mutex_destroy(&a->lock);
    pthread_cond_destroy(&a->written);
    return started > 0;
}

/* ---- Files ------------------------------------------------------------------------------------- */

/* Makes what --out holds already ready for more. EXIT_OK, or after saying what is wrong. */
static int go_on(arena *a, const char *path)
{
    char line[ARENA_LINE];
    const int code = arena_read_begun(a->out, path, &a->head, &a->all, &a->length);
    if (code != EXIT_OK)
        return code;
    const bool fresh = a->length == 0;
    if (ftruncate(fileno(a->out), a->length) != 0 || fseeko(a->out, a->length, SEEK_SET) != 0 ||
        (fresh && !write_line(a, line, arena_head_write(&a->head, line))))
        return cli_complain(_("cannot write “%s”: %s"), path, strerror(errno));
    a->next_race = a->next_written = (uint32_t)a->all.n;
    return EXIT_OK;
}

static int open_out(arena *a, const char *path)
{
    struct stat about;
    const int descriptor = open(path, O_RDWR | O_CREAT, 0666);
    if (descriptor < 0)
        return cli_complain(_("cannot open “%s”: %s"), path, strerror(errno));
    if (fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode)) {
        close(descriptor);
        return cli_complain(_("“%s” is not an ordinary file"), path);
    }
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 &&
        errno == EWOULDBLOCK) { /* where there are no locks it must do */
        close(descriptor);
        return cli_complain(_("“%s” is being written by another arena"), path);
    }
    a->out = fdopen(descriptor, "r+b");
    return a->out != NULL ? go_on(a, path) : arena_out_of_memory();
}

/* ---- Results ----------------------------------------------------------------------------------- */

static int report(const arena_head *head, const arena_results *all, const arena_news *news)
{
    static arena_table table;
    if (!arena_count(all->race, all->n, head->bots, &table))
        return arena_out_of_memory();
    if (cli_given(options, "json") != NULL)
        arena_print_json(head, &table, news);
    else
        arena_print(head, &table, news);
    return EXIT_OK;
}

static int merge(char **paths, int n)
{
    for (const cli_option *option = options; option->name != NULL; option++)
        if (option->given != NULL && strcmp(option->name, "merge") != 0 &&
            strcmp(option->name, "json") != 0) {
            cli_complain(_("“--%s” has no meaning beside “--%s”"), option->name, "merge");
            return EXIT_USAGE;
        }
    if (n == 0) {
        cli_complain(_("usage: hairpin %s %s"), "arena", "--merge FILE...");
        return EXIT_USAGE;
    }
    arena_results all = {0};
    arena_head head;
    int code = arena_read_all(paths, n, &head, &all);
    if (code == EXIT_OK)
        code = report(&head, &all, NULL);
    free(all.race);
    return code;
}

/* ---- The command ------------------------------------------------------------------------------- */

/* Every bot is started once, so that a slip of the finger shows before the first race. */
static bool read_bots(const char *text, arena_head *head)
{
    if (text == NULL) {
        cli_complain(_("“--%s” needs a value: %s"), "bots", "A,B,...");
        return false;
    }
    for (;; text++) {
        const size_t length = strcspn(text, ",");
        if (head->bots == ARENA_BOTS_MAX) {
            cli_complain(_("too many “%s”: %d at most"), "bots", ARENA_BOTS_MAX);
            return false;
        }
        char *name = head->bot[head->bots];
        bot *b = NULL;
        errno = 0;
        if (arena_bot_name(text, length)) {
            memcpy(name, text, length);
            b = bot_open(name, 0, 0);
        }
        if (b == NULL) {
            char typed[ARENA_BOT_TEXT];
            const int why = errno;
            snprintf(typed, sizeof typed, "%.*s", (int)(length < sizeof typed ? length : sizeof typed), text);
            cli_complain_of_bot(typed, why);
            return false;
        }
        bot_close(b);
        head->bots++;
        text += length;
        if (*text == '\0')
            return true;
    }
}

static bool read_circuits(const char *name, arena *a)
{
    snprintf(a->head.circuit, sizeof a->head.circuit, "all");
    if (strcmp(name, "all") == 0) {
        for (a->circuits = 0; a->circuits < hp_circuits() && a->circuits < CIRCUITS_MAX; a->circuits++)
            hp_circuit_at(a->circuits, &a->circuit[a->circuits]);
    } else {
        if (!cli_circuit(name, &a->circuit[0]) ||
            (a->record != NULL && !cli_circuit_is_itself(&a->circuit[0])))
            return false;
        a->circuits = 1;
        memcpy(a->head.circuit, a->circuit[0].name, sizeof a->head.circuit);
    }
    /* Other figures under the same name are another arena. */
    uint8_t figures[CIRCUITS_MAX * (sizeof(hp_track) + 1)], digest[32];
    size_t length = 0;
    for (int i = 0; i < a->circuits; i++) {
        memcpy(figures + length, &a->circuit[i].track, sizeof(hp_track));
        length += sizeof(hp_track);
        figures[length++] = a->circuit[i].laps;
    }
    char hex[HP_SEED_TEXT];
    hp_sha256(figures, length, digest);
    hp_hex_write(digest, hex);
    memcpy(a->head.figures, hex, ARENA_FIGURES - 1);
    return true;
}

static int race(arena *a, uint64_t jobs)
{
    const char *path = cli_given(options, "out");
    int code = path != NULL ? open_out(a, path) : EXIT_OK;
    if (code != EXIT_OK)
        return code;
    if (a->all.n > 0)
        cli_complain(n_("“%s” has %llu race already, which is counted too",
                        "“%s” has %llu races already, which are counted too", (unsigned long)a->all.n),
                     path, (unsigned long long)a->all.n);
    if (a->record != NULL && !recording_folder(a->record))
        return EXIT_FAILED;
    struct sigaction action = {.sa_handler = interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (!run_workers(a, jobs))
        return cli_complain("%s", _("cannot start a thread"));
    if (a->out != NULL && fclose(a->out) != 0)
        failed(a, path);
    code = report(&a->head, &a->all, &a->news);
    for (int i = 0; i < a->head.bots; i++)
        if (a->news.helped[i] > 0) {
            char faults[FAULTS_TEXT];
            cli_complain(n_("“%s” left decisions to rookie in %llu race (%s)",
                            "“%s” left decisions to rookie in %llu races (%s)", a->news.helped[i]),
                         a->head.bot[i], (unsigned long long)a->news.helped[i],
                         words_of_faults(&a->news.faults[i], faults));
        }
    if (a->error != 0)
        return a->where[0] != '\0' ? cli_complain(_("cannot write “%s”: %s"), a->where, strerror(a->error))
                                   : arena_out_of_memory();
    if (a->no_driver != NULL)
        return cli_complain(_("the bot “%s” did not start again"), a->no_driver);
    if (interrupted && a->next_written < a->races) {
        cli_complain(
            a->next_written % (uint32_t)a->head.bots == 0
                ? _("interrupted after %llu races; those are complete")
                : _("interrupted after %llu races; those are complete, but not the last rotation: not "
                    "everybody has had every seat equally often"),
            (unsigned long long)a->next_written);
        return EXIT_INTERRUPTED;
    }
    return code;
}

static int run(char **arguments, int n)
{
    static arena a;
    uint64_t cars, laps, races, jobs;
    const char *circuit = cli_given(options, "circuit");
    if (cli_given(options, "merge") != NULL)
        return merge(arguments, n);
    if (n > 0) {
        cli_complain(_("usage: hairpin %s %s"), "arena", _("[options]"));
        return EXIT_USAGE;
    }
    cli_on_end(give_up);
    if (!cli_number(options, "cars", 1, HP_CARS_MAX, HP_CARS_MAX, &cars) ||
        !cli_number(options, "laps", 1, HP_LAPS_MAX, 0, &laps) ||
        !cli_number(options, "races", 1, ARENA_RACES_MAX - ARENA_BOTS_MAX, 600, &races) ||
        !cli_number(options, "seed", 0, UINT64_MAX, 1, &a.head.seed) ||
        !cli_number(options, "jobs", 1, JOBS_MAX, 1, &jobs) ||
        !read_bots(cli_given(options, "bots"), &a.head))
        return EXIT_USAGE;
    a.record = cli_given(options, "record");
    if (!read_circuits(circuit != NULL ? circuit : "all", &a))
        return EXIT_FAILED;
    a.news.timed = cli_given(options, "times") != NULL;
    a.head.rules = HP_RULES_VERSION;
    a.head.cars = (int)cars;
    a.head.laps = (int)laps;
    const uint32_t bots = (uint32_t)a.head.bots;
    a.races = ((uint32_t)races + bots - 1) / bots * bots;
    const int code = race(&a, jobs);
    free(a.all.race);
    return code;
}

const cli_command cmd_arena = {
    .name = "arena",
    .arguments = "[--merge FILE...]",
    .summary = N_("let bots race each other on equal terms, and tell who is better"),
    .more = N_("Bots change seats in rotations: with the same decks and the same grid, everybody has every\n"
               "seat once. Ctrl-C stops early; the same command with the same --out goes on. For several\n"
               "machines give each a --seed of its own and --merge their files. See docs/ARENA.md."),
    .options = options,
    .most = 1000,
    .run = run,
};
