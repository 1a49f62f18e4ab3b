#!/usr/bin/env bash
# Decodes GIFs with the decoder compiled for 64-bit ARM, under qemu, and compares each pixel with what the tool
# decodes on this machine:  arm64.sh GALLOP FILE...
#
# The decoder is compiled as Embedded Swift, since this machine has no runtime of Swift for ARM. What stands above the
# decoder is not tested here.
set -euo pipefail
gallop=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../../..
source "$root/Sources/Bindings/Web/GallopWeb/embedded.sh"
headers=/usr/aarch64-linux-gnu/include
need gcc-aarch64-linux-gnu test -x /usr/bin/aarch64-linux-gnu-gcc
need libc6-dev-arm64-cross test -e "$headers/string.h"
need qemu-user-static test -x /usr/bin/qemu-aarch64-static
need dpkg-dev test -x /usr/bin/dpkg-source
install_missing arm64

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
giflib=$root/.build/web/giflib
mkdir -p "$root/.build/web" "$work/include"
giflib_sources "$(realpath -m "$giflib")"
cp "$giflib/gif_lib.h" "$work/include"
embedded_flags "$work/include" aarch64-none-none-elf "$headers" __linux__
compile() {
  "${SWIFTC:-swiftc}" "${flags[@]}" -O -I "$work" -module-name "$1" -emit-module -emit-module-path "$work/$1.swiftmodule" \
    -emit-object -o "$work/$1.o" "${@:2}"
}
sources_of "$root/Sources/Engine/GIFDecoding"
compile GIFDecoding "${files[@]}"
compile Decode "$here/Decode.swift"
resources=$("${SWIFT:-swift}" -print-target-info | sed -n 's/^ *"runtimeResourcePath": "\(.*\)",*$/\1/p')
unicode=$resources/embedded/aarch64-none-none-elf/libswiftUnicodeDataTables.a
aarch64-linux-gnu-gcc -O2 -static-pie "$here/main.c" "$work"/*.o "$giflib"/{dgif_lib,gif_err,gifalloc,openbsd-reallocarray}.c \
  "$unicode" -lm -o "$work/decode"

for file in "$@"; do
  qemu-aarch64-static "$work/decode" "$file" | cmp - <("$gallop" decode --quiet --format rgba -o - "$file") || {
    echo "arm64: error: $file has other pixels" >&2
    exit 1
  }
done
echo "arm64: $# files have the same pixels"
