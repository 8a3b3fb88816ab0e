/* Under which addresses others reach this server. */
#define _DEFAULT_SOURCE
#include "server/server.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>

static const struct sockaddr_in *reachable(const struct ifaddrs *each)
{
    if (each->ifa_addr == NULL || each->ifa_addr->sa_family != AF_INET || (each->ifa_flags & IFF_LOOPBACK) ||
        !(each->ifa_flags & IFF_UP))
        return NULL;
    return (const struct sockaddr_in *)(const void *)each->ifa_addr;
}

int server_addresses(const server_settings *s, char found[][SERVER_ADDRESS], int most)
{
    const char *scheme = s->tls_cert != NULL ? "https" : "http";
    struct ifaddrs *all;
    int n = 0;
    if (s->public_url != NULL) {
        snprintf(found[n++], SERVER_ADDRESS, "%s", s->public_url);
        return n;
    }
    if (s->bind != NULL) {
        if (strncmp(s->bind, "127.", 4) != 0)
            snprintf(found[n++], SERVER_ADDRESS, "%s://%s:%d/", scheme, s->bind, s->port);
        return n;
    }
    if (getifaddrs(&all) != 0)
        return 0;
    for (const struct ifaddrs *each = all; each != NULL && n < most; each = each->ifa_next) {
        const struct sockaddr_in *address = reachable(each);
        char digits[INET_ADDRSTRLEN];
        if (address != NULL && inet_ntop(AF_INET, &address->sin_addr, digits, sizeof digits) != NULL)
            snprintf(found[n++], SERVER_ADDRESS, "%s://%s:%d/", scheme, digits, s->port);
    }
    freeifaddrs(all);
    return n;
}
