// One node at a time, in plain integers, on any machine.

#include "compress.h"

#include <string.h>

typedef uint32_t word;
#define TARGET

#include "rounds.h"

static uint32_t load32(const uint8_t *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void compress_block(uint32_t h[8], const uint8_t *block, uint64_t counter, uint32_t length, uint32_t flags) {
    uint32_t m[16];
    for (size_t i = 0; i < 16; i++) m[i] = load32(block + 4 * i);
    compress(h, m, (uint32_t)counter, (uint32_t)(counter >> 32), length, flags);
}

static void store(const uint32_t h[8], snpack_cv *output) {
    for (size_t i = 0; i < 32; i++) output->bytes[i] = (uint8_t)(h[i / 4] >> (8 * (i % 4)));
}

void snpack_blake3_chunk(const uint8_t *input, size_t length, uint64_t counter, uint32_t flags, snpack_cv *output) {
    uint32_t h[8];
    memcpy(h, initial, sizeof h);
    uint32_t start = CHUNK_START;
    for (; length > BLOCK_BYTES; input += BLOCK_BYTES, length -= BLOCK_BYTES) {
        compress_block(h, input, counter, BLOCK_BYTES, start);
        start = 0;
    }
    // The last block is filled up with zeros; an empty message has this one alone.
    uint8_t last[BLOCK_BYTES] = {0};
    if (length > 0) memcpy(last, input, length);
    compress_block(h, last, counter, (uint32_t)length, start | CHUNK_END | flags);
    store(h, output);
}

void snpack_blake3_parent(const snpack_cv children[2], uint32_t flags, snpack_cv *output) {
    uint32_t h[8];
    memcpy(h, initial, sizeof h);
    compress_block(h, children[0].bytes, 0, BLOCK_BYTES, PARENT | flags);
    store(h, output);
}
