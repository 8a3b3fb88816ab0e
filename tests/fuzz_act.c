/* Fuzzes the reader of acts: whatever it takes for an act is written back to a text that reads as the same
 * act, and a fault always says where and leaves the act alone. */
#include "hairpin.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* In one direction text is free (blanks), in the other it is not. */
static void require_round_trip(hp_act act)
{
    char text[HP_ACT_TEXT], again[HP_ACT_TEXT];
    hp_act read;
    hp_fault fault;
    const size_t length = hp_act_write(act, text, sizeof text);
    require(length < sizeof text && strlen(text) == length);
    require(hp_act_read(text, length, &read, &fault) == HP_TEXT_OK);
    require(memcmp(&read, &act, sizeof act) == 0);
    hp_act_write(read, again, sizeof again);
    require(strcmp(text, again) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hp_act act, before;
    hp_fault fault;
    memset(&act, 0x5a, sizeof act);
    memcpy(&before, &act, sizeof act);
    const hp_text_fault kind = hp_act_read((const char *)data, size, &act, &fault);
    if (kind == HP_TEXT_OK) {
        require(act.kind < HP_ACT_KINDS && act.number <= HP_ACT_CARDS);
        for (int i = 0; i < HP_ACT_CARDS; i++)
            require(act.cards[i] < HP_KINDS);
        require_round_trip(act);
    } else {
        require(kind == fault.kind && kind < HP_TEXT_FAULTS && fault.line == 0);
        require(fault.column >= 1 && (size_t)fault.column <= size + 1);
        require(memchr(fault.word, '\0', sizeof fault.word) != NULL);
        require(memcmp(&act, &before, sizeof act) == 0);
    }
    return 0;
}
