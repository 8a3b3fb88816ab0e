/* How far ahead should a champion look? A playout that ends soon is judged by weights that err; one that goes far costs
 * time, and brings in luck. This drives races, takes the two best acts of a position, and plays both to the finish on
 * many deals, with looks on the way. From half of the deals it chooses, by the looks after so many rounds and as many
 * deals as a champion has time for, again and again; the other half judges by how the races ended. */
#include "bench/learn/learn.h"
#include "bots/playout.h"

#include <math.h>
#include <stdio.h>

enum {
    TRIED = 8,    /* acts, in */
    FIRST = 64,   /* deals, from which the two best come */
    SELDOM = 16,  /* one position in so many is looked at */
    LENGTHS = 5,  /* of playouts */
    FINISH = 999, /* rounds: beyond the end of any race */
    BUDGETS = 3,  /* of playouts of BOT_ROUNDS, */
    SHARE = 4,    /* half of them for the last two acts: a deal for each four of a budget */
    HALF = 3000,  /* deals to choose by, and as many to judge by; */
    GLANCE = 200, /* or so few, where */
    PLAIN = 100,  /* so many standard errors, squared, leave no doubt */
    CHOICES = 16  /* for each length and budget */
};

static const int lengths[LENGTHS + 1] = {3, BOT_ROUNDS, 6, 8, 12, FINISH};
static const int budgets[BUDGETS] = {750, 3000, 12000};

typedef struct {
    long positions;
    double sum[LENGTHS][BUDGETS]; /* what the choices were worth, */
    double off[LENGTHS][BUDGETS]; /* and beyond those of BOT_ROUNDS; squares of that */
    double off_squares[LENGTHS][BUDGETS];
} lessons;

/* How much better the first act was, by each look, in all deals before this one. */
typedef double leads[2 * HALF + 1][LENGTHS + 1];

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

/* False where the act to take is plain after a glance. */
static bool play_both(const hp_view *view, const hp_memory *memory, const hp_act two[2], bot_dice *dice,
                      leads until)
{
    int worth[2][LENGTHS + 1];
    double squares = 0;
    for (int deal = 0; deal < 2 * HALF && !learn_stopped(); deal++) {
        bot_play_out_looks(view, memory, two, 2, lengths, LENGTHS + 1, dice, worth[0]);
        for (int i = 0; i <= LENGTHS; i++)
            until[deal + 1][i] = until[deal][i] + worth[0][i] - worth[1][i];
        const double lead = worth[0][LENGTHS] - worth[1][LENGTHS], all = until[deal + 1][LENGTHS];
        squares += lead * lead;
        if (deal + 1 == GLANCE && all * all > PLAIN * squares)
            return false;
    }
    return true;
}

/* What the act is worth that so many deals speak for, drawn from the first half: a run of them, from anywhere. */
static double choose(leads until, int length, int deals, double worth, bot_dice *dice)
{
    deals = deals < HALF ? deals : HALF;
    const int from = (int)bot_roll_below(dice, (uint32_t)(HALF - deals + 1));
    return until[from + deals][length] >= until[from][length] ? worth : -worth;
}

static void compare(const hp_view *view, const hp_memory *memory, const hp_act two[2], bot_dice *dice,
                    lessons *all)
{
    static leads until;
    double gained[LENGTHS][BUDGETS] = {{0}};
    const bool plain = !play_both(view, memory, two, dice, until);
    if (learn_stopped())
        return;
    /* Of the first; the other is worth as much less. */
    const double worth = plain ? fabs(until[GLANCE][LENGTHS]) / (2 * GLANCE)
                               : (until[2 * HALF][LENGTHS] - until[HALF][LENGTHS]) / (2 * HALF);
    for (int i = 0; i < LENGTHS; i++)
        for (int b = 0; b < BUDGETS; b++)
            for (int k = 0; k < CHOICES; k++)
                gained[i][b] +=
                    (plain ? worth
                           : choose(until, i, budgets[b] * BOT_ROUNDS / SHARE / lengths[i], worth, dice)) /
                    CHOICES;
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
        printf("  %14d playouts", budgets[b]);
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
