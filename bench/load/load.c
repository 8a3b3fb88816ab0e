/* Plays many races at once on a hairpin server, by docs/PROTOCOL.md, and measures how it keeps up:
 *
 *     tables are opened and all seats taken over HTTP; every seat gets a WebSocket; when all are there the
 *     races begin, and each seat answers each decision at random; an act's latency is the time from sending
 *     it to reading the entry that confirms it.
 *
 * One thread, one loop. What waits in our own sockets counts as latency, too: when this program's core is
 * busy all the time ("cores" in the report), the figures are worse than what the server did. */
#define _GNU_SOURCE
#include "bench/load/load.h"

#include <errno.h>
#include <netdb.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

load_run load;
static volatile sig_atomic_t interrupted;

uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 * MS + (uint64_t)t.tv_nsec;
}

static double seconds_since(uint64_t then)
{
    return (double)(now() - then) * 1e-9;
}

static void clear_progress(void)
{
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}

void complain(const char *format, ...)
{
    if (load.complaints++ >= COMPLAINTS)
        return;
    va_list arguments;
    va_start(arguments, format);
    clear_progress();
    fputs("load: ", stderr);
    vfprintf(stderr, format, arguments);
    fputs(load.complaints == COMPLAINTS ? "\nload: and so on\n" : "\n", stderr);
    va_end(arguments);
}

void give_up(const char *why)
{
    if (load.f.stopped == NULL)
        load.f.stopped = why;
}

const char *why_lost(const wire *w)
{
    return w->error != 0 ? strerror(w->error) : "the server has closed it";
}

void wait_a_little(int seconds)
{
    load.f.told_to_wait++;
    if (now() < load.pause_until)
        return;
    load.pause_until = now() + (seconds > 0 ? (uint64_t)seconds * 1000 * MS : load.pause);
    load.pause = load.pause * 2 < 2000ull * MS ? load.pause * 2 : 2000ull * MS;
}

void no_more_waiting(void)
{
    load.pause = 100ull * MS;
}

/* ---- The run ------------------------------------------------------------------------------------ */

static void show_progress(void)
{
    static uint64_t confirmed;
    const uint64_t at = now();
    if (at - load.told < 1000ull * MS || !isatty(STDERR_FILENO))
        return;
    clear_progress();
    if (load.tables_ready < load.n_tables)
        fprintf(stderr, "opening tables: %ld of %ld", load.tables_ready, load.n_tables);
    else if (load.first_act == 0)
        fprintf(stderr, "connections: %ld of %ld", load.f.connected, load.f.connections);
    else
        fprintf(stderr, "races: %ld of %ld over; acts: %llu, %.0f/s; p99 %.1f ms", load.f.races_finished,
                load.f.races, (unsigned long long)load.f.confirmed,
                (double)(load.f.confirmed - confirmed) / ((double)(at - load.told) * 1e-9),
                (double)histogram_percentile(&load.f.latency, 99) / 1000);
    confirmed = load.f.confirmed;
    load.told = at;
}

/* Waits for what comes, and deals with it. False when the run is to end. */
static bool turn(int timeout)
{
    struct epoll_event events[256];
    const int n = epoll_wait(load.epoll, events, 256, timeout);
    for (int i = 0; i < n && load.f.stopped == NULL; i++) {
        void *owner = events[i].data.ptr;
        if (*(kind *)owner == OPENER)
            opener_event(owner);
        else
            seat_event(owner);
    }
    show_progress();
    if (interrupted)
        give_up("stopped by a signal");
    if (now() >= load.deadline)
        give_up("its time (--seconds) was over");
    return load.f.stopped == NULL;
}

static void open_tables(void)
{
    const uint64_t start = now();
    openers_start();
    do
        openers_pump();
    while (turn(20) && load.tables_ready < load.n_tables);
    load.f.opening = seconds_since(start);
    if (load.f.stopped == NULL)
        load.f.memory.seated = resident_kb(load.pid);
}

static void connect_seats(void)
{
    const uint64_t start = now();
    do
        seats_pump();
    while (turn(20) && (load.next_seat < load.f.connections || load.opening > 0));
    load.f.connecting = seconds_since(start);
    /* What was sent last may still be on its way into the server's memory, and out of it. */
    for (const uint64_t quiet = now(); seconds_since(quiet) < 0.5 && turn(20);)
        ;
    if (load.f.stopped == NULL)
        load.f.memory.connected = resident_kb(load.pid);
}

static double own_cpu(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static void race(void)
{
    const double server = cpu_seconds(load.pid), own = own_cpu();
    load.credit_at = now();
    do
        acts_pump();
    while (load.settled < load.n_tables && turn(load.waiting == 0 ? 20 : load.f.rate > 0 ? 1 : 0));
    const double server_end = cpu_seconds(load.pid);
    load.f.server_cpu = server < 0 || server_end < 0 ? -1 : server_end - server;
    load.f.own_cpu = own_cpu() - own;
    if (load.last_act > load.first_act)
        load.f.acting = (double)(load.last_act - load.first_act) * 1e-9;
    if (load.f.races_finished < load.f.races)
        give_up("races are broken off, because connections were lost");
    clear_progress();
    tell_unfinished();
}

static void hold(void)
{
    for (const uint64_t start = now(); seconds_since(start) < HOLD_SECONDS && turn(20);)
        ;
    for (long i = 0; i < load.f.connections; i++)
        load.f.held += load.seats[i].state == THERE;
}

static void leave(void)
{
    load.f.memory.end = resident_kb(load.pid);
    for (long i = 0; i < load.f.connections; i++) {
        seat *s = &load.seats[i];
        if (s->wire.fd >= 0 && s->state >= JOINING)
            ws_send(&s->wire, WS_CLOSE, "\x03\xe8", 2, (uint32_t)roll(&load.dice));
        wire_close(&s->wire);
    }
    for (int i = 0; i < OPENERS; i++)
        wire_close(&load.openers[i].wire);
    const struct timespec second = {.tv_sec = 1};
    if (load.pid > 0 && !interrupted)
        nanosleep(&second, NULL);
    load.f.memory.left = resident_kb(load.pid);
}

static void run(void)
{
    open_tables();
    if (load.f.stopped == NULL)
        connect_seats();
    if (load.f.stopped == NULL && load.f.idle > 0)
        hold();
    else if (load.f.stopped == NULL)
        race();
    clear_progress();
    leave();
}

/* ---- Setting up --------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    long *number; /* or */
    const char **text;
    long least, most;
} options[] = {
    {"--host", NULL, &load.f.host, 0, 0},           {"--port", &load.f.port, NULL, 1, 65535},
    {"--races", &load.f.races, NULL, 1, 100000},    {"--seats", &load.f.seats, NULL, 1, 6},
    {"--laps", &load.f.laps, NULL, 1, 9},           {"--circuit", NULL, &load.f.circuit, 0, 0},
    {"--seconds", &load.seconds, NULL, 1, 1000000}, {"--rate", &load.f.rate, NULL, 0, 1000000},
    {"--idle", &load.f.idle, NULL, 0, 1000000},     {"--pid", &load.pid, NULL, 0, 1L << 30},
    {"--seed", &load.f.seed, NULL, 0, 1L << 53},
};

static _Noreturn void usage(const char *wrong)
{
    fprintf(stderr,
            "load: %s\n"
            "load --port 8080 [--host 127.0.0.1] [--races 1000] [--seats 6] [--laps 1] [--circuit usa]\n"
            "     [--seconds 120] [--rate 0] [--idle 0] [--pid SERVER_PID] [--seed 1] [--json]\n"
            "  --seconds  ends everything after that time, finished or not\n"
            "  --rate     paces the acts of all races together to so many a second; 0: as fast as it goes\n"
            "  --idle     no races: so many spectators of one table, held for %d seconds\n"
            "  --pid      tells memory and processor time of the server, too\n"
            "Ends with 0 when every act was confirmed and every race finished, else with 1.\n",
            wrong, HOLD_SECONDS);
    exit(2);
}

static void read_option(const char *name, const char *value)
{
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        if (strcmp(name, options[i].name) != 0)
            continue;
        if (value == NULL)
            usage("an option has no value");
        if (options[i].text != NULL) {
            *options[i].text = value;
            return;
        }
        char *end;
        const long n = strtol(value, &end, 10);
        if (*value == '\0' || *end != '\0' || n < options[i].least || n > options[i].most)
            usage("a number that is none, or out of its range");
        *options[i].number = n;
        return;
    }
    usage("there is no such option");
}

static void read_options(int argc, char **argv)
{
    load.f =
        (figures){.host = "127.0.0.1", .races = 1000, .seats = 6, .laps = 1, .circuit = "usa", .seed = 1};
    load.f.memory = (memory){-1, -1, -1, -1, -1};
    load.f.server_cpu = -1;
    load.seconds = 120;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0) {
            load.json = true;
        } else {
            read_option(argv[i], argv[i + 1]);
            i++;
        }
    }
    if (load.f.port == 0)
        usage("--port is missing");
    if (load.f.circuit[strspn(load.f.circuit, "abcdefghijklmnopqrstuvwxyz0123456789-")] != '\0' ||
        strlen(load.f.circuit) > 64)
        usage("a circuit is named with small letters, digits and dashes");
}

static void find_server(void)
{
    char port[16];
    struct addrinfo *found, hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    snprintf(port, sizeof port, "%ld", load.f.port);
    snprintf(load.where, sizeof load.where, "%.255s:%s", load.f.host, port);
    const int wrong = getaddrinfo(load.f.host, port, &hints, &found);
    if (wrong != 0) {
        fprintf(stderr, "load: %s: %s\n", load.f.host, gai_strerror(wrong));
        exit(2);
    }
    memcpy(&load.address, found->ai_addr, found->ai_addrlen);
    load.address_length = found->ai_addrlen;
    freeaddrinfo(found);
}

static void allow_files(long needed)
{
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur < (rlim_t)needed) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    if (limit.rlim_cur < (rlim_t)needed) {
        fprintf(stderr, "load: needs %ld open files, and is allowed %lu (ulimit -n)\n", needed,
                (unsigned long)limit.rlim_cur);
        exit(2);
    }
}

static void lay_out(void)
{
    load.n_tables = load.f.idle > 0 ? 1 : load.f.races;
    load.f.connections = load.f.idle > 0 ? load.f.idle : load.f.races * load.f.seats;
    load.tables = must_have(calloc((size_t)load.n_tables, sizeof *load.tables));
    load.seats = must_have(calloc((size_t)load.f.connections, sizeof *load.seats));
    load.queue = must_have(calloc((size_t)load.f.connections, sizeof *load.queue));
    for (long i = 0; i < load.f.connections; i++) {
        seat *s = &load.seats[i];
        s->kind = SEAT;
        s->wire.fd = -1;
        s->number = load.f.idle > 0 ? -1 : (int)(i % load.f.seats);
        s->table = load.f.idle > 0 ? 0 : i / load.f.seats;
    }
}

static void interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

int main(int argc, char **argv)
{
    read_options(argc, argv);
    find_server();
    lay_out();
    allow_files(load.f.connections + OPENERS + 16);
    const struct sigaction action = {.sa_handler = interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    load.epoll = epoll_create1(EPOLL_CLOEXEC);
    load.dice = (uint64_t)load.f.seed;
    load.deadline = now() + (uint64_t)load.seconds * 1000 * MS;
    no_more_waiting();

    load.f.load_start = machine_load();
    load.f.memory.before = resident_kb(load.pid);
    run();
    load.f.load_end = machine_load();
    if (load.json)
        figures_print_json(&load.f);
    else
        figures_print(&load.f);
    free(load.queue);
    free(load.seats);
    free(load.tables);
    close(load.epoll);
    return figures_good(&load.f) ? 0 : 1;
}
