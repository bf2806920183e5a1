// Tells ThreadSanitizer of Swift's Mutex.
//
// Its way in and out without a wait is compiled into the caller, where the sanitizer sees it. With a wait, the runtime
// library has the kernel write the lock's word (FUTEX_LOCK_PI, FUTEX_UNLOCK_PI), and the sanitizer knows neither. So these
// stand in front of the library's functions and tell it, as it is told of pthread_mutex_t:
// swift/stdlib/public/Synchronization/Mutex/LinuxImpl.swift, `_MutexHandle`.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "CThreadSanitizer.h"

// compiler-rt, sanitizer/tsan_interface.h, which the toolchain does not ship.
void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// Synchronization._MutexHandle._lockSlow(Swift.UInt32) and ._unlockSlow()
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFT void (*lock_function)(uint32_t word, SELF void *mutex);
typedef SWIFT void (*unlock_function)(SELF void *mutex);

static lock_function next_lock;
static unlock_function next_unlock;

static void *next(const char *symbol) {
    void *found = dlsym(RTLD_NEXT, symbol);
    if (!found) {
        fprintf(stderr, "Swift's Mutex has changed: no %s\n", symbol);
        abort();
    }
    return found;
}

__attribute__((constructor)) static void find_next(void) {
    next_lock = (lock_function)next(LOCK);
    next_unlock = (unlock_function)next(UNLOCK);
}

SWIFT void snpack_lock_slow(uint32_t word, SELF void *mutex) __asm__(LOCK);
SWIFT void snpack_lock_slow(uint32_t word, SELF void *mutex) {
    next_lock(word, mutex);
    __tsan_acquire(mutex);
}

SWIFT void snpack_unlock_slow(SELF void *mutex) __asm__(UNLOCK);
SWIFT void snpack_unlock_slow(SELF void *mutex) {
    __tsan_release(mutex);
    next_unlock(mutex);
}
