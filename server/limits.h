/* How much each address may ask for. An address is a text; those that ask for nothing are forgotten. */
#ifndef HP_SERVER_LIMITS_H
#define HP_SERVER_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

enum { LIMITS_ADDRESS = 46 }; /* an IPv6 address and its NUL */

/* Whose limits an address as a proxy writes it counts for: of IPv6 the network, since whoever has one address has
 * the 2^64 of it; and IPv4 is IPv4 however it is written. Anything else is taken as it is. */
void limits_address(const char *text, char whose[LIMITS_ADDRESS]);

typedef struct limits limits;

enum { LIMITS_GUESSES = 10 }; /* a minute */

/* So many requests a second, with a reserve for so many at once, and so many connections; 0: any number,
 * for the rate of guesses, too. NULL without memory. */
limits *limits_open(uint32_t rate, uint32_t reserve, uint32_t connections);
void limits_close(limits *l);

/* Whether the address may ask once more at now, in milliseconds. */
bool limits_ask(limits *l, const char *address, uint64_t now);

/* Whether it may guess something short once more: ten wrong guesses a minute. A right one is given back. */
bool limits_guess(limits *l, const char *address, uint64_t now);
void limits_guessed(limits *l, const char *address);

/* Whether it may connect once more; each that may is to be hung up later. */
bool limits_connect(limits *l, const char *address, uint64_t now);
void limits_hang_up(limits *l, const char *address);

/* The same for connections that only ask something, of which it may have LIMITS_VISITS times as many. */
enum { LIMITS_VISITS = 4 };
bool limits_crowded(const limits *l, const char *address); /* it may have no more */
bool limits_visit(limits *l, const char *address, uint64_t now);
void limits_leave(limits *l, const char *address);

/* A reserve that fills by itself, for anything else that is to be limited. Zero it first. */
typedef struct {
    uint64_t time;  /* when it was last looked at */
    uint32_t spent; /* thousandths of the reserve that are not back */
} limits_bucket;

bool limits_take(limits_bucket *bucket, uint32_t rate, uint32_t reserve, uint64_t now);

#endif
