/* What the parts of the server share: a server, and one session of it, which is a connection that either asks
 * by HTTP or follows a table by WebSocket. */
#ifndef HP_SERVER_SESSION_H
#define HP_SERVER_SESSION_H

#include "record/embedded.h"
#include "server/limits.h"
#include "server/server.h"

#include <libwebsockets.h>

enum {
    SESSION_BODY = 64 * 1024,      /* bytes of a request's body */
    SESSION_IGNORED = 1024 * 1024, /* of a body that was refused, before hanging up on it */
    SESSION_LINE = 512,            /* of a line of a WebSocket */
    SESSION_PART = 16384,          /* of an answer, written at a time */
    SESSION_PATH = 128,            /* of a path; ours are shorter */
    SESSION_REQUEST = 10 * 1000,   /* milliseconds for all of a request, */
    SESSION_ANSWER = 120 * 1000,   /* for its answer to be read, */
    SESSION_REFUSED = 2 * 1000,    /* and for the rest of one that is answered already */
    CHATTER_RATE = 1,              /* lines of a seat a second that move no race on, */
    CHATTER_RESERVE = 20,          /* and in reserve */
    CHATTER_PHRASES = 10000,       /* entries of a table, beyond which there are no more phrases, */
    CHATTER_ENTRIES = 20000,       /* and nothing else of the kind; six cars need some 2,000 for nine laps */
    SESSION_QUEUE = 4 * 1024 * 1024, /* bytes that wait for a slow reader before it is cut off, */
    SESSION_PATIENCE = 30 * 1000,    /* or milliseconds that nothing could be written */
    SESSION_GREETING = 10,           /* seconds for the first line of a WebSocket */
    SESSION_GOODBYE = 3000, /* milliseconds to read what is left and that it is to go, before it is cut off */
    SERVER_FAREWELL = 30, /* rounds of the loop, ten milliseconds each, between the last commit and the end */
    SESSION_ASK_AT_ONCE = 500, /* silent ones that are asked whether they are there, in a second */
    TOKEN_TEXT = 32            /* hexadecimal digits */
};

typedef struct {
    uint64_t requests, lines;
    uint64_t refused_rate, refused_full, refused_origin, cut_off;
    uint32_t sockets; /* WebSockets now */
} server_figures;

typedef struct server {
    const server_settings *settings;
    server_owner owner;
    uv_loop_t loop;
    uv_signal_t term, interrupt, hang_up;
    uv_timer_t timer, look;
    struct lws_context *context;
    hall *hall;
    limits *limits, *chatter; /* of addresses, and of seats */
    struct session *sessions; /* WebSockets */
    struct visit *visits;     /* and the other connections */
    uint64_t started;
    uint32_t farewell;    /* rounds of the loop that are left to say goodbye in */
    uint32_t owed;        /* answers that are not written yet */
    uint32_t connections; /* at most so many: as set, or as there may be files open */
    bool stopping, failed;
    uint64_t complained; /* the second of the last complaint of libwebsockets', */
    uint32_t complaints; /* and how many there were in it */
    server_figures figures;
} server;

typedef struct session {
    server *s;
    struct lws *wsi;
    char address[LIMITS_ADDRESS];
    bool counted; /* among the address's connections */

    /* A request and its answer. */
    bool post, head; /* else GET; HEAD is answered like GET, without the body */
    char path[SESSION_PATH];
    char token[TOKEN_TEXT + 1];
    char *body;
    size_t in_body, body_size;
    int status;
    const char *type;
    unsigned char *reply;           /* with LWS_PRE bytes before it; or */
    const struct hp_embedded *page; /* a file of the page, which is not copied; and */
    bool packed;                    /* whether it is compressed */
    size_t reply_length, reply_sent;
    int64_t unread; /* bytes of its body that have not come yet */
    size_t ignored; /* and of those that came, the ones that nobody wanted */
    bool ready, headed, waiting, answered;
    bool owed; /* it is counted among the server's */

    /* A WebSocket. */
    struct session *next;
    char id[TABLE_ID + 1]; /* of its table, which it follows once it has said who it is */
    hall_follower follower;
    bool greeted, ping;
    uint64_t heard, asked; /* when it last said anything, and was asked */
    char line[SESSION_LINE];
    size_t in_line;
    limits_bucket bucket;
    hall_message **queue; /* a ring */
    uint32_t first, in_queue, queue_size;
    size_t queued_bytes;
    uint64_t stuck_since;
    uint16_t closing; /* the code to close with, or 0 */
    uint64_t ends;    /* when it is closed without one, if it does not read */
} session;

/* api.c: answers a request whose head and body are there. */
void api_answer(session *c);

/* pages.c: a file of the page by the path that is asked for, or NULL; and to answer with it. */
const struct hp_embedded *pages_find(const char *path);
void pages_answer(session *c, const struct hp_embedded *page);

/* visits.c: connections from when they are accepted until they are WebSockets, or gone. */
typedef struct visit visit;

/* False when their address has too many. */
bool visits_welcome(server *s, const struct lws_filter_network_conn_args *who);
void visits_begin(server *s, struct lws *wsi);
void visits_end(server *s, struct lws *wsi);
void visits_last(struct lws *wsi, uint64_t milliseconds); /* from now on, and no longer */
bool visits_over(struct lws *wsi);                        /* that time */
void visits_look(server *s);                              /* lets those go whose time is over */

/* Answers; text is copied. */
void session_answer(session *c, int status, const char *type, const char *text, size_t length);
/* With page, packed and type; 304 when the client has it already. */
void session_answer_page(session *c, int status);
void session_refuse(session *c, int status, const char *code, const char *text);
/* The answer goes out when the ticket is safe. */
void session_answer_when(session *c, uint64_t ticket);

/* lines.c: a line of a WebSocket. */
void lines_hear(session *c, const char *line, size_t length);
/* Whether a seat has said enough: acts that are waited for move the race on, but other plans, phrases, leaving and
 * coming back do not, and everybody who comes later is told of them all. If it has, it says why. */
bool lines_enough(session *c, const hall_table *t, int seat, const char *line, const char **code,
                  const char **why);

/* To a WebSocket. */
void session_say(session *c, const char *text, size_t length);
void session_hang_up(session *c, int code);

uint64_t server_clock(void); /* milliseconds, for limits */

/* figures.c: the text of /metrics, to be freed; NULL without memory. */
char *figures_write(server *s, size_t *length);

#endif
