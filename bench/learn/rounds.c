/* How far ahead should a champion look? A playout that ends soon is judged by weights that err; one that goes far
 * brings in luck. This drives races, takes the best acts of a position, and plays all of them to the finish on many
 * deals, with looks on the way. From half of the deals it chooses, by several looks together and so many deals, again
 * and again; the other half judges by how the races ended. */
#include "bench/learn/learn.h"
#include "bots/playout.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    TRIED = 24,   /* acts, in */
    FIRST = 60,   /* deals, from which the best come, */
    ACTS = 6,     /* so many of them */
    SELDOM = 24,  /* one position in so many is looked at */
    LOOKS = 6,    /* at each playout, the last of them at the */
    FINISH = 999, /* rounds: beyond the end of any race */
    OUTLOOKS = 7,
    NUMBERS = 4,  /* of deals to choose by */
    HALF = 1200,  /* deals to choose by, and as many to judge by; and the other way round */
    CHOICES = 16, /* for each outlook and number of deals */
    REFERENCE = 1 /* the outlook with which others are compared */
};

static const int rounds[LOOKS] = {2, 4, 6, 8, 12, FINISH};
static const int numbers[NUMBERS] = {15, 60, 250, 1000};

/* Which of those looks are taken together. */
static const struct {
    const char *name;
    uint8_t looks; /* bits */
} outlooks[OUTLOOKS] = {
    {"2, 4", 0x03}, {"2, 4, 6", 0x07},     {"4, 6", 0x06},   {"4, 6, 8", 0x0e},
    {"4", 0x02},    {"4, 6, 8, 12", 0x1e}, {"finish", 0x20},
};

typedef struct {
    double sum, off, off_squares; /* what choices were worth, and beyond those of the reference */
} lesson;

typedef struct {
    long positions;
    lesson of[OUTLOOKS][NUMBERS];
} lessons;

/* What acts were worth at each look, added up over the deals before. */
typedef int32_t sums[2 * HALF + 1][ACTS][LOOKS];

/* Fewer than two where there is no choice. */
static int best_few(const hp_view *view, const hp_memory *memory, bot_dice *dice, hp_act best[ACTS])
{
    hp_act acts[TRIED];
    int64_t sum[TRIED] = {0};
    const int n = bot_driver_best(view, TRIED, acts);
    for (int deal = 0; deal < FIRST && n > 1; deal++) {
        int worth[TRIED];
        bot_play_out(view, memory, acts, n, BOT_ROUNDS, dice, worth);
        for (int i = 0; i < n; i++)
            sum[i] += worth[i];
    }
    int found = 0;
    for (; found < n && found < ACTS; found++) {
        int next = 0;
        for (int i = 1; i < n; i++)
            if (sum[i] > sum[next])
                next = i;
        best[found] = acts[next];
        sum[next] = INT64_MIN;
    }
    return found;
}

static void play_all(const hp_view *view, const hp_memory *memory, const hp_act *acts, int n, bot_dice *dice,
                     sums until)
{
    int worth[ACTS][LOOKS];
    for (int deal = 0; deal < 2 * HALF && !learn_stopped(); deal++) {
        bot_play_out_looks(view, memory, acts, n, rounds, LOOKS, dice, worth[0]);
        for (int i = 0; i < n; i++)
            for (int k = 0; k < LOOKS; k++)
                until[deal + 1][i][k] = until[deal][i][k] + worth[i][k];
    }
}

/* The act that these deals speak for. */
static int choose(sums until, int n, uint8_t looks, int from, int deals)
{
    int best = 0;
    int64_t most = INT64_MIN;
    for (int i = 0; i < n; i++) {
        int64_t sum = 0;
        for (int k = 0; k < LOOKS; k++)
            sum += looks >> k & 1 ? until[from + deals][i][k] - until[from][i][k] : 0;
        if (sum > most) {
            most = sum;
            best = i;
        }
    }
    return best;
}

/* What choices from the half that begins there are worth, by the other one; the mean of all acts is nothing. */
static void judge(sums until, int n, int half, bot_dice *dice, double gained[OUTLOOKS][NUMBERS])
{
    const int other = HALF - half;
    double worth[ACTS], mean = 0;
    for (int i = 0; i < n; i++) {
        worth[i] = (double)(until[other + HALF][i][LOOKS - 1] - until[other][i][LOOKS - 1]) / HALF;
        mean += worth[i] / n;
    }
    for (int b = 0; b < NUMBERS; b++)
        for (int k = 0; k < CHOICES; k++) { /* a run of deals, from anywhere: the same for all outlooks */
            const int from = half + (int)bot_roll_below(dice, (uint32_t)(HALF - numbers[b] + 1));
            for (int i = 0; i < OUTLOOKS; i++)
                gained[i][b] +=
                    (worth[choose(until, n, outlooks[i].looks, from, numbers[b])] - mean) / (2 * CHOICES);
        }
}

static void compare(const hp_view *view, const hp_memory *memory, const hp_act *acts, int n, bot_dice *dice,
                    lessons *all)
{
    static sums until;
    double gained[OUTLOOKS][NUMBERS] = {{0}};
    memset(until[0], 0, sizeof until[0]);
    play_all(view, memory, acts, n, dice, until);
    if (learn_stopped())
        return;
    judge(until, n, 0, dice, gained);
    judge(until, n, HALF, dice, gained);
    for (int i = 0; i < OUTLOOKS; i++)
        for (int b = 0; b < NUMBERS; b++) {
            lesson *l = &all->of[i][b];
            const double off = gained[i][b] - gained[REFERENCE][b];
            l->sum += gained[i][b];
            l->off += off;
            l->off_squares += off * off;
        }
    all->positions++;
}

static void drive(uint64_t seed, uint64_t number, lessons *all)
{
    learn_race r;
    learn_start(&r, seed, number, number, 2);
    for (int car; !learn_stopped() && (car = hp_to_act(&r.race)) >= 0;) {
        hp_view view;
        hp_act best[ACTS];
        hp_look(&r.race, car, &view);
        const int n = best_few(&view, &r.memory[car], &r.dice, best);
        if (n > 1 && r.race.finished == 0 && bot_roll_below(&r.dice, SELDOM) == 0) {
            compare(&view, &r.memory[car], best, n, &r.dice, all);
            fprintf(stderr, "\r%ld positions from %ld races", all->positions, (long)number + 1);
        }
        hp_apply(&r.race, car, best[0], &r.listener);
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
    printf(
        "%ld positions: what a choice is worth (and beyond looks after %s rounds, with its standard error)\n"
        "looks after  ",
        all.positions, outlooks[REFERENCE].name);
    for (int b = 0; b < NUMBERS; b++)
        printf("%16d deals", numbers[b]);
    puts("");
    for (int i = 0; i < OUTLOOKS; i++) {
        printf("%-13s", outlooks[i].name);
        for (int b = 0; b < NUMBERS; b++) {
            const lesson *l = &all.of[i][b];
            printf("  %6.2f (%+5.2f ±%4.2f)", l->sum / n, l->off / n, sqrt(l->off_squares) / n);
        }
        puts("");
    }
    return true;
}
