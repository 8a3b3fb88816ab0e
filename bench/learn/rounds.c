/* How far ahead should a champion look? A playout that ends soon is judged by weights that err; one that goes far costs
 * time, and brings in more luck. This drives races, takes the two best acts of a position, and compares what playouts of
 * so many rounds say of them with what the same playouts say when they go on. */
#define _POSIX_C_SOURCE 200809L
#include "bench/learn/learn.h"
#include "bots/playout.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    TRIED = 8,   /* acts, in */
    FIRST = 64,  /* deals, from which the two best come */
    DEALS = 800, /* in which those are compared */
    SELDOM = 8,  /* one position in so many is looked at */
    LENGTHS = 6,
    SHARE = 2 /* of its time, what a champion has left for the last two acts: a half */
};

static const int lengths[LENGTHS] = {2, 3, 4,
                                     5, 6, 9}; /* of playouts, in rounds; the last is taken for the truth */

/* Of all positions, for each length. */
typedef struct {
    long positions;
    double seconds[LENGTHS];
    double squares[LENGTHS]; /* variances of the difference between the two acts in one deal */
    double faults[LENGTHS];  /* squared faults of their mean difference, less what is luck */
} lessons;

/* That this program has used: others may use the machine too. */
static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The two best; fewer where there is no choice. */
static int best_two(const hp_view *view, const hp_memory *memory, bot_dice *dice, hp_act two[2])
{
    hp_act acts[TRIED];
    int64_t sum[TRIED] = {0};
    int best = 0, second = -1;
    const int n = bot_driver_best(view, TRIED, acts);
    for (int deal = 0; deal < FIRST && n > 1; deal++) {
        int worth[TRIED];
        bot_play_out(view, memory, acts, n, BOT_ROUNDS, dice, worth);
        for (int i = 0; i < n; i++)
            sum[i] += worth[i];
    }
    for (int i = 1; i < n; i++)
        best = sum[i] > sum[best] ? i : best;
    for (int i = 0; i < n; i++)
        if (i != best && (second < 0 || sum[i] > sum[second]))
            second = i;
    two[0] = acts[best];
    two[1] = acts[second < 0 ? best : second];
    return second < 0 ? 1 : 2;
}

static void compare(const hp_view *view, const hp_memory *memory, const hp_act two[2], bot_dice *dice,
                    lessons *all)
{
    double sum[LENGTHS] = {0}, squares[LENGTHS] = {0}, off[LENGTHS] = {0}, off_squares[LENGTHS] = {0};
    for (int deal = 0; deal < DEALS; deal++) {
        const bot_dice same = *dice; /* the same deal and moods: the same playout, but longer */
        double lead[LENGTHS];
        for (int i = 0; i < LENGTHS; i++) {
            int worth[2];
            const double start = seconds();
            *dice = same;
            bot_play_out(view, memory, two, 2, lengths[i], dice, worth);
            all->seconds[i] += (seconds() - start) / (2 * DEALS);
            lead[i] = (double)(worth[0] - worth[1]) / (view->cars - 1);
        }
        for (int i = 0; i < LENGTHS; i++) {
            const double fault = lead[i] - lead[LENGTHS - 1];
            sum[i] += lead[i];
            squares[i] += lead[i] * lead[i];
            off[i] += fault;
            off_squares[i] += fault * fault;
        }
    }
    for (int i = 0; i < LENGTHS; i++) {
        const double mean = sum[i] / DEALS, fault = off[i] / DEALS;
        all->squares[i] += squares[i] / DEALS - mean * mean;
        all->faults[i] += fault * fault - (off_squares[i] / DEALS - fault * fault) / (DEALS - 1);
    }
    all->positions++;
}

static void drive(uint64_t seed, uint64_t number, lessons *all)
{
    learn_race r;
    learn_start(&r, seed, number, number, 2);
    for (int car; !learn_stopped() && (car = hp_to_act(&r.race)) >= 0;) {
        hp_view view;
        hp_act two[2];
        hp_look(&r.race, car, &view);
        if (best_two(&view, &r.memory[car], &r.dice, two) == 2 && bot_roll_below(&r.dice, SELDOM) == 0)
            compare(&view, &r.memory[car], two, &r.dice, all);
        hp_apply(&r.race, car, two[0], &r.listener);
    }
}

bool learn_rounds(uint64_t seed)
{
    lessons all = {0};
    for (uint64_t number = 0; !learn_stopped(); number++) {
        drive(seed, number, &all);
        fprintf(stderr, "\r%ld positions from %ld races", all.positions, (long)number + 1);
    }
    fputc('\n', stderr);
    if (all.positions == 0)
        return false;
    printf(
        "rounds  us a playout  luck of a deal  fault against %d rounds  fault and luck in 50, 200, 800 ms\n",
        lengths[LENGTHS - 1]);
    for (int i = 0; i < LENGTHS; i++) {
        const double n = (double)all.positions, us = 1e6 * all.seconds[i] / n, luck = all.squares[i] / n;
        const double fault = fmax(all.faults[i] / n, 0);
        printf("%6d  %12.1f  %14.0f  %23.1f  ", lengths[i], us, sqrt(luck), sqrt(fault));
        for (double ms = 50; ms <= 800; ms *= 4)
            printf("  %8.1f", sqrt(fault + luck * 2 * SHARE * us / (1000 * ms)));
        puts("");
    }
    return true;
}
