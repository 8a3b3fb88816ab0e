/* A champion: tries its acts out by playouts (bots/playout.h), many times, and takes the one after which it
 * stood best. docs/BOTS.md tells more.
 *
 * All figures are whole numbers, so that the same seed and number of playouts give the same act on every
 * compiler. */
#define _POSIX_C_SOURCE 200809L
#include "bots/playout.h"

#include <string.h>
#include <time.h>

enum {
    CANDIDATES = 24,    /* the most acts that are tried at all; drivers find the others bad */
    FEW = 12,           /* where there is less to spend, and where they are explained: an even number */
    MUCH = 1000,        /* playouts with which there is enough for all of them, */
    MUCH_TIME = 20,     /* or milliseconds for each car */
    PLENTY = 6000,      /* playouts with which no act has to be given up after a short look, */
    PLENTY_TIME = 200,  /* or milliseconds for each car */
    PLAYOUTS = 2000,    /* when nothing else is said */
    LOOKS = 3,          /* the most at one playout */
    FEW_DEALS = 128,    /* with fewer, luck tells more than later rounds do */
    CLEAR = 9,          /* standard errors, squared, between acts of which one is clearly worse */
    CLEAR_FIRST = 24,   /* deals before anything is clear, */
    CLEAR_LAST = 200000 /* and the last with which that can be asked: squares of sums still fit */
};

typedef struct {
    hp_memory memory;
    uint32_t playouts; /* of a decision; 0 where time counts */
    uint32_t milliseconds;
} champion;

typedef struct {
    hp_act act;
    int number;  /* among the candidates, from 0 */
    int64_t sum; /* of what its playouts were worth */
    uint32_t n;
    int64_t squares[CANDIDATES]; /* of the differences to each of the others, on the deals that both had */
} candidate;

/* ---- Explaining ---------------------------------------------------------------------------------- */

static void sample(const hp_view *view, const hp_race *deal, uint64_t moods, bot_estimate *e)
{
    hp_race race = *deal;
    bot_dice dice = {moods};
    const int seat = view->seat;
    const int round = race.round;
    int line = 0;
    bool counted = false;
    hp_apply(&race, seat, e->act, NULL);
    for (int car; (car = hp_to_act(&race)) >= 0;) {
        if (!counted && race.round != round) {
            e->heat += race.car[seat].engine;
            counted = true;
        }
        hp_view then;
        hp_look(&race, car, &then);
        const hp_act act = bot_driver_act(&then, &dice, BOT_MOODS);
        if (car == seat && e->playouts == 0 && line < BOT_LINE)
            e->line[line++] = act;
        hp_apply(&race, car, act, NULL);
    }
    if (!counted)
        e->heat += race.car[seat].engine;
    if (e->playouts == 0)
        e->in_line = line;
    e->playouts++;
    e->wins += race.car[seat].place == 1;
    e->places += race.car[seat].place;
}

/* What a few races say of an act must not put it before those that had many. */
static bool better(const bot_estimate *a, const bot_estimate *b)
{
    if (a->playouts != b->playouts)
        return a->playouts > b->playouts;
    const uint64_t wins_a = (uint64_t)a->wins * b->playouts, wins_b = (uint64_t)b->wins * a->playouts;
    return wins_a != wins_b ? wins_a > wins_b : a->places * b->playouts < b->places * a->playouts;
}

static void sort_estimates(bot_estimate *all, int n)
{
    for (int i = 1; i < n; i++) {
        const bot_estimate e = all[i];
        int at = i;
        for (; at > 0 && better(&e, &all[at - 1]); at--)
            all[at] = all[at - 1];
        all[at] = e;
    }
}

/* All legal acts with no playouts yet, first those that a driver likes best. */
static int by_liking(const hp_view *view, bot_estimate all[HP_ACTS_MAX])
{
    hp_act acts[HP_ACTS_MAX];
    int worth[HP_ACTS_MAX];
    const int n = bot_driver_judge(view, acts, worth);
    for (int found = 0; found < n; found++) {
        int best = 0;
        for (int i = 1; i < n; i++)
            if (worth[i] > worth[best])
                best = i;
        all[found] = (bot_estimate){.act = acts[best]};
        worth[best] = INT32_MIN;
    }
    return n;
}

int bot_explain(const hp_view *view, const hp_memory *memory, uint32_t playouts, uint64_t seed,
                bot_estimate all[HP_ACTS_MAX])
{
    const int n = by_liking(view, all);
    bot_dice dice = {seed};
    /* A third of the budget on all of them, the rest on a few: half of those are what a driver likes best, the others
     * did best so far. */
    uint32_t spent = 0;
    for (int tried = n; spent < playouts; spent += (uint32_t)tried) {
        if (spent >= playouts / 3 && tried > FEW) {
            sort_estimates(all + FEW / 2, n - FEW / 2);
            tried = FEW;
        }
        hp_race deal;
        bot_deal(view, memory, &dice, &deal);
        const uint64_t moods = bot_roll(&dice);
        for (int i = 0; i < tried; i++)
            sample(view, &deal, moods, &all[i]);
    }
    sort_estimates(all, n);
    return n;
}

/* ---- Choosing ----------------------------------------------------------------------------------- */

/* The acts that look best at first sight, best first. */
static int first_sight(const hp_view *view, int most, candidate found[CANDIDATES])
{
    hp_act acts[CANDIDATES];
    const int n = bot_driver_best(view, most, acts);
    for (int i = 0; i < n; i++)
        found[i] = (candidate){.act = acts[i], .number = i};
    return n;
}

static int64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The rounds after which a playout is looked at. */
typedef struct {
    uint32_t deals; /* for acts that were tried so many times, and more */
    int looks;
    int rounds[LOOKS];
} outlook;

/* Whether so many playouts can be spent, or so much time for each car. */
static bool at_least(const champion *c, const hp_view *view, uint32_t playouts, uint32_t time)
{
    return c->milliseconds > 0 ? c->milliseconds >= time * view->cars : c->playouts >= playouts;
}

/* Where acts are so close that many deals could not part them, it is the later rounds that can. At first luck would tell
 * more than those, and short playouts cost less; but where there is plenty to spend, no act is given up for what they
 * say. */
static const outlook *look_ahead(uint32_t deals, bool plenty)
{
    static const outlook by_deals[] = {{512, 2, {4, 6}}, {FEW_DEALS, 3, {2, 4, 6}}, {0, 2, {2, 4}}};
    if (plenty && deals < FEW_DEALS)
        deals = FEW_DEALS;
    const outlook *found = by_deals;
    while (deals < found->deals)
        found++;
    return found;
}

static void try_all(const champion *c, const hp_view *view, candidate *all, int n, bot_dice *dice)
{
    const outlook *ahead = look_ahead(all[0].n, at_least(c, view, PLENTY, PLENTY_TIME));
    hp_act acts[CANDIDATES];
    int worth[CANDIDATES], seen[CANDIDATES * LOOKS];
    for (int i = 0; i < n; i++)
        acts[i] = all[i].act;
    bot_play_out_looks(view, &c->memory, acts, n, ahead->rounds, ahead->looks, dice, seen);
    for (int i = 0; i < n; i++) {
        worth[i] = 0;
        for (int k = 0; k < ahead->looks; k++)
            worth[i] += seen[i * ahead->looks + k];
        worth[i] /= ahead->looks;
    }
    for (int i = 0; i < n; i++) {
        all[i].sum += worth[i];
        all[i].n++;
        for (int k = 0; k < n; k++)
            all[i].squares[all[k].number] += (int64_t)(worth[i] - worth[k]) * (worth[i] - worth[k]);
    }
}

/* Whether the lead of one over the other can hardly be luck; or they are the same in all but name. */
static bool clearly_better(const candidate *a, const candidate *b)
{
    const int64_t lead = a->sum - b->sum, squares = a->squares[b->number], n = a->n;
    if (squares == 0)
        return n >= 2 * CLEAR_FIRST;
    return lead > 0 && lead * lead / n * (n + CLEAR) > CLEAR * squares;
}

/* Gives up those that are clearly worse than the best; returns how many are left, in the same order. */
static int give_up(candidate *all, int n)
{
    int best = 0, left = 0;
    for (int i = 1; i < n; i++)
        if (all[i].sum > all[best].sum)
            best = i;
    const candidate leader = all[best];
    for (int i = 0; i < n; i++)
        if (all[i].number == leader.number || !clearly_better(&leader, &all[i]))
            all[left++] = all[i];
    return left;
}

/* Best first: all of them had the same deals. The one that looked better at first sight wins a tie. */
static void sort(candidate *all, int n)
{
    for (int i = 1; i < n; i++) {
        const candidate c = all[i];
        int at = i;
        for (; at > 0 && c.sum > all[at - 1].sum; at--)
            all[at] = all[at - 1];
        all[at] = c;
    }
}

/* The half that looks worse is given up, again and again: what is left shares the rest of the budget. What is
 * clearly worse goes at once, and with the last rival of an act all thinking ends. */
static hp_act search(const champion *c, const hp_view *view, candidate *all, int n, bot_dice *dice)
{
    int halvings = 1;
    while (n >> halvings > 0)
        halvings++;
    const int64_t start = c->milliseconds > 0 ? milliseconds() : 0;
    for (int stage = 1; stage <= halvings && n > 1; stage++) {
        uint32_t spent = 0;
        for (;;) {
            const bool enough = c->milliseconds > 0
                                    ? (milliseconds() - start) * halvings >= (int64_t)c->milliseconds * stage
                                    : (uint64_t)spent * (uint64_t)halvings >= c->playouts;
            if (enough || n == 1)
                break;
            try_all(c, view, all, n, dice);
            spent += (uint32_t)n;
            if (all[0].n % 8 == 0 && all[0].n >= CLEAR_FIRST && all[0].n <= CLEAR_LAST)
                n = give_up(all, n);
        }
        sort(all, n);
        n = n > 2 ? (n + 1) / 2 : n;
    }
    return all[0].act;
}

static hp_act choose(void *state, const hp_view *view, bot_dice *dice)
{
    const champion *c = state;
    candidate all[CANDIDATES];
    const int n = first_sight(view, at_least(c, view, MUCH, MUCH_TIME) ? CANDIDATES : FEW, all);
    return n == 1 ? all[0].act : search(c, view, all, n, dice);
}

static void hear(void *state, const hp_event *seen)
{
    champion *c = state;
    hp_remember(&c->memory, seen);
}

/* "200ms" or "5000" playouts. */
static bool start(void *state, const char *options)
{
    champion *c = state;
    uint32_t number = 0;
    if (options[0] == '\0') {
        c->playouts = PLAYOUTS;
        return true;
    }
    for (; *options >= '0' && *options <= '9'; options++) {
        if (number >= 100000000)
            return false;
        number = number * 10 + (uint32_t)(*options - '0');
    }
    const bool time = strcmp(options, "ms") == 0;
    if (number == 0 || (!time && options[0] != '\0'))
        return false;
    *(time ? &c->milliseconds : &c->playouts) = number;
    return true;
}

const bot_kind bot_champion = {
    .name = "champion", .size = sizeof(champion), .start = start, .hear = hear, .choose = choose};
