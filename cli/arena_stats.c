#include "cli/arena_stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double z95 = 1.959963984540054;
static const double mean_elo = 1500;
static const double elo_of_strength = 173.71779276130073; /* 400 / ln 10 */

enum { N = ARENA_BOTS_MAX };

/* ---- Shares and means -------------------------------------------------------------------------- */

arena_estimate arena_wilson(uint64_t hits, uint64_t n)
{
    if (n == 0)
        return (arena_estimate){0, 0, 1};
    const double size = (double)n, share = (double)hits / size, zz = z95 * z95;
    const double middle = (share + zz / (2 * size)) / (1 + zz / size);
    const double half = z95 / (1 + zz / size) * sqrt(share * (1 - share) / size + zz / (4 * size * size));
    return (arena_estimate){share, fmax(0, middle - half), fmin(1, middle + half)};
}

arena_estimate arena_mean(const double *sums, const double *sizes, size_t groups)
{
    double sum = 0, size = 0, squares = 0;
    size_t filled = 0;
    for (size_t i = 0; i < groups; i++) {
        sum += sums[i];
        size += sizes[i];
        filled += sizes[i] > 0;
    }
    if (size == 0)
        return (arena_estimate){0, 0, 0};
    const double mean = sum / size;
    for (size_t i = 0; i < groups; i++)
        squares += (sums[i] - mean * sizes[i]) * (sums[i] - mean * sizes[i]);
    const double k = (double)filled;
    const double half = filled > 1 ? z95 * sqrt(squares * k / (k - 1)) / size : 0;
    return (arena_estimate){mean, mean - half, mean + half};
}

/* ---- Elo --------------------------------------------------------------------------------------- */

static double chance_ahead(double a, double b)
{
    return 1 / (1 + exp(b - a));
}

/* Gauss and Jordan, for a symmetric positive matrix of n rows. */
static void invert(int n, double m[N][N], double inverse[N][N])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            inverse[i][j] = i == j;
    for (int i = 0; i < n; i++) {
        const double pivot = m[i][i];
        for (int j = 0; j < n; j++) {
            m[i][j] /= pivot;
            inverse[i][j] /= pivot;
        }
        for (int row = 0; row < n; row++) {
            const double factor = m[row][i];
            if (row == i)
                continue;
            for (int j = 0; j < n; j++) {
                m[row][j] -= factor * m[i][j];
                inverse[row][j] -= factor * inverse[i][j];
            }
        }
    }
}

/* The inverse of the information about differences. Only those can be known: a constant in every entry
 * stands in for what fixes the mean, and drops out. */
static void uncertainty(int bots, const uint64_t ahead[N][N], const double strength[N], double inverse[N][N])
{
    double information[N][N];
    for (int i = 0; i < bots; i++)
        for (int j = 0; j < bots; j++)
            information[i][j] = 1.0 / bots;
    for (int i = 0; i < bots; i++)
        for (int j = 0; j < bots; j++) {
            const double p = chance_ahead(strength[i], strength[j]);
            const double weight =
                i != j ? (double)(ahead[i][j] + ahead[j][i] + 1) * fmax(p * (1 - p), 1e-12) : 0;
            information[i][j] -= weight;
            information[i][i] += weight;
        }
    invert(bots, information, inverse);
}

/* Newton's method; the steps are bounded because it starts far away from an unbeaten bot's strength. */
static void fit(int bots, const uint64_t ahead[N][N], double strength[N])
{
    for (int i = 0; i < bots; i++)
        strength[i] = 0;
    for (int round = 0; round < 200; round++) {
        double inverse[N][N], slope[N] = {0}, largest = 0;
        for (int i = 0; i < bots; i++)
            for (int j = 0; j < bots; j++)
                if (i != j)
                    slope[i] += ((double)ahead[i][j] + 0.5) - (double)(ahead[i][j] + ahead[j][i] + 1) *
                                                                  chance_ahead(strength[i], strength[j]);
        uncertainty(bots, ahead, strength, inverse);
        double step[N] = {0};
        for (int i = 0; i < bots; i++) {
            for (int j = 0; j < bots; j++)
                step[i] += inverse[i][j] * slope[j];
            largest = fmax(largest, fabs(step[i]));
        }
        for (int i = 0; i < bots; i++)
            strength[i] += step[i] * (largest > 1 ? 1 / largest : 1);
        if (largest < 1e-10)
            break;
    }
}

/* The diagonal of inverse * spread * inverse: what the deals really varied by. */
static double varied(int bots, double inverse[N][N], const double spread[N][N], int bot)
{
    double sum = 0;
    for (int i = 0; i < bots; i++)
        for (int j = 0; j < bots; j++)
            sum += inverse[bot][i] * spread[i][j] * inverse[j][bot];
    return sum;
}

static void elo_of(int bots, const uint64_t ahead[N][N], const double strength[N], const double spread[N][N],
                   arena_estimate elo[N])
{
    double inverse[N][N];
    uncertainty(bots, ahead, strength, inverse);
    for (int i = 0; i < bots; i++) {
        const double constant = 1.0 / bots; /* in every entry, see uncertainty */
        double variance = inverse[i][i] - constant;
        if (spread != NULL)
            variance = fmax(variance, varied(bots, inverse, spread, i));
        const double value = mean_elo + elo_of_strength * strength[i];
        const double half = z95 * elo_of_strength * sqrt(fmax(variance, 0));
        elo[i] = (arena_estimate){value, value - half, value + half};
    }
}

void arena_elo(int bots, const uint64_t ahead[N][N], arena_estimate elo[N])
{
    double strength[N];
    fit(bots, ahead, strength);
    elo_of(bots, ahead, strength, NULL, elo);
}

/* ---- Counting ---------------------------------------------------------------------------------- */

static bool same_deal(const arena_race *a, const arena_race *b)
{
    return a->deal == b->deal && a->seed == b->seed && strcmp(a->circuit, b->circuit) == 0;
}

static void count_race(const arena_race *race, arena_table *table)
{
    bool raced[N] = {false};
    for (int i = 0; i < race->cars; i++) {
        arena_bot *bot = &table->bot[race->bot[i]];
        bot->races += !raced[race->bot[i]];
        raced[race->bot[i]] = true;
        bot->wins += race->place[i] == 1;
        bot->cars++;
        bot->laps += race->laps;
        bot->spins += race->spins[i];
        bot->heat += race->heat[i];
        for (int j = 0; j < race->cars; j++)
            if (race->bot[i] != race->bot[j] && race->place[i] < race->place[j]) {
                table->ahead[race->bot[i]][race->bot[j]]++;
                table->met++;
            }
    }
    if (table->races == 0 || race->rounds < table->fewest_rounds)
        table->fewest_rounds = race->rounds;
    if (race->rounds > table->most_rounds)
        table->most_rounds = race->rounds;
    table->rounds += race->rounds;
    table->races++;
}

/* How much more often than its strength says each bot was ahead in one deal. */
static void score(const arena_race *races, size_t n, const double strength[N], double scores[N])
{
    for (size_t r = 0; r < n; r++)
        for (int i = 0; i < races[r].cars; i++)
            for (int j = 0; j < races[r].cars; j++) {
                const int a = races[r].bot[i], b = races[r].bot[j];
                if (a != b)
                    scores[a] += (races[r].place[i] < races[r].place[j] ? 1 : 0) -
                                 chance_ahead(strength[a], strength[b]);
            }
}

/* Where the deal that begins at first ends. */
static size_t end_of_deal(const arena_race *races, size_t n, size_t first)
{
    size_t end = first + 1;
    while (end < n && same_deal(&races[first], &races[end]))
        end++;
    return end;
}

static void rate(const arena_race *races, size_t n, arena_table *table)
{
    double strength[N], spread[N][N] = {{0}};
    arena_estimate elo[N];
    const double deals = (double)table->deals, few = deals > 1 ? deals / (deals - 1) : 1;
    fit(table->bots, table->ahead, strength);
    for (size_t first = 0, end; first < n; first = end) {
        double scores[N] = {0};
        end = end_of_deal(races, n, first);
        score(races + first, end - first, strength, scores);
        for (int i = 0; i < table->bots; i++)
            for (int j = 0; j < table->bots; j++)
                spread[i][j] += scores[i] * scores[j] * few;
    }
    elo_of(table->bots, table->ahead, strength, spread, elo);
    for (int i = 0; i < table->bots; i++)
        table->bot[i].elo = elo[i];
}

/* The mean place of one bot, its cars of one deal taken together. The interval has no places that there are not. */
static arena_estimate place_of(const arena_race *races, size_t n, int bot, double *sums, double *sizes)
{
    size_t deals = 0;
    for (size_t first = 0, end; first < n; first = end, deals++) {
        end = end_of_deal(races, n, first);
        sums[deals] = sizes[deals] = 0;
        for (size_t r = first; r < end; r++)
            for (int i = 0; i < races[r].cars; i++)
                if (races[r].bot[i] == bot) {
                    sums[deals] += races[r].place[i];
                    sizes[deals]++;
                }
    }
    arena_estimate mean = arena_mean(sums, sizes, deals);
    if (mean.value > 0) { /* it raced */
        mean.low = fmax(1, mean.low);
        mean.high = fmin(races[0].cars, mean.high);
    }
    return mean;
}

bool arena_count(const arena_race *races, size_t n, int bots, arena_table *table)
{
    memset(table, 0, sizeof *table);
    table->bots = bots;
    for (size_t i = 0; i < n; i++)
        count_race(&races[i], table);
    for (size_t first = 0; first < n; first = end_of_deal(races, n, first))
        table->deals++;
    double *sums = malloc((2 * table->deals + 1) * sizeof *sums);
    if (sums == NULL)
        return false;
    for (int i = 0; i < bots; i++) {
        table->bot[i].win = arena_wilson(table->bot[i].wins, table->bot[i].races);
        table->bot[i].place = place_of(races, n, i, sums, sums + table->deals);
    }
    free(sums);
    rate(races, n, table);
    return true;
}
