/* The words of tables: levels, colours, names, and what is said to a line that is refused. */
#include "table/table.h"

#include <string.h>

static const char levels[TABLE_LEVELS][9] = {"rookie", "driver", "champion"};
static const char colours[TABLE_COLOURS][7] = {"red",  "orange", "yellow", "green",
                                               "blue", "purple", "black",  "white"};

const char *table_level_word(table_level level)
{
    return levels[level];
}

const char *table_colour_word(table_colour colour)
{
    return colours[colour];
}

bool table_level_named(const char *word, size_t length, table_level *level)
{
    for (int i = 0; i < TABLE_LEVELS; i++)
        if (strlen(levels[i]) == length && memcmp(levels[i], word, length) == 0) {
            *level = (table_level)i;
            return true;
        }
    return false;
}

bool table_colour_named(const char *word, size_t length, table_colour *colour)
{
    for (int i = 0; i < TABLE_COLOURS; i++)
        if (strlen(colours[i]) == length && memcmp(colours[i], word, length) == 0) {
            *colour = (table_colour)i;
            return true;
        }
    return false;
}

/* ---- Names -------------------------------------------------------------------------------------- */

/* One character of UTF-8, in its shortest form and no surrogate; 0 when the bytes are none. */
static size_t next_character(const unsigned char *text, size_t length, uint32_t *character)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char first = text[0];
    const size_t bytes = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (bytes == 0 || first > 0xf4 || bytes > length)
        return 0;
    uint32_t c = bytes == 1 ? first : first & (0x7fu >> bytes);
    for (size_t i = 1; i < bytes; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (text[i] & 0x3f);
    }
    *character = c;
    return c < least[bytes] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff) ? 0 : bytes;
}

/* Characters that would hide, break or turn the text around them. */
static bool unseemly(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c || (c >= 0x200b && c <= 0x200f) ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
           (c >= 0xfff0 && c <= 0xffff) || c >= 0xe0000;
}

static bool blank(uint32_t c)
{
    return c == ' ' || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x202f ||
           c == 0x205f || c == 0x3000;
}

bool table_name_valid(const char *name, size_t length)
{
    const unsigned char *bytes = (const unsigned char *)name;
    uint32_t c = 0;
    if (length == 0 || length > HP_NAME_MAX)
        return false;
    for (size_t at = 0, size; at < length; at += size) {
        size = next_character(bytes + at, length - at, &c);
        if (size == 0 || unseemly(c) || (at == 0 && blank(c)))
            return false;
    }
    return !blank(c);
}

/* ---- Refusals ----------------------------------------------------------------------------------- */

typedef struct {
    const char *word, *text;
} refusal;

static const refusal refusals[TABLE_ERRORS] = {
    [TABLE_FINE] = {"ok", "All is well."},
    [TABLE_NOT_A_LINE] = {"not_a_line", "This is not a line that can be understood here."},
    [TABLE_TOO_LONG] = {"too_long", "The line is too long."},
    [TABLE_NOT_NOW] = {"not_now", "That is not possible at this stage of the race."},
    [TABLE_SEAT_TAKEN] = {"seat_taken", "Somebody sits there already."},
    [TABLE_SEAT_KEPT] = {"seat_kept", "That seat is kept for somebody else."},
    [TABLE_NOT_SEATED] = {"not_seated", "Nobody sits there who could do that."},
    [TABLE_BAD_NAME] = {"bad_name", "A name has 1 to 31 bytes of text, without control characters."},
    [TABLE_BAD_COLOUR] = {"bad_colour", "There is no such colour."},
    [TABLE_COLOUR_TAKEN] = {"colour_taken", "Somebody else has that colour."},
    [TABLE_BAD_SALT] = {"bad_salt", "A salt has 64 hexadecimal digits in lower case."},
    [TABLE_NO_LEVEL] = {"no_such_level", "There is no such bot."},
    [TABLE_NO_PHRASE] = {"no_such_phrase", "There is no such phrase."},
    [TABLE_OLD] = {"old", "The decision that this answers is past."},
    [TABLE_AHEAD] = {"ahead", "This answers an entry that has not happened."},
    [TABLE_BOT_DRIVES] = {"bot_drives", "A bot has the wheel; take it back first."},
    [TABLE_BOT_DOES_NOT] = {"bot_does_not", "No bot has the wheel there."},
    [TABLE_NOT_AWAITED] = {"not_awaited", "The race does not wait for that seat, or not for long enough."},
    [TABLE_ILLEGAL] = {"illegal", "The rules do not allow that."},
};

static const refusal rules[HP_ERRORS] = {
    [HP_OK] = {"illegal", "The rules do not allow that."},
    [HP_NOT_AN_ACT] = {"not_an_act", "That is no act."},
    [HP_RACE_OVER] = {"race_over", "The race is over."},
    [HP_NOT_YOUR_TURN] = {"not_your_turn", "It is not this car's turn."},
    [HP_WRONG_STEP] = {"wrong_step", "That is not what is to be decided now."},
    [HP_NO_SUCH_GEAR] = {"no_such_gear", "There are gears 1 to 4."},
    [HP_SHIFT_TOO_FAR] = {"shift_too_far", "Gears can be shifted by two at most."},
    [HP_SHIFT_UNPAID] = {"shift_unpaid", "Shifting by two costs a Heat card, and the engine has none."},
    [HP_NOT_IN_HAND] = {"not_in_hand", "Those cards are not in the hand."},
    [HP_HEAT_NOT_PLAYABLE] = {"heat_not_playable", "Heat cannot be played while there are other cards."},
    [HP_CLUTTER_INCOMPLETE] = {"clutter_incomplete", "All playable cards must be played first."},
    [HP_TOO_EARLY_TO_RETIRE] = {"too_early_to_retire", "It is too early to retire."},
    [HP_NOTHING_PLANNED] = {"nothing_planned", "There is no plan to take back."},
    [HP_NO_COOLDOWN] = {"no_cooldown", "There is no cooldown left in this turn."},
    [HP_COOLS_TOO_MUCH] = {"cools_too_much", "The gear does not cool as many cards."},
    [HP_NO_HEAT_IN_HAND] = {"no_heat_in_hand", "There are not as many Heat cards in the hand."},
    [HP_NO_ADRENALINE] = {"no_adrenaline", "This car has no adrenaline in this round."},
    [HP_ADRENALINE_USED] = {"adrenaline_used", "The adrenaline is used up."},
    [HP_ADRENALINE_STUCK] = {"adrenaline_stuck", "The car cannot move further."},
    [HP_BOOST_USED] = {"boost_used", "There is one boost a turn."},
    [HP_BOOST_UNPAID] = {"boost_unpaid", "A boost costs a Heat card, and the engine has none."},
    [HP_DISCARD_NOT_IN_HAND] = {"discard_not_in_hand", "Those cards are not in the hand."},
    [HP_NOT_DISCARDABLE] = {"not_discardable", "Heat and stress cards cannot be discarded."},
    [HP_BAD_SETUP] = {"bad_setup", "No race can be set up like that."},
};

static const refusal *refusal_of(table_error error, hp_error rule)
{
    return error == TABLE_ILLEGAL ? &rules[rule] : &refusals[error];
}

const char *table_error_word(table_error error, hp_error rule)
{
    return refusal_of(error, rule)->word;
}

const char *table_error_text(table_error error, hp_error rule)
{
    return refusal_of(error, rule)->text;
}
