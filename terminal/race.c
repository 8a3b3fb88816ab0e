/* From a wish to a race, and from one race to the next. */
#define _DEFAULT_SOURCE /* getrandom */
#include "terminal/terminal.h"

#include "cli/words.h"
#include "terminal/kept.h"
#include "terminal/paint.h"
#include "terminal/wait.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

static bool painting; /* there is a screen; else all is said in lines */

bool terminal_open(const manner *how)
{
    paint_prepare();
    wait_prepare();
    painting = !how->lines && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && paint_open();
    return painting;
}

void terminal_close(void)
{
    if (painting)
        paint_close();
    painting = false;
}

static bool wish_settings(const wish *w, table_settings *s)
{
    /* Colours for people; bots take what is left. */
    static const table_colour colours[HP_CARS_MAX] = {TABLE_RED,   TABLE_BLUE,   TABLE_YELLOW,
                                                      TABLE_GREEN, TABLE_PURPLE, TABLE_ORANGE};
    memset(s, 0, sizeof *s);
    memcpy(s->circuit, w->circuit.name, sizeof s->circuit);
    s->track = w->circuit.track;
    s->laps = (uint8_t)w->laps;
    s->substitute = TABLE_DRIVER;
    s->seats = (uint8_t)(w->people + w->opponents);
    for (int i = 0; i < s->seats && i < HP_CARS_MAX; i++) {
        table_seat *seat = &s->seat[i];
        const bool person = i < w->people;
        seat->kind = person ? TABLE_PERSON : TABLE_BOT;
        seat->level = (uint8_t)(person ? TABLE_DRIVER : w->level[i - w->people]);
        seat->colour = (uint8_t)(person ? colours[i] : TABLE_COLOURS);
        if (person)
            memcpy(seat->name, w->name[i], sizeof seat->name);
    }
    if (w->seeded)
        hp_seed_of(w->seed, 0, s->secret);
    else if (getrandom(s->secret, sizeof s->secret, 0) != (ssize_t)sizeof s->secret)
        return false;
    return true;
}

/* ---- One race after the other ------------------------------------------------------------------- */

static void say_plainly(const char *text)
{
    char plain[2 * WHY];
    paint_plain(text, plain, sizeof plain);
    if (plain[0] != '\0')
        puts(plain);
}

/* What those who leave should know. */
static void say_goodbye(const table_link *l)
{
    char where[WHY], text[2 * WHY] = "";
    if (l->race_file[0] != '\0') {
        snprintf(text, sizeof text, _("The race is written down in %s; “hairpin watch” shows it again."),
                 l->race_file);
    } else if (l->remote && l->people != 0 && !l->over) {
        snprintf(
            text, sizeof text,
            net_where(l, where, sizeof where)
                ? _("Your seat is kept: “hairpin race --join %s” goes on.")
                : _("Your seat could not be written down here. Keep this: “hairpin race --join %s” goes on."),
            where);
    } else if (!l->remote && !l->replay) {
        snprintf(text, sizeof text, "%s", _("The race is kept: “hairpin race” goes on with it."));
    }
    say_plainly(text);
}

static terminal_end leave(table_link *l, screen_end how, bool gone, char why[WHY])
{
    terminal_close();
    if (gone)
        snprintf(why, WHY, "%s", l->gone);
    else
        say_goodbye(l);
    if (l->faults != NULL)
        l->faults(l, say_plainly);
    l->close(l);
    return gone ? TERMINAL_FAILED : how == SCREEN_INTERRUPTED ? TERMINAL_INTERRUPTED : TERMINAL_FINE;
}

static terminal_end run(const manner *how, table_link *l, char why[WHY])
{
    for (;;) {
        char rematch[ID_TEXT] = "";
        bool gone = false;
        const screen_end end =
            painting ? screen_run(l, how->still, rematch, &gone) : lines_run(l, rematch, &gone);
        if (end != SCREEN_AGAIN)
            return leave(l, end, gone, why);
        l = l->remote ? net_again(l, rematch, why) : local_again(l, why);
        if (l == NULL)
            return TERMINAL_FAILED;
    }
}

static terminal_end run_if(const manner *how, table_link *l, char why[WHY])
{
    return l != NULL ? run(how, l, why) : wait_stopped() ? TERMINAL_INTERRUPTED : TERMINAL_FAILED;
}

terminal_end terminal_race(const manner *how, wish *w, bool choose, char why[WHY])
{
    char path[KEPT_PATH] = "";
    menu_choice choice = MENU_RACE;
    if (choose)
        choice = painting ? menu_run(w, path, sizeof path) : lines_menu(w, path, sizeof path);
    if (choice == MENU_QUIT)
        return wait_stopped() ? TERMINAL_INTERRUPTED : TERMINAL_FINE;
    if (choice == MENU_GO_ON)
        return run_if(how, local_resume(path, why), why);
    table_settings settings;
    if (!wish_settings(w, &settings)) {
        snprintf(why, WHY, "%s", words_of_error(HP_BAD_SETUP));
        return TERMINAL_FAILED;
    }
    const char *program[HP_CARS_MAX] = {NULL}; /* by seat: people sit first */
    for (int i = 0; i < w->opponents; i++)
        program[w->people + i] = w->program[i];
    return run_if(how, local_open(&settings, &w->circuit, w->circuit_text, program, why), why);
}

terminal_end terminal_go_on(const manner *how, char why[WHY])
{
    char(*paths)[KEPT_PATH] = must_have(malloc(sizeof(char[KEPT_MAX][KEPT_PATH])));
    const int n = kept_list(paths);
    table_link *l = n > 0 ? local_resume(paths[0], why) : NULL;
    if (n == 0)
        snprintf(why, WHY, "%s", _("there is no race to go on with"));
    free(paths);
    return run_if(how, l, why);
}

/* A server may take its time. */
static void one_moment(void)
{
    if (!painting)
        return;
    paint_clear();
    paint_text(paint_rows() / 2, 2, paint_columns() - 4, INK_PLAIN, _("One moment …"));
    paint_show();
}

terminal_end terminal_join(const manner *how, const char *address, const char *id, const char *name,
                           char why[WHY])
{
    one_moment();
    return run_if(how, net_join(address, id, name, why), why);
}

terminal_end terminal_watch(const manner *how, const char *what, const char *id, char why[WHY])
{
    one_moment();
    return run_if(how, net_is_address(what) ? net_join(what, id, NULL, why) : replay_open(what, why), why);
}
