// The left edge of a message's tree: the subtrees that are complete.

#ifndef SNPACK_BLAKE3_TREE_H
#define SNPACK_BLAKE3_TREE_H

#include "compress.h"

/// A message is taken in units of so many chunks: enough to fill the widest group on several levels of parents,
/// few enough to stay in the cache.
enum { UNIT_CHUNKS = 128, UNIT_BYTES = UNIT_CHUNKS * CHUNK_BYTES };

/// The longest message, 2^64 - 1 bytes, has 2^54 chunks.
enum { MAX_DEPTH = 54 };

typedef struct {
    snpack_blake3_implementation implementation;
    uint64_t chunk_count;
    size_t depth;
    /// The roots of the subtrees, from the left; their sizes are the binary digits of `chunk_count`.
    snpack_cv subtrees[MAX_DEPTH];
} snpack_tree;

void snpack_blake3_tree_start(snpack_tree *tree, snpack_blake3_implementation implementation);

/// The root of a complete subtree of `chunk_count` chunks, a power of two, that is not the whole message.
void snpack_blake3_subtree(
    snpack_blake3_implementation implementation, const uint8_t *input, uint64_t chunk_count, uint64_t counter,
    snpack_cv *output);

/// Adds a complete subtree, not larger than those before it. More of the message must follow: the tree's root
/// is compressed in another way than all other nodes, and so must not be made here.
void snpack_blake3_tree_add(snpack_tree *tree, const snpack_cv *subtree, uint64_t chunk_count);

/// Adds every whole unit that more of the input follows, and says how many bytes that were.
size_t snpack_blake3_tree_add_units(snpack_tree *tree, const uint8_t *input, size_t length);

/// Writes the digest of what was added and the rest of the message after it: at most a unit, and empty only
/// if the message is.
void snpack_blake3_tree_finish(const snpack_tree *tree, const uint8_t *rest, size_t length, uint8_t digest[32]);

#endif
