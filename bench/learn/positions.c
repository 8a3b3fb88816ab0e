/* Races of champions, of two cars and of six, each act tried out on the same deals. */
#include "bench/learn/learn.h"
#include "bots/playout.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
    DEALS = 48,  /* better many positions than exact ones: faults of the worths cancel out */
    ASTRAY = 10, /* one act in so many is a driver's, so that other positions come too */
};

/* Which act was best. */
static int try_out(learn_position *p, const hp_memory *memory, bot_dice *dice)
{
    int64_t sum[LEARN_ACTS] = {0};
    for (int deal = 0; deal < DEALS; deal++) {
        int worth[LEARN_ACTS];
        bot_play_out(&p->view, memory, p->act, p->acts, BOT_ROUNDS, dice, worth);
        for (int i = 0; i < p->acts; i++)
            sum[i] += worth[i];
    }
    int best = 0;
    for (int i = 0; i < p->acts; i++) {
        p->worth[i] = (int32_t)(sum[i] / DEALS / (p->view.cars - 1));
        best = sum[i] > sum[best] ? i : best;
    }
    return best;
}

static bool drive(uint64_t seed, uint64_t number, FILE *out, long *written)
{
    learn_race r;
    learn_start(&r, seed, number, number, number % 3 == 2 ? HP_CARS_MAX : 2);
    for (int car; !learn_stopped() && (car = hp_to_act(&r.race)) >= 0;) {
        learn_position p;
        memset(&p, 0, sizeof p);
        p.race = (uint32_t)number;
        hp_look(&r.race, car, &p.view);
        p.acts = bot_driver_best(&p.view, LEARN_ACTS, p.act);
        int chosen = 0;
        if (p.acts > 1) {
            chosen = try_out(&p, &r.memory[car], &r.dice);
            p.sum = learn_sum(&p);
            if (fwrite(&p, sizeof p, 1, out) != 1)
                return false;
            ++*written;
        }
        if (bot_roll_below(&r.dice, ASTRAY) == 0)
            chosen = 0;
        hp_apply(&r.race, car, p.act[chosen], &r.listener);
    }
    return true;
}

bool learn_positions(const char *file, uint32_t seed)
{
    const learn_head head = {LEARN_MAGIC, sizeof(learn_position), seed};
    FILE *out = fopen(file, "wbx"); /* nobody's file is lost, and no position is in one twice */
    long written = 0;
    bool fine = out != NULL && fwrite(&head, sizeof head, 1, out) == 1;
    for (uint64_t number = 0; fine && !learn_stopped(); number++) {
        fine = drive(seed, number, out, &written) && fflush(out) == 0;
        fprintf(stderr, "\r%ld positions from %ld races", written, (long)number + 1);
    }
    if (!fine)
        fprintf(stderr, "learn: %s: %s", file, strerror(errno));
    fputc('\n', stderr);
    return (out == NULL || fclose(out) == 0) && fine;
}
