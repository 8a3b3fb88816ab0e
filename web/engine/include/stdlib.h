/* The part of <stdlib.h> that bots use: memory.c has it. */
#ifndef ENGINE_STDLIB_H
#define ENGINE_STDLIB_H

#include <stddef.h>

void *malloc(size_t size);
void *calloc(size_t n, size_t size);
void free(void *memory);

#endif
