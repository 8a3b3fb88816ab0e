/* Hill climbing: change a few of the figures, keep what chooses acts of more worth. The positions of every
 * fifth race are never looked at while climbing: they tell whether what was found holds elsewhere. */
#include "bench/learn/learn.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIGURES = sizeof(bot_judgement) / sizeof(int), FOLDS = 5 };

typedef struct {
    learn_position *at;
    long n;
} positions;

/* Room for one more: for the next power of two, less one. */
static bool make_room(positions *all)
{
    if ((all->n & (all->n + 1)) != 0)
        return true;
    learn_position *more = realloc(all->at, (size_t)(2 * all->n + 1) * sizeof *more);
    if (more != NULL)
        all->at = more;
    return more != NULL;
}

/* All positions of a file of this version, or what is wrong with it. */
static const char *read_file(FILE *in, positions *all)
{
    learn_head head;
    learn_position p;
    size_t got;
    if (fread(&head, sizeof head, 1, in) != 1 || memcmp(head.magic, LEARN_MAGIC, sizeof head.magic) != 0 ||
        head.size != sizeof p)
        return "holds no positions of this version";
    while ((got = fread(&p, 1, sizeof p, in)) == sizeof p) {
        if (p.sum != learn_sum(&p))
            return "is damaged";
        if (!make_room(all))
            return strerror(errno);
        all->at[all->n++] = p;
    }
    return got != 0 || ferror(in) ? "is cut off" : NULL;
}

static bool read_all(const char *file, positions *all)
{
    FILE *in = fopen(file, "rb");
    const char *wrong = in != NULL ? read_file(in, all) : strerror(errno);
    if (in != NULL)
        fclose(in);
    if (wrong != NULL)
        fprintf(stderr, "learn: %s: %s\n", file, wrong);
    return wrong == NULL;
}

/* What the act is worth that this judgement takes. */
static int worth_of_choice(const bot_judgement *judge, const learn_position *p)
{
    hp_act acts[HP_ACTS_MAX];
    int worth[HP_ACTS_MAX], best = 0, worst = p->worth[0];
    const bot_mind mind = {judge, bot_feelings_of_drivers, NULL};
    const int n = bot_judge_by(&mind, &p->view, acts, worth);
    for (int i = 1; i < n; i++)
        best = worth[i] > worth[best] ? i : best;
    for (int i = 0; i < p->acts; i++) {
        if (memcmp(&p->act[i], &acts[best], sizeof acts[best]) == 0)
            return p->worth[i];
        worst = p->worth[i] < worst ? p->worth[i] : worst;
    }
    return worst;
}

/* The mean over the positions that are for learning, or over the others. */
static double mean_worth(const bot_judgement *judge, const positions *all, bool learning)
{
    int64_t sum = 0;
    long n = 0;
    for (long i = 0; i < all->n; i++)
        if ((all->at[i].race % FOLDS != 0) == learning) {
            sum += worth_of_choice(judge, &all->at[i]);
            n++;
        }
    return n > 0 ? (double)sum / (double)n : 0;
}

static bot_judgement changed_once(const bot_judgement *from, bot_dice *dice)
{
    int figure[FIGURES];
    bot_judgement to;
    memcpy(figure, from, sizeof figure);
    for (uint32_t k = 1 + bot_roll_below(dice, 3); k > 0; k--) {
        int *one = &figure[bot_roll_below(dice, FIGURES)];
        const int reach = abs(*one) / (bot_roll_below(dice, 2) ? 5 : 15) + 4;
        *one += (int)bot_roll_below(dice, (uint32_t)(2 * reach + 1)) - reach;
    }
    memcpy(&to, figure, sizeof to);
    to.heat[0] = to.gear[0] = 0; /* what the others are measured by; what does not exist */
    to.late = to.late < 1 ? 1 : to.late;
    to.pass = from->pass; /* these came from races, which tell more of them */
    to.boost = from->boost;
    to.sprint = from->sprint;
    to.close_last = from->close_last;
    return to;
}

static bot_judgement changed(const bot_judgement *from, bot_dice *dice)
{
    bot_judgement to;
    do
        to = changed_once(from, dice);
    while (memcmp(&to, from, sizeof to) == 0); /* that would be a trial for nothing */
    return to;
}

static void print_row(const char *name, const int *figure, int n)
{
    printf("    .%s = {", name);
    for (int i = 0; i < n; i++)
        printf("%s%d", i > 0 ? ", " : "", figure[i]);
    printf("},\n");
}

static void print_judgement(const bot_judgement *j)
{
    print_row("heat", j->heat, 8);
    print_row("gear", j->gear, HP_GEARS + 1);
    print_row("room", j->room, BOT_ROOM + 1);
    print_row("plan.each", j->plan.each, HP_FIVE + 1);
    print_row("plan.straight", j->plan.straight, HP_FIVE + 1);
    print_row("discard.each", j->discard.each, HP_FIVE + 1);
    print_row("discard.straight", j->discard.straight, HP_FIVE + 1);
    printf("    .next = %d, .stress = %d, .boost = %d, .close = %d, .close_last = %d, .pass = %d, .sprint = "
           "%d,\n",
           j->next, j->stress, j->boost, j->close, j->close_last, j->pass, j->sprint);
    printf("    .slack = %d, .spin = %d, .clutter = %d, .home = %d, .late = %d,\n", j->slack, j->spin,
           j->clutter, j->home, j->late);
}

static void climb(bot_judgement *judge, const positions *all, bot_dice *dice)
{
    double best = mean_worth(judge, all, true);
    long tried = 0, kept = 0;
    while (!learn_stopped()) {
        const bot_judgement other = changed(judge, dice);
        const double worth = mean_worth(&other, all, true);
        tried++;
        if (worth > best) {
            best = worth;
            *judge = other;
            kept++;
        }
        if (tried % 500 == 0)
            fprintf(stderr, "\r%ld tried, %ld kept: %.2f", tried, kept, best);
    }
    fputc('\n', stderr);
}

bool learn_judgement(char *const files[], int n, uint64_t seed)
{
    positions all = {NULL, 0};
    bot_judgement judge = bot_judgement_of_drivers;
    bot_dice dice = {seed};
    bool fine = true;
    for (int i = 0; i < n && fine; i++)
        fine = read_all(files[i], &all);
    if (fine) {
        printf("%ld positions. A choice is worth %.2f, and %.2f on those that are kept for the end.\n", all.n,
               mean_worth(&judge, &all, true), mean_worth(&judge, &all, false));
        climb(&judge, &all, &dice);
        printf("Now it is %.2f and %.2f with\n", mean_worth(&judge, &all, true),
               mean_worth(&judge, &all, false));
        print_judgement(&judge);
    }
    free(all.at);
    return fine;
}
