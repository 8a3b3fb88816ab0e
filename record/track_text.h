/* A track's figures within a line, shared by positions and race files: "69,6,3,11/7,32/3". */
#ifndef HP_RECORD_TRACK_TEXT_H
#define HP_RECORD_TRACK_TEXT_H

#include "record/text.h"

/* True when a built-in circuit of that name has just these figures; known, when not NULL, tells
 * whether there is one of that name at all. */
bool hp_track_is_built_in(const char *name, const hp_track *track, bool *known);

void hp_out_track(text_out *out, const hp_track *track);
bool hp_read_track(text_in *in, text_word word, hp_track *track);

#endif
