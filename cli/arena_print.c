#include "cli/arena_print.h"

#include "cli/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static double per(uint64_t a, uint64_t b)
{
    return b > 0 ? (double)a / (double)b : 0;
}

/* ---- For people -------------------------------------------------------------------------------- */

static int widest_bot(const arena_head *head)
{
    int widest = words_width(_("bot"));
    for (int i = 0; i < head->bots; i++)
        if (words_width(head->bot[i]) > widest)
            widest = words_width(head->bot[i]);
    return widest + 4; /* its number and a space */
}

static void print_bot(const arena_head *head, int i, int width)
{
    char text[ARENA_BOT_TEXT + 16];
    snprintf(text, sizeof text, "%2d %s", i + 1, head->bot[i]);
    printf("  ");
    words_pad(text, width);
}

static int column(const char *heading, int least)
{
    const int width = words_width(heading) > least ? words_width(heading) : least;
    return -(width + 2); /* filled on the left */
}

static void print_bots(const arena_head *head, const arena_table *table, int width)
{
    static const char *const heading[] = {N_("races"), N_("races won"), N_("mean place"),
                                          N_("spin-outs a lap"), N_("Heat a lap")};
    static const int least[] = {7, 19, 17, 0, 0};
    int wide[5];
    char cell[64];
    printf("\n  ");
    words_pad(_("bot"), width);
    for (int i = 0; i < 5; i++)
        words_pad(_(heading[i]), wide[i] = column(_(heading[i]), least[i]));
    printf("\n");
    for (int i = 0; i < head->bots; i++) {
        const arena_bot *b = &table->bot[i];
        print_bot(head, i, width);
        snprintf(cell, sizeof cell, "%" PRIu64, b->races);
        words_pad(cell, wide[0]);
        snprintf(cell, sizeof cell, "%.1f %% (%.1f–%.1f)", 100 * b->win.value, 100 * b->win.low,
                 100 * b->win.high);
        words_pad(b->races > 0 ? cell : "-", wide[1]);
        const int n = snprintf(cell, sizeof cell, "%.2f", b->place.value);
        if (table->deals > 1) /* a single one does not tell how much they differ */
            snprintf(cell + n, sizeof cell - (size_t)n, " (%.2f–%.2f)", b->place.low, b->place.high);
        words_pad(b->races > 0 ? cell : "-", wide[2]);
        snprintf(cell, sizeof cell, "%.3f", per(b->spins, b->laps));
        words_pad(cell, wide[3]);
        snprintf(cell, sizeof cell, "%.2f", per(b->heat, b->laps));
        words_pad(cell, wide[4]);
        printf("\n");
    }
}

static void print_elo(const arena_head *head, const arena_table *table, int width)
{
    int order[ARENA_BOTS_MAX];
    for (int i = 0; i < head->bots; i++) { /* the best first */
        int at = i;
        for (; at > 0 && table->bot[order[at - 1]].elo.value < table->bot[i].elo.value; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    printf("\n%s\n", _("Elo (the mean is 1500)"));
    for (int i = 0; i < head->bots; i++) {
        const arena_estimate *elo = &table->bot[order[i]].elo;
        print_bot(head, order[i], width);
        printf("%6.0f ± %.0f\n", elo->value, elo->high - elo->value);
    }
}

static void print_ahead(const arena_head *head, const arena_table *table, int width)
{
    printf("\n%s\n  %*s", _("How often the row finished ahead of the column"), width, "");
    for (int j = 0; j < head->bots; j++)
        printf("%7d  ", j + 1);
    printf("\n");
    for (int i = 0; i < head->bots; i++) {
        print_bot(head, i, width);
        for (int j = 0; j < head->bots; j++) {
            const uint64_t met = table->ahead[i][j] + table->ahead[j][i];
            if (met > 0)
                printf("%7.1f %%", 100 * per(table->ahead[i][j], met));
            else
                printf("%7s  ", "-");
        }
        printf("\n");
    }
}

static void print_times(const arena_head *head, const durations *took, int width)
{
    static const char *const heading[] = {N_("decisions"), N_("mean"), "99 %", N_("longest")};
    int wide[4];
    char cell[64];
    printf("\n%s\n  %*s", _("Milliseconds for a decision, in the races just played"), width, "");
    for (int i = 0; i < 4; i++)
        words_pad(_(heading[i]), wide[i] = column(_(heading[i]), 9));
    printf("\n");
    for (int i = 0; i < head->bots; i++) {
        const durations *d = &took[i];
        const double ms[] = {per(d->sum, d->n) / 1e3, (double)durations_within(d, 0.99) / 1e3,
                             (double)d->longest / 1e3};
        print_bot(head, i, width);
        snprintf(cell, sizeof cell, "%" PRIu64, d->n);
        words_pad(cell, wide[0]);
        for (int k = 0; k < 3; k++) {
            snprintf(cell, sizeof cell, "%.3f", ms[k]);
            words_pad(cell, wide[k + 1]);
        }
        printf("\n");
    }
}

void arena_print(const arena_head *head, const arena_table *table, const arena_news *news)
{
    const int width = widest_bot(head);
    printf(n_("%llu race\n", "%llu races\n", (unsigned long)table->races), (unsigned long long)table->races);
    printf("%s: %" PRIu64 "\n", _("rotations"), table->deals);
    printf("%s: ", _("rounds"));
    printf(_("%.1f a race, from %llu to %llu\n"), per(table->rounds, table->races),
           (unsigned long long)table->fewest_rounds, (unsigned long long)table->most_rounds);
    print_bots(head, table, width);
    if (table->met > 0) {
        print_elo(head, table, width);
        print_ahead(head, table, width);
    }
    if (news != NULL && news->timed)
        print_times(head, news->took, width);
    printf(_("\nIn brackets and behind ±: 95 %% intervals.\n"));
}

/* ---- For machines ------------------------------------------------------------------------------ */

static void json_estimate(const char *key, const arena_estimate *estimate)
{
    printf(",\"%s\":{\"value\":%.6f,\"low\":%.6f,\"high\":%.6f}", key, estimate->value, estimate->low,
           estimate->high);
}

void arena_print_json(const arena_head *head, const arena_table *table, const arena_news *news)
{
    printf("{\"races\":%" PRIu64 ",\"deals\":%" PRIu64 ",\"cars\":%d,\"rounds\":%" PRIu64
           ",\"fewest_rounds\":%" PRIu64 ",\"most_rounds\":%" PRIu64 ",\"bots\":[",
           table->races, table->deals, head->cars, table->rounds, table->fewest_rounds, table->most_rounds);
    for (int i = 0; i < head->bots; i++) {
        const arena_bot *b = &table->bot[i];
        printf("%s{\"bot\":\"%s\",\"races\":%" PRIu64 ",\"wins\":%" PRIu64 ",\"cars\":%" PRIu64
               ",\"laps\":%" PRIu64 ",\"spins\":%" PRIu64 ",\"heat\":%" PRIu64,
               i > 0 ? "," : "", head->bot[i], b->races, b->wins, b->cars, b->laps, b->spins, b->heat);
        json_estimate("win_share", &b->win);
        json_estimate("mean_place", &b->place);
        if (table->met > 0)
            json_estimate("elo", &b->elo);
        if (news != NULL && news->timed) {
            const durations *d = &news->took[i];
            printf(",\"decisions\":{\"n\":%" PRIu64 ",\"mean_ms\":%.3f,\"p99_ms\":%.3f,\"longest_ms\":%.3f}",
                   d->n, per(d->sum, d->n) / 1e3, (double)durations_within(d, 0.99) / 1e3,
                   (double)d->longest / 1e3);
        }
        if (news != NULL)
            printf(",\"helped\":%" PRIu64, news->helped[i]);
        printf("}");
    }
    printf("],\"ahead\":[");
    for (int i = 0; i < head->bots; i++)
        for (int j = 0; j < head->bots; j++)
            printf("%s%" PRIu64 "%s",
                   j > 0   ? ","
                   : i > 0 ? ",["
                           : "[",
                   table->ahead[i][j], j == head->bots - 1 ? "]" : "");
    printf("]}\n");
}
