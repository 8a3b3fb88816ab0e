#include "cli/faults.h"

#include <stdio.h>

const char *words_of_faults(const bot_report *report, char buffer[SENTENCE_MAX])
{
    static const char *const names[BOT_FAULTS] = {
        [BOT_SLOW] = N_("too slow"),         [BOT_GONE] = N_("ended or closed its input or output"),
        [BOT_RUBBISH] = N_("not an answer"), [BOT_TOO_MUCH] = N_("wrote too much"),
        [BOT_ILLEGAL] = N_("illegal act"),   [BOT_LOST] = N_("gets nowhere"),
    };
    size_t length = 0;
    buffer[0] = '\0';
    for (int i = 0; i < BOT_FAULTS; i++)
        if (report->faults[i] > 0 && length < SENTENCE_MAX)
            length += (size_t)snprintf(buffer + length, SENTENCE_MAX - length, "%s%s: %lu",
                                       length > 0 ? ", " : "", _(names[i]), (unsigned long)report->faults[i]);
    return buffer;
}
