/* hairpin bench: how fast the engine is, measured through the public API on one core.
 *
 * Every figure is taken several times, the kinds of measurement in turn, so that a noisy moment of the
 * machine falls on all of them; shown are the best and the median. Compare figures of one run. */
#define _POSIX_C_SOURCE 200809L
#include "bench/play.h"
#include "bench/signature.h"
#include "bots/bots.h"
#include "cli/cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static cli_option options[] = {
    {"signature", NULL, N_("print only the number that stands for the engine's behaviour"), NULL},
    {"bots-signature", NULL, N_("print only the number that stands for the bots' behaviour"), NULL},
    {"callgrind", NULL, N_("play a fixed set of races for counting instructions (make bench)"), NULL},
    {"seconds", "N", N_("how long to measure each figure (1)"), NULL},
    {0},
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- Random play ------------------------------------------------------------------------------- */

static hp_track usa(void)
{
    hp_circuit circuit;
    hp_circuit_at(0, &circuit);
    return circuit.track;
}

/* A name of its own, and no part of another function, for tools/instructions.sh. */
__attribute__((noinline)) void bench_counted(const hp_track *track, bench_played *sum);

__attribute__((noinline)) void bench_counted(const hp_track *track, bench_played *sum)
{
    for (uint64_t i = 0; i < 60; i++)
        bench_play(track, 6, i, NULL, sum);
}

/* ---- What is measured -------------------------------------------------------------------------- */

static void count_event(void *self, const hp_event *event)
{
    *(uint64_t *)self += event->kind;
}

static void write_event(void *self, const hp_event *event)
{
    char line[HP_EVENT_TEXT];
    fwrite(line, 1, hp_event_write(event, line, sizeof line), self);
}

typedef enum { QUIET, HEARD, WRITTEN } listening;

typedef struct {
    const char *name;
    int cars;
    listening how;
    double per_second[16]; /* car-turns */
    int n;
    bench_played sum;
    double time;
} measurement;

static measurement measurements[] = {
    {.name = N_("1 car"), .cars = 1},
    {.name = N_("2 cars"), .cars = 2},
    {.name = N_("4 cars"), .cars = 4},
    {.name = N_("6 cars"), .cars = 6},
    {.name = N_("6 cars, events heard"), .cars = 6, .how = HEARD},
    {.name = N_("6 cars, events written to a file"), .cars = 6, .how = WRITTEN},
};
enum { MEASUREMENTS = sizeof measurements / sizeof measurements[0], ROUNDS = 9 };

static void measure(measurement *m, double for_seconds, FILE *file)
{
    uint64_t heard = 0;
    const hp_listener counting = {.hear = count_event, .self = &heard};
    const hp_listener writing = {.hear = write_event, .self = file};
    const hp_listener *listener = m->how == QUIET ? NULL : m->how == HEARD ? &counting : &writing;
    const hp_track track = usa();
    bench_played sum = {0};
    const double start = seconds();
    double now = start;
    while (now - start < for_seconds) {
        bench_play(&track, m->cars, m->sum.races + sum.races, listener, &sum);
        now = seconds();
    }
    if (m->how == WRITTEN) {
        fflush(file);
        now = seconds();
        rewind(file);
    }
    m->per_second[m->n++] = (double)sum.turns / (now - start);
    m->sum.races += sum.races;
    m->sum.turns += sum.turns;
    m->sum.decisions += sum.decisions;
    m->time += now - start;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double best(const measurement *m)
{
    return m->per_second[m->n - 1];
}

static void print_measurement(const measurement *m)
{
    const double median = m->per_second[m->n / 2];
    const double turns = (double)m->sum.turns;
    words_pad(_(m->name), 34);
    printf("%10.2f %10.2f %11.0f %13.0f %11.0f\n", best(m) / 1e6, median / 1e6, 1e9 / median,
           median * (double)m->sum.decisions / turns, median * (double)m->sum.races / turns);
}

/* A race in its middle, with cards in every pile. */
static hp_race some_race(void)
{
    const hp_setup setup = {.track = usa(), .laps = 2, .cars = HP_CARS_MAX};
    bot_dice dice = {7};
    hp_race race;
    hp_start(&race, &setup, NULL);
    while (race.round < 10) {
        hp_choice choice;
        const int car = hp_to_act(&race);
        hp_choose_from(&race, car, &choice);
        hp_apply(&race, car, bot_any(&choice, &dice), NULL);
    }
    return race;
}

enum { TIMES = 1 << 16 };

/* The compiler must believe that somebody reads it. */
#define USED(value) __asm__ volatile("" : : "r"(&(value)) : "memory")

static double ns_to_copy(hp_race *race)
{
    const double start = seconds();
    for (int i = 0; i < TIMES; i++) {
        hp_race copy = *race;
        USED(copy);
        USED(*race);
    }
    return (seconds() - start) * 1e9 / TIMES;
}

static double ns_to_look(hp_race *race)
{
    const double start = seconds();
    for (int i = 0; i < TIMES; i++) {
        hp_view view;
        hp_look(race, i % HP_CARS_MAX, &view);
        USED(view);
    }
    return (seconds() - start) * 1e9 / TIMES;
}

static double ns_to_guess(hp_race *race)
{
    uint8_t seed[HP_SEED_BYTES] = {0};
    hp_view view;
    hp_look(race, 0, &view);
    const double start = seconds();
    for (int i = 0; i < TIMES / 16; i++) {
        hp_race guess;
        seed[0] = (uint8_t)i;
        hp_guess(&view, seed, &guess);
        USED(guess);
    }
    return (seconds() - start) * 1e9 / (TIMES / 16);
}

static double ns_to_hash(hp_race *race)
{
    uint64_t sum = 0;
    const double start = seconds();
    for (int i = 0; i < TIMES / 4; i++) {
        sum += hp_hash(race);
        USED(*race);
    }
    USED(sum);
    return (seconds() - start) * 1e9 / (TIMES / 4);
}

static void print_ns(const char *what, double (*measured)(hp_race *), hp_race *race)
{
    double ns[ROUNDS];
    for (int i = 0; i < ROUNDS; i++)
        ns[i] = measured(race);
    qsort(ns, ROUNDS, sizeof ns[0], ascending);
    words_pad(what, 34);
    printf("%8.1f %8.1f\n", ns[0], ns[ROUNDS / 2]);
}

static int print_all(double each)
{
    FILE *file = tmpfile();
    if (file == NULL)
        return cli_complain("%s", _("cannot make a temporary file"));
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < MEASUREMENTS; i++)
            measure(&measurements[i], each / ROUNDS, file);
    fclose(file);

    printf("%s\n",
           _("Random play through the public API on one core: list the legal acts, choose one, apply it.\n"
             "USA, two laps. Each figure is measured nine times, in turn with the others; best and median."));
    printf("\n");
    words_pad("", 34);
    words_pad(_("million car-turns/s"), -21);
    words_pad(_("ns a turn"), -12);
    words_pad(_("decisions/s"), -14);
    words_pad(_("races/s"), -12);
    printf("\n");
    for (int i = 0; i < MEASUREMENTS; i++) {
        qsort(measurements[i].per_second, (size_t)measurements[i].n, sizeof(double), ascending);
        print_measurement(&measurements[i]);
    }
    printf("\n");
    words_pad(_("a turn of 6 cars to one of 2"), 34);
    printf("%8.2f\n", best(&measurements[1]) / best(&measurements[3]));
    words_pad(_("a turn with events heard to without"), 34);
    printf("%8.2f\n", best(&measurements[3]) / best(&measurements[4]));

    hp_race race = some_race();
    printf("\n");
    print_ns(_("ns to copy a race"), ns_to_copy, &race);
    print_ns(_("ns for a view"), ns_to_look, &race);
    print_ns(_("ns to guess what a view hides"), ns_to_guess, &race);
    print_ns(_("ns to hash a race"), ns_to_hash, &race);
    words_pad(_("bytes of a race, of a view"), 34);
    printf("%8zu %8zu\n", sizeof(hp_race), sizeof(hp_view));
    printf("\n%s %016" PRIx64 "\n", _("Signature:"), bench_signature());
    printf("%s %016" PRIx64 "\n", _("Signature of the bots:"), bench_bots_signature());
    return EXIT_OK;
}

static int run(char **arguments, int n)
{
    (void)arguments, (void)n;
    uint64_t each;
    if (cli_given(options, "signature") != NULL) {
        printf("%016" PRIx64 "\n", bench_signature());
        return EXIT_OK;
    }
    if (cli_given(options, "bots-signature") != NULL) {
        printf("%016" PRIx64 "\n", bench_bots_signature());
        return EXIT_OK;
    }
    if (cli_given(options, "callgrind") != NULL) {
        const hp_track track = usa();
        bench_played sum = {0};
        bench_counted(&track, &sum);
        printf("car-turns %" PRIu64 "\n", sum.turns);
        return EXIT_OK;
    }
    if (!cli_number(options, "seconds", 1, 600, 1, &each))
        return EXIT_USAGE;
    return print_all((double)each);
}

const cli_command cmd_bench = {
    .name = "bench",
    .arguments = "",
    .summary = N_("measure the engine's speed, and print the signature of its behaviour"),
    .options = options,
    .run = run,
};
