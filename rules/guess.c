/* A race that a seat may imagine: what its view shows, and the rest dealt at random. */
#include "rules/engine.h"

#include <string.h>

static hp_pile deal(hp_race *race, hp_pile *from, int n)
{
    hp_pile dealt = {0};
    for (; n > 0; n--)
        dealt.counts += take_at_random(&race->chance, from).counts;
    return dealt;
}

hp_pile hp_known_discard(const hp_view *view, const hp_memory *memory, int number)
{
    hp_pile known = memory->discarded[number];
    const hp_card top = (hp_card)view->car[number].top;
    if (top != HP_NO_CARD && hp_count(known, top) == 0)
        pile_add(&known, top, 1);
    assert(hp_size(known) <= view->car[number].discard);
    return known;
}

hp_pile hp_unseen_cards(const hp_view *view, int number, hp_pile known)
{
    const hp_car_view *car = &view->car[number];
    hp_pile unseen = owned_cards(car->heat - car->engine, car->stress);
    unseen.counts -= car->play.counts + known.counts;
    if (number == view->seat) {
        unseen.counts -= view->choice.hand.counts;
        for (int i = 0; i < car->covered; i++)
            pile_take(&unseen, (hp_card)view->plan[i], 1);
    }
    return unseen;
}

/* R3.3, R3.4: cards that may lie face down, out of the hand. */
static void lay_down(hp_race *race, hp_car *car, int n)
{
    hp_pile playable = pile_only(car->hand, PILE_PLAYABLE);
    for (int i = 0; i < n; i++) {
        hp_pile one = pile_of(HP_HEAT, 1);
        if (playable.counts != 0)
            one = deal(race, &playable, 1);
        car->plan[i] = (uint8_t)pile_lowest(one);
        car->hand.counts -= one.counts;
        car->play.counts += one.counts;
    }
}

/* Another car's secret plan: any that it might have made. */
static void make_up_plan(hp_race *race, int number)
{
    hp_choice choice;
    hp_act acts[HP_ACTS_MAX];
    hp_choose_from(race, number, &choice);
    choice.flags &= (uint8_t)~HP_HAS_PLANNED; /* taking it back is no plan */
    const hp_act act = acts[chance_below(&race->chance, (uint32_t)hp_acts(&choice, acts))];
    race->car[number].planned = act.kind == HP_RETIRE ? HP_PLANS_TO_RETIRE : act.number;
    memcpy(race->car[number].plan, act.cards, sizeof race->car[number].plan);
}

/* Deals n cards, at least so many of them of a sort that may be discarded (R9.1), if they are there. */
static hp_pile deal_with(hp_race *race, hp_pile *from, int n, int discardable)
{
    hp_pile dealt = {0}, sort = pile_only(*from, PILE_DISCARDABLE);
    for (; n > 0 && discardable > 0 && sort.counts != 0; n--, discardable--)
        dealt.counts += deal(race, &sort, 1).counts;
    from->counts -= dealt.counts;
    return (hp_pile){dealt.counts + deal(race, from, n).counts};
}

/* Parts another car's unseen cards where its draw pile has been shuffled (R10.2). What was known then lies there, or is
 * among the cards that were drawn since; of the others those lie there that had been discarded unseen, and the rest does
 * not. Returns how many were drawn of what is left in the draw pile then. */
static int part_shuffled(hp_race *race, hp_pile known, int drawn, int out, hp_pile *draw, hp_pile *others)
{
    const hp_pile unseen = *draw;
    *draw = pile_common(known, unseen);
    others->counts = unseen.counts - draw->counts;
    /* Which of two like cards was played makes no difference: the one that had not been drawn, if it can be. */
    drawn -= hp_size(known) - hp_size(*draw);
    const int least = out - hp_size(*others);
    const int most = out - hp_size(pile_only(*others, ~PILE_DISCARDABLE));
    drawn = drawn < most ? drawn : most;
    drawn = drawn > least ? drawn : least;
    const int unknown = hp_size(*others) - (out - drawn);
    draw->counts += deal_with(race, others, unknown, unknown).counts;
    return drawn;
}

/* Another car's cards that the seat cannot place. */
static void guess_hidden(const hp_view *view, const hp_memory *memory, int number, hp_pile unseen,
                         int in_discard, hp_race *race)
{
    const hp_car_view *seen = &view->car[number];
    hp_car *car = &race->car[number];
    /* R8.2: only a spin-out leaves seven in the hand at the end of a turn, and one of them is its stress. */
    const bool spun =
        view->step == HP_STEP_DISCARD && view->order[view->now] == number && seen->hand == HP_HAND;
    const int stress = memory->stress[number] > spun ? memory->stress[number] : spun;
    pile_take(&unseen, HP_STRESS, stress);

    const int out = seen->hand + seen->covered - stress + in_discard; /* of the draw pile */
    hp_pile draw = unseen, others = {0};
    const int drawn =
        memory->shuffled[number].counts == 0
            ? out
            : part_shuffled(race, memory->shuffled[number], memory->drawn[number], out, &draw, &others);
    const int lacking = memory->hidden[number] - hp_size(pile_only(others, PILE_DISCARDABLE));
    others.counts += deal_with(race, &draw, drawn, lacking).counts;
    car->discard.counts += deal_with(race, &others, in_discard, memory->hidden[number]).counts;
    pile_add(&others, HP_STRESS, stress);
    car->hand = others;
    car->draw = draw;
    lay_down(race, car, seen->covered);
}

static void guess_car(const hp_view *view, const hp_memory *memory, int number, hp_race *race)
{
    const hp_car_view *seen = &view->car[number];
    hp_car *car = &race->car[number];
    const hp_pile known = hp_known_discard(view, memory, number);
    hp_pile unseen = hp_unseen_cards(view, number, known);
    const int in_discard = seen->discard - hp_size(known);
    *car = (hp_car){.play = seen->play,
                    .discard = known,
                    .gear = seen->gear,
                    .engine = seen->engine,
                    .top = seen->top,
                    .status = seen->status,
                    .place = seen->finished_at};
    if (seen->status == HP_RACING) {
        const road_stand stand = road_stand_at(&view->track, seen->place);
        car->lap = (int8_t)stand.lap;
        car->space = (uint8_t)stand.space;
        car->spot = (uint8_t)stand.spot;
        road_toggle(race->taken, car->space, car->spot);
    }
    if (number != view->seat) {
        guess_hidden(view, memory, number, unseen, in_discard, race);
        return;
    }
    car->hand = view->choice.hand;
    car->planned = view->planned;
    memcpy(car->plan, view->plan, sizeof car->plan);
    for (int i = 0; i < seen->covered; i++)
        pile_add(&car->play, (hp_card)view->plan[i], 1);
    car->discard.counts += deal(race, &unseen, in_discard).counts;
    car->draw = unseen;
}

void hp_guess(const hp_view *view, const uint8_t seed[HP_SEED_BYTES], hp_race *race)
{
    const hp_memory nothing = {0};
    hp_guess_knowing(view, &nothing, seed, race);
}

void hp_guess_knowing(const hp_view *view, const hp_memory *memory, const uint8_t seed[HP_SEED_BYTES],
                      hp_race *race)
{
    memset(race, 0, sizeof *race);
    hp_chance_seed(&race->chance, seed);
    race->track = view->track;
    race->turn = view->turn;
    race->round = view->round;
    memcpy(race->order, view->order, sizeof race->order);
    race->in_order = view->in_order;
    race->now = view->now;
    race->adrenaline = view->adrenaline;
    race->step = view->step;
    race->cars = view->cars;
    race->laps = view->laps;
    race->reserve = view->reserve;
    for (int i = 0; i < race->cars; i++) {
        guess_car(view, memory, i, race);
        race->finished = (uint8_t)(race->finished + (race->car[i].status == HP_FINISHED));
        race->retired = (uint8_t)(race->retired + (race->car[i].status == HP_RETIRED));
    }
    for (int i = 0; i < race->cars; i++) {
        const bool racing = race->car[i].status == HP_RACING;
        const bool awaited = race->step == HP_STEP_PLAN
                                 ? racing && !view->car[i].has_planned
                                 : race->step != HP_STEP_OVER && race->order[race->now] == i;
        race->waiting |= (uint8_t)(awaited << i);
        if (view->car[i].has_planned && i != view->seat)
            make_up_plan(race, i);
    }
}

/* ---- Memory ----------------------------------------------------------------------------------- */

static void discarded(hp_memory *memory, int car, hp_card card, int n)
{
    pile_add(&memory->discarded[car], card, n);
}

void hp_remember(hp_memory *memory, const hp_event *seen)
{
    const int car = seen->car;
    switch ((hp_event_kind)seen->kind) {
    case HP_EV_RESHUFFLE:
        memory->shuffled[car] = memory->discarded[car];
        memory->discarded[car].counts = 0;
        memory->drawn[car] = memory->hidden[car] = 0;
        break;
    case HP_EV_DRAW:
        memory->drawn[car] = (uint8_t)(memory->drawn[car] + seen->count);
        break;
    case HP_EV_SHIFT:
    case HP_EV_CORNER:
        discarded(memory, car, HP_HEAT, seen->paid);
        break;
    case HP_EV_BOOST:
        discarded(memory, car, HP_HEAT, 1);
        break;
    case HP_EV_REVEAL:
        for (int i = 0; i < seen->count; i++) {
            pile_add(&memory->play[car], (hp_card)seen->cards[i], 1);
            if (seen->cards[i] == HP_STRESS && memory->stress[car] > 0)
                memory->stress[car]--;
        }
        break;
    case HP_EV_SPIN:
        memory->stress[car] = (uint8_t)(memory->stress[car] + seen->number);
        break;
    case HP_EV_FLIP:
        if (hp_count(memory->shuffled[car], (hp_card)seen->cards[0]) > 0)
            pile_take(&memory->shuffled[car], (hp_card)seen->cards[0], 1);
        if (seen->kept)
            pile_add(&memory->play[car], (hp_card)seen->cards[0], 1);
        else
            discarded(memory, car, (hp_card)seen->cards[0], 1);
        break;
    case HP_EV_DISCARD: /* of others only the one on top is seen (R13.4) */
        for (int i = 0; i < seen->count; i++)
            if (seen->cards[i] != HP_NO_CARD)
                discarded(memory, car, (hp_card)seen->cards[i], 1);
            else
                memory->hidden[car]++;
        break;
    case HP_EV_REPLENISH:
        memory->discarded[car].counts += memory->play[car].counts;
        memory->play[car].counts = 0;
        break;
    case HP_EV_GRID:
    case HP_EV_ROUND:
    case HP_EV_CLUTTERED:
    case HP_EV_MOVE:
    case HP_EV_COOL:
    case HP_EV_FINISH:
    case HP_EV_RETIRE:
    case HP_EV_END:
    case HP_EV_KINDS:
        break;
    }
}
