#include "bench/signature.h"

#include "bots/bots.h"

typedef struct {
    int cars, circuits; /* on so many of the four, from the first */
    const char *bot[HP_CARS_MAX];
} field;

/* Alone, in duels and among more. */
static const field fields[] = {
    {1, BENCH_CIRCUITS, {"driver"}},
    {2, BENCH_CIRCUITS, {"driver", "driver"}},
    {2, BENCH_CIRCUITS, {"driver", "rookie"}},
    {2, BENCH_CIRCUITS, {"champion:60", "driver"}},
    {2, 1, {"champion:1000", "driver"}}, /* with so many, more acts are tried */
    {3, BENCH_CIRCUITS, {"rookie", "random", "null"}},
    {6, BENCH_CIRCUITS, {"driver", "driver", "rookie", "driver", "champion:30", "rookie"}},
};

typedef struct {
    bot *bot[HP_CARS_MAX];
    int cars;
} grid;

static void hear(void *self, const hp_event *event)
{
    const grid *g = self;
    for (int i = 0; i < g->cars; i++)
        bot_hear(g->bot[i], event);
}

/* At a race's start: what large budgets choose, and what a champion thinks of every act. */
static uint64_t thoughts_sum(uint64_t sum, const hp_setup *setup)
{
    static const char *const champions[] = {"champion:3000", "champion:12000"};
    const hp_memory memory = {0};
    bot_estimate all[HP_ACTS_MAX];
    hp_race race;
    hp_view view;
    hp_start(&race, setup, NULL);
    hp_look(&race, 0, &view);
    for (int i = 0; i < 2; i++) {
        bot *b = bot_open(champions[i], 0, 1);
        if (b == NULL)
            return 0;
        sum = bench_mix_act(sum, bot_choose(b, &view));
        bot_close(b);
    }
    const int n = bot_explain(&view, &memory, 300, 1, all);
    for (int i = 0; i < n; i++) {
        sum = bench_mix(bench_mix_act(sum, all[i].act), all[i].playouts);
        sum = bench_mix(bench_mix(bench_mix(sum, all[i].wins), all[i].places), all[i].heat);
    }
    return sum;
}

static uint64_t race_sum(uint64_t sum, const hp_setup *setup, const field *f)
{
    grid g = {.cars = f->cars};
    const hp_listener listener = {hear, &g};
    hp_race race;
    for (int i = 0; i < f->cars; i++)
        if ((g.bot[i] = bot_open(f->bot[i], i, (uint64_t)i)) == NULL)
            return 0;
    hp_start(&race, setup, &listener);
    for (int car; (car = hp_to_act(&race)) >= 0;) {
        hp_view view;
        hp_look(&race, car, &view);
        const hp_act act = bot_choose(g.bot[car], &view);
        sum = bench_mix_act(sum, act);
        hp_apply(&race, car, act, &listener);
    }
    for (int i = 0; i < f->cars; i++)
        bot_close(g.bot[i]);
    return sum;
}

uint64_t bench_bots_signature(void)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        for (int c = 0; c < fields[i].circuits; c++) {
            hp_circuit circuit;
            if (!hp_circuit_named(bench_circuits[c], &circuit))
                return 0;
            hp_setup setup = {.track = circuit.track, .cars = (uint8_t)fields[i].cars, .laps = 1};
            hp_seed_of(2, (uint64_t)(10 * i) + (uint64_t)c, setup.seed);
            sum = race_sum(sum, &setup, &fields[i]);
            if (fields[i].cars == 2)
                sum = thoughts_sum(sum, &setup);
        }
    return sum;
}
