/* A table on a server. A thread of its own speaks with it, and connects again when the connection is lost. */
#define _DEFAULT_SOURCE
#include "terminal/terminal.h"

#include "cli/words.h"
#include "terminal/ask.h"
#include "terminal/kept.h"
#include "terminal/scene.h"
#include "terminal/tell.h"
#include "terminal/wait.h"

#include <errno.h>
#include <fcntl.h>
#include <libwebsockets.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum { LARGEST = 1 << 20, PAUSE_MAX_MS = 8000 };

typedef struct piece {
    struct piece *next;
    int64_t came; /* when, by our clock */
    size_t length;
    char text[];
} piece;

typedef struct {
    piece *first, *last;
} pieces;

typedef struct {
    table_link link; /* first: a link is one of these */
    address where;
    int bell; /* the other end of link.wake */
    long long seen;
    bool proven; /* the server has taken the token */
    bool fresh;  /* what was missed has been told: entries come as they happen */
    /* the thread's: */
    pthread_t thread;
    struct lws_context *context;
    struct lws *wsi;
    lws_sorted_usec_list_t retry;
    unsigned tries;
    bool greeted;
    char *message; /* as far as it has come */
    size_t length;
    /* for both: */
    pthread_mutex_t lock;
    pieces in, out;
    long long since; /* seen, for the next greeting */
    bool closing;
} net;

/* ---- Between the threads ------------------------------------------------------------------------ */

static void put(pieces *p, const char *text, size_t length)
{
    piece *one = must_have(malloc(sizeof *one + length + 1));
    one->next = NULL;
    one->came = link_clock();
    one->length = length;
    memcpy(one->text, text, length);
    one->text[length] = '\0';
    if (p->last != NULL)
        p->last->next = one;
    else
        p->first = one;
    p->last = one;
}

static piece *take(pieces *p)
{
    piece *one = p->first;
    if (one != NULL) {
        p->first = one->next;
        if (p->first == NULL)
            p->last = NULL;
    }
    return one;
}

static void drop_all(pieces *p)
{
    for (piece *one; (one = take(p)) != NULL;)
        free(one);
}

static void ring(const net *n)
{
    while (write(n->bell, "", 1) < 0 && errno == EINTR)
        continue;
}

/* From the thread to the screen. */
static void deliver(net *n, const char *text, size_t length)
{
    pthread_mutex_lock(&n->lock);
    put(&n->in, text, length);
    pthread_mutex_unlock(&n->lock);
    ring(n);
}

static void deliver_status(net *n, const char *word)
{
    char text[64];
    deliver(n, text, (size_t)snprintf(text, sizeof text, "{\"m\":\"status\",\"word\":\"%s\"}", word));
}

/* ---- The thread --------------------------------------------------------------------------------- */

static void connect_now(lws_sorted_usec_list_t *sul);

/* Tries again, with growing pauses. */
static void lose(net *n)
{
    n->wsi = NULL;
    n->greeted = false;
    n->length = 0;
    pthread_mutex_lock(&n->lock);
    drop_all(&n->out); /* what was not sent may be past when we are back */
    const bool closing = n->closing;
    pthread_mutex_unlock(&n->lock);
    if (closing)
        return;
    if (n->tries == 0)
        deliver_status(n, "lost");
    int pause = 250 << (n->tries < 5 ? n->tries : 5);
    pause = pause < PAUSE_MAX_MS ? pause : PAUSE_MAX_MS;
    n->tries++;
    lws_sul_schedule(n->context, 0, &n->retry, connect_now, (lws_usec_t)pause * 1000);
}

static void connect_now(lws_sorted_usec_list_t *sul)
{
    net *n = lws_container_of(sul, net, retry);
    char path[160];
    snprintf(path, sizeof path, "%s/api/tables/%s/live", n->where.base, n->where.id);
    const struct lws_client_connect_info info = {
        .context = n->context,
        .address = n->where.host,
        .host = n->where.host,
        .port = n->where.port,
        .path = path,
        .ssl_connection = n->where.tls ? LCCSCF_USE_SSL : 0,
        .alpn = "http/1.1",
        .local_protocol_name = "race",
        .userdata = n,
        .pwsi = &n->wsi,
    };
    lws_client_connect_via_info(&info); /* what goes wrong is told to hear() */
}

static int send_line(struct lws *wsi, const char *text, size_t length)
{
    unsigned char frame[LWS_PRE + 512];
    length = length < 512 ? length : 512;
    memcpy(frame + LWS_PRE, text, length);
    return lws_write(wsi, frame + LWS_PRE, length, LWS_WRITE_TEXT) < (int)length ? -1 : 0;
}

static int greet(net *n, struct lws *wsi)
{
    char line[96];
    pthread_mutex_lock(&n->lock);
    const long long since = n->since;
    pthread_mutex_unlock(&n->lock);
    const int length = n->where.token[0] != '\0'
                           ? snprintf(line, sizeof line, "seat %s %lld", n->where.token, since)
                           : snprintf(line, sizeof line, "watch %lld", since);
    n->greeted = true;
    return send_line(wsi, line, (size_t)length);
}

static int send_next(net *n, struct lws *wsi)
{
    if (!n->greeted)
        return greet(n, wsi);
    pthread_mutex_lock(&n->lock);
    piece *line = take(&n->out);
    const bool more = n->out.first != NULL;
    pthread_mutex_unlock(&n->lock);
    const int code = line != NULL ? send_line(wsi, line->text, line->length) : 0;
    free(line);
    if (more)
        lws_callback_on_writable(wsi);
    return code;
}

static int receive(net *n, struct lws *wsi, const char *text, size_t length)
{
    if (n->length + length > LARGEST)
        return -1;
    n->message = must_have(realloc(n->message, n->length + length + 1));
    memcpy(n->message + n->length, text, length);
    n->length += length;
    if (!lws_is_final_fragment(wsi) || lws_remaining_packet_payload(wsi) > 0)
        return 0;
    if (n->tries > 0)
        deliver_status(n, "open");
    n->tries = 0;
    deliver(n, n->message, n->length);
    n->length = 0;
    return 0;
}

/* Refused by the server itself: no such race any more. */
static void refused(net *n, struct lws *wsi)
{
    const unsigned status = wsi != NULL ? lws_http_client_http_response(wsi) : 0;
    if (status == 404)
        deliver_status(n, "gone");
    else
        lose(n);
}

static void awake(net *n)
{
    pthread_mutex_lock(&n->lock);
    const bool work = n->out.first != NULL;
    pthread_mutex_unlock(&n->lock);
    if (work && n->wsi != NULL && n->greeted)
        lws_callback_on_writable(n->wsi);
}

static int hear(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length)
{
    net *n = user;
    switch ((int)reason) {
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        refused(n, wsi);
        break;
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
        lws_callback_on_writable(wsi);
        break;
    case LWS_CALLBACK_CLIENT_RECEIVE:
        return receive(n, wsi, in, length);
    case LWS_CALLBACK_CLIENT_WRITEABLE:
        return send_next(n, wsi);
    case LWS_CALLBACK_CLIENT_CLOSED:
        lose(n);
        break;
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        awake(lws_context_user(lws_get_context(wsi)));
        break;
    default:
        break;
    }
    return 0;
}

static bool is_closing(net *n)
{
    pthread_mutex_lock(&n->lock);
    const bool closing = n->closing;
    pthread_mutex_unlock(&n->lock);
    return closing;
}

static void *run(void *self)
{
    net *n = self;
    connect_now(&n->retry);
    while (!is_closing(n) && lws_service(n->context, 0) >= 0)
        continue;
    return NULL;
}

/* ---- As a link ---------------------------------------------------------------------------------- */

static void say(table_link *self, const char *line)
{
    net *n = (net *)self;
    pthread_mutex_lock(&n->lock);
    put(&n->out, line, strlen(line));
    pthread_mutex_unlock(&n->lock);
    lws_cancel_service(n->context);
}

static void look(table_link *self, int seat)
{
    (void)self, (void)seat; /* one seat to a connection */
}

static void hint(table_link *self)
{
    link_give(self, json_pack("{s:s,s:s}", "m", "hint", "code", "not_here"));
}

static void go(net *n, const char *code)
{
    snprintf(n->link.gone, sizeof n->link.gone, "%s", tell_code(code));
    link_status(&n->link, "gone");
}

/* Whether the next start will find this token. */
static bool is_kept(const address *a)
{
    char known[TOKEN_TEXT];
    kept_token(a->server, a->id, known);
    return a->token[0] != '\0' && strcmp(known, a->token) == 0;
}

/* An entry that came twice is told once; a seat that is somebody else's is none of ours. */
static void take_in(net *n, const piece *one)
{
    json_error_t error;
    json_t *m = json_loadb(one->text, one->length, 0, &error);
    const char *kind = scene_text(m, "m"), *code = scene_text(m, "code");
    if (strcmp(kind, "entry") == 0) {
        const long long number = json_integer_value(json_object_get(m, "n"));
        if (number <= n->seen) {
            json_decref(m);
            return;
        }
        n->seen = number;
        if (n->fresh && scene_time(m, "t") > 0) /* which tells what the table's clock shows */
            n->link.ahead = scene_time(m, "t") - one->came;
    } else if (strcmp(kind, "state") == 0) {
        const int you = scene_number(m, "you", -1, HP_CARS_MAX - 1, -1);
        n->link.people = you >= 0 ? (uint8_t)(1 << you) : 0;
        n->link.over = strcmp(scene_text(json_object_get(m, "table"), "phase"), "over") == 0;
        if (you >= 0 && !n->proven && !is_kept(&n->where))
            kept_token_add(n->where.server, n->where.id, n->where.token);
        n->proven = you >= 0;
        n->fresh = true;
    } else if (strcmp(kind, "error") == 0 && strcmp(code, "wrong_token") == 0) {
        if (is_kept(&n->where)) /* next time another seat may be taken */
            kept_token_add(n->where.server, n->where.id, "-");
        go(n, code);
    } else if (strcmp(kind, "status") == 0) {
        n->fresh = n->fresh && strcmp(scene_text(m, "word"), "lost") != 0;
        if (strcmp(scene_text(m, "word"), "gone") == 0)
            go(n, "no_such_table");
    }
    link_give(&n->link, m);
}

static void work(table_link *self)
{
    net *n = (net *)self;
    char rubbish[64];
    while (read(n->link.wake, rubbish, sizeof rubbish) > 0)
        continue;
    pthread_mutex_lock(&n->lock);
    pieces all = n->in;
    n->in = (pieces){NULL, NULL};
    pthread_mutex_unlock(&n->lock);
    for (piece *one; (one = take(&all)) != NULL; free(one))
        take_in(n, one);
    pthread_mutex_lock(&n->lock);
    n->since = n->seen;
    pthread_mutex_unlock(&n->lock);
}

static void close_net(table_link *self)
{
    net *n = (net *)self;
    pthread_mutex_lock(&n->lock);
    n->closing = true;
    pthread_mutex_unlock(&n->lock);
    lws_cancel_service(n->context);
    pthread_join(n->thread, NULL);
    lws_context_destroy(n->context); /* not before nobody wakes it any more */
    pthread_mutex_destroy(&n->lock);
    link_empty(self);
    drop_all(&n->in);
    drop_all(&n->out);
    free(n->message);
    close(n->link.wake);
    close(n->bell);
    free(n);
}

static net *open_net(const address *where, const hp_circuit *circuit)
{
    static const struct lws_protocols protocols[] = {
        {.name = "race", .callback = hear, .rx_buffer_size = 8192}, {.name = NULL}};
    int ends[2];
    net *n = must_have(calloc(1, sizeof *n));
    n->link = (table_link){
        .say = say, .look = look, .hint = hint, .work = work, .close = close_net, .remote = true};
    n->link.circuit = *circuit;
    n->where = *where;
    must_have(pipe(ends) == 0 ? n : NULL);
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    }
    n->link.wake = ends[0];
    n->bell = ends[1];
    pthread_mutex_init(&n->lock, NULL);
    n->context = ask_context(protocols, n);
    must_have(pthread_create(&n->thread, NULL, run, n) == 0 ? n : NULL);
    return n;
}

/* ---- Taking a seat ------------------------------------------------------------------------------ */

/* Why the server said no, in words. */
static bool refuse(const ask_answer *answer, char why[WHY])
{
    json_error_t error;
    json_t *body = json_loads(answer->body, 0, &error);
    const char *code = scene_text(body, "code");
    snprintf(why, WHY, "%s",
             tell_code(answer->untrusted                        ? "untrusted"
                       : answer->status != 0 && code[0] != '\0' ? code
                                                                : "offline"));
    json_decref(body);
    return false;
}

/* The body of a good answer as JSON, or NULL with why. */
static json_t *json_of(ask_answer answer, char why[WHY])
{
    json_error_t error;
    json_t *json = answer.status >= 200 && answer.status < 300 ? json_loads(answer.body, 0, &error) : NULL;
    if (json == NULL)
        refuse(&answer, why);
    free(answer.body);
    return json;
}

static bool get_circuit(const address *a, hp_circuit *circuit, char why[WHY])
{
    char path[96];
    hp_fault fault;
    snprintf(path, sizeof path, "/api/tables/%s/circuit", a->id);
    ask_answer answer = ask_server(a, "GET", path, NULL, NULL);
    const bool good = answer.status == 200 &&
                      hp_circuit_read(answer.body, strlen(answer.body), circuit, &fault) == HP_TEXT_OK;
    if (!good)
        refuse(&answer, why);
    free(answer.body);
    return good;
}

static int free_seat(const json_t *notice)
{
    const json_t *seats = json_object_get(notice, "seats");
    for (size_t i = 0; i < json_array_size(seats) && i < HP_CARS_MAX; i++) {
        const json_t *seat = json_array_get(seats, i);
        if (strcmp(scene_text(seat, "kind"), "open") == 0 && !json_is_true(json_object_get(seat, "kept")))
            return (int)i;
    }
    return -1;
}

static const char *free_colour(const json_t *notice)
{
    const json_t *seats = json_object_get(notice, "seats");
    for (int colour = 0; colour < TABLE_COLOURS; colour++) {
        const char *word = table_colour_word((table_colour)colour);
        bool taken = false;
        for (size_t i = 0; i < json_array_size(seats); i++)
            taken = taken || strcmp(scene_text(json_array_get(seats, i), "colour"), word) == 0;
        if (!taken)
            return word;
    }
    return "red";
}

/* Sits down with the address's token and remembers it: with it the next start goes on. Where only the answer is lost
 * the seat is ours already, and we may ask again. */
static bool sit_down(address *a, int seat, const char *body, char why[WHY])
{
    enum { TRIES = 3, PAUSE_MS = 500 };
    char path[96];
    snprintf(path, sizeof path, "/api/tables/%s/seats/%d", a->id, seat);
    ask_answer answer = ask_server(a, "POST", path, a->token, body);
    for (int tries = 1; tries < TRIES && answer.status == 0 && !answer.untrusted && !wait_stopped();
         tries++) {
        free(answer.body);
        wait_for_either(false, -1, tries * PAUSE_MS);
        answer = ask_server(a, "POST", path, a->token, body);
    }
    json_t *taken = json_of(answer, why);
    const char *got = scene_text(taken, "token"); /* the same, unless the server would not have it */
    const bool good = strlen(got) == ASK_TOKEN - 1;
    if (good) {
        snprintf(a->token, sizeof a->token, "%s", got);
        kept_token_add(a->server, a->id, got); /* net_where tells where it cannot be */
    }
    json_decref(taken);
    return good;
}

static bool take_seat(address *a, const json_t *notice, const char *name, char why[WHY])
{
    const int seat = strcmp(scene_text(notice, "phase"), "gathering") == 0 ? free_seat(notice) : -1;
    uint8_t random[2][32];
    char token[HP_SEED_TEXT], salt[HP_SEED_TEXT];
    if (seat < 0) {
        snprintf(why, WHY, "%s", _("no seat is free in this race; “hairpin watch” shows it"));
        return false;
    }
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return false;
    hp_hex_write(random[0], token);
    hp_hex_write(random[1], salt);
    snprintf(a->token, sizeof a->token, "%.*s", ASK_TOKEN - 1, token);
    json_t *person = json_pack("{s:s,s:s,s:s}", "name", name, "colour", free_colour(notice), "salt", salt);
    char *body = must_have(json_dumps(person, 0));
    const bool good = sit_down(a, seat, body, why);
    free(body);
    json_decref(person);
    return good;
}

/* The link's own, which is kept as soon as the server has taken it, or the one that was kept; those who watch need
 * none. */
static void find_token(address *a, bool to_race)
{
    if (!to_race)
        a->token[0] = '\0';
    else if (a->token[0] == '\0')
        kept_token(a->server, a->id, a->token);
}

table_link *net_join(const char *link, const char *id, const char *name, char why[WHY])
{
    address a;
    char path[96];
    hp_circuit circuit;
    if (!address_read(link, id, &a)) {
        snprintf(why, WHY, _("“%s” is no link to a race: it looks like http://host:port/#race/ID"), link);
        return NULL;
    }
    find_token(&a, name != NULL);
    snprintf(path, sizeof path, "/api/tables/%s", a.id);
    json_t *notice = json_of(ask_server(&a, "GET", path, NULL, NULL), why);
    bool good = notice != NULL && get_circuit(&a, &circuit, why);
    if (good && name != NULL && a.token[0] == '\0')
        good = take_seat(&a, notice, name, why);
    json_decref(notice);
    return good ? &open_net(&a, &circuit)->link : NULL;
}

table_link *net_again(table_link *over, const char *id, char why[WHY])
{
    address a = ((const net *)over)->where;
    const hp_circuit circuit = over->circuit;
    char path[96], another[ID_TEXT];
    int seat = 0;
    while (seat < HP_CARS_MAX - 1 && !(over->people >> seat & 1))
        seat++;
    close_net(over); /* libwebsockets loses memory where two contexts are there at a time */
    /* Where it was closed meanwhile, the server opens another one. */
    snprintf(path, sizeof path, "/api/tables/%s/rematch", a.id);
    json_t *answer = json_of(ask_server(&a, "POST", path, a.token, "{}"), why);
    scene_id(answer, "id", another);
    json_decref(answer);
    snprintf(a.id, sizeof a.id, "%s", another[0] != '\0' ? another : id);
    return sit_down(&a, seat, "{}", why) ? &open_net(&a, &circuit)->link : NULL;
}

bool net_is_address(const char *text)
{
    return strncmp(text, "http://", 7) == 0 || strncmp(text, "https://", 8) == 0;
}

bool net_where(const table_link *l, char *text, size_t size)
{
    const address *a = &((const net *)l)->where;
    const bool known = is_kept(a);
    snprintf(text, size, "%s/#race/%s%s%s", a->server, a->id, known ? "" : "/", known ? "" : a->token);
    return known;
}
