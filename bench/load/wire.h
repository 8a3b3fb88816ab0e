/* A connection to the server: bytes out in spite of partial writes, HTTP answers and WebSocket messages in.
 * Nothing here waits. */
#ifndef LOAD_WIRE_H
#define LOAD_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

typedef struct {
    char *data;
    size_t length, capacity;
} buffer;

typedef struct {
    int fd;           /* -1 while there is none */
    int epoll;        /* where it is watched */
    void *owner;      /* what epoll says about it */
    bool writing;     /* epoll is asked for room to write */
    bool failed;      /* it is over, to be closed by the owner */
    int error;        /* why: errno, or 0 when the server has closed it */
    buffer in, out;   /* not understood yet; not sent yet */
    buffer message;   /* the fragments of a message so far */
    bool in_message;  /* there are some */
    int close_status; /* what the server's close frame said; 0: none came */
} wire;

/* Begins to connect. False with errno. */
bool wire_open(wire *w, int epoll, void *owner, const struct sockaddr *to, socklen_t length);
void wire_close(wire *w);

void wire_send(wire *w, const void *data, size_t length);
void wire_flush(wire *w);
/* Adds what has arrived to w->in: how many bytes, 0 for none yet, -1 when the connection is over. */
long wire_receive(wire *w);
/* Takes what has been understood off the front of w->in. */
void wire_drop(wire *w, size_t length);

/* ---- HTTP --------------------------------------------------------------------------------------- */

typedef struct {
    int status;
    const char *body; /* in the buffer it was read from */
    size_t length;
    size_t whole;    /* bytes of head and body */
    bool last;       /* the server closes behind it */
    int retry_after; /* seconds that it asks for; 0: it does not */
    bool accepted;   /* it takes our WebSocket key */
} http_answer;

/* 1: an answer; 0: not all of it is there; -1: that is none. */
int http_read(const buffer *in, http_answer *answer);

/* Asks for a WebSocket at a path. */
void ws_ask(wire *w, const char *host, const char *path);

/* ---- WebSocket ---------------------------------------------------------------------------------- */

typedef enum { WS_CONTINUATION = 0, WS_TEXT = 1, WS_CLOSE = 8, WS_PING = 9, WS_PONG = 10 } ws_opcode;

/* The mask is anything that changes. */
void ws_send(wire *w, ws_opcode opcode, const void *data, size_t length, uint32_t mask);

typedef void ws_hear(void *owner, const char *message, size_t length);

/* Hands every whole message of w->in to hear, and answers pings. False when the server has closed, or says
 * what no server may. */
bool ws_read(wire *w, ws_hear *hear);

/* The same memory; or ends the program, when there is none. */
void *must_have(void *memory);

#endif
