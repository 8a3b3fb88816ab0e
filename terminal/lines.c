/* Line mode: everything that happens is a sentence, everything that can be said is a line. For pipes, scripts, and
 * people who listen to their terminal. Lines are only read when somebody is asked, so that a script may send them
 * all at once; from a keyboard they are read at any time. */
#define _DEFAULT_SOURCE
#include "terminal/terminal.h"

#include "terminal/decide.h"
#include "terminal/kept.h"
#include "terminal/paint.h"
#include "terminal/tell.h"
#include "terminal/wait.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TYPED = 512, FEW = 12 /* acts whose outcomes are told without being asked for */ };

/* ---- Lines in and out --------------------------------------------------------------------------- */

/* What was read and not taken yet; there is one standard input. */
static struct {
    char text[2 * TYPED];
    size_t length;
    bool ended;
} input;

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
    char text[2048], plain[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    paint_plain(text, plain, sizeof plain);
    puts(plain);
}

static bool keyboard(void)
{
    return isatty(STDIN_FILENO);
}

/* A whole line without its end, if there is one. A longer one is cut. */
static bool take_line(char line[TYPED])
{
    char *end = memchr(input.text, '\n', input.length);
    const bool full = input.length == sizeof input.text;
    if (end == NULL && !full && !(input.ended && input.length > 0))
        return false;
    const size_t length = end != NULL ? (size_t)(end - input.text) : input.length;
    size_t n = length < TYPED - 1 ? length : TYPED - 1;
    memcpy(line, input.text, n);
    while (n > 0 && (line[n - 1] == '\r' || line[n - 1] == ' '))
        n--;
    line[n] = '\0';
    const size_t taken = length + (end != NULL);
    memmove(input.text, input.text + taken, input.length - taken);
    input.length -= taken;
    return true;
}

static void read_more(void)
{
    const ssize_t n = read(STDIN_FILENO, input.text + input.length, sizeof input.text - input.length);
    if (n > 0)
        input.length += (size_t)n;
    else if (n == 0 || errno != EINTR)
        input.ended = true;
}

/* Waits for a line; false at the end of the input, or when the program is to end. */
static bool ask_line(char line[TYPED])
{
    fflush(stdout);
    while (!take_line(line)) {
        if (input.ended || wait_stopped())
            return false;
        if (wait_for(-1, -1).key)
            read_more();
    }
    return true;
}

/* ---- The menu ----------------------------------------------------------------------------------- */

/* Asks until the answer is good; an empty line leaves things as they are. */
static bool ask(const char *question, const char *now, bool (*take)(wish *w, const char *answer), wish *w)
{
    char line[TYPED];
    for (;;) {
        put("%s [%s]", question, now);
        if (!ask_line(line))
            return false;
        if (line[0] == '\0' || take(w, line))
            return true;
        put(_("“%s” cannot be chosen here."), line);
    }
}

static bool take_circuit(wish *w, const char *answer)
{
    hp_circuit circuit;
    if (!hp_circuit_named(answer, &circuit))
        return false;
    w->circuit = circuit;
    return true;
}

static bool take_laps(wish *w, const char *answer)
{
    if (answer[0] < '1' || answer[0] > '9' || answer[1] != '\0')
        return false;
    w->laps = answer[0] - '0';
    return true;
}

static bool take_opponents(wish *w, const char *answer)
{
    table_level level[HP_CARS_MAX];
    int n = 0;
    for (const char *at = strcmp(answer, "none") == 0 ? "" : answer; *at != '\0'; at += *at == ',') {
        const size_t length = strcspn(at, ",");
        if (n + w->people >= HP_CARS_MAX || !table_level_named(at, length, &level[n++]))
            return false;
        at += length;
    }
    memcpy(w->level, level, sizeof level);
    w->opponents = n;
    return true;
}

static bool take_name(wish *w, const char *answer)
{
    if (!table_name_valid(answer, strlen(answer)))
        return false;
    snprintf(w->name[0], sizeof w->name[0], "%.*s", HP_NAME_MAX, answer);
    return true;
}

/* True when the newest kept race is to go on, or when the answers have ended. */
static bool offer_kept(char path[], size_t size, bool *ended)
{
    char(*paths)[KEPT_PATH] = must_have(malloc(sizeof(char[KEPT_MAX][KEPT_PATH])));
    char line[TYPED];
    const bool any = kept_list(paths) > 0;
    if (any)
        snprintf(path, size, "%s", paths[0]);
    free(paths);
    while (any) {
        put(_("A race was kept: %s. Go on with it? yes or no [yes]"), path);
        *ended = !ask_line(line);
        if (*ended || line[0] == '\0' || strcmp(line, "yes") == 0)
            return true;
        if (strcmp(line, "no") == 0)
            return false;
        put(_("“%s” cannot be chosen here."), line);
    }
    return false;
}

menu_choice lines_menu(wish *w, char path[], size_t size)
{
    char circuits[256] = "", laps[8], levels[128] = "";
    bool ended = false;
    if (offer_kept(path, size, &ended))
        return ended ? MENU_QUIT : MENU_GO_ON;
    for (int i = 0; i < hp_circuits(); i++) {
        hp_circuit each;
        hp_circuit_at(i, &each);
        const size_t at = strlen(circuits);
        snprintf(circuits + at, sizeof circuits - at, "%s%s", i > 0 ? ", " : "", each.name);
    }
    put(_("Circuits: %s. Opponents: rookie, driver, champion."), circuits);
    for (int i = 0; i < w->opponents; i++) {
        const size_t at = strlen(levels);
        snprintf(levels + at, sizeof levels - at, "%s%s", i > 0 ? "," : "", table_level_word(w->level[i]));
    }
    snprintf(laps, sizeof laps, "%d", w->laps);
    const bool good = ask(_("Circuit"), w->circuit.name, take_circuit, w) &&
                      ask(_("Laps"), laps, take_laps, w) && ask(_("Opponents"), levels, take_opponents, w) &&
                      ask(_("Name"), w->name[0], take_name, w);
    return good ? MENU_RACE : MENU_QUIT;
}

/* ---- The race ----------------------------------------------------------------------------------- */

typedef struct {
    table_link *link;
    scene s;
    bool there;
    json_t *early;    /* entries before the first state */
    json_t *foreseen; /* by act */
    int unanswered;   /* of those */
    bool told;        /* this decision has been put into words */
    decision d;       /* only to know whether it is a new one */
    char tried[HP_ACT_TEXT];
    int eyes;
    bool prompted;
    bool hinting; /* a hint is on its way */
    bool sent;    /* and so is the answer to an act */
    bool lost, gone, again;
    bool over;
} talk;

static void tell_line(void *self, const char *sentence, int car)
{
    (void)self, (void)car;
    put("%s", sentence);
}

static const teller to_lines = {tell_line, NULL};

static void say(talk *t, const char *line)
{
    t->link->say(t->link, line);
}

static bool several(const talk *t)
{
    return (t->link->people & (t->link->people - 1)) != 0;
}

/* Whether the race waits for somebody here. */
static bool asked(const talk *t)
{
    return t->there && t->s.you >= 0 && t->s.acts > 0 && (t->s.awaited >> t->s.you & 1) && !t->over;
}

static bool curtain(const talk *t)
{
    return several(t) && t->eyes != t->s.you;
}

/* Nobody is asked anything, but some words are for such times: before the race, or while a bot drives. */
static bool idle(const talk *t)
{
    return t->there && t->s.you >= 0 &&
           (t->s.phase == TABLE_GATHERING || (t->s.phase == TABLE_RACING && t->s.car[t->s.you].away));
}

/* ---- Telling ------------------------------------------------------------------------------------ */

static void tell_standings(const talk *t)
{
    const scene *s = &t->s;
    char place[TELL];
    for (int i = 0; i < s->cars; i++) {
        const int car = s->standings[i];
        const scene_car *each = &s->car[car];
        tell_place((hp_place){(int16_t)each->at, (int16_t)each->spot}, s, place, sizeof place);
        if (each->status == HP_RACING)
            put(_("%d. %s (car %d): %s, gear %d, %d Heat"), i + 1, each->name, car + 1, place, each->gear,
                each->engine);
        else
            put("%d. %s%s%s", i + 1, each->name, each->status == HP_RETIRED ? ", " : "",
                each->status == HP_RETIRED ? _("retired") : "");
    }
}

static void tell_next_corner(const scene *s, int at)
{
    const int space = ((at % s->spaces) + s->spaces) % s->spaces;
    int best = s->spaces, limit = 0;
    for (int i = 0; i < s->corners; i++) {
        const int apart = ((s->corner[i].after - space) % s->spaces + s->spaces) % s->spaces;
        if (apart < best) {
            best = apart;
            limit = s->corner[i].limit;
        }
    }
    if (at + best >= s->laps * s->spaces) /* R8.3 */
        put("%s", _("There is no corner left before the finish line."));
    else if (limit > 0)
        put(n_("The next corner has a limit of %d; %d space is left before its line.",
               "The next corner has a limit of %d; %d spaces are left before its line.", (unsigned long)best),
            limit, best);
}

static void tell_hand(const scene *s)
{
    char cards[64] = "";
    for (size_t i = 0; s->hand[i] != '\0'; i++) {
        cards[2 * i] = ' ';
        cards[2 * i + 1] = s->hand[i];
    }
    put("%s:%s", _("Hand"), cards);
}

static void tell_foresight(const talk *t, const char *act, const json_t *f)
{
    outcome o;
    char text[4 * TELL] = "";
    tell_outcome(f, &t->s, &o);
    for (int i = 0; i < OUTCOME_LINES; i++)
        if (o.line[i][0] != '\0') {
            const size_t at = strlen(text);
            snprintf(text + at, sizeof text - at, "%s%s", at > 0 ? " · " : "", o.line[i]);
        }
    put("  %s: %s", act, text);
}

static void tell_acts(const talk *t)
{
    for (int i = 0; i < t->s.acts; i++) {
        const json_t *f = json_object_get(t->foreseen, t->s.act[i]);
        if (json_is_true(json_object_get(f, "ok")))
            tell_foresight(t, t->s.act[i], f);
        else
            put("  %s", t->s.act[i]);
    }
}

static void tell_decision(talk *t)
{
    const scene *s = &t->s;
    const scene_car *car = &s->car[s->you];
    char place[TELL];
    tell_place((hp_place){(int16_t)car->at, (int16_t)car->spot}, s, place, sizeof place);
    t->told = true;
    if (s->may == HP_STEP_PLAN || s->turn != s->you)
        put(_("%s, %s: %s, gear %d, %d Heat in the engine."), tell_title((hp_step)s->may), car->name, place,
            car->gear, car->engine);
    else
        put(_("%s, %s: %s, speed %d, gear %d, %d Heat in the engine."), tell_title((hp_step)s->may),
            car->name, place, s->speed, car->gear, car->engine);
    tell_hand(s);
    if (s->may == HP_STEP_PLAN)
        tell_next_corner(s, car->at);
    if (s->may == HP_STEP_REACT || s->may == HP_STEP_SLIP)
        tell_acts(t);
}

static void tell_curtain(const talk *t)
{
    put(_("%s takes over. Nobody else should look. Enter shows the hand."), t->s.car[t->s.you].name);
    fflush(stdout);
}

static void tell_commands(const talk *t)
{
    const hp_step step = asked(t) ? (hp_step)t->s.may : HP_STEP_WAIT;
    put("%s (%s)", tell_help(step), tell_rule(step));
    put("%s",
        _("An act: plan GEAR CARDS, cool N, adrenaline cool, adrenaline move, boost, done, slip, stay,"));
    put("%s", _("  discard CARDS, keep, retire, unplan. Cards are 0 to 5, H and S: plan 3 1 4 4."));
    put("%s", _("acts: all that may be done now. try ACT: what it would lead to. hint: ask the champion."));
    put("%s", _("where: the standings. hand: your cards. say N: a phrase, 1 to 12. help, quit."));
}

/* ---- Deciding ----------------------------------------------------------------------------------- */

static void foresee(talk *t, const char *act)
{
    char line[HP_ACT_TEXT + 16];
    if (json_object_get(t->foreseen, act) != NULL)
        return;
    json_object_set_new(t->foreseen, act, json_null());
    t->unanswered++;
    snprintf(line, sizeof line, "foresee %s", act);
    say(t, line);
}

static void send_act(talk *t, const char *act)
{
    char line[TYPED + 32];
    snprintf(line, sizeof line, "act %lld %s", (long long)t->s.n, act);
    t->sent = true;
    say(t, line);
}

/* A new decision: where there are few acts, all are looked at before anybody is asked. */
static void prepare(talk *t)
{
    const uint32_t before = t->d.mark;
    decide_update(&t->d, &t->s);
    if (t->d.mark == before && t->told)
        return;
    t->told = false;
    t->unanswered = 0;
    json_object_clear(t->foreseen);
    if (!asked(t))
        return;
    if (t->s.acts == 1 && t->s.may != HP_STEP_PLAN) {
        send_act(t, t->s.act[0]);
        return;
    }
    const bool turn = t->s.may == HP_STEP_REACT || t->s.may == HP_STEP_SLIP;
    for (int i = 0; turn && i < t->s.acts && t->s.acts <= FEW; i++)
        foresee(t, t->s.act[i]);
}

/* A word that only line mode has; false when the line is none of those. */
static bool command(talk *t, const char *line)
{
    char out[32];
    if (strcmp(line, "quit") == 0 || strcmp(line, "q") == 0) {
        t->over = true;
    } else if (strcmp(line, "help") == 0 || strcmp(line, "?") == 0) {
        tell_commands(t);
    } else if (strcmp(line, "where") == 0) {
        tell_standings(t);
    } else if (strcmp(line, "hand") == 0 && t->s.you >= 0) {
        tell_hand(&t->s);
    } else if (strcmp(line, "acts") == 0) {
        tell_acts(t);
    } else if (strcmp(line, "hint") == 0) {
        t->hinting = asked(t);
        t->link->hint(t->link);
    } else if (strncmp(line, "say ", 4) == 0 && strlen(line) < 8) {
        snprintf(out, sizeof out, "phrase %.3s", line + 4);
        say(t, out);
    } else if (strcmp(line, "start") == 0 || strcmp(line, "back") == 0) {
        say(t, line);
        t->sent = idle(t);
    } else if (strncmp(line, "agree ", 6) == 0 && line[6] >= '1' && line[6] <= '6' && line[7] == '\0') {
        snprintf(out, sizeof out, "agree %d", line[6] - '1'); /* people count cars from 1 */
        say(t, out);
    } else if (strcmp(line, "rematch") == 0 && t->s.phase == TABLE_OVER) {
        t->again = true;
        if (t->link->remote && t->s.rematch[0] == '\0')
            say(t, line);
        else
            t->over = true;
    } else {
        return false;
    }
    return true;
}

static void take_typed(talk *t, char *line)
{
    hp_act act;
    hp_fault fault;
    const bool tries = strncmp(line, "try ", 4) == 0;
    const char *text = tries ? line + 4 : strcmp(line, "u") == 0 ? "unplan" : line;
    const bool quits = strcmp(line, "quit") == 0 || strcmp(line, "q") == 0;
    if (asked(t) && curtain(t) && !quits) {
        if (line[0] == '\0')
            t->eyes = t->s.you;
        else
            tell_curtain(t);
        return;
    }
    if (line[0] == '\0' || command(t, line))
        return;
    if (hp_act_read(text, strlen(text), &act, &fault) != HP_TEXT_OK) {
        put(_("“%s” is not an act; “help” tells what can be said."), text);
    } else if (tries) {
        hp_act_write(act, t->tried, sizeof t->tried);
        json_object_del(t->foreseen, t->tried);
        foresee(t, t->tried);
    } else {
        send_act(t, text);
    }
}

/* ---- Messages ----------------------------------------------------------------------------------- */

static void tell_entry_of(const talk *t, const json_t *m)
{
    const json_t *events = json_object_get(m, "events");
    tell_entry(m, &t->s, &to_lines);
    for (size_t i = 0; i < json_array_size(events); i++)
        tell_event(json_array_get(events, i), &t->s, &to_lines);
}

static void take_first_state(talk *t)
{
    const scene *s = &t->s;
    put(n_("%s, %d lap.", "%s, %d laps.", (unsigned long)s->laps), _(t->link->circuit.title), s->laps);
    for (int i = 0; i < s->cars; i++)
        put(i == s->you ? _("Car %d: %s (you)") : _("Car %d: %s"), i + 1, s->car[i].name);
    if (t->link->people != 0)
        put("%s", _("“help” tells what can be said."));
    for (size_t i = 0; i < json_array_size(t->early); i++)
        tell_entry_of(t, json_array_get(t->early, i));
    json_array_clear(t->early);
}

static int next_due(const talk *t)
{
    const uint8_t due = t->s.awaited & t->link->people;
    if (t->s.you >= 0 && (due >> t->s.you & 1))
        return t->s.you;
    for (int i = 0; i < t->s.cars; i++)
        if ((due >> i & 1) && !t->s.car[i].away)
            return i;
    return t->s.you;
}

static void take_state(talk *t, const json_t *m)
{
    const bool was_over = t->there && t->s.phase == TABLE_OVER;
    const int was = t->there ? t->s.you : -1;
    if (!scene_read(m, &t->s))
        return;
    t->sent = false;
    if (!t->there) {
        t->there = true;
        take_first_state(t);
    }
    if (t->s.phase == TABLE_OVER && !was_over) {
        tell_standings(t);
        t->over = !keyboard() || t->link->people == 0;
    }
    if (t->again && t->s.rematch[0] != '\0')
        t->over = true;
    if (several(t) && next_due(t) != t->s.you && t->s.phase == TABLE_RACING) {
        t->link->look(t->link, next_due(t));
        return;
    }
    if (several(t) && was != t->s.you && asked(t) && curtain(t)) {
        if (isatty(STDOUT_FILENO))
            for (int i = 0; i < 60; i++)
                putchar('\n');
        tell_curtain(t);
    }
    prepare(t);
}

static void take_foresight(talk *t, const json_t *m)
{
    const char *act = scene_text(m, "act");
    if (!json_is_null(json_object_get(t->foreseen, act)))
        return; /* nobody has asked, or not any more */
    t->unanswered--;
    json_object_set(t->foreseen, act, (json_t *)(uintptr_t)m);
    if (strcmp(act, t->tried) != 0)
        return;
    t->tried[0] = '\0';
    if (json_is_true(json_object_get(m, "ok")))
        tell_foresight(t, act, m);
    else
        put("%s (%s)", tell_code(scene_text(m, "code")), scene_text(m, "rule"));
}

static void take_hint(talk *t, const json_t *m)
{
    t->hinting = false;
    const json_t *acts = json_object_get(m, "acts");
    char win[16];
    if (strcmp(scene_text(m, "code"), "past") == 0)
        return;
    if (json_array_size(acts) == 0)
        put("%s", _("In a race on a server there are no hints: they are for races at this terminal."));
    for (size_t i = 0; i < json_array_size(acts); i++) {
        const json_t *each = json_array_get(acts, i);
        tell_percent(scene_number(each, "win", 0, 1000, 0), win, sizeof win);
        put(_("  %s: wins %s"), scene_text(each, "act"), win);
    }
}

static void take_status(talk *t, const json_t *m)
{
    const char *word = scene_text(m, "word");
    if (strcmp(word, "lost") == 0 && !t->lost)
        put("%s", _("The connection is lost; trying again …"));
    if (strcmp(word, "open") == 0 && t->lost)
        put("%s", _("Connected again."));
    t->lost = strcmp(word, "lost") == 0;
    t->sent = t->sent && !t->lost; /* whether it came through, the next state tells */
    if (t->lost) {
        t->told = false; /* answers may be lost with the connection */
        t->unanswered = 0;
        t->tried[0] = '\0';
        json_object_clear(t->foreseen);
    }
    if (strcmp(word, "ends") == 0)
        put("%s", _("The file ends here; the race was not over."));
    t->gone = t->gone || strcmp(word, "gone") == 0;
    t->over = t->over || t->gone || strcmp(word, "ends") == 0;
}

static void take(talk *t, const json_t *m)
{
    const char *kind = scene_text(m, "m"), *rule = scene_text(m, "rule");
    if (strcmp(kind, "entry") == 0 && !t->there)
        json_array_append(t->early, (json_t *)(uintptr_t)m);
    else if (strcmp(kind, "entry") == 0)
        tell_entry_of(t, m);
    else if (strcmp(kind, "state") == 0)
        take_state(t, m);
    else if (strcmp(kind, "foresee") == 0)
        take_foresight(t, m);
    else if (strcmp(kind, "hint") == 0)
        take_hint(t, m);
    else if (strcmp(kind, "status") == 0)
        take_status(t, m);
    else if (strcmp(kind, "error") == 0) {
        t->sent = false;
        t->over = t->over || (strcmp(scene_text(m, "code"), "not_kept") == 0 && !keyboard());
        put(rule[0] != '\0' ? "%s (%s)" : "%s", tell_code(scene_text(m, "code")), rule);
    }
}

/* ---- The loop ----------------------------------------------------------------------------------- */

static void take_messages(talk *t)
{
    for (json_t *m; !t->over && (m = link_next(t->link)) != NULL; json_decref(m))
        take(t, m);
    if (t->link->replay && t->there && !t->over)
        say(t, "next");
}

/* Of a script that sends everything at once all other lines wait until they are asked for. */
static bool next_is_for_idle_times(void)
{
    static const char *const words[] = {"start\n", "back\n", "quit\n"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (input.length >= strlen(words[i]) && memcmp(input.text, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

/* Whether a line would be heard now. */
static bool listens(const talk *t)
{
    return keyboard() || (idle(t) && !t->sent && next_is_for_idle_times()) ||
           (asked(t) && (t->told || curtain(t)) && t->tried[0] == '\0' && !t->hinting && !t->sent);
}

static void prompt(talk *t)
{
    if (keyboard() && asked(t) && !t->prompted && !t->sent && !t->hinting && t->tried[0] == '\0')
        printf("> ");
    t->prompted = t->prompted || asked(t);
    fflush(stdout);
}

static void step(talk *t)
{
    char line[TYPED];
    take_messages(t);
    if (t->over || link_waiting(t->link))
        return;
    if (asked(t) && !t->told && !t->sent && t->unanswered == 0 && !curtain(t))
        tell_decision(t);
    prompt(t);
    if (listens(t) && take_line(line)) {
        t->prompted = false;
        t->link->work(t->link); /* which may have waited for somebody to come back */
        take_typed(t, line);
        return;
    }
    if (input.ended && listens(t)) {
        t->over = true; /* nobody is left who could answer */
        return;
    }
    const bool more = idle(t) && memchr(input.text, '\n', input.length) == NULL;
    const waited came = wait_for_either((listens(t) || more) && !input.ended, t->link->wake, -1);
    if (came.key)
        read_more();
    if (came.link)
        t->link->work(t->link);
}

screen_end lines_run(table_link *l, char rematch[ID_TEXT], bool *gone)
{
    talk *t = must_have(calloc(1, sizeof *t));
    t->link = l;
    t->eyes = -1;
    t->early = must_have(json_array());
    t->foreseen = must_have(json_object());
    while (!t->over && !wait_stopped() && !ferror(stdout)) /* else nobody listens */
        step(t);
    snprintf(rematch, ID_TEXT, "%s", t->s.rematch);
    *gone = t->gone;
    const screen_end end = wait_stopped() ? SCREEN_INTERRUPTED : t->again ? SCREEN_AGAIN : SCREEN_QUIT;
    json_decref(t->early);
    json_decref(t->foreseen);
    free(t);
    fflush(stdout);
    return end;
}
