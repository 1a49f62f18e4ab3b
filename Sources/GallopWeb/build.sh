#!/usr/bin/env bash
# Builds the package for browsers: build.sh FOLDER. Embedded Swift, giflib and wasi-libc become one module without
# imports, gallop.wasm; the JavaScript beside it is copied.
#
# Needs the toolchain's clang and wasm-ld, wasi-libc, clang's builtins for wasm32, binaryen's wasm-opt, and giflib's
# sources, which come from Debian's source package. As root it installs what is missing; otherwise it says what to install.
set -euo pipefail
cd "$(dirname "$0")/../.."
package=$1
work=.build/web
source Sources/GallopWeb/embedded.sh
mkdir -p "$work/objects" "$package"

swiftc=${SWIFTC:-swiftc}
tools=$(dirname "$(readlink -f "$(command -v "$swiftc")")")
libraries=/usr/lib/wasm32-wasi
builtins() { find /usr/lib -name 'libclang_rt.builtins-wasm32.a' 2>/dev/null | sort | tail -n 1; }

need wasi-libc test -e "$wasi_headers/string.h"
need libclang-rt-14-dev-wasm32 test -n "$(builtins)"
need dpkg-dev test -x /usr/bin/dpkg-source
need binaryen test -x /usr/bin/wasm-opt
install_missing web

# giflib's sources, by lists of their own: the system's lists of packages stay as they are.
giflib=$PWD/$work/giflib
if [ ! -e "$giflib/dgif_lib.c" ]; then
  lists=$PWD/$work/apt
  rm -rf "$lists" "$giflib"
  mkdir -p "$lists/lists/partial" "$lists/cache/archives/partial" "$lists/sources.d"
  # The system's own places of Debian's packages, asked for sources.
  for file in /etc/apt/sources.list.d/*.sources; do
    if grep -qs debian-archive-keyring "$file"; then
      sed 's/^Types:.*/Types: deb-src/' "$file" >"$lists/sources.d/$(basename "$file")"
    fi
  done
  cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null \
    | sed -nE 's/^deb (.*\/debian.*)/deb-src \1/p' >"$lists/sources.list" || true
  options=(-o "Dir::Etc::sourcelist=$lists/sources.list" -o "Dir::Etc::sourceparts=$lists/sources.d"
    -o "Dir::State::lists=$lists/lists" -o "Dir::Cache=$lists/cache" -o APT::Sandbox::User=root)
  apt-get "${options[@]}" update -qq
  # Checks the checksums that the signed list names, and applies Debian's patches.
  (cd "$lists" && apt-get "${options[@]}" source -qq giflib >/dev/null 2>&1)
  mv "$lists"/giflib-*/ "$giflib"
fi

# The headers of giflib alone: its folder holds much else.
mkdir -p "$work/include"
cp "$giflib/gif_lib.h" "$work/include"

clang=("$tools/clang" --target=wasm32-wasi -Oz -msimd128 -isystem "$wasi_headers" -I "$giflib" -D__wasi__ -w)
for source in dgif_lib gif_err gifalloc openbsd-reallocarray; do
  "${clang[@]}" -c "$giflib/$source.c" -o "$work/objects/$source.o"
done
"${clang[@]}" -c Sources/GallopWeb/stubs.c -o "$work/objects/stubs.o"

embedded_flags "$work/include"
# Made small, as one program: the kernels ask for speed themselves. Faults stay faults, but many share one instruction.
flags+=(
  -Osize -lto=llvm-full -Xfrontend -mergeable-traps -Xfrontend -disable-stack-protector -Xcc -msimd128
  -I "$work/objects"
)
for module in GIFDecoding GIFTimeline GallopWeb; do
  sources_of "Sources/$module"
  "$swiftc" "${flags[@]}" -module-name "$module" -emit-object -o "$work/objects/$module.o" \
    -emit-module -emit-module-path "$work/objects/$module.swiftmodule" "${files[@]}"
done

"$tools/wasm-ld" --no-entry --gc-sections --strip-all --export=_initialize --export-memory \
  -o "$work/linked.wasm" "$libraries/crt1-reactor.o" "$work"/objects/*.o -L "$libraries" -lc "$(builtins)"
wasm-opt --all-features -Oz --converge --strip-producers --strip-target-features "$work/linked.wasm" \
  -o "$package/gallop.wasm"

cp -r Sources/gallop-gif/. "$package"
# Comments stay in the sources.
python3 Sources/gallop-gif/strip.py Sources/gallop-gif "$package"
rm "$package/strip.py"
# The pages with everything in one file each, for a disk.
assemble() {
  local page=$1
  shift
  samples=()
  for sample in "$@"; do samples+=(--sample "Samples/GIFs/$sample.gif"); done
  python3 Sources/gallop-gif/inspector/assemble.py "Sources/gallop-gif/$page/index.html" "$package/gallop.wasm" \
    "$package/$page.html" "${samples[@]}"
}
assemble inspector lissajous disposals delays
assemble gallery gallop lissajous spheres horseshoe interlaced palettes spinner thrice delays disposals
cp LICENSE "$package"
# The licences of what is linked in.
{
  printf 'gallop.wasm holds code of these projects.\n\n== giflib ==\n\n'
  cat "$giflib/COPYING"
  printf '\n== wasi-libc ==\n\n'
  cat /usr/share/doc/wasi-libc/copyright
  printf '\n== compiler-rt (LLVM) ==\n\n'
  cat /usr/share/doc/libclang-rt-14-dev-wasm32/copyright
  printf '\n== Swift: Apache License 2.0 with Runtime Library Exception, https://swift.org/LICENSE.txt ==\n'
} >"$package/LICENSES.txt"
echo "web: $package, gallop.wasm has $(stat -c %s "$package/gallop.wasm") bytes"
