#include "table/keep.h"

#include "record/text.h"

#include <string.h>

/* ---- Bots --------------------------------------------------------------------------------------- */

size_t table_bot_spec(const table *t, int seat, const char *champion, char *buffer, size_t size)
{
    const table_level level = (table_level)t->settings.seat[seat].level;
    text_out out = hp_text_into(buffer, size);
    hp_out_text(&out, table_level_word(level));
    if (level == TABLE_CHAMPION) {
        hp_out_char(&out, ':');
        hp_out_text(&out, champion);
    }
    return hp_out_end(&out);
}

uint64_t table_bot_seed(const table *t, int seat)
{
    uint8_t bytes[33], digest[32];
    uint64_t seed;
    memcpy(bytes, t->settings.secret, 32);
    bytes[32] = (uint8_t)seat;
    hp_sha256(bytes, sizeof bytes, digest);
    memcpy(&seed, digest, sizeof seed);
    return seed;
}

size_t table_drive_line(uint32_t entry, hp_act act, char *buffer, size_t size)
{
    char words[HP_ACT_TEXT];
    text_out out = hp_text_into(buffer, size);
    hp_act_write(act, words, sizeof words);
    hp_out_text(&out, "drive ");
    hp_out_number(&out, (int32_t)entry);
    hp_out_char(&out, ' ');
    hp_out_text(&out, words);
    return hp_out_end(&out);
}

/* ---- Afterwards --------------------------------------------------------------------------------- */

void table_rematch(const table *over, table_settings *settings)
{
    *settings = over->settings;
    memset(settings->secret, 0, sizeof settings->secret);
    settings->old_manners = 0;
    for (int i = 0; i < settings->seats; i++) {
        table_seat *seat = &settings->seat[i];
        memset(seat->salt, 0, sizeof seat->salt);
        if (seat->kind == TABLE_PERSON)
            seat->kind = TABLE_OPEN; /* kept for the same key */
        else
            seat->colour = TABLE_COLOURS;
        seat->level = seat->kind == TABLE_BOT ? seat->level : settings->substitute;
    }
}

static void write_event(void *self, const hp_event *event)
{
    const table_recorder *r = self;
    char text[HP_EVENT_TEXT];
    r->write(r->self, text, hp_event_write(event, text, sizeof text));
}

static void write_act(const table_recorder *r, const table_entry *entry)
{
    hp_fault fault = {0};
    text_in in = {.text = entry->line, .length = entry->length, .fault = &fault};
    text_word word;
    int32_t since;
    hp_act act;
    char text[HP_LINE_MAX + 2];
    if (hp_next_word(&in, "word", &word) && (hp_word_is(word, "act") || hp_word_is(word, "drive")) &&
        hp_next_number(&in, "entry", 0, INT32_MAX, &since) &&
        hp_act_read(in.text + in.at, in.length - in.at, &act, &fault) == HP_TEXT_OK)
        r->write(r->self, text, hp_act_line_write(entry->seat, act, text, sizeof text));
}

void table_record_begin(table_recorder *r, const table *over, const table_settings *start)
{
    char text[HP_HEAD_TEXT];
    hp_head head;
    table_head(over, &head);
    table_open(&r->past, start, over->opened);
    r->write(r->self, text,
             r->events ? hp_event_head_write(&head, text, sizeof text)
                       : hp_head_write(&head, text, sizeof text));
}
_Static_assert((int)HP_HEAD_TEXT >= (int)HP_EVENT_TEXT, "both kinds of head fit");

void table_record_entry(table_recorder *r, const table_entry *entry)
{
    const hp_listener listener = {.hear = write_event, .self = r};
    const unsigned round = r->past.race.round;
    char text[HP_LINE_MAX + 2];
    if (r->past.phase == TABLE_OVER)
        return;
    table_play(&r->past, entry->seat, entry->line, entry->length, entry->time, r->events ? &listener : NULL,
               NULL);
    if (r->events)
        return;
    write_act(r, entry);
    if (r->past.phase != TABLE_GATHERING && (r->past.race.round != round || r->past.phase == TABLE_OVER))
        r->write(r->self, text, hp_round_line_write(&r->past.race, text, sizeof text));
}
