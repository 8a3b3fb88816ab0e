/* hairpin circuits: what there is to race on, and whether somebody's own file is good. */
#include "cli/cli.h"

#include <stdlib.h>

static cli_option options[] = {
    {"check", "FILE", N_("say whether a circuit file is good, and if not, where and why"), NULL},
    {0},
};

static void print_corners(const hp_track *track)
{
    for (int i = 0; i < track->corners; i++)
        printf("%s%d:%d", i > 0 ? " " : "", track->corner[i].after, track->corner[i].limit);
}

static void print_row(const hp_circuit *circuit)
{
    char number[16];
    words_pad(circuit->name, 15);
    words_pad(cli_circuit_title(circuit), 18);
    const int figures[] = {circuit->track.spaces, circuit->laps, circuit->track.heat, circuit->track.stress};
    for (int i = 0; i < 4; i++) {
        snprintf(number, sizeof number, "%d", figures[i]);
        words_pad(number, -8);
    }
    printf("  ");
    print_corners(&circuit->track);
    printf("\n");
}

static int run(char **arguments, int n)
{
    (void)arguments, (void)n;
    hp_circuit circuit;
    const char *file = cli_given(options, "check");
    if (file != NULL) {
        size_t length;
        char *text = cli_read_file(file, &length);
        if (text == NULL)
            return EXIT_FAILED;
        hp_fault fault = {0};
        const bool good = hp_circuit_read(text, length, &circuit, &fault) == HP_TEXT_OK;
        free(text);
        if (!good)
            return cli_complain_of_file(file, &fault);
        printf(_("%s is a good circuit.\n"), file);
    }
    words_pad(_("name"), 15);
    words_pad(_("circuit"), 18);
    words_pad(_("spaces"), -8);
    words_pad(_("laps"), -8);
    words_pad(_("Heat"), -8);
    words_pad(_("stress"), -8);
    printf("  %s\n", _("corners: after space:speed limit"));
    if (file != NULL)
        print_row(&circuit);
    for (int i = 0; file == NULL && i < hp_circuits(); i++) {
        hp_circuit_at(i, &circuit);
        print_row(&circuit);
    }
    return EXIT_OK;
}

const cli_command cmd_circuits = {
    .name = "circuits",
    .arguments = "",
    .summary = N_("list the circuits, or check a circuit file"),
    .options = options,
    .run = run,
};
