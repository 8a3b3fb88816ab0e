/* The lower part of the screen: the road ahead, the own car, and whatever is to be decided. */
#include "terminal/view.h"

#include <stdio.h>
#include <string.h>

/* What is chosen now, and what it leads to. */
static const json_t *chosen_outcome(const screen *c)
{
    char act[HP_ACT_TEXT];
    if (screen_hides(c) || !decide_act(&c->d, &c->s, act))
        return NULL;
    const json_t *f = screen_foresight(c, act);
    return json_is_true(json_object_get(f, "ok")) ? f : NULL;
}

static bool moves(const screen *c)
{
    return c->d.step == HP_STEP_PLAN || c->d.step == HP_STEP_REACT || c->d.step == HP_STEP_SLIP;
}

/* Nothing marks where the car stands already. */
static bool stays(const screen *c, const json_t *f)
{
    const hp_place to = scene_place(f, "to"), now = c->shown[view_focus(&c->s)];
    return to.at == now.at && to.spot == now.spot && json_array_size(json_object_get(f, "odds")) == 0;
}

void view_landings(const screen *c, void (*mark)(void *self, hp_place to), void *self)
{
    const json_t *f = moves(c) ? chosen_outcome(c) : NULL;
    const json_t *odds = json_object_get(f, "odds");
    if (f == NULL || stays(c, f))
        return;
    for (size_t i = 0; i < json_array_size(odds); i++)
        mark(self, scene_place(json_array_get(odds, i), "to"));
    if (json_array_size(odds) == 0)
        mark(self, scene_place(f, "to"));
}

/* ---- The road ahead ----------------------------------------------------------------------------- */

enum { PER_SPACE = 3, BEHIND = 2 };

static int corner_after(const scene *s, int at)
{
    const int space = ((at % s->spaces) + s->spaces) % s->spaces;
    for (int i = 0; i < s->corners; i++)
        if (s->corner[i].after == space)
            return s->corner[i].limit;
    return 0;
}

static void draw_lane(const screen *c, const sheet *z, int row, int from, int spot)
{
    const scene *s = &c->s;
    for (int i = 0, x = 1; x + PER_SPACE <= z->columns - 1; i++, x += PER_SPACE) {
        const int at = from + i;
        const bool line = (at + 1) % s->spaces == 0;
        paint_text(row, x, 2, spot == 0 ? INK_PLAIN : INK_DIM,
                   spot == 0 ? paint_either("━━", "==") : paint_either("┄┄", ".."));
        if (corner_after(s, at) > 0)
            paint_text(row, x + 2, 1, INK_BAD, paint_either("┃", "]"));
        else if (line)
            paint_text(row, x + 2, 1, INK_BOLD, paint_either("▒", "|"));
        else
            paint_text(row, x + 2, 1, INK_DIM, paint_either(spot == 0 ? "━" : " ", spot == 0 ? "=" : " "));
        for (int car = 0; car < s->cars; car++) {
            const int apart = c->shown[car].at - at;
            if (s->car[car].status == HP_RACING && apart % s->spaces == 0 && c->shown[car].spot == spot)
                paint_format(row, x, 2, view_car_ink(s, car), "%d%s", car + 1, paint_either("›", ">"));
        }
    }
}

typedef struct {
    const sheet *z;
    int row, from;
} road_marks;

static void mark_road(void *self, hp_place to)
{
    const road_marks *m = self;
    const int x = 1 + (to.at - m->from) * PER_SPACE;
    if (x > 0 && x + 2 < m->z->columns)
        paint_text(m->row + to.spot, x, 2, INK_CHOSEN, paint_either("◎ ", "* "));
}

static void draw_road(const screen *c, const sheet *z)
{
    const scene *s = &c->s;
    const int who = view_focus(s), from = c->shown[who].at - BEHIND, y = z->cockpit + 1;
    for (int i = 0, x = 1; x + PER_SPACE <= z->columns - 1; i++, x += PER_SPACE) {
        const int limit = corner_after(s, from + i);
        if (limit > 0)
            paint_format(y, x + 1, MAP_SIGN, INK_SIGN, "%2d ", limit);
        else if (i > BEHIND && (i - BEHIND) % 5 == 0 && corner_after(s, from + i - 1) == 0)
            paint_format(y, x, 3, INK_DIM, "+%d", i - BEHIND);
    }
    draw_lane(c, z, y + 1, from, 0);
    draw_lane(c, z, y + 2, from, 1);
    road_marks marks = {z, y + 1, from};
    view_landings(c, mark_road, &marks);
}

/* ---- The cockpit -------------------------------------------------------------------------------- */

/* As many of these as there is room for. */
static void draw_piles(const scene_car *car, int row, int x, int width)
{
    char fact[3][TELL];
    snprintf(fact[0], TELL, "%s %d", _("Draw pile"), car->draw);
    if (car->top != '\0')
        snprintf(fact[1], TELL, " · %s %d (%c)", _("Discard pile"), car->discard, car->top);
    else
        snprintf(fact[1], TELL, " · %s %d", _("Discard pile"), car->discard);
    snprintf(fact[2], TELL, " · %s %d", _("Stress"), car->stress);
    for (int i = 0; i < 3 && x + paint_width(fact[i]) <= width; i++)
        x += paint_text(row, x, width - x, INK_DIM, fact[i]);
}

static void draw_gauges(const screen *c, int row, int width)
{
    const scene *s = &c->s;
    const scene_car *car = &s->car[view_focus(s)];
    const bool plans = c->d.step == HP_STEP_PLAN && !screen_hides(c);
    int x = 1;
    x += paint_format(row, x, width, INK_PLAIN, "%s ", _("Gear"));
    for (int gear = 1; gear <= HP_GEARS; gear++) {
        const bool now = plans ? gear == c->d.gear : gear == car->gear;
        const bool possible = !plans || decide_gear_possible(s, gear);
        x += paint_format(row, x, width - x,
                          now        ? INK_CHOSEN
                          : possible ? INK_PLAIN
                                     : INK_DIM,
                          now ? "[%d]" : " %d ", gear);
    }
    x += 2;
    x += paint_format(row, x, width - x, INK_PLAIN, "%s ", _("Engine"));
    for (int i = 0; i < car->engine; i++)
        x += paint_text(row, x, width - x, INK_HEAT, paint_either("♦", "#"));
    x += paint_format(row, x, width - x, INK_HEAT, " %d", car->engine);
    if (s->turn == view_focus(s) && s->speed > 0)
        x += paint_format(row, x + 2, width - x, INK_BOLD, "%s %d", _("Speed"), s->speed) + 2;
    draw_piles(car, row, x + 2, width);
}

static bool cards_chosen(const screen *c)
{
    return c->d.step == HP_STEP_PLAN || c->d.step == HP_STEP_DISCARD;
}

static void draw_hand(const screen *c, int row, int width)
{
    const scene *s = &c->s;
    int x = 1;
    if (s->you < 0 || screen_hides(c))
        return;
    x += paint_format(row, x, width, INK_PLAIN, "%s ", _("Hand"));
    for (int i = 0; s->hand[i] != '\0'; i++) {
        const bool chosen = cards_chosen(c) && decide_is_chosen(&c->d, i);
        const bool here = cards_chosen(c) && c->d.cursor == i;
        const bool fits = !cards_chosen(c) || chosen || decide_fits(&c->d, s, i);
        paint_text(row, x, 1, INK_BOLD, here ? paint_either("▸", ">") : " ");
        paint_format(row, x + 1, 3,
                     chosen ? INK_CHOSEN
                     : fits ? INK_CARD
                            : INK_DIM,
                     chosen ? "*%c*" : " %c ", s->hand[i]);
        paint_text(row, x + 4, 1, INK_BOLD, here ? paint_either("◂", "<") : " ");
        x += 6;
    }
    if (s->plan[0] != '\0')
        paint_text(row, x + 1, width - x - 1, INK_GOOD, _("Planned."));
}

/* The acts of a turn as buttons; the row behind them. */
static int draw_acts(const screen *c, int row, int width)
{
    int x = 1;
    for (int i = 0; i < c->s.acts; i++) {
        char text[TELL];
        tell_act(c->s.act[i], text, sizeof text);
        const int wide = paint_width(text) + 2;
        if (x + wide > width && x > 1) {
            x = 1;
            row++;
        }
        paint_format(row, x, width - x, i == c->d.cursor ? INK_CHOSEN : INK_CARD, "%s%s%s",
                     i == c->d.cursor ? ">" : " ", text, i == c->d.cursor ? "<" : " ");
        x += wide + 1;
    }
    return row + 1;
}

/* A warning comes first: what there is no room for is not what one would regret most. */
static void draw_outcome(const screen *c, int row, int rows, int width)
{
    static const int order[2][OUTCOME_LINES] = {{0, 1, 2}, {2, 0, 1}};
    const json_t *f = chosen_outcome(c);
    outcome o;
    if (f == NULL)
        return;
    tell_outcome(f, &c->s, &o);
    for (int i = 0; i < OUTCOME_LINES && rows > 0; i++) {
        const int line = order[o.bad][i];
        if (o.line[line][0] == '\0')
            continue;
        const int used = paint_wrapped(row, 1, width - 2, rows,
                                       line == 2 && o.bad ? INK_BAD
                                       : line == 0        ? INK_BOLD
                                                          : INK_PLAIN,
                                       o.line[line]);
        row += used;
        rows -= used;
    }
}

static void draw_plan(const screen *c, int row, int rows, int width)
{
    char act[HP_ACT_TEXT];
    if (decide_act(&c->d, &c->s, act)) {
        draw_outcome(c, row, rows, width);
        return;
    }
    const int missing = c->d.gear - c->d.in_chosen;
    if (missing > 0)
        paint_format(row, 1, width - 2, INK_PLAIN,
                     n_("Choose %d more card.", "Choose %d more cards.", (unsigned long)missing), missing);
    if (decide_has(&c->s, "retire"))
        paint_text(row + 1, 1, width - 2, INK_DIM, _("r retires: a car has finished already."));
}

static void draw_discard(const screen *c, int row, int rows, int width)
{
    char text[TELL], digit[2] = "";
    const int n = c->d.in_chosen;
    if (n == 0)
        snprintf(text, sizeof text, "%s", _("Enter keeps all cards."));
    else
        snprintf(text, sizeof text,
                 n_("Enter discards %d card.", "Enter discards %d cards.", (unsigned long)n), n);
    paint_text(row, 1, width - 2, INK_BOLD, text);
    paint_text(row + 1, 1, width - 2, INK_PLAIN, _("Then you draw back up to seven cards."));
    if (n > 1 && rows > 2) {
        digit[0] = c->s.hand[c->d.chosen[n - 1]];
        paint_format(row + 2, 1, width - 2, INK_DIM, _("%s will lie on top, for all to see."), digit);
    }
}

static void draw_decision(const screen *c, int row, int rows, int width)
{
    char text[TELL];
    switch (screen_hides(c) ? HP_STEP_WAIT : (hp_step)c->d.step) {
    case HP_STEP_PLAN:
        draw_plan(c, row, rows, width);
        break;
    case HP_STEP_REACT:
    case HP_STEP_SLIP: {
        const int next = draw_acts(c, row, width);
        draw_outcome(c, next, rows - (next - row), width);
        break;
    }
    case HP_STEP_DISCARD:
        draw_discard(c, row, rows, width);
        break;
    case HP_STEP_OVER:
    case HP_STEP_WAIT:
        tell_waiting(&c->s, text, sizeof text);
        row += paint_wrapped(row, 1, width - 2, rows, INK_DIM, text);
        if (screen_late(c) >= 0)
            paint_format(row, 1, width - 2, INK_WARN,
                         _("%s has not decided for a while; g lets a bot drive."),
                         c->s.car[screen_late(c)].name);
        break;
    }
}

static void draw_curtain(const screen *c, const sheet *z)
{
    const char *name = c->s.car[c->s.you].name;
    const int row = z->cockpit + 4;
    paint_format(row, 1, z->columns - 2, INK_WARN, _("%s takes over"), name);
    paint_text(row + 1, 1, z->columns - 2, INK_PLAIN, _("Hand the screen over. Nobody else should look."));
    paint_format(row + 2, 1, z->columns - 2, INK_BOLD, _("Enter: I am %s, show my hand"), name);
    if (c->eyes >= 0 && c->s.step == HP_STEP_PLAN && c->s.car[c->eyes].planned)
        paint_format(row + 3, 1, z->columns - 2, INK_DIM, _("u: back to %s"), c->s.car[c->eyes].name);
}

/* Whether a status is told below the hand, because it is too long for one line. Buttons leave no room for that. */
static bool status_below(const screen *c, const sheet *z)
{
    return paint_width(c->status) + 2 > z->columns - 2 && c->d.step != HP_STEP_REACT &&
           c->d.step != HP_STEP_SLIP;
}

/* Between map and cockpit: the step on the left, what has just happened on the right. Where there is no room for
 * both, what has happened is told. */
static void draw_line(const screen *c, const sheet *z)
{
    const bool decides = c->d.step != HP_STEP_WAIT && !screen_hides(c);
    const char *title = decides ? tell_title((hp_step)c->d.step) : "";
    const bool told = c->status[0] != '\0' && !status_below(c, z);
    const int room = z->columns - 2, all = paint_width(c->status) + 2, wide = all < room ? all : room;
    paint_fill(z->cockpit, 0, z->columns, INK_DIM, paint_either("─", "-"));
    if (decides && (!told || paint_width(title) + 2 + 1 + wide <= room))
        paint_format(z->cockpit, 1, room, INK_WARN, " %s ", title);
    if (told)
        paint_format(z->cockpit, z->columns - wide - 1, wide, c->status_ink, " %s ", c->status);
}

void cockpit_draw(const screen *c, const sheet *z)
{
    int row = z->cockpit + 6;
    draw_line(c, z);
    draw_road(c, z);
    if (screen_curtain(c)) {
        draw_curtain(c, z);
        return;
    }
    if (c->s.phase != TABLE_OVER) {
        draw_gauges(c, z->cockpit + 4, z->columns - 1);
        draw_hand(c, z->cockpit + 5, z->columns - 1);
    }
    if (status_below(c, z))
        row += paint_wrapped(row, 1, z->columns - 2, z->rows - 1 - row, c->status_ink, c->status);
    draw_decision(c, row, z->rows - 1 - row, z->columns);
}
