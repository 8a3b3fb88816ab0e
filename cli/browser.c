#define _POSIX_C_SOURCE 200809L
#include "cli/browser.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OURS = 256 }; /* a program that has just started has fewer files than that */

static bool given(const char *variable)
{
    const char *value = getenv(variable);
    return value != NULL && value[0] != '\0';
}

/* In a process of its own. Only what is safe after a fork in a program with threads. */
static _Noreturn void become(const char *program, const char *url)
{
    const int nowhere = open("/dev/null", O_RDWR);
    for (int i = 0; i < 3 && nowhere >= 0; i++)
        dup2(nowhere, i);
    for (int i = 3; i < OURS; i++)
        close(i); /* else it would keep the server's port */
    setsid();     /* Ctrl-C is meant for the server */
    execlp(program, program, url, (char *)NULL);
    _exit(127);
}

void browser_open(const char *url)
{
    char program[256] = "xdg-open";
    const bool chosen = given("BROWSER");
    if (chosen) /* may be a list; no shell reads it, so that it is a program's name and nothing else */
        snprintf(program, sizeof program, "%.*s", (int)strcspn(getenv("BROWSER"), ":"), getenv("BROWSER"));
    else if (!given("DISPLAY") && !given("WAYLAND_DISPLAY"))
        return;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        if (fork() == 0)
            become(program, url);
        _exit(0); /* the browser has no parent that would have to wait for it */
    }
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
}
