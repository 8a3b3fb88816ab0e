#include "bench/load/load.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void next_table(opener *o)
{
    o->step = 0;
    o->table = load.tables_taken < load.n_tables ? load.tables_taken++ : -1;
    if (o->table < 0)
        wire_close(&o->wire);
}

void openers_start(void)
{
    for (int i = 0; i < OPENERS; i++) {
        load.openers[i].kind = OPENER;
        load.openers[i].wire.fd = -1;
        next_table(&load.openers[i]);
    }
}

/* Whether all that there is to ask for a table has been asked. Spectators need no driver. */
static bool table_done(const opener *o)
{
    return o->step > (load.f.idle > 0 ? 0 : load.f.seats);
}

static size_t write_opening(char *out, size_t size)
{
    int n = snprintf(out, size, "{\"circuit\":\"%s\",\"laps\":%ld,\"seats\":[", load.f.circuit, load.f.laps);
    for (long i = 0; i < load.f.seats; i++)
        n += snprintf(out + n, size - (size_t)n, "%s{\"kind\":\"open\"}", i > 0 ? "," : "");
    n += snprintf(out + n, size - (size_t)n, "]}");
    return (size_t)n;
}

static void ask(opener *o)
{
    static const char *const colours[] = {"red", "orange", "yellow", "green", "blue", "purple"};
    char path[128] = "/api/tables", body[512], request[1024];
    size_t length;
    if (o->step == 0) {
        length = write_opening(body, sizeof body);
    } else {
        const long i = o->step - 1;
        snprintf(path, sizeof path, "/api/tables/%s/seats/%ld", load.tables[o->table].id, i);
        length = (size_t)snprintf(body, sizeof body, "{\"name\":\"Load %ld/%ld\",\"colour\":\"%s\"}",
                                  o->table, i, colours[i]);
    }
    const int n = snprintf(request, sizeof request,
                           "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n"
                           "Content-Length: %zu\r\n\r\n%s",
                           path, load.where, length, body);
    if (o->wire.fd < 0 &&
        !wire_open(&o->wire, load.epoll, o, (struct sockaddr *)&load.address, load.address_length)) {
        complain("cannot connect to %s: %s", load.where, strerror(errno));
        give_up("no connection to the server");
        return;
    }
    o->asked = true;
    load.f.requests++;
    wire_send(&o->wire, request, (size_t)n);
}

void openers_pump(void)
{
    if (now() < load.pause_until)
        return;
    for (int i = 0; i < OPENERS; i++)
        if (load.openers[i].table >= 0 && !load.openers[i].asked && load.f.stopped == NULL)
            ask(&load.openers[i]);
}

static bool take_answer(const opener *o, const http_answer *answer)
{
    const char *end = answer->body + answer->length;
    if (o->step == 0) {
        table *t = &load.tables[o->table];
        return json_copy(json_find(answer->body, end, "id"), end, t->id, sizeof t->id);
    }
    seat *s = &load.seats[o->table * load.f.seats + o->step - 1];
    return json_copy(json_find(answer->body, end, "token"), end, s->token, sizeof s->token);
}

static void opener_answered(opener *o, const http_answer *answer)
{
    o->asked = false;
    o->tries = 0;
    if (answer->status == 429) {
        wait_a_little(answer->retry_after);
    } else if (answer->status != 201 || !take_answer(o, answer)) {
        complain("the server answered %d: %.*s", answer->status, (int)answer->length, answer->body);
        give_up("a table could not be opened, or a seat not taken");
    } else {
        no_more_waiting();
        o->step++;
    }
}

static void opener_lost(opener *o)
{
    if (++o->tries >= TRIES) {
        complain("no connection to %s while opening tables: %s", load.where, why_lost(&o->wire));
        give_up("the server does not answer");
    }
    wire_close(&o->wire);
    o->asked = false;
}

void opener_event(opener *o)
{
    wire_flush(&o->wire);
    if (wire_receive(&o->wire) < 0) {
        opener_lost(o);
        return;
    }
    http_answer answer;
    const int read = http_read(&o->wire.in, &answer);
    if (read == 0)
        return;
    if (read < 0 || !o->asked) {
        complain("that is no answer: %.*s", (int)o->wire.in.length, o->wire.in.data);
        give_up("the server does not speak HTTP as expected");
        return;
    }
    const bool last = answer.last;
    opener_answered(o, &answer);
    wire_drop(&o->wire, answer.whole);
    if (last)
        wire_close(&o->wire);
    if (table_done(o)) {
        load.tables_ready++;
        next_table(o);
    }
}
