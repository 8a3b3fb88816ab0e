/* hairpin race and hairpin watch: what is wanted, for terminal/. */
#define _DEFAULT_SOURCE
#include "bots/bots.h"
#include "cli/cli.h"
#include "terminal/terminal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static cli_option race_options[] = {
    {"circuit", "NAME", N_("a circuit's name or file (usa)"), NULL},
    {"laps", "N", N_("laps, 1 to 9 (1)"), NULL},
    {"vs", "NAMES",
     N_("opponents, rookie, driver, champion or a program: champion,./bot.py; none: race alone"), NULL},
    {"name", "NAMES", N_("who races at this terminal: Ada, or several people: Ada,Bo"), NULL},
    {"seed", "N", N_("the same seed gives the same cards (by chance)"), NULL},
    {"go-on", NULL, N_("go on with the newest race that was kept"), NULL},
    {"join", "LINK", N_("take a seat in a race on a server: http://host/#race/ID"), NULL},
    {"lines", NULL, N_("say and ask everything in lines, as in a pipe"), NULL},
    {"still", NULL, N_("nothing moves: cars are where they end"), NULL},
    {0},
};

static cli_option watch_options[] = {
    {"lines", NULL, N_("say and ask everything in lines, as in a pipe"), NULL},
    {"still", NULL, N_("nothing moves: cars are where they end"), NULL},
    {0},
};

/* ---- What is wanted ----------------------------------------------------------------------------- */

static const char *own_name(void)
{
    const char *user = getenv("USER");
    return user != NULL && table_name_valid(user, strlen(user)) ? user : _("Player");
}

/* Parts of a list with commas between them; false when one is not right. */
static bool take_names(wish *w, const char *list)
{
    for (w->people = 0; *list != '\0'; list += *list == ',') {
        const size_t n = strcspn(list, ",");
        if (w->people == HP_CARS_MAX || !table_name_valid(list, n)) {
            cli_complain(_("“--%s” is not right: “%s”"), "name", list);
            return false;
        }
        snprintf(w->name[w->people++], sizeof w->name[0], "%.*s", (int)n, list);
        list += n;
    }
    return w->people > 0 || (cli_complain(_("“--%s” is not right: “%s”"), "name", ""), false);
}

/* A program is started once, so that a slip of the finger shows before the race. */
static bool take_program(const char *spec, const char **program)
{
    errno = 0;
    bot *b = bot_open(spec, 0, 0);
    if (b == NULL) {
        cli_complain_of_bot(spec, errno);
        return false;
    }
    bot_close(b);
    *program = spec;
    return true;
}

/* Cuts the list, which stays: programs are named in it. */
static bool take_levels(wish *w, char *list)
{
    w->opponents = 0;
    if (list == NULL || strcmp(list, "none") == 0)
        return true;
    for (char *next; list != NULL && *list != '\0'; list = next) {
        if ((next = strchr(list, ',')) != NULL)
            *next++ = '\0';
        const int i = w->opponents;
        if (i == HP_CARS_MAX) {
            cli_complain(_("at most %d cars race"), HP_CARS_MAX);
            return false;
        }
        if (strchr(list, '/') != NULL) {
            w->level[i] = TABLE_ROOKIE;
            if (!take_program(list, &w->program[i]))
                return false;
        } else if (!table_level_named(list, strlen(list), &w->level[i])) {
            if (!cli_program_meant(list))
                cli_complain(
                    _("“--vs” takes rookie, driver, champion, or a program with a slash, as “./mybot.py”; "
                      "not “%s”"),
                    list);
            return false;
        }
        w->opponents++;
    }
    return true;
}

/* A file's text is kept together with the race. */
static bool take_circuit(wish *w, const char *name)
{
    hp_circuit known;
    if (!cli_circuit_text(name, &w->circuit, &w->circuit_text) || !cli_circuit_is_itself(&w->circuit))
        return false;
    if (hp_circuit_named(w->circuit.name, &known)) { /* its own text would say the same */
        free(w->circuit_text);
        w->circuit_text = NULL;
    }
    return true;
}

static void forget_wish(const wish *w)
{
    free(w->circuit_text);
    free(w->vs);
}

static int read_wish(wish *w)
{
    const char *circuit = cli_given(race_options, "circuit"), *vs = cli_given(race_options, "vs");
    const char *names = cli_given(race_options, "name");
    uint64_t laps;
    *w = (wish){
        .people = 1,
        .opponents = 3,
        .level = {TABLE_CHAMPION, TABLE_DRIVER, TABLE_ROOKIE, TABLE_DRIVER, TABLE_DRIVER, TABLE_DRIVER}};
    snprintf(w->name[0], sizeof w->name[0], "%s", own_name());
    if (!cli_number(race_options, "laps", 1, HP_LAPS_MAX, 1, &laps) ||
        !cli_number(race_options, "seed", 0, UINT64_MAX, 0, &w->seed) ||
        (names != NULL && !take_names(w, names)) || (vs != NULL && !take_levels(w, w->vs = strdup(vs))))
        return EXIT_USAGE;
    w->laps = (int)laps;
    w->seeded = cli_given(race_options, "seed") != NULL;
    if (vs == NULL && w->people + w->opponents > HP_CARS_MAX)
        w->opponents = HP_CARS_MAX - w->people;
    if (w->people + w->opponents > HP_CARS_MAX) {
        cli_complain(_("at most %d cars race"), HP_CARS_MAX);
        return EXIT_USAGE;
    }
    return take_circuit(w, circuit != NULL ? circuit : "usa") ? EXIT_OK : EXIT_FAILED;
}

/* ---- The commands ------------------------------------------------------------------------------- */

static int end(terminal_end how, const char *why)
{
    terminal_close();
    if (how == TERMINAL_FAILED)
        return cli_complain("%s", why);
    return how == TERMINAL_INTERRUPTED ? EXIT_INTERRUPTED : EXIT_OK;
}

static manner manner_of(const cli_option *options)
{
    return (manner){.lines = cli_given(options, "lines") != NULL,
                    .still = cli_given(options, "still") != NULL};
}

static int join(const manner *how, const wish *w, char **arguments, int n)
{
    char why[WHY] = "";
    terminal_open(how);
    return end(
        terminal_join(how, cli_given(race_options, "join"), n > 0 ? arguments[0] : "", w->name[0], why), why);
}

/* True when none of them is given beside this one. */
static bool alone(const char *name, const char *const *others)
{
    for (; cli_given(race_options, name) != NULL && *others != NULL; others++)
        if (cli_given(race_options, *others) != NULL) {
            cli_complain(_("“--%s” has no meaning beside “--%s”"), *others, name);
            return false;
        }
    return true;
}

static int race(char **arguments, int n)
{
    static const char *const not_to_join[] = {"circuit", "laps", "vs", "seed", "go-on", NULL};
    static const char *const not_to_go_on[] = {"circuit", "laps", "vs", "seed", "name", NULL};
    static const char *const settle[] = {"circuit", "laps", "vs", "name", "seed"};
    const manner how = manner_of(race_options);
    char why[WHY] = "";
    wish w;
    cli_on_end(cli_end_with_bots);
    if (n > 0 && cli_given(race_options, "join") == NULL) {
        cli_complain(_("usage: hairpin %s %s"), "race", _("[options]"));
        return EXIT_USAGE;
    }
    if (!alone("join", not_to_join) || !alone("go-on", not_to_go_on))
        return EXIT_USAGE;
    const int code = read_wish(&w);
    if (code != EXIT_OK) {
        forget_wish(&w);
        return code;
    }
    if (cli_given(race_options, "join") != NULL && w.people > 1) {
        forget_wish(&w);
        cli_complain("%s", _("--join takes one seat: only one --name"));
        return EXIT_USAGE;
    }
    bool choose = true;
    for (size_t i = 0; i < sizeof settle / sizeof settle[0]; i++)
        choose = choose && cli_given(race_options, settle[i]) == NULL;
    int result;
    if (cli_given(race_options, "join") != NULL) {
        result = join(&how, &w, arguments, n);
    } else {
        terminal_open(&how);
        result = end(cli_given(race_options, "go-on") != NULL ? terminal_go_on(&how, why)
                                                              : terminal_race(&how, &w, choose, why),
                     why);
    }
    forget_wish(&w);
    return result;
}

static int watch(char **arguments, int n)
{
    const manner how = manner_of(watch_options);
    char why[WHY] = "";
    terminal_open(&how);
    return end(terminal_watch(&how, arguments[0], n > 1 ? arguments[1] : "", why), why);
}

const cli_command cmd_race = {
    .name = "race",
    .arguments = "",
    .summary = N_("race in this terminal, against bots or with people"),
    .more = N_("Without options a menu asks, and offers to go on with races that were kept. Every act is on\n"
               "the disk before it counts. In a pipe everything is said in lines: see docs/TERMINAL.md."),
    .options = race_options,
    .most = 1,
    .run = race,
};

const cli_command cmd_watch = {
    .name = "watch",
    .arguments = "FILE|LINK",
    .summary = N_("watch a race file, or a race on a server, in this terminal"),
    .options = watch_options,
    .least = 1,
    .most = 2,
    .run = watch,
};
