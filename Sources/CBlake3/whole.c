// A whole message in memory, by several threads.

#include "tree.h"

#include <pthread.h>
#include <stdatomic.h>

enum { MAX_PIECES = 256 };

/// Below so many pieces for each, threads cost more time than they save.
enum { PIECES_PER_THREAD = 4 };

/// A message cut into subtrees of equal size, which the threads take one by one.
typedef struct {
    snpack_blake3_implementation implementation;
    const uint8_t *input;
    size_t chunks_per_piece;
    size_t piece_count;
    atomic_size_t next;
    snpack_cv pieces[MAX_PIECES];
} cut_message;

static void *take_pieces(void *argument) {
    cut_message *message = argument;
    size_t i;
    while ((i = atomic_fetch_add(&message->next, 1)) < message->piece_count) {
        const size_t first = i * message->chunks_per_piece;
        snpack_blake3_subtree(
            message->implementation, message->input + first * CHUNK_BYTES, message->chunks_per_piece, first,
            &message->pieces[i]);
    }
    return NULL;
}

static void run(cut_message *message, size_t threads) {
    pthread_t others[MAX_PIECES];
    size_t started = 0;
    // A thread that does not start is no loss but time: the others take its pieces.
    while (started + 1 < threads && pthread_create(&others[started], NULL, take_pieces, message) == 0) started++;
    take_pieces(message);
    for (size_t i = 0; i < started; i++) pthread_join(others[i], NULL);
}

void snpack_blake3_hash(
    snpack_blake3_implementation implementation, const void *bytes, size_t length, size_t threads,
    uint8_t digest[SNPACK_BLAKE3_LENGTH]) {
    const uint8_t *input = bytes;
    snpack_tree tree;
    snpack_blake3_tree_start(&tree, implementation);

    if (threads > 1 && length / UNIT_BYTES >= 2 * PIECES_PER_THREAD) {
        cut_message message = {.implementation = implementation, .input = input, .chunks_per_piece = UNIT_CHUNKS};
        // The last byte is in no piece, so that more always follows.
        while ((length - 1) / CHUNK_BYTES / message.chunks_per_piece > MAX_PIECES) message.chunks_per_piece *= 2;
        message.piece_count = (length - 1) / CHUNK_BYTES / message.chunks_per_piece;

        const size_t useful = message.piece_count / PIECES_PER_THREAD;
        run(&message, threads < useful ? threads : useful);
        for (size_t i = 0; i < message.piece_count; i++) {
            snpack_blake3_tree_add(&tree, &message.pieces[i], message.chunks_per_piece);
        }
        input += message.piece_count * message.chunks_per_piece * CHUNK_BYTES;
        length -= message.piece_count * message.chunks_per_piece * CHUNK_BYTES;
    }

    const size_t done = snpack_blake3_tree_add_units(&tree, input, length);
    snpack_blake3_tree_finish(&tree, input + done, length - done, digest);
}
