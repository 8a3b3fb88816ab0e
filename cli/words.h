/* Words for people, in their language. English stands in the code; the other languages come from
 * po/, compiled into the program, so that nothing has to be installed or found. */
#ifndef HP_CLI_WORDS_H
#define HP_CLI_WORDS_H

#include "hairpin.h"

#define N_(text) text /* marks a text for translation where a call cannot stand */

/* "da", "nl", "de", "fr", "el" or "en"; NULL takes it from LANGUAGE, LC_ALL, LC_MESSAGES, LANG. False,
 * and English, when there is no such language. */
bool words_choose(const char *language);

const char *_(const char *english) __attribute__((format_arg(1)));
const char *n_(const char *one, const char *many, unsigned long n)
    __attribute__((format_arg(1), format_arg(2)));

/* Sentences for what the library says in enums; written into the buffer, which is returned. */
enum { SENTENCE_MAX = 400 };
const char *words_of_error(hp_error error);
const char *words_of_fault(const hp_fault *fault, char buffer[SENTENCE_MAX]);

/* Columns that a UTF-8 text takes on a terminal, for the six languages: one a character. */
int words_width(const char *text);
/* Prints text and fills up to width columns; a negative width fills on the left. */
void words_pad(const char *text, int width);

#endif
