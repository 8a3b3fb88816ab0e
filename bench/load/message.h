/* What the server says, as far as a driver needs it. Messages are JSON without a NUL behind them, so that
 * every function is told where they end. */
#ifndef LOAD_MESSAGE_H
#define LOAD_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The value of a key of the object that begins at this place; NULL for none. Only its own keys count, not
 * those of objects inside, and their order does not matter. */
const char *json_find(const char *object, const char *end, const char *key);

bool json_is(const char *value, const char *end, const char *word);
long json_number(const char *value, const char *end, long otherwise);
/* A string without escapes that fits, as all of ours do; else false. */
bool json_copy(const char *value, const char *end, char *out, size_t size);

/* splitmix64 */
uint64_t roll(uint64_t *dice);

enum { ACT_TEXT = 32 };

/* Chooses at random from the acts of a state. False when it has none, or when the seat has planned already:
 * then there is a plan to take back. Retires only when there is nothing else. */
bool choose_act(const char *state, const char *end, uint64_t *dice, char act[ACT_TEXT]);

#endif
