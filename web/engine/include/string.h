/* The part of <string.h> that tables and bots use besides what the library does: libc.c has it. */
#ifndef ENGINE_STRING_H
#define ENGINE_STRING_H

#include "../../../cmake/wasm/include/string.h"

void *memchr(const void *memory, int byte, size_t size);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);
char *strchr(const char *text, int c);
size_t strcspn(const char *text, const char *stop);
char *strncpy(char *restrict to, const char *restrict from, size_t size);

#endif
