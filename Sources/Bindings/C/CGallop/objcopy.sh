#!/bin/sh
# Prints the path of the Swift toolchain's llvm-objcopy. The one of binutils drops GNU_RELRO where it removes a section.
set -eu
resources=$("${SWIFT:-swift}" -print-target-info | sed -n 's/^ *"runtimeResourcePath": "\(.*\)",*$/\1/p')
program=$resources/../../bin/llvm-objcopy
[ -x "$program" ] || program=$(command -v llvm-objcopy) || {
  echo "llvm-objcopy is missing: it is a part of Swift's toolchain and of Debian's llvm" >&2
  exit 1
}
printf '%s\n' "$program"
