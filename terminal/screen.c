/* Takes the link's messages, shows what happened one after the other, and turns keys into acts. */
#include "terminal/screen.h"

#include "terminal/terminal.h"
#include "terminal/wait.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SPACE_MS = 35,  /* a car takes for a space */
    PAUSE_MS = 300, /* for something to be read */
    BEHIND_AT = 60, /* messages: what happened while we were away is told, not played */
    REPLAY_MS = 250
};

/* ---- Small things ------------------------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static void set_status(screen *c, int how, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(c->status, sizeof c->status, format, arguments);
    va_end(arguments);
    c->status_ink = how;
    c->retiring = false; /* what it takes is not said any more */
}

static void add_log(void *self, const char *sentence, int car)
{
    screen *c = self;
    const int i = c->in_log++ % LOG_LINES;
    snprintf(c->log[i], TELL, "%s", sentence);
    c->log_car[i] = car;
}

static bool several(const screen *c)
{
    const uint8_t people = c->link->people;
    return (people & (people - 1)) != 0;
}

bool screen_curtain(const screen *c)
{
    return several(c) && c->s.you >= 0 && c->eyes != c->s.you && c->s.phase == TABLE_RACING;
}

/* The race waits for whoever looks. */
static bool awaited(const screen *c)
{
    return c->s.you >= 0 && (c->s.awaited >> c->s.you & 1);
}

bool screen_hides(const screen *c)
{
    const bool decides = (awaited(c) || (c->s.you >= 0 && c->wanted == c->s.you)) && !c->d.sent;
    return screen_curtain(c) || (several(c) && !decides);
}

static void say(screen *c, const char *line)
{
    c->link->say(c->link, line);
}

static void act(screen *c, const char *text)
{
    char line[HP_ACT_TEXT + 32];
    if (c->d.sent)
        return;
    snprintf(line, sizeof line, "act %lld %s", (long long)c->s.n, text);
    c->d.sent = true;
    c->wanted = -1;
    c->status[0] = '\0';
    say(c, line);
}

/* ---- What acts lead to -------------------------------------------------------------------------- */

const json_t *screen_foresight(const screen *c, const char *text)
{
    const json_t *f = json_object_get(c->foreseen, text);
    return json_is_object(f) ? f : NULL;
}

static void foresee(screen *c, const char *text)
{
    char line[HP_ACT_TEXT + 16];
    if (json_object_get(c->foreseen, text) != NULL)
        return;
    json_object_set_new(c->foreseen, text, json_null()); /* asked */
    snprintf(line, sizeof line, "foresee %s", text);
    say(c, line);
}

/* Asks for what is chosen now. */
static void foresee_chosen(screen *c)
{
    char text[HP_ACT_TEXT];
    if (c->there && c->d.step != HP_STEP_DISCARD && decide_act(&c->d, &c->s, text))
        foresee(c, text);
}

/* Somebody wants what is not possible: why is it not? */
static void explain(screen *c, const char *text)
{
    const json_t *f = screen_foresight(c, text);
    snprintf(c->why, sizeof c->why, "%s", text);
    if (f == NULL) {
        foresee(c, text);
        return;
    }
    c->why[0] = '\0';
    if (!json_is_true(json_object_get(f, "ok")))
        set_status(c, INK_BAD, "%s (%s)", tell_code(scene_text(f, "code")), scene_text(f, "rule"));
}

static void hear_foresight(screen *c, const json_t *m)
{
    const char *text = scene_text(m, "act");
    if (json_object_get(c->foreseen, text) == NULL)
        return; /* nobody has asked, or not any more */
    json_object_set(c->foreseen, text, (json_t *)(uintptr_t)m);
    if (strcmp(text, c->why) == 0)
        explain(c, text);
}

/* ---- Showing what happened ---------------------------------------------------------------------- */

/* A moment for the eyes, which any key ends. */
static void pause_for(screen *c, int ms)
{
    if (c->still || c->hurry || wait_stopped())
        return;
    view_draw(c);
    if (wait_for(-1, ms).key) {
        const int key = paint_key();
        if (key == 'q')
            c->end = QUITS;
        c->hurry = key != PAINT_RESIZE && key != KEY_NONE_YET;
    }
}

static void move_car(screen *c, int car, hp_place from, hp_place to)
{
    hp_place *at = &c->shown[car];
    *at = from;
    while (at->at != to.at && !c->hurry && !c->still) {
        at->at = (int16_t)(at->at + (to.at > at->at ? 1 : -1));
        pause_for(c, SPACE_MS);
    }
    *at = to;
}

static void show_event(screen *c, const json_t *e)
{
    const teller to = {add_log, c};
    const char *kind = scene_text(e, "e");
    const int car = scene_number(e, "car", 0, c->s.cars - 1, 0);
    const int before = c->in_log;
    tell_event(e, &c->s, &to);
    if (c->in_log > before &&
        (strcmp(kind, "reveal") == 0 || strcmp(kind, "spin") == 0 || strcmp(kind, "flip") == 0 ||
         strcmp(kind, "cluttered") == 0 || strcmp(kind, "boost") == 0)) {
        set_status(c, kind[0] == 's' ? INK_BAD : INK_PLAIN, "%s", c->log[before % LOG_LINES]);
        c->s.turn = car;
        if (strcmp(kind, "spin") == 0)
            move_car(c, car, c->shown[car], scene_place(e, "to"));
        pause_for(c, PAUSE_MS);
    } else if (strcmp(kind, "move") == 0) {
        move_car(c, car, scene_place(e, "from"), scene_place(e, "to"));
    }
}

static void show_entry(screen *c, const json_t *m)
{
    const teller to = {add_log, c};
    const json_t *events = json_object_get(m, "events");
    if (!c->there) { /* names come with the state */
        json_array_append(c->early, (json_t *)(uintptr_t)m);
        return;
    }
    tell_entry(m, &c->s, &to);
    for (size_t i = 0; i < json_array_size(events) && c->end == GOES_ON; i++)
        show_event(c, json_array_get(events, i));
}

/* ---- How things stand --------------------------------------------------------------------------- */

/* Of those who sit here, the next that the race waits for; -1: nobody. */
static int next_due(const screen *c)
{
    const uint8_t due = c->s.awaited & c->link->people;
    if (c->wanted >= 0)
        return c->wanted;
    if (c->s.you >= 0 && (due >> c->s.you & 1))
        return c->s.you;
    for (int i = 0; i < c->s.cars; i++)
        if ((due >> i & 1) && !c->s.car[i].away)
            return i;
    return -1;
}

static bool goes_by_itself(const screen *c)
{
    return c->s.acts == 1 && c->s.may != HP_STEP_PLAN && c->s.may != HP_STEP_WAIT && awaited(c);
}

/* What happened before we came is told, and not played. */
static void tell_early(screen *c)
{
    const teller to = {add_log, c};
    for (size_t i = 0; i < json_array_size(c->early); i++) {
        const json_t *m = json_array_get(c->early, i), *events = json_object_get(m, "events");
        tell_entry(m, &c->s, &to);
        for (size_t k = 0; k < json_array_size(events); k++)
            tell_event(json_array_get(events, k), &c->s, &to);
    }
    json_array_clear(c->early);
}

static void take_state(screen *c, const json_t *m)
{
    const bool was_over = c->there && c->s.phase == TABLE_OVER;
    if (!scene_read(m, &c->s))
        return;
    c->there = true;
    tell_early(c);
    for (int i = 0; i < c->s.cars; i++)
        c->shown[i] = (hp_place){(int16_t)c->s.car[i].at, (int16_t)c->s.car[i].spot};
    const uint32_t before = c->d.mark;
    decide_update(&c->d, &c->s);
    if (c->d.mark != before) {
        json_object_clear(c->foreseen);
        c->over = c->over == OVER_RESULT ? c->over : OVER_NOTHING;
        c->hinting = c->retiring = false;
    }
    if (c->s.phase == TABLE_OVER && !was_over && !c->link->replay)
        c->over = OVER_RESULT;
    if (c->again && c->s.rematch[0] != '\0')
        c->end = AGAIN;
    if (c->s.step != HP_STEP_PLAN)
        c->wanted = -1;
    const int due = several(c) ? next_due(c) : c->s.you;
    if (due >= 0 && due != c->s.you)
        c->link->look(c->link, due);
    else if (c->s.you >= 0 && goes_by_itself(c))
        act(c, c->s.act[0]);
}

static void take_hint(screen *c, const json_t *m)
{
    const json_t *best = json_array_get(json_object_get(m, "acts"), 0);
    const bool past = strcmp(scene_text(m, "code"), "past") == 0 || (best != NULL && !c->hinting);
    if (c->hinting)
        c->status[0] = '\0'; /* the champion is not thinking any more */
    c->hinting = c->retiring = false;
    if (past)
        return;
    json_decref(c->hint);
    c->hint = json_incref((json_t *)(uintptr_t)m);
    c->over = OVER_HINT;
    if (best != NULL && decide_has(&c->s, scene_text(best, "act")))
        decide_take(&c->d, &c->s, scene_text(best, "act"));
}

static void take_status(screen *c, const json_t *m)
{
    const char *word = scene_text(m, "word");
    if (strcmp(word, "lost") == 0 && !c->lost)
        set_status(c, INK_BAD, "%s", _("The connection is lost; trying again …"));
    if (strcmp(word, "open") == 0 && c->lost)
        set_status(c, INK_GOOD, "%s", _("Connected again."));
    if (strcmp(word, "ends") == 0) {
        c->paused = true;
        set_status(c, INK_WARN, "%s", _("The file ends here; the race was not over."));
    }
    c->lost = strcmp(word, "lost") == 0;
    c->d.sent = false;
    json_object_clear(c->foreseen); /* answers may be lost with the connection */
    if (strcmp(word, "gone") == 0) {
        c->gone = true;
        c->end = QUITS;
    }
}

static void take_error(screen *c, const json_t *m)
{
    const char *code = scene_text(m, "code"), *rule = scene_text(m, "rule");
    c->d.sent = false;
    if (strcmp(code, "old") != 0)
        set_status(c, INK_BAD, rule[0] != '\0' ? "%s (%s)" : "%s", tell_code(code), rule);
}

static void take(screen *c, const json_t *m)
{
    const char *kind = scene_text(m, "m");
    if (strcmp(kind, "entry") == 0)
        show_entry(c, m);
    else if (strcmp(kind, "state") == 0)
        take_state(c, m);
    else if (strcmp(kind, "foresee") == 0)
        hear_foresight(c, m);
    else if (strcmp(kind, "hint") == 0)
        take_hint(c, m);
    else if (strcmp(kind, "status") == 0)
        take_status(c, m);
    else if (strcmp(kind, "error") == 0)
        take_error(c, m);
}

static void take_all(screen *c)
{
    int n = 0;
    for (const link_message *m = c->link->first; m != NULL; m = m->next)
        n++;
    c->hurry = n > BEHIND_AT;
    for (json_t *m; c->end == GOES_ON && !wait_stopped() && (m = link_next(c->link)) != NULL;) {
        take(c, m);
        json_decref(m);
        c->link->work(c->link);
    }
    c->hurry = false;
    foresee_chosen(c);
}

/* ---- Keys --------------------------------------------------------------------------------------- */

static void choose_gear(screen *c, int gear)
{
    char ask[HP_ACT_TEXT];
    if (gear < 1 || gear > HP_GEARS)
        return;
    c->status[0] = '\0';
    if (!decide_gear(&c->d, &c->s, gear, ask))
        explain(c, ask);
}

static void choose_card(screen *c, int card)
{
    char ask[HP_ACT_TEXT];
    c->status[0] = '\0';
    if (!decide_toggle(&c->d, &c->s, card, ask))
        explain(c, ask);
}

/* A card by its letter: the first that is not chosen yet; when all are, they are given back. */
static bool choose_letter(screen *c, int key)
{
    const char letter = (char)(key >= 'a' && key <= 'z' ? key - 'a' + 'A' : key);
    bool any = false;
    if (key < '0' || key > 'z' || strchr("012345S", letter) == NULL)
        return false;
    for (int i = 0; c->s.hand[i] != '\0'; i++) {
        if (c->s.hand[i] != letter)
            continue;
        any = true;
        if (!decide_is_chosen(&c->d, i)) {
            choose_card(c, i);
            return true;
        }
    }
    for (int i = 0; any && c->s.hand[i] != '\0'; i++)
        if (c->s.hand[i] == letter)
            choose_card(c, i);
    return true;
}

static void confirm(screen *c)
{
    char text[HP_ACT_TEXT];
    if (decide_act(&c->d, &c->s, text))
        act(c, text);
}

static void move_cursor(screen *c, int by, int n)
{
    if (n > 0)
        c->d.cursor = (c->d.cursor + by + n) % n;
}

/* For good: that takes two keys. */
static void offer_to_retire(screen *c)
{
    set_status(c, INK_WARN, "%s", _("r or Enter retires from the race; any other key does not."));
    c->retiring = true;
}

/* The key after it. */
static void key_retiring(screen *c, int key)
{
    c->retiring = false;
    c->status[0] = '\0';
    if ((key == 'r' || key == PAINT_ENTER) && decide_has(&c->s, "retire"))
        act(c, "retire");
}

static void key_plan(screen *c, int key)
{
    const int n = (int)strlen(c->s.hand);
    if (key == PAINT_UP || key == '+')
        choose_gear(c, c->d.gear + 1);
    else if (key == PAINT_DOWN || key == '-')
        choose_gear(c, c->d.gear - 1);
    else if (key == PAINT_LEFT || key == PAINT_RIGHT)
        move_cursor(c, key == PAINT_LEFT ? -1 : 1, n);
    else if (key == ' ')
        choose_card(c, c->d.cursor);
    else if (key == PAINT_BACKSPACE && c->d.in_chosen > 0)
        choose_card(c, c->d.chosen[c->d.in_chosen - 1]);
    else if (key == PAINT_ENTER)
        confirm(c);
    else if (key == 'u' && decide_has(&c->s, "unplan"))
        act(c, "unplan");
    else if (key == 'u')
        c->d.in_chosen = 0;
    else if (key == 'r' && decide_has(&c->s, "retire"))
        offer_to_retire(c);
    else
        choose_letter(c, key);
}

/* A letter of an act's own: b for boost, c for cool. */
static bool point_at(screen *c, int key)
{
    static const struct {
        int key;
        const char *begins;
    } letters[] = {
        {'b', "boost"}, {'c', "cool"}, {'a', "adrenaline move"}, {'x', "adrenaline cool"}, {'d', "done"},
        {'s', "slip"},  {'n', "stay"}};
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++)
        for (int k = c->s.acts - 1; letters[i].key == key && k >= 0; k--)
            if (strncmp(c->s.act[k], letters[i].begins, strlen(letters[i].begins)) == 0) {
                c->d.cursor = k;
                return true;
            }
    return false;
}

static void key_turn(screen *c, int key)
{
    if (key == PAINT_LEFT || key == PAINT_UP)
        move_cursor(c, -1, c->s.acts);
    else if (key == PAINT_RIGHT || key == PAINT_DOWN || key == PAINT_TAB)
        move_cursor(c, 1, c->s.acts);
    else if (key == PAINT_ENTER || key == ' ')
        confirm(c);
    else
        point_at(c, key);
}

static void key_discard(screen *c, int key)
{
    if (key == PAINT_LEFT || key == PAINT_RIGHT)
        move_cursor(c, key == PAINT_LEFT ? -1 : 1, (int)strlen(c->s.hand));
    else if (key == ' ')
        choose_card(c, c->d.cursor);
    else if (key == PAINT_ENTER)
        confirm(c);
    else if (key == 'u')
        c->d.in_chosen = 0;
    else
        choose_letter(c, key);
}

/* Elsewhere in a replay: what led there is told, and not played. */
static void jump(screen *c, const char *line, bool from_start)
{
    c->paused = true;
    c->there = false;
    c->status[0] = '\0';
    if (from_start)
        c->in_log = 0;
    say(c, line);
}

static void key_replay(screen *c, int key)
{
    if (key == ' ') {
        c->paused = !c->paused;
    } else if (key == PAINT_RIGHT) {
        c->paused = true;
        say(c, "next");
    } else if (key == PAINT_LEFT) {
        jump(c, "back", true);
    } else if (key == PAINT_DOWN || key == PAINT_UP) {
        jump(c, key == PAINT_DOWN ? "round" : "round back", key == PAINT_UP);
    } else if (key == PAINT_END || key == PAINT_HOME) {
        jump(c, key == PAINT_END ? "end" : "begin", true);
    }
}

static void key_curtain(screen *c, int key)
{
    if (key == PAINT_ENTER) {
        c->eyes = c->s.you;
    } else if (key == 'u' && c->eyes >= 0 && c->s.step == HP_STEP_PLAN && c->s.car[c->eyes].planned) {
        c->wanted = c->eyes;
        c->eyes = -1; /* who has pressed this may be somebody else (R13.2) */
        c->link->look(c->link, c->wanted);
    }
}

static void key_phrases(screen *c, int key)
{
    static const char keys[] = "1234567890-=";
    const char *at = key > 0 && key < 128 ? strchr(keys, key) : NULL;
    char line[24];
    c->over = OVER_NOTHING;
    if (at == NULL)
        return;
    snprintf(line, sizeof line, "phrase %d", (int)(at - keys) + 1);
    say(c, line);
}

/* Somebody else whom all have been waiting for: a bot may drive instead. */
int screen_late(const screen *c)
{
    enum { PATIENCE_MS = 20000 };
    const int64_t now = link_now(c->link);
    for (int i = 0; c->link->remote && c->s.you >= 0 && i < c->s.cars; i++)
        if (i != c->s.you && (c->s.awaited >> i & 1) && c->s.car[i].kind == TABLE_PERSON &&
            !c->s.car[i].away && now - c->s.car[i].since > PATIENCE_MS)
            return i;
    return -1;
}

static void let_bot_drive(screen *c)
{
    char line[24];
    snprintf(line, sizeof line, "agree %d", screen_late(c));
    say(c, line);
}

/* At this terminal a new race begins at once; a server opens a table first. */
static void rematch_wanted(screen *c)
{
    c->again = true;
    if (!c->link->remote || c->s.rematch[0] != '\0')
        c->end = AGAIN;
    else
        say(c, "rematch");
}

/* Keys that mean the same at any time. */
static bool key_anywhere(screen *c, int key)
{
    if (key == 'q') {
        c->end = QUITS;
    } else if (key == '?') {
        c->over = OVER_HELP;
    } else if (key == 'h' && awaited(c)) {
        c->hinting = true;
        set_status(c, INK_PLAIN, "%s", _("The champion is thinking …"));
        c->link->hint(c->link);
    } else if (key == 'p' && c->s.you >= 0) {
        c->over = OVER_PHRASES;
    } else if (key == 'g' && screen_late(c) >= 0) {
        let_bot_drive(c);
    } else if (key == 'm' && c->s.phase == TABLE_OVER && c->link->people != 0) {
        rematch_wanted(c);
    } else {
        return false;
    }
    return true;
}

static void key_race(screen *c, int key)
{
    if (!c->s.racing) {
        if (key == 's' && c->s.you >= 0)
            say(c, "start");
        else if (key == 'q')
            c->end = QUITS;
        return;
    }
    if (screen_curtain(c) && key != 'q') {
        key_curtain(c, key);
        return;
    }
    if (c->retiring && key != 'q') {
        key_retiring(c, key);
        return;
    }
    if (key_anywhere(c, key))
        return;
    if (c->s.you >= 0 && c->s.car[c->s.you].away && key == 'b') {
        say(c, "back");
        return;
    }
    switch ((hp_step)c->d.step) {
    case HP_STEP_PLAN:
        key_plan(c, key);
        break;
    case HP_STEP_REACT:
    case HP_STEP_SLIP:
        key_turn(c, key);
        break;
    case HP_STEP_DISCARD:
        key_discard(c, key);
        break;
    case HP_STEP_OVER:
    case HP_STEP_WAIT:
        break;
    }
}

static void take_key(screen *c, int key)
{
    if (key == PAINT_RESIZE)
        return; /* it is drawn anew anyway */
    if (!c->there) {
        c->end = key == 'q' ? QUITS : c->end;
    } else if (c->over == OVER_PHRASES) {
        key_phrases(c, key);
    } else if (c->over == OVER_HELP || c->over == OVER_HINT) {
        c->over = OVER_NOTHING; /* any key; the one that everybody presses does something, too */
        if (key == 'q')
            c->end = QUITS;
    } else if (c->link->replay && key != 'q' && key != '?') {
        key_replay(c, key);
    } else {
        key_race(c, key);
    }
}

/* ---- The loop ----------------------------------------------------------------------------------- */

static int patience(const screen *c)
{
    if (c->link->replay && !c->paused && c->s.phase != TABLE_OVER)
        return REPLAY_MS;
    return c->s.until > 0 || (c->link->remote && c->s.awaited != 0) ? 1000 : -1;
}

/* Keys up to one that leads to something; false when there was none. */
static bool take_keys(screen *c)
{
    bool any = false;
    for (int key; c->end == GOES_ON && !link_waiting(c->link) && (key = paint_key()) != KEY_NONE_YET;
         any = true) {
        take_key(c, key);
        foresee_chosen(c);
    }
    return any;
}

static void step(screen *c)
{
    take_all(c);
    if (c->end != GOES_ON || wait_stopped() || link_waiting(c->link))
        return;
    view_draw(c);
    if (take_keys(c)) /* which had been read already: waiting would not find them */
        return;
    const waited w = wait_for(c->link->wake, patience(c));
    if (w.link || w.key)
        c->link->work(c->link);
    const bool pressed = take_keys(c);
    if (c->link->replay && !c->paused && !pressed && c->s.phase != TABLE_OVER)
        say(c, "next");
}

static void close_screen(screen *c)
{
    json_decref(c->foreseen);
    json_decref(c->early);
    json_decref(c->hint);
    free(c);
}

screen_end screen_run(table_link *l, bool still, char rematch[ID_TEXT], bool *gone)
{
    screen *c = must_have(calloc(1, sizeof *c));
    c->link = l;
    c->still = still;
    c->eyes = c->wanted = -1;
    c->foreseen = must_have(json_object());
    c->early = must_have(json_array());
    while (c->end == GOES_ON && !wait_stopped())
        step(c);
    const screen_end end = wait_stopped() ? SCREEN_INTERRUPTED : c->end == AGAIN ? SCREEN_AGAIN : SCREEN_QUIT;
    snprintf(rematch, ID_TEXT, "%s", c->s.rematch);
    *gone = c->gone;
    close_screen(c);
    return end;
}
