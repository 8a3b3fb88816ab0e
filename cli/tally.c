#include "cli/tally.h"

#include "cli/words.h"

#include <inttypes.h>
#include <stdio.h>

static void tally_move(tally *t, const hp_event *event)
{
    t->slipstreams += event->why == HP_BY_SLIPSTREAM;
    t->adrenaline_moves += event->why == HP_BY_ADRENALINE;
    t->blocked += event->to.at < event->from.at + event->number;
    if (event->speed > t->top_speed)
        t->top_speed = event->speed;
}

void tally_event(tally *t, const hp_event *event)
{
    switch ((hp_event_kind)event->kind) {
    case HP_EV_GRID:
        t->slot[event->car] = event->slot;
        break;
    case HP_EV_SHIFT:
        t->heat_shifts += event->paid;
        break;
    case HP_EV_REVEAL:
        t->turns++;
        break;
    case HP_EV_CLUTTERED:
        t->cluttered++;
        break;
    case HP_EV_FLIP:
        t->flips++;
        break;
    case HP_EV_MOVE:
        tally_move(t, event);
        break;
    case HP_EV_BOOST:
        t->boosts++;
        break;
    case HP_EV_COOL:
        t->cooled += event->number;
        break;
    case HP_EV_CORNER:
        t->corners++;
        t->heat_corners += event->paid;
        break;
    case HP_EV_SPIN:
        t->spins++;
        t->stress_taken += event->number;
        break;
    case HP_EV_DISCARD:
        t->discarded += event->count;
        break;
    case HP_EV_RESHUFFLE:
        t->reshuffles++;
        break;
    case HP_EV_RETIRE:
        t->retired++;
        break;
    case HP_EV_FINISH:
        if (event->place == 1)
            t->wins_by_slot[t->slot[event->car] - 1]++;
        break;
    case HP_EV_END:
        if (t->races == 0 || event->number < t->fewest_rounds)
            t->fewest_rounds = event->number;
        if (event->number > t->most_rounds)
            t->most_rounds = event->number;
        t->races++;
        t->rounds += event->number;
        break;
    case HP_EV_DRAW:
    case HP_EV_ROUND:
    case HP_EV_REPLENISH:
    case HP_EV_KINDS:
        break;
    }
}

/* Every count, and what it is called: in JSON, and by people. */
typedef struct {
    const char *key;
    const char *words;
    size_t offset;
} count;

#define COUNT(member, words)                                                                                 \
    {                                                                                                        \
#member, words, offsetof(tally, member)                                                              \
    }

static const count counts[] = {
    COUNT(turns, N_("turns")),
    COUNT(decisions, N_("decisions")),
    COUNT(spins, N_("spin-outs")),
    COUNT(stress_taken, N_("stress cards taken")),
    COUNT(cluttered, N_("cluttered hands")),
    COUNT(retired, N_("retired")),
    COUNT(heat_corners, N_("Heat paid in corners")),
    COUNT(heat_shifts, N_("Heat paid for shifts")),
    COUNT(cooled, N_("Heat cooled down")),
    COUNT(boosts, N_("boosts (1 Heat each)")),
    COUNT(slipstreams, N_("slipstreams")),
    COUNT(adrenaline_moves, N_("adrenaline moves")),
    COUNT(blocked, N_("blocked moves")),
    COUNT(corners, N_("corner checks")),
    COUNT(discarded, N_("cards discarded")),
    COUNT(flips, N_("cards turned over")),
    COUNT(reshuffles, N_("reshuffles")),
};
enum { COUNTS = sizeof counts / sizeof counts[0] };

static uint64_t get(const tally *t, size_t offset)
{
    return *(const uint64_t *)(const void *)((const char *)t + offset);
}

void tally_add(tally *t, const tally *more)
{
    if (more->races == 0)
        return;
    if (t->races == 0 || more->fewest_rounds < t->fewest_rounds)
        t->fewest_rounds = more->fewest_rounds;
    if (more->most_rounds > t->most_rounds)
        t->most_rounds = more->most_rounds;
    if (more->top_speed > t->top_speed)
        t->top_speed = more->top_speed;
    t->races += more->races;
    t->rounds += more->rounds;
    for (int i = 0; i < COUNTS; i++)
        *(uint64_t *)(void *)((char *)t + counts[i].offset) += get(more, counts[i].offset);
    for (int i = 0; i < HP_CARS_MAX; i++)
        t->wins_by_slot[i] += more->wins_by_slot[i];
}

void tally_print(const tally *t, int cars)
{
    const double races = t->races > 0 ? (double)t->races : 1;
    printf(n_("%llu race\n", "%llu races\n", (unsigned long)t->races), (unsigned long long)t->races);
    printf("  ");
    words_pad(_("rounds"), 26);
    printf(_("%.1f a race, from %llu to %llu\n"), (double)t->rounds / races,
           (unsigned long long)t->fewest_rounds, (unsigned long long)t->most_rounds);
    printf("  ");
    words_pad(_("top speed"), 26);
    printf("%" PRIu64 "\n", t->top_speed);
    for (int i = 0; i < COUNTS; i++) {
        printf("  ");
        words_pad(_(counts[i].words), 26);
        printf("%12" PRIu64, get(t, counts[i].offset));
        printf(_("  %10.2f a race\n"), (double)get(t, counts[i].offset) / races);
    }
    printf("%s\n", _("wins by place on the grid"));
    for (int i = 0; i < cars; i++)
        printf("  %d %12" PRIu64 "  %5.1f %%\n", i + 1, t->wins_by_slot[i],
               100 * (double)t->wins_by_slot[i] / races);
}

void tally_print_json(const tally *t, int cars)
{
    printf("{\"races\":%" PRIu64 ",\"rounds\":%" PRIu64 ",\"fewest_rounds\":%" PRIu64
           ",\"most_rounds\":%" PRIu64 ",\"top_speed\":%" PRIu64,
           t->races, t->rounds, t->fewest_rounds, t->most_rounds, t->top_speed);
    for (int i = 0; i < COUNTS; i++)
        printf(",\"%s\":%" PRIu64, counts[i].key, get(t, counts[i].offset));
    printf(",\"wins_by_slot\":[");
    for (int i = 0; i < cars; i++)
        printf("%s%" PRIu64, i > 0 ? "," : "", t->wins_by_slot[i]);
    printf("]}\n");
}
