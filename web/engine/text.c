#include "engine.h"

#include <stdlib.h>
#include <string.h>

static char *room, *answer;
static size_t room_size, answer_size, answered;

void *engine_grown(void *list, size_t *size, size_t least, size_t each)
{
    size_t larger = *size < 16 ? 16 : *size;
    while (larger < least)
        larger *= 2;
    if (larger == *size)
        return list;
    void *grown = malloc(larger * each);
    if (grown == NULL)
        __builtin_trap(); /* what is stored is safe; a new instance goes on from there */
    memcpy(grown, list, *size * each);
    free(list);
    *size = larger;
    return grown;
}

EXPORT(room) char *engine_room(size_t size)
{
    if (size > ENGINE_ROOM_MAX)
        return NULL;
    room = engine_grown(room, &room_size, size + 1, 1);
    return room;
}

EXPORT(answer) char *engine_answer(void)
{
    return answer;
}

const char *engine_text(size_t length)
{
    if (length >= room_size)
        return NULL;
    room[length] = '\0';
    return room;
}

void engine_begin(void)
{
    answered = 0;
}

void engine_add(const char *text, size_t length)
{
    answer = engine_grown(answer, &answer_size, answered + length, 1);
    memcpy(answer + answered, text, length);
    answered += length;
}

int engine_end(void)
{
    return (int)answered;
}

void engine_add_written(engine_writer *write, const void *what)
{
    const size_t length = write(what, answer + answered, answer_size - answered);
    if (length >= answer_size - answered) {
        answer = engine_grown(answer, &answer_size, answered + length + 1, 1);
        write(what, answer + answered, answer_size - answered);
    }
    answered += length;
}

/* ---- JSON --------------------------------------------------------------------------------------- */

void engine_add_text(const char *text)
{
    engine_add(text, strlen(text));
}

void engine_add_key(const char *name)
{
    if (answered > 0 && answer[answered - 1] != '{')
        engine_add_text(",");
    engine_add_text("\"");
    engine_add_text(name);
    engine_add_text("\":");
}

void engine_add_number(const char *name, int32_t number)
{
    char digits[16];
    text_out out = hp_text_into(digits, sizeof digits);
    hp_out_number(&out, number);
    engine_add_key(name);
    engine_add(digits, hp_out_end(&out));
}

void engine_add_truth(const char *name, bool truth)
{
    engine_add_key(name);
    engine_add_text(truth ? "true" : "false");
}

void engine_add_string(const char *name, const char *text, size_t length)
{
    engine_add_key(name);
    engine_add("\"", 1);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"' || text[i] == '\\')
            engine_add("\\", 1);
        engine_add((unsigned char)text[i] < ' ' ? " " : text + i, 1);
    }
    engine_add("\"", 1);
}

void engine_add_hex(const char *name, const uint8_t bytes[32])
{
    char digits[HP_SEED_TEXT];
    hp_hex_write(bytes, digits);
    engine_add_string(name, digits, strlen(digits));
}

void engine_add_line(const char *line, size_t length)
{
    engine_add(line, length - 1);
}
