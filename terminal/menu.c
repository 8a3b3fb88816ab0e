/* Choosing a race: a kept one, or circuit, laps, people and opponents. */
#include "terminal/terminal.h"

#include "cli/words.h"
#include "terminal/kept.h"
#include "terminal/paint.h"
#include "terminal/scene.h"
#include "terminal/track.h"
#include "terminal/wait.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 3 }; /* kept races that are offered */

typedef enum {
    ROW_KEPT,
    ROW_CIRCUIT,
    ROW_LAPS,
    ROW_PEOPLE,
    ROW_NAME,
    ROW_OPPONENTS,
    ROW_LEVEL,
    ROW_START
} row_kind;

typedef struct {
    row_kind kind;
    int number; /* of a kept race, a name, an opponent */
} menu_row;

typedef struct {
    wish *w;
    int circuit; /* of those built in; -1 for one from a file */
    char (*kept)[KEPT_PATH];
    int in_kept;
    menu_row row[SHOWN + 6 + 2 * HP_CARS_MAX];
    int rows, at;
    track_map map;
    int mapped; /* for which circuit */
    bool fresh; /* a name is replaced by what is typed, until something is */
} menu;

static void add_row(menu *m, row_kind kind, int number)
{
    m->row[m->rows++] = (menu_row){kind, number};
}

static void list_rows(menu *m)
{
    m->rows = 0;
    for (int i = 0; i < m->in_kept && i < SHOWN; i++)
        add_row(m, ROW_KEPT, i);
    add_row(m, ROW_CIRCUIT, 0);
    add_row(m, ROW_LAPS, 0);
    add_row(m, ROW_PEOPLE, 0);
    for (int i = 0; i < m->w->people; i++)
        add_row(m, ROW_NAME, i);
    add_row(m, ROW_OPPONENTS, 0);
    for (int i = 0; i < m->w->opponents; i++)
        add_row(m, ROW_LEVEL, i);
    add_row(m, ROW_START, 0);
    m->at = m->at < m->rows ? m->at : m->rows - 1;
}

static int wrap(int value, int by, int n)
{
    return ((value + by) % n + n) % n;
}

/* ---- Changing ----------------------------------------------------------------------------------- */

static void set_people(wish *w, int people)
{
    if (people < 1 || people + w->opponents > HP_CARS_MAX)
        return;
    for (int i = w->people; i < people; i++)
        if (w->name[i][0] == '\0')
            snprintf(w->name[i], sizeof w->name[i], "%s %d", _("Player"), i + 1);
    w->people = people;
}

static void change(menu *m, int by)
{
    wish *w = m->w;
    const menu_row row = m->row[m->at];
    switch (row.kind) {
    case ROW_CIRCUIT:
        m->circuit = wrap(m->circuit < 0 ? 0 : m->circuit, m->circuit < 0 ? 0 : by, hp_circuits());
        hp_circuit_at(m->circuit, &w->circuit);
        free(w->circuit_text);
        w->circuit_text = NULL;
        w->laps = w->circuit.laps;
        break;
    case ROW_LAPS:
        w->laps = 1 + wrap(w->laps - 1, by, HP_LAPS_MAX);
        break;
    case ROW_PEOPLE:
        set_people(w, w->people + by);
        break;
    case ROW_OPPONENTS:
        if (w->opponents + by >= 0 && w->people + w->opponents + by <= HP_CARS_MAX)
            w->opponents += by;
        break;
    case ROW_LEVEL:
        w->level[row.number] = (table_level)wrap((int)w->level[row.number], by, TABLE_LEVELS);
        break;
    case ROW_KEPT:
    case ROW_NAME:
    case ROW_START:
        break;
    }
    list_rows(m);
}

/* A character at the end of a name, or one taken away. */
static void type(menu *m, int key)
{
    char *name = m->w->name[m->row[m->at].number];
    size_t n = strlen(name);
    char more[8];
    size_t length = 0;
    if (key == PAINT_BACKSPACE) {
        while (n > 0 && (name[n - 1] & 0xc0) == 0x80)
            n--;
        name[n > 0 ? n - 1 : 0] = '\0';
        m->fresh = false;
        return;
    }
    if (key < 0x80)
        more[length++] = (char)key;
    else if (key < 0x800) {
        more[length++] = (char)(0xc0 | key >> 6);
        more[length++] = (char)(0x80 | (key & 0x3f));
    } else if (key < 0x10000) {
        more[length++] = (char)(0xe0 | key >> 12);
        more[length++] = (char)(0x80 | (key >> 6 & 0x3f));
        more[length++] = (char)(0x80 | (key & 0x3f));
    } else {
        return;
    }
    n = m->fresh ? 0 : n;
    m->fresh = false;
    if (n + length > HP_NAME_MAX)
        return;
    memcpy(name + n, more, length);
    name[n + length] = '\0';
}

/* ---- Drawing ------------------------------------------------------------------------------------ */

/* When it was begun, from its name: "2026-11-16-031657-00.table". */
static void kept_label(const char *path, char *text, size_t size)
{
    const char *name = strrchr(path, '/');
    name = name != NULL ? name + 1 : path;
    if (strlen(name) > 17)
        snprintf(text, size, _("Go on with the race of %.10s, %.2s:%.2s"), name, name + 11, name + 13);
    else
        snprintf(text, size, "%s", name);
}

static void label_of(const menu *m, menu_row row, char *label, char *value, size_t size)
{
    const wish *w = m->w;
    value[0] = '\0';
    switch (row.kind) {
    case ROW_KEPT:
        kept_label(m->kept[row.number], label, size);
        break;
    case ROW_CIRCUIT:
        snprintf(label, size, "%s", _("Circuit"));
        snprintf(value, size, "%s", _(w->circuit.title));
        break;
    case ROW_LAPS:
        snprintf(label, size, "%s", _("Laps"));
        snprintf(value, size, "%d", w->laps);
        break;
    case ROW_PEOPLE:
        snprintf(label, size, "%s", _("People at this terminal"));
        snprintf(value, size, "%d", w->people);
        break;
    case ROW_NAME:
        snprintf(label, size, "  %s %d", _("Name"), row.number + 1);
        snprintf(value, size, "%s", w->name[row.number]);
        break;
    case ROW_OPPONENTS:
        snprintf(label, size, "%s", _("Opponents"));
        snprintf(value, size, "%d", w->opponents);
        break;
    case ROW_LEVEL:
        snprintf(label, size, "  %s %d", _("Opponent"), row.number + 1);
        snprintf(value, size, "%s", scene_level(table_level_word(w->level[row.number])));
        break;
    case ROW_START:
        snprintf(label, size, "%s", _("Race now"));
        break;
    }
}

enum { LEFT = 46, LABEL = 24 }; /* LEFT: a kept race with its time, in all languages */

static void draw_map(menu *m)
{
    const int columns = paint_columns() - LEFT - 1, rows = paint_rows() - 5;
    const hp_circuit *circuit = &m->w->circuit;
    if (columns < 20 || rows < 8)
        return;
    if (m->mapped != m->circuit || m->map.columns != columns || m->map.rows != rows)
        track_lay_out(&m->map, circuit, columns, rows, false);
    m->mapped = m->circuit;
    for (int row = 0; row < m->map.rows; row++)
        for (int column = 0; column < m->map.columns; column++) {
            const surface upper = m->map.ground[2 * row][column], lower = m->map.ground[2 * row + 1][column];
            if (upper != GROUND || lower != GROUND)
                paint_place(2 + row, LEFT + column, upper, lower, "");
        }
    for (int i = 0; i < circuit->track.corners; i++)
        if (m->map.sign[i].column >= 0)
            paint_format(2 + m->map.sign[i].row, LEFT + m->map.sign[i].column, MAP_SIGN, INK_SIGN, "%2d ",
                         circuit->track.corner[i].limit);
}

static void draw_row(const menu *m, int i, int y)
{
    char label[160], value[160];
    const menu_row row = m->row[i];
    const bool here = i == m->at, wide = row.kind == ROW_KEPT || row.kind == ROW_START;
    label_of(m, row, label, value, sizeof label);
    paint_text(y, 1, 1, INK_BOLD, here ? paint_either("▸", ">") : " ");
    if (wide) {
        paint_format(y, 3, LEFT - 4, here ? INK_CHOSEN : INK_BOLD, " %s ", label);
        return;
    }
    paint_text(y, 3, LABEL, here ? INK_BOLD : INK_PLAIN, label);
    const bool name = row.kind == ROW_NAME;
    paint_format(y, 3 + LABEL, LEFT - LABEL - 4, here ? INK_CHOSEN : INK_PLAIN,
                 here && !name ? "< %s >"
                 : here        ? "%s_"
                               : " %s ",
                 value);
}

static void draw(menu *m)
{
    const int rows = paint_rows(), columns = paint_columns();
    paint_clear();
    paint_fill(0, 0, columns, INK_BAR, " ");
    paint_text(0, 1, columns - 2, INK_BAR, _("hairpin: card-driven car racing"));
    draw_map(m);
    for (int i = 0, y = 2; i < m->rows && y < rows - 1; i++, y++) {
        if (m->row[i].kind == ROW_CIRCUIT && i > 0)
            y++;
        if (m->row[i].kind == ROW_START)
            y++;
        draw_row(m, i, y);
    }
    paint_fill(rows - 1, 0, columns, INK_BAR, " ");
    paint_text(rows - 1, 1, columns - 2, INK_BAR,
               paint_either(_("↑↓ row · ←→ change · Enter begin · Esc quit"),
                            _("arrows change - Enter begin - Esc quit")));
    paint_show();
}

/* ---- Running ------------------------------------------------------------------------------------ */

static bool names_good(menu *m)
{
    for (int i = 0; i < m->w->people; i++)
        if (!table_name_valid(m->w->name[i], strlen(m->w->name[i]))) {
            for (int k = 0; k < m->rows; k++)
                if (m->row[k].kind == ROW_NAME && m->row[k].number == i)
                    m->at = k;
            return false;
        }
    return true;
}

/* True when something was chosen. */
static bool take_key(menu *m, int key, menu_choice *choice)
{
    const menu_row row = m->row[m->at];
    *choice = MENU_QUIT;
    if (key == PAINT_ESCAPE || (key == 'q' && row.kind != ROW_NAME))
        return true;
    if (key == PAINT_UP || key == PAINT_DOWN || key == PAINT_TAB) {
        m->at = wrap(m->at, key == PAINT_UP ? -1 : 1, m->rows);
        m->fresh = m->row[m->at].kind == ROW_NAME;
    } else if (key == PAINT_LEFT || key == PAINT_RIGHT) {
        change(m, key == PAINT_LEFT ? -1 : 1);
    } else if (row.kind == ROW_NAME && (key == PAINT_BACKSPACE || (key >= ' ' && key < PAINT_UP))) {
        type(m, key);
    } else if (key == PAINT_ENTER || key == ' ') {
        *choice = row.kind == ROW_KEPT ? MENU_GO_ON : MENU_RACE;
        return row.kind == ROW_KEPT || names_good(m);
    }
    return false;
}

static int built_in(const hp_circuit *circuit)
{
    for (int i = 0; i < hp_circuits(); i++) {
        hp_circuit each;
        hp_circuit_at(i, &each);
        if (strcmp(each.name, circuit->name) == 0)
            return i;
    }
    return -1;
}

menu_choice menu_run(wish *w, char path[], size_t size)
{
    menu *m = must_have(calloc(1, sizeof *m));
    menu_choice choice = MENU_QUIT;
    bool chosen = false;
    m->w = w;
    m->mapped = -2;
    m->circuit = w->circuit_text != NULL ? -1 : built_in(&w->circuit);
    m->kept = must_have(malloc(sizeof(char[KEPT_MAX][KEPT_PATH])));
    m->in_kept = kept_list(m->kept);
    list_rows(m);
    m->at = m->in_kept > 0 ? 0 : m->rows - 1;
    while (!chosen && !wait_stopped()) {
        draw(m);
        wait_for(-1, -1);
        for (int key; !chosen && (key = paint_key()) != KEY_NONE_YET;)
            chosen = take_key(m, key, &choice);
    }
    if (chosen && choice == MENU_GO_ON)
        snprintf(path, size, "%s", m->kept[m->row[m->at].number]);
    free(m->kept);
    free(m);
    return chosen ? choice : MENU_QUIT;
}
