/* A race of bots in thirty lines: cc bot_race.c $(pkg-config --cflags --libs hairpin) */
#include <hairpin.h>
#include <stdio.h>

/* A bot sees a view and returns an act: this one goes as fast as it can without spinning out. */
static hp_act choose(const hp_view *view)
{
    hp_act acts[HP_ACTS_MAX], best;
    const int n = hp_acts(&view->choice, acts);
    int best_worth = -1000;
    for (int i = 0; i < n; i++) {
        const hp_outcome outcome = hp_foresee(view, acts[i]);
        const int worth = outcome.to.at - 2 * outcome.price - 50 * outcome.spins;
        if (worth > best_worth)
            best_worth = worth, best = acts[i];
    }
    return best;
}

int main(void)
{
    hp_circuit circuit;
    hp_circuit_named("italy", &circuit);
    hp_setup setup = {.track = circuit.track, .laps = 1, .cars = 4, .seed = "any 32 bytes will do"};
    hp_race race;
    hp_start(&race, &setup, NULL);
    for (int car; (car = hp_to_act(&race)) >= 0;) {
        hp_view view;
        hp_look(&race, car, &view);
        hp_apply(&race, car, choose(&view), NULL);
    }
    for (int car = 0; car < race.cars; car++)
        printf("car %d: place %d\n", car, race.car[car].place);
    return 0;
}
