/* How far ahead should a champion look? A playout that ends soon is judged by weights that err; one that goes
 * far costs time, and brings in luck. This drives races, takes the two best acts of a position, lets playouts
 * of so many rounds choose between them for as long as a champion would, and judges the choice by many
 * playouts that go to the finish. */
#define _POSIX_C_SOURCE 200809L
#include "bench/learn/learn.h"
#include "bots/playout.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

enum {
    TRIED = 8,          /* acts, in */
    FIRST = 64,         /* deals, from which the two best come */
    SELDOM = 16,        /* one position in so many is looked at */
    LENGTHS = 5,        /* of playouts */
    BUDGETS = 3,        /* of time */
    SHARE = 2,          /* of which a champion has a half left for the last two acts */
    JUDGE_ROUNDS = 999, /* how far the playouts go that judge: to the end of the race; */
    JUDGE_DEALS = 3000, /* how many they are, */
    PLAIN = 144         /* and from how many standard errors on, squared, everybody chooses alike */
};

static const int lengths[LENGTHS] = {3, BOT_ROUNDS, 6, 8, 12};
static const int milliseconds[BUDGETS] = {50, 200, 800};

typedef struct {
    long positions;
    double sum[LENGTHS][BUDGETS]; /* what the choices were worth, */
    double off[LENGTHS][BUDGETS]; /* and beyond those of champions with little time; squares of that */
    double off_squares[LENGTHS][BUDGETS];
} lessons;

/* That this program has used: others may use the machine too. */
static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The two best. False where there is no choice. */
static bool best_two(const hp_view *view, const hp_memory *memory, bot_dice *dice, hp_act two[2])
{
    hp_act acts[TRIED];
    int64_t sum[TRIED] = {0};
    int best = 0, second = 0;
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
        if (i != best && (second == best || sum[i] > sum[second]))
            second = i;
    two[0] = acts[best];
    two[1] = acts[second];
    return n > 1;
}

/* By how much the first is better in one deal. */
static int lead(const hp_view *view, const hp_memory *memory, const hp_act two[2], int rounds, bot_dice *dice)
{
    int worth[2];
    bot_play_out(view, memory, two, 2, rounds, dice, worth);
    return worth[0] - worth[1];
}

static void compare(const hp_view *view, const hp_memory *memory, const hp_act two[2], bot_dice *dice,
                    lessons *all)
{
    double sum_of_leads = 0, squares = 0, gained[LENGTHS][BUDGETS];
    for (int deal = 0; deal < JUDGE_DEALS; deal++) {
        const double l = lead(view, memory, two, JUDGE_ROUNDS, dice);
        sum_of_leads += l;
        squares += l * l;
    }
    const double worth = sum_of_leads / (2 * JUDGE_DEALS); /* of the first; the other is worth as much less */
    const bool plain = sum_of_leads * sum_of_leads > PLAIN * squares;
    for (int i = 0; i < LENGTHS; i++) {
        const double start = seconds();
        int64_t sum = 0;
        for (int b = 0; b < BUDGETS; b++) {
            while (!plain && 1000 * SHARE * (seconds() - start) < milliseconds[b])
                sum += lead(view, memory, two, lengths[i], dice);
            gained[i][b] = plain ? fabs(worth) : sum >= 0 ? worth : -worth;
        }
    }
    for (int i = 0; i < LENGTHS; i++)
        for (int b = 0; b < BUDGETS; b++) {
            const double off = gained[i][b] - gained[1][b];
            all->sum[i][b] += gained[i][b];
            all->off[i][b] += off;
            all->off_squares[i][b] += off * off;
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
        if (best_two(&view, &r.memory[car], &r.dice, two) && bot_roll_below(&r.dice, SELDOM) == 0) {
            compare(&view, &r.memory[car], two, &r.dice, all);
            fprintf(stderr, "\r%ld positions from %ld races", all->positions, (long)number + 1);
        }
        hp_apply(&r.race, car, two[0], &r.listener);
    }
}

bool learn_rounds(uint64_t seed)
{
    lessons all = {0};
    for (uint64_t number = 0; !learn_stopped(); number++)
        drive(seed, number, &all);
    fputc('\n', stderr);
    if (all.positions == 0) {
        fputs("learn: no time for a single position\n", stderr);
        return false;
    }
    const double n = (double)all.positions;
    printf("%ld positions: what a choice is worth (and beyond %d rounds, with its standard error)\nrounds",
           all.positions, BOT_ROUNDS);
    for (int b = 0; b < BUDGETS; b++)
        printf("  %20d ms", milliseconds[b]);
    puts("");
    for (int i = 0; i < LENGTHS; i++) {
        printf("%6d", lengths[i]);
        for (int b = 0; b < BUDGETS; b++)
            printf("  %7.2f (%+5.2f +- %4.2f)", all.sum[i][b] / n, all.off[i][b] / n,
                   sqrt(all.off_squares[i][b]) / n);
        puts("");
    }
    return true;
}
