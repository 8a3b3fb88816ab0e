/* The generator: ChaCha8 (D. J. Bernstein's ChaCha with 8 rounds, nonce 0), read as 16-bit draws. Thirty-two
 * draws come from one block, about six turns' worth. */
#include "rules/chance.h"

#include <string.h>

static inline uint32_t rotate(uint32_t x, unsigned by)
{
    return x << by | x >> (32 - by);
}

static inline void quarter_round(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d)
{
    *a += *b, *d = rotate(*d ^ *a, 16);
    *c += *d, *b = rotate(*b ^ *c, 12);
    *a += *b, *d = rotate(*d ^ *a, 8);
    *c += *d, *b = rotate(*b ^ *c, 7);
}

static void make_block(const uint32_t key[8], uint32_t index, uint16_t draw[HP_DRAWS])
{
    const uint32_t start[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, key[0], key[1],
                                key[2],     key[3],     key[4],     key[5],     key[6], key[7],
                                index,      0,          0,          0};
    uint32_t x[16];
    memcpy(x, start, sizeof x);
    for (int round = 0; round < 8; round += 2) {
        for (int i = 0; i < 4; i++)
            quarter_round(&x[i], &x[4 + i], &x[8 + i], &x[12 + i]);
        for (int i = 0; i < 4; i++)
            quarter_round(&x[i], &x[4 + (i + 1) % 4], &x[8 + (i + 2) % 4], &x[12 + (i + 3) % 4]);
    }
    for (int i = 0; i < 16; i++) {
        const uint32_t word = x[i] + start[i];
        draw[2 * i] = (uint16_t)word;
        draw[2 * i + 1] = (uint16_t)(word >> 16);
    }
}

void hp_chance_seed(hp_chance *chance, const uint8_t seed[HP_SEED_BYTES])
{
    memset(chance, 0, sizeof *chance);
    for (int i = 0; i < HP_SEED_BYTES; i++)
        chance->key[i / 4] |= (uint32_t)seed[i] << (8 * (i % 4));
}

void hp_chance_skip_to(hp_chance *chance, uint32_t drawn)
{
    chance->drawn = drawn;
    if (drawn == 0)
        memset(chance->draw, 0, sizeof chance->draw);
    else
        make_block(chance->key, (drawn - 1) / HP_DRAWS, chance->draw);
}

void hp_chance_refill(hp_chance *chance)
{
    make_block(chance->key, chance->drawn / HP_DRAWS, chance->draw);
}

uint32_t hp_chance_again(hp_chance *chance, uint32_t scaled, uint32_t n)
{
    const uint32_t spare = 65536 % n;
    while ((scaled & 0xffff) < spare)
        scaled = chance_draw(chance) * n;
    return scaled >> 16;
}

uint32_t hp_chance_below(hp_chance *chance, uint32_t n)
{
    return chance_below(chance, n);
}
