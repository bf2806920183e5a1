#include "tree.h"

#include <string.h>

void snpack_blake3_tree_start(snpack_tree *tree, snpack_blake3_implementation implementation) {
    tree->implementation = implementation;
    tree->chunk_count = 0;
    tree->depth = 0;
}

// Joins neighbours, level by level and in place, until at most `target` nodes are left, and says how many that are.
// A node without a neighbour moves up as it is, which gives the specification's tree: a left subtree is always full.
static size_t join(snpack_blake3_implementation implementation, snpack_cv *nodes, size_t count, size_t target) {
    while (count > target) {
        const size_t parents = count / 2;
        snpack_blake3_nodes(implementation, nodes[0].bytes, parents, PARENT_NODE, 0, nodes);
        if (count % 2) nodes[parents] = nodes[count - 1];
        count = parents + count % 2;
    }
    return count;
}

void snpack_blake3_subtree(
    snpack_blake3_implementation implementation, const uint8_t *input, uint64_t chunk_count, uint64_t counter,
    snpack_cv *output) {
    if (chunk_count <= UNIT_CHUNKS) {
        snpack_cv nodes[UNIT_CHUNKS];
        snpack_blake3_nodes(implementation, input, (size_t)chunk_count, CHUNK_NODE, counter, nodes);
        join(implementation, nodes, (size_t)chunk_count, 1);
        *output = nodes[0];
        return;
    }
    const uint64_t half = chunk_count / 2;
    snpack_cv halves[2];
    snpack_blake3_subtree(implementation, input, half, counter, &halves[0]);
    snpack_blake3_subtree(implementation, input + half * CHUNK_BYTES, half, counter + half, &halves[1]);
    snpack_blake3_parent(halves, 0, output);
}

void snpack_blake3_tree_add(snpack_tree *tree, const snpack_cv *subtree, uint64_t chunk_count) {
    tree->subtrees[tree->depth++] = *subtree;
    tree->chunk_count += chunk_count;
    // Adding one in binary: each carry joins two subtrees of equal size.
    for (uint64_t count = tree->chunk_count / chunk_count; count % 2 == 0; count /= 2) {
        tree->depth--;
        snpack_blake3_parent(&tree->subtrees[tree->depth - 1], 0, &tree->subtrees[tree->depth - 1]);
    }
}

size_t snpack_blake3_tree_add_units(snpack_tree *tree, const uint8_t *input, size_t length) {
    size_t done = 0;
    for (; length - done > UNIT_BYTES; done += UNIT_BYTES) {
        snpack_cv unit;
        snpack_blake3_subtree(tree->implementation, input + done, UNIT_CHUNKS, tree->chunk_count, &unit);
        snpack_blake3_tree_add(tree, &unit, UNIT_CHUNKS);
    }
    return done;
}

void snpack_blake3_tree_finish(const snpack_tree *tree, const uint8_t *rest, size_t length, uint8_t digest[32]) {
    snpack_cv root;
    if (tree->depth == 0 && length <= CHUNK_BYTES) {
        snpack_blake3_chunk(rest, length, 0, ROOT, &root);
        memcpy(digest, root.bytes, sizeof root.bytes);
        return;
    }

    snpack_cv nodes[UNIT_CHUNKS];
    size_t count = length / CHUNK_BYTES;
    snpack_blake3_nodes(tree->implementation, rest, count, CHUNK_NODE, tree->chunk_count, nodes);
    if (length % CHUNK_BYTES) {
        const uint8_t *last = rest + count * CHUNK_BYTES;
        snpack_blake3_chunk(last, length % CHUNK_BYTES, tree->chunk_count + count, 0, &nodes[count]);
        count++;
    }

    // The root's children are the two nodes left of the rest, or the leftmost subtree and all that is right of it.
    snpack_cv children[2];
    join(tree->implementation, nodes, count, tree->depth == 0 ? 2 : 1);
    memcpy(children, nodes, sizeof children);
    if (tree->depth > 0) {
        children[1] = nodes[0];
        for (size_t i = tree->depth - 1; i > 0; i--) {
            children[0] = tree->subtrees[i];
            snpack_blake3_parent(children, 0, &children[1]);
        }
        children[0] = tree->subtrees[0];
    }
    snpack_blake3_parent(children, ROOT, &root);
    memcpy(digest, root.bytes, sizeof root.bytes);
}
