/* hairpin serve: the server, its settings and its log. */
#define _POSIX_C_SOURCE 200809L
#include "server/server.h"
#include "cli/browser.h"
#include "cli/cli.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { PORT = 8080, PORTS = 1000 };

static cli_option options[] = {
    {"bind", "ADDRESS", N_("listen on this address only (127.0.0.1); 0.0.0.0 is all of them"), NULL},
    {"port", "N", N_("listen on this port (8080); 0: the first free one from 8080 on"), NULL},
    {"open", NULL, N_("open the page in a browser, where there is one"), NULL},
    {"data", "FOLDER", N_("keep races in this folder (hairpin-data)"), NULL},
    {"tls-cert", "FILE", N_("speak TLS with this certificate; needs --tls-key"), NULL},
    {"tls-key", "FILE", N_("the certificate's private key"), NULL},
    {"public-url", "URL", N_("the address that people type, as https://race.example.org"), NULL},
    {"trust-proxy", NULL, N_("take addresses of clients from X-Forwarded-For, as a proxy in front sets it"),
     NULL},
    {"max-tables", "N", N_("at most so many races at a time (10000)"), NULL},
    {"address-tables", "N", N_("at most so many of them from one address (200); 0: any number"), NULL},
    {"max-connections", "N", N_("at most so many connections that follow a race (20000)"), NULL},
    {"address-connections", "N", N_("at most so many of them from one address (64); 0: any number"), NULL},
    {"rate", "N", N_("requests a second from one address, and lines from one connection (20); 0: any number"),
     NULL},
    {"reserve", "N", N_("requests that may come at once beyond that (60)"), NULL},
    {"ping", "N", N_("seconds of silence before a connection is asked whether it is there (30)"), NULL},
    {"bot-threads", "N", N_("bots that think at the same time (one less than there are cores)"), NULL},
    {"champion-ms", "N", N_("milliseconds that a champion may think (200)"), NULL},
    {"keep-days", "N", N_("a race where nothing happens for so many days is closed (30)"), NULL},
    {"forget-days", "N", N_("a race that is over is removed after so many days (0: never)"), NULL},
    {"settings", "FILE", N_("read settings from this file: a name without dashes and a value on each line"),
     NULL},
    {0},
};

/* ---- Settings from a file ----------------------------------------------------------------------- */

static cli_option *option_named(const char *name)
{
    for (cli_option *o = options; o->name != NULL; o++)
        if (strcmp(o->name, name) == 0 && strcmp(name, "settings") != 0)
            return o;
    return NULL;
}

static bool from_file[sizeof options / sizeof options[0]]; /* which of them stand in it */

/* One line of the file, which the option goes on pointing into. What was given on the command line stays. */
static bool take_setting(const char *path, int number, char *line)
{
    char *name = line + strspn(line, " \t");
    name[strcspn(name, "\r")] = '\0';
    if (name[0] == '\0' || name[0] == '#')
        return true;
    char *value = name + strcspn(name, " \t");
    if (*value != '\0')
        *value++ = '\0';
    value += strspn(value, " \t");
    for (size_t end = strlen(value); end > 0 && (value[end - 1] == ' ' || value[end - 1] == '\t');)
        value[--end] = '\0';
    cli_option *option = option_named(name);
    if (option == NULL) {
        cli_complain(_("%s:%d: there is no setting “%s”; see “hairpin help serve”"), path, number, name);
        return false;
    }
    if ((option->value == NULL) != (value[0] == '\0')) {
        cli_complain(option->value == NULL ? _("%s:%d: “%s” takes no value") : _("%s:%d: “%s” needs a value"),
                     path, number, name);
        return false;
    }
    if (from_file[option - options]) {
        cli_complain(_("%s:%d: “%s” stands there twice"), path, number, name);
        return false;
    }
    from_file[option - options] = true;
    if (option->given == NULL)
        option->given = value;
    return true;
}

/* The text must live as long as the settings. */
static bool take_settings(const char *path, char *text)
{
    int number = 1;
    for (char *line = text, *next; line != NULL; line = next, number++) {
        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        if (!take_setting(path, number, line))
            return false;
    }
    return true;
}

/* ---- The log ------------------------------------------------------------------------------------ */

static const struct {
    const char *what, *text;
} sentences[] = {
    {"serving", N_("serving")},
    {"stopping", N_("stopping: every confirmed act is kept")},
    {"store_failed", N_("the database cannot be written: stopping, nothing confirmed is lost")},
    {"table_opened", N_("race opened")},
    {"race_started", N_("race started")},
    {"race_over", N_("race over")},
    {"many_tables", N_("an address has opened as many races as it may")},
    {"table_closed", N_("race closed, since nothing happened")},
    {"table_unreadable", N_("a stored race cannot be read")},
    {"network", N_("network")},
    {"few_files", N_("the limit of open files is too low: fewer connections can follow races")},
};

static void welcome(const server_settings *s)
{
    const char *scheme = s->tls_cert != NULL ? "https" : "http";
    char url[256];
    snprintf(url, sizeof url, "%s://%s:%d/", scheme, s->bind != NULL ? s->bind : "localhost", s->port);
    if (s->public_url != NULL)
        printf(_("hairpin serves at %s (here: port %d), with its data in %s\n"), s->public_url, s->port,
               s->hall.data);
    else
        printf(_("hairpin serves at %s, with its data in %s\n"), url, s->hall.data);
    char others[SERVER_ADDRESSES][SERVER_ADDRESS];
    const int n =
        s->public_url == NULL && s->bind == NULL ? server_addresses(s, others, SERVER_ADDRESSES) : 0;
    for (int i = 0; i < n; i++)
        printf(_("For others on this network: %s\n"), others[i]);
    printf("%s\n", _("Ctrl-C stops it; races go on with the next start."));
    fflush(stdout);
    if (cli_given(options, "open") != NULL)
        browser_open(s->public_url != NULL ? s->public_url : url);
}

/* Whether a line can be written at once. Races do not wait for somebody who does not read the log. */
static bool log_is_read(void)
{
    struct pollfd log = {.fd = STDERR_FILENO, .events = POLLOUT};
    return poll(&log, 1, 0) == 1;
}

/* Time, a sentence, and the end of the table's id: the whole of it, or its beginning, would let readers in. */
static void log_event(void *self, const char *what, const char *id, const char *detail)
{
    static unsigned lost;
    char stamp[32];
    const time_t now = time(NULL);
    struct tm utc;
    if (strcmp(what, "serving") == 0)
        welcome(self); /* not before it is true */
    gmtime_r(&now, &utc);
    strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", &utc);
    if (!log_is_read()) {
        lost++;
        return;
    }
    if (lost > 0)
        fprintf(stderr, n_("%s %u line of the log is lost\n", "%s %u lines of the log are lost\n", lost),
                stamp, lost);
    lost = 0;
    const char *text = what;
    for (size_t i = 0; i < sizeof sentences / sizeof sentences[0]; i++)
        if (strcmp(sentences[i].what, what) == 0)
            text = _(sentences[i].text);
    const size_t length = strlen(id);
    fprintf(stderr, "%s %s%s%s%s%s\n", stamp, text, id[0] != '\0' ? " " : "",
            id + (length > 6 ? length - 6 : 0), detail[0] != '\0' ? ": " : "", detail);
}

/* ---- The command -------------------------------------------------------------------------------- */

static const char *given_or(const char *name, const char *otherwise)
{
    const char *given = cli_given(options, name);
    return given != NULL ? given : otherwise;
}

static bool read_number(const char *name, uint64_t low, uint64_t high, uint64_t otherwise, uint32_t *number)
{
    uint64_t value;
    const bool good = cli_number(options, name, low, high, otherwise, &value);
    *number = (uint32_t)value;
    return good;
}

/* The first port that nobody listens on, from PORT on; PORT itself when none is, for the server to complain of. */
static int free_port(const char *address)
{
    for (int port = PORT; port < PORT + PORTS; port++) {
        struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
        inet_pton(AF_INET, address != NULL ? address : "0.0.0.0", &at.sin_addr);
        const int knock = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
        setsockopt(knock, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes); /* as the server does */
        const bool free = bind(knock, (struct sockaddr *)&at, sizeof at) == 0 && listen(knock, 1) == 0;
        if (knock >= 0)
            close(knock);
        if (free)
            return port;
    }
    return PORT;
}

/* An IPv4 address, since nothing else is listened on: the network library would take one of IPv6, and listen to the
 * whole world. */
static bool read_bind(server_settings *s)
{
    struct in_addr address;
    s->bind = given_or("bind", "127.0.0.1");
    if (strcmp(s->bind, "localhost") == 0)
        s->bind = "127.0.0.1";
    if (inet_pton(AF_INET, s->bind, &address) != 1) {
        cli_complain(_("--bind wants an IPv4 address, as 127.0.0.1, or 0.0.0.0 for all: %s"), s->bind);
        return false;
    }
    if (address.s_addr == htonl(INADDR_ANY))
        s->bind = NULL;
    return true;
}

/* Where people find this server, as their browsers write it: scheme and host in small letters, no port that goes
 * without saying, and a slash at the end of the path. */
static bool read_public_url(server_settings *s)
{
    static char url[SERVER_ADDRESS];
    const char *given = cli_given(options, "public-url");
    if (given == NULL)
        return true;
    size_t n = 0, slashes = 0, host = 0;
    bool good = strlen(given) < sizeof url - 2;
    for (const char *c = given; good && *c != '\0'; c++) {
        slashes += *c == '/';
        host += slashes == 2 && *c != '/';
        good = *c > ' ' && *c < 0x7f && strchr("\"\\?#<>@", *c) == NULL;
        url[n++] = (char)(slashes < 3 && *c >= 'A' && *c <= 'Z' ? *c + 'a' - 'A' : *c);
    }
    url[n] = '\0';
    const bool secure = strncmp(url, "https://", 8) == 0;
    if (!good || host == 0 || (!secure && strncmp(url, "http://", 7) != 0)) {
        cli_complain(_("--public-url wants an address as https://race.example.org: %s"), given);
        return false;
    }
    const size_t begin = secure ? 8 : 7, path = begin + strcspn(url + begin, "/");
    const char *port = secure ? ":443" : ":80";
    const size_t digits = strlen(port);
    if (path > digits && memcmp(url + path - digits, port, digits) == 0) {
        memmove(url + path - digits, url + path, n - path + 1);
        n -= digits;
    }
    if (url[n - 1] != '/')
        memcpy(url + n, "/", 2);
    s->public_url = url;
    return true;
}

static bool read_settings(server_settings *s)
{
    uint32_t port;
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (!read_number("port", 0, 65535, PORT, &port) ||
        !read_number("max-tables", 1, 1000000, 10000, &s->hall.tables) ||
        !read_number("max-connections", 1, 1000000, 20000, &s->connections) ||
        !read_number("address-connections", 0, 1000000, 64, &s->address_connections) ||
        !read_number("rate", 0, 1000000, 20, &s->rate) ||
        !read_number("address-tables", 0, 1000000, s->rate > 0 ? 200 : 0, &s->hall.of_address) ||
        !read_number("reserve", 1, 1000000, 60, &s->reserve) || !read_number("ping", 1, 3600, 30, &s->ping) ||
        !read_number("bot-threads", 1, 64, cores > 1 ? (uint64_t)cores - 1 : 1, &s->hall.bot_threads) ||
        !read_number("champion-ms", 1, 10000, 200, &s->hall.champion_ms) ||
        !read_number("keep-days", 1, 3650, 30, &s->hall.keep_days) ||
        !read_number("forget-days", 0, 3650, 0, &s->hall.forget_days) || !read_bind(s) || !read_public_url(s))
        return false;
    s->port = port != 0 ? (int)port : free_port(s->bind);
    s->hall.data = given_or("data", "hairpin-data");
    s->tls_cert = cli_given(options, "tls-cert");
    s->tls_key = cli_given(options, "tls-key");
    s->trust_proxy = cli_given(options, "trust-proxy") != NULL;
    if ((s->tls_cert == NULL) != (s->tls_key == NULL)) {
        cli_complain("%s", _("--tls-cert and --tls-key belong together"));
        return false;
    }
    return true;
}

static int serve(void)
{
    server_settings settings = {.port = 0};
    char error[STORE_ERROR] = "";
    if (!read_settings(&settings))
        return EXIT_USAGE;
    const server_owner owner = {.log = log_event, .self = &settings};
    return server_run(&settings, &owner, error) ? EXIT_OK : cli_complain(_("the server stopped: %s"), error);
}

static int run(char **arguments, int n)
{
    const char *path = cli_given(options, "settings");
    (void)arguments, (void)n;
    if (path == NULL)
        return serve();
    size_t length;
    char *text = cli_read_file(path, &length);
    if (text == NULL)
        return EXIT_FAILED;
    if (strlen(text) != length) {
        free(text);
        cli_complain(_("“%s” is not text"), path);
        return EXIT_USAGE;
    }
    const int code = take_settings(path, text) ? serve() : EXIT_USAGE;
    free(text);
    return code;
}

const cli_command cmd_serve = {
    .name = "serve",
    .arguments = "",
    .summary = N_("let people race over the net, with each other and with bots"),
    .more =
        N_("SIGTERM or Ctrl-C stops it gracefully; the next start with the same --data goes on with every\n"
           "race where it was. See docs/HOSTING.md for hosts, docs/PROTOCOL.md for those who write\n"
           "clients."),
    .options = options,
    .run = run,
};
