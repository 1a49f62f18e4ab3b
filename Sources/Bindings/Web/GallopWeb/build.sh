#!/usr/bin/env bash
# Builds the package for browsers: build.sh FOLDER. Embedded Swift, giflib and wasi-libc become one module without
# imports, gallop.wasm; the JavaScript beside it is copied.
#
# Needs the toolchain's clang and wasm-ld, wasi-libc, clang's builtins for wasm32, binaryen's wasm-opt, esbuild, and
# giflib's sources, which come from Debian's source package. As root it installs what is missing; otherwise it says what to install.
set -euo pipefail
cd "$(dirname "$0")/../../../.."
mkdir -p "$1"
package=$(cd "$1" && pwd)
work=.build/web
source Sources/Bindings/Web/GallopWeb/embedded.sh
mkdir -p "$work/objects" "$package"
# Without what an earlier state of the sources has left.
rm -f "$work"/objects/*.o

swiftc=${SWIFTC:-swiftc}
tools=$(dirname "$(readlink -f "$(command -v "$swiftc")")")
libraries=/usr/lib/wasm32-wasi
builtins() { find /usr/lib -name 'libclang_rt.builtins-wasm32.a' 2>/dev/null | sort | tail -n 1; }

need wasi-libc test -e "$wasi_headers/string.h"
need libclang-rt-14-dev-wasm32 test -n "$(builtins)"
need dpkg-dev test -x /usr/bin/dpkg-source
need binaryen test -x /usr/bin/wasm-opt
need esbuild test -x /usr/bin/esbuild
install_missing web

giflib=$PWD/$work/giflib
giflib_sources "$giflib"

# The headers of giflib alone: its folder holds much else.
mkdir -p "$work/include"
cp "$giflib/gif_lib.h" "$work/include"

clang=(
  "$tools/clang" --target=wasm32-unknown-none-wasm -Oz -msimd128 -isystem "$wasi_headers" -I "$giflib" -D__wasi__ -w
)
# The linker optimises giflib together with its callers; the allocator stays outside, as functions of these names are
# taken for the C library's own there. With the C library's the module has 2,427 bytes of brotli more and takes 0.7 MB more.
for source in dgif_lib gif_err gifalloc openbsd-reallocarray; do
  "${clang[@]}" -flto -c "$giflib/$source.c" -o "$work/objects/$source.o"
done
for source in stubs allocator; do
  "${clang[@]}" -mbulk-memory -c "Sources/Bindings/Web/GallopWeb/$source.c" -o "$work/objects/$source.o"
done

embedded_flags "$work/include"
# Made small, as one program: the kernels ask for speed themselves. Faults stay faults, but many share one instruction.
# One thread has the instance, so accesses need no check. The other options save a few hundred bytes each.
flags+=(
  -Osize -lto=llvm-full -Xfrontend -mergeable-traps -Xfrontend -disable-stack-protector -Xcc -msimd128
  -enforce-exclusivity=unchecked -Xllvm -sil-disable-pass=closure-specialize -Xllvm -swiftmergefunc-threshold=4
  -I "$work/objects"
)
# Swift's inliner makes the kernels fast and everything else large. What decides when a frame is drawn does without it,
# and so does what a file or a frame needs once.
not_inlined=$(grep -v '^#' Sources/Bindings/Web/GallopWeb/not-inlined.txt | paste -sd ,)
options_of() {
  case $1 in
    GIFDecoding)
      own=(-Xllvm -sil-inline-never-functions=FrameRenderer -Xllvm "-sil-inline-never-function=$not_inlined")
      # Code that cannot run without files is what Instead is for. `make portable` compiles the module with them.
      own+=(-no-warnings-as-errors -suppress-warnings)
      ;;
    GIFTimeline) own=(-Xllvm -sil-inline-never-functions=11GIFTimeline) ;;
    GallopWeb) own=(-Xllvm -sil-inline-never-functions=9GallopWeb) ;;
    GIFWriting | GIFEditing | GIFFlashes | GallopEdit | GallopFlashes) own=(-no-warnings-as-errors -suppress-warnings) ;;
  esac
}
# web_sources_of FOLDER: its Swift files, in the array `files`. A file in Instead stands for the engine's of that name.
# Without them gallop.wasm has 5,091 bytes of brotli more (57,402 to 52,311) and takes no file, as SystemMemory maps pages.
instead=()
web_sources_of() {
  sources_of "$1"
  local file other
  for file in "${!files[@]}"; do
    other=Sources/Bindings/Web/GallopWeb/Instead/$(basename "${files[$file]}")
    if [ -e "$other" ]; then
      files[file]=$other
      instead+=("$other")
    fi
  done
}
for folder in Sources/Engine/{GIFDecoding,GIFTimeline,GIFWriting,GIFEditing,GIFFlashes} \
  Sources/Bindings/Web/{GallopWeb,GallopEdit,GallopFlashes}; do
  module=$(basename "$folder")
  web_sources_of "$folder"
  case $module in
    GallopEdit) files+=(Sources/Bindings/Web/GallopWeb/SharedBlock.swift) ;;
    GallopFlashes) files+=(Sources/Bindings/Web/GallopWeb/{SharedBlock,HandleTable,PageValues}.swift) ;;
  esac
  options_of "$module"
  "$swiftc" "${flags[@]}" "${own[@]}" -module-name "$module" -emit-object -o "$work/objects/$module.o" \
    -emit-module -emit-module-path "$work/objects/$module.swiftmodule" "${files[@]}"
done
# A name that its file or function no longer has would only make the module larger.
functions=$("$tools/llvm-nm" --format=just-symbols "$work/objects/GIFDecoding.o")
for name in ${not_inlined//,/ }; do
  if ! grep -qxF -- "$name" <<<"$functions"; then
    echo "web: GIFDecoding has no function $name: not-inlined.txt names it" >&2
    exit 1
  fi
done
for file in Sources/Bindings/Web/GallopWeb/Instead/*; do
  if [[ " ${instead[*]} " != *" $file "* ]]; then
    echo "web: $file stands for no file of the engine" >&2
    exit 1
  fi
done

# What every browser with SIMD has, and no more: with all of its features wasm-opt writes types that some refuse.
features=(simd bulk-memory sign-ext nontrapping-float-to-int mutable-globals multivalue)
# link OUTPUT MODULE...: giflib, the allocator and these modules as one module of WebAssembly.
link() {
  local output=$1 objects=("$work"/objects/{dgif_lib,gif_err,gifalloc,openbsd-reallocarray,stubs,allocator}.o) module
  shift
  for module in "$@"; do objects+=("$work/objects/$module.o"); done
  "$tools/wasm-ld" --no-entry --gc-sections --strip-all --export=_initialize --export-memory \
    -mllvm -inline-threshold=12 -mllvm -two-entry-phi-node-folding-threshold=8 -mllvm -enable-merge-functions \
    -mllvm -disable-lsr \
    -o "$work/linked.wasm" "$libraries/crt1-reactor.o" "${objects[@]}" -L "$libraries" -lc "$(builtins)"
  # Optimising comes last: any pass behind it undoes what is saved where the stack is written.
  # The loops of the kernels stay functions of their own: within their only callers they lack registers (a tenth of decoding).
  wasm-opt "${features[@]/#/--enable-}" --low-memory-unused --strip-producers --strip-target-features -Oz --converge \
    --one-caller-inline-max-function-size=300 "$work/linked.wasm" -o "$output"
}
link "$package/gallop.wasm" GIFDecoding GIFTimeline GallopWeb
# Loaded where a page asks about flashes.
link "$package/flashes.wasm" GIFDecoding GIFTimeline GIFFlashes GallopFlashes
# The allocator alone, for its test.
"$tools/wasm-ld" --no-entry --export-memory --export=__heap_base --export=malloc --export=calloc --export=realloc \
  --export=posix_memalign --export=free -o "$work/allocator.wasm" "$work/objects/allocator.o"

cp -r Sources/Bindings/Web/gallop-gif/. "$package"
# Loaded by the inspector when a range is saved.
link "$package/inspector/edit.wasm" GIFDecoding GIFWriting GIFEditing GallopEdit
# What the classes of an element share has short names with a sign before them: a page may give an element any letter as a
# property of its own.
short=('--mangle-props=^_[a-z]' "--mangle-cache=$PWD/$work/short-names.json")
python3 Sources/Bindings/Web/GallopWeb/short_names.py Sources/Bindings/Web/gallop-gif/*.js >"$work/short-names.json"
# Without comments, spaces and long names. The page's half of an element is one file and the worker's another, so that a
# browser asks for both, and for the engine, at once. What a host of one's own, Node and the other elements use are modules
# by themselves.
(
  cd Sources/Bindings/Web/gallop-gif
  smaller=(esbuild --minify --format=esm --log-level=warning --allow-overwrite)
  find . -name '*.js' -print0 | xargs -0 "${smaller[@]}" --outbase=. --outdir="$package"
  "${smaller[@]}" --bundle gallop.js --outfile="$package/index.js" --external:./{controls,flash-notice,judge,srcset,worker}.js "${short[@]}"
  "${smaller[@]}" --bundle worker.js --outfile="$package/worker.js"
  "${smaller[@]}" --bundle flashes.js --outfile="$package/flashes.js"
  # The upgrade of a page is one file; it loads the rest when it is wanted.
  apart=(--external:./upgrade-{bar,copy,cover,data,density,engine,motion,plays,under}.js)
  for entry in upgrade-{with,bar,cover,motion}; do
    "${smaller[@]}" --bundle "$entry.js" --outfile="$package/$entry.js" "${apart[@]}"
  done
)
# The same as one classic script: with the module and the worker inside it works from a disk and in content scripts.
(
  cd Sources/Bindings/Web/gallop-gif
  inside=$(mktemp -d)
  trap 'rm -rf "$inside"' EXIT
  cp -r . "$inside/sources"
  cp flashes-inside.js "$inside/sources/flashes-loader.js"
  cd "$inside/sources"
  script=(esbuild --bundle --minify --format=iife --log-level=warning '--define:import.meta.url=""')
  "${script[@]}" worker.js --outfile="$inside/worker.js"
  mv "$inside/worker.js" "$inside/worker.txt"
  cp "$package/gallop.wasm" "$inside"
  printf '%s\n' 'import wasm from "./gallop.wasm";' 'import worker from "./worker.txt";' \
    'export const gallopInside = { wasm, worker };' >"$inside/inside.mjs"
  "${script[@]}" classic.js --global-name=gallopGIF --outfile="$package/gallop-gif.min.js" \
    '--define:globalThis.gallopInside=gallopInside' --inject:"$inside/inside.mjs" --loader:.wasm=base64 \
    --loader:.txt=text "${short[@]}"
)
rm "$package"/{classic,flashes-inside}.js
# A second copy of these would be a second engine on the page.
rm "$package"/{client,first-frame,layout,media,media-values,page,properties,stand-in}.js
rm "$package"/upgrade-{button,bytes,content,frames,image,layer,page,style}.js
echo 'export*from"./index.js";' >"$package/gallop.js"
echo 'export{GallopGIF}from"./index.js";' >"$package/element.js"
echo 'export{COMMANDS,GallopError,MODES}from"./index.js";' >"$package/protocol.js"
rm "$package/inspector/assemble.py"
# The pages with everything in one file each, for a disk.
assemble() {
  local page=$1
  shift
  samples=()
  for sample in "$@"; do samples+=(--sample "Samples/GIFs/$sample.gif"); done
  python3 Sources/Bindings/Web/gallop-gif/inspector/assemble.py "Sources/Bindings/Web/gallop-gif/$page/index.html" "$package/gallop.wasm" \
    "$package/$page.html" "${samples[@]}" "${more[@]}"
}
more=(--edit "$package/inspector/edit.wasm" --flashes "$package/flashes.wasm")
assemble inspector lissajous disposals delays
more=()
assemble gallery gallop lissajous spheres horseshoe interlaced palettes spinner thrice delays disposals
cp LICENSE "$package"
# The licences of what is linked in.
{
  printf 'gallop.wasm, flashes.wasm and inspector/edit.wasm hold code of these projects.\n\n== giflib ==\n\n'
  cat "$giflib/COPYING"
  printf '\n== wasi-libc ==\n\n'
  cat /usr/share/doc/wasi-libc/copyright
  printf '\n== compiler-rt (LLVM) ==\n\n'
  cat /usr/share/doc/libclang-rt-14-dev-wasm32/copyright
  printf '\n== Swift: Apache License 2.0 with Runtime Library Exception, https://swift.org/LICENSE.txt ==\n'
} >"$package/LICENSES.txt"
echo "web: $package, gallop.wasm has $(stat -c %s "$package/gallop.wasm") bytes, edit.wasm $(stat -c %s "$package/inspector/edit.wasm")"
