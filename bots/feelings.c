#include "bots/feelings.h"

/* Signs, how many of each are told apart, and where the feelings of each group begin. */
enum {
    LEFT = 48, /* spaces to the finish, from 0, or more */
    WAY = 8,   /* the same, by six */
    HEAT = 8,  /* in the engine, or more */
    GEAR = HP_GEARS,
    STRESS = 4,  /* kept, or more; */
    IN_HAND = 4, /* and Heat in the hand */
    AHEAD = 17,  /* spaces to the corner line; the last one: farther, or none */
    LIMIT = 7,   /* of a corner: two and less, up to seven and more; the last one: there is none */
    CORNER = AHEAD * LIMIT,
    BETWEEN = 13,       /* spaces from the corner to the one behind it, or more */
    BEST = 16,          /* speed of the three fastest cards that are kept */
    CARD = HP_FIVE + 1, /* a kind that has a value; */
    LOW = 5,            /* cards below three that are kept, or more */
    SIZE = 8,           /* cards with a value that are kept, in all */
    COUNT = 4,          /* so many of it are kept, or more */
    NEXT = 32,          /* what the next turn can bring, by six tenths, from four spaces lost */
    GAP = 25,           /* to the rival: twelve behind and more, up to twelve ahead and more */
    WHEN = 4,           /* in a plan or later, before that rival's turn or after */
    FAR = 9,            /* the gap, by three */
    REACTION = 7,       /* kinds of acts after a plan, but for discards */
    BEYOND = 16,        /* spaces over the finish line */

    BY_HEAT = 0,                                             /* left, heat */
    BY_WAY = BY_HEAT + LEFT * HEAT,                          /* left, gear, heat */
    BY_CORNER = BY_WAY + LEFT * GEAR * HEAT,                 /* corner, heat */
    BY_GEAR = BY_CORNER + CORNER * HEAT,                     /* corner, gear */
    BY_CORNERS = BY_GEAR + CORNER * GEAR,                    /* between, limit, heat */
    BY_ROAD = BY_CORNERS + BETWEEN * LIMIT * HEAT,           /* ahead, between, limit */
    BY_GAP = BY_ROAD + AHEAD * BETWEEN * LIMIT,              /* gap, when, way */
    BY_CHASE = BY_GAP + GAP * WHEN * WAY,                    /* gap, corner */
    BY_DUEL = BY_CHASE + GAP * CORNER,                       /* gap, gear, heat */
    BY_ITS_CORNER = BY_DUEL + GAP * GEAR * HEAT,             /* far, the rival's corner */
    BY_ITS_GEAR = BY_ITS_CORNER + FAR * CORNER,              /* gap, when, its gear */
    BY_ITS_HEAT = BY_ITS_GEAR + GAP * WHEN * GEAR,           /* gap, when, its heat */
    BY_KIND = BY_ITS_HEAT + GAP * WHEN * HEAT,               /* reaction, left */
    BY_KINDS_CORNER = BY_KIND + REACTION * LEFT,             /* reaction, corner */
    BY_KINDS_GAP = BY_KINDS_CORNER + REACTION * CORNER,      /* reaction, gap, way */
    BY_STRESS = BY_KINDS_GAP + REACTION * GAP * WAY,         /* left, stress, in hand */
    BY_COOLING = BY_STRESS + LEFT * STRESS * IN_HAND,        /* gear, stress, in hand, heat */
    BY_SPRINT = BY_COOLING + GEAR * STRESS * IN_HAND * HEAT, /* heat, gear, best */
    BY_BEST = BY_SPRINT + HEAT * GEAR * BEST,                /* left, best */
    BY_NEXT = BY_BEST + LEFT * BEST,                         /* next, left */
    BY_TURN = BY_NEXT + NEXT * LEFT,                         /* next, heat, gear */
    BY_LOW = BY_TURN + NEXT * HEAT * GEAR,                   /* corner, low */
    BY_CARDS = BY_LOW + CORNER * LOW,                        /* corner, card, count */
    BY_DISCARD = BY_CARDS + CORNER * CARD * COUNT,           /* of a discard: corner, card, count */
    BY_KEPT = BY_DISCARD + CORNER * CARD * COUNT,            /* of a discard: between, limit, best */
    BY_SIZE = BY_KEPT + BETWEEN * LIMIT * BEST,              /* of a discard: left, size */
    BY_NEXT_KEPT = BY_SIZE + LEFT * SIZE,                    /* of a discard: next, left */
    HOME_BY_GAP = BY_NEXT_KEPT + NEXT * LEFT,                /* gap, when */
    HOME_BY_WAY = HOME_BY_GAP + GAP * WHEN,                  /* beyond */
    ALL = HOME_BY_WAY + BEYOND
};
_Static_assert((int)ALL == (int)BOT_FEELINGS, "so many are learned");
_Static_assert(LEFT <= WAY * 6, "every way has its sixth");
_Static_assert(GAP <= FAR * 3, "and every gap its third");

static int up_to(int n, int most)
{
    return n < most ? n : most;
}

void bot_survey(const hp_view *view, bot_scene *scene)
{
    bool passed = false;
    scene->finish = view->laps * view->track.spaces;
    scene->planning = view->choice.step == HP_STEP_PLAN;
    scene->rivals = 0;
    for (int i = 0; i < view->in_order; i++) {
        const hp_car_view *car = &view->car[view->order[i]];
        if (view->order[i] == view->seat) {
            passed = true;
        } else if (car->status == HP_RACING) {
            scene->rivals++;
            scene->rival.at = car->place.at;
            scene->rival.before = !passed;
            scene->rival.gear = car->gear;
            scene->rival.heat = car->engine;
        }
    }
    if (scene->rivals > 0)
        scene->rival.next = bot_next_corner(&view->track, view->laps, scene->rival.at);
}

bot_road bot_road_from(const hp_view *view, int at)
{
    const bot_corner next = bot_next_corner(&view->track, view->laps, at);
    if (next.ahead == HP_SPACES_MAX)
        return (bot_road){next, next};
    return (bot_road){next, bot_next_corner(&view->track, view->laps, at + next.ahead + 1)};
}

static int limit_of(bot_corner c)
{
    return c.ahead == HP_SPACES_MAX ? LIMIT - 1 : c.limit < 2 ? 0 : up_to(c.limit - 2, LIMIT - 2);
}

static int corner_of(bot_corner c)
{
    return up_to(c.ahead, AHEAD - 1) * LIMIT + limit_of(c);
}

static int between_of(const bot_road *road)
{
    return up_to(road->then.ahead + 1, BETWEEN - 1) * LIMIT + limit_of(road->then);
}

/* How far the rival is ahead. */
static int gap_of(const bot_scene *scene, int at)
{
    const int gap = scene->rival.at - at;
    return gap < -(GAP / 2) ? 0 : up_to(gap, GAP / 2) + GAP / 2;
}

static int speed_of_best(hp_pile kept)
{
    int speed = 0, free = 3;
    for (int i = HP_FIVE; i > HP_ZERO && free > 0; i--) {
        const int n = up_to(hp_count(kept, (hp_card)i), free);
        speed += n * i;
        free -= n;
    }
    return speed;
}

static int reaction_of(hp_act_kind kind)
{
    static const int8_t number[HP_ACT_KINDS] = {[HP_ADRENALINE_COOL] = 1,
                                                [HP_ADRENALINE_MOVE] = 2,
                                                [HP_BOOST] = 3,
                                                [HP_DONE] = 4,
                                                [HP_SLIP] = 5,
                                                [HP_STAY] = 6}; /* cooling comes first */
    return number[kind];
}

int bot_feel_place(const bot_scene *scene, const hp_outcome *outcome, const bot_road *road, int engine,
                   hp_act_kind kind, uint16_t felt[BOT_FELT])
{
    const int left = up_to(scene->finish - outcome->to.at, LEFT - 1), gap = gap_of(scene, outcome->to.at);
    const int rival = gap * WHEN + (scene->planning ? 0 : 2) + scene->rival.before;
    if (left <= 0) {
        felt[0] = (uint16_t)(HOME_BY_GAP + rival);
        felt[1] = (uint16_t)(HOME_BY_WAY + up_to(-left, BEYOND - 1));
        return 2;
    }
    const int heat = up_to(engine, HEAT - 1), gear = outcome->gear - 1;
    const int corner = corner_of(road->next), between = between_of(road);
    felt[0] = (uint16_t)(BY_HEAT + left * HEAT + heat);
    felt[1] = (uint16_t)(BY_WAY + (left * GEAR + gear) * HEAT + heat);
    felt[2] = (uint16_t)(BY_CORNER + corner * HEAT + heat);
    felt[3] = (uint16_t)(BY_GEAR + corner * GEAR + gear);
    felt[4] = (uint16_t)(BY_CORNERS + between * HEAT + heat);
    felt[5] = (uint16_t)(BY_ROAD + up_to(road->next.ahead, AHEAD - 1) * BETWEEN * LIMIT + between);
    felt[6] = (uint16_t)(BY_GAP + rival * WAY + left / 6);
    felt[7] = (uint16_t)(BY_CHASE + gap * CORNER + corner);
    felt[8] = (uint16_t)(BY_DUEL + (gap * GEAR + gear) * HEAT + heat);
    felt[9] = (uint16_t)(BY_ITS_CORNER + gap / 3 * CORNER + corner_of(scene->rival.next));
    felt[10] = (uint16_t)(BY_ITS_GEAR + rival * GEAR + scene->rival.gear - 1);
    felt[11] = (uint16_t)(BY_ITS_HEAT + rival * HEAT + up_to(scene->rival.heat, HEAT - 1));
    if (scene->planning)
        return 12;
    felt[12] = (uint16_t)(BY_KIND + reaction_of(kind) * LEFT + left);
    felt[13] = (uint16_t)(BY_KINDS_CORNER + reaction_of(kind) * CORNER + corner);
    felt[14] = (uint16_t)(BY_KINDS_GAP + (reaction_of(kind) * GAP + gap) * WAY + left / 6);
    return 15;
}

static int next_of(int next_turn)
{
    return next_turn < -40 ? 0 : up_to((next_turn + 40) / 6, NEXT - 1);
}

static int feel_cards(int group, int corner, hp_pile kept, uint16_t felt[CARD])
{
    for (int i = 0; i < CARD; i++)
        felt[i] =
            (uint16_t)(group + (corner * CARD + i) * COUNT + up_to(hp_count(kept, (hp_card)i), COUNT - 1));
    return CARD;
}

int bot_feel_hand(const bot_scene *scene, const hp_outcome *outcome, const bot_road *road, int engine,
                  hp_pile kept, int next_turn, uint16_t felt[BOT_FELT])
{
    const int left = up_to(scene->finish - outcome->to.at, LEFT - 1);
    if (left <= 0)
        return 0;
    const int heat = up_to(engine, HEAT - 1), gear = outcome->gear - 1;
    const int stress = up_to(hp_count(kept, HP_STRESS), STRESS - 1);
    const int in_hand = up_to(hp_count(kept, HP_HEAT), IN_HAND - 1);
    const int low = up_to(hp_count(kept, HP_ZERO) + hp_count(kept, HP_ONE) + hp_count(kept, HP_TWO), LOW - 1);
    const int next = next_of(next_turn), best = speed_of_best(kept);
    felt[0] = (uint16_t)(BY_STRESS + (left * STRESS + stress) * IN_HAND + in_hand);
    felt[1] = (uint16_t)(BY_SPRINT + (heat * GEAR + gear) * BEST + best);
    felt[2] = (uint16_t)(BY_NEXT + next * LEFT + left);
    felt[3] = (uint16_t)(BY_LOW + corner_of(road->next) * LOW + low);
    felt[4] = (uint16_t)(BY_COOLING + ((gear * STRESS + stress) * IN_HAND + in_hand) * HEAT + heat);
    felt[5] = (uint16_t)(BY_BEST + left * BEST + best);
    felt[6] = (uint16_t)(BY_TURN + (next * HEAT + heat) * GEAR + gear);
    return scene->planning ? 7 + feel_cards(BY_CARDS, corner_of(road->next), kept, felt + 7) : 7;
}

int bot_feel_discard(const bot_scene *scene, int at, const bot_road *road, hp_pile kept, int next_turn,
                     uint16_t felt[BOT_FELT])
{
    const int left = up_to(scene->finish - at, LEFT - 1);
    if (left <= 0)
        return 0;
    int size = 0;
    for (int i = 0; i < CARD; i++)
        size += hp_count(kept, (hp_card)i);
    felt[0] = (uint16_t)(BY_KEPT + between_of(road) * BEST + speed_of_best(kept));
    felt[1] = (uint16_t)(BY_SIZE + left * SIZE + up_to(size, SIZE - 1));
    felt[2] = (uint16_t)(BY_NEXT_KEPT + next_of(next_turn) * LEFT + left);
    return 3 + feel_cards(BY_DISCARD, corner_of(road->next), kept, felt + 3);
}
