/* Memory: blocks of 2^n bytes, and a list of free ones for each n. Few are ever asked for: bots, and lists that
 * double when they are full. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 65536, SMALLEST = 5, CLASSES = 31 };

/* Before every block; what follows is aligned for bots' states. */
typedef struct block {
    _Alignas(16) struct block *next; /* while it is free */
    unsigned class;
} block;

extern unsigned char __heap_base; /* the linker's: where nothing is yet */
static block *unused[CLASSES];
static uintptr_t end; /* of what was given out */

static block *new_block(size_t size)
{
    if (end == 0)
        end = ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15;
    const uintptr_t wanted = end + size, there = __builtin_wasm_memory_size(0) * (uintptr_t)PAGE;
    if (wanted < end)
        return NULL;
    if (wanted > there && __builtin_wasm_memory_grow(0, (wanted - there + PAGE - 1) / PAGE) == SIZE_MAX)
        return NULL;
    block *b = (block *)end;
    end = wanted;
    return b;
}

void *malloc(size_t size)
{
    unsigned class = SMALLEST;
    if (size > SIZE_MAX / 4)
        return NULL;
    while (((size_t)1 << class) < size + sizeof(block))
        class ++;
    block *b = unused[class];
    if (b != NULL)
        unused[class] = b->next;
    else if ((b = new_block((size_t)1 << class)) == NULL)
        return NULL;
    b->class = class;
    return b + 1;
}

void *calloc(size_t n, size_t size)
{
    if (size != 0 && n > SIZE_MAX / size)
        return NULL;
    void *memory = malloc(n * size);
    if (memory != NULL)
        memset(memory, 0, n * size);
    return memory;
}

void free(void *memory)
{
    if (memory == NULL)
        return;
    block *b = (block *)memory - 1;
    b->next = unused[b->class];
    unused[b->class] = b;
}
