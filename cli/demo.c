/* hairpin demo: bots race, and people watch. */
#define _POSIX_C_SOURCE 200809L
#include "bots/bots.h"
#include "cli/cli.h"
#include "cli/faults.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static cli_option options[] = {
    {"circuit", "NAME", N_("a circuit's name or file (usa)"), NULL},
    {"laps", "N", N_("laps, 1 to 9 (1)"), NULL},
    {"cars", "N", N_("cars, 1 to 6 (6)"), NULL},
    {"seed", "N", N_("the same seed gives the same race (by the clock)"), NULL},
    {"bots", "NAMES", N_("rookie, driver, champion or ./a-program; one, or one a car: a,b (driver,rookie)"),
     NULL},
    {"delay", "MS", N_("pause after each round (700 on a terminal, else 0)"), NULL},
    {0},
};

/* What the people watching are told of, in words. */
static void tell(const hp_event *event)
{
    switch ((hp_event_kind)event->kind) {
    case HP_EV_SPIN:
        printf(_("  Car %d spins out!\n"), event->car);
        break;
    case HP_EV_CLUTTERED:
        printf(_("  Car %d has a cluttered hand and stands still.\n"), event->car);
        break;
    case HP_EV_BOOST:
        printf(_("  Car %d boosts.\n"), event->car);
        break;
    case HP_EV_MOVE:
        if (event->why == HP_BY_SLIPSTREAM)
            printf(_("  Car %d uses the slipstream.\n"), event->car);
        if (event->to.at < event->from.at + event->number)
            printf(_("  Car %d is blocked.\n"), event->car);
        break;
    case HP_EV_FINISH:
        printf(_("  Car %d finishes: place %d.\n"), event->car, event->place);
        break;
    case HP_EV_RETIRE:
        printf(_("  Car %d retires.\n"), event->car);
        break;
    case HP_EV_GRID:
    case HP_EV_DRAW:
    case HP_EV_RESHUFFLE:
    case HP_EV_ROUND:
    case HP_EV_SHIFT:
    case HP_EV_REVEAL:
    case HP_EV_FLIP:
    case HP_EV_COOL:
    case HP_EV_CORNER:
    case HP_EV_DISCARD:
    case HP_EV_REPLENISH:
    case HP_EV_END:
    case HP_EV_KINDS:
        break;
    }
}

enum { SPEC_BYTES = 4200 }; /* a path, and a time */

/* The bots at the wheel. */
typedef struct {
    bot *car[HP_CARS_MAX];
    char spec[HP_CARS_MAX][SPEC_BYTES];
    int cars;
} field;

static void hear(void *self, const hp_event *event)
{
    const field *f = self;
    tell(event);
    for (int i = 0; i < f->cars; i++)
        bot_hear(f->car[i], event);
}

static void name_field(const field *f)
{
    printf("%s", _("Who drives which car:"));
    for (int i = 0; i < f->cars; i++)
        printf("%s %d %s", i > 0 ? "," : "", i, f->spec[i]);
    printf(".\n");
}

static void close_field(field *f)
{
    for (int i = 0; i < f->cars; i++)
        bot_close(f->car[i]);
}

/* One bot for each car of the names, which are parted by commas and begun again where there are fewer. */
static bool open_field(field *f, int cars, const char *names, uint64_t seed)
{
    const char *next = names;
    int commas = 0;
    for (const char *at = names; *at != '\0'; at++)
        commas += *at == ',';
    if (commas >= cars) {
        cli_complain(_("too many “%s”: %d at most"), "bots", cars);
        return false;
    }
    for (f->cars = 0; f->cars < cars; f->cars++) {
        char *spec = f->spec[f->cars];
        const int length = (int)strcspn(next, ",");
        snprintf(spec, SPEC_BYTES, "%.*s", length, next);
        next = next[length] == ',' ? next + length + 1 : names;
        errno = 0;
        if ((f->car[f->cars] = bot_open(spec, f->cars, seed + (uint64_t)f->cars)) == NULL) {
            cli_complain_of_bot(spec, errno);
            close_field(f);
            return false;
        }
    }
    return true;
}

/* What a program outside did wrong, in one line. */
static void report(int car, const char *spec, const bot_report *r)
{
    char faults[FAULTS_TEXT];
    words_of_faults(r, faults);
    if (r->stopped)
        cli_complain(_("car %d, “%s”, was shut down, and rookie drove on (%s)"), car, spec, faults);
    else if (faults[0] != '\0')
        cli_complain(_("car %d, “%s”, left decisions to rookie (%s)"), car, spec, faults);
}

static void report_field(const field *f)
{
    for (int i = 0; i < f->cars; i++)
        if (bot_report_of(f->car[i]) != NULL)
            report(i, f->spec[i], bot_report_of(f->car[i]));
}

static void show_round(const hp_race *race, uint64_t delay)
{
    printf("\n%s %d\n", _("Round"), race->round);
    draw_track(race);
    draw_standings(race);
    fflush(stdout);
    const struct timespec pause = {.tv_sec = (time_t)(delay / 1000),
                                   .tv_nsec = (long)(delay % 1000) * 1000000};
    if (delay > 0)
        nanosleep(&pause, NULL);
}

static int run(char **arguments, int n)
{
    (void)arguments, (void)n;
    hp_circuit circuit;
    uint64_t laps, cars, seed, delay;
    const char *name = cli_given(options, "circuit");
    const char *driver = cli_given(options, "bots");
    if (!cli_number(options, "laps", 1, HP_LAPS_MAX, 1, &laps) ||
        !cli_number(options, "cars", 1, HP_CARS_MAX, HP_CARS_MAX, &cars) ||
        !cli_number(options, "seed", 0, UINT64_MAX, (uint64_t)time(NULL), &seed) ||
        !cli_number(options, "delay", 0, 60000, isatty(STDOUT_FILENO) ? 700 : 0, &delay))
        return EXIT_USAGE;
    if (!cli_circuit(name != NULL ? name : "usa", &circuit))
        return EXIT_FAILED;
    cli_on_end(cli_end_with_bots);
    field f;
    if (!open_field(&f, (int)cars, driver != NULL ? driver : "driver,rookie", seed))
        return EXIT_USAGE;

    hp_setup setup = {.track = circuit.track, .laps = (uint8_t)laps, .cars = (uint8_t)cars};
    hp_seed_of(seed, 0, setup.seed);
    printf(n_("%s, %d lap, seed %llu.\n", "%s, %d laps, seed %llu.\n", laps), cli_circuit_title(&circuit),
           (int)laps, (unsigned long long)seed);
    name_field(&f);
    printf("%s\n", _("The strip is one lap. Numbers are cars, “7]” is a corner with its speed limit."));

    hp_race race;
    const hp_listener listener = {.hear = hear, .self = &f};
    hp_start(&race, &setup, &listener); /* every figure has been checked */
    int round = 0;
    for (int car; (car = hp_to_act(&race)) >= 0;) {
        if (race.round != round)
            show_round(&race, delay);
        round = race.round;
        hp_view view;
        hp_look(&race, car, &view);
        hp_apply(&race, car, bot_choose(f.car[car], &view), &listener);
    }
    report_field(&f);
    close_field(&f);
    printf(n_("\nThe result after %d round:\n", "\nThe result after %d rounds:\n", race.round), race.round);
    draw_result(&race);
    return EXIT_OK;
}

const cli_command cmd_demo = {
    .name = "demo",
    .arguments = "",
    .summary = N_("watch bots race"),
    .options = options,
    .run = run,
};
