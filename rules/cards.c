/* The table of cards (R1.1, R1.7). */
#include "hairpin.h"

static const struct {
    uint8_t class;
    uint8_t value;
} kinds[HP_KINDS] = {
    /* clang-format off */
    [HP_ZERO] = {HP_CLASS_UPGRADE, 0},
    [HP_ONE] = {HP_CLASS_SPEED, 1},
    [HP_TWO] = {HP_CLASS_SPEED, 2},
    [HP_THREE] = {HP_CLASS_SPEED, 3},
    [HP_FOUR] = {HP_CLASS_SPEED, 4},
    [HP_FIVE] = {HP_CLASS_UPGRADE, 5},
    [HP_HEAT] = {HP_CLASS_HEAT, 0}, /* R1.7: the upgrade is a Heat card in every respect */
    [HP_STRESS] = {HP_CLASS_STRESS, 0},
    /* clang-format on */
};

hp_card_class hp_class_of(hp_card card)
{
    return (hp_card_class)kinds[card].class;
}

int hp_value_of(hp_card card)
{
    return kinds[card].value;
}
