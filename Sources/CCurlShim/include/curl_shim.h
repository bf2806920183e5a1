#ifndef SNPACK_CURL_SHIM_H
#define SNPACK_CURL_SHIM_H
#include <curl/curl.h>

/* curl_easy_setopt and curl_easy_getinfo are variadic, which Swift does not import: one wrapper per type of value. */

static inline CURLcode snpack_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode snpack_curl_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode snpack_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode snpack_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode snpack_curl_set_data_function(CURL *handle, CURLoption option, curl_write_callback value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode snpack_curl_set_progress_function(CURL *handle, curl_xferinfo_callback value) {
    return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, value);
}

/* CURL_GLOBAL_ALL is an expression that Swift does not import. */
static inline CURLcode snpack_curl_global_init(void) {
    return curl_global_init(CURL_GLOBAL_ALL);
}

/* curl_easy_perform that never raises SIGPIPE. libcurl can ignore the signal itself, but only for the whole process
   and with a race between threads; blocking it in this thread has neither fault. */
CURLcode snpack_curl_perform(CURL *handle);

#endif
