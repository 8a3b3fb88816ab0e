/* What the tests share: races from positions, acts from text, and a memory for events. */
#ifndef HP_TESTS_SUPPORT_H
#define HP_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hairpin.h"

/* ---- Positions and acts ------------------------------------------------------------------------ */

/* A race in this position (docs/POSITION.md); the test fails when it cannot be read. */
__attribute__((unused)) static hp_race race_at(const char *position)
{
    hp_race race;
    char circuit[HP_NAME_MAX + 1];
    hp_fault fault = {0};
    if (hp_position_read(position, strlen(position), &race, circuit, &fault) != HP_TEXT_OK)
        fail_msg("position not readable: fault %d at column %d (%s, %d): %s", (int)fault.kind, fault.column,
                 fault.word, (int)fault.number, position);
    return race;
}

/* The same from a format, for positions that differ in a part. */
__attribute__((unused, format(printf, 1, 2))) static hp_race race_of(const char *format, ...)
{
    char position[HP_POSITION_TEXT];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(position, sizeof position, format, arguments);
    va_end(arguments);
    assert_in_range(length, 1, sizeof position - 1);
    return race_at(position);
}

__attribute__((unused)) static hp_act act_of(const char *text)
{
    hp_act act;
    hp_fault fault = {0};
    if (hp_act_read(text, strlen(text), &act, &fault) != HP_TEXT_OK)
        fail_msg("not an act: %s", text);
    return act;
}

/* Other chances from here on. */
__attribute__((unused)) static void reseed(hp_race *race, uint64_t number)
{
    uint8_t seed[HP_SEED_BYTES];
    hp_seed_of(number, 0, seed);
    hp_chance_seed(&race->chance, seed);
}

/* ---- Events ------------------------------------------------------------------------------------ */

enum { HEARD_MAX = 4096 };

typedef struct {
    hp_event event[HEARD_MAX];
    int n;
} heard_events;

static void remember(void *self, const hp_event *event)
{
    heard_events *heard = self;
    assert_true(heard->n < HEARD_MAX);
    heard->event[heard->n++] = *event;
}

__attribute__((unused)) static hp_listener listener_of(heard_events *heard)
{
    return (hp_listener){.hear = remember, .self = heard};
}

/* The i-th event of that kind, from 0; NULL when there are fewer. */
__attribute__((unused)) static const hp_event *heard(const heard_events *all, hp_event_kind kind, int i)
{
    for (int k = 0; k < all->n; k++)
        if (all->event[k].kind == kind && i-- == 0)
            return &all->event[k];
    return NULL;
}

__attribute__((unused)) static int heard_count(const heard_events *all, hp_event_kind kind)
{
    int n = 0;
    while (heard(all, kind, n) != NULL)
        n++;
    return n;
}

/* ---- Playing ----------------------------------------------------------------------------------- */

/* Plays a legal act; events, when not NULL, is emptied first and then holds what it led to. */
__attribute__((unused)) static void play(hp_race *race, int car, const char *text, heard_events *events)
{
    hp_listener listener = {0};
    if (events != NULL) {
        events->n = 0;
        listener = listener_of(events);
    }
    const hp_error error = hp_apply(race, car, act_of(text), events != NULL ? &listener : NULL);
    if (error != HP_OK)
        fail_msg("car %d: %s: refused with %d (%s)", car, text, (int)error, hp_rule_of(error));
}

/* Expects that error, and that nothing changed. */
__attribute__((unused)) static void refused(hp_race *race, int car, const char *text, hp_error expected)
{
    const hp_race before = *race;
    heard_events *events = calloc(1, sizeof *events);
    assert_non_null(events);
    const hp_listener listener = listener_of(events);
    assert_int_equal(hp_apply(race, car, act_of(text), &listener), expected);
    assert_int_equal(events->n, 0);
    assert_memory_equal(race, &before, sizeof before);
    free(events);
}

/* Whether hp_acts lists the act for that car now. */
__attribute__((unused)) static bool offered(const hp_race *race, int car, const char *text)
{
    hp_choice choice;
    hp_act acts[HP_ACTS_MAX];
    const hp_act wanted = act_of(text);
    hp_choose_from(race, car, &choice);
    for (int i = hp_acts(&choice, acts) - 1; i >= 0; i--)
        if (memcmp(&acts[i], &wanted, sizeof wanted) == 0)
            return true;
    return false;
}

/* A pile from letters, "-" for none. */
__attribute__((unused)) static hp_pile pile_from(const char *letters)
{
    hp_pile pile = {0};
    for (; *letters != '\0' && *letters != '-'; letters++)
        pile.counts += UINT64_C(1) << (8 * (*letters == 'H'   ? HP_HEAT
                                            : *letters == 'S' ? HP_STRESS
                                                              : *letters - '0'));
    return pile;
}

#define assert_pile(pile, letters) assert_int_equal((pile).counts, pile_from(letters).counts)

#define assert_stands(race, number, progress, on_spot)                                                       \
    do {                                                                                                     \
        assert_int_equal(hp_progress((race), (number)), (progress));                                         \
        assert_int_equal((race)->car[number].spot, (on_spot));                                               \
    } while (0)

#endif
