/* Two numbers for behaviour: of how races go, and of what bots choose in them. A change to the rules moves the first. The
 * second moves when a bot chooses otherwise in one of these races: a rare choice, or a large budget's, may change
 * unseen. The same for every compiler, level of optimisation, sanitizer, and in WebAssembly. */
#ifndef HP_BENCH_SIGNATURE_H
#define HP_BENCH_SIGNATURE_H

#include "hairpin.h"

/* By name: a circuit that somebody adds does not change the numbers. */
enum { BENCH_CIRCUITS = 4 };
extern const char *const bench_circuits[BENCH_CIRCUITS];

/* Over seeded random races on the four circuits, 1 to 6 cars, 1 to 3 laps: every act, event and hash. */
uint64_t bench_signature(void);

/* Over seeded races of all our bots there: every act; and what large budgets choose first, and explain. */
uint64_t bench_bots_signature(void);

static inline uint64_t bench_mix(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return sum ^ sum >> 29;
}

static inline uint64_t bench_mix_bytes(uint64_t sum, const uint8_t *bytes, int n)
{
    for (int i = 0; i < n; i++)
        sum = bench_mix(sum, bytes[i]);
    return sum;
}

static inline uint64_t bench_mix_act(uint64_t sum, hp_act act)
{
    sum = bench_mix_bytes(bench_mix(sum, act.kind), &act.number, 1);
    return bench_mix_bytes(sum, act.cards, HP_ACT_CARDS);
}

#endif
