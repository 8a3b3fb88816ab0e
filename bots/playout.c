#include "bots/playout.h"
#include "bots/judgement.h"

enum { FAR = 60 }; /* spaces from the finish where it begins to matter that it comes */

void bot_deal(const hp_view *view, const hp_memory *memory, bot_dice *dice, hp_race *deal)
{
    uint8_t seed[HP_SEED_BYTES];
    for (int i = 0; i < HP_SEED_BYTES; i += 8) {
        const uint64_t roll = bot_roll(dice);
        for (int k = 0; k < 8; k++)
            seed[i + k] = (uint8_t)(roll >> (8 * k));
    }
    hp_guess_knowing(view, memory, seed, deal);
}

/* Where a car stands when a round begins, in tenths of a space. The weights are those of a logistic
 * regression over 24,000 races of drivers: what tells who of two cars will be home first. Close to the finish
 * Heat loses its worth, and the next turn is most of what is left. */
static int standing(const hp_race *race, int number)
{
    static const int8_t heat[8] = {0, 14, 40, 62, 81, 93, 97, 100}, gear[HP_GEARS + 1] = {0, 0, 2, 1, -10};
    static const int8_t hand[HP_KINDS] = {-1, -1, 0, 1, 4, 10, 0, -12};
    static const int8_t draw[HP_KINDS] = {-1, -3, -1, 2, 4, 6, -1, -11};
    const hp_car *car = &race->car[number];
    const int at = hp_progress(race, number), left = race->laps * race->track.spaces - at;
    const int far = left > FAR ? FAR : left > 0 ? left : 0, close = FAR - far;
    int worth = 10 * at - 6 * (car->spot == 0) + gear[car->gear] - 9 * hp_count(car->discard, HP_STRESS);
    worth += (heat[car->engine < 7 ? car->engine : 7] * far + 12 * car->engine * close) / FAR;
    worth += bot_driver_outlook(race, number) * (41 * far + 107 * close) / (100 * FAR);
    for (int i = 0; i < HP_KINDS; i++)
        worth += hand[i] * hp_count(car->hand, (hp_card)i) + draw[i] * hp_count(car->draw, (hp_card)i);
    return worth;
}

static int root(int square)
{
    int r = 0;
    for (int bit = 1 << 10; bit > 0; bit >>= 1)
        if ((r + bit) * (r + bit) <= square)
            r += bit;
    return r;
}

/* From -1000, surely lost, to 1000: a lead is worth the more, the less there is left to drive. The curve is
 * the hyperbolic tangent, as y (27 + y^2) / (27 + 9 y^2) with y in units of 1/ONE, which meets 1 at 3. */
static int chance(int lead, int left)
{
    enum { ONE = 256 };
    const int64_t y = (int64_t)lead * 160 / root(100 * left);
    if (y > 3 * ONE || y < -3 * ONE)
        return y > 0 ? 1000 : -1000;
    return (int)(1000 * y * (27 * ONE * ONE + y * y) / (ONE * (27 * ONE * ONE + 9 * y * y)));
}

/* How likely one car is to be home before the other, by where they stand; right behind there is the
 * slipstream. */
static int duel(const hp_race *race, const int stands[HP_CARS_MAX], int me, int other)
{
    const int place = race->car[me].place, others = race->car[other].place;
    if (race->car[me].status == HP_RETIRED)
        return -1000;
    if (race->car[other].status == HP_RETIRED)
        return 1000;
    if (place > 0 || others > 0)
        return place > 0 && (others == 0 || place < others) ? 1000 : -1000;
    const int at = hp_progress(race, me), gap = hp_progress(race, other) - at;
    const int left = race->laps * race->track.spaces - (gap > 0 ? at + gap : at);
    return chance(stands[me] - stands[other] + 7 * (gap == 1) - 7 * (gap == -1), left > 1 ? left : 1);
}

static int worth_of_end(const hp_race *race, int seat, int rounds)
{
    int stands[HP_CARS_MAX] = {0};
    for (int i = 0; i < race->cars; i++)
        if (race->car[i].place == 0)
            stands[i] = standing(race, i);
    if (race->cars == 1) /* alone it is the rounds that count */
        return (race->car[seat].place > 0 ? 10 * race->laps * race->track.spaces : stands[seat]) -
               80 * rounds;
    int worth = 0;
    for (int i = 0; i < race->cars; i++)
        worth += i == seat ? 0 : duel(race, stands, seat, i);
    return worth;
}

static int play_on(hp_race *race, int seat, hp_act act, int rounds, bot_dice *dice)
{
    const uint16_t from = race->round; /* which may go round itself */
    hp_apply(race, seat, act, NULL);
    for (int car; (car = hp_to_act(race)) >= 0 && (uint16_t)(race->round - from) < rounds;) {
        hp_view view;
        hp_look(race, car, &view);
        hp_apply(race, car, bot_driver_act(&view, dice, BOT_MOODS), NULL);
    }
    return worth_of_end(race, seat, (uint16_t)(race->round - from));
}

void bot_play_out(const hp_view *view, const hp_memory *memory, const hp_act *acts, int n, int rounds,
                  bot_dice *dice, int *worth)
{
    hp_race deal;
    bot_deal(view, memory, dice, &deal);
    const uint64_t same = bot_roll(dice);
    for (int i = 0; i < n; i++) {
        hp_race race = deal;
        bot_dice moods = {same};
        worth[i] = play_on(&race, view->seat, acts[i], rounds, &moods);
    }
}
