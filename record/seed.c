/* SHA-256 (FIPS 180-4), and what is made of it: commitments, mixed seeds, and the seeds of many races. */
#include "record/text.h"

#include <assert.h>
#include <string.h>

static uint32_t rotate_right(uint32_t x, unsigned by)
{
    return x >> by | x << (32 - by);
}

static void absorb(uint32_t state[8], const uint8_t block[64])
{
    static const uint32_t constants[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
    uint32_t w[64];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        const uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (rotate_right(a, 7) ^ rotate_right(a, 18) ^ a >> 3) + w[i - 7] +
               (rotate_right(b, 17) ^ rotate_right(b, 19) ^ b >> 10);
    }
    uint32_t v[8];
    memcpy(v, state, sizeof v);
    for (int i = 0; i < 64; i++) {
        const uint32_t choose = (v[4] & v[5]) ^ (~v[4] & v[6]);
        const uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        const uint32_t t = v[7] + (rotate_right(v[4], 6) ^ rotate_right(v[4], 11) ^ rotate_right(v[4], 25)) +
                           choose + constants[i] + w[i];
        const uint32_t u =
            (rotate_right(v[0], 2) ^ rotate_right(v[0], 13) ^ rotate_right(v[0], 22)) + majority;
        memmove(v + 1, v, 7 * sizeof v[0]);
        v[4] += t;
        v[0] = t + u;
    }
    for (int i = 0; i < 8; i++)
        state[i] += v[i];
}

void hp_sha256(const void *data, size_t length, uint8_t digest[32])
{
    uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const uint8_t *bytes = data;
    size_t left = length;
    for (; left >= 64; left -= 64, bytes += 64)
        absorb(state, bytes);
    uint8_t last[128] = {0}; /* the rest, a bit, zeroes, the length in bits */
    if (left > 0)
        memcpy(last, bytes, left);
    last[left] = 0x80;
    const size_t end = left < 56 ? 64 : 128;
    for (int i = 0; i < 8; i++)
        last[end - 1 - (size_t)i] = (uint8_t)((uint64_t)length * 8 >> (8 * i));
    for (size_t at = 0; at < end; at += 64)
        absorb(state, last + at);
    for (int i = 0; i < 32; i++)
        digest[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
}

void hp_commitment(const uint8_t seed[HP_SEED_BYTES], uint8_t digest[32])
{
    hp_sha256(seed, HP_SEED_BYTES, digest);
}

void hp_seed_of(uint64_t seed, uint64_t index, uint8_t out[HP_SEED_BYTES])
{
    uint8_t both[16];
    for (int i = 0; i < 8; i++) {
        both[i] = (uint8_t)(seed >> (8 * i));
        both[8 + i] = (uint8_t)(index >> (8 * i));
    }
    hp_sha256(both, sizeof both, out);
}

void hp_seed_mix(const uint8_t secret[32], const uint8_t salt[][32], int cars, uint8_t seed[HP_SEED_BYTES])
{
    uint8_t all[32 * (1 + HP_CARS_MAX)];
    assert(cars >= 0 && cars <= HP_CARS_MAX);
    memcpy(all, secret, 32);
    for (int i = 0; i < cars; i++)
        memcpy(all + 32 * (1 + i), salt[i], 32);
    hp_sha256(all, 32 * (1 + (size_t)cars), seed);
}

void hp_hex_write(const uint8_t bytes[32], char text[HP_SEED_TEXT])
{
    for (int i = 0; i < 64; i++)
        text[i] = "0123456789abcdef"[bytes[i / 2] >> (i % 2 ? 0 : 4) & 15];
    text[64] = '\0';
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool hp_hex_read(const char *text, size_t length, uint8_t bytes[32])
{
    uint8_t read[32] = {0};
    if (length != 64)
        return false;
    for (int i = 0; i < 64; i++) {
        const int digit = hex_digit(text[i]);
        if (digit < 0)
            return false;
        read[i / 2] = (uint8_t)(read[i / 2] << 4 | digit);
    }
    memcpy(bytes, read, sizeof read);
    return true;
}
