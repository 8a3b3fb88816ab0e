#include "terminal/tell.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Appends to a text as far as there is room. */
__attribute__((format(printf, 3, 4))) static void add(char *text, size_t size, const char *format, ...)
{
    const size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

static void add_fact(char *text, size_t size, const char *fact)
{
    add(text, size, "%s%s", text[0] != '\0' ? " · " : "", fact);
}

static const char *card_name(char letter, char *digit)
{
    digit[0] = letter;
    digit[1] = '\0';
    return letter == 'H' ? _("Heat") : letter == 'S' ? _("Stress") : digit;
}

/* "3 · 4 · Heat" */
static void list_cards(const char *letters, char *text, size_t size)
{
    char digit[2];
    text[0] = '\0';
    for (; *letters != '\0'; letters++)
        add_fact(text, size, card_name(*letters, digit));
}

void tell_percent(int per_mille, char *text, size_t size)
{
    if (per_mille > 0 && per_mille < 10)
        snprintf(text, size, "< 1 %%");
    else
        snprintf(text, size, "%d %%", (per_mille + 5) / 10);
}

/* ---- What happened ------------------------------------------------------------------------------ */

__attribute__((format(printf, 3, 4))) static void say(const teller *to, int car, const char *format, ...)
{
    char text[TELL];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    to->line(to->self, text, car);
}

typedef struct {
    const json_t *e;
    const scene *s;
    const teller *to;
    int car;
    const char *name;
} telling;

static void tell_round(const telling *t)
{
    say(t->to, -1, _("Round %d"), scene_number(t->e, "n", 0, 65535, 0));
}

static void tell_shift(const telling *t)
{
    if (scene_number(t->e, "paid", 0, 9, 0) > 0)
        say(t->to, t->car, _("%s shifts to gear %d and pays 1 Heat"), t->name,
            scene_number(t->e, "to", 1, HP_GEARS, 1));
}

static void tell_reveal(const telling *t)
{
    char letters[12], cards[TELL];
    scene_cards(json_object_get(t->e, "cards"), letters, sizeof letters);
    list_cards(letters, cards, sizeof cards);
    say(t->to, t->car, _("%s plays %s"), t->name, cards);
}

static void tell_cluttered(const telling *t)
{
    say(t->to, t->car, _("%s has a cluttered hand and does not move"), t->name);
}

static void tell_flip(const telling *t)
{
    char digit[2];
    const char *card = card_name(scene_text(t->e, "card")[0], digit);
    if (json_is_true(json_object_get(t->e, "kept")))
        say(t->to, t->car, _("%s turns over %s"), t->name, card);
    else
        say(t->to, t->car, _("%s turns over %s, which does not count"), t->name, card);
}

static void tell_move(const telling *t)
{
    const char *why = scene_text(t->e, "why");
    const int n = scene_place(t->e, "to").at - scene_place(t->e, "from").at;
    const unsigned long count = n > 0 ? (unsigned long)n : 0;
    if (strcmp(why, "boost") == 0)
        say(t->to, t->car, n_("%s boosts %d space further", "%s boosts %d spaces further", count), t->name,
            n);
    else if (strcmp(why, "adrenaline") == 0)
        say(t->to, t->car, n_("%s moves %d space by adrenaline", "%s moves %d spaces by adrenaline", count),
            t->name, n);
    else if (strcmp(why, "slipstream") == 0)
        say(t->to, t->car,
            n_("%s is pulled along %d space by a slipstream", "%s is pulled along %d spaces by a slipstream",
               count),
            t->name, n);
    else
        say(t->to, t->car, n_("%s moves %d space at speed %d", "%s moves %d spaces at speed %d", count),
            t->name, n, scene_number(t->e, "speed", 0, 99, 0));
    if (n < scene_number(t->e, "spaces", 0, 99, 0))
        say(t->to, t->car, _("%s is blocked"), t->name);
}

static void tell_boost(const telling *t)
{
    say(t->to, t->car, _("%s pays 1 Heat for a boost"), t->name);
}

static void tell_cool(const telling *t)
{
    say(t->to, t->car, _("%s cools %d Heat"), t->name, scene_number(t->e, "n", 0, 99, 0));
}

static void tell_corner(const telling *t)
{
    const int limit = scene_number(t->e, "limit", 0, 99, 0), speed = scene_number(t->e, "speed", 0, 99, 0);
    if (speed > limit)
        say(t->to, t->car, _("%s takes the corner of %d at %d and pays %d Heat"), t->name, limit, speed,
            scene_number(t->e, "paid", 0, 99, 0));
}

static void tell_spin(const telling *t)
{
    const int n = scene_number(t->e, "stress", 0, 9, 0);
    say(t->to, t->car,
        n_("%s spins out and takes %d stress card", "%s spins out and takes %d stress cards",
           (unsigned long)n),
        t->name, n);
}

static void tell_discard(const telling *t)
{
    const int n = (int)json_array_size(json_object_get(t->e, "cards"));
    say(t->to, t->car, n_("%s discards %d card", "%s discards %d cards", (unsigned long)n), t->name, n);
}

static void tell_finish(const telling *t)
{
    say(t->to, t->car, _("%s finishes: place %d"), t->name, scene_number(t->e, "place", 1, HP_CARS_MAX, 1));
}

static void tell_retire(const telling *t)
{
    say(t->to, t->car, _("%s retires"), t->name);
}

static void tell_end(const telling *t)
{
    say(t->to, -1, "%s", _("The race is over."));
}

void tell_event(const json_t *event, const scene *s, const teller *to)
{
    static const struct {
        const char *word;
        void (*tell)(const telling *t);
    } kinds[] = {
        {"round", tell_round},         {"shift", tell_shift},     {"reveal", tell_reveal},
        {"cluttered", tell_cluttered}, {"flip", tell_flip},       {"move", tell_move},
        {"boost", tell_boost},         {"cool", tell_cool},       {"corner", tell_corner},
        {"spin", tell_spin},           {"discard", tell_discard}, {"finish", tell_finish},
        {"retire", tell_retire},       {"end", tell_end},
    };
    const int car = scene_number(event, "car", 0, HP_CARS_MAX - 1, -1);
    const telling t = {event, s, to, car, car >= 0 && car < s->cars ? s->car[car].name : ""};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].word, scene_text(event, "e")) == 0)
            kinds[i].tell(&t);
}

const char *tell_phrase(int number)
{
    static const char *const phrases[TABLE_PHRASES] = {
        N_("Hello!"),       N_("Good luck!"),
        N_("Well driven!"), N_("Thank you!"),
        N_("Wow!"),         N_("Oh no!"),
        N_("Sorry!"),       N_("That was close!"),
        N_("Hurry up!"),    N_("One moment, please."),
        N_("Watch out!"),   N_("Good race!"),
    };
    return number >= 1 && number <= TABLE_PHRASES ? _(phrases[number - 1]) : "";
}

static const char *name_of(const scene *s, int seat)
{
    return seat >= 0 && seat < s->cars ? s->car[seat].name : "";
}

void tell_entry(const json_t *entry, const scene *s, const teller *to)
{
    const char *what = scene_text(entry, "what"), *taken = scene_text(entry, "name");
    const int seat = scene_number(entry, "seat", -1, HP_CARS_MAX - 1, -1);
    const char *name = name_of(s, seat);
    const char *other = name_of(s, scene_number(entry, "for", 0, HP_CARS_MAX - 1, -1));
    if (strcmp(what, "take") == 0)
        say(to, seat, _("%s takes a seat"), table_name_valid(taken, strlen(taken)) ? taken : name);
    else if (strcmp(what, "leave") == 0 || strcmp(what, "bot") == 0)
        say(to, seat, _("%s leaves the wheel to a bot"), name);
    else if (strcmp(what, "start") == 0)
        say(to, -1, "%s", _("The race begins"));
    else if (strcmp(what, "phrase") == 0)
        say(to, seat, "%s: %s", name, tell_phrase(scene_number(entry, "phrase", 1, TABLE_PHRASES, 0)));
    else if (strcmp(what, "agree") == 0)
        say(to, seat, _("%s agrees that a bot drives for %s"), name, other);
    else if (strcmp(what, "late") == 0)
        say(to, -1, _("A bot drives for %s, whose time was over"), other);
    else if (strcmp(what, "back") == 0)
        say(to, seat, _("%s is back at the wheel"), name);
    else if (strcmp(what, "resume") == 0)
        say(to, -1, "%s", _("The server was away; the race goes on"));
    else if (strcmp(what, "rematch") == 0)
        say(to, -1, "%s", _("A rematch is open"));
}

/* ---- What would happen -------------------------------------------------------------------------- */

void tell_place(hp_place place, const scene *s, char *text, size_t size)
{
    const int finish = s->laps * s->spaces;
    if (place.at >= finish)
        snprintf(text, size, "%s", _("beyond the finish line"));
    else if (place.at < 0)
        snprintf(text, size, _("grid, row %d"), -place.at);
    else if (place.spot == 0)
        snprintf(text, size, _("space %d, race line"), place.at % s->spaces);
    else
        snprintf(text, size, _("space %d"), place.at % s->spaces);
}

/* The least and the most of something among the odds, or the one that there is. */
typedef struct {
    int low, high;
} range;

static range range_of(const json_t *f, const char *key)
{
    const json_t *odds = json_object_get(f, "odds");
    range r = {scene_number(f, key, 0, 99, 0), scene_number(f, key, 0, 99, 0)};
    for (size_t i = 0; i < json_array_size(odds); i++) {
        const int value = scene_number(json_array_get(odds, i), key, 0, 99, r.low);
        r.low = i == 0 || value < r.low ? value : r.low;
        r.high = i == 0 || value > r.high ? value : r.high;
    }
    return r;
}

static void write_range(range r, char *text, size_t size)
{
    if (r.low == r.high)
        snprintf(text, size, "%d", r.low);
    else
        snprintf(text, size, "%d–%d", r.low, r.high);
}

static void add_speed(const json_t *f, char *text, size_t size)
{
    char fact[TELL], speeds[32];
    write_range(range_of(f, "speed"), speeds, sizeof speeds);
    snprintf(fact, sizeof fact, _("Speed %s"), speeds);
    add_fact(text, size, fact);
}

/* Where it ends, or where it may: the nearest and the farthest place. Of two spaces the numbers are enough. */
static void add_landing(const json_t *f, const scene *s, char *text, size_t size)
{
    const json_t *odds = json_object_get(f, "odds");
    hp_place low = scene_place(f, "to"), high = low;
    char first[TELL], last[TELL], fact[TELL];
    for (size_t i = 0; i < json_array_size(odds); i++) {
        const hp_place to = scene_place(json_array_get(odds, i), "to");
        low = i == 0 || to.at < low.at ? to : low;
        high = i == 0 || to.at > high.at ? to : high;
    }
    tell_place(low, s, first, sizeof first);
    tell_place(high, s, last, sizeof last);
    if (low.at == high.at)
        snprintf(fact, sizeof fact, _("to %.150s"), first);
    else if (low.at >= 0 && high.at < s->laps * s->spaces && low.at / s->spaces == high.at / s->spaces)
        snprintf(fact, sizeof fact, _("to space %d–%d"), low.at % s->spaces, high.at % s->spaces);
    else
        snprintf(fact, sizeof fact, _("to %.150s, or as far as %.150s"), first, last);
    add_fact(text, size, fact);
}

static void add_price(const json_t *f, char *text, size_t size)
{
    const range price = range_of(f, "price"), engine = range_of(f, "engine");
    char fact[TELL], paid[32], left[32];
    write_range(price, paid, sizeof paid);
    write_range(engine, left, sizeof left);
    if (price.high > 0)
        snprintf(fact, sizeof fact, _("pays %s Heat, %s left"), paid, left);
    else
        snprintf(fact, sizeof fact, _("free, %s Heat left"), left);
    add_fact(text, size, fact);
}

static void add_corners(const json_t *list, char *text, size_t size)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *each = json_array_get(list, i);
        const int limit = scene_number(each, "limit", 0, 99, 0), pays = scene_number(each, "pays", 0, 99, 0);
        char fact[TELL];
        if (pays > 0)
            snprintf(fact, sizeof fact, _("Corner %d: %d Heat"), limit, pays);
        else
            snprintf(fact, sizeof fact, _("Corner %d: free"), limit);
        add_fact(text, size, fact);
    }
}

static void add_odds(const json_t *odds, char *text, size_t size)
{
    if (json_array_size(odds) < 2)
        return;
    for (size_t i = 0; i < json_array_size(odds); i++) {
        const json_t *each = json_array_get(odds, i);
        char chance[16], fact[64];
        tell_percent(scene_number(each, "per_mille", 0, 1000, 0), chance, sizeof chance);
        snprintf(fact, sizeof fact, "%d: %s", scene_number(each, "speed", 0, 99, 0), chance);
        add_fact(text, size, fact);
    }
}

static int risk_of(const json_t *f)
{
    const bool spins = json_is_true(json_object_get(f, "spins"));
    return scene_number(f, "risk_per_mille", 0, 1000, spins ? 1000 : 0);
}

static void add_risk(const json_t *f, outcome *o)
{
    const int risk = risk_of(f), stress = scene_number(f, "stress", 0, 9, 0);
    char text[TELL], chance[16];
    if (risk == 0)
        return;
    o->bad = true;
    tell_percent(risk, chance, sizeof chance);
    if (risk < 1000)
        snprintf(text, sizeof text, _("Spin-out: %s"), chance);
    else if (stress > 0)
        snprintf(text, sizeof text,
                 n_("The car would spin out and take %d stress card",
                    "The car would spin out and take %d stress cards", (unsigned long)stress),
                 stress);
    else
        snprintf(text, sizeof text, "%s", _("The car would spin out"));
    add_fact(o->line[2], sizeof o->line[2], text);
}

void tell_outcome(const json_t *f, const scene *s, outcome *o)
{
    memset(o, 0, sizeof *o);
    if (json_is_true(json_object_get(f, "cluttered"))) {
        o->bad = true;
        snprintf(o->line[0], TELL, "%s",
                 _("Cluttered hand: the car will not move and goes back to 1st gear."));
        return;
    }
    add_speed(f, o->line[0], TELL);
    add_landing(f, s, o->line[0], TELL);
    add_price(f, o->line[0], TELL);
    if (json_array_size(json_object_get(f, "odds")) == 0)
        add_corners(json_object_get(f, "corners"), o->line[1], TELL);
    add_risk(f, o);
    add_odds(json_object_get(f, "odds"), o->line[2], TELL);
}

void tell_act(const char *act, char *text, size_t size)
{
    static const struct {
        const char *act, *text;
    } names[] = {
        {"adrenaline cool", N_("Adrenaline: cool 1 Heat")},
        {"adrenaline move", N_("Adrenaline: one space more")},
        {"boost", N_("Boost for 1 Heat")},
        {"done", N_("Go on")},
        {"slip", N_("Use the slipstream")},
        {"stay", N_("Stay here")},
        {"keep", N_("Keep all")},
        {"retire", N_("Retire")},
        {"unplan", N_("Take it back")},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i].act, act) == 0) {
            snprintf(text, size, "%s", _(names[i].text));
            return;
        }
    char letters[HP_ACT_TEXT] = "", cards[TELL];
    int n = 0;
    for (const char *at = strchr(act, ' '); at != NULL; at = strchr(at + 1, ' '))
        letters[n++] = at[1];
    if (strncmp(act, "cool ", 5) == 0) {
        snprintf(text, size, n_("Cool %d Heat", "Cool %d Heat", (unsigned long)(act[5] - '0')), act[5] - '0');
    } else if (strncmp(act, "plan ", 5) == 0) {
        list_cards(letters + 1, cards, sizeof cards);
        snprintf(text, size, _("Gear %c: %s"), act[5], cards);
    } else if (strncmp(act, "discard ", 8) == 0) {
        list_cards(letters, cards, sizeof cards);
        snprintf(text, size, _("Discard %s"), cards);
    } else {
        snprintf(text, size, "%s", act);
    }
}

/* ---- Steps -------------------------------------------------------------------------------------- */

const char *tell_title(hp_step step)
{
    static const char *const titles[] = {
        [HP_STEP_PLAN] = N_("Plan your turn"),   [HP_STEP_REACT] = N_("React"),
        [HP_STEP_SLIP] = N_("Slipstream"),       [HP_STEP_DISCARD] = N_("Discard"),
        [HP_STEP_OVER] = N_("The race is over"), [HP_STEP_WAIT] = N_("The others are driving"),
    };
    return _(titles[step]);
}

const char *tell_help(hp_step step)
{
    static const char *const texts[] = {
        [HP_STEP_PLAN] = N_(
            "Choose a gear and play as many cards as the gear says. Their sum is your speed. Shifting by one "
            "is free, by two it costs 1 Heat. Everybody plans at the same time, and you can change your mind "
            "until the last plan is in."),
        [HP_STEP_REACT] = N_(
            "Use what your gear and your place give you, in any order: cooldown brings Heat cards from your "
            "hand back to the engine, a boost pays 1 Heat for one more card, adrenaline helps the last "
            "cars."),
        [HP_STEP_SLIP] = N_(
            "You stand beside or right behind another car: its slipstream can pull you two spaces further. "
            "Your speed stays as it is, but corners crossed that way are checked too."),
        [HP_STEP_DISCARD] = N_("Throw away cards that you do not want to keep. Heat and stress cards stay. "
                               "Then you draw back up to seven."),
        [HP_STEP_OVER] = N_("The race is over."),
        [HP_STEP_WAIT] = N_("Others are driving. Your turn comes by the order of the cars on the track, the "
                            "foremost first."),
    };
    return _(texts[step]);
}

const char *tell_rule(hp_step step)
{
    static const char *const rules[] = {
        [HP_STEP_PLAN] = "R3, R2.3",   [HP_STEP_REACT] = "R5, R6", [HP_STEP_SLIP] = "R7",
        [HP_STEP_DISCARD] = "R9, R10", [HP_STEP_OVER] = "R12",     [HP_STEP_WAIT] = "R2",
    };
    return rules[step];
}

const char *tell_code(const char *code)
{
    static const struct {
        const char *code, *text;
    } codes[] = {
        {"seat_taken", N_("Somebody sits there already.")},
        {"seat_kept", N_("That seat is kept for somebody.")},
        {"not_seated", N_("Nobody sits there.")},
        {"bad_name", N_("A name has 1 to 31 letters, without blanks at its ends.")},
        {"bad_colour", N_("There is no such colour.")},
        {"colour_taken", N_("Somebody has that colour already.")},
        {"not_now", N_("That is not possible now.")},
        {"old", N_("The race has moved on meanwhile.")},
        {"bot_drives", N_("A bot drives for you. Take the wheel first.")},
        {"bot_does_not", N_("You have the wheel.")},
        {"not_awaited", N_("Nobody waits for that car, or not for long enough.")},
        {"no_such_table", N_("There is no such race. It may have been closed.")},
        {"no_such_seat", N_("There is no such seat.")},
        {"no_token", N_("This needs a seat.")},
        {"wrong_token", N_("This seat belongs to somebody else now.")},
        {"too_fast", N_("That was too fast; please wait a moment.")},
        {"too_many", N_("There are too many connections from here.")},
        {"full", N_("The server is full. Please try again later.")},
        {"stopping", N_("The server is about to stop; the race goes on when it is back.")},
        {"offline", N_("Nobody answers. Is the network there?")},
        {"untrusted", N_("No secure connection: the server's certificate is not trusted here, or the server "
                         "speaks no TLS.")},
        {"not_kept", N_("This could not be written to the disk, and so it did not happen.")},
        {"not_a_line", N_("That is not an act.")},
        {"no_such_phrase", N_("There are phrases 1 to 12.")},
        {"no_such_level", N_("There is no such bot.")},
        {"bad_salt", N_("A salt has 64 hexadecimal digits, in lower case.")},
        {"ahead", N_("The race has not come that far.")},
        {"too_long", N_("That is too long.")},
    };
    for (int e = 0; e < HP_ERRORS; e++)
        if (strcmp(table_error_word(TABLE_ILLEGAL, (hp_error)e), code) == 0)
            return words_of_error((hp_error)e);
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        if (strcmp(codes[i].code, code) == 0)
            return _(codes[i].text);
    return _("Something went wrong. Please try again.");
}

void tell_waiting(const scene *s, char *text, size_t size)
{
    char names[TELL] = "";
    const scene_car *car = s->you >= 0 ? &s->car[s->you] : NULL;
    for (int i = 0; i < s->cars; i++)
        if (s->awaited >> i & 1)
            add(names, sizeof names, "%s%s", names[0] != '\0' ? ", " : "", s->car[i].name);
    if (s->phase == TABLE_OVER)
        snprintf(text, size, "%s", _("The race is over."));
    else if (car != NULL && car->away)
        snprintf(text, size, "%s", _("A bot drives for you."));
    else if (car != NULL && car->status == HP_FINISHED)
        snprintf(text, size, _("You finished: place %d"), car->place);
    else if (names[0] != '\0')
        snprintf(text, size, _("Waiting for %s"), names);
    else
        snprintf(text, size, "%s", _("The others are driving"));
}
