#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include "bots/bots.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- Complaining ------------------------------------------------------------------------------- */

int cli_complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("hairpin: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return EXIT_FAILED;
}

int cli_complain_of_file(const char *file, const hp_fault *fault)
{
    char sentence[SENTENCE_MAX];
    fprintf(stderr, "%s:", file);
    if (fault->line > 0)
        fprintf(stderr, "%d:", fault->line);
    if (fault->column > 0)
        fprintf(stderr, "%d:", fault->column);
    fprintf(stderr, " %s\n", words_of_fault(fault, sentence));
    return EXIT_FAILED;
}

/* ---- Ending ------------------------------------------------------------------------------------ */

void cli_on_end(void (*handle)(int signal_number))
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
    const struct sigaction action = {.sa_handler = handle};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction before;
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

void cli_end_with_bots(int signal_number)
{
    const struct sigaction action = {.sa_handler = SIG_DFL};
    bot_end_all();
    sigaction(signal_number, &action, NULL);
    raise(signal_number); /* it comes as soon as the handler is left */
}

/* ---- Options ----------------------------------------------------------------------------------- */

/* Letters to change, add, leave out or swap, up to a bound that makes a name "near". */
static int distance(const char *a, const char *b)
{
    enum { LONGEST = 24 };
    const size_t n = strlen(a), m = strlen(b);
    int row[3][LONGEST + 1];
    if (n > LONGEST || m > LONGEST)
        return LONGEST;
    for (size_t j = 0; j <= m; j++)
        row[0][j] = (int)j;
    for (size_t i = 1; i <= n; i++) {
        int *now = row[i % 3], *before = row[(i - 1) % 3], *earlier = row[(i + 1) % 3];
        now[0] = (int)i;
        for (size_t j = 1; j <= m; j++) {
            int best = before[j - 1] + (a[i - 1] != b[j - 1]);
            if (before[j] + 1 < best)
                best = before[j] + 1;
            if (now[j - 1] + 1 < best)
                best = now[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && earlier[j - 2] + 1 < best)
                best = earlier[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[n % 3][m];
}

const char *cli_nearest(const char *typed, const char *const *names)
{
    const char *nearest = NULL;
    int best = 3; /* farther is no slip of the finger */
    for (; *names != NULL; names++) {
        const int far = distance(typed, *names);
        if (far < best) {
            best = far;
            nearest = *names;
        }
    }
    return nearest;
}

static const cli_option *find(const cli_option *options, const char *name)
{
    for (; options->name != NULL; options++)
        if (strcmp(options->name, name) == 0)
            return options;
    return NULL;
}

const char *cli_given(const cli_option *options, const char *name)
{
    return find(options, name)->given;
}

/* As typed, dashes and all. */
static void complain_of_option(const cli_command *command, const char *typed)
{
    const char *names[32] = {0};
    size_t n = 0;
    for (const cli_option *option = command->options; option->name != NULL && n < 31; option++)
        names[n++] = option->name;
    const char *nearest = cli_nearest(typed + strspn(typed, "-"), names);
    if (nearest != NULL)
        cli_complain(_("unknown option “%s”; did you mean “--%s”?"), typed, nearest);
    else
        cli_complain(_("unknown option “%s”; see “hairpin help %s”"), typed, command->name);
}

/* One option at argv[at]; how many places it takes, or -1. */
static int take_option(const cli_command *command, char **argv, int n, int at)
{
    const char *name = argv[at] + 2;
    const size_t length = strcspn(name, "=");
    for (cli_option *option = command->options; option->name != NULL; option++) {
        if (strlen(option->name) != length || strncmp(option->name, name, length) != 0)
            continue;
        if (option->value == NULL) {
            option->given = "";
            return name[length] == '=' ? cli_complain(_("“--%s” takes no value"), option->name), -1 : 1;
        }
        option->given = name[length] == '=' ? name + length + 1 : at + 1 < n ? argv[at + 1] : NULL;
        if (option->given == NULL)
            return cli_complain(_("“--%s” needs a value: %s"), option->name, option->value), -1;
        return name[length] == '=' ? 1 : 2;
    }
    char typed[40];
    snprintf(typed, sizeof typed, "--%.*s", (int)(length < 36 ? length : 36), name);
    complain_of_option(command, typed);
    return -1;
}

int cli_options(const cli_command *command, char **argv, int n)
{
    int others = 0;
    bool only_others = false;
    for (int i = 0; i < n;) {
        if (!only_others && strcmp(argv[i], "--") == 0) {
            only_others = true;
            i++;
        } else if (!only_others && strncmp(argv[i], "--", 2) == 0) {
            const int taken = take_option(command, argv, n, i);
            if (taken < 0)
                return -1;
            i += taken;
        } else if (!only_others && argv[i][0] == '-' && argv[i][1] != '\0') {
            complain_of_option(command, argv[i]);
            return -1;
        } else {
            argv[others++] = argv[i++];
        }
    }
    if (others < command->least || others > command->most) {
        cli_complain(_("usage: hairpin %s %s"), command->name,
                     command->arguments[0] != '\0' ? command->arguments : _("[options]"));
        return -1;
    }
    return others;
}

bool cli_number(const cli_option *options, const char *name, uint64_t low, uint64_t high, uint64_t otherwise,
                uint64_t *number)
{
    const char *text = cli_given(options, name);
    *number = otherwise;
    if (text == NULL)
        return true;
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && value >= low && value <= high) {
        *number = value;
        return true;
    }
    cli_complain(_("“--%s” must be a number from %llu to %llu, not “%s”"), name, (unsigned long long)low,
                 (unsigned long long)high, text);
    return false;
}

/* ---- Files ------------------------------------------------------------------------------------- */

enum { FILE_MAX = 16 << 20 }; /* a race of nine laps is some 50 KB; this is a guard, not a goal */

char *cli_read_file(const char *path, size_t *length)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (file == NULL) {
        cli_complain(_("cannot open “%s”: %s"), path, strerror(errno));
        return NULL;
    }
    char *text = NULL;
    size_t size = 0;
    *length = 0;
    for (;;) {
        if (*length == size) {
            size = size == 0 ? 1 << 16 : 2 * size;
            char *larger = size <= FILE_MAX ? realloc(text, size) : NULL;
            if (larger == NULL) {
                cli_complain(_("“%s” is too large"), path);
                break;
            }
            text = larger;
        }
        const size_t got = fread(text + *length, 1, size - *length, file);
        *length += got;
        if (got > 0)
            continue;
        if (ferror(file)) {
            cli_complain(_("cannot read “%s”: %s"), path, strerror(errno));
            break;
        }
        if (file != stdin)
            fclose(file);
        text[*length] = '\0'; /* the last attempt to read had room for more */
        return text;
    }
    free(text);
    if (file != stdin)
        fclose(file);
    return NULL;
}

bool cli_circuit(const char *name_or_file, hp_circuit *circuit)
{
    char *text;
    const bool good = cli_circuit_text(name_or_file, circuit, &text);
    free(text);
    return good;
}

bool cli_circuit_is_itself(const hp_circuit *circuit)
{
    hp_circuit known;
    if (!hp_circuit_named(circuit->name, &known) ||
        memcmp(&known.track, &circuit->track, sizeof known.track) == 0)
        return true;
    cli_complain(_("these are not the figures of the circuit “%s”"), circuit->name);
    return false;
}

static bool is_file(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && !S_ISDIR(about.st_mode);
}

bool cli_circuit_text(const char *name_or_file, hp_circuit *circuit, char **text)
{
    *text = NULL;
    if (hp_circuit_named(name_or_file, circuit))
        return true;
    /* A word without a dot or a slash is meant as a name, unless there is such a file. */
    if (strpbrk(name_or_file, "./") == NULL && !is_file(name_or_file)) {
        enum { ENOUGH = 32 };
        hp_circuit each[ENOUGH];
        const char *names[ENOUGH + 1] = {0};
        for (int i = 0; i < hp_circuits() && i < ENOUGH; i++) {
            hp_circuit_at(i, &each[i]);
            names[i] = each[i].name;
        }
        const char *nearest = cli_nearest(name_or_file, names);
        if (nearest != NULL)
            cli_complain(_("there is no circuit “%s”; did you mean “%s”?"), name_or_file, nearest);
        else
            cli_complain(_("there is no circuit “%s”; “hairpin circuits” lists them"), name_or_file);
        return false;
    }
    size_t length;
    hp_fault fault = {0};
    if ((*text = cli_read_file(name_or_file, &length)) == NULL)
        return false;
    if (hp_circuit_read(*text, length, circuit, &fault) == HP_TEXT_OK)
        return true;
    cli_complain_of_file(name_or_file, &fault);
    free(*text);
    *text = NULL;
    return false;
}

/* ---- Bots -------------------------------------------------------------------------------------- */

/* A file, with or without a time behind it. */
static bool names_file(const char *spec)
{
    char path[4200]; /* a longer one is no file */
    const char *colon = strrchr(spec, ':');
    snprintf(path, sizeof path, "%.*s", (int)(colon != NULL ? (size_t)(colon - spec) : strlen(spec)), spec);
    return is_file(spec) || is_file(path);
}

bool cli_program_meant(const char *spec)
{
    if (strchr(spec, '/') != NULL || !names_file(spec))
        return false;
    cli_complain(_("there is no bot “%s”; did you mean the program “./%s”?"), spec, spec);
    return true;
}

/* "./mybot.py:5s": the colon and what follows were taken for the end of the file's name. */
static bool has_strange_time(const char *spec)
{
    const char *colon = strrchr(spec, ':');
    const size_t digits = colon != NULL ? strspn(colon + 1, "0123456789") : 0;
    const bool right = digits > 0 && strcmp(colon + 1 + digits, "ms") == 0;
    return colon != NULL && !right && names_file(spec);
}

static bool is_bot(const char *name, size_t length)
{
    const char *known;
    for (int i = 0; (known = bot_name(i)) != NULL; i++)
        if (strlen(known) == length && memcmp(known, name, length) == 0)
            return true;
    return false;
}

static void list_bots(const char *missing)
{
    char names[200] = "";
    size_t length = 0;
    for (int i = 0; bot_name(i) != NULL && length < sizeof names; i++)
        length +=
            (size_t)snprintf(names + length, sizeof names - length, "%s%s", i > 0 ? ", " : "", bot_name(i));
    cli_complain(_("there is no bot “%s”: there are %s; a program needs a slash, as “./mybot.py”"), missing,
                 names);
}

void cli_complain_of_bot(const char *spec, int why)
{
    if (strchr(spec, '/') == NULL) {
        if (is_bot(spec, strcspn(spec, ":")))
            cli_complain(
                _("“%s”: only a champion has a figure, its races in thought as “champion:5000” or its "
                  "time as “champion:200ms”, 1 to 999999999"),
                spec);
        else if (!cli_program_meant(spec))
            list_bots(spec);
    } else if (why == EINVAL || (why == ENOENT && has_strange_time(spec))) {
        cli_complain(_("“%s”: a program's time for a decision is written as “:500ms”, 1 to 600000"), spec);
    } else if (why == 0) {
        cli_complain(_("there is no bot “%s”"), spec);
    } else {
        cli_complain(_("cannot start “%s”: %s"), spec, strerror(why));
    }
}

/* ---- Races ------------------------------------------------------------------------------------- */

void cli_progress(uint64_t done, uint64_t all, uint64_t before, double seconds)
{
    const double percent = 100 * (double)done / (double)all;
    const unsigned long long ready = done, wanted = all;
    fputc('\r', stderr);
    if (done > before)
        fprintf(stderr, _("%5.1f %%  %llu of %llu races, %.0f s left  "), percent, ready, wanted,
                seconds * (double)(all - done) / (double)(done - before));
    else
        fprintf(stderr, _("%5.1f %%  %llu of %llu races  "), percent, ready, wanted);
}

const char *cli_circuit_title(const hp_circuit *circuit)
{
    static const char *const titles[] = {N_("USA"), N_("Great Britain"), N_("Italy"), N_("France")};
    (void)titles; /* marked for translation; a circuit's own title is looked up */
    return _(circuit->title);
}

bool cli_play_file(const char *path, long acts, hp_reader *reader, const hp_listener *listener,
                   void (*after_act)(void *self, const hp_reader *reader), void *self)
{
    size_t length;
    hp_fault fault = {0};
    char *text = cli_read_file(path, &length);
    if (text == NULL)
        return false;
    memset(reader, 0, sizeof *reader);
    bool good = true;
    for (size_t at = 0; good && at < length && (acts < 0 || !reader->started || reader->acts < acts);) {
        const char *line = text + at;
        const char *end = memchr(line, '\n', length - at);
        size_t n = end != NULL ? (size_t)(end - line) : length - at;
        at += n + 1;
        if (n > 0 && line[n - 1] == '\r')
            n--;
        const int32_t before = reader->acts;
        const bool was_started = reader->started;
        good = hp_read_line(reader, line, n, listener, &fault) == HP_TEXT_OK;
        if (good && end == NULL && n > 0 && !reader->ended) { /* half a line may look like a whole one */
            fault = (hp_fault){.kind = HP_TEXT_CUT_OFF, .line = reader->line, .word = N_("line's end")};
            good = false;
        }
        if (good && after_act != NULL && (reader->acts > before || (reader->started && !was_started)))
            after_act(self, reader);
    }
    good = good && hp_read_end(reader, &fault) == HP_TEXT_OK;
    free(text);
    if (!good)
        cli_complain_of_file(path, &fault);
    return good;
}

int cli_moment(const char *text, const cli_option *options, const hp_listener *listener, hp_race *race,
               char circuit[HP_NAME_MAX + 1])
{
    hp_fault fault = {0};
    uint64_t act;
    if (!cli_number(options, "act", 0, INT32_MAX, 0, &act))
        return EXIT_USAGE;
    /* A position has blanks and a file's name seldom has: --act settles it. */
    if (strchr(text, ' ') != NULL) {
        const bool good = hp_position_read(text, strlen(text), race, circuit, &fault) == HP_TEXT_OK;
        if (cli_given(options, "act") == NULL)
            return good ? EXIT_OK : cli_complain_of_file(_("position"), &fault);
        if (good) {
            cli_complain("%s", _("“--act” goes with a race file; a position is a moment already"));
            return EXIT_USAGE;
        }
    }
    hp_reader reader;
    if (!cli_play_file(text, (long)act, &reader, listener, NULL, NULL))
        return EXIT_FAILED;
    if ((uint64_t)reader.acts < act)
        return cli_complain(_("“%s” has only %ld acts"), text, (long)reader.acts);
    *race = reader.race;
    memcpy(circuit, reader.head.circuit, sizeof reader.head.circuit);
    return EXIT_OK;
}
