// libFuzzer's way in for programs that have a main of their own (compiler-rt, fuzzer/FuzzerDriver.cpp).
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
