/* A table's settings as the text that its keeper stores. */
#ifndef HP_TABLE_SAVED_H
#define HP_TABLE_SAVED_H

#include "table/table.h"

enum { SAVED_TEXT = 2048 }; /* six seats of at most 200, 300 for the rest */

/* As the writers in hairpin.h. */
size_t saved_write(const table_settings *settings, char *buffer, size_t size);

/* False when the text is not what saved_write makes. */
bool saved_read(const char *text, table_settings *settings);

#endif
