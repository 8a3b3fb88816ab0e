#include "cli/words.h"

#include "record/embedded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The only state that outlives a call: chosen once at the start, read by every sentence. */
static const struct hp_embedded *catalogue; /* NULL for English */

/* ---- Compiled catalogues (GNU .mo): sorted tables of offsets into the file ---------------------- */

static uint32_t number_at(size_t offset)
{
    const unsigned char *p = (const unsigned char *)catalogue->data + offset;
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Entry i of the table whose offset stands at 12 (originals) or 16 (translations). */
static const char *text_at(size_t table, uint32_t i)
{
    return catalogue->data + number_at(number_at(table) + 8 * (size_t)i + 4);
}

static const char *look_up(const char *english)
{
    if (catalogue == NULL)
        return NULL;
    uint32_t low = 0, high = number_at(8);
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int order = strcmp(english, text_at(12, middle));
        if (order == 0)
            return text_at(16, middle);
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

const char *_(const char *english)
{
    const char *found = english[0] == '\0' ? NULL : look_up(english);
    return found != NULL && found[0] != '\0' ? found : english;
}

/* French counts 0 as one; the other five only 1. */
static bool plural(unsigned long n)
{
    return catalogue != NULL && strcmp(catalogue->name, "fr") == 0 ? n > 1 : n != 1;
}

const char *n_(const char *one, const char *many, unsigned long n)
{
    const char *found = look_up(one);
    if (found == NULL || found[0] == '\0')
        return plural(n) ? many : one;
    return plural(n) ? found + strlen(found) + 1 : found; /* both forms, a NUL between them */
}

/* ---- Choosing ---------------------------------------------------------------------------------- */

static bool choose(const char *name, size_t length)
{
    if (length == 2 && memcmp(name, "en", 2) == 0) {
        catalogue = NULL;
        return true;
    }
    for (int i = 0; i < hp_embedded_catalogue_count; i++)
        if (strlen(hp_embedded_catalogues[i].name) == length &&
            memcmp(hp_embedded_catalogues[i].name, name, length) == 0) {
            catalogue = &hp_embedded_catalogues[i];
            return true;
        }
    return false;
}

bool words_choose(const char *language)
{
    catalogue = NULL;
    if (language != NULL)
        return choose(language, strcspn(language, "_.@"));
    /* The first of these that is set is the locale; LANGUAGE, a list of wishes, counts unless that is C. */
    static const char *const variables[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    const char *locale = NULL;
    for (size_t i = 0; i < 3 && (locale == NULL || locale[0] == '\0'); i++)
        locale = getenv(variables[i]);
    if (locale != NULL && (strcmp(locale, "C") == 0 || strcmp(locale, "POSIX") == 0))
        return true;
    const char *wishes = getenv("LANGUAGE");
    for (; wishes != NULL && *wishes != '\0'; wishes += strcspn(wishes, ":"), wishes += *wishes == ':')
        if (choose(wishes, strcspn(wishes, "_.@:")))
            return true;
    return locale != NULL && choose(locale, strcspn(locale, "_.@"));
}

/* ---- Sentences --------------------------------------------------------------------------------- */

const char *words_of_error(hp_error error)
{
    static const char *const sentences[HP_ERRORS] = {
        [HP_OK] = N_("this is legal"),
        [HP_NOT_AN_ACT] = N_("this is not an act"),
        [HP_RACE_OVER] = N_("the race is over"),
        [HP_NOT_YOUR_TURN] = N_("it is not this car's turn"),
        [HP_WRONG_STEP] = N_("this act belongs to another step of the turn"),
        [HP_NO_SUCH_GEAR] = N_("there are only four gears"),
        [HP_SHIFT_TOO_FAR] = N_("nobody shifts by three gears"),
        [HP_SHIFT_UNPAID] = N_("shifting by two gears costs 1 Heat, and the engine has none"),
        [HP_NOT_IN_HAND] = N_("a card that is named is not in the hand"),
        [HP_HEAT_NOT_PLAYABLE] = N_("Heat cannot be played while there are enough playable cards"),
        [HP_CLUTTER_INCOMPLETE] = N_("with a cluttered hand every playable card must be played"),
        [HP_TOO_EARLY_TO_RETIRE] = N_("nobody may retire before a car has finished"),
        [HP_NOTHING_PLANNED] = N_("there is no plan to take back"),
        [HP_NO_COOLDOWN] = N_("there is no cooldown left"),
        [HP_COOLS_TOO_MUCH] = N_("the cooldown of this gear is smaller"),
        [HP_NO_HEAT_IN_HAND] = N_("there is not so much Heat in the hand"),
        [HP_NO_ADRENALINE] = N_("this car has no adrenaline"),
        [HP_ADRENALINE_USED] = N_("this adrenaline is used already"),
        [HP_ADRENALINE_STUCK] = N_("the car is blocked: adrenaline would not move it"),
        [HP_BOOST_USED] = N_("only one boost a turn"),
        [HP_BOOST_UNPAID] = N_("a boost costs 1 Heat, and the engine has none"),
        [HP_DISCARD_NOT_IN_HAND] = N_("a card that is named is not in the hand"),
        [HP_NOT_DISCARDABLE] = N_("stress and Heat cannot be discarded"),
        [HP_BAD_SETUP] = N_("no race can be set up like this"),
    };
    return _(sentences[error]);
}

/* What the library calls things in its faults, where they are no words of a file format. */
__attribute__((unused)) static const char *const concepts[] = {
    N_("play area"), N_("hand"),   N_("places"), N_("symbols"), N_("order"), N_("step"),
    N_("plan"),      N_("place"),  N_("spot"),   N_("number"),  N_("cards"), N_("card"),
    N_("corners"),   N_("points"), N_("gear"),   N_("speed"),   N_("act"),   N_("draws"),
};

/* The formats get word, number, low, high in this order as far as they want them; the compiler checks
 * them one by one. */
const char *words_of_fault(const hp_fault *fault, char buffer[SENTENCE_MAX])
{
    const char *w = fault->word;
    const char *called = w[0] != '\0' ? _(w) : w; /* a concept in the reader's language, a key as it is */
    const int number = (int)fault->number, low = (int)fault->low, high = (int)fault->high;
    const size_t size = SENTENCE_MAX;
    switch (fault->kind) {
    case HP_TEXT_OK:
        snprintf(buffer, size, "%s", _("nothing is wrong"));
        break;
    case HP_TEXT_NOT_TEXT:
        snprintf(buffer, size, "%s", _("this is not text"));
        break;
    case HP_TEXT_LINE_TOO_LONG:
        snprintf(buffer, size, _("the line is longer than %d bytes"), number);
        break;
    case HP_TEXT_UNKNOWN_KEY:
        snprintf(buffer, size, _("unknown key “%s”"), w);
        break;
    case HP_TEXT_MISSING_KEY:
        snprintf(buffer, size, _("“%s” is missing"), w);
        break;
    case HP_TEXT_DOUBLE_KEY:
        snprintf(buffer, size, _("“%s” stands here for the second time"), w);
        break;
    case HP_TEXT_EXPECTED:
        snprintf(buffer, size, _("“%s” was expected here"), called);
        break;
    case HP_TEXT_NUMBER_RANGE:
        if (low == high)
            snprintf(buffer, size, _("“%s” is %d, but must be %d"), called, number, low);
        else
            snprintf(buffer, size, _("“%s” is %d, but must be from %d to %d"), called, number, low, high);
        break;
    case HP_TEXT_BAD_NUMBER:
        snprintf(buffer, size, _("“%s” is not a number of the kind that belongs here"), w);
        break;
    case HP_TEXT_BAD_NAME:
        snprintf(buffer, size, _("“%s” is not a name: too long, or not of the right letters"), w);
        break;
    case HP_TEXT_BAD_CARD:
        snprintf(buffer, size, _("“%s” is not a card: cards are 0 to 5, H and S"), w);
        break;
    case HP_TEXT_CORNER_OUTSIDE:
        snprintf(buffer, size, _("the corner after space %d is outside the lap, whose last space is %d"),
                 number, high);
        break;
    case HP_TEXT_CORNER_TWICE:
        snprintf(buffer, size, _("there are two corners after space %d"), number);
        break;
    case HP_TEXT_CORNER_ORDER:
        snprintf(buffer, size, _("the corner after space %d comes too late: corners stand in driving order"),
                 number);
        break;
    case HP_TEXT_TOO_MANY:
        snprintf(buffer, size, _("too many “%s”: %d at most"), called, high);
        break;
    case HP_TEXT_TOO_FEW:
        snprintf(buffer, size, _("too few “%s”: %d, but %d are needed"), called, number, low);
        break;
    case HP_TEXT_TOO_SHORT:
        snprintf(buffer, size, _("a lap of %d spaces is too short: the grid and one turn need %d"), number,
                 low);
        break;
    case HP_TEXT_EXTRA:
        snprintf(buffer, size, _("“%s” is not expected here"), w);
        break;
    case HP_TEXT_UNKNOWN_ACT:
        snprintf(buffer, size, _("“%s” is not an act"), w);
        break;
    case HP_TEXT_VERSION:
        snprintf(buffer, size, _("this is version %d of “%s”, but only version %d is known"), number, w,
                 high);
        break;
    case HP_TEXT_UNKNOWN_CIRCUIT:
        snprintf(buffer, size, _("there is no circuit “%s”"), w);
        break;
    case HP_TEXT_OTHER_FIGURES:
        snprintf(buffer, size, _("these are not the figures of the circuit “%s”"), w);
        break;
    case HP_TEXT_COMMITMENT:
        snprintf(buffer, size, _("“%s” is not the one that was committed to"), w);
        break;
    case HP_TEXT_SEED_NOT_MIXED:
        snprintf(buffer, size, "%s", _("the seed is not the one that the secret and the salts make"));
        break;
    case HP_TEXT_CARDS_AMISS:
        snprintf(buffer, size, _("car %d has too many or too few cards of the kind “%s”"), number, w);
        break;
    case HP_TEXT_SPOT_TAKEN:
        snprintf(buffer, size, _("car %d stands on a spot that is taken"), number);
        break;
    case HP_TEXT_IMPOSSIBLE:
        snprintf(buffer, size, _("no race can be like this: look at “%s”"), called);
        break;
    case HP_TEXT_ILLEGAL_ACT:
        if (hp_rule_of(fault->refused)[0] == '\0')
            snprintf(buffer, size, _("car %d may not do this: %s"), number, words_of_error(fault->refused));
        else
            snprintf(buffer, size, _("car %d may not do this: %s (%s)"), number,
                     words_of_error(fault->refused), hp_rule_of(fault->refused));
        break;
    case HP_TEXT_OTHER_HASH:
        snprintf(buffer, size, _("the hash of round %d does not match"), number);
        break;
    case HP_TEXT_OTHER_RESULT:
        snprintf(buffer, size, "%s", _("the race ended with another result"));
        break;
    case HP_TEXT_CUT_OFF:
        snprintf(buffer, size, _("the text ends too early: “%s” is missing"), called);
        break;
    case HP_TEXT_FAULTS:
        buffer[0] = '\0';
        break;
    }
    return buffer;
}

/* ---- Columns ----------------------------------------------------------------------------------- */

int words_width(const char *text)
{
    int width = 0;
    for (; *text != '\0'; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

void words_pad(const char *text, int width)
{
    const int missing = (width < 0 ? -width : width) - words_width(text);
    if (width < 0 && missing > 0)
        printf("%*s", missing, "");
    fputs(text, stdout);
    if (width > 0 && missing > 0)
        printf("%*s", missing, "");
}
