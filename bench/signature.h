/* One number for behaviour: changes when, and only when, any race would go differently. */
#ifndef HP_BENCH_SIGNATURE_H
#define HP_BENCH_SIGNATURE_H

#include <stdint.h>

/* Over seeded random races on the four circuits, 1 to 6 cars, 1 to 3 laps: every act, event and
 * hash. The same for every compiler, level of optimisation, sanitizer, and in WebAssembly. */
uint64_t bench_signature(void);

#endif
