/* The signature as WebAssembly computes it: tools/wasm_signature.mjs calls this. */
#include "bench/signature.h"

uint64_t signature(void);

__attribute__((export_name("signature"))) uint64_t signature(void)
{
    return bench_signature();
}
