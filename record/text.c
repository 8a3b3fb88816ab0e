#include "record/text.h"

#include <string.h>

text_out hp_text_into(char *buffer, size_t size)
{
    return (text_out){.buffer = buffer, .size = size};
}

void hp_out_char(text_out *out, char c)
{
    if (out->length + 1 < out->size)
        out->buffer[out->length] = c;
    out->length++;
}

void hp_out_text(text_out *out, const char *text)
{
    const text_word word = hp_word_of(text);
    if (out->length + word.length < out->size) {
        memcpy(out->buffer + out->length, word.text, word.length);
        out->length += word.length;
        return;
    }
    while (*text != '\0')
        hp_out_char(out, *text++);
}

void hp_out_number(text_out *out, int32_t number)
{
    if (number >= 0 && number <= 9) { /* most numbers of a race */
        hp_out_char(out, (char)('0' + number));
        return;
    }
    char digits[10]; /* 2^31 has ten */
    int n = 0;
    uint32_t rest = number < 0 ? 0u - (uint32_t)number : (uint32_t)number;
    do {
        digits[n++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (number < 0)
        hp_out_char(out, '-');
    while (n > 0)
        hp_out_char(out, digits[--n]);
}

void hp_out_hex(text_out *out, uint64_t number)
{
    for (int shift = 60; shift >= 0; shift -= 4)
        hp_out_char(out, "0123456789abcdef"[(number >> shift) & 15]);
}

void hp_out_line(text_out *out, const char *name, const char *text)
{
    hp_out_text(out, name);
    hp_out_char(out, ' ');
    hp_out_text(out, text);
    hp_out_char(out, '\n');
}

void hp_out_number_line(text_out *out, const char *name, int32_t number)
{
    hp_out_text(out, name);
    hp_out_char(out, ' ');
    hp_out_number(out, number);
    hp_out_char(out, '\n');
}

size_t hp_out_end(text_out *out)
{
    if (out->size > 0)
        out->buffer[out->length < out->size ? out->length : out->size - 1] = '\0';
    return out->length;
}

/* ---- Reading ---------------------------------------------------------------------------------- */

static bool printable(char c)
{
    return c >= ' ' && c <= '~';
}

/* Length of the UTF-8 sequence at text, 0 when it is none: overlong forms, surrogates and values above
 * U+10FFFF are none. */
static size_t utf8_sequence(const unsigned char *text, size_t length)
{
    size_t more;
    uint32_t value, least;
    if (text[0] >= 0xc2 && text[0] <= 0xdf) {
        more = 1, least = 0x80, value = text[0] & 0x1f;
    } else if (text[0] >= 0xe0 && text[0] <= 0xef) {
        more = 2, least = 0x800, value = text[0] & 0x0f;
    } else if (text[0] >= 0xf0 && text[0] <= 0xf4) {
        more = 3, least = 0x10000, value = text[0] & 0x07;
    } else {
        return 0;
    }
    if (length <= more)
        return 0;
    for (size_t i = 1; i <= more; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (text[i] & 0x3f);
    }
    if (value < least || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
        return 0;
    return more + 1;
}

bool hp_fail(text_in *in, hp_text_fault kind, text_word word)
{
    hp_fault *fault = in->fault;
    const int line = fault->line;
    *fault = (hp_fault){.kind = kind, .line = line, .column = (int)in->at + 1};
    for (size_t i = 0, n = 0; i < word.length && n < HP_NAME_MAX;) {
        const size_t more = printable(word.text[i])
                                ? 1
                                : utf8_sequence((const unsigned char *)word.text + i, word.length - i);
        if (n + more > HP_NAME_MAX)
            break;
        if (more == 0)
            fault->word[n++] = '?', i++;
        for (size_t k = 0; k < more; k++)
            fault->word[n++] = word.text[i++];
    }
    /* A word that stands in the line is pointed at by its first letter. */
    const uintptr_t offset = (uintptr_t)word.text - (uintptr_t)in->text;
    if (offset < in->length)
        fault->column = (int)offset + 1;
    return false;
}

bool hp_fail_expected(text_in *in, const char *what)
{
    return hp_fail(in, HP_TEXT_EXPECTED, hp_word_of(what));
}

bool hp_fail_expected_for(text_in *in, const char *what, text_word found)
{
    hp_fail_expected(in, what);
    in->fault->column = (int)(found.text - in->text) + 1;
    return false;
}

bool hp_fail_range(text_in *in, const char *what, int32_t found, int32_t low, int32_t high)
{
    hp_fail(in, HP_TEXT_NUMBER_RANGE, hp_word_of(what));
    in->fault->number = found;
    in->fault->low = low;
    in->fault->high = high;
    return false;
}

text_word hp_word_of(const char *text)
{
    text_word word = {.text = text};
    while (text[word.length] != '\0')
        word.length++;
    return word;
}

bool hp_word_is(text_word word, const char *text)
{
    const text_word other = hp_word_of(text);
    return word.length == other.length && memcmp(word.text, other.text, word.length) == 0;
}

text_word hp_word_split(text_word *word, char separator)
{
    text_word part = {.text = word->text};
    while (part.length < word->length && part.text[part.length] != separator)
        part.length++;
    const size_t used = part.length < word->length ? part.length + 1 : part.length;
    word->text += used;
    word->length -= used;
    return part;
}

bool hp_word_to_name(text_word word, char name[HP_NAME_MAX + 1])
{
    if (word.length == 0 || word.length > HP_NAME_MAX)
        return false;
    for (size_t i = 0; i < word.length; i++) {
        const char c = word.text[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c == '-' && i > 0)))
            return false;
    }
    memset(name, 0, HP_NAME_MAX + 1);
    memcpy(name, word.text, word.length);
    return true;
}

bool hp_check_text(text_in *in)
{
    for (size_t i = 0; i < in->length;) {
        const unsigned char *c = (const unsigned char *)in->text + i;
        size_t step = printable((char)*c) || *c == '\t' ? 1 : utf8_sequence(c, in->length - i);
        if (step == 2 && *c == 0xc2 && c[1] < 0xa0)
            step = 0; /* a control character in two bytes */
        if (step == 0) {
            in->at = i;
            return hp_fail(in, HP_TEXT_NOT_TEXT, (text_word){0});
        }
        i += step;
    }
    return true;
}

static bool blank(char c)
{
    return c == ' ' || c == '\t';
}

bool hp_at_end(text_in *in)
{
    while (in->at < in->length && blank(in->text[in->at]))
        in->at++;
    return in->at == in->length;
}

bool hp_next_word(text_in *in, const char *what, text_word *word)
{
    if (hp_at_end(in))
        return hp_fail_expected(in, what);
    *word = (text_word){.text = in->text + in->at};
    while (in->at < in->length && !blank(in->text[in->at])) {
        in->at++;
        word->length++;
    }
    return true;
}

bool hp_next_is(text_in *in, const char *text, const char *what)
{
    text_word word = {0};
    return hp_next_word(in, what, &word) && (hp_word_is(word, text) || hp_fail_expected_for(in, what, word));
}

bool hp_word_to_number(text_in *in, text_word word, const char *what, int32_t low, int32_t high,
                       int32_t *number)
{
    const bool negative = word.length > 0 && word.text[0] == '-';
    size_t i = negative ? 1 : 0;
    if (i == word.length)
        return hp_fail(in, HP_TEXT_BAD_NUMBER, word);
    int32_t value = 0;
    for (; i < word.length; i++) {
        if (word.text[i] < '0' || word.text[i] > '9')
            return hp_fail(in, HP_TEXT_BAD_NUMBER, word);
        if (value < 100000000) /* beyond that it is out of every range, and stays below 2^31 */
            value = value * 10 + (word.text[i] - '0');
        else
            value = 1000000000;
    }
    if (negative)
        value = -value;
    if (value < low || value > high) {
        hp_fail_range(in, what, value, low, high);
        in->fault->column = (int)(word.text - in->text) + 1;
        return false;
    }
    *number = value;
    return true;
}

bool hp_next_number(text_in *in, const char *what, int32_t low, int32_t high, int32_t *number)
{
    text_word word;
    return hp_next_word(in, what, &word) && hp_word_to_number(in, word, what, low, high, number);
}

bool hp_no_more(text_in *in)
{
    text_word word;
    if (hp_at_end(in))
        return true;
    hp_next_word(in, "", &word);
    return hp_fail(in, HP_TEXT_EXTRA, word);
}

hp_card hp_card_of_letter(char letter)
{
    if (letter >= '0' && letter <= '5')
        return (hp_card)(HP_ZERO + (letter - '0'));
    return letter == 'H' ? HP_HEAT : letter == 'S' ? HP_STRESS : HP_KINDS;
}
