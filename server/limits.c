#define _POSIX_C_SOURCE 200809L
#include "server/limits.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PLACES = 4096,   /* chains of addresses */
    IN_ALL = 100000, /* addresses remembered at most: beyond that, strangers are told to wait */
    SWEEP = 10       /* asks between two looks for those to forget, a chain each */
};

typedef struct address {
    struct address *next;
    char text[LIMITS_ADDRESS];
    uint32_t connections, visits;
    limits_bucket bucket, guesses;
} address;

struct limits {
    uint32_t rate, reserve, connections;
    uint32_t known, asks, sweep;
    address *chain[PLACES];
};

void limits_address(const char *text, char whose[LIMITS_ADDRESS])
{
    static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    uint8_t bytes[16];
    snprintf(whose, LIMITS_ADDRESS, "%s", text);
    if (inet_pton(AF_INET6, whose, bytes) != 1)
        return;
    if (memcmp(bytes, mapped, sizeof mapped) == 0) {
        inet_ntop(AF_INET, bytes + 12, whose, LIMITS_ADDRESS);
        return;
    }
    memset(bytes + 8, 0, 8);
    inet_ntop(AF_INET6, bytes, whose, LIMITS_ADDRESS);
}

limits *limits_open(uint32_t rate, uint32_t reserve, uint32_t connections)
{
    limits *l = calloc(1, sizeof *l);
    if (l != NULL)
        *l = (limits){.rate = rate, .reserve = reserve, .connections = connections};
    return l;
}

static uint32_t place_of(const char *text)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash % PLACES;
}

bool limits_take(limits_bucket *bucket, uint32_t rate, uint32_t reserve, uint64_t now)
{
    const uint64_t passed =
        now > bucket->time ? now - bucket->time : 0; /* a thousandth each, for each of rate */
    const uint64_t back = passed > UINT32_MAX ? UINT32_MAX : passed * rate;
    bucket->spent = back < bucket->spent ? bucket->spent - (uint32_t)back : 0;
    bucket->time = now;
    if (bucket->spent + 1000 > reserve * 1000)
        return false;
    bucket->spent += 1000;
    return true;
}

/* A bucket counts by the second; guesses by the minute. */
static uint64_t slowly(uint64_t now)
{
    return now / 60;
}

static bool is_back(const limits_bucket *bucket, uint32_t rate, uint64_t now)
{
    const uint64_t passed = now > bucket->time ? now - bucket->time : 0;
    return passed * rate >= bucket->spent;
}

/* Forgets, in one chain, those who neither are connected nor have spent anything that is not back. */
static void forget(limits *l, uint32_t place, uint64_t now)
{
    for (address **at = &l->chain[place]; *at != NULL;) {
        address *a = *at;
        if (a->connections + a->visits == 0 &&
            (l->rate == 0 ||
             (is_back(&a->bucket, l->rate, now) && is_back(&a->guesses, LIMITS_GUESSES, slowly(now))))) {
            *at = a->next;
            free(a);
            l->known--;
        } else {
            at = &a->next;
        }
    }
}

/* NULL when there are too many already, or without memory. */
static address *find(limits *l, const char *text, uint64_t now)
{
    if (++l->asks % SWEEP == 0)
        forget(l, l->sweep++ % PLACES, now);
    const uint32_t place = place_of(text);
    for (address *a = l->chain[place]; a != NULL; a = a->next)
        if (strcmp(a->text, text) == 0)
            return a;
    if (l->known >= IN_ALL)
        return NULL;
    address *a = calloc(1, sizeof *a);
    if (a == NULL)
        return NULL;
    snprintf(a->text, sizeof a->text, "%s", text);
    a->bucket.time = now;
    a->guesses.time = slowly(now);
    a->next = l->chain[place];
    l->chain[place] = a;
    l->known++;
    return a;
}

bool limits_ask(limits *l, const char *text, uint64_t now)
{
    if (l->rate == 0)
        return true;
    address *a = find(l, text, now);
    return a != NULL && limits_take(&a->bucket, l->rate, l->reserve, now);
}

bool limits_guess(limits *l, const char *text, uint64_t now)
{
    if (l->rate == 0)
        return true;
    address *a = find(l, text, now);
    return a != NULL && limits_take(&a->guesses, LIMITS_GUESSES, LIMITS_GUESSES, slowly(now));
}

void limits_guessed(limits *l, const char *text)
{
    for (address *a = l->chain[place_of(text)]; a != NULL; a = a->next)
        if (strcmp(a->text, text) == 0 && a->guesses.spent >= 1000)
            a->guesses.spent -= 1000;
}

bool limits_connect(limits *l, const char *text, uint64_t now)
{
    if (l->connections == 0)
        return true;
    address *a = find(l, text, now);
    if (a == NULL || a->connections >= l->connections)
        return false;
    a->connections++;
    return true;
}

void limits_hang_up(limits *l, const char *text)
{
    for (address *a = l->chain[place_of(text)]; a != NULL; a = a->next)
        if (strcmp(a->text, text) == 0 && a->connections > 0)
            a->connections--;
}

bool limits_crowded(const limits *l, const char *text)
{
    const address *a = l->chain[place_of(text)];
    while (a != NULL && strcmp(a->text, text) != 0)
        a = a->next;
    return l->connections > 0 && a != NULL && a->visits >= LIMITS_VISITS * l->connections;
}

bool limits_visit(limits *l, const char *text, uint64_t now)
{
    address *a = l->connections > 0 ? find(l, text, now) : NULL;
    if (a != NULL)
        a->visits++;
    return a != NULL;
}

void limits_leave(limits *l, const char *text)
{
    for (address *a = l->chain[place_of(text)]; a != NULL; a = a->next)
        if (strcmp(a->text, text) == 0 && a->visits > 0)
            a->visits--;
}

void limits_close(limits *l)
{
    for (int i = 0; l != NULL && i < PLACES; i++)
        for (address *a = l->chain[i], *next; a != NULL; a = next) {
            next = a->next;
            free(a);
        }
    free(l);
}
