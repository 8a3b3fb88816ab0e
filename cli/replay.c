/* hairpin replay: plays a race file again. */
#include "cli/cli.h"

#include <errno.h>
#include <string.h>

static cli_option options[] = {
    {"events", "OUT", N_("write the event log: JSON Lines"), NULL},
    {"verify", NULL, N_("check every act and every hash, and say only whether all is right"), NULL},
    {0},
};

typedef struct {
    hp_reader reader;
    FILE *events;   /* NULL when nobody wants them */
    bool head_told; /* the log begins with the head, which is complete when the first event comes */
    bool show;
    int round;
} replay;

static void hear(void *self, const hp_event *event)
{
    replay *r = self;
    char line[HP_EVENT_TEXT];
    if (!r->head_told) {
        hp_event_head_write(&r->reader.head, line, sizeof line);
        fputs(line, r->events);
        r->head_told = true;
    }
    hp_event_write(event, line, sizeof line);
    fputs(line, r->events);
}

static void after_act(void *self, const hp_reader *reader)
{
    replay *r = self;
    const hp_race *race = &reader->race;
    if (!r->show || race->round == r->round || race->step == HP_STEP_OVER)
        return;
    r->round = race->round;
    printf("%s %d\n", _("Round"), race->round);
    draw_track(race);
    draw_standings(race);
    printf("\n");
}

static void print_head(const hp_head *head, long acts)
{
    printf(n_("%s, %d lap, %d cars, %ld acts\n", "%s, %d laps, %d cars, %ld acts\n", head->setup.laps),
           head->circuit, head->setup.laps, head->setup.cars, acts);
}

static int run(char **arguments, int n)
{
    (void)n;
    static replay r;
    const char *file = arguments[0];
    const char *events = cli_given(options, "events");
    const bool verify = cli_given(options, "verify") != NULL;
    r.show = !verify && events == NULL;
    if (events != NULL && (r.events = strcmp(events, "-") == 0 ? stdout : fopen(events, "wb")) == NULL)
        return cli_complain(_("cannot open “%s”: %s"), events, strerror(errno));
    const hp_listener listener = {.hear = hear, .self = &r};
    const bool good = cli_play_file(file, -1, &r.reader, r.events != NULL ? &listener : NULL, after_act, &r);
    if (r.events != NULL && r.events != stdout && (ferror(r.events) | fclose(r.events)) != 0)
        return cli_complain(_("cannot write “%s”: %s"), events, strerror(errno));
    if (!good)
        return EXIT_FAILED;
    const hp_race *race = &r.reader.race;
    if (r.events == stdout)
        return EXIT_OK; /* the log and nothing else */
    if (r.show || verify)
        print_head(&r.reader.head, (long)r.reader.acts);
    if (race->step == HP_STEP_OVER) {
        if (r.show)
            draw_result(race);
    } else {
        printf(_("The race is not over: it stands in round %d.\n"), race->round);
    }
    if (verify)
        printf(r.reader.ended || race->step != HP_STEP_OVER
                   ? _("%s: every act is legal, every hash matches, the seed is the one committed to.\n")
                   : _("%s: all is right so far, but the last line with the result is missing.\n"),
               file);
    return verify && race->step == HP_STEP_OVER && !r.reader.ended ? EXIT_FAILED : EXIT_OK;
}

const cli_command cmd_replay = {
    .name = "replay",
    .arguments = "FILE",
    .summary = N_("play a race file again, check it, or expand it to the event log"),
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
};
