/* A view as one line of JSON, for bots outside: docs/BOT-PROTOCOL.md. */
#include "record/text.h"

/* Keys come with their punctuation, ",\"car\":", as in event_log.c. */
static void number(text_out *out, const char *key, int value)
{
    hp_out_text(out, key);
    hp_out_number(out, value);
}

static void truth(text_out *out, const char *key, bool value)
{
    hp_out_text(out, key);
    hp_out_text(out, value ? "true" : "false");
}

/* Lowest kind first: a pile has no order. */
static void pile(text_out *out, const char *key, hp_pile cards)
{
    const char *open = "[\"";
    hp_out_text(out, key);
    if (hp_size(cards) == 0)
        hp_out_char(out, '[');
    for (hp_card card = HP_ZERO; card < HP_KINDS; card++)
        for (int n = hp_count(cards, card); n > 0; n--) {
            hp_out_text(out, open);
            hp_out_char(out, hp_card_letter(card));
            hp_out_char(out, '"');
            open = ",\"";
        }
    hp_out_char(out, ']');
}

static void step(text_out *out, const char *key, int value)
{
    static const char *const names[] = {
        [HP_STEP_PLAN] = "\"plan\"",       [HP_STEP_REACT] = "\"react\"", [HP_STEP_SLIP] = "\"slip\"",
        [HP_STEP_DISCARD] = "\"discard\"", [HP_STEP_OVER] = "\"over\"",   [HP_STEP_WAIT] = "\"wait\"",
    };
    hp_out_text(out, key);
    hp_out_text(out, names[value]);
}

static void track(text_out *out, const hp_track *t)
{
    number(out, ",\"spaces\":", t->spaces);
    number(out, ",\"heat\":", t->heat);
    number(out, ",\"stress\":", t->stress);
    hp_out_text(out, ",\"corners\":[");
    for (int i = 0; i < t->corners; i++) {
        number(out, i > 0 ? ",{\"after\":" : "{\"after\":", t->corner[i].after);
        number(out, ",\"limit\":", t->corner[i].limit);
        hp_out_char(out, '}');
    }
    hp_out_char(out, ']');
}

static void car(text_out *out, const hp_car_view *c)
{
    static const char *const status[] = {
        [HP_RACING] = ",\"status\":\"racing\"",
        [HP_FINISHED] = ",\"status\":\"finished\"",
        [HP_RETIRED] = ",\"status\":\"retired\"",
    };
    number(out, "{\"at\":", c->place.at);
    number(out, ",\"spot\":", c->place.spot);
    number(out, ",\"gear\":", c->gear);
    number(out, ",\"engine\":", c->engine);
    number(out, ",\"hand\":", c->hand);
    number(out, ",\"covered\":", c->covered);
    pile(out, ",\"play\":", c->play);
    number(out, ",\"draw\":", c->draw);
    number(out, ",\"discard\":", c->discard);
    if (c->top != HP_NO_CARD) {
        hp_out_text(out, ",\"top\":\"");
        hp_out_char(out, hp_card_letter((hp_card)c->top));
        hp_out_char(out, '"');
    }
    number(out, ",\"heat\":", c->heat);
    number(out, ",\"stress\":", c->stress);
    truth(out, ",\"planned\":", c->has_planned != 0);
    hp_out_text(out, status[c->status]);
    number(out, ",\"place\":", c->finished_at);
    hp_out_char(out, '}');
}

/* The turn that is running, and whose it is. */
static void turn(text_out *out, const hp_view *view)
{
    const hp_turn *t = &view->turn;
    number(out, ",\"turn\":{\"car\":", view->order[view->now]);
    number(out, ",\"from\":", t->lap * view->track.spaces + t->space);
    number(out, ",\"speed\":", t->speed);
    number(out, ",\"cool\":", t->cool);
    number(out, ",\"adrenaline_cool\":", t->adrenaline_cool);
    number(out, ",\"adrenaline_move\":", t->adrenaline_move);
    number(out, ",\"boost\":", t->boost);
    hp_out_text(out, ",\"last\":\"");
    hp_out_char(out, hp_card_letter((hp_card)t->last));
    hp_out_text(out, "\"}");
}

/* What this seat holds, has planned and may do. */
static void own(text_out *out, const hp_view *view)
{
    const hp_choice *choice = &view->choice;
    const int cards = view->planned != 0 ? view->planned : view->car[view->seat].covered;
    pile(out, ",\"hand\":", choice->hand);
    if (view->planned == HP_PLANS_TO_RETIRE)
        hp_out_text(out, ",\"plan\":\"retire\"");
    else if (cards > 0) {
        number(out, ",\"plan\":\"plan ", cards);
        for (int i = 0; i < cards; i++) {
            hp_out_char(out, ' ');
            hp_out_char(out, hp_card_letter((hp_card)view->plan[i]));
        }
        hp_out_char(out, '"');
    }
    step(out, ",\"may\":{\"step\":", choice->step);
    number(out, ",\"cool\":", choice->cool);
    number(out, ",\"adrenaline_cool\":", choice->adrenaline_cool);
    number(out, ",\"adrenaline_move\":", choice->adrenaline_move);
    number(out, ",\"boost\":", choice->boost);
    truth(out, ",\"retire\":", (choice->flags & HP_MAY_RETIRE) != 0);
    truth(out, ",\"unplan\":", (choice->flags & HP_HAS_PLANNED) != 0);
    truth(out, ",\"has_adrenaline\":", (choice->flags & HP_HAS_ADRENALINE) != 0);
    truth(out, ",\"adrenaline_moved\":", (choice->flags & HP_ADRENALINE_MOVED) != 0);
    hp_out_char(out, '}');
}

static void cars_in(text_out *out, const char *key, const hp_view *view, unsigned those)
{
    const char *between = "";
    hp_out_text(out, key);
    for (int i = 0; i < view->in_order; i++)
        if (those >> view->order[i] & 1) {
            number(out, between, view->order[i]);
            between = ",";
        }
    hp_out_char(out, ']');
}

size_t hp_view_write(const hp_view *view, char *buffer, size_t size)
{
    text_out out = hp_text_into(buffer, size);
    number(&out, "{\"seat\":", view->seat == HP_SPECTATOR ? -1 : view->seat);
    number(&out, ",\"round\":", view->round);
    step(&out, ",\"step\":", view->step);
    number(&out, ",\"laps\":", view->laps);
    track(&out, &view->track);
    number(&out, ",\"reserve\":", view->reserve);
    cars_in(&out, ",\"order\":[", view, 0xff);
    cars_in(&out, ",\"adrenaline\":[", view, view->adrenaline);
    hp_out_text(&out, ",\"cars\":[");
    for (int i = 0; i < view->cars; i++) {
        if (i > 0)
            hp_out_char(&out, ',');
        car(&out, &view->car[i]);
    }
    hp_out_char(&out, ']');
    if (view->step != HP_STEP_PLAN && view->step != HP_STEP_OVER)
        turn(&out, view);
    if (view->seat != HP_SPECTATOR)
        own(&out, view);
    hp_out_text(&out, "}\n");
    return hp_out_end(&out);
}
