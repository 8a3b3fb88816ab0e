/* What is left of a race: its file, its events, and figures of all of them. */
#define _POSIX_C_SOURCE 200809L
#include "server/hall_inside.h"

#include <stdio.h>
#include <string.h>

/* ---- After the race ----------------------------------------------------------------------------- */

typedef struct {
    char *text;
    size_t length, size;
} writing;

static void add(writing *w, const char *text, size_t length)
{
    if (w->length + length + 1 > w->size)
        w->text = hall_grown(w->text, &w->size, w->length + length + 1, 1);
    memcpy(w->text + w->length, text, length + 1);
    w->length += length;
}

static void write_acts(writing *w, const hall *h, const table *past, const hall_entry *e, const char *line,
                       unsigned round)
{
    char text[HP_LINE_MAX + 2];
    (void)h;
    unsigned since;
    hp_act act;
    hp_fault fault;
    int skip = 0;
    char copy[TABLE_LINE + 1];
    memcpy(copy, line, e->length);
    copy[e->length] = '\0';
    if ((sscanf(copy, "act %u %n", &since, &skip) == 1 || sscanf(copy, "drive %u %n", &since, &skip) == 1) &&
        hp_act_read(copy + skip, strlen(copy + skip), &act, &fault) == HP_TEXT_OK)
        add(w, text, hp_act_line_write(e->seat, act, text, sizeof text));
    if (past->phase != TABLE_GATHERING && (past->race.round != round || past->phase == TABLE_OVER))
        add(w, text, hp_round_line_write(&past->race, text, sizeof text));
}

static void write_events(writing *w, const hall *h, const table *past, const hall_entry *e, const char *line,
                         unsigned round)
{
    char text[HP_EVENT_TEXT];
    (void)past, (void)e, (void)line, (void)round;
    for (size_t i = 0; i < h->in_heard; i++)
        add(w, text, hp_event_write(&h->heard[i], text, sizeof text));
}

typedef size_t head_writer(const hp_head *head, char *buffer, size_t size);
/* After an entry: what was heard is in the hall, and the round is that before it. */
typedef void entry_writer(writing *w, const hall *h, const table *past, const hall_entry *e, const char *line,
                          unsigned round);

/* The whole race once more, written as it goes. */
static char *write_race(hall *h, hall_table *t, head_writer *head_of, entry_writer *entry_of, size_t *length)
{
    writing w = {0};
    char text[HP_HEAD_TEXT];
    hp_head head;
    table past;
    if (t->shown.phase != TABLE_OVER)
        return NULL;
    table_head(&t->shown, &head);
    add(&w, text, head_of(&head, text, sizeof text));
    table_open(&past, t->start, t->live.opened);
    for (uint32_t i = 0; i < t->shown.entries && past.phase != TABLE_OVER; i++) {
        const hall_entry *e = &t->entries[i];
        const unsigned round = past.race.round;
        hall_play(h, NULL, &past, e, hall_line(t, e), NULL);
        entry_of(&w, h, &past, e, hall_line(t, e), round);
    }
    *length = w.length;
    return w.text;
}
_Static_assert((int)HP_HEAD_TEXT >= (int)HP_EVENT_TEXT, "both kinds of head fit");

char *hall_race_file(hall *h, hall_table *t, size_t *length)
{
    return write_race(h, t, hp_head_write, write_acts, length);
}

char *hall_event_log(hall *h, hall_table *t, size_t *length)
{
    return write_race(h, t, hp_event_head_write, write_events, length);
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
