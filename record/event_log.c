/* Events as JSON Lines, for tools outside: docs/EVENTS.md. */
#include "record/text.h"

/* Keys come with their punctuation, ",\"car\":", so that each is one copy. */
static void number(text_out *out, const char *key, int value)
{
    hp_out_text(out, key);
    hp_out_number(out, value);
}

static void numbers(text_out *out, const char *key, const uint8_t *values, int n)
{
    hp_out_text(out, key);
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
    hp_out_text(out, ",\"cards\":[");
    for (int i = 0; i < event->count; i++) {
        if (i > 0)
            hp_out_char(out, ',');
        card_text(out, event->cards[i]);
    }
    hp_out_char(out, ']');
}

static void place(text_out *out, const char *key, hp_place at)
{
    hp_out_text(out, key);
    number(out, "{\"at\":", at.at);
    number(out, ",\"spot\":", at.spot);
    hp_out_char(out, '}');
}

static void why(text_out *out, const hp_event *event)
{
    static const char *const causes[] = {
        [HP_BY_CARDS] = ",\"why\":\"cards\"",           [HP_BY_STRESS] = ",\"why\":\"stress\"",
        [HP_BY_BOOST] = ",\"why\":\"boost\"",           [HP_BY_ADRENALINE] = ",\"why\":\"adrenaline\"",
        [HP_BY_SLIPSTREAM] = ",\"why\":\"slipstream\"", [HP_BY_GEAR] = ",\"why\":\"gear\"",
    };
    hp_out_text(out, causes[event->why]);
}

static void adrenaline(text_out *out, const hp_event *event)
{
    uint8_t those[HP_CARS_MAX];
    int n = 0;
    for (int i = 0; i < event->count; i++)
        if (event->adrenaline >> event->cars[i] & 1)
            those[n++] = event->cars[i];
    numbers(out, ",\"adrenaline\":", those, n);
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
    number(&out, ",\"spaces\":", track->spaces);
    number(&out, ",\"laps\":", setup->laps);
    number(&out, ",\"cars\":", setup->cars);
    for (int i = 0; i < setup->cars; i++)
        heat[i] = (uint8_t)(track->heat - setup->handicap[i]);
    numbers(&out, ",\"heat\":", heat, setup->cars);
    number(&out, ",\"stress\":", track->stress);
    number(&out, ",\"reserve\":", HP_STRESS_SUPPLY - setup->cars * track->stress);
    hp_out_text(&out, ",\"corners\":[");
    for (int i = 0; i < track->corners; i++) {
        hp_out_text(&out, i > 0 ? ",{\"after\":" : "{\"after\":");
        hp_out_number(&out, track->corner[i].after);
        number(&out, ",\"limit\":", track->corner[i].limit);
        hp_out_char(&out, '}');
    }
    hp_hex_write(setup->seed, seed);
    hp_out_text(&out, "],\"seed\":\"");
    hp_out_text(&out, seed);
    hp_out_text(&out, "\"}\n");
    return hp_out_end(&out);
}

static void members(text_out *out, const hp_event *event)
{
    switch ((hp_event_kind)event->kind) {
    case HP_EV_GRID:
        number(out, ",\"slot\":", event->slot);
        number(out, ",\"at\":", event->to.at);
        number(out, ",\"spot\":", event->to.spot);
        break;
    case HP_EV_DRAW:
    case HP_EV_REVEAL:
    case HP_EV_DISCARD:
        cards(out, event);
        break;
    case HP_EV_RESHUFFLE:
        number(out, ",\"n\":", event->number);
        break;
    case HP_EV_ROUND:
        number(out, ",\"n\":", event->number);
        numbers(out, ",\"order\":", event->cars, event->count);
        adrenaline(out, event);
        break;
    case HP_EV_SHIFT:
        number(out, ",\"from\":", event->gear_from);
        number(out, ",\"to\":", event->gear_to);
        number(out, ",\"paid\":", event->paid);
        break;
    case HP_EV_FLIP:
        hp_out_text(out, ",\"card\":");
        card_text(out, event->cards[0]);
        hp_out_text(out, event->kept ? ",\"kept\":true" : ",\"kept\":false");
        why(out, event);
        break;
    case HP_EV_MOVE:
        why(out, event);
        number(out, ",\"spaces\":", event->number);
        place(out, ",\"from\":", event->from);
        place(out, ",\"to\":", event->to);
        number(out, ",\"speed\":", event->speed);
        break;
    case HP_EV_COOL:
        number(out, ",\"n\":", event->number);
        why(out, event);
        break;
    case HP_EV_CORNER:
        number(out, ",\"corner\":", event->corner);
        number(out, ",\"speed\":", event->speed);
        number(out, ",\"limit\":", event->limit);
        number(out, ",\"paid\":", event->paid);
        break;
    case HP_EV_SPIN:
        number(out, ",\"corner\":", event->corner);
        number(out, ",\"stress\":", event->number);
        place(out, ",\"to\":", event->to);
        break;
    case HP_EV_FINISH:
    case HP_EV_RETIRE:
        number(out, ",\"place\":", event->place);
        break;
    case HP_EV_END:
        numbers(out, ",\"places\":", event->cars, event->count);
        number(out, ",\"rounds\":", event->number);
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
        [HP_EV_GRID] = "{\"e\":\"grid\"",           [HP_EV_DRAW] = "{\"e\":\"draw\"",
        [HP_EV_RESHUFFLE] = "{\"e\":\"reshuffle\"", [HP_EV_ROUND] = "{\"e\":\"round\"",
        [HP_EV_SHIFT] = "{\"e\":\"shift\"",         [HP_EV_REVEAL] = "{\"e\":\"reveal\"",
        [HP_EV_FLIP] = "{\"e\":\"flip\"",           [HP_EV_CLUTTERED] = "{\"e\":\"cluttered\"",
        [HP_EV_MOVE] = "{\"e\":\"move\"",           [HP_EV_BOOST] = "{\"e\":\"boost\"",
        [HP_EV_COOL] = "{\"e\":\"cool\"",           [HP_EV_CORNER] = "{\"e\":\"corner\"",
        [HP_EV_SPIN] = "{\"e\":\"spin\"",           [HP_EV_DISCARD] = "{\"e\":\"discard\"",
        [HP_EV_REPLENISH] = "{\"e\":\"replenish\"", [HP_EV_FINISH] = "{\"e\":\"finish\"",
        [HP_EV_RETIRE] = "{\"e\":\"retire\"",       [HP_EV_END] = "{\"e\":\"end\"",
    };
    text_out out = hp_text_into(buffer, size);
    hp_out_text(&out, names[event->kind]);
    if (event->kind != HP_EV_ROUND && event->kind != HP_EV_END)
        number(&out, ",\"car\":", event->car);
    members(&out, event);
    hp_out_text(&out, "}\n");
    return hp_out_end(&out);
}
