/* Proves that chance is what it is said to be: ChaCha8 and SHA-256 as published, every result as likely as
 * the next, and seeds that anybody can make and check with common tools. */
#include "tests/support.h"

static void assert_hex(const uint8_t *bytes, size_t n, const char *hex)
{
    assert_int_equal(strlen(hex), 2 * n);
    for (size_t i = 0; i < n; i++) {
        char digits[3];
        snprintf(digits, sizeof digits, "%02x", bytes[i]);
        assert_memory_equal(digits, hex + 2 * i, 2);
    }
}

/* ---- ChaCha8 ----------------------------------------------------------------------------------- */

/* Draws of 16 bits are the key stream, two bytes each, low byte first. */
static void key_stream(const uint8_t seed[HP_SEED_BYTES], uint8_t *bytes, size_t n)
{
    hp_chance chance;
    hp_chance_seed(&chance, seed);
    for (size_t i = 0; i < n; i += 2) {
        const uint32_t draw = hp_chance_below(&chance, 65536);
        bytes[i] = (uint8_t)draw;
        bytes[i + 1] = (uint8_t)(draw >> 8);
    }
}

/* "Test Vectors for the Stream Cipher ChaCha" (J. Strombergson): 8 rounds, 256-bit key, IV 0. */
static void draws_are_the_published_key_stream(void **state)
{
    (void)state;
    uint8_t seed[HP_SEED_BYTES] = {0}, bytes[128];
    key_stream(seed, bytes, sizeof bytes);
    assert_hex(bytes, 128,
               "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e"
               "984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42"
               "d2aefa0deaa5c151bf0adb6c01f2a5adc0fd581259f9a2aadcf20f8fd566a26b"
               "5032ec38bbc5da98ee0c6f568b872a65a08abf251deb21bb4b56e5d8821e68aa");
    seed[0] = 1;
    key_stream(seed, bytes, 64);
    assert_hex(bytes, 64,
               "cf5ee9a0494aa9613e05d5ed725b804b12f4a465ee635acc3a311de8740489ea"
               "289d04f43c7518db56eb4433e498a1238cd8464d3763ddbb9222ee3bd8fae3c8");
}

/* The same once more, written from the definition: four double rounds over columns and diagonals. */
static const int quarters[8][4] = {{0, 4, 8, 12},  {1, 5, 9, 13},  {2, 6, 10, 14}, {3, 7, 11, 15},
                                   {0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13},  {3, 4, 9, 14}};

static void add_and_turn(uint32_t x[16], int into, int from, int mixed, unsigned by)
{
    x[into] += x[from];
    x[mixed] ^= x[into];
    x[mixed] = x[mixed] << by | x[mixed] >> (32 - by);
}

static void chacha8(const uint8_t key[32], uint32_t block, uint8_t out[64])
{
    uint32_t input[16], x[16];
    const char *constant = "expand 32-byte k";
    for (int i = 0; i < 16; i++) {
        input[i] = 0;
        for (int j = 3; j >= 0; j--)
            input[i] = input[i] << 8 | (i < 4    ? (uint8_t)constant[4 * i + j]
                                        : i < 12 ? key[4 * (i - 4) + j]
                                                 : 0);
    }
    input[12] = block;
    memcpy(x, input, sizeof x);
    for (int i = 0; i < 32; i++) {
        const int *q = quarters[i % 8];
        add_and_turn(x, q[0], q[1], q[3], 16);
        add_and_turn(x, q[2], q[3], q[1], 12);
        add_and_turn(x, q[0], q[1], q[3], 8);
        add_and_turn(x, q[2], q[3], q[1], 7);
    }
    for (int i = 0; i < 64; i++)
        out[i] = (uint8_t)((x[i / 4] + input[i / 4]) >> (8 * (i % 4)));
}

static void draws_agree_with_the_definition(void **state)
{
    (void)state;
    enum { BLOCKS = 20 };
    for (uint64_t i = 0; i < 50; i++) {
        uint8_t seed[HP_SEED_BYTES], bytes[64 * BLOCKS], expected[64];
        hp_seed_of(5, i, seed);
        key_stream(seed, bytes, sizeof bytes);
        for (uint32_t block = 0; block < BLOCKS; block++) {
            chacha8(seed, block, expected);
            assert_memory_equal(bytes + 64 * block, expected, 64);
        }
    }
}

static void skipping_is_drawing(void **state)
{
    (void)state;
    uint8_t seed[HP_SEED_BYTES];
    hp_chance drawn, skipped;
    hp_seed_of(6, 0, seed);
    hp_chance_seed(&drawn, seed);
    memset(&skipped, 0x5a, sizeof skipped);
    hp_chance_seed(&skipped, seed);
    for (uint32_t i = 0; i < 200; i++) {
        hp_chance_skip_to(&skipped, i);
        assert_memory_equal(&skipped, &drawn, sizeof drawn);
        hp_chance_below(&drawn, 65536);
    }
    hp_chance_skip_to(&skipped, 0); /* back, too */
    hp_chance_seed(&drawn, seed);
    assert_memory_equal(&skipped, &drawn, sizeof drawn);

    uint8_t block[64]; /* far ahead: the block's number is the 32-bit counter */
    hp_chance_skip_to(&skipped, 999999999);
    chacha8(seed, 999999998 / HP_DRAWS, block);
    for (int i = 0; i < HP_DRAWS; i++)
        assert_int_equal(skipped.draw[i], block[2 * i] | block[2 * i + 1] << 8);
}

/* ---- Even -------------------------------------------------------------------------------------- */

/* Feeds each of the 65536 values of a draw: as many lead to each result; those left over are drawn again. */
static void every_result_has_as_many_draws(void **state)
{
    (void)state;
    static uint32_t counts[65536];
    for (uint32_t n = 1; n <= 65536; n = n < 40 ? n + 1 : n == 40 ? 1000 : n == 1000 ? 65535 : n + 1) {
        uint32_t again = 0;
        memset(counts, 0, n * sizeof counts[0]);
        for (uint32_t value = 0; value < 65536; value++) {
            hp_chance chance = {.drawn = 1, .draw = {0}};
            chance.draw[1] = (uint16_t)value;
            chance.draw[2] = 0x8000;
            chance.draw[3] = 0xffff;
            const uint32_t result = hp_chance_below(&chance, n);
            assert_true(result < n);
            if (chance.drawn == 2)
                counts[result]++;
            else
                again++;
        }
        assert_int_equal(again, 65536 % n);
        for (uint32_t i = 0; i < n; i++)
            assert_int_equal(counts[i], 65536 / n);
    }
}

/* Pearson's test on a fixed seed. The bound is six standard deviations: chance alone keeps to it. */
static void assert_spread(uint32_t n, uint32_t draws_for_each)
{
    static uint32_t counts[65536];
    uint8_t seed[HP_SEED_BYTES];
    hp_chance chance;
    hp_seed_of(8, n, seed);
    hp_chance_seed(&chance, seed);
    memset(counts, 0, sizeof counts);
    for (uint32_t i = 0; i < n * draws_for_each; i++)
        counts[hp_chance_below(&chance, n)]++;
    uint64_t squares = 0;
    for (uint32_t i = 0; i < n; i++) {
        const int64_t off = (int64_t)counts[i] - draws_for_each;
        squares += (uint64_t)(off * off);
    }
    const int64_t freedom = (int64_t)n - 1, off = (int64_t)(squares / draws_for_each) - freedom;
    if (off * off > 36 * 2 * freedom + 36)
        fail_msg("one of %u: chi square is %ld off %ld", n, (long)off, (long)freedom);
}

static void draws_are_even(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 27; n++)
        assert_spread(n, 2000);
    assert_spread(65536, 16);
}

static void one_of_one_is_sure(void **state)
{
    (void)state;
    const uint8_t seed[HP_SEED_BYTES] = {7};
    hp_chance chance;
    hp_chance_seed(&chance, seed);
    for (int i = 0; i < 100; i++)
        assert_int_equal(hp_chance_below(&chance, 1), 0);
    assert_int_equal(chance.drawn, 100);
}

/* ---- SHA-256 ----------------------------------------------------------------------------------- */

static void assert_digest(const char *text, size_t length, const char *hex)
{
    uint8_t digest[32];
    char *copy = malloc(length > 0 ? length : 1); /* in a block of just its size */
    assert_non_null(copy);
    memcpy(copy, text, length);
    hp_sha256(copy, length, digest);
    free(copy);
    assert_hex(digest, 32, hex);
}

static void digests_are_the_published_ones(void **state)
{
    (void)state;
    static const struct {
        size_t length;
        const char *hex;
    } of_a[] = {
        {0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
        {56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
        {63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"},
        {64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
        {65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"},
        {119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"},
        {120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"},
        {128, "6836cf13bac400e9105071cd6af47084dfacad4e5e302c94bfed24e013afb73e"},
        {1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    };
    static char a[1000000];
    memset(a, 'a', sizeof a);
    for (size_t i = 0; i < sizeof of_a / sizeof of_a[0]; i++)
        assert_digest(a, of_a[i].length, of_a[i].hex);
    assert_digest("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
                  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

static void a_commitment_is_the_digest_of_the_seed(void **state)
{
    (void)state;
    const uint8_t zero[HP_SEED_BYTES] = {0};
    uint8_t digest[32];
    hp_commitment(zero, digest); /* head -c 32 /dev/zero | sha256sum */
    assert_hex(digest, 32, "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925");
}

/* Both numbers, eight bytes each, low byte first. */
static void seeds_of_many_races_follow_the_formula(void **state)
{
    (void)state;
    uint8_t seed[HP_SEED_BYTES], other[HP_SEED_BYTES];
    hp_seed_of(7, 0, seed);
    assert_hex(seed, 32, "76108f84396dc2d72ce275fdb0e0ef37b229b2898bf5a31d576fea11a766a42b");
    hp_seed_of(UINT64_C(0x0123456789abcdef), UINT64_C(0xfedcba9876543210), seed);
    assert_hex(seed, 32, "6ef50e6bcfea81c142f3a3f7de3a4f9ca4d274b9ddf2d048e274bd6541119de3");
    const uint8_t both[16] = {0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01,
                              0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe};
    hp_sha256(both, sizeof both, other);
    assert_memory_equal(seed, other, sizeof seed);
}

/* The secret and 32 bytes for each seat, one after the other. */
static void a_mixed_seed_is_the_digest_of_secret_and_salts(void **state)
{
    (void)state;
    uint8_t secret[32], salt[HP_CARS_MAX][32] = {{0}}, all[32 * (1 + HP_CARS_MAX)], seed[HP_SEED_BYTES];
    for (int i = 0; i < 32; i++)
        secret[i] = (uint8_t)i;
    memset(salt[1], 0xab, 32);
    /* (printf %s $(seq 0 31 | xargs printf %02x); printf '%064d' 0; printf 'ab%.0s' $(seq 32)) |
     * xxd -r -p | sha256sum */
    hp_seed_mix(secret, salt, 2, seed);
    assert_hex(seed, 32, "ace3dde6da37659e019bc5f67c4af93577833ce463f36cad76c2960799b58144");
    for (int i = 0; i < HP_CARS_MAX; i++)
        memset(salt[i], 0x11 * i, 32);
    memcpy(all, secret, 32);
    memcpy(all + 32, salt, sizeof salt);
    for (int cars = 0; cars <= HP_CARS_MAX; cars++) {
        uint8_t digest[32];
        hp_sha256(all, 32 * (1 + (size_t)cars), digest);
        hp_seed_mix(secret, salt, cars, seed);
        assert_memory_equal(seed, digest, sizeof seed);
    }
}

/* ---- Hexadecimal ------------------------------------------------------------------------------- */

static const char digits[] = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1dfeff";

static void hex_is_written_and_read(void **state)
{
    (void)state;
    uint8_t bytes[32], again[32];
    char text[HP_SEED_TEXT];
    for (int i = 0; i < 32; i++)
        bytes[i] = (uint8_t)(i < 30 ? i : 0xe0 + i);
    hp_hex_write(bytes, text);
    assert_string_equal(text, digits);
    assert_true(hp_hex_read(text, 64, again));
    assert_memory_equal(again, bytes, sizeof bytes);
}

static void other_hex_is_refused(void **state)
{
    (void)state;
    uint8_t bytes[32], before[32];
    char text[HP_SEED_TEXT + 1];
    memset(bytes, 0x5a, sizeof bytes);
    memcpy(before, bytes, sizeof bytes);
    snprintf(text, sizeof text, "%s0", digits);
    assert_false(hp_hex_read(text, 0, bytes));
    assert_false(hp_hex_read(text, 63, bytes));
    assert_false(hp_hex_read(text, 65, bytes));
    for (int at = 0; at < 64; at += 21) {
        static const char wrong[] = {'g', '/', ':', '`', 'A', 'F', ' ', '\0', '-', 'x', '\xff'};
        for (size_t i = 0; i < sizeof wrong; i++) {
            snprintf(text, sizeof text, "%s", digits);
            text[at] = wrong[i];
            assert_false(hp_hex_read(text, 64, bytes));
        }
    }
    assert_memory_equal(bytes, before, sizeof bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_are_the_published_key_stream),
        cmocka_unit_test(draws_agree_with_the_definition),
        cmocka_unit_test(skipping_is_drawing),
        cmocka_unit_test(every_result_has_as_many_draws),
        cmocka_unit_test(draws_are_even),
        cmocka_unit_test(one_of_one_is_sure),
        cmocka_unit_test(digests_are_the_published_ones),
        cmocka_unit_test(a_commitment_is_the_digest_of_the_seed),
        cmocka_unit_test(seeds_of_many_races_follow_the_formula),
        cmocka_unit_test(a_mixed_seed_is_the_digest_of_secret_and_salts),
        cmocka_unit_test(hex_is_written_and_read),
        cmocka_unit_test(other_hex_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
