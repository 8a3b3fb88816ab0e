/* hairpin demo: bots race, and people watch. */
#define _POSIX_C_SOURCE 200809L
#include "bots/bots.h"
#include "cli/cli.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

static cli_option options[] = {
    {"circuit", "NAME", N_("a circuit's name or file (usa)"), NULL},
    {"laps", "N", N_("laps, 1 to 9 (1)"), NULL},
    {"cars", "N", N_("cars, 1 to 6 (6)"), NULL},
    {"seed", "N", N_("the same seed gives the same race (by the clock)"), NULL},
    {"bot", "NAME", N_("who drives: rookie, random or null (rookie)"), NULL},
    {"delay", "MS", N_("pause after each round (700 on a terminal, else 0)"), NULL},
    {0},
};

/* What the people watching are told of, in words. */
static void tell(void *self, const hp_event *event)
{
    (void)self;
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
    const char *driver = cli_given(options, "bot");
    if (!cli_number(options, "laps", 1, HP_LAPS_MAX, 1, &laps) ||
        !cli_number(options, "cars", 1, HP_CARS_MAX, HP_CARS_MAX, &cars) ||
        !cli_number(options, "seed", 0, UINT64_MAX, (uint64_t)time(NULL), &seed) ||
        !cli_number(options, "delay", 0, 60000, isatty(STDOUT_FILENO) ? 700 : 0, &delay))
        return EXIT_USAGE;
    const bot *racer = bot_named(driver != NULL ? driver : "rookie");
    if (racer == NULL) {
        cli_complain(_("there is no bot “%s”"), driver);
        return EXIT_USAGE;
    }
    if (!cli_circuit(name != NULL ? name : "usa", &circuit))
        return EXIT_FAILED;

    hp_setup setup = {.track = circuit.track, .laps = (uint8_t)laps, .cars = (uint8_t)cars};
    hp_seed_of(seed, 0, setup.seed);
    printf(n_("%s, %d lap, seed %llu.\n", "%s, %d laps, seed %llu.\n", laps), cli_circuit_title(&circuit),
           (int)laps, (unsigned long long)seed);
    printf("%s\n", _("The strip is one lap. Numbers are cars, “7]” is a corner with its speed limit."));

    hp_race race;
    bot_dice dice = {seed};
    const hp_listener listener = {.hear = tell};
    if (hp_start(&race, &setup, &listener) != HP_OK)
        return cli_complain("%s", words_of_error(HP_BAD_SETUP));
    int round = 0;
    for (int car; (car = hp_to_act(&race)) >= 0;) {
        if (race.round != round)
            show_round(&race, delay);
        round = race.round;
        hp_view view;
        hp_look(&race, car, &view);
        const hp_error error = hp_apply(&race, car, racer->choose(&view, &dice), &listener);
        if (error != HP_OK)
            return cli_complain("%s", words_of_error(error));
    }
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
