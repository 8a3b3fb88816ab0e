#include "terminal/scene.h"

#include "cli/words.h"

#include <stdio.h>
#include <string.h>

int scene_number(const json_t *object, const char *key, int low, int high, int otherwise)
{
    const json_t *value = json_object_get(object, key);
    const json_int_t number = json_integer_value(value);
    return json_is_integer(value) && number >= low && number <= high ? (int)number : otherwise;
}

int64_t scene_time(const json_t *object, const char *key)
{
    static const int64_t last = INT64_C(100000000000000); /* in three thousand years */
    const int64_t time = json_integer_value(json_object_get(object, key));
    return time > 0 && time < last ? time : 0;
}

const char *scene_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

enum { AT_MAX = HP_LAPS_MAX * HP_SPACES_MAX + 100 };

hp_place scene_place(const json_t *object, const char *key)
{
    const json_t *place = json_object_get(object, key);
    return (hp_place){.at = (int16_t)scene_number(place, "at", -8, AT_MAX, 0),
                      .spot = (int16_t)scene_number(place, "spot", 0, 1, 0)};
}

static char card_letter(const char *text)
{
    return text != NULL && text[0] != '\0' && text[1] == '\0' && strchr("012345HS", text[0]) != NULL ? text[0]
                                                                                                     : '?';
}

void scene_cards(const json_t *list, char *letters, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < json_array_size(list) && n + 1 < size; i++)
        letters[n++] = card_letter(json_string_value(json_array_get(list, i)));
    letters[n] = '\0';
}

static uint8_t seats_of(const json_t *list)
{
    uint8_t bits = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_int_t seat = json_integer_value(json_array_get(list, i));
        if (seat >= 0 && seat < HP_CARS_MAX)
            bits |= (uint8_t)(1 << seat);
    }
    return bits;
}

const char *scene_level(const char *word)
{
    static const struct {
        const char *word, *text;
    } levels[] = {{"rookie", N_("Rookie")}, {"driver", N_("Driver")}, {"champion", N_("Champion")}};
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
        if (strcmp(levels[i].word, word) == 0)
            return _(levels[i].text);
    return _(levels[1].text);
}

void scene_id(const json_t *object, const char *key, char id[ID_TEXT])
{
    const char *text = scene_text(object, key);
    const size_t good = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");
    snprintf(id, ID_TEXT, "%.*s", (int)(text[good] == '\0' && good < ID_TEXT ? good : 0), text);
}

/* ---- Seats -------------------------------------------------------------------------------------- */

static void read_seat(const json_t *seat, int number, scene_car *car)
{
    const char *kind = scene_text(seat, "kind"), *name = scene_text(seat, "name");
    const char *colour = scene_text(seat, "colour");
    table_colour found;
    car->kind = strcmp(kind, "person") == 0 ? TABLE_PERSON
                : strcmp(kind, "bot") == 0  ? TABLE_BOT
                                            : TABLE_OPEN;
    car->colour =
        table_colour_named(colour, strlen(colour), &found) ? (uint8_t)found : (uint8_t)TABLE_COLOURS;
    car->away = json_is_true(json_object_get(seat, "away"));
    if (table_name_valid(name, strlen(name)))
        snprintf(car->name, sizeof car->name, "%s", name);
    else if (car->kind == TABLE_OPEN)
        snprintf(car->name, sizeof car->name, "%s", _("Free seat"));
    else
        snprintf(car->name, sizeof car->name, "%s %d", scene_level(scene_text(seat, "level")), number + 1);
}

static void read_awaited(const json_t *list, scene *s)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *each = json_array_get(list, i);
        const int seat = scene_number(each, "seat", 0, HP_CARS_MAX - 1, -1);
        if (seat < 0)
            continue;
        s->awaited |= (uint8_t)(1 << seat);
        s->car[seat].since = scene_time(each, "since");
        if (seat == s->you)
            s->until = scene_time(each, "until");
    }
}

static bool read_table(const json_t *t, scene *s)
{
    static const char *const phases[] = {"gathering", "racing", "over"};
    const json_t *seats = json_object_get(t, "seats");
    const size_t n = json_array_size(seats);
    if (n < 1 || n > HP_CARS_MAX)
        return false;
    s->cars = (int)n;
    for (int i = 0; i < 3; i++)
        if (strcmp(scene_text(t, "phase"), phases[i]) == 0)
            s->phase = (uint8_t)i;
    for (int i = 0; i < s->cars; i++)
        read_seat(json_array_get(seats, (size_t)i), i, &s->car[i]);
    s->laps = scene_number(t, "laps", 1, HP_LAPS_MAX, 1);
    read_awaited(json_object_get(t, "awaited"), s);
    scene_id(t, "id", s->id);
    scene_id(t, "rematch", s->rematch);
    return true;
}

/* ---- The view ----------------------------------------------------------------------------------- */

static void read_car(const json_t *from, scene_car *car)
{
    const char *status = scene_text(from, "status"), *top = scene_text(from, "top");
    car->at = scene_number(from, "at", -8, AT_MAX, 0);
    car->spot = scene_number(from, "spot", 0, 1, 0);
    car->gear = scene_number(from, "gear", 1, HP_GEARS, 1);
    car->engine = scene_number(from, "engine", 0, 99, 0);
    car->draw = scene_number(from, "draw", 0, 99, 0);
    car->discard = scene_number(from, "discard", 0, 99, 0);
    car->stress = scene_number(from, "stress", 0, 99, 0);
    car->place = scene_number(from, "place", 0, HP_CARS_MAX, 0);
    car->planned = json_is_true(json_object_get(from, "planned"));
    car->status = strcmp(status, "finished") == 0  ? HP_FINISHED
                  : strcmp(status, "retired") == 0 ? HP_RETIRED
                                                   : HP_RACING;
    car->top = top[0] != '\0' ? card_letter(top) : '\0';
}

static uint8_t step_of(const char *word, uint8_t otherwise)
{
    static const char *const steps[] = {
        [HP_STEP_PLAN] = "plan",       [HP_STEP_REACT] = "react", [HP_STEP_SLIP] = "slip",
        [HP_STEP_DISCARD] = "discard", [HP_STEP_OVER] = "over",   [HP_STEP_WAIT] = "wait"};
    for (uint8_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        if (strcmp(steps[i], word) == 0)
            return i;
    return otherwise;
}

static void read_corners(const json_t *list, scene *s)
{
    for (size_t i = 0; i < json_array_size(list) && s->corners < HP_CORNERS_MAX; i++) {
        const json_t *each = json_array_get(list, i);
        s->corner[s->corners].after = (uint8_t)scene_number(each, "after", 0, s->spaces - 1, 0);
        s->corner[s->corners++].limit = (uint8_t)scene_number(each, "limit", 0, 99, 0);
    }
}

static void read_turn(const json_t *turn, scene *s)
{
    s->turn = turn != NULL ? scene_number(turn, "car", 0, s->cars - 1, -1) : -1;
    s->speed = scene_number(turn, "speed", 0, 99, 0);
}

static bool read_view(const json_t *view, scene *s)
{
    const json_t *cars = json_object_get(view, "cars");
    s->spaces = scene_number(view, "spaces", HP_SPACES_MIN, HP_SPACES_MAX, 0);
    if (s->spaces == 0 || json_array_size(cars) != (size_t)s->cars)
        return false;
    for (int i = 0; i < s->cars; i++)
        read_car(json_array_get(cars, (size_t)i), &s->car[i]);
    s->racing = true;
    s->laps = scene_number(view, "laps", 1, HP_LAPS_MAX, 1);
    s->round = scene_number(view, "round", 0, 65535, 0);
    s->step = step_of(scene_text(view, "step"), HP_STEP_OVER);
    s->adrenaline = seats_of(json_object_get(view, "adrenaline"));
    read_corners(json_object_get(view, "corners"), s);
    read_turn(json_object_get(view, "turn"), s);
    scene_cards(json_object_get(view, "hand"), s->hand, sizeof s->hand);
    snprintf(s->plan, sizeof s->plan, "%.*s", HP_ACT_TEXT - 1, scene_text(view, "plan"));
    return true;
}

static void read_standings(const json_t *list, scene *s)
{
    uint8_t seen = 0;
    int n = 0;
    for (size_t i = 0; i < json_array_size(list) && n < s->cars; i++) {
        const json_int_t car = json_integer_value(json_array_get(list, i));
        if (car >= 0 && car < s->cars && !(seen >> car & 1)) {
            s->standings[n++] = (int)car;
            seen |= (uint8_t)(1 << car);
        }
    }
    for (int i = 0; i < s->cars; i++)
        if (!(seen >> i & 1))
            s->standings[n++] = i;
}

static void read_acts(const json_t *list, scene *s)
{
    hp_act act;
    hp_fault fault;
    for (size_t i = 0; i < json_array_size(list) && s->acts < HP_ACTS_MAX; i++) {
        const char *text = json_string_value(json_array_get(list, i));
        if (text != NULL && strlen(text) < HP_ACT_TEXT &&
            hp_act_read(text, strlen(text), &act, &fault) == HP_TEXT_OK)
            snprintf(s->act[s->acts++], HP_ACT_TEXT, "%.*s", HP_ACT_TEXT - 1, text);
    }
}

bool scene_read(const json_t *message, scene *s)
{
    scene *next = &(scene){.turn = -1, .may = HP_STEP_WAIT, .step = HP_STEP_OVER};
    const json_t *view = json_object_get(message, "view");
    next->n = json_integer_value(json_object_get(message, "n"));
    next->you = scene_number(message, "you", -1, HP_CARS_MAX - 1, -1);
    if (!read_table(json_object_get(message, "table"), next) || next->you >= next->cars)
        return false;
    if (view != NULL && !read_view(view, next))
        return false;
    read_standings(json_object_get(message, "standings"), next);
    read_acts(json_object_get(message, "acts"), next);
    if (next->acts > 0)
        next->may = step_of(scene_text(json_object_get(view, "may"), "step"), HP_STEP_WAIT);
    *s = *next;
    return true;
}
