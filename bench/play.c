#include "bench/play.h"

#include "bots/bots.h"

void bench_play(const hp_track *track, int cars, uint64_t number, const hp_listener *listener,
                bench_played *sum)
{
    hp_setup setup = {.track = *track, .laps = 2, .cars = (uint8_t)cars};
    hp_seed_of(1, number, setup.seed);
    bot_dice dice = {number};
    hp_race race;
    hp_act acts[HP_ACTS_MAX];
    hp_start(&race, &setup, listener);
    for (int car; (car = hp_to_act(&race)) >= 0; sum->decisions++) {
        hp_choice choice;
        hp_choose_from(&race, car, &choice);
        const int n = hp_acts(&choice, acts);
        sum->turns += choice.step == HP_STEP_PLAN; /* one plan, one turn */
        hp_apply(&race, car, acts[bot_roll_below(&dice, (uint32_t)n)], listener);
    }
    sum->races++;
}
