/* What all who keep tables do alike, the server as the browser: put bots at the wheel, open a rematch, and write
 * the race down when it is over. */
#ifndef HP_TABLE_KEEP_H
#define HP_TABLE_KEEP_H

#include "table/table.h"

/* ---- Bots --------------------------------------------------------------------------------------- */

enum {
    TABLE_BOT_SPEC = 32,                 /* a level and a champion's options */
    TABLE_DRIVE_LINE = 18 + HP_ACT_TEXT, /* "drive", a number and an act */
};

/* Who drives a seat while no person does, as bot_open wants it; the options are a champion's: "200ms". */
size_t table_bot_spec(const table *t, int seat, const char *champion, char *buffer, size_t size);

/* For that bot's dice: only who knows the table's secret can foretell them. */
uint64_t table_bot_seed(const table *t, int seat);

/* What a bot says that decided by the table as it was after that entry. */
size_t table_drive_line(uint32_t entry, hp_act act, char *buffer, size_t size);

/* ---- Afterwards --------------------------------------------------------------------------------- */

/* The same race once more: bots stay, and each person's seat is kept for its key. The secret is left for the
 * keeper to draw. */
void table_rematch(const table *over, table_settings *settings);

/* Writes a race file or an event log, piece by piece, while the entries are played once more. */
typedef struct {
    bool events; /* the event log; else the race file */
    void (*write)(void *self, const char *text, size_t length);
    void *self;
    table past; /* private, as is all below */
} table_recorder;

/* The caller has set all but what is private. The table is the one whose race is over, the settings those that it
 * was opened with. */
void table_record_begin(table_recorder *recorder, const table *over, const table_settings *start);
/* The next of its entries, without events; those after the race do nothing. */
void table_record_entry(table_recorder *recorder, const table_entry *entry);

#endif
