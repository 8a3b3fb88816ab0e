/* Fuzzes the reader of race files, line by line: a fault always names the line and leaves the reader as it
 * was, the race never goes wrong, and what it has read is written back to lines that read as the same. */
#include "hairpin.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void read_line(hp_reader *reader, const char *line, size_t length)
{
    hp_reader before = *reader;
    hp_fault fault;
    memset(&fault, 0x5a, sizeof fault);
    const hp_text_fault kind = hp_read_line(reader, line, length, NULL, &fault);
    before.line++;
    require(reader->line == before.line && fault.line == before.line);
    if (kind == HP_TEXT_OK)
        return;
    require(kind == fault.kind && kind < HP_TEXT_FAULTS && fault.column >= 1);
    require((size_t)fault.column <= length + 2);
    require((kind == HP_TEXT_ILLEGAL_ACT) == (fault.refused != HP_OK));
    require(memchr(fault.word, '\0', sizeof fault.word) != NULL);
    require(memcmp(reader, &before, sizeof before) == 0);
}

/* Feeds lines that the library has written: none of them may be a fault. */
static void feed(hp_reader *reader, const char *text)
{
    hp_fault fault;
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");
        require(hp_read_line(reader, text, length, NULL, &fault) == HP_TEXT_OK);
        text += length + 1;
    }
}

static void require_head(const hp_reader *reader)
{
    const hp_setup *setup = &reader->head.setup;
    require(setup->laps >= 1 && setup->laps <= HP_LAPS_MAX && setup->cars >= 1 && setup->cars <= HP_CARS_MAX);
    require(hp_track_valid(&setup->track) && reader->race.cars == setup->cars);
    for (int i = 0; i < setup->cars; i++)
        require(setup->handicap[i] <= HP_HANDICAP_MAX && memchr(reader->head.seat[i], '\0', HP_NAME_MAX + 1));

    if (reader->head.mixed) {
        uint8_t seed[HP_SEED_BYTES];
        hp_seed_mix(reader->head.secret, reader->head.salt, setup->cars, seed);
        require(memcmp(seed, setup->seed, sizeof seed) == 0);
    }

    hp_reader again;
    hp_race race;
    char text[HP_HEAD_TEXT];
    memset(&again, 0, sizeof again);
    require(hp_head_write(&reader->head, text, sizeof text) < sizeof text);
    feed(&again, text);
    require(again.started == 1 && memcmp(&again.head, &reader->head, sizeof again.head) == 0);
    require(hp_start(&race, setup, NULL) == HP_OK && memcmp(&again.race, &race, sizeof race) == 0);
}

/* What the reader stands at after its lines, as a line that it takes itself. */
static void require_round_line(const hp_reader *reader)
{
    char text[HP_LINE_MAX + 2];
    hp_reader copy = *reader;
    require(hp_round_line_write(&reader->race, text, sizeof text) < sizeof text);
    if (copy.round_due)
        feed(&copy, text);
    require(copy.ended == (copy.race.step == HP_STEP_OVER));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hp_reader reader;
    hp_fault fault;
    memset(&reader, 0, sizeof reader);
    for (size_t at = 0; at < size;) {
        const uint8_t *end = memchr(data + at, '\n', size - at);
        const size_t length = end == NULL ? size - at : (size_t)(end - (data + at));
        read_line(&reader, (const char *)data + at, length);
        at += length + 1;
    }
    const hp_text_fault kind = hp_read_end(&reader, &fault);
    require((kind == HP_TEXT_OK) == (reader.started == 1));
    if (kind == HP_TEXT_OK) {
        require_head(&reader);
        require_round_line(&reader);
    } else {
        require(kind == HP_TEXT_CUT_OFF && fault.kind == kind && fault.line == reader.line);
    }
    return 0;
}
