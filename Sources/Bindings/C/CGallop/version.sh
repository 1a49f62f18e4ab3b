#!/bin/sh
# Prints the version that gallop.h states.
sed -n 's/^#define GALLOP_VERSION_[A-Z]* \([0-9]*\)$/\1/p' "$(dirname "$0")/include/gallop.h" | paste -sd .
