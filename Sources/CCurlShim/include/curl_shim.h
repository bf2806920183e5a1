#ifndef SNPACK_CURL_SHIM_H
#define SNPACK_CURL_SHIM_H
#include <curl/curl.h>
#endif
