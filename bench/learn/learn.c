/* learn positions FILE [SECONDS [SEED]]       drives races and notes what acts were worth
 * learn judgement SECONDS FILE...              finds figures for bots/driver.c that choose the better acts
 * learn feelings RACES [SEED]                  finds what drivers feel, bots/felt.c, going on from there
 * learn standing RACES                         finds the weights of bots/standing.c
 * learn rounds SECONDS                         tells how far ahead bots/champion.c should look */
#define _POSIX_C_SOURCE 200809L
#include "bench/learn/learn.h"
#include "bench/signature.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
    (void)signal;
    stopped = 1;
}

bool learn_stopped(void)
{
    return stopped != 0;
}

static void hear(void *self, const hp_event *event)
{
    learn_race *r = self;
    for (int i = 0; i < r->race.cars; i++) {
        const hp_event seen = hp_event_for(event, i);
        hp_remember(&r->memory[i], &seen);
    }
}

void learn_start(learn_race *r, uint64_t seed, uint64_t number, uint64_t circuit, int cars)
{
    hp_circuit c;
    hp_circuit_at((int)(circuit % (uint64_t)hp_circuits()), &c);
    hp_setup setup = {.track = c.track, .laps = c.laps, .cars = (uint8_t)cars};
    hp_seed_of(seed, number, setup.seed);
    memset(r, 0, sizeof *r);
    memcpy(&r->dice.state, setup.seed, sizeof r->dice.state);
    r->listener = (hp_listener){hear, r};
    hp_start(&r->race, &setup, &r->listener);
}

uint64_t learn_sum(const learn_position *p)
{
    return bench_mix_bytes(0, (const uint8_t *)p, offsetof(learn_position, sum));
}

static int usage(void)
{
    fputs("learn positions FILE [SECONDS [SEED]]\n"
          "learn judgement SECONDS FILE...\n"
          "learn feelings RACES [SEED]\n"
          "learn standing RACES\n"
          "learn rounds SECONDS\n",
          stderr);
    return 2;
}

/* 0 where it is no number above 0. */
static unsigned number(const char *text)
{
    char *end;
    const unsigned long n = strtoul(text, &end, 10);
    return *text >= '1' && *text <= '9' && *end == '\0' && n < 1000000000 ? (unsigned)n : 0;
}

int main(int argc, char **argv)
{
    const struct sigaction action = {.sa_handler = stop, .sa_flags = SA_RESTART};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGALRM, &action, NULL);
    if (argc >= 3 && argc <= 5 && strcmp(argv[1], "positions") == 0) {
        const unsigned seconds = argc > 3 ? number(argv[3]) : 600, seed = argc > 4 ? number(argv[4]) : 1;
        if (seconds == 0 || seed == 0)
            return usage();
        alarm(seconds);
        return learn_positions(argv[2], seed) ? 0 : 1;
    }
    if (argc >= 4 && strcmp(argv[1], "judgement") == 0 && number(argv[2]) > 0) {
        alarm(number(argv[2]));
        return learn_judgement(argv + 3, argc - 3, 1) ? 0 : 1;
    }
    if ((argc == 3 || argc == 4) && strcmp(argv[1], "feelings") == 0 && number(argv[2]) > 0) {
        const unsigned seed = argc > 3 ? number(argv[3]) : 1;
        if (seed == 0)
            return usage();
        return learn_feelings((long)number(argv[2]), seed) ? 0 : 1;
    }
    if (argc == 3 && strcmp(argv[1], "standing") == 0 && number(argv[2]) > 0)
        return learn_standing((long)number(argv[2]), 1) ? 0 : 1;
    if (argc == 3 && strcmp(argv[1], "rounds") == 0 && number(argv[2]) > 0) {
        alarm(number(argv[2]));
        return learn_rounds(1) ? 0 : 1;
    }
    return usage();
}
