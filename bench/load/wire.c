#define _GNU_SOURCE /* memmem, strncasecmp */
#include "bench/load/wire.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { PIECE = 1 << 16, FRAME_MAX = 1 << 24 };

/* The pair of RFC 6455, 1.3: with a key whose answer is known nobody needs SHA-1 here. */
static const char ws_key[] = "dGhlIHNhbXBsZSBub25jZQ==";
static const char ws_accept[] = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

/* ---- Buffers ------------------------------------------------------------------------------------ */

void *must_have(void *memory)
{
    if (memory == NULL) {
        fputs("load: no memory left\n", stderr);
        exit(2);
    }
    return memory;
}

static void append(buffer *b, const void *data, size_t length)
{
    if (b->capacity - b->length < length) {
        b->capacity = (b->length + length) * 3 / 2;
        b->data = must_have(realloc(b->data, b->capacity));
    }
    if (length > 0)
        memcpy(b->data + b->length, data, length);
    b->length += length;
}

/* Takes bytes off the front. Empty buffers have no memory: there are thousands of them. */
static void drop(buffer *b, size_t length)
{
    b->length -= length;
    if (b->length > 0) {
        memmove(b->data, b->data + length, b->length);
    } else {
        free(b->data);
        *b = (buffer){0};
    }
}

/* ---- Sockets ------------------------------------------------------------------------------------ */

bool wire_open(wire *w, int epoll, void *owner, const struct sockaddr *to, socklen_t length)
{
    const int on = 1;
    *w = (wire){.fd = socket(to->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0),
                .epoll = epoll,
                .owner = owner};
    if (w->fd < 0)
        return false;
    setsockopt(w->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = owner};
    if ((connect(w->fd, to, length) == 0 || errno == EINPROGRESS) &&
        epoll_ctl(epoll, EPOLL_CTL_ADD, w->fd, &event) == 0)
        return true;
    const int why = errno;
    wire_close(w);
    errno = why;
    return false;
}

void wire_close(wire *w)
{
    if (w->fd >= 0)
        close(w->fd);
    w->fd = -1;
    drop(&w->in, w->in.length);
    drop(&w->out, w->out.length);
    drop(&w->message, w->message.length);
}

/* The first reason counts: asking a second time only tells that the connection is gone. */
static void fail(wire *w, int error)
{
    if (!w->failed)
        w->error = error;
    w->failed = true;
}

void wire_flush(wire *w)
{
    size_t done = 0;
    while (done < w->out.length) {
        const ssize_t n = send(w->fd, w->out.data + done, w->out.length - done, MSG_NOSIGNAL);
        if (n > 0) {
            done += (size_t)n;
        } else if (errno != EINTR) {
            if (errno != EAGAIN && errno != EWOULDBLOCK)
                fail(w, errno);
            break;
        }
    }
    drop(&w->out, done);
    const bool writing = w->out.length > 0 && !w->failed;
    if (writing != w->writing) {
        struct epoll_event event = {.events = EPOLLIN | (writing ? (uint32_t)EPOLLOUT : 0),
                                    .data.ptr = w->owner};
        epoll_ctl(w->epoll, EPOLL_CTL_MOD, w->fd, &event);
        w->writing = writing;
    }
}

void wire_send(wire *w, const void *data, size_t length)
{
    append(&w->out, data, length);
    wire_flush(w);
}

long wire_receive(wire *w)
{
    char piece[PIECE];
    const ssize_t n = recv(w->fd, piece, sizeof piece, 0);
    if (n > 0)
        append(&w->in, piece, (size_t)n);
    else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
        return 0;
    else
        fail(w, n < 0 ? errno : 0);
    return n > 0 ? (long)n : -1;
}

void wire_drop(wire *w, size_t length)
{
    drop(&w->in, length);
}

/* ---- HTTP --------------------------------------------------------------------------------------- */

/* The value of a header line, or NULL; it ends with the line. */
static const char *header(const char *head, const char *end, const char *name)
{
    const size_t length = strlen(name);
    for (const char *line = head; line != NULL; line = memmem(line, (size_t)(end - line), "\r\n", 2)) {
        line += line != head ? 2 : 0;
        if ((size_t)(end - line) <= length || strncasecmp(line, name, length) != 0 || line[length] != ':')
            continue;
        for (line += length + 1; line < end && *line == ' ';)
            line++;
        return line;
    }
    return NULL;
}

static bool begins(const char *value, const char *end, const char *with)
{
    const size_t length = strlen(with);
    return value != NULL && (size_t)(end - value) >= length && strncasecmp(value, with, length) == 0;
}

/* No number here comes near the limit: larger ones are none. -1 for none. */
static long number(const char *value, const char *end)
{
    long n = -1;
    for (; value != NULL && value < end && *value >= '0' && *value <= '9' && n < FRAME_MAX; value++)
        n = (n < 0 ? 0 : n) * 10 + (*value - '0');
    return n < FRAME_MAX ? n : -1;
}

int http_read(const buffer *in, http_answer *answer)
{
    const char *head = in->data;
    const char *end = head != NULL ? memmem(head, in->length, "\r\n\r\n", 4) : NULL;
    if (end == NULL)
        return in->length < PIECE ? 0 : -1;
    *answer = (http_answer){.body = end + 4};
    const bool old = begins(head, end, "HTTP/1.0 "); /* libwebsockets refuses handshakes like that */
    if ((!old && !begins(head, end, "HTTP/1.1 ")) || (answer->status = (int)number(head + 9, end)) < 100)
        return -1;
    const long length = number(header(head, end, "Content-Length"), end);
    const bool empty = answer->status < 200 || answer->status == 204;
    const size_t here = in->length - (size_t)(end + 4 - head);
    answer->length = empty ? 0 : length >= 0 ? (size_t)length : here;
    answer->whole = (size_t)(end + 4 - head) + answer->length;
    answer->last = old || begins(header(head, end, "Connection"), end, "close") || (length < 0 && !empty);
    answer->accepted = begins(header(head, end, "Sec-WebSocket-Accept"), end, ws_accept);
    const long after = number(header(head, end, "Retry-After"), end);
    answer->retry_after = after > 0 ? (int)after : 0;
    return answer->whole <= in->length;
}

void ws_ask(wire *w, const char *host, const char *path)
{
    char request[512];
    const int n = snprintf(request, sizeof request,
                           "GET %s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                           "Sec-WebSocket-Key: %s\r\nSec-WebSocket-Version: 13\r\n\r\n",
                           path, host, ws_key);
    wire_send(w, request, n < (int)sizeof request ? (size_t)n : sizeof request - 1);
}

/* ---- WebSocket ---------------------------------------------------------------------------------- */

/* Ours are lines and pongs: they always fit into the two short forms. */
void ws_send(wire *w, ws_opcode opcode, const void *data, size_t length, uint32_t mask)
{
    unsigned char key[sizeof mask], frame[8 + 1024];
    size_t n = 0;
    memcpy(key, &mask, sizeof key);
    if (length > 1024)
        length = 1024;
    frame[n++] = (unsigned char)(0x80 | opcode);
    if (length < 126) {
        frame[n++] = (unsigned char)(0x80 | length);
    } else {
        frame[n++] = 0x80 | 126;
        frame[n++] = (unsigned char)(length >> 8);
        frame[n++] = length & 255;
    }
    memcpy(frame + n, key, sizeof key);
    n += sizeof key;
    for (size_t i = 0; i < length; i++)
        frame[n++] = ((const unsigned char *)data)[i] ^ key[i & 3];
    wire_send(w, frame, n);
}

typedef struct {
    int opcode;
    bool final;
    const char *payload;
    size_t length;
} ws_frame;

/* The bytes of the frame at data; 0: not all of it is there; -1: no server sends that. */
static long read_frame(const char *data, size_t n, ws_frame *frame)
{
    const unsigned char *at = (const unsigned char *)data;
    if (n < 2)
        return 0;
    uint64_t length = at[1] & 0x7f;
    const size_t wide = length == 127 ? 8 : length == 126 ? 2 : 0;
    if ((at[0] & 0x70) != 0 || (at[1] & 0x80) != 0)
        return -1; /* nothing was agreed on that uses these bits; a server does not mask */
    if (n < 2 + wide)
        return 0;
    if (wide > 0)
        length = 0;
    for (size_t i = 0; i < wide; i++)
        length = length << 8 | at[2 + i];
    *frame = (ws_frame){at[0] & 0x0f, (at[0] & 0x80) != 0, data + 2 + wide, (size_t)length};
    if (length > FRAME_MAX || (frame->opcode >= WS_CLOSE && (length > 125 || !frame->final)))
        return -1;
    return n - 2 - wide < length ? 0 : (long)(2 + wide + length);
}

static bool hear_data(wire *w, const ws_frame *frame, ws_hear *hear)
{
    if (frame->opcode != (w->in_message ? WS_CONTINUATION : WS_TEXT))
        return false;
    if (!w->in_message && frame->final) {
        hear(w->owner, frame->payload, frame->length);
        return true;
    }
    append(&w->message, frame->payload, frame->length);
    w->in_message = !frame->final;
    if (frame->final) {
        hear(w->owner, w->message.length > 0 ? w->message.data : "", w->message.length);
        drop(&w->message, w->message.length);
    }
    return w->message.length <= FRAME_MAX;
}

static bool hear_frame(wire *w, const ws_frame *frame, ws_hear *hear)
{
    const unsigned char *status = (const unsigned char *)frame->payload;
    switch (frame->opcode) {
    case WS_PING:
        ws_send(w, WS_PONG, frame->payload, frame->length, 0x5bd1e995);
        return true;
    case WS_PONG:
        return true;
    case WS_CLOSE:
        w->close_status = frame->length >= 2 ? status[0] << 8 | status[1] : 1005;
        return false;
    default:
        return hear_data(w, frame, hear);
    }
}

bool ws_read(wire *w, ws_hear *hear)
{
    size_t done = 0;
    long n = 0;
    bool good = true;
    ws_frame frame;
    while (good && done < w->in.length &&
           (n = read_frame(w->in.data + done, w->in.length - done, &frame)) > 0) {
        good = hear_frame(w, &frame, hear);
        done += (size_t)n;
    }
    drop(&w->in, done);
    return good && n >= 0;
}
