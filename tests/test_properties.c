/* Plays hundreds of random races and proves after every act what must hold of all of them: no card is lost,
 * no two cars stand on one spot, the acts listed are the legal ones, what is refused changes nothing, and the
 * events alone tell the whole race. */
#include "bots/bots.h"
#include "tests/support.h"

enum {
    ROUNDS_OF_RACES = 4, /* each plays every circuit with 1 to 6 cars and 1 to 3 laps */
    OWN_TRACKS = 2,
    ACTS_IN_A_RACE = 1 << 16
};

/* ---- What each race is played on --------------------------------------------------------------- */

/* Every corner is one too many for random drivers: the reserve of stress runs out (R1.3). */
static const hp_track hard_track = {.spaces = 25,
                                    .heat = 2,
                                    .stress = 6,
                                    .corners = 5,
                                    .corner = {{2, 2}, {7, 3}, {12, 1}, {17, 3}, {24, 2}}};

static hp_track one_corner(void)
{
    static char text[4096];
    hp_circuit circuit;
    hp_fault fault;
    FILE *file = fopen(SOURCE_DIR "/tests/fixtures/one-corner.circuit", "rb");
    assert_non_null(file);
    const size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    assert_int_equal(hp_circuit_read(text, size, &circuit, &fault), HP_TEXT_OK);
    return circuit.track;
}

static hp_track track_number(int i)
{
    hp_circuit circuit;
    if (i >= hp_circuits())
        return i == hp_circuits() ? one_corner() : hard_track;
    hp_circuit_at(i, &circuit);
    return circuit.track;
}

/* ---- What must hold of a race at any moment ---------------------------------------------------- */

static hp_pile all_cards(const hp_car *car)
{
    return (hp_pile){car->hand.counts + car->draw.counts + car->discard.counts + car->play.counts};
}

/* R1.1, R1.3 */
static void assert_cards_conserved(const hp_race *race, const hp_setup *setup)
{
    int stress = race->reserve;
    for (int i = 0; i < race->cars; i++) {
        const hp_pile all = all_cards(&race->car[i]);
        for (hp_card card = HP_ONE; card <= HP_FOUR; card++)
            assert_int_equal(hp_count(all, card), 3);
        assert_int_equal(hp_count(all, HP_ZERO), 1);
        assert_int_equal(hp_count(all, HP_FIVE), 1);
        assert_int_equal(hp_count(all, HP_HEAT) + race->car[i].engine,
                         setup->track.heat - setup->handicap[i] + 1);
        assert_true(hp_count(all, HP_STRESS) >= setup->track.stress);
        stress += hp_count(all, HP_STRESS);
    }
    assert_int_equal(stress, HP_STRESS_SUPPLY);
}

static void assert_car_sound(const hp_race *race, int number)
{
    const hp_car *car = &race->car[number];
    const bool turn_runs =
        race->step == HP_STEP_REACT || race->step == HP_STEP_SLIP || race->step == HP_STEP_DISCARD;
    assert_true(hp_size(car->hand) <= HP_HAND);
    assert_true(turn_runs || (hp_size(car->hand) == HP_HAND && car->play.counts == 0));
    assert_in_range(car->gear, 1, HP_GEARS);
    assert_true(car->discard.counts == 0 ? car->top == HP_NO_CARD
                                         : hp_count(car->discard, (hp_card)car->top) > 0);
    assert_true(car->planned == 0 || race->step == HP_STEP_PLAN);
    const int named = car->planned == HP_PLANS_TO_RETIRE      ? 0
                      : car->planned != 0                     ? car->planned
                      : turn_runs && car->status == HP_RACING ? HP_GEARS
                                                              : 0;
    for (int i = named; i < HP_GEARS; i++)
        assert_int_equal(car->plan[i], 0);
    assert_true((car->status == HP_RACING) == (car->place == 0));
    if (car->status != HP_RACING)
        assert_true(car->lap == 0 && car->space == 0 && car->spot == 0 && car->planned == 0);
}

static void assert_spots_agree(const hp_race *race)
{
    uint64_t taken[4] = {0};
    for (int i = 0; i < race->cars; i++) {
        const hp_car *car = &race->car[i];
        if (car->status != HP_RACING)
            continue;
        assert_true(car->space < race->track.spaces && car->spot <= 1);
        const uint64_t bit = UINT64_C(1) << (2 * (car->space % 32) + car->spot);
        assert_true((taken[car->space / 32] & bit) == 0); /* two cars on one spot */
        taken[car->space / 32] |= bit;
    }
    assert_memory_equal(taken, race->taken, sizeof taken);
}

static void assert_waits_for_the_right_car(const hp_race *race)
{
    unsigned expected = 0;
    if (race->step == HP_STEP_PLAN) {
        for (int i = 0; i < race->cars; i++)
            expected |= (unsigned)(race->car[i].status == HP_RACING && race->car[i].planned == 0) << i;
        assert_int_not_equal(expected, 0);
    } else if (race->step != HP_STEP_OVER) {
        assert_true(race->now < race->in_order);
        expected = 1u << race->order[race->now];
        assert_int_equal(race->car[race->order[race->now]].status, HP_RACING);
    }
    assert_int_equal(race->waiting, expected);
    int first = -1;
    for (int i = race->cars - 1; i >= 0; i--)
        first = expected >> i & 1 ? i : first;
    assert_int_equal(hp_to_act(race), first);
}

static bool all_zero(const void *bytes, size_t n)
{
    const uint8_t *byte = bytes;
    uint8_t any = 0;
    for (size_t i = 0; i < n; i++)
        any |= byte[i];
    return any == 0;
}

/* Otherwise races could not be compared as bytes. */
static void assert_unused_is_zero(const hp_race *race)
{
    assert_true(all_zero(race->unused, sizeof race->unused));
    for (int i = 0; i < race->cars; i++)
        assert_true(all_zero(race->car[i].unused, sizeof race->car[i].unused));
    for (int i = race->cars; i < HP_CARS_MAX; i++)
        assert_true(all_zero(&race->car[i], sizeof race->car[i]));
    assert_true(all_zero(race->order + race->in_order, (size_t)(HP_CARS_MAX - race->in_order)));
    if (race->step == HP_STEP_PLAN || race->step == HP_STEP_OVER)
        assert_true(all_zero(&race->turn, sizeof race->turn));
}

static void assert_sound(const hp_race *race, const hp_setup *setup)
{
    assert_cards_conserved(race, setup);
    for (int i = 0; i < race->cars; i++)
        assert_car_sound(race, i);
    assert_spots_agree(race);
    assert_waits_for_the_right_car(race);
    assert_unused_is_zero(race);
}

/* ---- Acts ------------------------------------------------------------------------------------- */

static uint64_t word_of(hp_act act)
{
    uint64_t word;
    memcpy(&word, &act, sizeof word);
    return word;
}

/* A set of acts, for finding one twice without comparing each with each. */
typedef struct {
    uint64_t slot[1024]; /* UINT64_MAX when empty, which is no act */
    uint16_t used[HP_ACTS_MAX];
    int n;
} act_set;

static int slot_of(const act_set *set, hp_act act)
{
    uint64_t at = (word_of(act) * UINT64_C(0x9e3779b97f4a7c15)) >> 54;
    while (set->slot[at] != UINT64_MAX && set->slot[at] != word_of(act))
        at = (at + 1) % 1024;
    return (int)at;
}

static bool in_set(const act_set *set, hp_act act)
{
    return set->slot[slot_of(set, act)] == word_of(act);
}

static void add_to_set(act_set *set, hp_act act)
{
    const int at = slot_of(set, act);
    set->slot[at] = word_of(act);
    set->used[set->n++] = (uint16_t)at;
}

static void clear_set(act_set *set)
{
    while (set->n > 0)
        set->slot[set->used[--set->n]] = UINT64_MAX;
}

/* As hp_acts would list it: cards in order, but the top one of a discard. */
static hp_act as_listed(hp_act act)
{
    const int sorted = act.kind == HP_PLAN ? act.number : act.kind == HP_DISCARD ? act.number - 1 : 0;
    for (int i = 1; i < sorted; i++)
        for (int j = i; j > 0 && act.cards[j - 1] > act.cards[j]; j--) {
            const uint8_t card = act.cards[j];
            act.cards[j] = act.cards[j - 1];
            act.cards[j - 1] = card;
        }
    /* Heat fills up a plan, so it comes last (R3.4), and stress, the highest kind, before it. */
    if (act.kind == HP_PLAN) {
        hp_act filled = act;
        int n = 0;
        for (int i = 0; i < act.number; i++)
            if (act.cards[i] != HP_HEAT)
                filled.cards[n++] = act.cards[i];
        while (n < act.number)
            filled.cards[n++] = HP_HEAT;
        return filled;
    }
    return act;
}

/* Some are near to legal ones, some far. */
static hp_act random_act(const hp_choice *choice, bot_dice *dice)
{
    const uint64_t roll = bot_roll(dice);
    hp_act act;
    memcpy(&act, &roll, sizeof act);
    if (roll >> 62 == 0)
        return act;
    act = (hp_act){.kind = (uint8_t)bot_roll_below(dice, HP_ACT_KINDS)};
    if (act.kind == HP_PLAN || act.kind == HP_DISCARD || act.kind == HP_COOL || roll >> 60 == 15)
        act.number = (uint8_t)bot_roll_below(dice, HP_ACT_CARDS + 2);
    const int cards = act.kind == HP_COOL ? 0 : act.number;
    for (int i = 0; i < cards && i < HP_ACT_CARDS; i++) {
        uint8_t card = (uint8_t)bot_roll_below(dice, HP_KINDS + 1);
        for (int tries = 0; tries < 3 && (card == HP_KINDS || hp_count(choice->hand, (hp_card)card) == 0);
             tries++)
            card = (uint8_t)bot_roll_below(dice, HP_KINDS + 1);
        act.cards[i] = card;
    }
    return act;
}

static void must_not_hear(void *self, const hp_event *event)
{
    (void)self;
    fail_msg("event %d after an act that was refused", (int)event->kind);
}

static void assert_refusals_change_nothing(const hp_race *race, const act_set *listed, int car,
                                           bot_dice *dice)
{
    const hp_listener nothing = {.hear = must_not_hear};
    hp_race copy = *race;
    hp_choice choice;
    hp_choose_from(race, car, &choice);
    const hp_act act = random_act(&choice, dice);
    const hp_error error = hp_check(&choice, act);
    if (error == HP_OK) {
        assert_true(in_set(listed, as_listed(act)));
        return;
    }
    assert_false(in_set(listed, act));
    assert_int_equal(hp_apply(&copy, car, act, &nothing), error);
    assert_int_equal(hp_apply(&copy, -1, act, &nothing), HP_NOT_YOUR_TURN);
    assert_int_equal(hp_apply(&copy, race->cars, act, &nothing), HP_NOT_YOUR_TURN);
    assert_memory_equal(&copy, race, sizeof copy);
}

/* Every car's list at this moment. */
static void assert_lists_sound(const hp_race *race, act_set *set, bot_dice *dice)
{
    for (int car = 0; car < race->cars; car++) {
        hp_choice choice;
        hp_act acts[HP_ACTS_MAX];
        hp_choose_from(race, car, &choice);
        const int n = hp_acts(&choice, acts);
        assert_in_range(n, 0, HP_ACTS_MAX);
        assert_true(n > 0 || !(race->waiting >> car & 1));
        for (int i = 0; i < n; i++) {
            assert_int_equal(hp_check(&choice, acts[i]), HP_OK);
            assert_false(in_set(set, acts[i])); /* listed twice */
            add_to_set(set, acts[i]);
        }
        assert_refusals_change_nothing(race, set, car, dice);
        clear_set(set);
    }
}

/* ---- A race told by its events ------------------------------------------------------------------ */

typedef struct {
    hp_pile hand, draw, discard, play; /* cards face down are still in the hand */
    hp_place place;
    int covered;
    int gear;
    int engine;
    int top;
    int last; /* that came into the play area */
    int status;
    int finished_at;
} told_car;

typedef struct {
    told_car car[HP_CARS_MAX];
    int reserve;
    int round;
    int cars;
    bool over;
} told_race;

static void put(hp_pile *pile, int card, int n)
{
    pile->counts += (uint64_t)n << (8 * card);
}

static void take(hp_pile *pile, int card, int n)
{
    assert_true(hp_count(*pile, (hp_card)card) >= n);
    pile->counts -= (uint64_t)n << (8 * card);
}

static void pay(told_car *car, int heat)
{
    assert_true(car->engine >= heat);
    car->engine -= heat;
    put(&car->discard, HP_HEAT, heat);
    car->top = heat > 0 ? HP_HEAT : car->top;
}

static void move_cards(const hp_event *event, hp_pile *from, hp_pile *to)
{
    for (int i = 0; i < event->count; i++) {
        take(from, event->cards[i], 1);
        put(to, event->cards[i], 1);
    }
}

static void told(void *self, const hp_event *event)
{
    told_race *race = self;
    told_car *car = &race->car[event->car];
    switch ((hp_event_kind)event->kind) {
    case HP_EV_GRID:
        car->place = event->to;
        assert_int_equal(event->to.at, -1 - (event->slot - 1) / 2);
        assert_int_equal(event->to.spot, (event->slot - 1) % 2);
        break;
    case HP_EV_DRAW:
        move_cards(event, &car->draw, &car->hand);
        break;
    case HP_EV_RESHUFFLE:
        assert_int_equal(car->draw.counts, 0);
        assert_int_equal(hp_size(car->discard), event->number);
        car->draw = car->discard;
        car->discard.counts = 0;
        car->top = HP_NO_CARD;
        break;
    case HP_EV_ROUND:
        race->round = event->number;
        break;
    case HP_EV_SHIFT:
        assert_int_equal(car->gear, event->gear_from);
        car->gear = event->gear_to;
        car->covered = event->gear_to;
        pay(car, event->paid);
        break;
    case HP_EV_REVEAL:
        assert_int_equal(event->count, car->covered);
        move_cards(event, &car->hand, &car->play);
        car->covered = 0;
        car->last = event->cards[event->count - 1];
        break;
    case HP_EV_CLUTTERED:
        car->gear = 1;
        break;
    case HP_EV_FLIP:
        take(&car->draw, event->cards[0], 1);
        put(event->kept ? &car->play : &car->discard, event->cards[0], 1);
        *(event->kept ? &car->last : &car->top) = event->cards[0];
        break;
    case HP_EV_MOVE:
        assert_memory_equal(&event->from, &car->place, sizeof car->place);
        assert_in_range(event->to.at - event->from.at, 0, event->number);
        car->place = event->to;
        break;
    case HP_EV_BOOST:
        pay(car, 1);
        break;
    case HP_EV_COOL:
        take(&car->hand, HP_HEAT, event->number);
        car->engine += event->number;
        break;
    case HP_EV_CORNER:
        pay(car, event->paid);
        break;
    case HP_EV_SPIN:
        car->place = event->to;
        car->gear = 1;
        race->reserve -= event->number;
        put(&car->hand, HP_STRESS, event->number);
        break;
    case HP_EV_DISCARD:
        move_cards(event, &car->hand, &car->discard);
        car->top = event->cards[event->count - 1];
        break;
    case HP_EV_REPLENISH:
        car->discard.counts += car->play.counts;
        car->play.counts = 0;
        car->top = car->last; /* R9.2 */
        break;
    case HP_EV_FINISH:
    case HP_EV_RETIRE:
        car->status = event->kind == HP_EV_FINISH ? HP_FINISHED : HP_RETIRED;
        car->finished_at = event->place;
        car->place = (hp_place){0};
        break;
    case HP_EV_END:
        race->over = true;
        assert_int_equal(event->count, race->cars);
        for (int i = 0; i < event->count; i++)
            assert_int_equal(race->car[event->cars[i]].finished_at, i + 1);
        break;
    case HP_EV_KINDS:
        fail();
    }
}

static void told_start(told_race *race, const hp_setup *setup)
{
    memset(race, 0, sizeof *race);
    race->cars = setup->cars;
    race->reserve = HP_STRESS_SUPPLY - setup->cars * setup->track.stress;
    for (int i = 0; i < setup->cars; i++) {
        told_car *car = &race->car[i];
        car->gear = 1;
        car->engine = setup->track.heat - setup->handicap[i];
        car->top = HP_NO_CARD;
        for (int card = HP_ONE; card <= HP_FOUR; card++)
            put(&car->draw, card, 3);
        put(&car->draw, HP_ZERO, 1);
        put(&car->draw, HP_FIVE, 1);
        put(&car->draw, HP_HEAT, 1);
        put(&car->draw, HP_STRESS, setup->track.stress);
    }
}

static void assert_told(const told_race *told_so_far, const hp_race *race)
{
    assert_int_equal(told_so_far->reserve, race->reserve);
    assert_int_equal(told_so_far->round, race->round);
    assert_int_equal(told_so_far->over, race->step == HP_STEP_OVER);
    for (int i = 0; i < race->cars; i++) {
        const told_car *heard_of = &told_so_far->car[i];
        const hp_car *car = &race->car[i];
        assert_int_equal(heard_of->status, car->status);
        assert_int_equal(heard_of->finished_at, car->place);
        assert_int_equal(heard_of->gear, car->gear);
        assert_int_equal(heard_of->engine, car->engine);
        assert_int_equal(hp_size(heard_of->hand) - heard_of->covered, hp_size(car->hand));
        assert_int_equal(heard_of->hand.counts + heard_of->play.counts, car->hand.counts + car->play.counts);
        assert_int_equal(heard_of->draw.counts, car->draw.counts);
        assert_int_equal(heard_of->discard.counts, car->discard.counts);
        assert_int_equal(heard_of->top, car->top);
        if (car->status == HP_RACING) {
            assert_int_equal(heard_of->place.at, hp_progress(race, i));
            assert_int_equal(heard_of->place.spot, car->spot);
        }
    }
}

/* ---- Races ------------------------------------------------------------------------------------- */

typedef struct {
    uint8_t car;
    hp_act act;
} played;

/* The race itself; the same without a listener and with plans in another order; what its events tell. */
typedef struct {
    hp_setup setup;
    hp_race race;
    hp_race silent;
    told_race told;
    bot_dice dice;
    act_set set;
    played record[ACTS_IN_A_RACE];
    int acts;
} race_run;

static hp_act choose(const hp_race *race, int car, bot_dice *dice)
{
    hp_choice choice;
    hp_choose_from(race, car, &choice);
    return bot_any(&choice, dice);
}

static void apply(race_run *run, int car, hp_act act)
{
    const hp_listener listener = {.hear = told, .self = &run->told};
    const uint64_t before = hp_hash(&run->race);
    assert_true(run->acts < ACTS_IN_A_RACE);
    run->record[run->acts++] = (played){(uint8_t)car, act};
    assert_int_equal(hp_apply(&run->race, car, act, &listener), HP_OK);
    assert_true(hp_hash(&run->race) != before);
    assert_sound(&run->race, &run->setup);
    assert_told(&run->told, &run->race);
    assert_lists_sound(&run->race, &run->set, &run->dice);
}

static void apply_silently(race_run *run, int car, hp_act act)
{
    assert_int_equal(hp_apply(&run->silent, car, act, NULL), HP_OK);
}

/* All plan, in the order of their numbers and, in the silent race, shuffled, with second thoughts (R2.3). */
static void plan_round(race_run *run)
{
    hp_act plan[HP_CARS_MAX];
    int who[HP_CARS_MAX], cars = 0;
    for (int i = 0; i < run->race.cars; i++)
        if (run->race.waiting >> i & 1) {
            plan[i] = choose(&run->race, i, &run->dice);
            who[cars++] = i;
        }
    for (int i = 0; i < cars; i++)
        apply(run, who[i], plan[who[i]]);

    for (int i = cars - 1; i > 0; i--) {
        const int j = (int)bot_roll_below(&run->dice, (uint32_t)i + 1);
        const int other = who[j];
        who[j] = who[i];
        who[i] = other;
    }
    const hp_act unplan = {.kind = HP_UNPLAN};
    for (int i = 0; i < cars; i++) {
        if (i > 0 && bot_roll_below(&run->dice, 4) == 0) {
            const int again = who[bot_roll_below(&run->dice, (uint32_t)i)];
            const hp_act other = choose(&run->silent, again, &run->dice);
            apply_silently(run, again, other);
            if (other.kind != HP_UNPLAN && bot_roll_below(&run->dice, 2) == 0)
                apply_silently(run, again, unplan);
            apply_silently(run, again, plan[again]);
        }
        apply_silently(run, who[i], plan[who[i]]);
    }
}

static void start(race_run *run)
{
    const hp_listener listener = {.hear = told, .self = &run->told};
    memset(&run->race, 0xa5, sizeof run->race); /* whatever was there before does not matter */
    memset(&run->silent, 0x5a, sizeof run->silent);
    memset(run->set.slot, 0xff, sizeof run->set.slot);
    run->set.n = 0;
    run->acts = 0;
    told_start(&run->told, &run->setup);
    assert_int_equal(hp_start(&run->race, &run->setup, &listener), HP_OK);
    assert_int_equal(hp_start(&run->silent, &run->setup, NULL), HP_OK);
    assert_sound(&run->race, &run->setup);
    assert_told(&run->told, &run->race);
}

/* The same set-up and the same acts give the same race. */
static void assert_repeats(const race_run *run)
{
    hp_race again;
    assert_int_equal(hp_start(&again, &run->setup, NULL), HP_OK);
    for (int i = 0; i < run->acts; i++)
        assert_int_equal(hp_apply(&again, run->record[i].car, run->record[i].act, NULL), HP_OK);
    assert_memory_equal(&again, &run->race, sizeof again);
    assert_true(hp_hash(&again) == hp_hash(&run->race));
}

static void run_race(race_run *run, hp_track track, int cars, int laps, uint64_t number)
{
    run->dice = (bot_dice){number};
    run->setup = (hp_setup){.track = track, .laps = (uint8_t)laps, .cars = (uint8_t)cars};
    hp_seed_of(1971, number, run->setup.seed);
    for (int i = 0; i < cars; i++)
        run->setup.handicap[i] =
            (uint8_t)(number % 3 == 0 ? bot_roll_below(&run->dice, HP_HANDICAP_MAX + 1) : 0);
    start(run);
    while (run->race.step != HP_STEP_OVER) {
        assert_memory_equal(&run->race, &run->silent, sizeof run->race);
        assert_true(hp_hash(&run->race) == hp_hash(&run->silent));
        if (run->race.step == HP_STEP_PLAN) {
            plan_round(run);
            continue;
        }
        const int car = hp_to_act(&run->race);
        const hp_act act = choose(&run->race, car, &run->dice);
        apply(run, car, act);
        apply_silently(run, car, act);
    }
    assert_memory_equal(&run->race, &run->silent, sizeof run->race);
    assert_int_equal(run->race.finished + run->race.retired, cars);
    assert_true(run->race.finished >= 1); /* R12.3: nobody retires before */
    assert_repeats(run);
}

static race_run *new_run(void)
{
    race_run *run = calloc(1, sizeof *run);
    assert_non_null(run);
    return run;
}

static void short_races_on_every_circuit(void **state)
{
    (void)state;
    race_run *run = new_run();
    uint64_t number = 0;
    for (int again = 0; again < ROUNDS_OF_RACES; again++)
        for (int track = 0; track < hp_circuits() + OWN_TRACKS; track++)
            for (int cars = 1; cars <= HP_CARS_MAX; cars++)
                for (int laps = 1; laps <= 3; laps++)
                    run_race(run, track_number(track), cars, laps, ++number);
    free(run);
}

static void long_races(void **state)
{
    (void)state;
    race_run *run = new_run();
    run_race(run, track_number(0), HP_CARS_MAX, HP_LAPS_MAX, 9001);
    run_race(run, hard_track, HP_CARS_MAX, HP_LAPS_MAX, 9002);
    free(run);
}

/* The largest circuit that there may be: the last spots of the last word of taken. */
static void the_largest_circuit(void **state)
{
    (void)state;
    race_run *run = new_run();
    hp_track track = {
        .spaces = HP_SPACES_MAX, .heat = HP_HEAT_MAX, .stress = HP_STRESS_MAX, .corners = HP_CORNERS_MAX};
    for (int i = 0; i < HP_CORNERS_MAX; i++)
        track.corner[i] =
            (hp_corner){(uint8_t)(HP_SPACES_MAX - 1 - 9 * (HP_CORNERS_MAX - 1 - i)), (uint8_t)(i + 1)};
    run_race(run, track, HP_CARS_MAX, 2, 9003);
    free(run);
}

/* R1.3: on the hard track the reserve is empty at some time, or it would prove nothing. */
static void the_reserve_of_stress_runs_out(void **state)
{
    (void)state;
    race_run *run = new_run();
    int empty = 0;
    for (uint64_t number = 0; number < 5; number++) {
        run_race(run, hard_track, HP_CARS_MAX, 3, 9100 + number);
        empty += run->race.reserve == 0;
    }
    assert_true(empty > 0);
    free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_races_on_every_circuit),
        cmocka_unit_test(long_races),
        cmocka_unit_test(the_largest_circuit),
        cmocka_unit_test(the_reserve_of_stress_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
