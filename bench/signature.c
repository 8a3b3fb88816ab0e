#include "bench/signature.h"

static void hear(void *self, const hp_event *event)
{
    uint64_t sum = *(uint64_t *)self;
    const uint8_t small[] = {event->kind,  event->car,       event->why,     event->count, event->adrenaline,
                             event->slot,  event->gear_from, event->gear_to, event->kept,  event->corner,
                             event->limit, event->paid,      event->speed,   event->place};
    sum = bench_mix_bytes(sum, small, sizeof small);
    sum = bench_mix_bytes(sum, event->cards, HP_HAND);
    sum = bench_mix_bytes(sum, event->cars, HP_CARS_MAX);
    sum = bench_mix(sum, event->number);
    sum = bench_mix(sum, (uint64_t)(event->from.at + 1000) << 16 | (uint64_t)event->from.spot);
    *(uint64_t *)self = bench_mix(sum, (uint64_t)(event->to.at + 1000) << 16 | (uint64_t)event->to.spot);
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
        dice = bench_mix(dice, (uint64_t)n);
        const hp_act act = acts[(dice >> 32) * (uint64_t)n >> 32];
        sum = bench_mix_act(sum, act);
        hp_apply(&race, car, act, &listener);
        sum = bench_mix(sum, hp_hash(&race));
    }
    return sum;
}

const char *const bench_circuits[BENCH_CIRCUITS] = {"usa", "great-britain", "italy", "france"};

uint64_t bench_signature(void)
{
    uint64_t sum = 0;
    for (int c = 0; c < BENCH_CIRCUITS; c++) {
        hp_circuit circuit;
        if (!hp_circuit_named(bench_circuits[c], &circuit))
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
