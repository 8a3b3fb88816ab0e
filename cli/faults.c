#include "cli/faults.h"

#include <stdio.h>
#include <string.h>

/* "first: decision 4, “4 plan”" */
static void tell_first(const bot_report *report, char *buffer, size_t size)
{
    if (report->wrote[0] != '\0')
        snprintf(buffer, size, _("first: decision %lu, “%s”"), (unsigned long)report->first, report->wrote);
    else
        snprintf(buffer, size, _("first: decision %lu"), (unsigned long)report->first);
}

const char *words_of_faults(const bot_report *report, char buffer[FAULTS_TEXT])
{
    static const char *const names[BOT_FAULTS] = {
        [BOT_SLOW] = N_("too slow"),         [BOT_GONE] = N_("ended or closed its input or output"),
        [BOT_RUBBISH] = N_("not an answer"), [BOT_TOO_MUCH] = N_("wrote too much"),
        [BOT_ILLEGAL] = N_("illegal act"),   [BOT_LOST] = N_("gets nowhere"),
    };
    size_t length = 0;
    buffer[0] = '\0';
    for (int i = 0; i < BOT_FAULTS; i++)
        if (report->faults[i] > 0 && length < FAULTS_TEXT)
            length += (size_t)snprintf(buffer + length, FAULTS_TEXT - length, "%s%s: %lu",
                                       length > 0 ? ", " : "", _(names[i]), (unsigned long)report->faults[i]);
    if (length > 0 && length + 2 < FAULTS_TEXT) {
        memcpy(buffer + length, "; ", 2);
        tell_first(report, buffer + length + 2, FAULTS_TEXT - length - 2);
    }
    return buffer;
}
