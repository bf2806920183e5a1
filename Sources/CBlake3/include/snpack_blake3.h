// BLAKE3 in hash mode with the default 32-byte output, written from the specification
// (J. O'Connor, J-P. Aumasson, S. Neves, Z. Wilcox-O'Hearn: "BLAKE3, one function, fast everywhere").

#ifndef SNPACK_BLAKE3_H
#define SNPACK_BLAKE3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SNPACK_BLAKE3_LENGTH 32

/// The ways to compress, slowest first. All give the same digests.
typedef enum {
    SNPACK_BLAKE3_PORTABLE,  ///< One node at a time, in plain integers.
    SNPACK_BLAKE3_LANES4,    ///< Four nodes at a time, in vectors every machine of the architecture has (SSE2, NEON).
    SNPACK_BLAKE3_AVX2,      ///< Eight nodes at a time.
    SNPACK_BLAKE3_AVX512,    ///< Sixteen nodes at a time.
} snpack_blake3_implementation;

/// Whether this build has the implementation and this machine can run it.
bool snpack_blake3_supports(snpack_blake3_implementation implementation);

/// A digest in progress. Its size does not depend on how much it is fed.
typedef struct snpack_blake3_hasher snpack_blake3_hasher;

/// A hasher that has seen nothing yet, or NULL when memory ran out. `implementation` must be a supported one.
snpack_blake3_hasher *snpack_blake3_new(snpack_blake3_implementation implementation);

/// Takes the next `length` bytes of the message.
void snpack_blake3_update(snpack_blake3_hasher *hasher, const void *input, size_t length);

/// Writes the digest of everything taken so far. The hasher can take more afterwards.
void snpack_blake3_finalize(const snpack_blake3_hasher *hasher, uint8_t digest[SNPACK_BLAKE3_LENGTH]);

/// Releases what `snpack_blake3_new` gave.
void snpack_blake3_free(snpack_blake3_hasher *hasher);

/// Writes the digest of a whole message in memory, worked out by up to `threads` threads, the caller's among them.
/// The digest is the same for any number. `implementation` must be a supported one.
void snpack_blake3_hash(
    snpack_blake3_implementation implementation, const void *input, size_t length, size_t threads,
    uint8_t digest[SNPACK_BLAKE3_LENGTH]);

#endif
