#ifndef SNPACK_BLAKE3_H
#define SNPACK_BLAKE3_H
#endif
