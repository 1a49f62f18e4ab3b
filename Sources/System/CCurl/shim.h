#ifndef GALLOP_CCURL_SHIM_H
#define GALLOP_CCURL_SHIM_H
// libcurl's types and constants only. The library itself is opened when the first http(s) URL is loaded: linked, its
// thirty-odd libraries would nearly double the start-up time of every program, most of which load nothing.
//
// Swift cannot call functions with variable arguments, so the two that libcurl has are called here, by address.
#include <curl/curl.h>

typedef CURLcode (*gallop_curl_setopt)(CURL *, CURLoption, ...);
typedef CURLcode (*gallop_curl_getinfo)(CURL *, CURLINFO, ...);
typedef size_t (*gallop_curl_callback)(char *, size_t, size_t, void *);

static inline CURLcode gallop_curl_set_long(void *setopt, CURL *handle, CURLoption option, long value) {
  return ((gallop_curl_setopt)setopt)(handle, option, value);
}

static inline CURLcode gallop_curl_set_pointer(void *setopt, CURL *handle, CURLoption option, const void *value) {
  return ((gallop_curl_setopt)setopt)(handle, option, value);
}

static inline CURLcode gallop_curl_set_callback(
    void *setopt, CURL *handle, CURLoption option, gallop_curl_callback value) {
  return ((gallop_curl_setopt)setopt)(handle, option, value);
}

static inline CURLcode gallop_curl_get_long(void *getinfo, CURL *handle, CURLINFO info, long *value) {
  return ((gallop_curl_getinfo)getinfo)(handle, info, value);
}

static inline CURLcode gallop_curl_get_offset(void *getinfo, CURL *handle, CURLINFO info, curl_off_t *value) {
  return ((gallop_curl_getinfo)getinfo)(handle, info, value);
}
#endif
