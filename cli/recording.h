/* Text that grows in memory, and race files (docs/RACE-FILES.md) that are made in it while a race is driven. */
#ifndef HP_CLI_RECORDING_H
#define HP_CLI_RECORDING_H

#include "hairpin.h"

enum { RECORDING_PATH = 4096 };

/* Zeroes are an empty one; data is the owner's to free. */
typedef struct {
    char *data;
    size_t length, size;
    bool failed; /* out of memory: something is missing */
} growing;

void growing_append(growing *g, const char *text, size_t length);

/* A race that has just started; what was there before is gone. */
void recording_begin(growing *g, const hp_head *head, const hp_race *race);

/* An act that was played in that round; the race is as it was left. */
void recording_act(growing *g, int car, hp_act act, int round, const hp_race *race);

/* As FOLDER/race-000001.race for number 0. False with errno set; path says where. */
bool recording_write(const growing *g, const char *folder, uint64_t number, char path[RECORDING_PATH]);

/* The folder, which may be there already. False after saying what is wrong. */
bool recording_folder(const char *folder);

#endif
