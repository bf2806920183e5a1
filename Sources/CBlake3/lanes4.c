// Four nodes at a time in 128-bit vectors, which every x86-64 (SSE2) and arm64 (NEON) machine has.

#include "compress.h"

#if SNPACK_HAS_LANES4

#define LANES 4
#define NAME snpack_blake3_lanes4
#define TARGET
#define LOW32(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define HIGH32(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define LOW64(a, b) __builtin_shufflevector(a, b, 0, 1, 4, 5)
#define HIGH64(a, b) __builtin_shufflevector(a, b, 2, 3, 6, 7)

#include "lanes.h"

#endif
