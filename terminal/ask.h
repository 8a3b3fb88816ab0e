/* A server's address, and one request to it. libwebsockets is behind it, and behind net.c. */
#ifndef HP_TERMINAL_ASK_H
#define HP_TERMINAL_ASK_H

#include "terminal/link.h"

#include <stdbool.h>
#include <stddef.h>

enum { HOST_MAX = 254, SERVER_MAX = 300, ASK_TOKEN = 33 };

typedef struct {
    char server[SERVER_MAX]; /* "https://race.example.org/base", without a slash at its end */
    char host[HOST_MAX];
    char base[64]; /* what stands before /api, "" or "/base" */
    int port;
    bool tls;
    char id[ID_TEXT];
    char token[ASK_TOKEN]; /* "" when the link has none */
} address;

/* http://host:port/#race/ID, .../#race/ID/TOKEN, or http://host:port and ID or ID/TOKEN. False when it is none. */
bool address_read(const char *link, const char *id, address *a);

typedef struct {
    int status;     /* 0: nobody has answered, */
    bool untrusted; /* or nobody whose certificate is trusted, if there was one */
    char *body;     /* to be freed; "" when there is none */
} ask_answer;

/* Waits for the answer, some seconds at most. */
ask_answer ask_server(const address *a, const char *method, const char *path, const char *token,
                      const char *body);

/* For those who speak libwebsockets themselves. */
struct lws_context;
struct lws_protocols;
struct lws_context *ask_context(const struct lws_protocols *protocols, void *user);

#endif
