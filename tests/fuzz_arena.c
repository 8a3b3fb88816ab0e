/* Fuzzes the reader of arena files: whatever line it takes is written again just so, and the races of a
 * file can be counted; a fault says where and leaves what it read into alone. */
#include "cli/arena_file.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { RACES = 64 };

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void require_fault(hp_text_fault kind, const hp_fault *fault)
{
    require(kind == fault->kind && kind < HP_TEXT_FAULTS && fault->column >= 1);
    require(memchr(fault->word, '\0', sizeof fault->word) != NULL);
}

static void require_same(const char *line, size_t length, const char *written, size_t written_length)
{
    require(written_length == length + 1 && written_length < ARENA_LINE && written[length] == '\n');
    require(memcmp(line, written, length) == 0);
}

static bool read_head(const char *line, size_t length, arena_head *head)
{
    hp_fault fault;
    char written[ARENA_LINE];
    arena_head before;
    memset(head, 0x5a, sizeof *head);
    memcpy(&before, head, sizeof before);
    const hp_text_fault kind = arena_head_read(line, length, head, &fault);
    if (kind == HP_TEXT_OK) {
        require_same(line, length, written, arena_head_write(head, written));
        return true;
    }
    require_fault(kind, &fault);
    require(memcmp(head, &before, sizeof before) == 0);
    return false;
}

static bool read_race(const char *line, size_t length, const arena_head *head, uint32_t number,
                      arena_race *race)
{
    hp_fault fault;
    char written[ARENA_LINE];
    const hp_text_fault kind = arena_race_read(line, length, head, number, race, &fault);
    if (kind == HP_TEXT_OK)
        require_same(line, length, written, arena_race_write(race, written));
    else
        require_fault(kind, &fault);
    return kind == HP_TEXT_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static arena_race races[RACES];
    arena_head head;
    arena_table table;
    uint32_t n = 0;
    bool has_head = false;
    for (size_t at = 0; at < size && n < RACES;) {
        const char *line = (const char *)data + at;
        const char *end = memchr(line, '\n', size - at);
        const size_t length = end != NULL ? (size_t)(end - line) : size - at;
        at += length + 1;
        if (length > ARENA_LINE)
            return 0;
        if (!has_head) {
            if (!read_head(line, length, &head))
                return 0;
            has_head = true;
        } else if (read_race(line, length, &head, n, &races[n])) {
            n++;
        }
    }
    if (has_head) {
        require(arena_count(races, n, head.bots, &table));
        for (int i = 0; i < head.bots; i++) {
            const arena_bot *bot = &table.bot[i];
            require(bot->win.low >= 0 && bot->win.low <= bot->win.high && bot->win.high <= 1);
            require(bot->elo.low <= bot->elo.high && bot->place.low <= bot->place.high); /* and no NaN */
        }
    }
    return 0;
}
