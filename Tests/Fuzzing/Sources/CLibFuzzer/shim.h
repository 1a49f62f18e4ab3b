#pragma once
#include <stddef.h>
#include <stdint.h>

// libFuzzer's entry for programs that have a main of their own; part of the runtime that -sanitize=fuzzer links.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
