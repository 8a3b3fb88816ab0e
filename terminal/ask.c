#define _DEFAULT_SOURCE
#include "terminal/ask.h"

#include "terminal/link.h"
#include "terminal/wait.h"

#include <libwebsockets.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATIENCE_S = 10, LARGEST = 1 << 20 };

/* ---- Addresses ---------------------------------------------------------------------------------- */

static bool read_id(const char *text, address *a)
{
    static const char digits[] = "0123456789abcdef";
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    const size_t n = strspn(text, letters);
    if (n == 0 || n >= sizeof a->id)
        return false;
    snprintf(a->id, sizeof a->id, "%.*s", (int)n, text);
    if (text[n] == '\0')
        return true;
    const char *token = text + n + 1;
    if (text[n] != '/' || strspn(token, digits) != ASK_TOKEN - 1 || token[ASK_TOKEN - 1] != '\0')
        return false;
    snprintf(a->token, sizeof a->token, "%s", token);
    return true;
}

static bool read_host(const char *text, size_t length, address *a)
{
    const bool bracket = length > 0 && text[0] == '['; /* an address with colons in it */
    const char *end = bracket ? memchr(text, ']', length) : memchr(text, ':', length);
    const size_t host = end != NULL ? (size_t)(end - text) - bracket : length - bracket;
    const char *port = end == NULL ? NULL : bracket ? end + 1 : end;
    if (host == 0 || host >= sizeof a->host || (bracket && end == NULL))
        return false;
    snprintf(a->host, sizeof a->host, "%.*s", (int)host, text + bracket);
    if (port == NULL || port == text + length)
        return true;
    char *behind;
    const unsigned long number = strtoul(port + 1, &behind, 10);
    a->port = (int)(number < 65536 ? number : 0);
    return *port == ':' && behind == text + length && a->port > 0;
}

bool address_read(const char *link, const char *id, address *a)
{
    memset(a, 0, sizeof *a);
    a->tls = strncmp(link, "https://", 8) == 0;
    if (!a->tls && strncmp(link, "http://", 7) != 0)
        return false;
    a->port = a->tls ? 443 : 80;
    const char *host = strchr(link, ':') + 3;
    const size_t length = strcspn(host, "/#");
    const char *path = host + length;
    size_t base = strcspn(path, "#");
    const char *race = path[base] == '#' ? path + base : "";
    while (base > 0 && path[base - 1] == '/')
        base--;
    if (!read_host(host, length, a) || base >= sizeof a->base || strpbrk(link, " \"\\\r\n") != NULL)
        return false;
    snprintf(a->base, sizeof a->base, "%.*s", (int)base, path);
    snprintf(a->server, sizeof a->server, "%.*s", (int)(path - link + (long)base), link);
    if (race[0] != '\0' && strncmp(race, "#race/", 6) != 0)
        return false;
    return read_id(race[0] != '\0' ? race + 6 : id, a);
}

/* ---- One request -------------------------------------------------------------------------------- */

typedef struct {
    const char *token, *body;
    ask_answer answer;
    size_t length;
    bool done;
    lws_sorted_usec_list_t tick;
    struct lws_context *context;
    int ticks;
} asking;

static int head(struct lws *wsi, const asking *q, unsigned char **at, size_t room)
{
    unsigned char *end = *at + room;
    char text[96];
    int n;
    if (q->token != NULL && q->token[0] != '\0') {
        n = snprintf(text, sizeof text, "Bearer %s", q->token);
        if (lws_add_http_header_by_name(wsi, (const unsigned char *)"Authorization:", (unsigned char *)text,
                                        n, at, end))
            return -1;
    }
    if (q->body == NULL)
        return 0;
    n = snprintf(text, sizeof text, "%zu", strlen(q->body));
    if (lws_add_http_header_by_name(wsi, (const unsigned char *)"Content-Length:", (unsigned char *)text, n,
                                    at, end))
        return -1;
    lws_client_http_body_pending(wsi, 1);
    lws_callback_on_writable(wsi);
    return 0;
}

static int send_body(struct lws *wsi, const asking *q)
{
    unsigned char text[LWS_PRE + 1024];
    const size_t n = strlen(q->body);
    if (n > 1024)
        return -1;
    memcpy(text + LWS_PRE, q->body, n);
    lws_client_http_body_pending(wsi, 0);
    return lws_write(wsi, text + LWS_PRE, n, LWS_WRITE_HTTP_FINAL) == (int)n ? 0 : -1;
}

static int add_body(asking *q, const char *text, size_t n)
{
    if (q->length + n > LARGEST)
        return -1;
    q->answer.body = must_have(realloc(q->answer.body, q->length + n + 1));
    memcpy(q->answer.body + q->length, text, n);
    q->length += n;
    q->answer.body[q->length] = '\0';
    return 0;
}

/* Whether what libwebsockets says of a connection that came to nothing is about TLS. */
static bool is_about_trust(const char *text, size_t length)
{
    char words[256];
    snprintf(words, sizeof words, "%.*s", (int)(length < sizeof words ? length : sizeof words - 1), text);
    return strstr(words, "SSL") != NULL || strstr(words, "cert") != NULL;
}

static int hear(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length)
{
    asking *q = user;
    char buffer[LWS_PRE + 4096], *at = buffer + LWS_PRE;
    int room = 4096;
    switch ((int)reason) {
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        if (q != NULL && in != NULL)
            q->answer.untrusted = is_about_trust(in, length);
        /* fall through */
    case LWS_CALLBACK_CLOSED_CLIENT_HTTP:
    case LWS_CALLBACK_COMPLETED_CLIENT_HTTP:
        if (q != NULL)
            q->done = true;
        break;
    case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER:
        return head(wsi, q, in, length);
    case LWS_CALLBACK_CLIENT_HTTP_WRITEABLE:
        return q->body != NULL ? send_body(wsi, q) : 0;
    case LWS_CALLBACK_ESTABLISHED_CLIENT_HTTP:
        q->answer.status = (int)lws_http_client_http_response(wsi);
        break;
    case LWS_CALLBACK_RECEIVE_CLIENT_HTTP:
        return lws_http_client_read(wsi, &at, &room) < 0 ? -1 : 0;
    case LWS_CALLBACK_RECEIVE_CLIENT_HTTP_READ:
        return add_body(q, in, length);
    default:
        break;
    }
    return 0;
}

struct lws_context *ask_context(const struct lws_protocols *protocols, void *user)
{
    lws_set_log_level(0, NULL); /* it would write over the screen */
    const struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN,
        .protocols = protocols,
        .user = user,
        .options = LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT,
        .timeout_secs = PATIENCE_S,
    };
    return must_have(lws_create_context(&info));
}

/* Wakes the loop now and then: somebody may have pressed Ctrl-C. */
static void tick(lws_sorted_usec_list_t *sul)
{
    enum { EACH = 4 };
    asking *q = lws_container_of(sul, asking, tick);
    if (++q->ticks > PATIENCE_S * EACH)
        q->done = true;
    lws_sul_schedule(q->context, 0, &q->tick, tick, LWS_US_PER_SEC / EACH);
}

ask_answer ask_server(const address *a, const char *method, const char *path, const char *token,
                      const char *body)
{
    static const struct lws_protocols protocols[] = {{.name = "ask", .callback = hear}, {.name = NULL}};
    asking q = {.token = token, .body = body, .context = ask_context(protocols, NULL)};
    char whole[256];
    snprintf(whole, sizeof whole, "%s%s", a->base, path);
    const struct lws_client_connect_info info = {
        .context = q.context,
        .address = a->host,
        .host = a->host,
        .port = a->port,
        .path = whole,
        .method = method,
        .ssl_connection = a->tls ? LCCSCF_USE_SSL : 0,
        .alpn = "http/1.1",
        .protocol = "ask",
        .userdata = &q,
    };
    if (lws_client_connect_via_info(&info) == NULL)
        q.done = true;
    tick(&q.tick);
    while (!q.done && !wait_stopped() && lws_service(q.context, 0) >= 0)
        continue;
    lws_sul_schedule(q.context, 0, &q.tick, NULL, LWS_SET_TIMER_USEC_CANCEL);
    q.token = q.body = NULL;
    lws_context_destroy(q.context);
    if (q.answer.body == NULL)
        q.answer.body = must_have(calloc(1, 1));
    return q.answer;
}
