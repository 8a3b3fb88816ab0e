/* Logistic regression: of two cars at the beginning of a round, what tells who will be home first? Each sign has a
 * weight at every knot of the way that is left (bots/standing.h), so that a row has to do with two of them. Newton's
 * method. */
#include "bench/learn/learn.h"
#include "bots/playout.h"
#include "bots/standing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STEPS = 8,
    PAIRS = 15, /* of six cars */
    ROUNDS = 200,
    WEIGHTS = BOT_KNOTS * BOT_COLUMNS,
    UNIT = 1 << 12 /* of the tables, in which the tangent's argument is half of the logarithm of the odds */
};

/* So much is thought to be known before: that weights are small. */
static const double modesty = 20;

typedef struct {
    int16_t more[BOT_COLUMNS];
    uint8_t cars[2];
    bool first; /* whether the first of them was home before the other */
    int16_t left;
} row;

typedef struct {
    row *at;
    long n;
} rows;

static row compare(const hp_race *race, int a, int b)
{
    int of_a[BOT_SIGNS], of_b[BOT_SIGNS], more[BOT_COLUMNS];
    row r = {.cars = {(uint8_t)a, (uint8_t)b}};
    bot_measure(race, a, of_a);
    bot_measure(race, b, of_b);
    r.left = (int16_t)bot_compare(race, of_a, of_b, more);
    for (int i = 0; i < BOT_COLUMNS; i++)
        r.more[i] = (int16_t)more[i];
    return r;
}

static void drive(uint64_t seed, uint64_t number, int cars, rows *all)
{
    learn_race r;
    learn_start(&r, seed, number, number, cars);
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

typedef struct {
    double m[WEIGHTS][WEIGHTS + 1]; /* the equations of a step */
    double weight[WEIGHTS];         /* by knot, then by column */
} regression;

/* Adds what a row says; returns how well the weights so far told it, as the logarithm of the likelihood. */
static double add(regression *g, const row *r)
{
    const bot_between at = bot_knots_at(r->left);
    const int first = at.knot * BOT_COLUMNS;
    double x[2 * BOT_COLUMNS], sum = 0;
    for (int i = 0; i < BOT_COLUMNS; i++) {
        x[i] = r->more[i] * (256 - at.beyond) / 256.0;
        x[BOT_COLUMNS + i] = r->more[i] * at.beyond / 256.0;
    }
    for (int i = 0; i < 2 * BOT_COLUMNS; i++)
        sum += g->weight[first + i] * x[i];
    const double p = 1 / (1 + exp(-sum)), error = (r->first ? 1 : 0) - p, slope = p * (1 - p) + 1e-6;
    for (int i = 0; i < 2 * BOT_COLUMNS; i++) {
        double *line = &g->m[first + i][first];
        for (int k = 0; x[i] != 0 && k < 2 * BOT_COLUMNS; k++)
            line[k] += slope * x[i] * x[k];
        g->m[first + i][WEIGHTS] += error * x[i];
    }
    return log(fmax(r->first ? p : 1 - p, 1e-12));
}

/* One step; returns the mean of that. */
static double step(const rows *all, regression *g)
{
    double likelihood = 0;
    memset(g->m, 0, sizeof g->m);
    for (long n = 0; n < all->n; n++)
        likelihood += add(g, &all->at[n]);
    for (int i = 0; i < WEIGHTS; i++) {
        g->m[i][i] += modesty;
        g->m[i][WEIGHTS] -= modesty * g->weight[i];
    }
    for (int i = 0; i < WEIGHTS; i++)
        for (int k = 0; k < WEIGHTS; k++) {
            const double factor = g->m[k][i] / g->m[i][i];
            for (int c = i; k != i && c <= WEIGHTS; c++)
                g->m[k][c] -= factor * g->m[i][c];
        }
    for (int i = 0; i < WEIGHTS; i++)
        g->weight[i] += g->m[i][WEIGHTS] / g->m[i][i];
    return likelihood / (double)all->n;
}

/* As bots/standing.c has them. */
static void print_table(const char *name, const regression *g)
{
    printf("static const int16_t %s[BOT_KNOTS][BOT_COLUMNS] = {\n", name);
    for (int knot = 0; knot < BOT_KNOTS; knot++) {
        printf("    {");
        for (int i = 0; i < BOT_COLUMNS; i++)
            printf("%s%ld", i > 0 ? ", " : "", lround(g->weight[knot * BOT_COLUMNS + i] / 2 * UNIT));
        printf("},\n");
    }
    printf("};\n");
}

/* From so many races of so many cars. */
static bool learn_table(long races, uint64_t seed, int cars, const char *name)
{
    static regression g;
    rows all = {NULL, 0};
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
        drive(seed, (uint64_t)i, cars, &all);
        if (i % 100 == 99)
            fprintf(stderr, "\r%ld races", i + 1);
    }
    fprintf(stderr, "\r%ld pairs of cars\n", all.n);
    memset(g.weight, 0, sizeof g.weight);
    for (int i = 0; i < STEPS && all.n > 0; i++)
        fprintf(stderr, "log likelihood %.5f\n", step(&all, &g));
    if (all.n > 0)
        print_table(name, &g);
    free(all.at);
    return all.n > 0;
}

bool learn_standing(long races, uint64_t seed)
{
    return learn_table(races, seed, 2, "in_duels") && learn_table(races / 3, seed, HP_CARS_MAX, "in_fields");
}
