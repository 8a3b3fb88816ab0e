/* Reading the files of arenas: one that goes on, or several that are counted together. */
#include "cli/arena_results.h"
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool arena_keep(arena_results *all, const arena_race *race)
{
    if (all->n == all->size) {
        const size_t size = all->size == 0 ? 1024 : 2 * all->size;
        arena_race *larger = realloc(all->race, size * sizeof *larger);
        if (larger == NULL)
            return false;
        all->race = larger;
        all->size = size;
    }
    all->race[all->n++] = *race;
    return true;
}

int arena_out_of_memory(void)
{
    return cli_complain("%s", _("there is not enough memory"));
}

/* ---- One file ---------------------------------------------------------------------------------- */

typedef enum { LINE_WHOLE, LINE_CUT_OFF, LINE_TOO_LONG, LINE_NONE, LINE_UNREADABLE } line_kind;

/* The next line without its end, which only a whole line has. */
static line_kind next_line(FILE *file, char line[ARENA_LINE], size_t *length)
{
    *length = 0;
    for (int c; (c = getc(file)) != EOF;) {
        if (c == '\n')
            return LINE_WHOLE;
        if (*length == ARENA_LINE)
            return LINE_TOO_LONG;
        line[(*length)++] = (char)c;
    }
    return ferror(file) ? LINE_UNREADABLE : *length > 0 ? LINE_CUT_OFF : LINE_NONE;
}

/* The rest of the file is there, but the disk does not give it. */
static bool unreadable(const char *path)
{
    cli_complain(_("cannot read “%s”: %s"), path, strerror(errno));
    return false;
}

/* What a crash or a full disk leaves of a line. */
static void tell_cut_off(const char *path)
{
    cli_complain(_("the last line of “%s” was cut off, and is dropped"), path);
}

/* Reads the races after the head. A last line that is cut off is a fault, or, where that may be, left out. False
 * after saying what is wrong. */
static bool read_races(const char *path, FILE *file, const arena_head *head, arena_results *all,
                       off_t *length, bool may_be_cut)
{
    char line[ARENA_LINE];
    size_t n;
    hp_fault fault = {0};
    for (uint32_t number = 0;; number++) {
        arena_race race;
        const line_kind kind = next_line(file, line, &n);
        if (kind == LINE_CUT_OFF && may_be_cut)
            tell_cut_off(path);
        if (kind == LINE_NONE || (kind == LINE_CUT_OFF && may_be_cut))
            return true;
        if (kind == LINE_UNREADABLE)
            return unreadable(path);
        if (kind == LINE_CUT_OFF)
            fault = (hp_fault){.kind = HP_TEXT_CUT_OFF, .word = N_("line's end")};
        else if (kind == LINE_TOO_LONG)
            fault = (hp_fault){.kind = HP_TEXT_LINE_TOO_LONG, .number = ARENA_LINE};
        else if (number == ARENA_RACES_MAX)
            fault = (hp_fault){.kind = HP_TEXT_TOO_MANY, .word = "races", .high = ARENA_RACES_MAX};
        else
            arena_race_read(line, n, head, number, &race, &fault);
        if (fault.kind != HP_TEXT_OK) {
            fault.line = (int)number + 2;
            cli_complain_of_file(path, &fault);
            return false;
        }
        if (!arena_keep(all, &race)) {
            arena_out_of_memory();
            return false;
        }
        *length += (off_t)n + 1;
    }
}

static bool read_head(const char *path, const char *line, size_t n, line_kind kind, arena_head *head)
{
    hp_fault fault = {0};
    if (kind == LINE_UNREADABLE)
        return unreadable(path);
    if (kind == LINE_TOO_LONG)
        fault = (hp_fault){.kind = HP_TEXT_LINE_TOO_LONG, .number = ARENA_LINE};
    else if (arena_head_read(line, n, head, &fault) == HP_TEXT_OK && kind != LINE_WHOLE)
        fault = (hp_fault){.kind = HP_TEXT_CUT_OFF, .word = N_("line's end")};
    fault.line = 1;
    if (fault.kind != HP_TEXT_OK)
        cli_complain_of_file(path, &fault);
    return fault.kind == HP_TEXT_OK;
}

static bool same_bots(const arena_head *a, const arena_head *b)
{
    bool same = a->bots == b->bots;
    for (int i = 0; same && i < a->bots; i++)
        same = strcmp(a->bot[i], b->bot[i]) == 0;
    return same;
}

/* The first setting that differs, as its option; NULL when none does. */
static const char *difference(const arena_head *a, const arena_head *b)
{
    if (!same_bots(a, b))
        return "--bots";
    if (a->cars != b->cars)
        return "--cars";
    if (a->laps != b->laps)
        return "--laps";
    if (a->seed != b->seed)
        return "--seed";
    if (strcmp(a->circuit, b->circuit) != 0 || strcmp(a->figures, b->figures) != 0)
        return "--circuit";
    return a->rules != b->rules ? "rules" : NULL;
}

int arena_read_begun(FILE *file, const char *path, const arena_head *ours, arena_results *all, off_t *length)
{
    char line[ARENA_LINE], head[ARENA_LINE];
    size_t n;
    arena_head theirs;
    const size_t head_length = arena_head_write(ours, head);
    const line_kind kind = next_line(file, line, &n);
    *length = 0;
    if (kind == LINE_NONE)
        return EXIT_OK;
    /* Not even the head was written whole; anybody else's file is left alone. */
    if (kind == LINE_CUT_OFF && n < head_length && memcmp(line, head, n) == 0) {
        tell_cut_off(path);
        return EXIT_OK;
    }
    if (!read_head(path, line, n, kind, &theirs))
        return EXIT_FAILED;
    const char *other = difference(ours, &theirs);
    if (other != NULL) {
        cli_complain(_("“%s” was begun with other settings (%s); choose those, or another file"), path,
                     other);
        return EXIT_USAGE;
    }
    *length = (off_t)n + 1;
    return read_races(path, file, ours, all, length, true) ? EXIT_OK : EXIT_FAILED;
}

/* ---- Several files ----------------------------------------------------------------------------- */

/* Reads one more file; heads of those before are in head[0] to head[n - 1]. */
static int merge_file(const char *path, arena_head *head, char **paths, int n, arena_results *all)
{
    char line[ARENA_LINE];
    size_t length;
    off_t read = 0;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return cli_complain(_("cannot open “%s”: %s"), path, strerror(errno));
    const line_kind kind = next_line(file, line, &length);
    int code = read_head(path, line, length, kind, &head[n]) ? EXIT_OK : EXIT_FAILED;
    if (code == EXIT_OK &&
        (!same_bots(&head[0], &head[n]) || head[0].cars != head[n].cars || head[0].rules != head[n].rules)) {
        cli_complain(_("“%s” and “%s” do not have the same bots and cars"), paths[0], path);
        code = EXIT_USAGE;
    }
    if (code == EXIT_OK && !read_races(path, file, &head[n], all, &read, false))
        code = EXIT_FAILED;
    fclose(file);
    return code;
}

/* One race, and the file that it came from. */
typedef struct {
    const arena_race *race;
    int file;
} source;

/* By what makes a race the one that it is: files with the same bots and cars need not differ in more. */
static int compare(const void *one, const void *other)
{
    const arena_race *a = ((const source *)one)->race, *b = ((const source *)other)->race;
    if (a->seed != b->seed)
        return a->seed < b->seed ? -1 : 1;
    if (a->race != b->race)
        return a->race < b->race ? -1 : 1;
    return a->laps != b->laps ? a->laps - b->laps : strcmp(a->circuit, b->circuit);
}

/* No race may be counted twice: not even one of "--circuit usa" that "--circuit all" has as well. File i ends
 * where ends[i] says. */
static int refuse_twins(const arena_results *all, const size_t *ends, char **paths)
{
    source *from = malloc((all->n + 1) * sizeof *from);
    if (from == NULL)
        return arena_out_of_memory();
    int file = 0, code = EXIT_OK;
    for (size_t i = 0; i < all->n; i++) {
        while (i == ends[file])
            file++;
        from[i] = (source){&all->race[i], file};
    }
    qsort(from, all->n, sizeof *from, compare);
    for (size_t i = 1; i < all->n && code == EXIT_OK; i++)
        if (compare(&from[i - 1], &from[i]) == 0) {
            const int one = from[i - 1].file, other = from[i].file;
            cli_complain(_("“%s” and “%s” hold the same races: machines need seeds of their own"),
                         paths[one < other ? one : other], paths[one < other ? other : one]);
            code = EXIT_USAGE;
        }
    free(from);
    return code;
}

int arena_read_all(char **paths, int n, arena_head *head, arena_results *all)
{
    arena_head *heads = calloc((size_t)n, sizeof *heads);
    size_t *ends = calloc((size_t)n, sizeof *ends);
    int code = heads != NULL && ends != NULL ? EXIT_OK : arena_out_of_memory();
    for (int i = 0; i < n && code == EXIT_OK; i++) {
        code = merge_file(paths[i], heads, paths, i, all);
        ends[i] = all->n;
    }
    if (code == EXIT_OK)
        code = refuse_twins(all, ends, paths);
    if (code == EXIT_OK)
        *head = heads[0];
    free(heads);
    free(ends);
    return code;
}
