#define _POSIX_C_SOURCE 200809L
#include "curl_shim.h"
#include <pthread.h>
#include <signal.h>
#include <time.h>

CURLcode snpack_curl_perform(CURL *handle) {
    sigset_t pipe_signal, before, pending;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigpending(&pending);
    int was_pending = sigismember(&pending, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);

    CURLcode code = curl_easy_perform(handle);

    if (!was_pending) {
        const struct timespec no_time = {0, 0};
        sigtimedwait(&pipe_signal, NULL, &no_time);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}
