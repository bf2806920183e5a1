// The heart of the compression function for any type of word: one integer, or a vector with a node's word in each lane.
// The including file defines `word` and, where its vectors need it, TARGET.

static const uint32_t initial[8] = {
    0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19,
};

// Row r tells in which order round r takes the message words: the specification's permutation, r times over.
static const uint8_t schedule[7][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8},
    {3, 4, 10, 12, 13, 2, 7, 14, 6, 5, 9, 0, 11, 15, 8, 1},
    {10, 7, 12, 9, 14, 3, 13, 15, 4, 0, 11, 2, 5, 8, 1, 6},
    {12, 13, 9, 11, 15, 10, 14, 8, 7, 2, 5, 3, 0, 1, 6, 4},
    {9, 14, 11, 5, 8, 12, 15, 1, 13, 3, 0, 10, 2, 6, 4, 7},
    {11, 15, 5, 0, 1, 9, 8, 6, 14, 10, 2, 12, 3, 4, 7, 13},
};

// With every loop unrolled all indices are constants, and state and message stay in registers.
#define UNROLLED _Pragma("clang loop unroll(full)")
#define INLINE static inline __attribute__((always_inline)) TARGET
#define ROTATED(x, count) ((x) >> (count) | (x) << (32 - (count)))

// Half a round: four quarter-rounds side by side, on columns (`slant` 0) or on diagonals (`slant` 1).
INLINE void half_round(word v[16], const word m[16], const uint8_t order[8], unsigned slant) {
    UNROLLED for (unsigned half = 0; half < 2; half++) {
        const unsigned rotate_d = half ? 8 : 16, rotate_b = half ? 7 : 12;
        UNROLLED for (unsigned i = 0; i < 4; i++) v[i] += v[4 + (i + slant) % 4] + m[order[2 * i + half]];
        UNROLLED for (unsigned i = 0; i < 4; i++) {
            const unsigned d = 12 + (i + 3 * slant) % 4;
            v[d] = ROTATED(v[d] ^ v[i], rotate_d);
        }
        UNROLLED for (unsigned i = 0; i < 4; i++) v[8 + (i + 2 * slant) % 4] += v[12 + (i + 3 * slant) % 4];
        UNROLLED for (unsigned i = 0; i < 4; i++) {
            const unsigned b = 4 + (i + slant) % 4;
            v[b] = ROTATED(v[b] ^ v[8 + (i + 2 * slant) % 4], rotate_b);
        }
    }
}

// Replaces the chaining value `h` by that of the block `m` after it.
INLINE void compress(
    word h[8], const word m[16], word counter_low, word counter_high, uint32_t length, uint32_t flags) {
    word v[16];
    UNROLLED for (unsigned i = 0; i < 8; i++) v[i] = h[i];
    UNROLLED for (unsigned i = 0; i < 4; i++) v[8 + i] = (word)(initial[i]);
    v[12] = counter_low;
    v[13] = counter_high;
    v[14] = (word)(length);
    v[15] = (word)(flags);
    UNROLLED for (unsigned round = 0; round < 7; round++) {
        half_round(v, m, schedule[round], 0);
        half_round(v, m, schedule[round] + 8, 1);
    }
    UNROLLED for (unsigned i = 0; i < 8; i++) h[i] = v[i] ^ v[8 + i];
}
