/* A champion that goes by the clock asks for it; here all of them go by playouts. */
#ifndef ENGINE_TIME_H
#define ENGINE_TIME_H

struct timespec {
    long long tv_sec;
    long tv_nsec;
};

enum { CLOCK_MONOTONIC = 1 };

int clock_gettime(int clock, struct timespec *now);

#endif
