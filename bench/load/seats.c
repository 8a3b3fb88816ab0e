#include "bench/load/load.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- Coming and going --------------------------------------------------------------------------- */

static void seat_open(seat *s)
{
    char path[128];
    snprintf(path, sizeof path, "/api/tables/%s/live", load.tables[s->table].id);
    if (wire_open(&s->wire, load.epoll, s, (struct sockaddr *)&load.address, load.address_length)) {
        s->state = OPENING;
        load.opening++;
        ws_ask(&s->wire, load.where, path);
    } else if (errno == EADDRNOTAVAIL) { /* ports of the last run are not free again yet */
        wait_a_little(1);
    } else {
        complain("cannot connect to %s: %s", load.where, strerror(errno));
        give_up("no connection to the server");
    }
}

static void seat_lost(seat *s, const char *why)
{
    wire_close(&s->wire);
    if (s->state == OVER)
        return; /* it has seen all that it came for */
    complain("lost seat %d of table %s: %s", s->number, load.tables[s->table].id, why);
    if (s->state != THERE)
        load.opening--;
    s->state = LOST;
    load.f.lost++;
    table *t = &load.tables[s->table];
    if (!t->broken)
        load.settled++; /* the others wait for it: that race will not end */
    t->broken = true;
}

static void seat_again_later(seat *s, int seconds)
{
    wire_close(&s->wire);
    wait_a_little(seconds);
    s->state = NEW;
    load.opening--;
    if (s - load.seats < load.next_seat)
        load.next_seat = s - load.seats;
}

/* The answer to the handshake. */
static void seat_answered(seat *s)
{
    http_answer answer;
    char line[128], why[64];
    const int read = http_read(&s->wire.in, &answer);
    if (read == 0)
        return;
    if (read > 0 && answer.status == 429) {
        seat_again_later(s, answer.retry_after);
    } else if (read < 0 || answer.status != 101 || !answer.accepted) {
        snprintf(why, sizeof why, "the handshake was answered with %d", read > 0 ? answer.status : 0);
        seat_lost(s, why);
    } else {
        no_more_waiting();
        wire_drop(&s->wire, answer.whole);
        s->state = JOINING;
        const int n = s->number < 0 ? snprintf(line, sizeof line, "watch 0")
                                    : snprintf(line, sizeof line, "seat %s 0", s->token);
        ws_send(&s->wire, WS_TEXT, line, (size_t)n, (uint32_t)roll(&load.dice));
    }
}

void seats_pump(void)
{
    for (; load.next_seat < load.f.connections && load.opening < AT_ONCE && now() >= load.pause_until;
         load.next_seat++) {
        seat *s = &load.seats[load.next_seat];
        if (s->state == NEW)
            seat_open(s);
        if (s->state == NEW || load.f.stopped != NULL)
            return;
    }
}

/* ---- Racing ------------------------------------------------------------------------------------- */

static void fault(const seat *s, const char *what, const char *message, size_t length)
{
    load.f.faults++;
    complain("seat %d of table %s, behind entry %ld: %s: %.*s", s->number, load.tables[s->table].id,
             s->newest, what, (int)(length < 200 ? length : 200), message);
}

static void confirm(seat *s, uint64_t at)
{
    histogram_add(&load.f.latency, (at - s->sent_at) / 1000);
    s->sent_at = 0;
    load.f.confirmed++;
    load.last_act = at;
}

static void hear_entry(seat *s, const char *text, size_t length)
{
    const char *end = text + length;
    const long n = json_number(json_find(text, end, "n"), end, -1);
    if (n != s->newest + 1)
        fault(s, "an entry out of order", text, length);
    s->newest = n;
    if (s->number < 0 || json_number(json_find(text, end, "seat"), end, -1) != s->number ||
        !json_is(json_find(text, end, "what"), end, "act"))
        return;
    if (s->sent_at == 0 || json_find(text, end, "act") == NULL)
        fault(s, "a confirmation that is none", text, length);
    else
        confirm(s, now());
}

static void race_over(seat *s)
{
    table *t = &load.tables[s->table];
    s->state = OVER;
    if (++t->over < load.f.seats || t->broken)
        return;
    load.f.races_finished++;
    load.settled++;
}

static void joined(seat *s)
{
    if (s->state != JOINING)
        return;
    s->state = THERE;
    load.opening--;
    load.f.connected++;
}

static void hear_state(seat *s, const char *text, size_t length)
{
    const char *end = text + length;
    joined(s);
    if (json_number(json_find(text, end, "n"), end, -1) != s->newest)
        fault(s, "a state that is not that of the last entry", text, length);
    if (json_number(json_find(text, end, "you"), end, -2) != s->number)
        fault(s, "a state for somebody else", text, length);
    if (s->number < 0 || s->state != THERE)
        return;
    if (json_is(json_find(json_find(text, end, "table"), end, "phase"), end, "over")) {
        race_over(s);
    } else if (s->sent_at == 0 && s->act[0] == '\0' && choose_act(text, end, &load.dice, s->act) &&
               !s->queued) {
        s->queued = true;
        load.queue[(load.head + load.waiting++) % (size_t)load.f.connections] = s;
    }
}

/* A refused act is not tried again: the next state says what to do, if another one comes. */
static void hear_error(seat *s, const char *text, size_t length)
{
    s->refused = s->sent_at != 0;
    s->sent_at = 0;
    if (s->refused)
        load.f.refused++;
    else
        load.f.faults++;
    complain("seat %d of table %s, behind entry %ld: %.*s", s->number, load.tables[s->table].id, s->newest,
             (int)(length < 300 ? length : 300), text);
}

static void hear(void *owner, const char *text, size_t length)
{
    seat *s = owner;
    const char *end = text + length;
    const char *m = json_find(text, end, "m");
    load.f.messages++;
    while (length > 0 && text[length - 1] == '\n')
        length--;
    if (json_is(m, end, "entry"))
        hear_entry(s, text, length);
    else if (json_is(m, end, "state"))
        hear_state(s, text, length);
    else if (json_is(m, end, "error"))
        hear_error(s, text, length);
    else if (m == NULL)
        fault(s, "no message", text, length);
}

void seat_event(seat *s)
{
    char why[64];
    wire_flush(&s->wire);
    const long n = wire_receive(&s->wire);
    if (n < 0) {
        seat_lost(s, why_lost(&s->wire));
        return;
    }
    load.f.bytes += (uint64_t)n;
    if (s->state == OPENING)
        seat_answered(s);
    if (s->state < JOINING || s->wire.fd < 0)
        return;
    if (!ws_read(&s->wire, hear)) {
        snprintf(why, sizeof why,
                 s->wire.close_status > 0 ? "the server closed with %d" : "that is no WebSocket frame",
                 s->wire.close_status);
        seat_lost(s, why);
    } else if (s->wire.failed) {
        seat_lost(s, why_lost(&s->wire));
    }
}

static void send_act(seat *s)
{
    char line[ACT_TEXT + 32];
    const int n = snprintf(line, sizeof line, "act %ld %s", s->newest, s->act);
    s->act[0] = '\0';
    s->refused = false;
    s->sent_at = now();
    if (load.f.sent++ == 0)
        load.first_act = s->sent_at;
    ws_send(&s->wire, WS_TEXT, line, (size_t)n, (uint32_t)roll(&load.dice));
    if (s->wire.failed)
        seat_lost(s, why_lost(&s->wire));
}

/* Credit of at most 20 ms: what we were too slow for is not made up for by a crowd. */
static bool may_send(void)
{
    if (load.f.rate == 0)
        return true;
    const double most = (double)load.f.rate / 50;
    const uint64_t at = now();
    load.credit += (double)(at - load.credit_at) * 1e-9 * (double)load.f.rate;
    load.credit_at = at;
    if (load.credit > most && load.credit > 1)
        load.credit = most > 1 ? most : 1;
    return load.credit >= 1;
}

void acts_pump(void)
{
    for (int i = 0; i < BATCH && load.waiting > 0 && may_send(); i++) {
        seat *s = load.queue[load.head];
        load.head = (load.head + 1) % (size_t)load.f.connections;
        load.waiting--;
        s->queued = false;
        if (s->state != THERE || s->act[0] == '\0')
            continue;
        load.credit -= 1;
        send_act(s);
    }
}

static void tell_table(long number)
{
    const seat *first = &load.seats[number * load.f.seats];
    const char *comma = "";
    fprintf(stderr, "load: table %s is not over, behind entry %ld: ", load.tables[number].id, first->newest);
    for (const seat *s = first; s < first + load.f.seats; s++) {
        const char *why = s->sent_at != 0     ? "waits for an answer"
                          : s->act[0] != '\0' ? "was about to act"
                          : s->refused        ? "was refused"
                                              : NULL;
        if (why == NULL)
            continue;
        fprintf(stderr, "%sseat %d %s", comma, s->number, why);
        comma = ", ";
    }
    fputs(*comma != '\0' ? "\n" : "nobody is asked\n", stderr);
}

void tell_unfinished(void)
{
    int told = 0;
    for (long i = 0; i < load.n_tables && told < 3; i++)
        if (load.tables[i].over < load.f.seats && !load.tables[i].broken) {
            tell_table(i);
            told++;
        }
}
