/* Policy gradients: drivers of changing moods race each other. Whatever spoke for an act that was taken gains by how much
 * better the car stands some rounds later (bots/standing.h) than before; what spoke for the others loses as much. */
#include "bench/learn/learn.h"
#include "bots/standing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DECISIONS = 600, /* of one race; later ones teach nothing */
    ROUNDS = 100,    /* the same */
    NOTES = 2500,    /* of one decision */
    HORIZON = 3,     /* rounds after which a decision is judged */
    OFTEN = 100      /* after so many races the feelings are taken up into the mean */
};

/* An act is so much less likely to be taken, if it is this much worse: tenths of a space. */
static const double temper = 6;
/* How much one surprise changes what is felt. In the second half of all races, less and less. */
static const double eagerness = 0.02;

typedef struct {
    int car, round;
    int n;
    struct {
        int feeling;
        double share; /* how much more likely the act becomes by it */
    } note[NOTES];
} lesson;

typedef struct {
    int8_t feelings[BOT_FEELINGS]; /* by which they drive */
    double exact[BOT_FEELINGS];    /* the same */
    double mean[BOT_FEELINGS];     /* over the second half of all races: what is learned */
    long in_mean;
    lesson lesson[DECISIONS];
    double chance[ROUNDS + HORIZON + 1]; /* of the first car before each round; 1 or -1 after the last */
    bot_notes notes;
} school;

static double by_chance(bot_dice *dice)
{
    return (double)(bot_roll(dice) >> 11) / 9007199254740992.0;
}

/* How likely each act is to be taken; returns the one that is. */
static int take(const int *worth, int n, bot_dice *dice, double likely[HP_ACTS_MAX])
{
    int best = 0;
    double sum = 0;
    for (int i = 1; i < n; i++)
        best = worth[i] > worth[best] ? i : best;
    for (int i = 0; i < n; i++)
        sum += likely[i] = exp((worth[i] - worth[best]) / temper);
    double chance = by_chance(dice);
    int taken = best;
    for (int i = 0; i < n; i++) {
        likely[i] /= sum;
        if (chance >= 0 && chance < likely[i])
            taken = i;
        chance -= likely[i];
    }
    return taken;
}

static void note_act(const bot_notes *notes, int act, double share, lesson *l)
{
    for (int k = notes->begin[act]; k < notes->begin[act + 1] && l->n < NOTES; k++) {
        l->note[l->n].feeling = notes->note[k].feeling;
        l->note[l->n++].share = share * notes->note[k].quarters / 4;
    }
}

/* The act that was taken comes first: of the others, what is too much is lost. */
static void note(const bot_notes *notes, int n, int taken, const double *likely, lesson *l)
{
    note_act(notes, taken, 1 - likely[taken], l);
    for (int i = 0; i < n; i++)
        if (i != taken && likely[i] >= 0.004)
            note_act(notes, i, -likely[i], l);
}

/* From the first car's point of view, at the beginning of a round. */
static double expect(const hp_race *race)
{
    int mine[BOT_SIGNS], its[BOT_SIGNS];
    bot_measure(race, 0, mine);
    bot_measure(race, 1, its);
    return bot_chance(race, mine, its) / 1000.0;
}

/* Drives a race to its end and notes what happened; returns how many lessons there are. */
static int drive(school *s, learn_race *r)
{
    const bot_mind mind = {&bot_judgement_of_drivers, s->feelings, &s->notes};
    int n = 0, round = 0;
    for (int car; (car = hp_to_act(&r->race)) >= 0 && r->race.finished == 0;) {
        hp_view view;
        hp_act acts[HP_ACTS_MAX];
        int worth[HP_ACTS_MAX];
        double likely[HP_ACTS_MAX];
        if (r->race.round != round && r->race.round <= ROUNDS + HORIZON)
            s->chance[r->race.round] = expect(&r->race);
        round = r->race.round;
        hp_look(&r->race, car, &view);
        const int all = bot_judge_by(&mind, &view, acts, worth), taken = take(worth, all, &r->dice, likely);
        if (n < DECISIONS && round < ROUNDS) {
            lesson *l = &s->lesson[n++];
            l->car = car;
            l->round = round;
            l->n = 0;
            note(&s->notes, all, taken, likely, l);
        }
        hp_apply(&r->race, car, acts[taken], NULL);
    }
    for (int i = round + 1; i <= ROUNDS + HORIZON; i++)
        s->chance[i] = r->race.car[0].place == 1 ? 1 : -1;
    return n;
}

static void take_to_heart(school *s, int lessons, double eager)
{
    for (int i = 0; i < lessons; i++) {
        const lesson *l = &s->lesson[i];
        const double gained = s->chance[l->round + HORIZON] - s->chance[l->round];
        const double surprise = l->car == 0 ? gained : -gained;
        for (int k = 0; k < l->n; k++) {
            const int f = l->note[k].feeling;
            s->exact[f] += eager * surprise * l->note[k].share;
            s->feelings[f] = (int8_t)fmax(INT8_MIN, fmin(INT8_MAX, round(s->exact[f])));
        }
    }
}

static void print_feelings(const school *s)
{
    printf("const int8_t bot_feelings_of_drivers[BOT_FEELINGS] = {\n");
    for (int i = 0; i < BOT_FEELINGS; i++)
        printf("%ld,%s", lround(fmax(INT8_MIN, fmin(INT8_MAX, s->mean[i]))), i % 24 == 23 ? "\n" : " ");
    printf("};\n");
}

static void take_up_into_mean(school *s)
{
    s->in_mean++;
    for (int i = 0; i < BOT_FEELINGS; i++)
        s->mean[i] += (s->exact[i] - s->mean[i]) / (double)s->in_mean;
}

bool learn_feelings(long races, uint64_t seed)
{
    school *s = calloc(1, sizeof *s);
    if (s == NULL) {
        fputs("learn: not enough memory\n", stderr);
        return false;
    }
    for (int i = 0; i < BOT_FEELINGS; i++) /* goes on from what drivers feel now */
        s->exact[i] = s->feelings[i] = bot_feelings_of_drivers[i];
    for (long i = 0; i < races && !learn_stopped(); i++) {
        const double done = (double)i / (double)races;
        learn_race r;
        learn_start(&r, seed, (uint64_t)i, (uint64_t)i, 2);
        take_to_heart(s, drive(s, &r), done < 0.5 ? eagerness : eagerness * (1.1 - done) / 0.6);
        if (i % OFTEN == 0 && done >= 0.5)
            take_up_into_mean(s);
        if (i % 1000 == 999)
            fprintf(stderr, "\r%ld races", i + 1);
    }
    fputc('\n', stderr);
    if (s->in_mean == 0) /* broken off early */
        take_up_into_mean(s);
    print_feelings(s);
    free(s);
    return true;
}
