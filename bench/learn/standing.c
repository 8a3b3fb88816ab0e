/* Logistic regression: of two cars at the beginning of a round, what tells who will be home first? Every
 * figure counts for as much less as the square root of the way that is left grows. Newton's method. */
#include "bench/learn/learn.h"
#include "bots/playout.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FAR = 60, /* as in bots/playout.c */
    STEPS = 10,
    PAIRS = 15, /* of six cars */
    ROUNDS = 200
};

/* The columns. Of the hand, which is always full, all is measured by its twos. */
enum {
    PROGRESS,
    LINE,
    GEAR, /* 2 to 4, measured by 1 */
    HEAT = GEAR + HP_GEARS - 1,
    HEAT_CLOSE = HEAT + 7,
    NEXT,
    NEXT_CLOSE,
    HAND,
    DRAW = HAND + HP_KINDS,
    STRESS = DRAW + HP_KINDS,
    SLIPSTREAM,
    COLUMNS
};

typedef struct {
    float x[COLUMNS];
    uint8_t cars[2];
    bool first; /* whether the first of them was home before the other */
} row;

typedef struct {
    row *at;
    long n;
} rows;

static void measure(const hp_race *race, int number, double x[COLUMNS])
{
    const hp_car *car = &race->car[number];
    const int at = hp_progress(race, number), left = race->laps * race->track.spaces - at;
    const double far = left > FAR ? 1 : left > 0 ? (double)left / FAR : 0;
    memset(x, 0, COLUMNS * sizeof x[0]);
    x[PROGRESS] = 10 * at;
    x[LINE] = car->spot == 0;
    if (car->gear > 1)
        x[GEAR + car->gear - 2] = 1;
    for (int i = 0; i < 7; i++)
        x[HEAT + i] = car->engine > i ? far : 0;
    x[HEAT_CLOSE] = car->engine * (1 - far);
    x[NEXT] = bot_driver_outlook(race, number) * far;
    x[NEXT_CLOSE] = bot_driver_outlook(race, number) * (1 - far);
    for (int i = 0; i < HP_KINDS; i++) {
        x[HAND + i] = i == HP_TWO ? 0 : hp_count(car->hand, (hp_card)i);
        x[DRAW + i] = hp_count(car->draw, (hp_card)i);
    }
    x[STRESS] = hp_count(car->discard, HP_STRESS);
}

static row compare(const hp_race *race, int a, int b)
{
    double of_a[COLUMNS], of_b[COLUMNS];
    row r = {.cars = {(uint8_t)a, (uint8_t)b}};
    measure(race, a, of_a);
    measure(race, b, of_b);
    const int gap = hp_progress(race, b) - hp_progress(race, a);
    const int left = race->laps * race->track.spaces - hp_progress(race, gap > 0 ? b : a);
    of_a[SLIPSTREAM] = (gap == 1) - (gap == -1);
    for (int i = 0; i < COLUMNS; i++)
        r.x[i] = (float)((of_a[i] - of_b[i]) / sqrt(left > 1 ? left : 1));
    return r;
}

static void drive(uint64_t seed, uint64_t number, rows *all)
{
    const int cars = number % 3 == 0 ? HP_CARS_MAX : 2;
    learn_race r;
    learn_start(&r, seed, number, number / 3, cars);
    const long first = all->n;
    int round = 1;
    for (int car; (car = hp_to_act(&r.race)) >= 0;) {
        if (r.race.round != round && r.race.round <= ROUNDS) {
            round = r.race.round;
            for (int a = 1; a < cars; a++)
                for (int b = 0; b < a; b++)
                    if (r.race.car[a].place == 0 && r.race.car[b].place == 0 &&
                        (cars == 2 || bot_roll_below(&r.dice, 5) == 0))
                        all->at[all->n++] = compare(&r.race, a, b);
        }
        hp_view view;
        hp_look(&r.race, car, &view);
        hp_apply(&r.race, car, bot_driver_act(&view, &r.dice, BOT_MOODS), &r.listener);
    }
    for (long i = first; i < all->n; i++) {
        row *pair = &all->at[i];
        pair->first = r.race.car[pair->cars[0]].place < r.race.car[pair->cars[1]].place;
    }
}

/* One step; returns how well the weights so far told it, as the mean logarithm of the likelihood. */
static double step(const rows *all, double weight[COLUMNS])
{
    double m[COLUMNS][COLUMNS + 1] = {{0}}, likelihood = 0;
    for (long n = 0; n < all->n; n++) {
        const row *r = &all->at[n];
        double sum = 0;
        for (int i = 0; i < COLUMNS; i++)
            sum += weight[i] * (double)r->x[i];
        const double p = 1 / (1 + exp(-sum)), error = (r->first ? 1 : 0) - p;
        likelihood += log(fmax(r->first ? p : 1 - p, 1e-12));
        for (int i = 0; i < COLUMNS; i++) {
            m[i][COLUMNS] += error * (double)r->x[i];
            for (int k = 0; k < COLUMNS; k++)
                m[i][k] += (p * (1 - p) + 1e-6) * (double)r->x[i] * (double)r->x[k];
        }
    }
    for (int i = 0; i < COLUMNS; i++)
        m[i][i] += 1e-3; /* columns that are all zero, and such that others add up to */
    for (int i = 0; i < COLUMNS; i++)
        for (int k = 0; k < COLUMNS; k++) {
            const double factor = m[k][i] / m[i][i];
            for (int c = i; k != i && c <= COLUMNS; c++)
                m[k][c] -= factor * m[i][c];
        }
    for (int i = 0; i < COLUMNS; i++)
        weight[i] += m[i][COLUMNS] / m[i][i];
    return likelihood / (double)all->n;
}

static void print_kinds(const char *name, const double *weight, double space)
{
    printf("%s = {", name);
    for (int i = 0; i < HP_KINDS; i++)
        printf("%s%.1f", i > 0 ? ", " : "", weight[i] / space);
    printf("}\n");
}

/* In tenths of a space, as bots/playout.c has them. */
static void print_weights(const double w[COLUMNS])
{
    const double space = w[PROGRESS];
    printf("chance: lead * %.1f / root(100 * left)\n", 1280 * space); /* 256 * 10 / 2: of the tangent */
    printf("heat = {0");
    double heat = 0;
    for (int i = 0; i < 7; i++)
        printf(", %.1f", (heat += w[HEAT + i]) / space);
    printf("}, close %.1f\ngear = {0, 0", w[HEAT_CLOSE] / space);
    for (int i = 0; i < HP_GEARS - 1; i++)
        printf(", %.1f", w[GEAR + i] / space);
    printf("}\n");
    print_kinds("hand", &w[HAND], space);
    print_kinds("draw", &w[DRAW], space);
    printf("stress in the discard %.1f, race line %.1f, slipstream %.1f\n", w[STRESS] / space,
           w[LINE] / space, w[SLIPSTREAM] / space);
    printf("next turn %.2f, close %.2f\n", w[NEXT] / space, w[NEXT_CLOSE] / space);
}

bool learn_standing(long races, uint64_t seed)
{
    rows all = {NULL, 0};
    double weight[COLUMNS] = {0};
    long room = 0;
    for (long i = 0; i < races && !learn_stopped(); i++) {
        if (room - all.n < (long)PAIRS * ROUNDS) {
            room = 2 * room + (long)PAIRS * ROUNDS;
            row *more = realloc(all.at, (size_t)room * sizeof *more);
            if (more == NULL) {
                free(all.at);
                fputs("learn: too many races for the memory\n", stderr);
                return false;
            }
            all.at = more;
        }
        drive(seed, (uint64_t)i, &all);
        if (i % 100 == 99)
            fprintf(stderr, "\r%ld races", i + 1);
    }
    fprintf(stderr, "\r%ld pairs of cars\n", all.n);
    for (int i = 0; i < STEPS && all.n > 0; i++)
        printf("log likelihood %.5f\n", step(&all, weight));
    if (all.n > 0)
        print_weights(weight);
    free(all.at);
    return all.n > 0;
}
