/* What WebAssembly computes, and how fast: for tools/wasm_signature.mjs and tools/wasm_speed.mjs. */
#include "bench/play.h"
#include "bench/signature.h"

uint64_t signature(void);
uint64_t turns(int cars, uint32_t races);

__attribute__((export_name("signature"))) uint64_t signature(void)
{
    return bench_signature();
}

/* How many turns so many races on the first circuit have. */
__attribute__((export_name("turns"))) uint64_t turns(int cars, uint32_t races)
{
    hp_circuit circuit;
    bench_played sum = {0};
    hp_circuit_at(0, &circuit);
    for (uint32_t i = 0; i < races; i++)
        bench_play(&circuit.track, cars, i, NULL, &sum);
    return sum.turns;
}
