/* What is left of a race: its file, its events, and figures of all of them. */
#define _POSIX_C_SOURCE 200809L
#include "server/hall_inside.h"
#include "table/keep.h"

#include <string.h>

/* ---- After the race ----------------------------------------------------------------------------- */

typedef struct {
    char *text;
    size_t length, size;
} writing;

static void add(void *self, const char *text, size_t length)
{
    writing *w = self;
    if (w->length + length + 1 > w->size)
        w->text = hall_grown(w->text, &w->size, w->length + length + 1, 1);
    memcpy(w->text + w->length, text, length + 1);
    w->length += length;
}

/* The whole race once more, written as it goes. */
static char *write_race(const hall_table *t, bool events, size_t *length)
{
    writing w = {0};
    table_recorder recorder = {.events = events, .write = add, .self = &w};
    if (t->shown.phase != TABLE_OVER)
        return NULL;
    table_record_begin(&recorder, &t->shown, t->start);
    for (uint32_t i = 0; i < t->shown.entries; i++) {
        const hall_entry *e = &t->entries[i];
        const table_entry entry = {
            .time = e->time, .seat = e->seat, .line = hall_line(t, e), .length = e->length};
        table_record_entry(&recorder, &entry);
    }
    *length = w.length;
    return w.text;
}

char *hall_race_file(const hall_table *t, size_t *length)
{
    return write_race(t, false, length);
}

char *hall_event_log(const hall_table *t, size_t *length)
{
    return write_race(t, true, length);
}

/* ---- Figures ------------------------------------------------------------------------------------ */

void hall_measure(hall *h, hall_figures *figures)
{
    *figures = h->figures;
    for (const hall_table *t = h->newest; t != NULL; t = t->older) {
        figures->tables[t->live.phase]++;
        for (int i = 0; i < t->live.settings.seats && t->live.phase != TABLE_OVER; i++)
            figures->seats += t->live.settings.seat[i].kind == TABLE_PERSON;
        for (const hall_follower *f = t->followers; f != NULL; f = f->next)
            figures->followers++;
    }
    figures->bots_waiting = pool_waiting(h->pool);
    store_measure(h->store, &figures->store);
}
