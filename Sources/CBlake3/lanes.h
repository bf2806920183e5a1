// Compresses up to LANES nodes at once, word i of all of them in one vector.
//
// The including file defines LANES, NAME, TARGET, and for its vectors' shuffles, where a quad is 128 bits:
// LOW32, HIGH32   interleave the low (high) two words of each quad of `a` with those of `b`
// LOW64, HIGH64   join the low (high) half of each quad of `a` with that of `b`
// EVEN128, ODD128 the even (odd) quads of `a`, then those of `b`; not needed for four lanes

#include "compress.h"

#include <string.h>

typedef uint32_t word __attribute__((ext_vector_type(LANES)));

#include "rounds.h"

// Row i holds LANES words of node i before, word i of every node after.
INLINE void transpose(word rows[LANES]) {
    word t[LANES];
    UNROLLED for (unsigned i = 0; i < LANES; i += 4) {
        const word low01 = LOW32(rows[i], rows[i + 1]), high01 = HIGH32(rows[i], rows[i + 1]);
        const word low23 = LOW32(rows[i + 2], rows[i + 3]), high23 = HIGH32(rows[i + 2], rows[i + 3]);
        t[i] = LOW64(low01, low23);
        t[i + 1] = HIGH64(low01, low23);
        t[i + 2] = LOW64(high01, high23);
        t[i + 3] = HIGH64(high01, high23);
    }
    // Each four rows are right within every quad; what is left is to transpose the quads.
    UNROLLED for (unsigned i = 0; i < 4; i++) {
#if LANES == 4
        rows[i] = t[i];
#elif LANES == 8
        rows[i] = EVEN128(t[i], t[i + 4]);
        rows[i + 4] = ODD128(t[i], t[i + 4]);
#else
        const word even01 = EVEN128(t[i], t[i + 4]), odd01 = ODD128(t[i], t[i + 4]);
        const word even23 = EVEN128(t[i + 8], t[i + 12]), odd23 = ODD128(t[i + 8], t[i + 12]);
        rows[i] = EVEN128(even01, even23);
        rows[i + 4] = EVEN128(odd01, odd23);
        rows[i + 8] = ODD128(even01, even23);
        rows[i + 12] = ODD128(odd01, odd23);
#endif
    }
}

TARGET void NAME(const uint8_t *input, size_t count, snpack_node node, uint64_t counter, snpack_cv *output) {
    const size_t blocks = node == CHUNK_NODE ? CHUNK_BLOCKS : 1;
    const uint8_t *lanes[LANES];
    uint32_t low[LANES], high[LANES];
    for (size_t i = 0; i < LANES; i++) {
        // Lanes that nobody needs repeat the last node, so that nothing past the input is read.
        lanes[i] = input + (i < count ? i : count - 1) * blocks * BLOCK_BYTES;
        const uint64_t number = node == CHUNK_NODE ? counter + i : 0;
        low[i] = (uint32_t)number;
        high[i] = (uint32_t)(number >> 32);
    }
    word counter_low, counter_high, h[8];
    memcpy(&counter_low, low, sizeof low);
    memcpy(&counter_high, high, sizeof high);
    UNROLLED for (unsigned i = 0; i < 8; i++) h[i] = (word)(initial[i]);

    for (size_t block = 0; block < blocks; block++) {
        // So many streams at once are more than the CPU foresees by itself. The next group most likely begins where
        // this one ends; where nothing lies there, a prefetch does no harm.
        for (size_t i = 0; i < LANES; i++) {
            const uintptr_t here = (uintptr_t)lanes[i] + block * BLOCK_BYTES;
            __builtin_prefetch((const void *)(here + LANES * blocks * BLOCK_BYTES));
        }
        word m[16];
        UNROLLED for (unsigned part = 0; part < 16; part += LANES) {
            UNROLLED for (unsigned i = 0; i < LANES; i++) {
                memcpy(&m[part + i], lanes[i] + block * BLOCK_BYTES + part * 4, sizeof(word));
            }
            transpose(m + part);
        }
        uint32_t flags = PARENT;
        if (node == CHUNK_NODE) {
            flags = (block == 0 ? CHUNK_START : 0) | (block == blocks - 1 ? CHUNK_END : 0);
        }
        compress(h, m, counter_low, counter_high, BLOCK_BYTES, flags);
    }

    UNROLLED for (unsigned part = 0; part < 8; part += LANES) {
        word rows[LANES];
        UNROLLED for (unsigned i = 0; i < LANES; i++) rows[i] = h[(part + i) % 8];
        transpose(rows);
        UNROLLED for (unsigned i = 0; i < LANES; i++) {
            if (i < count) memcpy(output[i].bytes + part * 4, &rows[i], LANES < 8 ? sizeof(word) : 32);
        }
    }
}
