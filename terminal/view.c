/* Draws the race: title, map, standings, journal, keys, and what lies over them. */
#include "terminal/view.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { COCKPIT = 11, NARROW = 31, WIDE = 46 };

static sheet measure(void)
{
    sheet z = {.rows = paint_rows(), .columns = paint_columns()};
    const int more = z.rows > 32 ? 2 : z.rows > 26 ? 1 : 0; /* rows for what an act leads to */
    z.side_width = z.columns >= 130 ? WIDE : z.columns >= 96 ? NARROW + 6 : NARROW;
    z.side = z.columns - z.side_width;
    z.cockpit = z.rows - COCKPIT - more;
    z.map_rows = z.cockpit - 1;
    z.map_columns = z.side - 1;
    return z;
}

int view_car_ink(const scene *s, int car)
{
    return INK_CAR + (s->car[car].colour < TABLE_COLOURS ? s->car[car].colour : TABLE_WHITE);
}

int view_focus(const scene *s)
{
    if (s->you >= 0 && s->car[s->you].status == HP_RACING)
        return s->you;
    return s->turn >= 0 ? s->turn : s->standings[0];
}

/* ---- Title and keys ----------------------------------------------------------------------------- */

static int lap_of(const scene *s, int at)
{
    const int lap = at < 0 ? 1 : at / s->spaces + 1;
    return lap < s->laps ? lap : s->laps;
}

static void draw_title(const screen *c, const sheet *z)
{
    const scene *s = &c->s;
    char text[TELL], more[64] = "";
    paint_fill(0, 0, z->columns, INK_BAR, " ");
    snprintf(text, sizeof text, _("Lap %d of %d"), lap_of(s, c->shown[view_focus(s)].at), s->laps);
    if (s->until > 0) {
        const int64_t left = (s->until - link_now(c->link)) / 1000;
        const int seconds = left < 0 ? 0 : left < INT_MAX ? (int)left : INT_MAX;
        snprintf(more, sizeof more, n_(" · %d second left", " · %d seconds left", (unsigned long)seconds),
                 seconds);
    }
    paint_format(0, 1, z->columns - 2, INK_BAR, "hairpin · %s · %s · %s %d%s%s", _(c->link->circuit.title),
                 text, _("Round"), s->round, more, c->lost ? " · !" : "");
}

static const char *keys_for(const screen *c)
{
    if (c->over == OVER_PHRASES)
        return _("1-9 0 - = say it · Esc back");
    if (c->s.phase == TABLE_OVER && !c->link->replay)
        return c->link->people != 0 ? _("m rematch · ? help · q quit") : _("q quit");
    if (c->link->replay)
        return _("Space pause · ←→ step · ↑↓ round · End end · q quit");
    if (c->s.you >= 0 && c->s.car[c->s.you].away)
        return _("b take the wheel · q quit");
    switch ((hp_step)c->d.step) {
    case HP_STEP_PLAN:
        return _("↑↓ gear · 0-5 s card · Enter ready · u back · h hint · ? help · q quit");
    case HP_STEP_REACT:
    case HP_STEP_SLIP:
        return _("←→ choose · Enter do it · h hint · p say · ? help · q quit");
    case HP_STEP_DISCARD:
        return _("0-5 card · Enter ready · u back · h hint · ? help · q quit");
    case HP_STEP_OVER:
    case HP_STEP_WAIT:
        break;
    }
    return c->link->people != 0 ? _("u take the plan back · p say · ? help · q quit") : _("q quit");
}

/* Arrows have no other spelling where there are only the letters of ASCII. */
static void spell_keys(const char *keys, char *text, size_t size)
{
    static const char *const arrows[][2] = {{"←→", "<>"}, {"↑↓", "^v"}};
    snprintf(text, size, "%s", keys);
    for (int i = 0; i < 2 && !paint_utf8(); i++) {
        char *at = strstr(text, arrows[i][0]);
        if (at == NULL)
            continue;
        const size_t length = strlen(arrows[i][0]);
        memcpy(at, arrows[i][1], 2);
        memmove(at + 2, at + length, strlen(at + length) + 1);
    }
}

static void draw_keys(const screen *c, const sheet *z)
{
    char text[TELL];
    spell_keys(screen_curtain(c) ? "" : keys_for(c), text, sizeof text);
    paint_fill(z->rows - 1, 0, z->columns, INK_BAR, " ");
    paint_text(z->rows - 1, 1, z->columns - 1, INK_BAR, text); /* spelled in ASCII some fill the row */
}

/* ---- The map ------------------------------------------------------------------------------------ */

static void draw_ground(const track_map *map)
{
    for (int row = 0; row < map->rows; row++)
        for (int column = 0; column < map->columns; column++) {
            const surface upper = map->ground[2 * row][column], lower = map->ground[2 * row + 1][column];
            if (upper != GROUND || lower != GROUND)
                paint_place(1 + row, column, upper, lower, "");
        }
}

static void draw_signs(const screen *c)
{
    static const char *const fine[] = {"→", "↘", "↓", "↙", "←", "↖", "↑", "↗"};
    static const char *const plain[] = {">", "\\", "v", "/", "<", "\\", "^", "/"};
    const track_map *map = &c->map;
    for (int i = 0; i < c->link->circuit.track.corners; i++)
        if (map->sign[i].column >= 0)
            paint_format(1 + map->sign[i].row, map->sign[i].column, MAP_SIGN, INK_SIGN, "%2d ",
                         c->link->circuit.track.corner[i].limit);
    if (map->arrow.column >= 0)
        paint_text(1 + map->arrow.row, map->arrow.column, 1, INK_BOLD,
                   paint_either(fine[map->direction], plain[map->direction]));
}

static map_place on_map(const screen *c, hp_place at)
{
    const int spaces = c->link->circuit.track.spaces;
    return c->map.spot[((at.at % spaces) + spaces) % spaces][at.spot != 0];
}

/* Small maps may have two cars at one place: the second stands beside it. */
static map_place free_place(map_place at, const map_place *used, int n)
{
    static const int8_t aside[][2] = {{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {2, 0}};
    for (size_t k = 0; k < sizeof aside / sizeof aside[0]; k++) {
        const map_place here = {(int16_t)(at.column + aside[k][0]), (int16_t)(at.row + aside[k][1])};
        bool taken = here.column < 0 || here.row < 0;
        for (int i = 0; i < n; i++)
            taken = taken || (used[i].column == here.column && used[i].row == here.row);
        if (!taken)
            return here;
    }
    return at;
}

static void draw_cars(const screen *c)
{
    const scene *s = &c->s;
    map_place used[HP_CARS_MAX];
    int n = 0;
    for (int i = 0; i < s->cars; i++) {
        if (s->car[i].status != HP_RACING)
            continue;
        used[n] = free_place(on_map(c, c->shown[i]), used, n);
        if (used[n].row < c->map.rows && used[n].column < c->map.columns)
            paint_format(1 + used[n].row, used[n].column, 1, view_car_ink(s, i), "%d", i + 1);
        n++;
    }
}

static void mark(void *self, hp_place to)
{
    const map_place at = on_map(self, to);
    paint_text(1 + at.row, at.column, 1, INK_CHOSEN, paint_either("◎", "*"));
}

static void draw_map(screen *c, const sheet *z)
{
    if (c->map.columns != z->map_columns || c->map.rows != z->map_rows)
        track_lay_out(&c->map, &c->link->circuit, z->map_columns, z->map_rows, true);
    draw_ground(&c->map);
    draw_signs(c);
    view_landings(c, mark, c);
    draw_cars(c);
}

/* ---- Standings and journal ---------------------------------------------------------------------- */

static const char *badge(const scene *s, int car, int *how)
{
    const scene_car *each = &s->car[car];
    *how = INK_GOOD;
    if (each->status != HP_RACING)
        return each->status == HP_RETIRED ? "x" : paint_either("⚑", "F");
    if (s->step == HP_STEP_PLAN && each->planned)
        return paint_either("✓", "+");
    *how = INK_WARN;
    if (s->awaited >> car & 1)
        return paint_either("…", ".");
    return s->adrenaline >> car & 1 ? "A" : "";
}

/* Where a name is too long, its number stays: bots differ by nothing else. */
static void draw_name(int row, int x, int width, int how, const char *name)
{
    const char *number = strrchr(name, ' ');
    const char *dots = paint_either("…", ".");
    if (paint_width(name) <= width || number == NULL || strspn(number, " 0123456789") != strlen(number)) {
        paint_text(row, x, width, how, name);
        return;
    }
    char word[SCENE_NAME];
    snprintf(word, sizeof word, "%.*s", (int)(number - name), name);
    const int used = paint_text(row, x, width - paint_width(number) - 1, how, word);
    paint_format(row, x + used, width - used, how, "%s%s", dots, number);
}

static void draw_standing(const screen *c, const sheet *z, int row, int place)
{
    const scene *s = &c->s;
    const int car = s->standings[place], leader = s->standings[0], x = z->side;
    const scene_car *each = &s->car[car];
    const int name_width = z->side_width - 19;
    char gap[16] = "";
    int how;
    const char *sign = badge(s, car, &how);
    if (each->status == HP_RACING && car != leader && s->car[leader].status == HP_RACING)
        snprintf(gap, sizeof gap, "+%d", s->car[leader].at - each->at);
    else if (each->status == HP_RETIRED)
        snprintf(gap, sizeof gap, "-");
    paint_format(row, x, 2, s->turn == car ? INK_BOLD : INK_PLAIN, "%s%d", s->turn == car ? ">" : " ",
                 place + 1);
    paint_format(row, x + 3, 3, view_car_ink(s, car), " %d ", car + 1);
    draw_name(row, x + 7, name_width, car == s->you ? INK_BOLD : INK_PLAIN, each->name);
    paint_format(row, x + 8 + name_width, 4, INK_DIM, "%4s", gap);
    paint_format(row, x + 13 + name_width, 1, INK_PLAIN, "%d", each->gear);
    paint_format(row, x + 14 + name_width, 3, INK_HEAT, "%3d", each->engine);
    paint_text(row, x + 17 + name_width, 2, how, sign);
}

static void draw_standings(const screen *c, const sheet *z)
{
    char head[TELL];
    snprintf(head, sizeof head, "%s", _("Gear, Heat"));
    const int width = paint_width(head);
    paint_text(1, z->side + 1, z->side_width - width - 3, INK_DIM, _("Standings"));
    paint_text(1, z->columns - width - 1, width, INK_DIM, head);
    for (int i = 0; i < c->s.cars; i++)
        draw_standing(c, z, 2 + i, i);
}

/* The newest at the bottom. */
static void draw_log(const screen *c, const sheet *z)
{
    const int first = 2 + c->s.cars + 1, rows = z->cockpit - first, x = z->side + 1,
              width = z->side_width - 2;
    int row = z->cockpit;
    for (int i = c->in_log - 1; i >= 0 && row > first; i--) {
        const char *text = c->log[i % LOG_LINES];
        if (c->in_log - i > LOG_LINES)
            break;
        const int wide =
            paint_wrapped(z->rows, x, width, rows, INK_PLAIN, text); /* below the sheet: only counts */
        if (row - wide < first)
            break;
        row -= wide;
        const int car = c->log_car[i % LOG_LINES];
        paint_wrapped(row, x, width, wide,
                      car >= 0 && car == c->s.you ? INK_PLAIN
                      : car < 0                   ? INK_BOLD
                                                  : INK_DIM,
                      text);
    }
}

/* ---- Over it ------------------------------------------------------------------------------------ */

/* An empty box over the map, of so many columns at most; its first row inside. */
static int box(const sheet *z, int rows, int most, const char *title, int *column, int *width)
{
    const int wide = most < z->columns ? most : z->columns, top = 1 + (z->map_rows - rows - 2) / 2;
    const int first = top < 1 ? 1 : top;
    *column = (wide < z->side ? (z->side - wide) / 2 : (z->columns - wide) / 2) + 2;
    *width = wide - 4;
    for (int i = 0; i < rows + 2; i++)
        paint_fill(first + i, *column - 2, wide, INK_PLAIN, " ");
    paint_fill(first, *column - 2, wide, INK_BAR, " ");
    paint_text(first, *column - 1, wide - 2, INK_BAR, title);
    return first + 1;
}

static int wider(int width, const char *text)
{
    const int other = paint_width(text);
    return width > other ? width : other;
}

/* What this step is about; of a replay, and for those who only watch, what they can do. */
static void draw_help(const screen *c, const sheet *z)
{
    const hp_step step = c->s.phase == TABLE_OVER ? HP_STEP_OVER : (hp_step)c->d.step;
    const bool replay = c->link->replay;
    int column, width, used;
    const int rows = z->map_rows - 2 < 14 ? z->map_rows - 2 : 14;
    const int row = box(z, rows, 100, replay ? _("Replay") : tell_title(step), &column, &width);
    if (replay) {
        used = paint_wrapped(
            row, column, width, rows, INK_PLAIN,
            _("Space stops the race and lets it go on. The arrow keys lead elsewhere: left and right "
              "by an act, up and down by a round. Home is the start, End the end."));
    } else {
        used = paint_wrapped(row, column, width, rows - 1, INK_PLAIN, tell_help(step));
        paint_format(row + used++, column, width, INK_DIM, _("Rules: %s, see docs/RULES.md"),
                     tell_rule(step));
    }
    if (c->link->people != 0)
        used += paint_wrapped(
            row + used, column, width, rows - used, INK_DIM,
            _("Also: arrow keys and Space choose cards, Backspace gives one back, + and - shift, p "
              "says something, r retires."));
    paint_wrapped(
        row + used, column, width, rows - used, INK_DIM,
        _("On the map numbers are cars and red lines corners; the lighter side of the road is the race "
          "line."));
}

/* The chance is what was asked for: it has its column, and the act what is left. */
static void draw_hint(const screen *c, const sheet *z)
{
    enum { SHOWN = 5, FRAME = 4, LEAST = 46 };
    const json_t *acts = json_object_get(c->hint, "acts");
    const int n = json_array_size(acts) < SHOWN ? (int)json_array_size(acts) : SHOWN;
    char act[SHOWN][TELL], chance[SHOWN][TELL];
    int acts_width = 0, chances_width = 0, column, width;
    for (int i = 0; i < n; i++) {
        const json_t *each = json_array_get(acts, (size_t)i);
        char win[16];
        tell_act(scene_text(each, "act"), act[i], sizeof act[i]);
        tell_percent(scene_number(each, "win", 0, 1000, 0), win, sizeof win);
        snprintf(chance[i], sizeof chance[i], _("wins %s"), win);
        acts_width = wider(acts_width, act[i]);
        chances_width = wider(chances_width, chance[i]);
    }
    const int wish = acts_width + 2 + chances_width + FRAME;
    const int row =
        box(z, SHOWN, wish > LEAST ? wish : LEAST, _("What the champion would do"), &column, &width);
    if (n == 0)
        paint_wrapped(row, column, width, SHOWN, INK_PLAIN,
                      _("In a race on a server there are no hints: they are for races at this terminal."));
    for (int i = 0; i < n; i++) {
        paint_text(row + i, column, width - chances_width - 2, i == 0 ? INK_BOLD : INK_PLAIN, act[i]);
        paint_text(row + i, column + width - paint_width(chance[i]), chances_width, INK_DIM, chance[i]);
    }
}

/* In two columns, as wide as the longest. */
static void draw_phrases(const sheet *z)
{
    enum { KEY = 2, GAP = 2, FRAME = 4 };
    int each = 0, column, width;
    for (int i = 0; i < TABLE_PHRASES; i++)
        each = wider(each, tell_phrase(i + 1));
    each += KEY;
    const int row = box(z, TABLE_PHRASES / 2, 2 * each + GAP + FRAME, _("Say something"), &column, &width);
    for (int i = 0; i < TABLE_PHRASES; i++)
        paint_format(row + i / 2, column + (i % 2) * (each + GAP), each, INK_PLAIN, "%c %s",
                     "1234567890-="[i], tell_phrase(i + 1));
}

static void draw_result(const screen *c, const sheet *z)
{
    const scene *s = &c->s;
    const char *file = strrchr(c->link->race_file, '/'); /* all of it is said at the end */
    int column, width;
    int row =
        box(z, s->cars + (c->link->race_file[0] != '\0' ? 2 : 1), 46, _("The race is over"), &column, &width);
    for (int i = 0; i < s->cars; i++) {
        const int car = s->standings[i];
        paint_format(row, column, 3, INK_BOLD, "%d.", i + 1);
        paint_format(row, column + 3, 3, view_car_ink(s, car), " %d ", car + 1);
        paint_format(row++, column + 7, width - 7, i == 0 ? INK_WARN : INK_PLAIN, "%s%s%s", s->car[car].name,
                     s->car[car].status == HP_RETIRED ? "  " : "",
                     s->car[car].status == HP_RETIRED ? _("retired") : "");
    }
    if (c->link->race_file[0] != '\0')
        paint_text(row, column, width, INK_DIM, file != NULL ? file + 1 : c->link->race_file);
}

static void draw_overlay(const screen *c, const sheet *z)
{
    switch (c->over) {
    case OVER_NOTHING:
        break;
    case OVER_HELP:
        draw_help(c, z);
        break;
    case OVER_HINT:
        draw_hint(c, z);
        break;
    case OVER_PHRASES:
        draw_phrases(z);
        break;
    case OVER_RESULT:
        draw_result(c, z);
        break;
    }
}

/* ---- All of it ---------------------------------------------------------------------------------- */

/* Before the race, on a server: who is there. */
static void draw_lobby(const screen *c, const sheet *z)
{
    const scene *s = &c->s;
    paint_fill(0, 0, z->columns, INK_BAR, " ");
    paint_format(0, 1, z->columns - 2, INK_BAR, "hairpin · %s", _(c->link->circuit.title));
    paint_text(2, 2, z->columns - 4, INK_BOLD, _("Waiting for the others"));
    for (int i = 0; i < s->cars; i++) {
        paint_format(4 + i, 2, 3, s->car[i].kind == TABLE_OPEN ? INK_DIM : view_car_ink(s, i), " %d ", i + 1);
        paint_format(4 + i, 6, z->columns - 8, i == s->you ? INK_BOLD : INK_PLAIN, "%s", s->car[i].name);
    }
    paint_format(6 + s->cars, 2, z->columns - 4, INK_DIM, n_("%d lap", "%d laps", (unsigned long)s->laps),
                 s->laps);
    paint_wrapped(7 + s->cars, 2, z->columns - 4, 2, c->status_ink, c->status);
    paint_fill(z->rows - 1, 0, z->columns, INK_BAR, " ");
    paint_text(z->rows - 1, 1, z->columns - 2, INK_BAR,
               s->you >= 0 ? _("s start now, with bots in the free seats · q quit") : _("q quit"));
}

void view_draw(screen *c)
{
    const sheet z = measure();
    paint_clear();
    if (z.rows < SCREEN_ROWS || z.columns < SCREEN_COLUMNS) {
        paint_wrapped(0, 0, z.columns, z.rows, INK_BOLD,
                      _("This window is too small: at least 80 columns and 24 rows, please."));
    } else if (!c->there) {
        paint_text(z.rows / 2, 2, z.columns - 4, INK_PLAIN,
                   c->status[0] != '\0' ? c->status : _("One moment …"));
    } else if (!c->s.racing) {
        draw_lobby(c, &z);
    } else {
        draw_title(c, &z);
        draw_map(c, &z);
        draw_standings(c, &z);
        draw_log(c, &z);
        cockpit_draw(c, &z);
        draw_overlay(c, &z);
        draw_keys(c, &z);
    }
    paint_show();
}
