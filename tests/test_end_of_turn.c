/* Proves R9, discarding, R10, replenishing, and with them the order of a discard pile. */
#include "support.h"

#include "bots/bots.h"

#define TRACK "o=40,6,3" /* no corner in the way */

/* Every card of a car is 111222333444 0 5 HHHHHHH SSS: 24, whose places the tests give. */

/* A generator's seed; one that starts at another draw goes other ways, so what holds for all is no luck. */
#define ZEROES "0000000000000000000000000000000000000000000000000000000000000000"

/* Leaves reaction and slipstream unused, up to the running car's discard. */
static void to_discard(hp_race *race)
{
    const int car = hp_to_act(race);
    while (race->step == HP_STEP_REACT || race->step == HP_STEP_SLIP)
        play(race, car, race->step == HP_STEP_REACT ? "done" : "stay", NULL);
    assert_int_equal(race->step, HP_STEP_DISCARD);
}

/* ---- R9.1 -------------------------------------------------------------------------------------- */

/* Without it a car could get rid of stress and Heat by throwing them away. */
static void r9_1_any_cards_but_stress_and_heat(void **state)
{
    (void)state;
    hp_race race = race_at(TRACK " 1 7 0 discard:0:2:4:4 6.0/1/6/0125HS/*/-/4");
    refused(&race, 0, "discard H", HP_NOT_DISCARDABLE);
    refused(&race, 0, "discard S", HP_NOT_DISCARDABLE);
    refused(&race, 0, "discard 1 S", HP_NOT_DISCARDABLE);
    refused(&race, 0, "discard H 2", HP_NOT_DISCARDABLE);
    refused(&race, 0, "discard 3", HP_DISCARD_NOT_IN_HAND);
    refused(&race, 0, "discard 1 1", HP_DISCARD_NOT_IN_HAND);
    static const char *const allowed[] = {"discard 1", "discard 2 1", "discard 1 2", "discard 0 1 2 5"};
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        assert_true(offered(&race, 0, allowed[i]));
    hp_choice choice;
    hp_act acts[HP_ACTS_MAX];
    hp_choose_from(&race, 0, &choice);
    for (int i = hp_acts(&choice, acts) - 1; i >= 0; i--)
        for (int k = 0; k < acts[i].number; k++)
            assert_true(acts[i].cards[k] != HP_HEAT && acts[i].cards[k] != HP_STRESS);
}

/* Without it the upgrades would be stuck in the hand like stress. */
static void r9_1_zero_and_five_may_be_discarded(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = race_at(TRACK " 1 7 0 discard:0:2:4:4 6.0/1/6/0125HS/*/-/4");
    assert_true(offered(&race, 0, "discard 0"));
    assert_true(offered(&race, 0, "discard 5"));
    play(&race, 0, "discard 5 0", &events);
    const hp_event *discard = heard(&events, HP_EV_DISCARD, 0);
    assert_int_equal(discard->car, 0);
    assert_int_equal(discard->count, 2);
    assert_pile(race.car[0].discard, "504");
    assert_int_equal(heard(&events, HP_EV_DRAW, 0)->count, 3); /* for the two and the one played */
}

/* Without it discarding would be a duty, or a car without a card for it would be stuck. */
static void r9_1_keeping_all_is_allowed(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = race_at(TRACK " 1 7 0 discard:0:2:4:4 6.0/1/3/HHHSSS/*/-/4");
    hp_choice choice;
    hp_act acts[HP_ACTS_MAX];
    hp_choose_from(&race, 0, &choice);
    assert_int_equal(hp_acts(&choice, acts), 1);
    assert_true(offered(&race, 0, "keep"));
    play(&race, 0, "keep", &events);
    assert_null(heard(&events, HP_EV_DISCARD, 0));
    assert_int_equal(hp_count(race.car[0].hand, HP_STRESS), 3);

    race = race_at(TRACK " 1 7 0 discard:0:2:4:4 6.0/1/6/112233/*/-/4");
    play(&race, 0, "keep", &events);
    assert_null(heard(&events, HP_EV_DISCARD, 0));
    assert_pile(race.car[0].discard, "4");
}

/* ---- R9.1: what is offered, against brute force ------------------------------------------------- */

enum { DISCARDS_MAX = 6 * 64 };

typedef struct {
    uint64_t set[DISCARDS_MAX]; /* the cards as a pile */
    uint8_t top[DISCARDS_MAX];
    int n;
} discards;

static bool has(const discards *all, uint64_t set, uint8_t top)
{
    for (int i = 0; i < all->n; i++)
        if (all->set[i] == set && all->top[i] == top)
            return true;
    return false;
}

/* Every way to put card after card down, until the hand is empty. */
static void put_down(const uint8_t *hand, int n, unsigned used, uint64_t set, discards *all)
{
    for (int i = 0; i < n; i++) {
        if (used >> i & 1 || hand[i] == HP_HEAT || hand[i] == HP_STRESS)
            continue;
        const uint64_t more = set + (UINT64_C(1) << (8 * hand[i]));
        if (!has(all, more, hand[i])) {
            assert_true(all->n < DISCARDS_MAX);
            all->set[all->n] = more;
            all->top[all->n++] = hand[i];
        }
        put_down(hand, n, used | 1u << i, more, all);
    }
}

/* Returns how many acts there are. */
static int compare_discards(const uint8_t *hand, int n)
{
    hp_choice choice = {.step = HP_STEP_DISCARD, .gear = 1};
    hp_act acts[HP_ACTS_MAX];
    static discards expected, listed;
    expected.n = listed.n = 0;
    for (int i = 0; i < n; i++)
        choice.hand.counts += UINT64_C(1) << (8 * hand[i]);
    put_down(hand, n, 0, 0, &expected);
    const int count = hp_acts(&choice, acts);
    int keeps = 0;
    for (int i = 0; i < count; i++) {
        assert_int_equal(hp_check(&choice, acts[i]), HP_OK);
        if (acts[i].kind == HP_KEEP) {
            keeps++;
            continue;
        }
        assert_int_equal(acts[i].kind, HP_DISCARD);
        uint64_t set = 0;
        for (int k = 0; k < acts[i].number; k++)
            set += UINT64_C(1) << (8 * acts[i].cards[k]);
        const uint8_t top = acts[i].cards[acts[i].number - 1];
        assert_false(has(&listed, set, top)); /* once */
        assert_true(has(&expected, set, top));
        listed.set[listed.n] = set;
        listed.top[listed.n++] = top;
    }
    assert_int_equal(keeps, 1);
    assert_int_equal(listed.n, expected.n);
    return count;
}

/* Without it a discard would be missing among those offered, or a search would weigh one of them twice. */
static void r9_1_r9_2_every_discard_by_set_and_top_is_offered_once(void **state)
{
    (void)state;
    static const uint8_t deck[] = {HP_ONE,   HP_ONE,    HP_ONE,    HP_TWO,   HP_TWO,  HP_TWO,
                                   HP_THREE, HP_THREE,  HP_FOUR,   HP_FOUR,  HP_FOUR, HP_ZERO,
                                   HP_FIVE,  HP_HEAT,   HP_HEAT,   HP_HEAT,  HP_HEAT, HP_HEAT,
                                   HP_THREE, HP_STRESS, HP_STRESS, HP_STRESS};
    bot_dice dice = {9};
    for (int round = 0; round < 400; round++) {
        uint8_t hand[sizeof deck];
        memcpy(hand, deck, sizeof deck);
        const int n = round % (HP_ACT_CARDS + 1);
        for (int i = 0; i < n; i++) {
            const uint32_t j = (uint32_t)i + bot_roll_below(&dice, (uint32_t)(sizeof deck) - (uint32_t)i);
            const uint8_t other = hand[j];
            hand[j] = hand[i];
            hand[i] = other;
        }
        assert_true(compare_discards(hand, n) <= HP_ACTS_MAX);
    }
}

/* Without it the documented maximum would be a number that nothing reaches, or that something exceeds. */
static void r9_1_six_different_cards_in_first_gear_are_the_most_acts(void **state)
{
    (void)state;
    static const uint8_t hand[] = {HP_ZERO, HP_ONE, HP_TWO, HP_THREE, HP_FOUR, HP_FIVE};
    assert_int_equal(compare_discards(hand, 6), 193);
    assert_int_equal(HP_ACTS_MAX, 193);
    const hp_race race = race_at(TRACK " 1 7 0 discard:0:2:4:4 6.0/1/6/012345/*/-/4");
    hp_choice choice;
    hp_act acts[HP_ACTS_MAX];
    hp_choose_from(&race, 0, &choice);
    assert_int_equal(hp_acts(&choice, acts), HP_ACTS_MAX);
}

/* ---- R9.2 -------------------------------------------------------------------------------------- */

/* Without the ruling nobody could say which of several discarded cards is seen. */
static void r9_2_named_order_last_on_top(void **state)
{
    (void)state;
    static const struct {
        const char *act;
        uint8_t cards[HP_ACT_CARDS];
        int n;
    } cases[] = {
        {"discard 1 2 3", {HP_ONE, HP_TWO, HP_THREE}, 3},
        {"discard 3 2 1", {HP_THREE, HP_TWO, HP_ONE}, 3},
        {"discard 5 1 2 3 4 0", {HP_FIVE, HP_ONE, HP_TWO, HP_THREE, HP_FOUR, HP_ZERO}, 6},
        {"discard 4", {HP_FOUR}, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        heard_events events = {0};
        hp_race race = race_at(TRACK " 1 7 0 discard:0:2:4:4 6.0/1/6/012345/*/-/4");
        play(&race, 0, cases[i].act, &events);
        const hp_event *discard = heard(&events, HP_EV_DISCARD, 0);
        assert_int_equal(discard->count, cases[i].n);
        assert_memory_equal(discard->cards, cases[i].cards, (size_t)cases[i].n);
        assert_int_equal(race.car[0].top, HP_FOUR); /* the play area comes later, on top of them */
        const hp_event seen = hp_event_for(discard, 1);
        assert_int_equal(seen.cards[cases[i].n - 1], cases[i].cards[cases[i].n - 1]);
    }
}

/* Without it the cards of a plan would be sorted by kind when they reach the discard pile. */
static void r9_2_played_order_last_on_top(void **state)
{
    (void)state;
    static const struct {
        const char *plan;
        hp_card top;
    } cases[] = {{"plan 3 1 2 3", HP_THREE}, {"plan 3 3 2 1", HP_ONE}, {"plan 3 3 1 2", HP_TWO},
                 {"plan 3 2 5 0", HP_ZERO},  {"plan 2 0 5", HP_FIVE},  {"plan 1 2", HP_TWO}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hp_race race = race_at(TRACK " 1 7 0 plan 6.0/2/6/012345S/*/-/-");
        play(&race, 0, cases[i].plan, NULL);
        to_discard(&race);
        play(&race, 0, "keep", NULL);
        assert_int_equal(race.car[0].top, cases[i].top);
    }
}

/* Without it the cards of a cluttered hand would lie in another order than they were played in. */
static void r9_2_cluttered_cards_in_the_order_played(void **state)
{
    (void)state;
    static const struct {
        const char *plan;
        hp_card top;
    } cases[] = {{"plan 3 1 2 H", HP_HEAT}, {"plan 3 H 2 1", HP_ONE}, {"plan 3 H 1 2", HP_TWO}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hp_race race = race_at(TRACK " 1 7 0 plan 6.0/2/2/12HHHHH/*/-/-");
        play(&race, 0, cases[i].plan, NULL);
        assert_int_equal(race.car[0].top, cases[i].top);
        assert_pile(race.car[0].discard, "12H");
    }
}

/* Without it the stress card would lie over the card that it turned over. */
static void r9_2_flips_lie_over_the_cards_played(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = race_at(TRACK " 1 7 0 plan 6.0/1/6/22334SS/111/052344SH/-");
    play(&race, 0, "plan 1 S", &events);
    assert_int_equal(heard(&events, HP_EV_FLIP, 0)->cards[0], HP_ONE);
    to_discard(&race);
    play(&race, 0, "keep", NULL);
    assert_int_equal(race.car[0].top, HP_ONE);

    race = race_at(TRACK " 1 7 0 plan 6.0/1/6/22334SS/111/052344SH/-");
    play(&race, 0, "plan 2 S 4", NULL);
    to_discard(&race);
    play(&race, 0, "keep", NULL);
    assert_int_equal(race.car[0].top, HP_ONE); /* and not the 4, played after the stress card */
}

/* Without it the boost's card would come under what the plan laid down. */
static void r9_2_boost_flip_last(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = race_at(TRACK " 1 7 0 react:0:2:4:4:b 6.0/2/6/2233S/111/05244SSH/34");
    play(&race, 0, "boost", &events);
    assert_int_equal(heard(&events, HP_EV_FLIP, 0)->cards[0], HP_ONE);
    assert_pile(race.car[0].play, "134");
    to_discard(&race);
    play(&race, 0, "discard 3 2", &events);
    assert_int_equal(race.car[0].top, HP_NO_CARD); /* four to draw, two left: shuffled away */
    assert_int_equal(heard_count(&events, HP_EV_RESHUFFLE), 1);

    race = race_at(TRACK " 1 7 0 react:0:2:4:4:b 6.0/2/6/2233S/111/05244SSH/34");
    play(&race, 0, "boost", NULL);
    to_discard(&race);
    play(&race, 0, "keep", NULL); /* two to draw: just the two left */
    assert_int_equal(race.car[0].top, HP_ONE);
}

/* Without it Heat paid, and cards turned over in vain, would not be seen on the discard pile. */
static void r9_2_what_reached_the_pile_last_is_on_top(void **state)
{
    (void)state;
    heard_events events = {0};
    /* Paid for the shift: on top until the turn ends. */
    hp_race race = race_at(TRACK " 1 7 0 plan 6.0/1/6/112233S/*/5/-");
    play(&race, 0, "plan 3 1 2 3", &events);
    assert_int_equal(heard(&events, HP_EV_SHIFT, 0)->paid, 1);
    assert_int_equal(race.car[0].top, HP_HEAT);
    assert_pile(race.car[0].discard, "5H");

    /* Paid for the boost before its card is turned over: what is turned over in vain lies over it. */
    int in_vain = 0, at_once = 0;
    for (int drawn = 0; drawn < 40; drawn++) {
        race = race_of(TRACK " 1 7 0 react:0:2:4:4:b 6.0/1/6/112233/*/-/4 "
                             "@" ZEROES ":%d",
                       drawn);
        play(&race, 0, "boost", &events);
        const int flips = heard_count(&events, HP_EV_FLIP);
        const int expected = flips > 1 ? heard(&events, HP_EV_FLIP, flips - 2)->cards[0] : HP_HEAT;
        assert_int_equal(race.car[0].top, expected);
        assert_true(heard(&events, HP_EV_FLIP, flips - 1)->kept);
        assert_int_equal(hp_size(race.car[0].discard), flips); /* the Heat, and all but the last */
        in_vain += flips > 1;
        at_once += flips == 1;
    }
    assert_true(in_vain > 0 && at_once > 0);

    /* Paid at a corner: on top when it is to discard. */
    race = race_at("c=40,6,3,10/4 1 7 0 react:0:9:6:4:b 12.0/1/6/112233/*/05/4");
    play(&race, 0, "done", NULL);
    assert_int_equal(race.car[0].top, HP_HEAT);
    assert_pile(race.car[0].discard, "05HH");
}

/* ---- R10.1 ------------------------------------------------------------------------------------- */

/* Without it the cards played would stay in the play area, or come back into the hand. */
static void r10_1_play_area_to_discard_then_draws_to_seven(void **state)
{
    (void)state;
    static const struct {
        const char *car, *act;
        const char *discard;
        int drawn;
    } cases[] = {
        {"1/6/112233/*/-/4", "keep", "4", 1},
        {"2/6/11223/*/5/34", "keep", "534", 2},
        {"4/6/112/*/-/2334", "keep", "2334", 4},
        {"4/6/112/*/-/2334", "discard 1 2 1", "1122334", 7},
        {"1/6/112233/*/-/4", "discard 1 2 3", "1234", 4},
        {"1/6/112/*/-/34", "keep", "34", 4}, /* cooled or turned over: whatever is missing */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        heard_events events = {0};
        hp_race race = race_of(TRACK " 1 7 0 discard:0:2:4:4 6.0/%s", cases[i].car);
        const int pile = hp_size(race.car[0].draw);
        play(&race, 0, cases[i].act, &events);
        assert_pile(race.car[0].discard, cases[i].discard);
        assert_pile(race.car[0].play, "-");
        assert_int_equal(hp_size(race.car[0].hand), 7);
        assert_int_equal(hp_size(race.car[0].draw), pile - cases[i].drawn);
        assert_int_equal(heard_count(&events, HP_EV_REPLENISH), 1);
        assert_int_equal(heard_count(&events, HP_EV_DRAW), 1);
        assert_int_equal(heard(&events, HP_EV_DRAW, 0)->count, cases[i].drawn);
        /* First the discard pile, then the draw; and what was drawn came from the draw pile to the hand. */
        assert_true(heard(&events, HP_EV_REPLENISH, 0) < heard(&events, HP_EV_DRAW, 0));
        hp_pile drawn = {0};
        for (int k = 0; k < cases[i].drawn; k++)
            drawn.counts += UINT64_C(1) << (8 * heard(&events, HP_EV_DRAW, 0)->cards[k]);
        const hp_race before = race_of(TRACK " 1 7 0 discard:0:2:4:4 6.0/%s", cases[i].car);
        assert_int_equal(before.car[0].draw.counts - race.car[0].draw.counts, drawn.counts);
    }
}

/* Without it a spin-out in first gear, which fills the hand by itself, would lead to eight cards. */
static void r10_1_a_full_hand_draws_nothing(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = race_at("c=40,6,3,10/4 1 7 0 react:0:9:6:4:a 12.0/1/0/112233/*/-/4");
    play(&race, 0, "done", &events);
    assert_int_equal(heard_count(&events, HP_EV_SPIN), 1);
    play(&race, 0, "keep", &events);
    assert_int_equal(heard_count(&events, HP_EV_REPLENISH), 1);
    assert_null(heard(&events, HP_EV_DRAW, 0));
    assert_pile(race.car[0].hand, "112233S");
    assert_pile(race.car[0].discard, "4");
}

/* Without it a cluttered car would skip replenishing along with the rest of its turn. */
static void r10_1_r3_5_cluttered_car_replenishes(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = race_at(TRACK " 1 7 0 plan 6.0/2/2/12HHHHH/334/112234405SSS/-");
    play(&race, 0, "plan 3 1 2 H", &events);
    assert_int_equal(heard_count(&events, HP_EV_CLUTTERED), 1);
    assert_int_equal(heard(&events, HP_EV_DRAW, 0)->count, 3);
    assert_pile(race.car[0].hand, "334HHHH");
}

/* ---- R10.2 ------------------------------------------------------------------------------------- */

/* Without it the discard pile would be shuffled in as soon as the draw pile is empty, in sight of nobody. */
static void r10_2_not_before_a_card_is_needed(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = race_at(TRACK " 1 7 0 discard:0:2:4:4 6.0/2/6/11223/12/0345SSSH4/34");
    play(&race, 0, "keep", &events); /* two to draw, two there */
    assert_null(heard(&events, HP_EV_RESHUFFLE, 0));
    assert_int_equal(heard_count(&events, HP_EV_DRAW), 1);
    assert_pile(race.car[0].hand, "1112223");
    assert_pile(race.car[0].draw, "-");
    assert_pile(race.car[0].discard, "0335SSSH444");
    assert_int_equal(race.car[0].top, HP_FOUR);

    race = race_at(TRACK " 1 7 0 react:0:2:4:4:b 6.0/2/6/11223/1/02345SSSH4/34");
    play(&race, 0, "boost", &events); /* takes the last one */
    assert_null(heard(&events, HP_EV_RESHUFFLE, 0));
    assert_pile(race.car[0].draw, "-");
    assert_pile(race.car[0].discard, "02345SSSHH4");
}

/* Without it drawing would stop at the end of the pile; and a listener could not tell the two runs apart. */
static void r10_2_in_the_middle_of_drawing(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = race_at(TRACK " 1 7 0 discard:0:2:4:4 6.0/3/6/1122/12/0345SSSH4/334");
    play(&race, 0, "discard 2 1", &events); /* five to draw, two there */
    assert_int_equal(heard_count(&events, HP_EV_DRAW), 2);
    assert_int_equal(heard_count(&events, HP_EV_RESHUFFLE), 1);
    const hp_event *first = heard(&events, HP_EV_DRAW, 0);
    const hp_event *reshuffle = heard(&events, HP_EV_RESHUFFLE, 0);
    const hp_event *second = heard(&events, HP_EV_DRAW, 1);
    assert_true(first < reshuffle && reshuffle < second);
    assert_int_equal(first->count, 2);
    assert_int_equal(first->cards[0] + first->cards[1], HP_ONE + HP_TWO);
    assert_int_equal(second->count, 3);
    assert_int_equal(reshuffle->number, 9 + 2 + 3); /* what lay there, the two discarded, the three played */
    assert_int_equal(hp_size(race.car[0].draw), 11);
    assert_pile(race.car[0].discard, "-");
    assert_int_equal(race.car[0].top, HP_NO_CARD);
}

/* Without it an empty pile before the first draw would be a draw from nothing. */
static void r10_2_at_the_first_draw(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = race_at(TRACK " 1 7 0 discard:0:2:4:4 6.0/1/6/112233/-/123405SSSH4/4");
    play(&race, 0, "keep", &events);
    assert_int_equal(heard(&events, HP_EV_RESHUFFLE, 0)->number, 12);
    assert_int_equal(heard_count(&events, HP_EV_DRAW), 1);
    assert_true(heard(&events, HP_EV_RESHUFFLE, 0) < heard(&events, HP_EV_DRAW, 0));
    assert_int_equal(hp_size(race.car[0].draw), 11);
    assert_pile(race.car[0].discard, "-");
}

/* Without it a card in play could be turned over by the flip that it asked for. */
static void r10_2_play_area_is_no_part_of_a_reshuffle(void **state)
{
    (void)state;
    for (int drawn = 0; drawn < 40; drawn++) {
        heard_events events = {0};
        hp_race race =
            race_of(TRACK " 1 7 0 react:0:2:4:4:b 6.0/1/6/222333/-/11144SSSH05/4 @" ZEROES ":%d", drawn);
        play(&race, 0, "boost", &events);
        const int flips = heard_count(&events, HP_EV_FLIP);
        const hp_card card = (hp_card)heard(&events, HP_EV_FLIP, flips - 1)->cards[0];
        assert_int_equal(heard_count(&events, HP_EV_RESHUFFLE), 1);
        assert_int_equal(heard(&events, HP_EV_RESHUFFLE, 0)->number, 12); /* with the Heat just paid */
        assert_pile(race.car[0].play, card == HP_ONE ? "14" : "44");
        const hp_pile rest = {race.car[0].draw.counts + race.car[0].discard.counts};
        assert_pile(rest, card == HP_ONE ? "1144SSSHH05" : "1114SSSHH05");
        assert_int_equal(hp_size(race.car[0].discard), flips - 1);

        race = race_of(TRACK " 1 7 0 plan 6.0/2/6/SSS1122/-/12333444H05/- @" ZEROES ":%d", drawn);
        play(&race, 0, "plan 3 S S S", &events);
        assert_int_equal(heard_count(&events, HP_EV_RESHUFFLE), 1);
        assert_int_equal(heard(&events, HP_EV_RESHUFFLE, 0)->number, 11);
        for (int i = 0; i < heard_count(&events, HP_EV_FLIP); i++)
            assert_int_not_equal(heard(&events, HP_EV_FLIP, i)->cards[0], HP_STRESS);
        assert_int_equal(hp_count(race.car[0].play, HP_STRESS), 3);
        assert_int_equal(hp_size(race.car[0].play), 6);
    }
}

/* Without it a flip would fail at the end of the pile; what it turned over in vain is shuffled in again. */
static void r10_2_r4_2_in_the_middle_of_a_flip(void **state)
{
    (void)state;
    heard_events events = {0};
    hp_race race = race_at(TRACK " 1 7 0 react:0:2:4:4:b 6.0/1/6/222333/0/11144SSSH5/4");
    play(&race, 0, "boost", &events);
    const hp_event *flip = heard(&events, HP_EV_FLIP, 0);
    assert_int_equal(flip->cards[0], HP_ZERO);
    assert_false(flip->kept);
    const hp_event *reshuffle = heard(&events, HP_EV_RESHUFFLE, 0);
    assert_true(flip < reshuffle && reshuffle < heard(&events, HP_EV_FLIP, 1));
    assert_int_equal(reshuffle->number, 12);
    assert_int_equal(hp_size(race.car[0].play), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(r9_1_any_cards_but_stress_and_heat),
        cmocka_unit_test(r9_1_zero_and_five_may_be_discarded),
        cmocka_unit_test(r9_1_keeping_all_is_allowed),
        cmocka_unit_test(r9_1_r9_2_every_discard_by_set_and_top_is_offered_once),
        cmocka_unit_test(r9_1_six_different_cards_in_first_gear_are_the_most_acts),
        cmocka_unit_test(r9_2_named_order_last_on_top),
        cmocka_unit_test(r9_2_played_order_last_on_top),
        cmocka_unit_test(r9_2_cluttered_cards_in_the_order_played),
        cmocka_unit_test(r9_2_flips_lie_over_the_cards_played),
        cmocka_unit_test(r9_2_boost_flip_last),
        cmocka_unit_test(r9_2_what_reached_the_pile_last_is_on_top),
        cmocka_unit_test(r10_1_play_area_to_discard_then_draws_to_seven),
        cmocka_unit_test(r10_1_a_full_hand_draws_nothing),
        cmocka_unit_test(r10_1_r3_5_cluttered_car_replenishes),
        cmocka_unit_test(r10_2_not_before_a_card_is_needed),
        cmocka_unit_test(r10_2_in_the_middle_of_drawing),
        cmocka_unit_test(r10_2_at_the_first_draw),
        cmocka_unit_test(r10_2_play_area_is_no_part_of_a_reshuffle),
        cmocka_unit_test(r10_2_r4_2_in_the_middle_of_a_flip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
