// Sixteen nodes at a time in 512-bit vectors.

#include "compress.h"

#if SNPACK_HAS_AVX

#define LANES 16
#define NAME snpack_blake3_lanes16_avx512
#define TARGET __attribute__((target("avx512f"), min_vector_width(512)))
#define QUADS(a, b, i, j, k, l) __builtin_shufflevector( \
    a, b, i, j, k, l, i + 4, j + 4, k + 4, l + 4, i + 8, j + 8, k + 8, l + 8, i + 12, j + 12, k + 12, l + 12)
#define LOW32(a, b) QUADS(a, b, 0, 16, 1, 17)
#define HIGH32(a, b) QUADS(a, b, 2, 18, 3, 19)
#define LOW64(a, b) QUADS(a, b, 0, 1, 16, 17)
#define HIGH64(a, b) QUADS(a, b, 2, 3, 18, 19)
#define EVEN128(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27)
#define ODD128(a, b) __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31)

#include "lanes.h"

#endif
