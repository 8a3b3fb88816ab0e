#include "record/track_text.h"

#include <string.h>

bool hp_track_is_built_in(const char *name, const hp_track *track, bool *known)
{
    hp_circuit circuit;
    const bool found = hp_circuit_named(name, &circuit);
    if (known != NULL)
        *known = found;
    return found && memcmp(&circuit.track, track, sizeof *track) == 0;
}

void hp_out_track(text_out *out, const hp_track *track)
{
    hp_out_number(out, track->spaces);
    hp_out_char(out, ',');
    hp_out_number(out, track->heat);
    hp_out_char(out, ',');
    hp_out_number(out, track->stress);
    for (int i = 0; i < track->corners; i++) {
        hp_out_char(out, ',');
        hp_out_number(out, track->corner[i].after);
        hp_out_char(out, '/');
        hp_out_number(out, track->corner[i].limit);
    }
}

static bool read_corner(text_in *in, text_word word, hp_track *track)
{
    int32_t after, limit;
    if (track->corners == HP_CORNERS_MAX) {
        hp_fail(in, HP_TEXT_TOO_MANY, hp_word_of("corners"));
        in->fault->high = HP_CORNERS_MAX;
        return false;
    }
    const text_word first = hp_word_split(&word, '/');
    if (!hp_word_to_number(in, first, "corner", 0, track->spaces - 1, &after) ||
        !hp_word_to_number(in, word, "limit", HP_LIMIT_MIN, HP_LIMIT_MAX, &limit))
        return false;
    if (track->corners > 0 && after <= track->corner[track->corners - 1].after) {
        hp_fail(in, HP_TEXT_CORNER_ORDER, first);
        in->fault->number = after;
        return false;
    }
    track->corner[track->corners++] = (hp_corner){(uint8_t)after, (uint8_t)limit};
    return true;
}

bool hp_read_track(text_in *in, text_word word, hp_track *track)
{
    int32_t spaces, heat, stress;
    hp_track read = {0};
    const bool comma = word.length > 0 && word.text[word.length - 1] == ','; /* and nothing behind it */
    if (!hp_word_to_number(in, hp_word_split(&word, ','), "spaces", HP_SPACES_MIN, HP_SPACES_MAX, &spaces) ||
        !hp_word_to_number(in, hp_word_split(&word, ','), "heat", HP_HEAT_MIN, HP_HEAT_MAX, &heat) ||
        !hp_word_to_number(in, hp_word_split(&word, ','), "stress", 0, HP_STRESS_MAX, &stress))
        return false;
    read.spaces = (uint8_t)spaces;
    read.heat = (uint8_t)heat;
    read.stress = (uint8_t)stress;
    bool more = word.length > 0 || comma;
    while (more) {
        const size_t before = word.length;
        const text_word corner = hp_word_split(&word, ',');
        if (!read_corner(in, corner, &read))
            return false;
        more = corner.length < before; /* a comma says that another follows */
    }
    *track = read;
    return true;
}
