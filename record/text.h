/* Writing into a caller's buffer and reading words from a line: shared by all of record/. */
#ifndef HP_RECORD_TEXT_H
#define HP_RECORD_TEXT_H

#include "hairpin.h"

/* ---- Writing ---------------------------------------------------------------------------------- */

typedef struct {
    char *buffer;
    size_t size;
    size_t length; /* of the whole text, also where it no longer fits */
} text_out;

text_out hp_text_into(char *buffer, size_t size);
void hp_out_char(text_out *out, char c);
void hp_out_text(text_out *out, const char *text);
void hp_out_number(text_out *out, int32_t number);
void hp_out_hex(text_out *out, uint64_t number); /* 16 digits */
/* A line of its own: a name, a blank, and what belongs to it. */
void hp_out_line(text_out *out, const char *name, const char *text);
void hp_out_number_line(text_out *out, const char *name, int32_t number);
size_t hp_out_end(text_out *out); /* sets the NUL; the length of the whole text */

/* ---- Reading ---------------------------------------------------------------------------------- */

/* A line and how far it has been read. Readers return false once a fault is set. */
typedef struct {
    const char *text;
    size_t length;
    size_t at;
    hp_fault *fault;
} text_in;

typedef struct {
    const char *text;
    size_t length;
} text_word;

/* Sets everything in fault but the line; false, so that readers can end with it. The word is copied,
 * what is no printable character as '?'. */
bool hp_fail(text_in *in, hp_text_fault kind, text_word word);
bool hp_fail_expected(text_in *in, const char *what);
bool hp_fail_expected_for(text_in *in, const char *what, text_word found); /* points at what is there */
bool hp_fail_range(text_in *in, const char *what, int32_t found, int32_t low, int32_t high);

text_word hp_word_of(const char *text); /* of a C string */
bool hp_word_is(text_word word, const char *text);
/* The part of word up to the separator, which is taken off with it. */
text_word hp_word_split(text_word *word, char separator);
bool hp_word_to_name(text_word word, char name[HP_NAME_MAX + 1]); /* a circuit's: a-z 0-9 -, 1 to 31 bytes */

/* True when every byte is printable ASCII, a tab or part of valid UTF-8; else sets HP_TEXT_NOT_TEXT. */
bool hp_check_text(text_in *in);

bool hp_at_end(text_in *in); /* only blanks are left */
/* The next word, up to a blank; HP_TEXT_EXPECTED, naming what, at the line's end. */
bool hp_next_word(text_in *in, const char *what, text_word *word);
/* The next word must be this one; what names it in the fault. */
bool hp_next_is(text_in *in, const char *text, const char *what);
/* The next word as a decimal number within low..high; what names it in the fault. */
bool hp_next_number(text_in *in, const char *what, int32_t low, int32_t high, int32_t *number);
bool hp_word_to_number(text_in *in, text_word word, const char *what, int32_t low, int32_t high,
                       int32_t *number);
bool hp_no_more(text_in *in); /* HP_TEXT_EXTRA unless the line is at its end */

/* HP_KINDS when the letter is no card. */
hp_card hp_card_of_letter(char letter);

#endif
