/* Waiting for keys, for a link, and for those who want the program to end. */
#ifndef HP_TERMINAL_WAIT_H
#define HP_TERMINAL_WAIT_H

#include <stdbool.h>

/* From now on signals that would end the program only make wait_stopped true, and end every wait. */
void wait_prepare(void);
/* The signal that has come, or 0. A terminal that is gone counts as SIGHUP. */
int wait_stopped(void);

/* Until a key, something from a link (-1: none) or the end, at most so long (-1: any time). */
typedef struct {
    bool key, link;
} waited;
waited wait_for(int wake, int milliseconds);
/* The same, where keys may be of no interest now. */
waited wait_for_either(bool keys, int wake, int milliseconds);

#endif
