/* Connections that are no WebSockets, or not yet: how many an address may have, and how long each may take. A
 * libwebsockets session is made only when a request's head is there, and its timeouts begin anew with each byte. */
#define _POSIX_C_SOURCE 200809L
#include "server/session.h"

#include <arpa/inet.h>
#include <stdlib.h>

struct visit {
    visit *next, *previous;
    struct lws *wsi;
    uint64_t ends;
    bool counted; /* among those of its address */
    char address[LIMITS_ADDRESS];
};

/* Behind a proxy all come from there, and it is the proxy that knows how to wait for slow ones. */
bool visits_welcome(server *s, const struct lws_filter_network_conn_args *who)
{
    char address[LIMITS_ADDRESS] = "";
    const struct sockaddr_in *from = (const struct sockaddr_in *)&who->cli_addr;
    if (s->settings->trust_proxy || from->sin_family != AF_INET ||
        inet_ntop(AF_INET, &from->sin_addr, address, sizeof address) == NULL ||
        !limits_crowded(s->limits, address))
        return true;
    s->figures.refused_rate++;
    return false;
}

void visits_begin(server *s, struct lws *wsi)
{
    visit *v = calloc(1, sizeof *v);
    if (v == NULL)
        return; /* there are still libwebsockets' own timeouts */
    v->wsi = wsi;
    v->ends = server_clock() + SESSION_REQUEST;
    lws_get_peer_simple(wsi, v->address, sizeof v->address);
    v->counted = !s->settings->trust_proxy && limits_visit(s->limits, v->address, server_clock());
    v->next = s->visits;
    if (v->next != NULL)
        v->next->previous = v;
    s->visits = v;
    lws_set_opaque_user_data(wsi, v);
}

void visits_end(server *s, struct lws *wsi)
{
    visit *v = lws_get_opaque_user_data(wsi);
    if (v == NULL)
        return;
    lws_set_opaque_user_data(wsi, NULL);
    if (v->counted)
        limits_leave(s->limits, v->address);
    *(v->previous != NULL ? &v->previous->next : &s->visits) = v->next;
    if (v->next != NULL)
        v->next->previous = v->previous;
    free(v);
}

void visits_last(struct lws *wsi, uint64_t milliseconds)
{
    visit *v = lws_get_opaque_user_data(wsi);
    if (v != NULL)
        v->ends = server_clock() + milliseconds;
}

bool visits_over(struct lws *wsi)
{
    const visit *v = lws_get_opaque_user_data(wsi);
    return v != NULL && server_clock() > v->ends;
}

void visits_look(server *s)
{
    const uint64_t now = server_clock();
    for (visit *v = s->visits; v != NULL; v = v->next)
        if (now > v->ends)
            lws_set_timeout(v->wsi, PENDING_TIMEOUT_HTTP_CONTENT, LWS_TO_KILL_ASYNC);
}
