/* The server's sockets: libwebsockets speaks HTTP, WebSockets and TLS, libuv waits. */
#define _POSIX_C_SOURCE 200809L
#include "server/session.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

_Static_assert((int)HALL_BEFORE >= (int)LWS_PRE, "messages leave room for a frame's head");
_Static_assert((int)HALL_PIECE <= (int)SESSION_QUEUE / 2, "what somebody has missed cuts nobody off");

uint64_t server_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void *memory(void *block, size_t size)
{
    void *moved = realloc(block, size);
    if (moved == NULL) {
        fputs("hairpin: out of memory\n", stderr);
        abort(); /* what is confirmed is on the disk; a restart goes on from there */
    }
    return moved;
}

/* ---- Who asks ----------------------------------------------------------------------------------- */

/* The client's address: the last one in the list when a proxy is trusted, since that one it wrote itself. */
static void find_address(session *c)
{
    char list[256];
    lws_get_peer_simple(c->wsi, c->address, sizeof c->address);
    if (!c->s->settings->trust_proxy ||
        lws_hdr_copy(c->wsi, list, sizeof list, WSI_TOKEN_X_FORWARDED_FOR) <= 0)
        return;
    const char *last = strrchr(list, ',');
    last = last != NULL ? last + 1 : list;
    last += strspn(last, " ");
    limits_address(last, c->address);
}

/* scheme://host:port of an address, without what follows. */
static size_t origin_length(const char *url)
{
    const char *host = strstr(url, "://");
    return host != NULL ? (size_t)(host - url) + 3 + strcspn(host + 3, "/") : strlen(url);
}

/* A page of another site must not use the visitor's browser to race here. Programs send no Origin. */
static bool origin_fits(const session *c)
{
    char origin[256], host[256];
    if (lws_hdr_total_length(c->wsi, WSI_TOKEN_ORIGIN) == 0)
        return true;
    if (lws_hdr_copy(c->wsi, origin, sizeof origin, WSI_TOKEN_ORIGIN) <= 0)
        return false;
    const char *ours = c->s->settings->public_url;
    if (ours != NULL && strlen(origin) == origin_length(ours) &&
        strncmp(origin, ours, origin_length(ours)) == 0)
        return true;
    const char *theirs = strstr(origin, "://");
    return theirs != NULL && lws_hdr_copy(c->wsi, host, sizeof host, WSI_TOKEN_HOST) > 0 &&
           strcmp(theirs + 3, host) == 0;
}

/* "Bearer" and a token; "" for anything else. */
static void find_token(session *c)
{
    char text[64];
    memset(c->token, 0, sizeof c->token);
    if (lws_hdr_copy(c->wsi, text, sizeof text, WSI_TOKEN_HTTP_AUTHORIZATION) == 7 + TOKEN_TEXT &&
        strncmp(text, "Bearer ", 7) == 0)
        memcpy(c->token, text + 7, TOKEN_TEXT);
}

/* ---- Answering ---------------------------------------------------------------------------------- */

static void forget_reply(session *c)
{
    free(c->reply != NULL ? c->reply - LWS_PRE : NULL);
    c->reply = NULL;
    c->reply_length = c->reply_sent = 0;
}

/* The server does not end while it owes answers: who asked for a seat would never learn that they have it. */
static void owe(session *c)
{
    c->s->owed += !c->owed;
    c->owed = true;
}

static void settle(session *c)
{
    c->s->owed -= c->owed;
    c->owed = false;
}

static void answer(session *c, int status, size_t length)
{
    owe(c);
    visits_last(c->wsi, SESSION_ANSWER);
    c->status = status;
    c->reply_length = length;
    c->headed = false;
    c->ready = true;
    lws_callback_on_writable(c->wsi);
}

void session_answer(session *c, int status, const char *type, const char *text, size_t length)
{
    forget_reply(c);
    c->page = NULL;
    c->type = type;
    c->reply = (unsigned char *)memory(NULL, LWS_PRE + length + 1) + LWS_PRE;
    memcpy(c->reply, text, length);
    answer(c, status, length);
}

void session_answer_page(session *c, int status)
{
    forget_reply(c);
    answer(c, status, status == 304 ? 0 : c->page->size);
}

/* Neither code nor text may need escaping. */
void session_refuse(session *c, int status, const char *code, const char *text)
{
    char buffer[512];
    const int length =
        snprintf(buffer, sizeof buffer, "{\"m\":\"error\",\"code\":\"%s\",\"text\":\"%s\"}\n", code, text);
    session_answer(c, status, "application/json", buffer, (size_t)length);
}

static void safe_now(void *self)
{
    session *c = self;
    visits_last(c->wsi, SESSION_ANSWER);
    c->waiting = false;
    c->ready = true;
    lws_callback_on_writable(c->wsi);
}

void session_answer_when(session *c, uint64_t ticket)
{
    c->ready = false;
    c->waiting = true;
    hall_when_safe(c->s->hall, ticket, safe_now, c);
}

static bool add_header(session *c, const char *name, const char *value, unsigned char **at,
                       unsigned char *end)
{
    return lws_add_http_header_by_name(c->wsi, (const unsigned char *)name, (const unsigned char *)value,
                                       (int)strlen(value), at, end) == 0;
}

/* Pages may use what came from here, and nothing else: neither scripts within the text nor other sites. */
static const char page_policy[] =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

/* Clients keep pages, and ask whether they are still the same. */
static bool add_page_headers(session *c, unsigned char **at, unsigned char *end)
{
    char tag[64];
    snprintf(tag, sizeof tag, "\"%s\"", c->page->hash);
    return add_header(c, "etag:", tag, at, end) && add_header(c, "vary:", "accept-encoding", at, end) &&
           add_header(c, "cache-control:", "no-cache", at, end) &&
           add_header(c, "content-security-policy:", page_policy, at, end) &&
           (!c->packed || c->status == 304 || add_header(c, "content-encoding:", "gzip", at, end));
}

static bool add_answer_headers(session *c, unsigned char **at, unsigned char *end)
{
    return add_header(c, "cache-control:", "no-store", at, end) &&
           add_header(c, "content-security-policy:", "default-src 'none'; frame-ancestors 'none'", at, end) &&
           (c->status != 429 || add_header(c, "retry-after:", "1", at, end));
}

static bool write_head(session *c)
{
    static const char *const headers[][2] = {
        {"connection:", "close"},
        {"x-content-type-options:", "nosniff"},
        {"referrer-policy:", "no-referrer"},
        {"x-frame-options:", "DENY"},
        {"cross-origin-resource-policy:", "same-origin"},
    };
    unsigned char buffer[LWS_PRE + 2048], *at = buffer + LWS_PRE, *end = buffer + sizeof buffer - 1;
    const int failed = c->status == 304
                           ? lws_add_http_header_status(c->wsi, 304, &at, end)
                           : lws_add_http_common_headers(c->wsi, (unsigned)c->status, c->type,
                                                         (lws_filepos_t)c->reply_length, &at, end);
    if (failed || !(c->page != NULL ? add_page_headers : add_answer_headers)(c, &at, end))
        return false;
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        if (!add_header(c, headers[i][0], headers[i][1], &at, end))
            return false;
    if (c->s->settings->tls_cert != NULL &&
        !add_header(c, "strict-transport-security:", "max-age=31536000", &at, end))
        return false;
    c->headed = true;
    return lws_finalize_write_http_header(c->wsi, buffer + LWS_PRE, &at, end) == 0;
}

/* One answer for each connection: libwebsockets 4.1 goes round in circles when a request with a body comes
 * behind another one, even a GET, in one packet. What is left of this one is read first, since hanging up on
 * it could take the answer away. */
static bool may_hang_up(const session *c)
{
    return c->answered && (c->unread <= 0 || c->ignored > SESSION_IGNORED);
}

static bool write_part(session *c, size_t length, bool last)
{
    const enum lws_write_protocol how = last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP;
    /* lws writes a frame's head before a part: in an answer of ours stands there what has been sent. */
    if (c->page == NULL)
        return lws_write(c->wsi, c->reply + c->reply_sent, length, how) >= 0;
    unsigned char buffer[LWS_PRE + SESSION_PART];
    memcpy(buffer + LWS_PRE, c->page->data + c->reply_sent, length);
    return lws_write(c->wsi, buffer + LWS_PRE, length, how) >= 0;
}

/* Part of the answer for each call, so that a slow reader delays nobody. -1 ends the connection. */
static int write_answer(session *c)
{
    if (!c->ready)
        return 0;
    const bool only_head = c->head || c->status == 304;
    if (!c->headed) {
        if (!write_head(c))
            return -1;
        if (!only_head) {
            lws_callback_on_writable(c->wsi);
            return 0;
        }
    }
    const size_t left = c->reply_length - c->reply_sent;
    const size_t part = left < SESSION_PART ? left : SESSION_PART;
    const bool last = only_head || part == left;
    if (!only_head && !write_part(c, part, last))
        return -1;
    c->reply_sent += part;
    if (!last) {
        lws_callback_on_writable(c->wsi);
        return 0;
    }
    c->ready = false;
    c->answered = true;
    settle(c);
    visits_last(c->wsi, SESSION_REFUSED);
    return may_hang_up(c) ? -1 : 0;
}

/* ---- Requests ----------------------------------------------------------------------------------- */

static void forget_request(session *c)
{
    if (c->waiting)
        hall_forget(c->s->hall, c);
    settle(c);
    forget_reply(c);
    free(c->body);
    c->body = NULL;
    c->in_body = c->body_size = 0;
    c->ready = c->headed = c->waiting = false;
}

static void begin_request(session *c, const char *path)
{
    char length[16];
    forget_request(c);
    find_address(c);
    find_token(c);
    c->s->figures.requests++;
    c->post = lws_hdr_total_length(c->wsi, WSI_TOKEN_POST_URI) > 0;
    c->head = lws_hdr_total_length(c->wsi, WSI_TOKEN_HEAD_URI) > 0;
    const bool get = c->head || lws_hdr_total_length(c->wsi, WSI_TOKEN_GET_URI) > 0;
    snprintf(c->path, sizeof c->path, "%s", path);
    const bool long_path = strlen(path) >= sizeof c->path;
    const int n = lws_hdr_copy(c->wsi, length, sizeof length, WSI_TOKEN_HTTP_CONTENT_LENGTH);
    const long body = n > 0 ? strtol(length, NULL, 10) : n < 0 ? SESSION_BODY + 1 : 0;
    const struct hp_embedded *page = get && body == 0 && !long_path ? pages_find(c->path) : NULL;
    c->unread = body;
    if (page != NULL) { /* not limited: a browser asks for all of them at once, and they cost nothing */
        pages_answer(c, page);
    } else if (!limits_ask(c->s->limits, c->address, server_clock())) {
        c->s->figures.refused_rate++;
        session_refuse(c, 429, "too_fast", "Too many requests from this address; wait a little.");
    } else if (!get && !c->post) {
        session_refuse(c, 405, "wrong_method", "Only GET, HEAD and POST are understood here.");
    } else if (body > SESSION_BODY || body < 0) {
        session_refuse(c, 413, "too_large", "The request is too large.");
    } else if (lws_hdr_total_length(c->wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0) {
        session_refuse(c, 400, "bad_request", "The body must come as a whole, with its Content-Length.");
    } else if (long_path) {
        session_refuse(c, 404, "no_such_page", "There is nothing here.");
    } else if (c->post && !origin_fits(c)) {
        c->s->figures.refused_origin++;
        session_refuse(c, 403, "wrong_origin", "Pages of other sites may not ask here.");
    } else if (!c->post || body == 0) {
        api_answer(c);
    }
}

static void take_body(session *c, const void *in, size_t length)
{
    c->unread -= (int64_t)length;
    if (c->ready || c->waiting || c->answered) { /* refused already */
        c->ignored += length;
        return;
    }
    if (c->in_body + length > SESSION_BODY) {
        session_refuse(c, 413, "too_large", "The request is too large.");
        return;
    }
    if (c->in_body + length + 1 > c->body_size)
        c->body = memory(c->body, c->body_size = c->in_body + length + 1);
    memcpy(c->body + c->in_body, in, length);
    c->in_body += length;
    c->body[c->in_body] = '\0';
}

/* ---- WebSockets --------------------------------------------------------------------------------- */

void session_hang_up(session *c, int code)
{
    if (c->closing == 0) {
        c->closing = (uint16_t)code;
        c->ends = server_clock() + SESSION_GOODBYE;
    }
    lws_callback_on_writable(c->wsi);
}

static void drop_queue(session *c)
{
    for (; c->in_queue > 0; c->in_queue--) {
        hall_release(c->queue[c->first]);
        c->first = (c->first + 1) % c->queue_size;
    }
    free(c->queue);
    c->queue = NULL;
    c->queue_size = c->first = 0;
    c->queued_bytes = 0;
}

static void tell(session *c, hall_message *m)
{
    const uint64_t now = server_clock();
    if (c->in_queue == 0)
        c->stuck_since = now;
    const bool slow = c->queued_bytes + m->length > SESSION_QUEUE || now > c->stuck_since + SESSION_PATIENCE;
    if (slow && c->closing == 0) {
        c->s->figures.cut_off++;
        drop_queue(c);
        session_hang_up(c, 1013);
    }
    if (c->closing != 0) {
        hall_release(m);
        return;
    }
    if (c->in_queue == c->queue_size) {
        const uint32_t larger = c->queue_size == 0 ? 8 : 2 * c->queue_size;
        hall_message **queue = memory(NULL, larger * sizeof *queue);
        for (uint32_t i = 0; i < c->in_queue; i++)
            queue[i] = c->queue[(c->first + i) % c->queue_size];
        free(c->queue);
        c->queue = queue;
        c->queue_size = larger;
        c->first = 0;
    }
    c->queue[(c->first + c->in_queue++) % c->queue_size] = m;
    c->queued_bytes += m->length;
    lws_callback_on_writable(c->wsi);
}

void session_say(session *c, const char *text, size_t length)
{
    hall_message *m = memory(NULL, sizeof *m + HALL_BEFORE + length + 1);
    *m = (hall_message){.users = 1, .length = length, .text = (unsigned char *)(m + 1) + HALL_BEFORE};
    memcpy(m->text, text, length);
    tell(c, m);
}

static int write_queue(session *c)
{
    if (c->ping) {
        /* Of one byte: libwebsockets does not tell of answers that are empty. */
        unsigned char frame[LWS_PRE + 1] = {0};
        c->ping = false;
        if (lws_write(c->wsi, frame + LWS_PRE, 1, LWS_WRITE_PING) < 0)
            return -1;
    }
    while (c->in_queue > 0 && !lws_send_pipe_choked(c->wsi)) {
        hall_message *m = c->queue[c->first];
        c->first = (c->first + 1) % c->queue_size;
        c->in_queue--;
        c->queued_bytes -= m->length;
        c->stuck_since = server_clock();
        const int written = lws_write(c->wsi, m->text, m->length, LWS_WRITE_TEXT);
        hall_release(m);
        if (written < 0)
            return -1;
    }
    if (c->in_queue == 0 && c->closing == 0)
        hall_go_on(c->s->hall, &c->follower);
    if (c->in_queue > 0) {
        lws_callback_on_writable(c->wsi);
    } else if (c->queue_size > 32) { /* it has caught up: most never need more */
        free(c->queue);
        c->queue = NULL;
        c->queue_size = c->first = 0;
    }
    /* Not from here: who fails to write is not even said goodbye to. */
    if (c->closing != 0 && c->in_queue == 0)
        lws_set_timer_usecs(c->wsi, 1);
    return 0;
}

/* Nobody has said who it is, or all is said. -1 closes. */
static int time_is_up(session *c)
{
    if (c->closing != 0 && c->in_queue == 0) {
        lws_close_reason(c->wsi, (enum lws_close_status)c->closing, NULL, 0);
        return -1;
    }
    if (!c->greeted)
        session_hang_up(c, 1008);
    return 0;
}

/* Takes the table from /api/tables/ID/live; false when there is none. */
static bool find_table(session *c)
{
    char path[SESSION_PATH];
    int end = 0;
    return lws_hdr_copy(c->wsi, path, sizeof path, WSI_TOKEN_GET_URI) > 0 &&
           sscanf(path, "/api/tables/%22[0-9A-Za-z_-]/live%n", c->id, &end) == 1 && end > 0 &&
           path[end] == '\0' && hall_find(c->s->hall, c->id) != NULL;
}

/* What is said to somebody who may not open a WebSocket: an answer by HTTP, all of it at once. */
static void turn_away(session *c, int status, const char *code, const char *text)
{
    session_refuse(c, status, code, text);
    if (write_head(c))
        lws_write(c->wsi, c->reply, c->reply_length, LWS_WRITE_HTTP_FINAL);
}

static bool admit(session *c)
{
    server *s = c->s;
    const uint64_t now = server_clock();
    find_address(c);
    if (s->stopping || s->figures.sockets >= s->connections) {
        s->figures.refused_full++;
        turn_away(c, 503, "full", "The server takes no more connections now.");
    } else if (!origin_fits(c)) {
        s->figures.refused_origin++;
        turn_away(c, 403, "wrong_origin", "Pages of other sites may not ask here.");
    } else if (!limits_ask(s->limits, c->address, now)) {
        s->figures.refused_rate++;
        turn_away(c, 429, "too_fast", "Too many requests from this address; wait a little.");
    } else if (!find_table(c)) {
        turn_away(c, 404, "no_such_table", "There is no such table.");
    } else if (!limits_connect(s->limits, c->address, now)) {
        s->figures.refused_rate++;
        turn_away(c, 429, "too_many", "Too many connections from this address.");
    } else {
        c->counted = true;
    }
    return c->counted;
}

/* Who does not read its dismissal either: its socket never becomes writable, and it could not be said goodbye to. */
static void cut_off(session *c)
{
    drop_queue(c);
    lws_set_timeout(c->wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC);
}

/* Every second: who has said nothing for long is asked whether it is there, and given up when it is not. Not
 * all of them at once, though they may have come so. libwebsockets could do that, but sorts all its timers
 * for each. */
static void who_is_there(uv_timer_t *timer)
{
    server *s = timer->data;
    const uint64_t now = server_clock(), silence = UINT64_C(1000) * s->settings->ping;
    int asked = 0;
    visits_look(s);
    for (session *c = s->sessions; c != NULL; c = c->next) {
        if (c->closing != 0 && now > c->ends && !s->stopping) /* a farewell has an end of its own */
            cut_off(c);
        else if (now > c->heard + silence * 5 / 2)
            session_hang_up(c, 1001);
        else if (now > c->heard + silence && now > c->asked + silence && asked < SESSION_ASK_AT_ONCE) {
            asked++;
            c->asked = now;
            c->ping = true;
            lws_callback_on_writable(c->wsi);
        }
    }
}

static void open_socket(session *c)
{
    visits_end(c->s, c->wsi);
    c->heard = server_clock();
    c->next = c->s->sessions;
    c->s->sessions = c;
    c->s->figures.sockets++;
    lws_set_timer_usecs(c->wsi, SESSION_GREETING * LWS_USEC_PER_SEC);
}

static void close_socket(session *c)
{
    session **at = &c->s->sessions;
    while (*at != NULL && *at != c)
        at = &(*at)->next;
    if (*at == NULL)
        return;
    *at = c->next;
    c->s->figures.sockets--;
    hall_unfollow(&c->follower);
    drop_queue(c);
}

static void hear_part(session *c, const char *in, size_t length)
{
    if (c->closing != 0)
        return;
    if (lws_frame_is_binary(c->wsi)) {
        session_hang_up(c, 1003);
        return;
    }
    if (c->in_line + length > SESSION_LINE) {
        session_hang_up(c, 1009);
        return;
    }
    memcpy(c->line + c->in_line, in, length);
    c->in_line += length;
    if (!lws_is_final_fragment(c->wsi) || lws_remaining_packet_payload(c->wsi) > 0)
        return;
    const size_t whole = c->in_line;
    c->in_line = 0;
    c->s->figures.lines++;
    const server_settings *settings = c->s->settings;
    if (settings->rate > 0 && !limits_take(&c->bucket, settings->rate, settings->reserve, server_clock())) {
        c->s->figures.refused_rate++;
        session_hang_up(c, 1008);
        return;
    }
    lines_hear(c, c->line, whole);
}

/* ---- libwebsockets ------------------------------------------------------------------------------ */

static int callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length)
{
    session *c = user;
    switch (reason) {                            /* one of a hundred reasons; the others do not concern us */
    case LWS_CALLBACK_FILTER_NETWORK_CONNECTION: /* there is no session yet */
        return visits_welcome(lws_context_user(lws_get_context(wsi)), user) ? 0 : -1;
    case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
        visits_begin(lws_context_user(lws_get_context(wsi)), wsi);
        return 0;
    case LWS_CALLBACK_HTTP:
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        c->s = lws_context_user(lws_get_context(wsi));
        c->wsi = wsi;
        if (c->answered || (reason != LWS_CALLBACK_HTTP && !admit(c)))
            return -1;
        if (reason == LWS_CALLBACK_HTTP)
            begin_request(c, in);
        return 0;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return strcmp(in, "websocket") == 0 ? 0 : -1; /* no HTTP/2 */
    case LWS_CALLBACK_HTTP_BODY:
        take_body(c, in, length);
        return may_hang_up(c) || visits_over(wsi) ? -1 : 0;
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
        if (!c->ready && !c->waiting && !c->answered)
            api_answer(c);
        return may_hang_up(c) ? -1 : 0;
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return write_answer(c);
    case LWS_CALLBACK_CLOSED_HTTP:
        if (c != NULL && c->s != NULL)
            forget_request(c);
        return 0;
    case LWS_CALLBACK_ESTABLISHED:
        open_socket(c);
        return 0;
    case LWS_CALLBACK_RECEIVE_PONG:
        c->heard = server_clock();
        return 0;
    case LWS_CALLBACK_RECEIVE:
        c->heard = server_clock();
        hear_part(c, in, length);
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return write_queue(c);
    case LWS_CALLBACK_TIMER:
        return time_is_up(c);
    case LWS_CALLBACK_CLOSED:
        close_socket(c);
        return 0;
    case LWS_CALLBACK_WSI_DESTROY:
        visits_end(lws_context_user(lws_get_context(wsi)), wsi);
        if (c != NULL && c->s != NULL) {
            forget_request(c);
            if (c->counted)
                limits_hang_up(c->s->limits, c->address);
            c->counted = false;
        }
        return 0;
    default:
        return lws_callback_http_dummy(wsi, reason, user, in, length);
    }
}

static const struct lws_protocols protocols[] = {
    {.name = "hairpin",
     .callback = callback,
     .per_session_data_size = sizeof(session),
     .rx_buffer_size = 1024},
    {0},
};

static server *logging; /* libwebsockets has one log for all */

/* A few a second: what goes wrong there may do so without end. */
static void log_line(int level, const char *line)
{
    enum { A_SECOND = 5 };
    char text[256];
    server *s = logging;
    (void)level;
    if (s == NULL)
        return;
    const uint64_t second = server_clock() / 1000;
    s->complaints = second == s->complained ? s->complaints + 1 : 1;
    s->complained = second;
    snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\n"), line);
    if (s->complaints <= A_SECOND)
        s->owner.log(s->owner.self, "network", "", text);
}

/* ---- The hall's words --------------------------------------------------------------------------- */

static void hall_tells(void *self, hall_follower *f, hall_message *m)
{
    (void)self;
    tell(lws_container_of(f, session, follower), m);
}

static void hall_logs(void *self, const char *what, const char *id, const char *detail)
{
    server *s = self;
    s->owner.log(s->owner.self, what, id, detail);
}

/* ---- Starting and stopping ---------------------------------------------------------------------- */

static void end_loop(uv_timer_t *timer)
{
    server *s = timer->data;
    uv_timer_stop(timer);
    lws_context_destroy(s->context); /* on a loop of ours, it needs the loop to end, and a second call */
    uv_stop(&s->loop);
}

/* Rounds are counted, not time: a machine that stalls would use that up before anything could be written. */
static void end_when_all_have_heard(uv_timer_t *timer)
{
    server *s = timer->data;
    if ((s->sessions == NULL && s->owed == 0) || s->farewell-- == 0)
        end_loop(timer);
}

/* All that was confirmed has been told: say goodbye, and give it and the last answers a moment to arrive. */
static void all_told(void *self)
{
    server *s = self;
    for (session *c = s->sessions; c != NULL; c = c->next)
        session_hang_up(c, 1001);
    s->farewell = SERVER_FAREWELL;
    uv_timer_start(&s->timer, end_when_all_have_heard, 0, 10);
}

static void stop(server *s)
{
    if (s->stopping)
        return;
    s->stopping = true;
    s->owner.log(s->owner.self, "stopping", "", "");
    hall_stop(s->hall, all_told);
}

static void on_signal(uv_signal_t *handle, int number)
{
    (void)number;
    stop(handle->data);
}

static bool ignored(int number)
{
    struct sigaction now;
    return sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

/* Nothing is confirmed that is not on the disk; nothing more can be. */
static void store_failed(void *self, const char *why)
{
    server *s = self;
    if (s->failed)
        return;
    s->failed = true;
    s->stopping = true;
    s->owner.log(s->owner.self, "store_failed", "", why);
    uv_timer_start(&s->timer, end_loop, 0, 0);
}

/* How many files may be open: as many as needed, if they can be had. */
static rlim_t raise_file_limit(rlim_t needed)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed)
        return needed;
    limit.rlim_cur = needed;
    if (limit.rlim_max < needed)
        limit.rlim_max = needed; /* root may */
    if (setrlimit(RLIMIT_NOFILE, &limit) == 0)
        return needed;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    return limit.rlim_max < needed ? limit.rlim_max : needed;
}

/* Beside those that follow a race there are connections with requests, and files of our own. With less than
 * that, some of each; a server that accepts more than it can open would do nothing else any more. */
static bool share_files(server *s, unsigned *sockets, char error[STORE_ERROR])
{
    enum { REQUESTS = 1024, OWN = 76, LEAST = 200 };
    const rlim_t needed = (rlim_t)s->settings->connections + REQUESTS + OWN, files = raise_file_limit(needed);
    s->connections = s->settings->connections;
    *sockets = (unsigned)(files - OWN);
    if (files >= needed)
        return true;
    if (files < LEAST) {
        snprintf(error, STORE_ERROR, "only %u files may be open, and it needs %d (ulimit -n)",
                 (unsigned)files, (int)LEAST);
        return false;
    }
    s->connections = *sockets * 3 / 4 < s->connections ? *sockets * 3 / 4 : s->connections;
    if (s->connections < s->settings->connections / 2) {
        char detail[64];
        snprintf(detail, sizeof detail, "%u (ulimit -n %u)", s->connections, (unsigned)files);
        s->owner.log(s->owner.self, "few_files", "", detail);
    }
    return true;
}

static bool open_context(server *s, char error[STORE_ERROR])
{
    static const lws_retry_bo_t nothing; /* see who_is_there */
    void *loops[] = {&s->loop};
    const server_settings *settings = s->settings;
    unsigned sockets;
    if (!share_files(s, &sockets, error))
        return false;
    struct lws_context_creation_info info = {
        .port = settings->port,
        .iface = settings->bind,
        .protocols = protocols,
        .user = s,
        .foreign_loops = loops,
        .options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND |
                   LWS_SERVER_OPTION_DISABLE_IPV6 | LWS_SERVER_OPTION_EXPLICIT_VHOSTS,
        .vhost_name = "hairpin",
        .timeout_secs = 10,
        .keepalive_timeout = 15,
        .max_http_header_data = 4096,
        .max_http_header_pool = 4096, /* made when needed: half requests must not keep whole ones out */
        .fd_limit_per_thread = sockets,
        .retry_and_idle_policy = &nothing,
        .alpn = "http/1.1",
        .server_string = "hairpin",
        .pt_serv_buf_size = 16384,
    };
    if (settings->tls_cert != NULL) {
        info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
        info.ssl_cert_filepath = settings->tls_cert;
        info.ssl_private_key_filepath = settings->tls_key;
    }
    s->context = lws_create_context(&info);
    /* A vhost by itself, since a context whose own cannot listen is not NULL on a loop of ours. */
    const bool good = s->context != NULL && lws_create_vhost(s->context, &info) != NULL;
    if (!good)
        snprintf(error, STORE_ERROR, "cannot listen on %s:%d%s",
                 settings->bind != NULL ? settings->bind : "*", settings->port,
                 settings->tls_cert != NULL ? ", or not with this certificate and key" : "");
    return good;
}

static void close_handle(uv_handle_t *handle, void *argument)
{
    (void)argument;
    if (!uv_is_closing(handle))
        uv_close(handle, NULL);
}

bool server_run(const server_settings *settings, const server_owner *owner, char error[STORE_ERROR])
{
    static server instance; /* libwebsockets' log has no owner of its own, so that there is one server */
    server *s = &instance;
    *s = (server){.settings = settings, .owner = *owner, .started = server_clock()};
    logging = s;
    lws_set_log_level(LLL_ERR, log_line);
    signal(SIGPIPE, SIG_IGN);
    uv_loop_init(&s->loop);
    uv_timer_init(&s->loop, &s->timer); /* before the hall, which may fail as soon as it is open */
    s->term.data = s->interrupt.data = s->hang_up.data = s->timer.data = s->look.data = s;
    /* Heard when the loop runs, however early they come. */
    uv_signal_init(&s->loop, &s->term);
    uv_signal_init(&s->loop, &s->interrupt);
    uv_signal_init(&s->loop, &s->hang_up);
    uv_signal_start(&s->term, on_signal, SIGTERM);
    uv_signal_start(&s->interrupt, on_signal, SIGINT);
    if (!ignored(SIGHUP)) /* by nohup */
        uv_signal_start(&s->hang_up, on_signal, SIGHUP);
    const hall_owner hearer = {.tell = hall_tells, .log = hall_logs, .failed = store_failed, .self = s};
    s->limits = limits_open(settings->rate, settings->reserve, settings->address_connections);
    s->chatter = limits_open(settings->rate > 0 ? CHATTER_RATE : 0, CHATTER_RESERVE, 0);
    /* First the port: who cannot have that leaves the data alone. Nobody is answered before the loop runs. */
    if (s->limits == NULL || s->chatter == NULL || !open_context(s, error) ||
        (s->hall = hall_open(&s->loop, &settings->hall, &hearer, error)) == NULL)
        return false; /* the program ends */
    uv_timer_init(&s->loop, &s->look);
    uv_timer_start(&s->look, who_is_there, 1000, 1000);
    s->owner.log(s->owner.self, "serving", "", "");
    uv_run(&s->loop, UV_RUN_DEFAULT);
    hall_close(s->hall);
    lws_context_destroy(s->context);
    uv_walk(&s->loop, close_handle, NULL);
    uv_run(&s->loop, UV_RUN_DEFAULT);
    uv_loop_close(&s->loop);
    limits_close(s->limits);
    limits_close(s->chatter);
    logging = NULL;
    if (s->failed)
        snprintf(error, STORE_ERROR, "the database cannot be written");
    return !s->failed;
}
