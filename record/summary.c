/* What a race looked like afterwards, counted from its events: docs/RACE-FILES.md. */
#include "record/text.h"

static void hear_round(hp_summary *summary, const hp_event *event)
{
    summary->rounds = event->number;
    if (event->number == 0 || event->number > HP_SUMMARY_ROUNDS)
        return;
    uint8_t *position = summary->position[event->number - 1];
    for (int i = 0; i < HP_CARS_MAX; i++) {
        position[i] = summary->car[i].place;
        summary->spent[event->number - 1][i] = summary->car[i].spent;
    }
    for (int i = 0; i < event->count; i++)
        position[event->cars[i]] = (uint8_t)(summary->finished + i + 1);
}

static void hear_move(hp_car_summary *car, const hp_event *event)
{
    car->slipstreams += event->why == HP_BY_SLIPSTREAM;
    car->blocked += event->to.at < event->from.at + event->number;
    if (event->speed > car->top_speed)
        car->top_speed = event->speed;
}

static void pay(hp_car_summary *car, uint32_t *what, int heat)
{
    *what += (uint32_t)heat;
    car->spent = (int8_t)(car->spent + heat);
}

void hp_summary_hear(hp_summary *summary, const hp_event *event)
{
    hp_car_summary *car = &summary->car[event->car];
    switch ((hp_event_kind)event->kind) {
    case HP_EV_ROUND:
        hear_round(summary, event);
        break;
    case HP_EV_SHIFT:
        pay(car, &car->heat_shifts, event->paid);
        break;
    case HP_EV_REVEAL:
        car->rounds++;
        for (int i = 0; i < event->count; i++)
            car->stress_played += event->cards[i] == HP_STRESS;
        break;
    case HP_EV_CLUTTERED:
        car->cluttered++;
        break;
    case HP_EV_FLIP:
        car->flips++;
        break;
    case HP_EV_MOVE:
        hear_move(car, event);
        break;
    case HP_EV_BOOST:
        pay(car, &car->boosts, 1); /* R6.3 */
        break;
    case HP_EV_COOL:
        car->cooled += event->number;
        car->spent = (int8_t)(car->spent - event->number);
        break;
    case HP_EV_CORNER:
        pay(car, &car->heat_corners, event->paid);
        break;
    case HP_EV_SPIN:
        car->spins++;
        car->stress_taken += event->number;
        break;
    case HP_EV_FINISH:
        summary->finished++;
        car->place = event->place;
        break;
    case HP_EV_RETIRE:
        car->place = event->place;
        car->retired = 1;
        break;
    case HP_EV_END:
        summary->ended = 1;
        break;
    case HP_EV_GRID:
    case HP_EV_DRAW:
    case HP_EV_RESHUFFLE:
    case HP_EV_DISCARD:
    case HP_EV_REPLENISH:
    case HP_EV_KINDS:
        break;
    }
}

/* ---- As text ---------------------------------------------------------------------------------- */

/* Keys come with their punctuation, ",\"spins\":", as in event_log.c. */
static void number(text_out *out, const char *key, uint32_t value)
{
    hp_out_text(out, key);
    hp_out_number(out, (int32_t)value);
}

static void by_round(text_out *out, const hp_summary *summary, const hp_setup *setup, int car)
{
    const int rounds = summary->rounds < HP_SUMMARY_ROUNDS ? summary->rounds : HP_SUMMARY_ROUNDS;
    const int start = setup->track.heat - setup->handicap[car];
    hp_out_text(out, ",\"positions\":[");
    for (int r = 0; r < rounds; r++)
        number(out, r > 0 ? "," : "", summary->position[r][car]);
    hp_out_text(out, "],\"engine\":[");
    for (int r = 0; r < rounds; r++)
        number(out, r > 0 ? "," : "", (uint32_t)(start - summary->spent[r][car]));
    hp_out_char(out, ']');
}

static void car_text(text_out *out, const hp_car_summary *car)
{
    number(out, "{\"place\":", car->place);
    hp_out_text(out, car->retired ? ",\"retired\":true" : ",\"retired\":false");
    number(out, ",\"rounds\":", car->rounds);
    number(out, ",\"heat_shifts\":", car->heat_shifts);
    number(out, ",\"heat_boosts\":", car->boosts);
    number(out, ",\"heat_corners\":", car->heat_corners);
    number(out, ",\"cooled\":", car->cooled);
    number(out, ",\"spins\":", car->spins);
    number(out, ",\"boosts\":", car->boosts);
    number(out, ",\"slipstreams\":", car->slipstreams);
    number(out, ",\"top_speed\":", car->top_speed);
    number(out, ",\"blocked\":", car->blocked);
    number(out, ",\"stress_played\":", car->stress_played);
    number(out, ",\"stress_taken\":", car->stress_taken);
    number(out, ",\"flips\":", car->flips);
    number(out, ",\"cluttered\":", car->cluttered);
}

size_t hp_summary_write(const hp_summary *summary, const hp_setup *setup, char *buffer, size_t size)
{
    text_out out = hp_text_into(buffer, size);
    number(&out, "{\"rounds\":", summary->rounds);
    hp_out_text(&out, summary->ended ? ",\"ended\":true" : ",\"ended\":false");
    hp_out_text(&out, ",\"cars\":[");
    for (int i = 0; i < setup->cars; i++) {
        if (i > 0)
            hp_out_char(&out, ',');
        car_text(&out, &summary->car[i]);
        by_round(&out, summary, setup, i);
        hp_out_char(&out, '}');
    }
    hp_out_text(&out, "]}\n");
    return hp_out_end(&out);
}
