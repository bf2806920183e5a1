// Which implementations there are, and how each deals with a number of nodes that is not its own.

#include "compress.h"

bool snpack_blake3_supports(snpack_blake3_implementation implementation) {
    switch (implementation) {
    case SNPACK_BLAKE3_PORTABLE:
        return true;
#if SNPACK_HAS_LANES4
    case SNPACK_BLAKE3_LANES4:
        return true;
#endif
#if SNPACK_HAS_AVX
    // The compiler's run-time library asks the CPU and the kernel once, before `main`.
    case SNPACK_BLAKE3_AVX2:
        return __builtin_cpu_supports("avx2");
    case SNPACK_BLAKE3_AVX512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx2");
#endif
    default:
        return false;
    }
}

// Compresses some of the nodes and says how many.
static size_t compress_some(
    snpack_blake3_implementation implementation, const uint8_t *input, size_t count, snpack_node node,
    uint64_t counter, snpack_cv *output) {
    snpack_group *group = NULL;
    size_t lanes = 1;
    // A group with idle lanes costs as much as a full one, so the narrower one that is wide enough is better;
    // but two nodes in a group already beat two single ones.
    if (count > 1) {
#if SNPACK_HAS_AVX
        if (implementation == SNPACK_BLAKE3_AVX512 && count > 8) {
            group = snpack_blake3_lanes16_avx512;
            lanes = 16;
        } else if (implementation >= SNPACK_BLAKE3_AVX2) {
            group = snpack_blake3_lanes8_avx2;
            lanes = 8;
        }
#endif
#if SNPACK_HAS_LANES4
        if (implementation == SNPACK_BLAKE3_LANES4) {
            group = snpack_blake3_lanes4;
            lanes = 4;
        }
#endif
    }
    if (count > lanes) count = lanes;
    if (group) {
        group(input, count, node, counter, output);
    } else if (node == CHUNK_NODE) {
        snpack_blake3_chunk(input, CHUNK_BYTES, counter, 0, output);
    } else {
        snpack_blake3_parent((const snpack_cv *)input, 0, output);
    }
    return count;
}

void snpack_blake3_nodes(
    snpack_blake3_implementation implementation, const uint8_t *input, size_t count, snpack_node node,
    uint64_t counter, snpack_cv *output) {
    const size_t node_bytes = node == CHUNK_NODE ? CHUNK_BYTES : BLOCK_BYTES;
    while (count > 0) {
        const size_t done = compress_some(implementation, input, count, node, counter, output);
        input += done * node_bytes;
        count -= done;
        counter += done;
        output += done;
    }
}
