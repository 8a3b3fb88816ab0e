/* hairpin explain: what a champion thinks of every legal act. */
#include "bots/bots.h"
#include "cli/cli.h"

#include <math.h>

static cli_option options[] = {
    {"act", "N", N_("in a race file, the moment after N acts (0: the start)"), NULL},
    {"playouts", "N", N_("how many races to play to the end in thought, 100 to 10000000 (3000)"), NULL},
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

enum { FIGURES = 5 };

/* Half of a 95 % interval for the chance to win, in per cent; two races of each kind are added, so that few races
 * without a win do not look like certainty. */
static double give_or_take(const bot_estimate *e)
{
    const double n = e->playouts + 4.0, share = (e->wins + 2) / n;
    return 196 * sqrt(share * (1 - share) / n);
}

static void print_estimate(const bot_estimate *e, const int width[FIGURES])
{
    char text[HP_ACT_TEXT], figure[FIGURES][24];
    hp_act_write(e->act, text, sizeof text);
    snprintf(figure[0], sizeof figure[0], "%.1f %%", 100.0 * e->wins / e->playouts);
    snprintf(figure[1], sizeof figure[1], "%.1f", give_or_take(e));
    snprintf(figure[2], sizeof figure[2], "%.2f", (double)e->places / e->playouts);
    snprintf(figure[3], sizeof figure[3], "%.2f", (double)e->heat / e->playouts);
    snprintf(figure[4], sizeof figure[4], "%u", (unsigned)e->playouts);
    printf("  ");
    words_pad(text, HP_ACT_TEXT);
    for (int i = 0; i < FIGURES; i++)
        words_pad(figure[i], width[i]);
    printf("\n");
}

static void explain(const hp_race *race, int car, const hp_memory *memory, uint64_t playouts, uint64_t seed)
{
    static bot_estimate all[HP_ACTS_MAX];
    const char *const head[FIGURES] = {_("to win"), "±", _("place"), _("Heat left"), _("races")};
    int width[FIGURES];
    hp_view view;
    hp_look(race, car, &view);
    const int n = bot_explain(&view, memory, (uint32_t)playouts, seed, all);
    printf("%s %d\n  ", _("Car"), car);
    words_pad(_("act"), HP_ACT_TEXT);
    for (int i = 0; i < FIGURES; i++) {
        width[i] = -((words_width(head[i]) > 7 ? words_width(head[i]) : 7) + 2);
        words_pad(head[i], width[i]);
    }
    printf("\n");
    for (int i = 0; i < n; i++)
        print_estimate(&all[i], width);
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
    static memories remembered;
    uint64_t playouts, seed;
    if (!cli_number(options, "playouts", 100, 10000000, 3000, &playouts) ||
        !cli_number(options, "seed", 0, UINT64_MAX, 1, &seed))
        return EXIT_USAGE;
    hp_race race;
    char circuit[HP_NAME_MAX + 1];
    const hp_listener listener = {.hear = hear, .self = &remembered};
    const int code = cli_moment(arguments[0], options, &listener, &race, circuit);
    if (code != EXIT_OK)
        return code;
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
        "next round begins, on average. Best first; the acts that look bad get fewer races and come\n"
        "last. Behind ± is how far luck may shift the chance to win, in 95 of 100 cases."),
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
};
