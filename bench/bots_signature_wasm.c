/* What bots choose in WebAssembly, beside what the library computes there (bench/signature_wasm.c). */
#include "bench/signature.h"

uint64_t bots_signature(void);

__attribute__((export_name("bots_signature"))) uint64_t bots_signature(void)
{
    return bench_bots_signature();
}
