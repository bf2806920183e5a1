// A message that comes in pieces.

#include "tree.h"

#include <stdlib.h>
#include <string.h>

struct snpack_blake3_hasher {
    snpack_tree tree;
    /// What follows the tree's subtrees. A full unit stays here until more comes, for it could be the last.
    size_t length;
    uint8_t rest[UNIT_BYTES];
};

snpack_blake3_hasher *snpack_blake3_new(snpack_blake3_implementation implementation) {
    snpack_blake3_hasher *hasher = malloc(sizeof *hasher);
    if (hasher) {
        snpack_blake3_tree_start(&hasher->tree, implementation);
        hasher->length = 0;
    }
    return hasher;
}

void snpack_blake3_free(snpack_blake3_hasher *hasher) { free(hasher); }

// Moves input behind the rest, up to a full unit, and says how many bytes that were.
static size_t keep(snpack_blake3_hasher *hasher, const uint8_t *input, size_t length) {
    const size_t room = UNIT_BYTES - hasher->length;
    const size_t kept = length < room ? length : room;
    memcpy(hasher->rest + hasher->length, input, kept);
    hasher->length += kept;
    return kept;
}

void snpack_blake3_update(snpack_blake3_hasher *hasher, const void *bytes, size_t length) {
    if (length == 0) return;
    const uint8_t *input = bytes;
    if (hasher->length > 0) {
        const size_t kept = keep(hasher, input, length);
        if (kept == length) return;
        input += kept;
        length -= kept;
        snpack_cv unit;
        snpack_tree *tree = &hasher->tree;
        snpack_blake3_subtree(tree->implementation, hasher->rest, UNIT_CHUNKS, tree->chunk_count, &unit);
        snpack_blake3_tree_add(tree, &unit, UNIT_CHUNKS);
        hasher->length = 0;
    }
    const size_t done = snpack_blake3_tree_add_units(&hasher->tree, input, length);
    keep(hasher, input + done, length - done);
}

void snpack_blake3_finalize(const snpack_blake3_hasher *hasher, uint8_t digest[SNPACK_BLAKE3_LENGTH]) {
    snpack_blake3_tree_finish(&hasher->tree, hasher->rest, hasher->length, digest);
}
