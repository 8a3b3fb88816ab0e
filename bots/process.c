/* A bot that is a program outside, in any language: docs/BOT-PROTOCOL.md. Whatever it does, a decision
 * comes in its time, and the rookie's where its own is missing or wrong.
 *
 * It talks over two sockets, one for each direction: unlike pipes they never raise SIGPIPE, so that this
 * works in any thread and leaves the host's signals alone. */
#define _POSIX_C_SOURCE 200809L
#include "bots/bots.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    PATH_BYTES = 4096,
    TIME_DEFAULT = 1000, /* ms for a decision */
    TIME_MAX = 600000,
    TIME_TO_START = 1000, /* ms more for the first one: interpreters are slow to begin */
    TIME_TO_END = 200,    /* ms that it has to end by itself, once told */
    GREETING_BYTES = 1024,
    /* A round of six cars is below 20 KB of events; so much, and what a socket holds, may lie unread. */
    OUT_BYTES = 65536,
    ROUNDS_MAX = 200,    /* of a lap: one that takes any act at all is home after thirty or so */
    FDS_MAX = 1024,      /* what a child is kept from inheriting, beside what is marked already */
    RUNNING_MAX = 512,   /* programs that bot_end_all knows: an arena has at most 64 times six */
    TIME_TO_NOTICE = 100 /* ms until it is seen that bot_end_all was called, if nothing tells before */
};

typedef struct {
    pid_t pid;
    atomic_int *place; /* in running; NULL when that was full */
    int to, from;      /* sockets: its input and its output */
    int time;          /* ms for a decision */
    uint32_t asked;
    bool greeted;
    bool skip;   /* the rest of a line that was cut is still to come */
    bool missed; /* there was no room for an event: no more can be asked of it */
    bot_report report;
    void *rookie; /* who decides in its place */
    uint32_t
        late[BOT_FAULTS_MAX]; /* decisions that were not waited for any longer: their answers do not count */
    int lates;
    size_t sent, queued; /* of out */
    size_t got;          /* of in */
    size_t taken;        /* bytes read for this decision */
    char out[OUT_BYTES];
    char in[BOT_ANSWER_MAX + 1];
} process;

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- Starting and ending ------------------------------------------------------------------------ */

/* "PATH" or "PATH:500ms"; a colon that no time follows belongs to the path. */
static bool read_spec(const char *spec, char path[PATH_BYTES], int *time)
{
    const char *colon = strrchr(spec, ':');
    size_t length = strlen(spec);
    *time = TIME_DEFAULT;
    if (colon != NULL) {
        const size_t digits = strspn(colon + 1, "0123456789");
        if (digits > 0 && strcmp(colon + 1 + digits, "ms") == 0) {
            *time = digits <= 6 ? atoi(colon + 1) : 0;
            length = (size_t)(colon - spec);
        }
    }
    errno = EINVAL;
    if (*time < 1 || *time > TIME_MAX || length == 0 || length >= PATH_BYTES)
        return false;
    memcpy(path, spec, length);
    path[length] = '\0';
    return true;
}

/* In the child, where only what is safe after fork may be called. Its group is its own, so that whatever
 * it starts can be ended with it. Comes back only when the program cannot be run. */
static void become(char *path, int in, int out)
{
    char *const arguments[] = {path, NULL};
    sigset_t none;
    sigemptyset(&none);
    setpgid(0, 0);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* what ends the host, or the thread that started it, ends the bot */
#endif
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    in = fcntl(in, F_DUPFD, 3); /* they may be 0 or 1 themselves, where the host has closed those */
    out = fcntl(out, F_DUPFD, 3);
    if (in < 0 || out < 0 || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0)
        return;
    for (int fd = 3; fd < FDS_MAX; fd++)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    execv(path, arguments);
}

/* The programs that run, by their number, which is that of their group, too; 0 for nobody. It is all that a signal
 * handler may look at. A program leaves it before it is reaped: after that its number may be another's. */
static atomic_int running[RUNNING_MAX];
_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "a signal handler must not wait for a lock");

static void enlist(process *p)
{
    for (int i = 0; i < RUNNING_MAX && p->place == NULL; i++) {
        int nobody = 0;
        if (atomic_compare_exchange_strong(&running[i], &nobody, (int)p->pid))
            p->place = &running[i];
    }
}

static bool ended_with_all(const process *p)
{
    return p->place != NULL && atomic_load(p->place) != (int)p->pid;
}

static void reap(process *p)
{
    int it = (int)p->pid; /* else the place is somebody else's already */
    if (p->place != NULL)
        atomic_compare_exchange_strong(p->place, &it, 0);
    while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
}

static void kill_with_all_it_started(pid_t pid)
{
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL); /* it may have left its group */
}

void bot_end_all(void)
{
    for (int i = 0; i < RUNNING_MAX; i++) {
        int pid = atomic_load(&running[i]);
        if (pid != 0) {
            kill_with_all_it_started((pid_t)pid);
            atomic_compare_exchange_strong(&running[i], &pid, 0);
        }
    }
}

/* Forks; 0, or why the program cannot be run, as the child tells. */
static int run(process *p, char *path, int in, int out, const int tell[2])
{
    int why = 0;
    ssize_t n;
    if ((p->pid = fork()) < 0)
        return errno;
    if (p->pid == 0) {
        become(path, in, out);
        why = errno;
        send(tell[1], &why, sizeof why, MSG_NOSIGNAL);
        _exit(127);
    }
    enlist(p);
    close(tell[1]); /* else its end would not be seen */
    while ((n = recv(tell[0], &why, sizeof why, 0)) < 0 && errno == EINTR)
        continue;
    if (n == sizeof why)
        reap(p);
    return n == sizeof why ? why : 0;
}

static bool launch(process *p, char *path)
{
    int to[2], from[2], tell[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, to) != 0)
        return false;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, from) != 0) {
        close(to[0]), close(to[1]);
        return false;
    }
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, tell) != 0) {
        close(to[0]), close(to[1]), close(from[0]), close(from[1]);
        return false;
    }
    const int why = run(p, path, to[1], from[1], tell);
    if (p->pid < 0)
        close(tell[1]);
    close(tell[0]), close(to[1]), close(from[1]);
    if (why != 0) {
        close(to[0]), close(from[0]);
        errno = why;
        return false;
    }
    p->to = to[0];
    p->from = from[0];
    return true;
}

static bool start(void *state, const char *options)
{
    process *p = state;
    char path[PATH_BYTES];
    if (!read_spec(options, path, &p->time) || (p->rookie = calloc(1, bot_rookie.size + 1)) == NULL)
        return false;
    if ((bot_rookie.start == NULL || bot_rookie.start(p->rookie, "")) && launch(p, path))
        return true;
    const int why = errno;
    free(p->rookie);
    errno = why;
    return false;
}

/* Ends it and whatever it has started, at once. Its group keeps its number until it is reaped. */
static void end(process *p)
{
    kill_with_all_it_started(p->pid);
    reap(p);
    close(p->to);
    close(p->from);
    p->report.stopped = true;
}

static bool has_ended(const process *p)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == p->pid;
}

/* ---- Telling it --------------------------------------------------------------------------------- */

/* What it takes now; false when it takes nothing any more. */
static bool flush(process *p)
{
    while (p->sent < p->queued) {
        const ssize_t n = send(p->to, p->out + p->sent, p->queued - p->sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno == EAGAIN || errno == EWOULDBLOCK;
        p->sent += (size_t)n;
    }
    p->sent = p->queued = 0;
    return true;
}

/* False when so much lies unread that there is no room. Before the greeting nothing may go out. */
static bool say(process *p, const char *text, size_t length)
{
    if (p->queued + length > OUT_BYTES && p->greeted) {
        flush(p);
        memmove(p->out, p->out + p->sent, p->queued - p->sent);
        p->queued -= p->sent;
        p->sent = 0;
    }
    if (p->queued + length > OUT_BYTES)
        return false;
    memcpy(p->out + p->queued, text, length);
    p->queued += length;
    return true;
}

/* Keeps the decision of its first fault, and the line that it wrote then: it will be shown on terminals, and there
 * nothing of it may do anything. */
static void note(process *p, const char *line, size_t length)
{
    bot_report *r = &p->report;
    if (r->first != 0)
        return;
    r->first = p->asked;
    for (size_t i = 0; i < length && i < BOT_WROTE - 1; i++)
        r->wrote[i] = line[i] < ' ' || line[i] > '~' ? '?' : line[i];
    if (length > BOT_WROTE - 1)
        memset(r->wrote + BOT_WROTE - 4, '.', 3);
}

static void blame(process *p, bot_fault fault)
{
    uint32_t all = 0;
    p->report.faults[fault]++;
    for (int i = 0; i < BOT_FAULTS; i++)
        all += p->report.faults[i];
    if (fault == BOT_GONE || fault == BOT_LOST || p->missed || all >= BOT_FAULTS_MAX)
        end(p);
}

/* Comes before the events that were heard already: only a view tells what race it is. */
static void greet(process *p, const hp_view *view, bot_dice *dice)
{
    char text[GREETING_BYTES]; /* 14 corners of 25, and less than 300 for the rest */
    const hp_track *track = &view->track;
    size_t n =
        (size_t)snprintf(text, sizeof text,
                         "hairpin bot 1\nrace {\"seat\":%d,\"cars\":%d,\"laps\":%d,\"spaces\":%d,\"heat\":%d,"
                         "\"stress\":%d,\"corners\":[",
                         view->seat, view->cars, view->laps, track->spaces, track->heat, track->stress);
    for (int i = 0; i < track->corners; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s{\"after\":%d,\"limit\":%d}", i > 0 ? "," : "",
                              track->corner[i].after, track->corner[i].limit);
    /* 32 bits: in every language a number. */
    n += (size_t)snprintf(text + n, sizeof text - n, "],\"dice\":%lu}\n",
                          (unsigned long)(bot_roll(dice) >> 32));
    if (p->queued + n > OUT_BYTES)
        p->queued = 0;
    memmove(p->out + n, p->out, p->queued);
    memcpy(p->out, text, n);
    p->queued += n;
    p->greeted = true;
}

static void hear(void *state, const hp_event *seen)
{
    process *p = state;
    if (bot_rookie.hear != NULL)
        bot_rookie.hear(p->rookie, seen);
    if (p->report.stopped)
        return;
    char text[8 + HP_EVENT_TEXT] = "event ";
    const size_t n = hp_event_write(seen, text + 6, sizeof text - 6);
    p->missed = p->missed || !say(p, text, 6 + n);
    if (seen->kind == HP_EV_END && p->greeted)
        flush(p);
}

static bool ask(process *p, const hp_view *view)
{
    char text[8 + HP_VIEW_TEXT] = "view ";
    hp_act acts[HP_ACTS_MAX];
    const int n = hp_acts(&view->choice, acts);
    bool said = say(p, text, 5 + hp_view_write(view, text + 5, sizeof text - 5));
    for (int i = 0; i < n; i++) {
        char act[HP_ACT_TEXT];
        hp_act_write(acts[i], act, sizeof act);
        said &= say(p, text, (size_t)sprintf(text, "%s%s", i > 0 ? ", " : "acts ", act));
    }
    return said & say(p, text, (size_t)sprintf(text, "\ngo %lu %d\n", (unsigned long)p->asked, p->time));
}

/* ---- Its answer --------------------------------------------------------------------------------- */

enum { ANSWERED = BOT_FAULTS, LISTENING }; /* beside the faults */

/* "7 plan 3 1 4 4": the number that it was asked under, and its act. */
static int judge_line(process *p, const char *line, size_t length, const hp_view *view, hp_act *act)
{
    const char *const stop = line + length;
    uint64_t number = 0;
    hp_fault fault = {0};
    while (line < stop && (*line == ' ' || *line == '\t'))
        line++;
    if (line == stop || *line == '#')
        return LISTENING;
    const char *const digits = line;
    for (; line < stop && line - digits < 10 && *line >= '0' && *line <= '9'; line++)
        number = number * 10 + (uint64_t)(*line - '0');
    if (line == digits || line == stop || (*line != ' ' && *line != '\t'))
        return BOT_RUBBISH;
    for (int i = 0; i < p->lates; i++)
        if (number != 0 && p->late[i] == number) {
            p->late[i] = 0; /* no decision has this number */
            return LISTENING;
        }
    if (number != p->asked || hp_act_read(line, (size_t)(stop - line), act, &fault) != HP_TEXT_OK)
        return BOT_RUBBISH;
    return hp_check(&view->choice, *act) == HP_OK ? ANSWERED : BOT_ILLEGAL;
}

/* Goes through the lines that are complete, up to the first that decides. */
static int judge(process *p, const hp_view *view, hp_act *act)
{
    int result = LISTENING;
    size_t at = 0;
    for (char *feed; result == LISTENING && (feed = memchr(p->in + at, '\n', p->got - at)) != NULL;) {
        size_t length = (size_t)(feed - (p->in + at));
        const char *line = p->in + at;
        at += length + 1;
        length -= length > 0 && line[length - 1] == '\r';
        if (!p->skip)
            result = judge_line(p, line, length, view, act);
        if (result < BOT_FAULTS)
            note(p, line, length);
        p->skip = false;
    }
    p->got -= at;
    memmove(p->in, p->in + at, p->got);
    return result;
}

/* Forgets what else it wrote beside the point. A line that has only begun is kept, unless it is too much:
 * then the rest of it is no use either. */
static void forget(process *p, bool all)
{
    size_t kept = 0;
    while (kept < p->got && p->in[p->got - kept - 1] != '\n')
        kept++;
    if (all) {
        p->skip = kept > 0;
        kept = 0;
    }
    memmove(p->in, p->in + p->got - kept, kept);
    p->got = kept;
}

static int listen_to(process *p)
{
    const ssize_t n = recv(p->from, p->in + p->got, sizeof p->in - p->taken, MSG_DONTWAIT);
    if (n < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK))
        return LISTENING;
    if (n <= 0)
        return BOT_GONE;
    p->got += (size_t)n;
    p->taken += (size_t)n;
    return p->taken > BOT_ANSWER_MAX ? BOT_TOO_MUCH : LISTENING;
}

/* Until it has answered, done something wrong, or its time is over. */
static int await(process *p, const hp_view *view, int64_t deadline, hp_act *act)
{
    p->taken = p->got; /* never more than BOT_ANSWER_MAX: what was too much is forgotten */
    for (;;) {
        int result = judge(p, view, act);
        if (result != LISTENING)
            return result;
        if (!flush(p))
            return BOT_GONE;
        const int64_t left = deadline - now_ms();
        if (left <= 0)
            return has_ended(p) ? BOT_GONE : BOT_SLOW; /* what it started may hold its output open */
        struct pollfd fds[] = {{.fd = p->from, .events = POLLIN}, {.fd = p->to, .events = POLLOUT}};
        if (p->queued == 0)
            fds[1].events = 0; /* nothing but that it has hung up */
        /* That mostly shows at once, by its hanging up; but what it started may have left its group and hold on. */
        if (ended_with_all(p))
            return BOT_GONE;
        if (poll(fds, 2, (int)(left < TIME_TO_NOTICE ? left : TIME_TO_NOTICE)) <= 0)
            continue;
        if (fds[0].revents != 0)
            result = listen_to(p);
        else if (fds[1].revents & (POLLERR | POLLHUP | POLLNVAL))
            result = BOT_GONE;
        if (result != LISTENING)
            return result;
    }
}

static hp_act choose(void *state, const hp_view *view, bot_dice *dice)
{
    process *p = state;
    if (!p->report.stopped) {
        hp_act act;
        const int64_t deadline = now_ms() + p->time + (p->greeted ? 0 : TIME_TO_START);
        if (!p->greeted)
            greet(p, view, dice);
        p->asked++;
        p->missed = p->missed || !ask(p, view);
        const int result = view->round > ROUNDS_MAX * view->laps ? BOT_LOST
                           : p->missed                           ? BOT_SLOW
                                                                 : await(p, view, deadline, &act);
        if (result == ANSWERED)
            return act;
        const char *feed = memchr(p->in, '\n', p->got);
        note(p, p->in, feed != NULL ? (size_t)(feed - p->in) : p->got); /* unless it was a whole line */
        if (p->lates < BOT_FAULTS_MAX)
            p->late[p->lates++] = p->asked;
        if (result == BOT_RUBBISH || result == BOT_TOO_MUCH)
            forget(p, result == BOT_TOO_MUCH);
        blame(p, (bot_fault)result);
    }
    return bot_rookie.choose(p->rookie, view, dice);
}

/* ---- The end ------------------------------------------------------------------------------------ */

/* Tells it that all is over, and gives it a moment to end by itself. */
static void farewell(process *p)
{
    const int64_t deadline = now_ms() + TIME_TO_END;
    if (!p->greeted)
        p->queued = 0;
    p->greeted = true;
    say(p, "end\n", 4);
    for (int64_t left; (left = deadline - now_ms()) > 0;) {
        if (!flush(p))
            return;
        if (p->queued == 0)
            shutdown(p->to, SHUT_WR);
        struct pollfd fds[] = {{.fd = p->from, .events = POLLIN}, {.fd = p->to, .events = POLLOUT}};
        if (poll(fds, p->queued > 0 ? 2 : 1, (int)left) <= 0 || fds[0].revents == 0)
            continue;
        const ssize_t n = recv(p->from, p->in, sizeof p->in, MSG_DONTWAIT);
        if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK))
            return;
    }
}

static void stop(void *state)
{
    process *p = state;
    if (!p->report.stopped) {
        farewell(p);
        end(p);
    }
    if (bot_rookie.stop != NULL)
        bot_rookie.stop(p->rookie);
    free(p->rookie);
}

static const bot_report *report(const void *state)
{
    const process *p = state;
    return &p->report;
}

const bot_kind bot_process = {
    .name = "a program",
    .size = sizeof(process),
    .start = start,
    .hear = hear,
    .choose = choose,
    .stop = stop,
    .report = report,
};
