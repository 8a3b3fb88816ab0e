/* The engine of the page: the table with all that belongs to it, for a browser. JavaScript writes a text to
 * where engine_room says, calls a function with its length, and finds the answer's text, if there is one, at
 * engine_answer; docs/PAGE.md tells who does that. One instance keeps one table; another one may look at race
 * files. Nothing is imported: time and chance come from the caller.
 *
 * Whatever is given, rubbish too, is answered; what is refused changes nothing. */
#ifndef ENGINE_H
#define ENGINE_H

#include "hairpin.h"
#include "record/text.h"

#define EXPORT(name) __attribute__((export_name(#name)))

/* ---- Texts (text.c) ----------------------------------------------------------------------------- */

enum { ENGINE_ROOM_MAX = 16 * 1024 * 1024 };

/* Room for a text of so many bytes, for the next call of anything else; NULL when it is too large. */
char *engine_room(size_t size);
char *engine_answer(void);

/* The caller's text with a NUL behind it; NULL when it is longer than the room that was asked for. */
const char *engine_text(size_t length);

/* The answer: begun, added to, and its length at the end. */
void engine_begin(void);
void engine_add(const char *text, size_t length);
int engine_end(void);

/* What this function writes, in as much room as it needs. */
typedef size_t engine_writer(const void *what, char *buffer, size_t size);
void engine_add_written(engine_writer *write, const void *what);

/* A list of at least so many things; the new ones are not set. Without memory all ends here. */
void *engine_grown(void *list, size_t *size, size_t least, size_t each);

/* ---- JSON (text.c) ------------------------------------------------------------------------------ */

void engine_add_text(const char *text);
void engine_add_key(const char *name); /* with a comma before it, unless it is the first */
void engine_add_number(const char *name, int32_t number);
void engine_add_truth(const char *name, bool truth);
void engine_add_string(const char *name, const char *text,
                       size_t length); /* control characters become blanks */
void engine_add_hex(const char *name, const uint8_t bytes[32]);
void engine_add_line(const char *line, size_t length); /* JSON with a line feed, without it */

#endif
