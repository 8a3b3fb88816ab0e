#define _POSIX_C_SOURCE 200809L
#include "cli/recording.h"
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void growing_append(growing *g, const char *text, size_t length)
{
    if (g->length + length > g->size) {
        const size_t size = 2 * (g->size + length);
        char *larger = realloc(g->data, size);
        g->failed |= larger == NULL;
        if (larger == NULL)
            return;
        g->data = larger;
        g->size = size;
    }
    memcpy(g->data + g->length, text, length);
    g->length += length;
}

static void append_round(growing *g, const hp_race *race)
{
    char line[HP_HEAD_TEXT];
    growing_append(g, line, hp_round_line_write(race, line, sizeof line));
}

void recording_begin(growing *g, const hp_head *head, const hp_race *race)
{
    char text[HP_HEAD_TEXT];
    g->length = 0;
    growing_append(g, text, hp_head_write(head, text, sizeof text));
    append_round(g, race);
}

void recording_act(growing *g, int car, hp_act act, int round, const hp_race *race)
{
    char line[HP_HEAD_TEXT];
    growing_append(g, line, hp_act_line_write(car, act, line, sizeof line));
    if (race->round != round || race->step == HP_STEP_OVER)
        append_round(g, race);
}

bool recording_write(const growing *g, const char *folder, uint64_t number, char path[RECORDING_PATH])
{
    snprintf(path, RECORDING_PATH, "%s/race-%06llu.race", folder, (unsigned long long)number + 1);
    errno = g->failed ? ENOMEM : 0;
    FILE *file = g->failed ? NULL : fopen(path, "wb");
    bool good = file != NULL && fwrite(g->data, 1, g->length, file) == g->length;
    if (file != NULL)
        good = fclose(file) == 0 && good;
    const int why = errno != 0 ? errno : EIO;
    if (file != NULL && !good)
        remove(path); /* half of it would look like a race that is not over */
    errno = why;
    return good;
}

bool recording_folder(const char *folder)
{
    struct stat about;
    if (mkdir(folder, 0777) == 0 || (errno == EEXIST && stat(folder, &about) == 0 && S_ISDIR(about.st_mode)))
        return true;
    cli_complain(_("cannot make the folder “%s”: %s"), folder, strerror(errno));
    return false;
}
