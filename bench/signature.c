#include "bench/signature.h"

#include "hairpin.h"

static uint64_t mix(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return sum ^ sum >> 29;
}

static uint64_t mix_bytes(uint64_t sum, const uint8_t *bytes, int n)
{
    for (int i = 0; i < n; i++)
        sum = mix(sum, bytes[i]);
    return sum;
}

static void hear(void *self, const hp_event *event)
{
    uint64_t sum = *(uint64_t *)self;
    const uint8_t small[] = {event->kind,  event->car,       event->why,     event->count, event->adrenaline,
                             event->slot,  event->gear_from, event->gear_to, event->kept,  event->corner,
                             event->limit, event->paid,      event->speed,   event->place};
    sum = mix_bytes(sum, small, sizeof small);
    sum = mix_bytes(sum, event->cards, HP_HAND);
    sum = mix_bytes(sum, event->cars, HP_CARS_MAX);
    sum = mix(sum, event->number);
    sum = mix(sum, (uint64_t)(event->from.at + 1000) << 16 | (uint64_t)event->from.spot);
    *(uint64_t *)self = mix(sum, (uint64_t)(event->to.at + 1000) << 16 | (uint64_t)event->to.spot);
}

static uint64_t race_sum(uint64_t sum, const hp_setup *setup)
{
    const hp_listener listener = {.hear = hear, .self = &sum};
    hp_race race;
    hp_act acts[HP_ACTS_MAX];
    uint64_t dice = sum;
    hp_start(&race, setup, &listener);
    for (int car; (car = hp_to_act(&race)) >= 0;) {
        hp_view view;
        hp_look(&race, car, &view);
        const int n = hp_acts(&view.choice, acts);
        dice = mix(dice, (uint64_t)n);
        const hp_act act = acts[(dice >> 32) * (uint64_t)n >> 32];
        sum = mix_bytes(mix(sum, act.kind), &act.number, 1);
        sum = mix_bytes(sum, act.cards, HP_ACT_CARDS);
        hp_apply(&race, car, act, &listener);
        sum = mix(sum, hp_hash(&race));
    }
    return sum;
}

/* By name: a circuit that somebody adds does not change the number. */
uint64_t bench_signature(void)
{
    static const char *const names[] = {"usa", "great-britain", "italy", "france"};
    uint64_t sum = 0;
    for (int c = 0; c < 4; c++) {
        hp_circuit circuit;
        if (!hp_circuit_named(names[c], &circuit))
            return 0;
        for (int cars = 1; cars <= HP_CARS_MAX; cars++)
            for (int laps = 1; laps <= 3; laps++) {
                hp_setup setup = {.track = circuit.track, .cars = (uint8_t)cars, .laps = (uint8_t)laps};
                for (int i = 0; i < cars; i++)
                    setup.handicap[i] = (uint8_t)((i + laps) % (HP_HANDICAP_MAX + 1));
                hp_seed_of((uint64_t)c, (uint64_t)(10 * cars + laps), setup.seed);
                sum = race_sum(sum, &setup);
            }
    }
    return sum;
}
