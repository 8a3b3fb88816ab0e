/* Fuzzes the reader of positions: whatever it takes for a race can be played on by the rules without ever
 * losing a card, and written and read again; a fault always says where and leaves the race alone. */
#include "bots/bots.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ACTS = 300 };

static void require(bool holds)
{
    if (!holds)
        abort();
}

static hp_pile cards_of(const hp_car *car)
{
    return (hp_pile){car->hand.counts + car->draw.counts + car->discard.counts + car->play.counts};
}

static int heat_of(const hp_car *car)
{
    return hp_count(cards_of(car), HP_HEAT) + car->engine;
}

/* R1.1, R1.3: nothing is lost, whatever is played. */
static void require_cards(const hp_race *race, const int heat[HP_CARS_MAX])
{
    int stress = race->reserve;
    for (int i = 0; i < race->cars; i++) {
        const hp_car *car = &race->car[i];
        const hp_pile all = cards_of(car);
        for (hp_card card = HP_ONE; card <= HP_FOUR; card++)
            require(hp_count(all, card) == 3);
        require(hp_count(all, HP_ZERO) == 1 && hp_count(all, HP_FIVE) == 1);
        require(heat_of(car) == heat[i]);
        require(hp_size(car->hand) <= HP_HAND);
        require(car->discard.counts == 0 ? car->top == HP_NO_CARD
                                         : hp_count(car->discard, (hp_card)car->top) > 0);
        stress += hp_count(all, HP_STRESS);
    }
    require(stress == HP_STRESS_SUPPLY);
}

static void require_spots(const hp_race *race)
{
    uint64_t taken[4] = {0};
    for (int i = 0; i < race->cars; i++) {
        const hp_car *car = &race->car[i];
        if (car->status != HP_RACING)
            continue;
        require(car->space < race->track.spaces && car->spot <= 1);
        const uint64_t bit = UINT64_C(1) << (2 * (car->space % 32) + car->spot);
        require((taken[car->space / 32] & bit) == 0);
        taken[car->space / 32] |= bit;
    }
    require(memcmp(taken, race->taken, sizeof taken) == 0);
}

static void require_round_trip(const hp_race *race, const char *name)
{
    char text[HP_POSITION_TEXT], again[HP_POSITION_TEXT], circuit[HP_NAME_MAX + 1];
    hp_race read;
    hp_fault fault;
    const size_t length = hp_position_write(race, name, text, sizeof text);
    require(length < sizeof text && strlen(text) == length);
    require(hp_position_read(text, length, &read, circuit, &fault) == HP_TEXT_OK);
    require(memcmp(&read, race, sizeof read) == 0 && strcmp(circuit, name) == 0);
    hp_position_write(&read, circuit, again, sizeof again);
    require(strcmp(text, again) == 0);
}

static hp_act any_act(const hp_race *race, int car, bot_dice *dice)
{
    hp_choice choice;
    hp_act acts[HP_ACTS_MAX];
    hp_choose_from(race, car, &choice);
    const int n = hp_acts(&choice, acts);
    require(n >= 1 && n <= HP_ACTS_MAX);
    for (int i = 0; i < n; i++)
        require(hp_check(&choice, acts[i]) == HP_OK);
    return acts[bot_roll_below(dice, (uint32_t)n)];
}

static void play_on(hp_race *race, const char *name, uint64_t seed)
{
    bot_dice dice = {seed};
    int heat[HP_CARS_MAX];
    for (int i = 0; i < race->cars; i++)
        heat[i] = heat_of(&race->car[i]);
    for (int i = 0; i < ACTS; i++) {
        require_cards(race, heat);
        require_spots(race);
        if (i < 30 || i % 10 == 0)
            require_round_trip(race, name);
        const int car = hp_to_act(race);
        require((car < 0) == (race->step == HP_STEP_OVER));
        if (car < 0 || race->round == UINT16_MAX) /* no position has a round beyond that */
            return;
        require(hp_apply(race, car, any_act(race, car, &dice), NULL) == HP_OK);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct {
        hp_race race;
        char name[HP_NAME_MAX + 1];
    } into, before;
    hp_fault fault;
    memset(&into, 0x5a, sizeof into);
    memcpy(&before, &into, sizeof into);
    const hp_text_fault kind = hp_position_read((const char *)data, size, &into.race, into.name, &fault);
    if (kind != HP_TEXT_OK) {
        require(kind == fault.kind && kind < HP_TEXT_FAULTS && fault.line == 0 && fault.column >= 1);
        require(memchr(fault.word, '\0', sizeof fault.word) != NULL);
        require(memcmp(&into, &before, sizeof into) == 0);
        return 0;
    }
    uint64_t seed = size;
    for (size_t i = 0; i < size; i++)
        seed = (seed ^ data[i]) * UINT64_C(0x100000001b3);
    play_on(&into.race, into.name, seed);
    return 0;
}
