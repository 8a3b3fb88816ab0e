#define _GNU_SOURCE /* memmem */
#include "bench/load/message.h"

#include <string.h>

/* ---- JSON --------------------------------------------------------------------------------------- */

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
        at++;
    return at;
}

/* From its quote to behind the other one. */
static const char *skip_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++)
        at += *at == '\\' && at + 1 < end;
    return at < end ? at + 1 : end;
}

static const char *skip_value(const char *at, const char *end)
{
    int depth = 0;
    while (at < end) {
        if (*at == '"') {
            at = skip_string(at, end);
        } else if (depth == 0 && (*at == ',' || *at == '}' || *at == ']')) {
            break;
        } else {
            depth += *at == '{' || *at == '[' ? 1 : *at == '}' || *at == ']' ? -1 : 0;
            at++;
        }
    }
    return at;
}

const char *json_find(const char *object, const char *end, const char *key)
{
    const size_t length = strlen(key);
    if (object == NULL || object >= end || *object != '{')
        return NULL;
    for (const char *at = skip_blanks(object + 1, end); at < end && *at == '"';) {
        const char *name = at + 1;
        at = skip_string(at, end);
        const bool found = (size_t)(at - name) == length + 1 && memcmp(name, key, length) == 0;
        at = skip_blanks(at, end);
        if (at >= end || *at != ':')
            return NULL;
        at = skip_blanks(at + 1, end);
        if (found)
            return at < end ? at : NULL;
        at = skip_blanks(skip_value(at, end), end);
        if (at >= end || *at != ',')
            return NULL;
        at = skip_blanks(at + 1, end);
    }
    return NULL;
}

bool json_is(const char *value, const char *end, const char *word)
{
    const size_t length = strlen(word);
    return value != NULL && (size_t)(end - value) >= length + 2 && value[0] == '"' &&
           value[length + 1] == '"' && memcmp(value + 1, word, length) == 0;
}

long json_number(const char *value, const char *end, long otherwise)
{
    if (value == NULL)
        return otherwise;
    const bool negative = *value == '-';
    const char *at = value + negative;
    long n = 0;
    if (at >= end || *at < '0' || *at > '9')
        return otherwise;
    for (; at < end && *at >= '0' && *at <= '9'; at++) {
        if (n > (1L << 53))
            return otherwise;
        n = n * 10 + (*at - '0');
    }
    return negative ? -n : n;
}

bool json_copy(const char *value, const char *end, char *out, size_t size)
{
    if (value == NULL || *value != '"')
        return false;
    const char *after = skip_string(value, end);
    const size_t length = (size_t)(after - value);
    if (length < 2 || after[-1] != '"' || length - 2 >= size || memchr(value, '\\', length) != NULL)
        return false;
    memcpy(out, value + 1, length - 2);
    out[length - 2] = '\0';
    return true;
}

/* ---- Acts --------------------------------------------------------------------------------------- */

uint64_t roll(uint64_t *dice)
{
    uint64_t z = *dice += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

bool choose_act(const char *state, const char *end, uint64_t *dice, char act[ACT_TEXT])
{
    /* A quote inside a string has a backslash before it, and no object inside has a key of that name: so
     * this finds nothing else, and much faster than going through table and view. */
    static const char key[] = "\"acts\":[";
    const char *at = memmem(state, (size_t)(end - state), key, sizeof key - 1);
    const char *chosen = NULL, *retire = NULL;
    uint64_t seen = 0;
    if (at == NULL)
        return false;
    for (at = skip_blanks(at + sizeof key - 1, end); at < end && *at == '"';) {
        if (json_is(at, end, "unplan"))
            return false;
        if (json_is(at, end, "retire"))
            retire = at;
        else if (roll(dice) % ++seen == 0) /* each of them is as likely as the others in the end */
            chosen = at;
        at = skip_blanks(skip_string(at, end), end);
        if (at < end && *at == ',')
            at = skip_blanks(at + 1, end);
    }
    return json_copy(chosen != NULL ? chosen : retire, end, act, ACT_TEXT);
}
