/* A race in progress as one line: docs/POSITION.md. */
#include "record/track_text.h"
#include "rules/engine.h"

#include <string.h>

static const char *const step_names[] = {
    [HP_STEP_PLAN] = "plan",       [HP_STEP_REACT] = "react", [HP_STEP_SLIP] = "slip",
    [HP_STEP_DISCARD] = "discard", [HP_STEP_OVER] = "over",
};

/* ---- Writing ---------------------------------------------------------------------------------- */

static void out_pile(text_out *out, hp_pile pile)
{
    if (pile.counts == 0)
        hp_out_char(out, '-');
    for (int i = 0; i < hp_size(pile); i++)
        hp_out_char(out, hp_card_letter(pile_lowest(pile_kth(pile, i))));
}

static void out_place(text_out *out, const hp_race *race, int number)
{
    const hp_car *car = &race->car[number];
    if (car->status == HP_RACING) {
        hp_out_number(out, hp_progress(race, number));
        hp_out_char(out, '.');
        hp_out_number(out, car->spot);
    } else {
        hp_out_char(out, car->status == HP_FINISHED ? 'F' : 'X');
        hp_out_number(out, car->place);
    }
}

/* The top card last. */
static void out_discard(text_out *out, const hp_car *car)
{
    hp_pile under = car->discard;
    if (under.counts == 0) {
        hp_out_char(out, '-');
        return;
    }
    pile_take(&under, (hp_card)car->top, 1);
    if (under.counts != 0)
        out_pile(out, under);
    hp_out_char(out, hp_card_letter((hp_card)car->top));
}

static void out_cards(text_out *out, const uint8_t *cards, int n)
{
    for (int i = 0; i < n; i++)
        hp_out_char(out, hp_card_letter((hp_card)cards[i]));
}

/* A plan, cards face down in the order named, or those revealed. */
static void out_play(text_out *out, const hp_race *race, int number)
{
    const hp_car *car = &race->car[number];
    if (car->planned == HP_PLANS_TO_RETIRE) {
        hp_out_text(out, ">X");
    } else if (car->planned != 0) {
        hp_out_char(out, '>');
        out_cards(out, car->plan, car->planned);
    } else if (covered(race, number)) {
        out_cards(out, car->plan, car->gear);
    } else {
        out_pile(out, car->play);
    }
}

static void out_turn(text_out *out, const hp_race *race)
{
    const hp_turn *turn = &race->turn;
    hp_out_char(out, ':');
    hp_out_number(out, race->order[race->now]);
    hp_out_char(out, ':');
    hp_out_number(out, road_progress(&race->track, turn->lap, turn->space));
    hp_out_char(out, ':');
    hp_out_number(out, turn->speed);
    hp_out_char(out, ':');
    hp_out_char(out, hp_card_letter((hp_card)turn->last));
    if (race->step != HP_STEP_REACT)
        return;
    hp_out_char(out, ':');
    if (turn->cool)
        hp_out_char(out, 'c');
    if (turn->boost)
        hp_out_char(out, 'b');
    if (turn->adrenaline_cool)
        hp_out_char(out, 'a');
    if (turn->adrenaline_move)
        hp_out_char(out, 'm');
}

size_t hp_position_write(const hp_race *race, const char *circuit, char *buffer, size_t size)
{
    text_out out = hp_text_into(buffer, size);
    hp_out_text(&out, circuit);
    if (!hp_track_is_built_in(circuit, &race->track, NULL)) {
        hp_out_char(&out, '=');
        hp_out_track(&out, &race->track);
    }
    hp_out_char(&out, ' ');
    hp_out_number(&out, race->laps);
    hp_out_char(&out, ' ');
    hp_out_number(&out, race->round);
    hp_out_char(&out, ' ');
    if (race->in_order == 0)
        hp_out_char(&out, '-');
    for (int i = 0; i < race->in_order; i++)
        hp_out_number(&out, race->order[i]);
    hp_out_char(&out, ' ');
    hp_out_text(&out, step_names[race->step]);
    if (race->step != HP_STEP_PLAN && race->step != HP_STEP_OVER)
        out_turn(&out, race);
    for (int i = 0; i < race->cars; i++) {
        const hp_car *car = &race->car[i];
        hp_out_char(&out, ' ');
        out_place(&out, race, i);
        hp_out_char(&out, '/');
        hp_out_number(&out, car->gear);
        hp_out_char(&out, '/');
        hp_out_number(&out, car->engine);
        hp_out_char(&out, '/');
        out_pile(&out, car->hand);
        hp_out_char(&out, '/');
        out_pile(&out, car->draw);
        hp_out_char(&out, '/');
        out_discard(&out, car);
        hp_out_char(&out, '/');
        out_play(&out, race, i);
    }
    uint8_t seed[HP_SEED_BYTES];
    char hex[HP_SEED_TEXT];
    for (int i = 0; i < HP_SEED_BYTES; i++)
        seed[i] = (uint8_t)(race->chance.key[i / 4] >> (8 * (i % 4)));
    hp_hex_write(seed, hex);
    hp_out_text(&out, " @");
    hp_out_text(&out, hex);
    hp_out_char(&out, ':');
    hp_out_number(&out, (int32_t)race->chance.drawn);
    return hp_out_end(&out);
}

/* ---- Reading ---------------------------------------------------------------------------------- */

/* The car being read. */
typedef struct {
    text_in *in;
    hp_race *race;
    int number;
    hp_car *car;
} car_in;

static bool impossible(text_in *in, const char *what)
{
    return hp_fail(in, HP_TEXT_IMPOSSIBLE, hp_word_of(what));
}

enum { CARDS_MAX = 100 }; /* no car owns that many, and the sums of a pile must stay below 128 */

static bool read_pile(text_in *in, text_word word, hp_pile *pile, uint8_t *last)
{
    pile->counts = 0;
    if (hp_word_is(word, "-"))
        return true;
    if (word.length == 0)
        return hp_fail_expected(in, "cards");
    for (size_t i = 0; i < word.length; i++) {
        const hp_card card = hp_card_of_letter(word.text[i]);
        if (card == HP_KINDS)
            return hp_fail(in, HP_TEXT_BAD_CARD, (text_word){word.text + i, 1});
        if (hp_size(*pile) == CARDS_MAX) {
            hp_fail(in, HP_TEXT_TOO_MANY, hp_word_of("cards"));
            in->fault->high = CARDS_MAX;
            return false;
        }
        pile_add(pile, card, 1);
        if (last != NULL)
            *last = (uint8_t)card;
    }
    return true;
}

static bool read_place(car_in *c, text_word word)
{
    hp_race *race = c->race;
    int32_t number;
    if (word.length > 1 && (word.text[0] == 'F' || word.text[0] == 'X')) {
        c->car->status = word.text[0] == 'F' ? HP_FINISHED : HP_RETIRED;
        word.text++, word.length--;
        if (!hp_word_to_number(c->in, word, "place", 1, HP_CARS_MAX, &number))
            return false;
        c->car->place = (uint8_t)number;
        return true;
    }
    const text_word at = hp_word_split(&word, '.');
    const int32_t farthest = race->laps * race->track.spaces + HP_SPACES_MIN - 1;
    if (!hp_word_to_number(c->in, at, "place", 1 - HP_SPACES_MIN, farthest, &number))
        return false;
    hp_place place = {.at = (int16_t)number};
    if (!hp_word_to_number(c->in, word, "spot", 0, 1, &number))
        return false;
    place.spot = (int16_t)number;
    const road_stand stand = road_stand_at(&race->track, place);
    c->car->lap = (int8_t)stand.lap;
    c->car->space = (uint8_t)stand.space;
    c->car->spot = (uint8_t)stand.spot;
    if (road_spots(race->taken, stand.space) >> stand.spot & 1) {
        hp_fail(c->in, HP_TEXT_SPOT_TAKEN, (text_word){0});
        c->in->fault->number = c->number;
        return false;
    }
    road_toggle(race->taken, stand.space, stand.spot);
    return true;
}

/* What stands in the seventh part: a plan (">144", ">X"), cards in the play area, or nothing. */
static bool read_play(car_in *c, text_word word)
{
    hp_car *car = c->car;
    const bool plan = word.length > 0 && word.text[0] == '>';
    if (plan)
        word.text++, word.length--;
    if (plan && hp_word_is(word, "X")) {
        car->planned = HP_PLANS_TO_RETIRE;
        return true;
    }
    if (!read_pile(c->in, word, &car->play, NULL))
        return false;
    /* The order counts for cards that nobody has seen yet; more than four are flips, and seen. */
    for (size_t i = 0; car->play.counts != 0 && i < word.length && i < HP_GEARS; i++)
        car->plan[i] = (uint8_t)hp_card_of_letter(word.text[i]);
    if (!plan)
        return true;
    if (word.length > HP_GEARS)
        return impossible(c->in, "plan");
    car->planned = (uint8_t)hp_size(car->play);
    car->play.counts = 0;
    return car->planned > 0 || impossible(c->in, "plan");
}

static bool cards_amiss(car_in *c, hp_card card)
{
    const char letter[2] = {hp_card_letter(card), '\0'};
    hp_fail(c->in, HP_TEXT_CARDS_AMISS, hp_word_of(letter));
    c->in->fault->number = c->number;
    return false;
}

/* R1.1: what a car owns. With fill, whatever is not named is in the draw pile. */
static bool count_cards(car_in *c, bool fill)
{
    hp_car *car = c->car;
    const hp_track *track = &c->race->track;
    const hp_pile named = {car->hand.counts + car->draw.counts + car->discard.counts + car->play.counts};
    for (hp_card card = HP_ZERO; card < HP_KINDS; card++) {
        const int n = hp_count(named, card) + (card == HP_HEAT ? car->engine : 0);
        int least = hp_class_of(card) == HP_CLASS_SPEED ? 3 : 1, most = least;
        if (card == HP_HEAT) { /* the upgrade, and R1.6 */
            least = track->heat - HP_HANDICAP_MAX + 1;
            most = track->heat + 1;
        } else if (card == HP_STRESS) {
            least = track->stress;
            most = HP_STRESS_SUPPLY;
        }
        if (n > most || (n < least && !fill))
            return cards_amiss(c, card);
        const int whole = card == HP_HEAT ? most : least;
        if (fill && n < whole)
            pile_add(&car->draw, card, whole - n);
    }
    const int stress = hp_count(car->hand, HP_STRESS) + hp_count(car->draw, HP_STRESS) +
                       hp_count(car->discard, HP_STRESS) + hp_count(car->play, HP_STRESS);
    if (stress > c->race->reserve)
        return cards_amiss(c, HP_STRESS);
    c->race->reserve = (uint8_t)(c->race->reserve - stress);
    return true;
}

static bool read_car(text_in *in, text_word word, hp_race *race)
{
    if (race->cars == HP_CARS_MAX) {
        hp_fail(in, HP_TEXT_TOO_MANY, hp_word_of("cars"));
        in->fault->high = HP_CARS_MAX;
        return false;
    }
    car_in c = {.in = in, .race = race, .number = race->cars, .car = &race->car[race->cars]};
    hp_car *car = c.car;
    car->top = HP_NO_CARD;
    int32_t gear, engine;
    if (!read_place(&c, hp_word_split(&word, '/')) ||
        !hp_word_to_number(in, hp_word_split(&word, '/'), "gear", 1, HP_GEARS, &gear) ||
        !hp_word_to_number(in, hp_word_split(&word, '/'), "engine", 0, HP_HEAT_MAX + 1, &engine) ||
        !read_pile(in, hp_word_split(&word, '/'), &car->hand, NULL))
        return false;
    car->gear = (uint8_t)gear;
    car->engine = (uint8_t)engine;
    const text_word draw = hp_word_split(&word, '/');
    const bool fill = hp_word_is(draw, "*");
    if ((!fill && !read_pile(in, draw, &car->draw, NULL)) ||
        !read_pile(in, hp_word_split(&word, '/'), &car->discard, &car->top) || !read_play(&c, word) ||
        !count_cards(&c, fill))
        return false;
    race->cars++;
    return true;
}

static bool read_order(text_in *in, text_word word, hp_race *race)
{
    for (size_t i = 0; i < word.length && !hp_word_is(word, "-"); i++) {
        if (word.text[i] < '0' || word.text[i] >= '0' + HP_CARS_MAX || race->in_order == HP_CARS_MAX)
            return hp_fail(in, HP_TEXT_IMPOSSIBLE, hp_word_of("order"));
        race->order[race->in_order++] = (uint8_t)(word.text[i] - '0');
    }
    return true;
}

/* step[:car:began:speed:last[:symbols]]; the car's number stays in now until the cars are read. */
static bool read_step(text_in *in, text_word word, hp_race *race)
{
    hp_turn *turn = &race->turn;
    const text_word name = hp_word_split(&word, ':');
    race->step = HP_STEP_WAIT;
    for (int i = 0; i <= HP_STEP_OVER; i++)
        if (hp_word_is(name, step_names[i]))
            race->step = (uint8_t)i;
    if (race->step == HP_STEP_WAIT)
        return impossible(in, "step");
    if (race->step == HP_STEP_PLAN || race->step == HP_STEP_OVER)
        return word.length == 0 || hp_fail(in, HP_TEXT_EXTRA, word);
    int32_t car, began, speed;
    if (!hp_word_to_number(in, hp_word_split(&word, ':'), "car", 0, HP_CARS_MAX - 1, &car) ||
        !hp_word_to_number(in, hp_word_split(&word, ':'), "place", 1 - HP_SPACES_MIN,
                           race->laps * race->track.spaces - 1, &began) ||
        !hp_word_to_number(in, hp_word_split(&word, ':'), "speed", 0, HP_SPACES_MIN - 1, &speed))
        return false;
    const text_word last = hp_word_split(&word, ':');
    const hp_card card = last.length == 1 ? hp_card_of_letter(last.text[0]) : HP_KINDS;
    if (card == HP_KINDS)
        return hp_fail(in, HP_TEXT_BAD_CARD, last);
    const road_stand stand = road_stand_at(&race->track, (hp_place){.at = (int16_t)began});
    *turn = (hp_turn){.lap = (int8_t)stand.lap,
                      .space = (uint8_t)stand.space,
                      .speed = (uint8_t)speed,
                      .last = (uint8_t)card};
    race->now = (uint8_t)car;
    for (size_t i = 0; i < word.length; i++) {
        turn->cool |= word.text[i] == 'c';
        turn->boost |= word.text[i] == 'b';
        turn->adrenaline_cool |= word.text[i] == 'a';
        turn->adrenaline_move |= word.text[i] == 'm';
        const char c = word.text[i];
        if (race->step != HP_STEP_REACT || (c != 'c' && c != 'b' && c != 'a' && c != 'm'))
            return impossible(in, "symbols");
    }
    return true;
}

static bool read_chance(text_in *in, text_word word, hp_race *race)
{
    uint8_t seed[HP_SEED_BYTES];
    int32_t drawn;
    word.text++, word.length--;
    const text_word hex = hp_word_split(&word, ':');
    if (!hp_hex_read(hex.text, hex.length, seed))
        return hp_fail(in, HP_TEXT_BAD_NUMBER, hex);
    if (!hp_word_to_number(in, word, "draws", 0, 999999999, &drawn))
        return false;
    hp_chance_seed(&race->chance, seed);
    hp_chance_skip_to(&race->chance, (uint32_t)drawn);
    return hp_no_more(in);
}

static bool read_circuit(text_in *in, hp_race *race, char name[HP_NAME_MAX + 1])
{
    text_word word;
    hp_circuit circuit;
    if (!hp_next_word(in, "circuit", &word))
        return false;
    text_word figures = word;
    const text_word given = hp_word_split(&figures, '=');
    if (!hp_word_to_name(given, name))
        return hp_fail(in, HP_TEXT_BAD_NAME, given);
    if (given.length < word.length)
        return hp_read_track(in, figures, &race->track);
    if (!hp_circuit_named(name, &circuit))
        return hp_fail(in, HP_TEXT_UNKNOWN_CIRCUIT, given);
    race->track = circuit.track;
    return true;
}

/* ---- Whether a race could stand like that ------------------------------------------------------ */

/* R12: finished cars have the first places, retired ones the last. */
static bool check_places(text_in *in, hp_race *race)
{
    unsigned places = 0;
    for (int i = 0; i < race->cars; i++) {
        race->finished = (uint8_t)(race->finished + (race->car[i].status == HP_FINISHED));
        race->retired = (uint8_t)(race->retired + (race->car[i].status == HP_RETIRED));
    }
    for (int i = 0; i < race->cars; i++) {
        const hp_car *car = &race->car[i];
        const bool fits = car->status == HP_FINISHED  ? car->place <= race->finished
                          : car->status == HP_RETIRED ? car->place > race->cars - race->retired
                                                      : true;
        if (!fits || car->place > race->cars || (car->place > 0 && places >> car->place & 1))
            return impossible(in, "places");
        if (car->place > 0)
            places |= 1u << car->place;
    }
    if (race->retired > 0 && race->finished == 0)
        return impossible(in, "places");
    const bool over = race->finished + race->retired == race->cars;
    return over == (race->step == HP_STEP_OVER) || impossible(in, "step");
}

/* R2.2: while cars plan the order is that in which they stand; later only who is in it can be told. */
static bool check_order(text_in *in, hp_race *race)
{
    unsigned in_order = 0;
    for (int i = 0; i < race->in_order; i++) {
        const int number = race->order[i];
        const hp_car *car = &race->car[number];
        if (number >= race->cars || in_order >> number & 1 || car->status == HP_FINISHED ||
            race->step == HP_STEP_OVER)
            return impossible(in, "order");
        in_order |= 1u << number;
        if (race->step != HP_STEP_PLAN)
            continue;
        const hp_car *ahead = i > 0 ? &race->car[race->order[i - 1]] : NULL;
        const int gap = ahead ? hp_progress(race, race->order[i - 1]) - hp_progress(race, number) : 1;
        if (car->status != HP_RACING || gap < 0 || (gap == 0 && ahead->spot > car->spot))
            return impossible(in, "order");
    }
    for (int i = 0; i < race->cars; i++)
        if (race->car[i].status == HP_RACING && !(in_order >> i & 1))
            return impossible(in, "order");
    const int last = adrenaline_cars(race->cars);
    for (int i = race->in_order - last; i < race->in_order; i++)
        if (i >= 0)
            race->adrenaline |= (uint8_t)(1 << race->order[i]);
    return true;
}

static bool check_plan_step(text_in *in, hp_race *race)
{
    for (int i = 0; i < race->cars; i++) {
        hp_car *car = &race->car[i];
        if (car->play.counts != 0 || (car->status != HP_RACING && car->planned != 0))
            return impossible(in, "play area");
        if (hp_size(car->hand) != HP_HAND)
            return impossible(in, "hand");
        if (car->status != HP_RACING)
            continue;
        if (hp_progress(race, i) >= race->laps * race->track.spaces)
            return impossible(in, "place");
        if (car->planned == 0) {
            race->waiting |= (uint8_t)(1 << i);
            continue;
        }
        hp_choice choice;
        hp_act act = {.kind = HP_RETIRE};
        if (car->planned != HP_PLANS_TO_RETIRE) {
            act = (hp_act){.kind = HP_PLAN, .number = car->planned};
            memcpy(act.cards, car->plan, sizeof car->plan);
        }
        hp_choose_from(race, i, &choice);
        if (hp_check(&choice, act) != HP_OK)
            return impossible(in, "plan");
    }
    return race->waiting != 0 || impossible(in, "step");
}

/* Face down, and such as could have been planned (R3.3, R3.4). */
static bool check_covered(text_in *in, const hp_car *car)
{
    if (hp_size(car->play) != car->gear || hp_size(car->hand) + car->gear != HP_HAND)
        return impossible(in, "play area");
    const int heat = hp_count(car->play, HP_HEAT);
    return heat == 0 || pile_only(car->hand, PILE_PLAYABLE).counts == 0 || impossible(in, "play area");
}

/* R3.3: what was played came from a hand of seven; a spin-out (R8.2) may have added stress since. */
static bool check_hand(text_in *in, const hp_race *race, const hp_car *car)
{
    const int hand = hp_size(car->hand);
    const bool fits = race->step == HP_STEP_DISCARD
                          ? hand <= HP_HAND && hand - hp_count(car->hand, HP_STRESS) < HP_HAND
                          : hand + car->gear <= HP_HAND;
    return fits || impossible(in, "hand");
}

static bool check_turn(text_in *in, hp_race *race)
{
    const hp_car *car = &race->car[race->order[race->now]];
    hp_turn *turn = &race->turn;
    const int number = race->order[race->now];
    const int way = hp_progress(race, number) - road_progress(&race->track, turn->lap, turn->space);
    const int most_flips = hp_count(car->play, HP_STRESS) + 1;
    const int cards = hp_size(car->play);
    if (cards == 0 || cards > HP_GEARS + most_flips || hp_count(car->play, HP_HEAT) > 0 ||
        hp_count(car->play, (hp_card)turn->last) == 0)
        return impossible(in, "play area");
    if (!check_hand(in, race, car))
        return false;
    /* A spin-out may lie behind the turn's start; HP_STEP_DISCARD does not look back. */
    if (race->step != HP_STEP_DISCARD && (way < 0 || way >= HP_SPACES_MIN))
        return impossible(in, "place");
    /* Its own spot on the grid is free since: no spin-out (R8.2) leads further back than it began. */
    if (race->step != HP_STEP_DISCARD && turn->lap < 0 && way > 0 &&
        road_spots(race->taken, turn->space) == ROAD_BOTH_TAKEN)
        return impossible(in, "place");
    const bool adrenaline = race->adrenaline >> number & 1;
    if (!adrenaline && (turn->adrenaline_cool || turn->adrenaline_move))
        return impossible(in, "symbols");
    turn->cool = turn->cool ? (uint8_t)cooldown_of(car->gear) : 0;
    const road_stand stand = stand_of(car);
    if (race->step == HP_STEP_SLIP && !hp_road_slipstream(&race->track, race->taken, stand, race->laps))
        return impossible(in, "step");
    const uint64_t speed_left = (car->draw.counts + car->discard.counts) & PILE_SPEED;
    if (race->step == HP_STEP_REACT) {
        const bool moves = turn->adrenaline_move && road_moves(&race->track, race->taken, stand, 1);
        if (!turn->cool && !turn->adrenaline_cool && !moves && !(turn->boost && car->engine > 0))
            return impossible(in, "symbols");
        if (turn->boost && speed_left == 0)
            return impossible(in, "play area");
    }
    race->waiting = (uint8_t)(1 << number);
    return true;
}

static bool check_turns(text_in *in, hp_race *race)
{
    int now = 0;
    while (now < race->in_order && race->order[now] != race->now)
        now++;
    if (now == race->in_order || race->car[race->order[now]].status != HP_RACING)
        return impossible(in, "step");
    race->now = (uint8_t)now;
    for (int i = 0; i < race->cars; i++) {
        hp_car *car = &race->car[i];
        int turn = 0;
        while (turn < race->in_order && race->order[turn] != i)
            turn++;
        if (car->planned != 0)
            return impossible(in, "plan");
        if (car->status == HP_RACING && turn > now) {
            if (!check_covered(in, car))
                return false;
            if (hp_progress(race, i) >= race->laps * race->track.spaces)
                return impossible(in, "place");
            continue;
        }
        memset(car->plan, 0, sizeof car->plan);
        if (turn != now && (car->play.counts != 0 || hp_size(car->hand) != HP_HAND))
            return impossible(in, "play area");
    }
    return check_turn(in, race);
}

static bool check_over(text_in *in, const hp_race *race)
{
    for (int i = 0; i < race->cars; i++)
        if (race->car[i].play.counts != 0 || race->car[i].planned != 0 ||
            hp_size(race->car[i].hand) != HP_HAND)
            return impossible(in, "play area");
    return true;
}

static bool read_position(text_in *in, hp_race *race, char name[HP_NAME_MAX + 1])
{
    int32_t laps, round;
    text_word word;
    race->reserve = HP_STRESS_SUPPLY;
    if (!hp_check_text(in) || !read_circuit(in, race, name) ||
        !hp_next_number(in, "laps", 1, HP_LAPS_MAX, &laps) ||
        !hp_next_number(in, "round", 1, UINT16_MAX, &round))
        return false;
    race->laps = (uint8_t)laps;
    race->round = (uint16_t)round;
    if (!hp_next_word(in, "order", &word) || !read_order(in, word, race) ||
        !hp_next_word(in, "step", &word) || !read_step(in, word, race))
        return false;
    do {
        if (!hp_next_word(in, "car", &word))
            return false;
        if (word.text[0] == '@' ? !read_chance(in, word, race) : !read_car(in, word, race))
            return false;
    } while (!hp_at_end(in));
    if (race->cars == 0)
        return hp_fail_expected(in, "car");
    if (!check_places(in, race) || !check_order(in, race))
        return false;
    switch ((hp_step)race->step) {
    case HP_STEP_PLAN:
        return check_plan_step(in, race);
    case HP_STEP_OVER:
        return check_over(in, race);
    case HP_STEP_REACT:
    case HP_STEP_SLIP:
    case HP_STEP_DISCARD:
    case HP_STEP_WAIT:
        break;
    }
    return check_turns(in, race);
}

hp_text_fault hp_position_read(const char *text, size_t length, hp_race *race, char circuit[HP_NAME_MAX + 1],
                               hp_fault *fault)
{
    text_in in = {.text = text, .length = length, .fault = fault};
    hp_race read;
    char name[HP_NAME_MAX + 1] = "";
    memset(&read, 0, sizeof read);
    fault->line = 0;
    if (!read_position(&in, &read, name))
        return fault->kind;
    *race = read;
    memcpy(circuit, name, sizeof name);
    return fault->kind = HP_TEXT_OK;
}
