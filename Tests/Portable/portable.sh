#!/usr/bin/env bash
# Compiles modules as Embedded Swift for WebAssembly (wasm32), and a client of them: portable.sh CLIENT FOLDER...
#
# Folders are given in the order of their imports; one that does not exist is skipped. Left out are files in a folder
# Text: descriptions for people. Nothing is linked: what counts is that every file compiles, with a 32-bit Int, without
# platform, existential values or key paths.
set -euo pipefail
client=$1
shift

folders=()
modules="CGiflib|CMemory|CVectorBlend"
for folder in "$@"; do
  [ -d "$folder" ] || continue
  folders+=("$folder")
  modules="$modules|$(basename "$folder")"
done

# Text included: these modules know no platform at all.
platform() {
  grep -rnE --include='*.swift' '^[[:space:]]*#(if|elseif)\b' "${folders[@]}" || true
  grep -rnE --include='*.swift' '^[[:space:]]*([@a-z_]+[[:space:]]+)*import[[:space:]]' "${folders[@]}" \
    | grep -vE "import[[:space:]]+($modules)[[:space:]]*(//.*)?\$" || true
}
found=$(platform)
if [ -n "$found" ]; then
  echo "portable: these modules import nothing of a platform and have no #if:" >&2
  echo "$found" >&2
  exit 1
fi
if [ "${ONLY_IMPORTS:-}" = 1 ]; then exit 0; fi

source "$(dirname "$0")/../../Sources/Bindings/Web/GallopWeb/embedded.sh"
includes=$(pkg-config --variable=includedir libgif 2>/dev/null || true)
giflib=${includes:-/usr/include}/gif_lib.h
need wasi-libc test -e "$wasi_headers/string.h"
need libgif-dev test -e "$giflib"
install_missing portable

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/include"
cp "$giflib" "$work/include"
embedded_flags "$work/include"

# compile OPTIMISATION MODULE FILE...: what Embedded Swift refuses depends on the optimisation.
compile() {
  local level=$1 module=$2 place="$work/$1"
  shift 2
  mkdir -p "$place"
  "${SWIFTC:-swiftc}" "${flags[@]}" "$level" -I "$place" -module-name "$module" -emit-object -o "$place/$module.o" \
    -emit-module -emit-module-path "$place/$module.swiftmodule" "$@"
  echo "$module $level: $# files, $(stat -c %s "$place/$module.o") bytes of object code"
}

for level in -Onone -O; do
  for folder in "${folders[@]}"; do
    sources_of "$folder"
    compile "$level" "$(basename "$folder")" "${files[@]}"
  done
  compile "$level" PortableClient "$client"
done
