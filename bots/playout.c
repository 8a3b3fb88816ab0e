#include "bots/playout.h"
#include "bots/ahead.h"
#include "bots/judgement.h"
#include "bots/standing.h"

enum { FAR = 60 }; /* spaces from the finish where it begins to matter that it comes */

/* Its plan lies face down, all of its turn is still to come: which cards of this gear a driver would have laid. */
static void lay_as_driver(hp_race *deal, int number, bot_dice *dice)
{
    hp_car *car = &deal->car[number];
    hp_race planning = *deal;
    hp_act acts[HP_ACTS_MAX];
    int worth[HP_ACTS_MAX];
    hp_view view;
    planning.step = HP_STEP_PLAN;
    planning.waiting = (uint8_t)(1u << number);
    planning.turn = (hp_turn){0};
    planning.car[number].hand.counts += car->play.counts;
    planning.car[number].play.counts = 0;
    hp_look(&planning, number, &view);
    const int n = bot_driver_judge(&view, acts, worth);
    for (int i = 0; i < n; i++)
        if (acts[i].number != car->gear)
            worth[i] = BOT_NEVER;
    const hp_act act = acts[bot_best(worth, n, dice, BOT_MOODS)];
    if (act.kind != HP_PLAN || act.number != car->gear)
        return;
    car->hand = planning.car[number].hand;
    car->play.counts = 0;
    for (int i = 0; i < act.number; i++) {
        car->hand.counts -= UINT64_C(1) << (8 * act.cards[i]);
        car->play.counts += UINT64_C(1) << (8 * act.cards[i]);
        car->plan[i] = act.cards[i];
    }
}

/* What the others have planned is secret, but it is not just anything: they plan like drivers. */
static void plan_as_drivers(const hp_view *view, bot_dice *dice, hp_race *deal)
{
    for (int i = 0; i < view->cars; i++) {
        if (i == view->seat)
            continue;
        if (view->car[i].has_planned) {
            hp_view then;
            hp_look(deal, i, &then);
            hp_apply(deal, i, bot_driver_act(&then, dice, BOT_MOODS), NULL);
        } else if (view->car[i].covered > 0)
            lay_as_driver(deal, i, dice);
    }
}

void bot_deal(const hp_view *view, const hp_memory *memory, bot_dice *dice, hp_race *deal)
{
    uint8_t seed[HP_SEED_BYTES];
    for (int i = 0; i < HP_SEED_BYTES; i += 8) {
        const uint64_t roll = bot_roll(dice);
        for (int k = 0; k < 8; k++)
            seed[i + k] = (uint8_t)(roll >> (8 * k));
    }
    hp_guess_knowing(view, memory, seed, deal);
    plan_as_drivers(view, dice, deal);
}

/* Where a car that races alone stands when a round begins, in tenths of a space: who was home first in races of drivers
 * told what Heat, gear and cards are worth. Close to the finish Heat loses its worth, and the next turn is most of what is
 * left. */
static int alone(const hp_race *race, int number)
{
    static const int8_t heat[8] = {0, 14, 37, 59, 77, 89, 92, 94}, gear[HP_GEARS + 1] = {0, 0, 3, 1, -11};
    static const int8_t hand[HP_KINDS] = {-1, 0, 0, 1, 5, 10, -1, -12};
    static const int8_t draw[HP_KINDS] = {-2, -3, -1, 2, 4, 6, -1, -10};
    const hp_car *car = &race->car[number];
    const int at = hp_progress(race, number), left = race->laps * race->track.spaces - at;
    const int far = left > FAR ? FAR : left > 0 ? left : 0, close = FAR - far;
    int worth = 10 * at + gear[car->gear] - 9 * hp_count(car->discard, HP_STRESS);
    worth += (heat[car->engine < 7 ? car->engine : 7] * far + 10 * car->engine * close) / FAR;
    worth += bot_driver_outlook(race, number) * (40 * far + 101 * close) / (100 * FAR);
    for (int i = 0; i < HP_KINDS; i++)
        worth += hand[i] * hp_count(car->hand, (hp_card)i) + draw[i] * hp_count(car->draw, (hp_card)i);
    return worth;
}

/* Who has a place, or has given up, is ahead of or behind all others for good; 0 where the road must tell. */
static int decided(const hp_car *me, const hp_car *other)
{
    if (me->status == HP_RETIRED || other->status == HP_RETIRED)
        return me->status == HP_RETIRED ? -1000 : 1000;
    if (me->place > 0 || other->place > 0)
        return me->place > 0 && (other->place == 0 || me->place < other->place) ? 1000 : -1000;
    return 0;
}

static int worth_of_end(const hp_race *race, int seat, int rounds)
{
    const hp_car *me = &race->car[seat];
    if (race->cars == 1) /* then it is the rounds that count */
        return (me->place > 0 ? 10 * race->laps * race->track.spaces : alone(race, seat)) - 80 * rounds;
    int mine[BOT_SIGNS], others[BOT_SIGNS], worth = 0;
    if (me->place == 0)
        bot_measure(race, seat, mine);
    for (int i = 0; i < race->cars; i++) {
        const int known = i == seat ? 0 : decided(me, &race->car[i]);
        worth += known;
        if (i == seat || known != 0)
            continue;
        bot_measure(race, i, others);
        worth += bot_chance(race, mine, others);
    }
    return worth;
}

/* Draws and moods are a matter of car, round and step, whatever was drawn before: so the others have the same luck
 * after each of the acts that are tried. */
static void meet_luck(hp_race *race, int car, uint64_t same, bot_dice *moods)
{
    enum { APART = 2 * HP_DRAWS };
    const uint32_t moment = ((uint32_t)(race->round & 0xfff) * HP_CARS_MAX + (uint32_t)car) * 8 + race->step;
    hp_chance_skip_to(&race->chance, moment * APART + 1);
    moods->state = same ^ moment * UINT64_C(0x2545f4914f6cdd1d);
}

static void play_on(hp_race *race, int seat, hp_act act, const int *rounds, int looks, uint64_t same,
                    int *worth)
{
    const uint16_t from = race->round; /* which may go round itself */
    int look = 0;
    bot_dice moods;
    meet_luck(race, seat, same, &moods);
    hp_apply(race, seat, act, NULL);
    for (int car; (car = hp_to_act(race)) >= 0;) {
        for (; look < looks && (uint16_t)(race->round - from) >= rounds[look]; look++)
            worth[look] = worth_of_end(race, seat, (uint16_t)(race->round - from));
        if (look == looks)
            return;
        hp_view view;
        hp_look(race, car, &view);
        meet_luck(race, car, same, &moods);
        hp_apply(race, car, bot_driver_act(&view, &moods, BOT_MOODS), NULL);
    }
    for (; look < looks; look++)
        worth[look] = worth_of_end(race, seat, (uint16_t)(race->round - from));
}

void bot_play_out_looks(const hp_view *view, const hp_memory *memory, const hp_act *acts, int n,
                        const int *rounds, int looks, bot_dice *dice, int *worth)
{
    hp_race deal;
    bot_deal(view, memory, dice, &deal);
    const uint64_t same = bot_roll(dice);
    for (int i = 0; i < n; i++) {
        hp_race race = deal;
        play_on(&race, view->seat, acts[i], rounds, looks, same, &worth[i * looks]);
    }
}

void bot_play_out(const hp_view *view, const hp_memory *memory, const hp_act *acts, int n, int rounds,
                  bot_dice *dice, int *worth)
{
    bot_play_out_looks(view, memory, acts, n, &rounds, 1, dice, worth);
}
