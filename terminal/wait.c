#define _GNU_SOURCE /* ppoll */
#include "terminal/wait.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t stopped;
static int bell[2] = {-1, -1};
static sigset_t while_waiting; /* the signals that are blocked then */

static void stop(int number)
{
    const int before = errno;
    stopped = number;
    if (write(bell[1], "", 1) < 0)
        errno = 0; /* a full pipe rings already */
    errno = before;
}

void wait_prepare(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct sigaction action;
    if (bell[0] >= 0 || pipe(bell) != 0)
        return;
    for (int i = 0; i < 2; i++) {
        fcntl(bell[i], F_SETFL, O_NONBLOCK);
        fcntl(bell[i], F_SETFD, FD_CLOEXEC);
    }
    memset(&action, 0, sizeof action);
    action.sa_handler = stop;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaction(signals[i], &action, NULL);
    action.sa_handler = SIG_IGN; /* these are errors of a write, and told as such */
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL);
    /* A new size is told in a wait and nowhere else: just before one it would be seen at the next key. */
    sigset_t resized;
    sigemptyset(&resized);
    sigaddset(&resized, SIGWINCH);
    sigprocmask(SIG_BLOCK, &resized, &while_waiting);
    sigdelset(&while_waiting, SIGWINCH);
}

int wait_stopped(void)
{
    return stopped;
}

waited wait_for(int wake, int milliseconds)
{
    return wait_for_either(true, wake, milliseconds);
}

waited wait_for_either(bool keys, int wake, int milliseconds)
{
    struct pollfd all[3] = {{.fd = keys ? STDIN_FILENO : -1, .events = POLLIN},
                            {.fd = bell[0], .events = POLLIN},
                            {.fd = wake, .events = POLLIN}};
    const struct timespec most = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L};
    waited w = {false, false};
    if (ppoll(all, 3, milliseconds >= 0 ? &most : NULL, &while_waiting) < 0)
        return w; /* a signal: a new size, or the end */
    const bool hung_up = (all[0].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
    w.key = (all[0].revents & POLLIN) != 0;
    w.link = (all[2].revents & POLLIN) != 0;
    if (hung_up && !w.key && isatty(STDIN_FILENO))
        stop(SIGHUP);
    w.key = w.key || hung_up; /* the end of a pipe is there to be read */
    return w;
}
