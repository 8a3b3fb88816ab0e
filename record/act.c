/* Acts as text: the same line goes to disk, wire, log and tests. */
#include "record/text.h"

static const char *const names[HP_ACT_KINDS] = {
    [HP_PLAN] = "plan",
    [HP_RETIRE] = "retire",
    [HP_UNPLAN] = "unplan",
    [HP_COOL] = "cool",
    [HP_ADRENALINE_COOL] = "adrenaline cool",
    [HP_ADRENALINE_MOVE] = "adrenaline move",
    [HP_BOOST] = "boost",
    [HP_DONE] = "done",
    [HP_SLIP] = "slip",
    [HP_STAY] = "stay",
    [HP_DISCARD] = "discard",
    [HP_KEEP] = "keep",
};

char hp_card_letter(hp_card card)
{
    static const char letters[] = "012345HS?";
    return letters[card < HP_KINDS ? card : HP_KINDS];
}

size_t hp_act_write(hp_act act, char *buffer, size_t size)
{
    text_out out = hp_text_into(buffer, size);
    if (act.kind >= HP_ACT_KINDS || act.number > HP_ACT_CARDS) {
        hp_out_char(&out, '?'); /* not an act: hp_check refuses it, and so does hp_act_read */
        return hp_out_end(&out);
    }
    hp_out_text(&out, names[act.kind]);
    if (act.kind == HP_PLAN || act.kind == HP_COOL) {
        hp_out_char(&out, ' ');
        hp_out_number(&out, act.number);
    }
    for (int i = 0; (act.kind == HP_PLAN || act.kind == HP_DISCARD) && i < act.number; i++) {
        hp_out_char(&out, ' ');
        hp_out_char(&out, hp_card_letter((hp_card)act.cards[i]));
    }
    return hp_out_end(&out);
}

static bool next_card(text_in *in, uint8_t *card)
{
    text_word word;
    if (!hp_next_word(in, "card", &word))
        return false;
    const hp_card found = word.length == 1 ? hp_card_of_letter(word.text[0]) : HP_KINDS;
    if (found == HP_KINDS)
        return hp_fail(in, HP_TEXT_BAD_CARD, word);
    *card = (uint8_t)found;
    return true;
}

/* Which kind of act begins with these words. */
static bool read_kind(text_in *in, hp_act_kind *kind)
{
    text_word word;
    if (!hp_next_word(in, "act", &word))
        return false;
    if (hp_word_is(word, "adrenaline")) {
        if (!hp_next_word(in, "move/cool", &word))
            return false;
        *kind = hp_word_is(word, "cool") ? HP_ADRENALINE_COOL : HP_ADRENALINE_MOVE;
        return hp_word_is(word, "cool") || hp_word_is(word, "move") || hp_fail(in, HP_TEXT_UNKNOWN_ACT, word);
    }
    for (int i = 0; i < HP_ACT_KINDS; i++)
        if (hp_word_is(word, names[i])) {
            *kind = (hp_act_kind)i;
            return true;
        }
    return hp_fail(in, HP_TEXT_UNKNOWN_ACT, word);
}

/* How a plan fits the rules is not asked here, only that the value can hold it. */
static bool read_act(text_in *in, hp_act *act)
{
    hp_act_kind kind = HP_ACT_KINDS;
    if (!read_kind(in, &kind))
        return false;
    *act = (hp_act){.kind = (uint8_t)kind};
    int32_t number = 0;
    if (kind == HP_PLAN && !hp_next_number(in, "gear", 0, HP_ACT_CARDS, &number))
        return false;
    if (kind == HP_COOL && !hp_next_number(in, "number", 0, HP_ACT_CARDS, &number))
        return false;
    act->number = (uint8_t)number;
    for (int i = 0; kind == HP_PLAN && i < number; i++)
        if (!next_card(in, &act->cards[i]))
            return false;
    if (kind == HP_DISCARD)
        do {
            if (act->number == HP_ACT_CARDS) {
                hp_fail(in, HP_TEXT_TOO_MANY, hp_word_of("cards"));
                in->fault->high = HP_ACT_CARDS;
                return false;
            }
            if (!next_card(in, &act->cards[act->number++]))
                return false;
        } while (!hp_at_end(in));
    return hp_no_more(in);
}

hp_text_fault hp_act_read(const char *text, size_t length, hp_act *act, hp_fault *fault)
{
    text_in in = {.text = text, .length = length, .fault = fault};
    hp_act read;
    fault->line = 0;
    if (!hp_check_text(&in) || !read_act(&in, &read))
        return fault->kind;
    *act = read;
    return fault->kind = HP_TEXT_OK;
}
