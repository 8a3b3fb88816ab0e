/* What a program that drives did wrong, in words. */
#ifndef HP_CLI_FAULTS_H
#define HP_CLI_FAULTS_H

#include "bots/bots.h"
#include "cli/words.h"

enum { FAULTS_TEXT = 600 }; /* all of them at once, in the longest language */

/* "too slow: 2, illegal act: 1; first: decision 4, “4 plan”", or nothing, in the buffer, which is returned. */
const char *words_of_faults(const bot_report *report, char buffer[FAULTS_TEXT]);

#endif
