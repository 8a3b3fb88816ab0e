/* hairpin: finds the command and runs it. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

static const cli_command *const commands[] = {&cmd_demo, &cmd_sim,      &cmd_replay,
                                              &cmd_show, &cmd_circuits, &cmd_bench};
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
    printf("%s\n", _("Before the command: --lang da, nl, de, fr, el or en; --version."));
}

static int help_for(const char *name)
{
    const cli_command *command = command_named(name);
    if (command == NULL)
        return unknown_command(name);
    printf("hairpin %s %s%s\n  %s\n", command->name, command->options->name != NULL ? _("[options] ") : "",
           command->arguments, _(command->summary));
    if (command->options->name != NULL)
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

int main(int argc, char **argv)
{
    words_choose(NULL);
    int at = 1;
    while (at < argc && argv[at][0] == '-') {
        if (strcmp(argv[at], "--version") == 0) {
            printf("hairpin %s\n", HP_VERSION);
            return end_output(EXIT_OK);
        }
        if (strcmp(argv[at], "--help") == 0 || strcmp(argv[at], "-h") == 0) {
            help();
            return end_output(EXIT_OK);
        }
        if (strcmp(argv[at], "--lang") != 0) {
            cli_complain(_("unknown option “%s”; see “hairpin help”"), argv[at]);
            return EXIT_USAGE;
        }
        if (at + 1 == argc || !words_choose(argv[at + 1])) {
            cli_complain("%s", _("--lang takes da, nl, de, fr, el or en"));
            return EXIT_USAGE;
        }
        at += 2;
    }
    if (at == argc) {
        help();
        return end_output(EXIT_OK);
    }
    const char *name = argv[at++];
    if (strcmp(name, "help") == 0) {
        const int code = at < argc ? help_for(argv[at]) : (help(), EXIT_OK);
        return end_output(code);
    }
    const cli_command *command = command_named(name);
    if (command == NULL)
        return unknown_command(name);
    for (int i = at; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0)
            return end_output(help_for(name));
    const int n = cli_options(command, argv + at, argc - at);
    return n < 0 ? EXIT_USAGE : end_output(command->run(argv + at, n));
}
