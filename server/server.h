/* The server: HTTP and WebSockets around a hall. docs/PROTOCOL.md is what it speaks. */
#ifndef HP_SERVER_SERVER_H
#define HP_SERVER_SERVER_H

#include "server/hall.h"

typedef struct {
    const char *bind; /* an IPv4 address; NULL: all of them */
    int port;
    const char *tls_cert, *tls_key; /* files, or NULL */
    const char *public_url;         /* as people type it, or NULL: the origin that pages may have */
    bool trust_proxy;               /* the address of a client is what a proxy says it is */
    uint32_t ping;                  /* seconds of silence before a WebSocket is asked whether it is there */
    uint32_t connections;           /* at most so many */
    uint32_t address_connections;   /* of one address; 0: any number */
    uint32_t rate, reserve;         /* requests a second of an address, and at once; 0: any number */
    hall_settings hall;
} server_settings;

typedef struct {
    /* One line for the host: what is the event's name, id and detail may be "". */
    void (*log)(void *self, const char *what, const char *id, const char *detail);
    void *self;
} server_owner;

enum { SERVER_ADDRESS = 256, SERVER_ADDRESSES = 8 };

/* Under which addresses others reach it, the best first; none when it listens to this machine alone. Returns how
 * many. */
int server_addresses(const server_settings *settings, char found[][SERVER_ADDRESS], int most);

/* Serves until SIGTERM or SIGINT. True when it ended well; false after saying why in error. */
bool server_run(const server_settings *settings, const server_owner *owner, char error[STORE_ERROR]);

#endif
