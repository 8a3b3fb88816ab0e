/* hairpin show: a position, drawn, with the legal acts and what they lead to. */
#include "cli/cli.h"

static cli_option options[] = {
    {"act", "N", N_("in a race file, the moment after N acts (0: the start)"), NULL},
    {0},
};

static void print_pile(hp_pile pile)
{
    bool any = false;
    for (hp_card card = HP_ZERO; card < HP_KINDS; card++)
        for (int i = hp_count(pile, card); i > 0; i--, any = true)
            putchar(hp_card_letter(card));
    if (!any)
        putchar('-');
}

static void print_cards(const hp_race *race)
{
    for (int i = 0; i < race->cars; i++) {
        const hp_car *car = &race->car[i];
        printf("%s %d: %s ", _("car"), i, _("hand"));
        print_pile(car->hand);
        printf(", %s ", _("draw pile"));
        print_pile(car->draw);
        printf(", %s ", _("discard pile"));
        print_pile(car->discard);
        if (car->discard.counts != 0)
            printf(" (%s %c)", _("on top"), hp_card_letter((hp_card)car->top));
        printf(", %s ", _("play area"));
        print_pile(car->play);
        if (car->planned == HP_PLANS_TO_RETIRE)
            printf(", %s", _("will retire"));
        else if (car->planned != 0)
            printf(", %s %d", _("planned gear"), car->planned);
        printf("\n");
    }
}

/* What an act leads to, as far as chance has no say. */
static void print_outcome(const hp_view *view, hp_act act)
{
    const hp_outcome outcome = hp_foresee(view, act);
    switch ((hp_act_kind)act.kind) {
    case HP_RETIRE:
        printf("%s", _("leaves the race when all have planned"));
        return;
    case HP_UNPLAN:
        printf("%s", _("plans anew"));
        return;
    case HP_DISCARD:
    case HP_KEEP:
        printf(n_("then draws %d card", "then draws %d cards",
                  (unsigned long)(HP_HAND - view->car[view->seat].hand + act.number)),
               HP_HAND - view->car[view->seat].hand + act.number);
        return;
    case HP_PLAN:
    case HP_COOL:
    case HP_ADRENALINE_COOL:
    case HP_ADRENALINE_MOVE:
    case HP_BOOST:
    case HP_DONE:
    case HP_SLIP:
    case HP_STAY:
    case HP_ACT_KINDS:
        break;
    }
    if (outcome.cluttered) {
        printf("%s", _("cluttered hand: stands still, back to 1st gear"));
        return;
    }
    if (outcome.chance)
        printf("%s ", _("cards are turned over; without them:"));
    printf(_("speed %d, to %d%s, pays %d Heat, %d left"), outcome.speed, outcome.to.at,
           outcome.to.spot == 0 ? "-" : ".", outcome.price, outcome.engine);
    if (outcome.spins)
        printf(n_(", spins out and takes %d stress card", ", spins out and takes %d stress cards",
                  outcome.stress),
               outcome.stress);
}

static void print_act(const hp_view *view, hp_act act)
{
    char text[HP_ACT_TEXT];
    hp_act_write(act, text, sizeof text);
    printf("  ");
    words_pad(text, HP_ACT_TEXT);
    print_outcome(view, act);
    printf("\n");
}

static void print_acts(const hp_race *race, int car)
{
    static const char *const steps[] = {
        [HP_STEP_PLAN] = N_("plans"),
        [HP_STEP_REACT] = N_("reacts"),
        [HP_STEP_SLIP] = N_("may slipstream"),
        [HP_STEP_DISCARD] = N_("may discard"),
        [HP_STEP_OVER] = "",
        [HP_STEP_WAIT] = "",
    };
    hp_view view;
    hp_act acts[HP_ACTS_MAX];
    hp_look(race, car, &view);
    const int n = hp_acts(&view.choice, acts);
    printf("\n%s %d %s. ", _("Car"), car, _(steps[view.choice.step]));
    printf(n_("%d legal act:\n", "%d legal acts:\n", (unsigned long)n), n);
    for (int gear = 0; gear <= HP_GEARS; gear++) /* plans gear by gear, other acts as they come */
        for (int i = 0; i < n; i++)
            if ((acts[i].kind == HP_PLAN ? acts[i].number : 0) == gear)
                print_act(&view, acts[i]);
}

static void show(const hp_race *race, const char *circuit)
{
    char position[HP_POSITION_TEXT];
    hp_position_write(race, circuit, position, sizeof position);
    printf("%s\n\n", position);
    printf(_("%s; laps: %d, round: %d, stress cards in the reserve: %d\n"), circuit, race->laps, race->round,
           race->reserve);
    draw_track(race);
    draw_standings(race);
    draw_result(race);
    print_cards(race);
    if (race->step == HP_STEP_OVER)
        printf("\n%s\n", _("The race is over."));
    for (int car = 0; car < race->cars; car++)
        if (race->waiting >> car & 1)
            print_acts(race, car);
}

static int run(char **arguments, int n)
{
    (void)n;
    hp_race race;
    char circuit[HP_NAME_MAX + 1];
    const int code = cli_moment(arguments[0], options, NULL, &race, circuit);
    if (code == EXIT_OK)
        show(&race, circuit);
    return code;
}

const cli_command cmd_show = {
    .name = "show",
    .arguments = "POSITION|FILE",
    .summary = N_("draw a position or a moment in a race file, and list the legal acts"),
    .more = N_("A position is one line: see docs/POSITION.md. Hidden cards are shown too.\n"
               "12- is space 12 on the race line, 12. the spot beside it."),
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
};
