#define _POSIX_C_SOURCE 200809L
#include "terminal/link.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void *must_have(void *memory)
{
    if (memory == NULL) {
        fputs("hairpin: no memory left\n", stderr);
        exit(1);
    }
    return memory;
}

int64_t link_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t link_now(const table_link *l)
{
    return link_clock() + l->ahead;
}

json_t *link_next(table_link *l)
{
    link_message *m = l->first;
    if (m == NULL)
        return NULL;
    json_t *json = m->json;
    l->first = m->next;
    if (l->first == NULL)
        l->last = NULL;
    free(m);
    return json;
}

bool link_waiting(const table_link *l)
{
    return l->first != NULL;
}

void link_give(table_link *l, json_t *message)
{
    if (message == NULL)
        return;
    link_message *m = must_have(malloc(sizeof *m));
    *m = (link_message){.json = message};
    if (l->last != NULL)
        l->last->next = m;
    else
        l->first = m;
    l->last = m;
}

void link_give_text(table_link *l, const char *text, size_t length)
{
    json_error_t error;
    link_give(l, json_loadb(text, length, 0, &error));
}

void link_status(table_link *l, const char *word)
{
    link_give(l, json_pack("{s:s,s:s}", "m", "status", "word", word));
}

void link_empty(table_link *l)
{
    for (json_t *m; (m = link_next(l)) != NULL;)
        json_decref(m);
}
