/* hairpin: finds the command and runs it. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const cli_command *const commands[] = {&cmd_race,   &cmd_watch, &cmd_demo,    &cmd_sim,
                                              &cmd_replay, &cmd_show,  &cmd_explain, &cmd_circuits,
                                              &cmd_arena,  &cmd_serve, &cmd_bench};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static const cli_command *command_named(const char *name)
{
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static int unknown_command(const char *name)
{
    const char *names[COMMANDS + 2] = {"help"};
    for (int i = 0; i < COMMANDS; i++)
        names[i + 1] = commands[i]->name;
    const char *nearest = cli_nearest(name, names);
    if (nearest != NULL)
        cli_complain(_("unknown command “%s”; did you mean “%s”?"), name, nearest);
    else
        cli_complain(_("unknown command “%s”; see “hairpin help”"), name);
    return EXIT_USAGE;
}

static void help(void)
{
    printf("%s\n\n", _("hairpin: card-driven car racing"));
    for (int i = 0; i < COMMANDS; i++) {
        printf("  hairpin ");
        words_pad(commands[i]->name, 10);
        printf("%s\n", _(commands[i]->summary));
    }
    printf("  hairpin ");
    words_pad("help", 10);
    printf("%s\n\n", _("this, or all about one command: hairpin help sim"));
    printf("%s\n", _("Anywhere: --lang da, nl, de, fr, el or en. And hairpin --version."));
}

static int help_for(const char *name)
{
    const cli_command *command = command_named(name);
    if (command == NULL)
        return unknown_command(name);
    printf("hairpin %s %s%s%s\n  %s\n", command->name, _("[options]"),
           command->arguments[0] != '\0' ? " " : "", command->arguments, _(command->summary));
    printf("\n");
    for (const cli_option *option = command->options; option->name != NULL; option++) {
        char left[48];
        snprintf(left, sizeof left, "--%s%s%s", option->name, option->value != NULL ? " " : "",
                 option->value != NULL ? option->value : "");
        printf("  ");
        words_pad(left, 18);
        printf(" %s\n", _(option->text));
    }
    if (command->more != NULL)
        printf("\n%s\n", _(command->more));
    return EXIT_OK;
}

/* Nobody must take a cut-off file for a whole one because the disk was full or the reader gone. */
static int end_output(int code)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        if (code == EXIT_OK)
            code = cli_complain("%s", _("cannot write to standard output"));
    }
    return code;
}

/* --lang may stand anywhere; it is taken out. False when it names no language of ours. */
static bool take_language(int *argc, char **argv)
{
    int kept = 1;
    bool good = true;
    for (int i = 1; i < *argc; i++) {
        const bool joined = strncmp(argv[i], "--lang=", 7) == 0;
        if (joined || strcmp(argv[i], "--lang") == 0) {
            const char *language = joined ? argv[i] + 7 : i + 1 < *argc ? argv[++i] : "";
            good = words_choose(language) && good;
        } else {
            argv[kept++] = argv[i];
        }
    }
    *argc = kept;
    return good;
}

/* hairpin --version and the like. */
static int lone_option(const char *option)
{
    static const char *const names[] = {"version", "help", "lang", NULL};
    if (strcmp(option, "--version") == 0) {
        printf("hairpin %s\n", HP_VERSION);
        return EXIT_OK;
    }
    if (strcmp(option, "--help") == 0 || strcmp(option, "-h") == 0) {
        help();
        return EXIT_OK;
    }
    const char *nearest = cli_nearest(option + strspn(option, "-"), names);
    if (nearest != NULL)
        cli_complain(_("unknown option “%s”; did you mean “--%s”?"), option, nearest);
    else
        cli_complain(_("unknown option “%s”; see “hairpin help”"), option);
    return EXIT_USAGE;
}

static int run(int argc, char **argv)
{
    if (argc == 1 && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
        return cmd_race.run(argv + 1, 0);
    if (argc == 1 || (strcmp(argv[1], "help") == 0 && (argc == 2 || strcmp(argv[2], "help") == 0))) {
        help();
        return EXIT_OK;
    }
    if (argv[1][0] == '-')
        return lone_option(argv[1]);
    if (strcmp(argv[1], "help") == 0)
        return help_for(argv[2]);
    const cli_command *command = command_named(argv[1]);
    if (command == NULL)
        return unknown_command(argv[1]);
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return help_for(argv[1]);
    const int n = cli_options(command, argv + 2, argc - 2);
    return n < 0 ? EXIT_USAGE : command->run(argv + 2, n);
}

/* Who closed standard input, output or error must not find a file of ours there. They are opened so that writing still
 * fails. */
static void keep_places(void)
{
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        if (fcntl(i, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != i)
            abort(); /* the lowest free one is i */
}

int main(int argc, char **argv)
{
    keep_places();
    words_choose(NULL);
    if (!take_language(&argc, argv)) {
        cli_complain("%s", _("--lang takes da, nl, de, fr, el or en"));
        return EXIT_USAGE;
    }
    return end_output(run(argc, argv));
}
