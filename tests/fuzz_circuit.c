/* Fuzzes the reader of circuit files: whatever it takes for a circuit has every figure in its range, and a
 * fault always says where and leaves the circuit alone. */
#include "hairpin.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void require_text(const char text[HP_NAME_MAX + 1])
{
    require(text[0] != '\0' && memchr(text, '\0', HP_NAME_MAX + 1) != NULL);
}

static void require_in_range(const hp_circuit *circuit)
{
    const hp_track *track = &circuit->track;
    require_text(circuit->name);
    require_text(circuit->title);
    require(track->spaces >= HP_SPACES_MIN && track->spaces <= HP_SPACES_MAX);
    require(track->heat >= HP_HEAT_MIN && track->heat <= HP_HEAT_MAX);
    require(track->stress <= HP_STRESS_MAX);
    require(circuit->laps >= 1 && circuit->laps <= HP_LAPS_MAX);
    require(circuit->side == HP_LEFT || circuit->side == HP_RIGHT);
    require(track->corners >= 1 && track->corners <= HP_CORNERS_MAX);
    for (int i = 0; i < track->corners; i++) {
        require(track->corner[i].after < track->spaces);
        require(i == 0 || track->corner[i].after > track->corner[i - 1].after);
        require(track->corner[i].limit >= HP_LIMIT_MIN && track->corner[i].limit <= HP_LIMIT_MAX);
        require(circuit->line_side[i] == HP_LEFT || circuit->line_side[i] == HP_RIGHT);
        require(circuit->legend_after[i] < track->spaces);
    }
    require(circuit->points == 0 || circuit->points == track->spaces);
    require((circuit->points > 0) == (circuit->canvas.x > 0 && circuit->canvas.y > 0));
    for (int i = 0; i < circuit->points; i++) {
        require(circuit->centre[i].x >= 0 && circuit->centre[i].x < circuit->canvas.x);
        require(circuit->centre[i].y >= 0 && circuit->centre[i].y < circuit->canvas.y);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hp_circuit circuit, before;
    hp_fault fault;
    memset(&circuit, 0x5a, sizeof circuit);
    memcpy(&before, &circuit, sizeof circuit);
    const hp_text_fault kind = hp_circuit_read((const char *)data, size, &circuit, &fault);
    require(kind == fault.kind);
    if (kind == HP_TEXT_OK) {
        require_in_range(&circuit);
    } else {
        require(kind < HP_TEXT_FAULTS && fault.line >= 1 && fault.column >= 0);
        require(memchr(fault.word, '\0', sizeof fault.word) != NULL);
        require(memcmp(&circuit, &before, sizeof circuit) == 0);
    }
    return 0;
}
