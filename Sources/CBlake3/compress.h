// The compression function's parts as the rest of this library sees them.

#ifndef SNPACK_BLAKE3_COMPRESS_H
#define SNPACK_BLAKE3_COMPRESS_H

#include "snpack_blake3.h"

enum { BLOCK_BYTES = 64, CHUNK_BYTES = 1024, CHUNK_BLOCKS = CHUNK_BYTES / BLOCK_BYTES };

/// The domain separation flags of hash mode.
enum { CHUNK_START = 1 << 0, CHUNK_END = 1 << 1, PARENT = 1 << 2, ROOT = 1 << 3 };

/// A node's chaining value: eight words, little-endian, so that two of them side by side are a parent's block.
typedef struct {
    uint8_t bytes[32];
} snpack_cv;

/// The two kinds of nodes of the tree.
typedef enum { CHUNK_NODE, PARENT_NODE } snpack_node;

/// Compresses the `count` nodes that lie one after the other at `input`: whole chunks, the first of them number
/// `counter` of the message, or parents' blocks. `output` may start where `input` does. None of them is the root.
typedef void snpack_group(const uint8_t *input, size_t count, snpack_node node, uint64_t counter, snpack_cv *output);

/// Compresses one chunk of 0 to 1024 bytes. `flags` is `ROOT` or 0.
void snpack_blake3_chunk(const uint8_t *input, size_t length, uint64_t counter, uint32_t flags, snpack_cv *output);

/// Compresses a parent of two nodes. `flags` is `ROOT` or 0. `output` may be one of the two.
void snpack_blake3_parent(const snpack_cv children[2], uint32_t flags, snpack_cv *output);

/// Compresses any number of nodes by one implementation, as many at a time as it can.
void snpack_blake3_nodes(
    snpack_blake3_implementation implementation, const uint8_t *input, size_t count, snpack_node node,
    uint64_t counter, snpack_cv *output);

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define SNPACK_HAS_LANES4 1
snpack_group snpack_blake3_lanes4;
#endif

#if defined(__x86_64__)
#define SNPACK_HAS_AVX 1
snpack_group snpack_blake3_lanes8_avx2;
snpack_group snpack_blake3_lanes16_avx512;
#endif

#endif
