/* What a program that drives did wrong, in words. */
#ifndef HP_CLI_FAULTS_H
#define HP_CLI_FAULTS_H

#include "bots/bots.h"
#include "cli/words.h"

/* "too slow: 2, illegal act: 1", or nothing, in the buffer, which is returned. */
const char *words_of_faults(const bot_report *report, char buffer[SENTENCE_MAX]);

#endif
