/* The page's files, which are inside the program: no path leads to a folder, names are looked up in a table. */
#define _POSIX_C_SOURCE 200809L
#include "server/session.h"

#include <string.h>

static const struct hp_embedded *named(const char *name, size_t length, const char *ending)
{
    for (const struct hp_embedded *page = hp_embedded_pages; page->name != NULL; page++)
        if (strncmp(page->name, name, length) == 0 && strcmp(page->name + length, ending) == 0)
            return page;
    return NULL;
}

static const char *type_of(const char *name)
{
    static const char *const types[][2] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".wasm", "application/wasm"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".webmanifest", "application/manifest+json"},
        {".circuit", "text/plain; charset=utf-8"},
    };
    const char *ending = strrchr(name, '.');
    for (size_t i = 0; i < sizeof types / sizeof types[0] && ending != NULL; i++)
        if (strcmp(types[i][0], ending) == 0)
            return types[i][1];
    return "application/octet-stream";
}

/* Of "br, gzip;q=0.5": whether gzip is in it, and not as something that is not wanted. */
static bool unpacks(const char *accepted)
{
    for (const char *at = accepted; *at != '\0'; at += strcspn(at, ","), at += *at == ',') {
        at += strspn(at, " \t");
        if (strncmp(at, "gzip", 4) != 0 || strchr(" \t,;", at[4]) == NULL)
            continue;
        const char *weight = at + 4 + strspn(at + 4, " \t;");
        return strncmp(weight, "q=0", 3) != 0 || strspn(weight + 2, "0.") < strcspn(weight + 2, " \t,");
    }
    return false;
}

static bool accepts_packed(const session *c)
{
    char accepted[256];
    return lws_hdr_copy(c->wsi, accepted, sizeof accepted, WSI_TOKEN_HTTP_ACCEPT_ENCODING) > 0 &&
           unpacks(accepted);
}

/* Whether the client names what it would get among the tags that it has. Ours are hexadecimal, so that none is
 * part of another. */
static bool has_already(const session *c, const char *hash)
{
    char tags[512];
    if (lws_hdr_copy(c->wsi, tags, sizeof tags, WSI_TOKEN_HTTP_IF_NONE_MATCH) <= 0)
        return false;
    return strcmp(tags, "*") == 0 || strstr(tags, hash) != NULL;
}

const struct hp_embedded *pages_find(const char *path)
{
    const char *name = strcmp(path, "/") == 0 ? "index.html" : path + (path[0] == '/');
    const size_t length = strlen(name);
    const bool packed = length > 3 && strcmp(name + length - 3, ".gz") == 0; /* only by asking for the file */
    return packed ? NULL : named(name, length, "");
}

void pages_answer(session *c, const struct hp_embedded *page)
{
    const struct hp_embedded *packed = named(page->name, strlen(page->name), ".gz");
    c->type = type_of(page->name);
    c->packed = packed != NULL && accepts_packed(c);
    c->page = c->packed ? packed : page;
    session_answer_page(c, has_already(c, c->page->hash) ? 304 : 200);
}
