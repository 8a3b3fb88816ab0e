/* hairpin explain: what a champion thinks of every legal act. */
#include "bots/bots.h"
#include "cli/cli.h"

#include <string.h>

static cli_option options[] = {
    {"act", "N", N_("in a race file, the moment after N acts (0: the start)"), NULL},
    {"playouts", "N", N_("how many races to play to the end in thought (3000)"), NULL},
    {"seed", "N", N_("the same seed gives the same figures (1)"), NULL},
    {0},
};

/* What each seat could remember when the moment came. */
typedef struct {
    hp_memory memory[HP_CARS_MAX];
} memories;

static void hear(void *self, const hp_event *event)
{
    memories *m = self;
    for (int seat = 0; seat < HP_CARS_MAX; seat++) {
        const hp_event seen = hp_event_for(event, seat);
        hp_remember(&m->memory[seat], &seen);
    }
}

static void print_estimate(const bot_estimate *e)
{
    char text[HP_ACT_TEXT];
    hp_act_write(e->act, text, sizeof text);
    printf("  ");
    words_pad(text, HP_ACT_TEXT);
    printf("%7.1f %% %9.2f %9.2f %8u\n", 100.0 * e->wins / e->playouts, (double)e->places / e->playouts,
           (double)e->heat / e->playouts, (unsigned)e->playouts);
}

static void explain(const hp_race *race, int car, const hp_memory *memory, uint64_t playouts, uint64_t seed)
{
    static bot_estimate all[HP_ACTS_MAX];
    hp_view view;
    hp_look(race, car, &view);
    const int n = bot_explain(&view, memory, (uint32_t)playouts, seed, all);
    printf("%s %d\n  ", _("Car"), car);
    words_pad(_("act"), HP_ACT_TEXT);
    words_pad(_("to win"), -9);
    words_pad(_("place"), -10);
    words_pad(_("Heat left"), -10);
    words_pad(_("races"), -9);
    printf("\n");
    for (int i = 0; i < n; i++)
        print_estimate(&all[i]);
    if (all[0].in_line > 0)
        printf("%s", _("It may go on like this:"));
    for (int i = 0; i < all[0].in_line; i++) {
        char text[HP_ACT_TEXT];
        hp_act_write(all[0].line[i], text, sizeof text);
        printf("%s %s", i > 0 ? "," : "", text);
    }
    printf("\n");
}

static int run(char **arguments, int n)
{
    (void)n;
    static hp_reader reader;
    static memories remembered;
    uint64_t act, playouts, seed;
    const char *text = arguments[0];
    if (!cli_number(options, "act", 0, INT32_MAX, 0, &act) ||
        !cli_number(options, "playouts", 100, 10000000, 3000, &playouts) ||
        !cli_number(options, "seed", 0, UINT64_MAX, 1, &seed))
        return EXIT_USAGE;
    hp_race race;
    if (cli_given(options, "act") != NULL || strchr(text, ' ') == NULL) {
        const hp_listener listener = {.hear = hear, .self = &remembered};
        if (!cli_play_file(text, (long)act, &reader, &listener, NULL, NULL))
            return EXIT_FAILED;
        if ((uint64_t)reader.acts < act)
            return cli_complain(_("“%s” has only %ld acts"), text, (long)reader.acts);
        race = reader.race;
    } else {
        hp_fault fault = {0};
        char circuit[HP_NAME_MAX + 1];
        if (hp_position_read(text, strlen(text), &race, circuit, &fault) != HP_TEXT_OK)
            return cli_complain_of_file(_("position"), &fault);
    }
    if (race.step == HP_STEP_OVER)
        printf("%s\n", _("The race is over."));
    for (int car = 0; car < race.cars; car++)
        if (race.waiting >> car & 1)
            explain(&race, car, &remembered.memory[car], playouts, seed);
    return EXIT_OK;
}

const cli_command cmd_explain = {
    .name = "explain",
    .arguments = "POSITION|FILE",
    .summary = N_("what a champion thinks of every legal act"),
    .more = N_(
        "Each act is tried in races that are played to their end in thought, with the cards that the\n"
        "car cannot see dealt anew: how often it wins, its place, and the Heat left in its engine when the\n"
        "next round begins, on average. Best first; the acts that look bad get fewer races."),
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
};
