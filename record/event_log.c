/* Events as JSON Lines, for tools outside: docs/EVENTS.md. */
#include "record/text.h"

static void key(text_out *out, const char *name)
{
    hp_out_text(out, ",\"");
    hp_out_text(out, name);
    hp_out_text(out, "\":");
}

static void number(text_out *out, const char *name, int value)
{
    key(out, name);
    hp_out_number(out, value);
}

static void numbers(text_out *out, const char *name, const uint8_t *values, int n)
{
    key(out, name);
    hp_out_char(out, '[');
    for (int i = 0; i < n; i++) {
        if (i > 0)
            hp_out_char(out, ',');
        hp_out_number(out, values[i]);
    }
    hp_out_char(out, ']');
}

static void card_text(text_out *out, int card)
{
    hp_out_char(out, '"');
    hp_out_char(out, hp_card_letter((hp_card)card));
    hp_out_char(out, '"');
}

static void cards(text_out *out, const hp_event *event)
{
    key(out, "cards");
    hp_out_char(out, '[');
    for (int i = 0; i < event->count; i++) {
        if (i > 0)
            hp_out_char(out, ',');
        card_text(out, event->cards[i]);
    }
    hp_out_char(out, ']');
}

static void place(text_out *out, const char *name, hp_place at)
{
    key(out, name);
    hp_out_text(out, "{\"at\":");
    hp_out_number(out, at.at);
    number(out, "spot", at.spot);
    hp_out_char(out, '}');
}

static void why(text_out *out, const hp_event *event)
{
    static const char *const causes[] = {
        [HP_BY_CARDS] = "\"cards\"",           [HP_BY_STRESS] = "\"stress\"",
        [HP_BY_BOOST] = "\"boost\"",           [HP_BY_ADRENALINE] = "\"adrenaline\"",
        [HP_BY_SLIPSTREAM] = "\"slipstream\"", [HP_BY_GEAR] = "\"gear\"",
    };
    key(out, "why");
    hp_out_text(out, causes[event->why]);
}

static void adrenaline(text_out *out, const hp_event *event)
{
    uint8_t those[HP_CARS_MAX];
    int n = 0;
    for (int i = 0; i < event->count; i++)
        if (event->adrenaline >> event->cars[i] & 1)
            those[n++] = event->cars[i];
    numbers(out, "adrenaline", those, n);
}

size_t hp_event_head_write(const hp_head *head, char *buffer, size_t size)
{
    const hp_setup *setup = &head->setup;
    const hp_track *track = &setup->track;
    uint8_t heat[HP_CARS_MAX];
    char seed[HP_SEED_TEXT];
    text_out out = hp_text_into(buffer, size);
    hp_out_text(&out, "{\"e\":\"race\",\"track\":\"");
    hp_out_text(&out, head->circuit); /* a name needs no escapes */
    hp_out_char(&out, '"');
    number(&out, "spaces", track->spaces);
    number(&out, "laps", setup->laps);
    number(&out, "cars", setup->cars);
    for (int i = 0; i < setup->cars; i++)
        heat[i] = (uint8_t)(track->heat - setup->handicap[i]);
    numbers(&out, "heat", heat, setup->cars);
    number(&out, "stress", track->stress);
    number(&out, "reserve", HP_STRESS_SUPPLY - setup->cars * track->stress);
    key(&out, "corners");
    hp_out_char(&out, '[');
    for (int i = 0; i < track->corners; i++) {
        hp_out_text(&out, i > 0 ? ",{\"after\":" : "{\"after\":");
        hp_out_number(&out, track->corner[i].after);
        number(&out, "limit", track->corner[i].limit);
        hp_out_char(&out, '}');
    }
    hp_out_char(&out, ']');
    hp_hex_write(setup->seed, seed);
    key(&out, "seed");
    hp_out_char(&out, '"');
    hp_out_text(&out, seed);
    hp_out_text(&out, "\"}\n");
    return hp_out_end(&out);
}

static void members(text_out *out, const hp_event *event)
{
    switch ((hp_event_kind)event->kind) {
    case HP_EV_GRID:
        number(out, "slot", event->slot);
        number(out, "at", event->to.at);
        number(out, "spot", event->to.spot);
        break;
    case HP_EV_DRAW:
    case HP_EV_REVEAL:
    case HP_EV_DISCARD:
        cards(out, event);
        break;
    case HP_EV_RESHUFFLE:
        number(out, "n", event->number);
        break;
    case HP_EV_ROUND:
        number(out, "n", event->number);
        numbers(out, "order", event->cars, event->count);
        adrenaline(out, event);
        break;
    case HP_EV_SHIFT:
        number(out, "from", event->gear_from);
        number(out, "to", event->gear_to);
        number(out, "paid", event->paid);
        break;
    case HP_EV_FLIP:
        key(out, "card");
        card_text(out, event->cards[0]);
        key(out, "kept");
        hp_out_text(out, event->kept ? "true" : "false");
        why(out, event);
        break;
    case HP_EV_MOVE:
        why(out, event);
        number(out, "spaces", event->number);
        place(out, "from", event->from);
        place(out, "to", event->to);
        number(out, "speed", event->speed);
        break;
    case HP_EV_COOL:
        number(out, "n", event->number);
        why(out, event);
        break;
    case HP_EV_CORNER:
        number(out, "corner", event->corner);
        number(out, "speed", event->speed);
        number(out, "limit", event->limit);
        number(out, "paid", event->paid);
        break;
    case HP_EV_SPIN:
        number(out, "corner", event->corner);
        number(out, "stress", event->number);
        place(out, "to", event->to);
        break;
    case HP_EV_FINISH:
    case HP_EV_RETIRE:
        number(out, "place", event->place);
        break;
    case HP_EV_END:
        numbers(out, "places", event->cars, event->count);
        number(out, "rounds", event->number);
        break;
    case HP_EV_CLUTTERED:
    case HP_EV_BOOST:
    case HP_EV_REPLENISH:
    case HP_EV_KINDS:
        break;
    }
}

size_t hp_event_write(const hp_event *event, char *buffer, size_t size)
{
    static const char *const names[HP_EV_KINDS] = {
        [HP_EV_GRID] = "grid",       [HP_EV_DRAW] = "draw",           [HP_EV_RESHUFFLE] = "reshuffle",
        [HP_EV_ROUND] = "round",     [HP_EV_SHIFT] = "shift",         [HP_EV_REVEAL] = "reveal",
        [HP_EV_FLIP] = "flip",       [HP_EV_CLUTTERED] = "cluttered", [HP_EV_MOVE] = "move",
        [HP_EV_BOOST] = "boost",     [HP_EV_COOL] = "cool",           [HP_EV_CORNER] = "corner",
        [HP_EV_SPIN] = "spin",       [HP_EV_DISCARD] = "discard",     [HP_EV_REPLENISH] = "replenish",
        [HP_EV_FINISH] = "finish",   [HP_EV_RETIRE] = "retire",       [HP_EV_END] = "end",
    };
    text_out out = hp_text_into(buffer, size);
    hp_out_text(&out, "{\"e\":\"");
    hp_out_text(&out, names[event->kind]);
    hp_out_char(&out, '"');
    if (event->kind != HP_EV_ROUND && event->kind != HP_EV_END)
        number(&out, "car", event->car);
    members(&out, event);
    hp_out_text(&out, "}\n");
    return hp_out_end(&out);
}
