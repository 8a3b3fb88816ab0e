/* Races that this machine keeps, one file each, in ${XDG_DATA_HOME:-~/.local/share}/hairpin/races: settings, the
 * circuit where it is not built in, and a line for each entry. Lines are only ever added, and are on the disk
 * before anybody is told of them; so whatever ends the program, every confirmed act is there. */
#ifndef HP_TERMINAL_KEPT_H
#define HP_TERMINAL_KEPT_H

#include "table/table.h"

#include <sys/types.h>

enum { KEPT_PATH = 480, KEPT_MAX = 64 };

typedef struct {
    int fd; /* locked: nobody else goes on with it meanwhile */
    off_t length;
    char path[KEPT_PATH];
} kept;

/* A new file. False, with a sentence in why. */
bool kept_create(kept *k, const table_settings *settings, uint64_t opened, const char *circuit_text,
                 char *why, size_t size);
/* False when it could not be written, with errno; then the file is as it was. */
bool kept_append(kept *k, uint64_t time, int seat, const char *line, size_t length);
void kept_close(kept *k);

/* What is in a kept race. The text belongs to it. */
typedef struct {
    table_settings settings;
    uint64_t opened;
    char *text;
    char *circuit; /* in the text; NULL for one that is built in */
    char *entries; /* in the text: the lines */
    int line;      /* of the file, of the first of them */
} kept_race;

/* Opens and reads one; what was cut off in the middle of a line is dropped, nobody was told of it. False, with a
 * sentence in why. */
bool kept_open(kept *k, const char *path, kept_race *race, char *why, size_t size);

/* The next entry; false at the end, or with *good false where there is none. */
bool kept_next(kept_race *race, table_entry *entry, bool *good);

/* Races that are not over, newest first; how many there are, at most KEPT_MAX. */
int kept_list(char paths[KEPT_MAX][KEPT_PATH]);

/* "PATH.table" becomes "PATH.race": where the race is written down when it is over. */
void kept_race_path(const kept *k, char *path, size_t size);
/* Writes that file and takes the kept race away. False, with errno, and everything is as it was. */
bool kept_finish(kept *k, const char *text, size_t length);

/* Seats of this person on servers: the token for a table, "" when there is none; adding "-" forgets it. */
enum { TOKEN_TEXT = 33 };
void kept_token(const char *server, const char *id, char token[TOKEN_TEXT]);
bool kept_token_add(const char *server, const char *id, const char *token);

#endif
