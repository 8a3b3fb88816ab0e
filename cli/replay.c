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
    const char *path; /* of the event log; NULL when nobody wants it */
    FILE *events;     /* opened by the first event: OUT may be FILE, which has been read by then */
    int error;        /* errno, when it cannot be opened */
    bool show;
    int round;
} replay;

static void hear(void *self, const hp_event *event)
{
    replay *r = self;
    char line[HP_EVENT_TEXT];
    if (r->error != 0)
        return;
    if (r->events == NULL) {
        r->events = strcmp(r->path, "-") == 0 ? stdout : fopen(r->path, "wb");
        if (r->events == NULL) {
            r->error = errno;
            return;
        }
        hp_event_head_write(&r->reader.head, line, sizeof line);
        fputs(line, r->events);
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
    printf(_("%s; laps: %d, cars: %d, acts: %ld\n"), head->circuit, head->setup.laps, head->setup.cars, acts);
}

static void print_verdict(const char *file, const hp_reader *reader)
{
    if (reader->race.step == HP_STEP_OVER && !reader->ended)
        printf(_("%s: all is right so far, but the last line with the result is missing.\n"), file);
    else if (reader->head.mixed)
        printf(
            _("%s: every act is legal, every hash matches, the shuffle is as committed to: the seed is made "
              "of the secret and the salts.\n"),
            file);
    else
        printf(_("%s: every act is legal, every hash matches, the seed is the one committed to.\n"), file);
}

static int run(char **arguments, int n)
{
    (void)n;
    static replay r;
    const char *file = arguments[0];
    const bool verify = cli_given(options, "verify") != NULL;
    r.path = cli_given(options, "events");
    r.show = !verify && r.path == NULL;
    const hp_listener listener = {.hear = hear, .self = &r};
    const bool good = cli_play_file(file, -1, &r.reader, r.path != NULL ? &listener : NULL, after_act, &r);
    if (r.error != 0)
        return cli_complain(_("cannot open “%s”: %s"), r.path, strerror(r.error));
    if (r.events != NULL && r.events != stdout) {
        const bool lost = ferror(r.events) != 0;
        if (fclose(r.events) != 0 || lost)
            return cli_complain(_("cannot write “%s”: %s"), r.path, strerror(errno));
    }
    if (!good)
        return EXIT_FAILED;
    const hp_race *race = &r.reader.race;
    const int verdict = verify && race->step == HP_STEP_OVER && !r.reader.ended ? EXIT_FAILED : EXIT_OK;
    if (r.events == stdout)
        return verdict; /* the log and nothing else */
    if (r.show || verify)
        print_head(&r.reader.head, (long)r.reader.acts);
    if (race->step == HP_STEP_OVER) {
        if (r.show)
            draw_result(race);
    } else {
        printf(_("The race is not over: it stands in round %d.\n"), race->round);
    }
    if (verify)
        print_verdict(file, &r.reader);
    return verdict;
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
