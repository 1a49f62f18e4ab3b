# What build.sh and Tests/Portable/portable.sh share: how Swift is compiled as Embedded Swift for WebAssembly, and how
# packages that are missing are installed. To be sourced.

wasi_headers=/usr/include/wasm32-wasi

# embedded_flags FOLDER-WITH-GIFLIB-HEADER: the compiler's options for every module, in the array `flags`. The folder
# has that header alone: beside it there may be those of this machine's C library.
embedded_flags() {
  flags=(
    -target wasm32-unknown-none-wasm -enable-experimental-feature Embedded -wmo -parse-as-library -swift-version 6
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility
    -enable-upcoming-feature InternalImportsByDefault -enable-experimental-feature Lifetimes
    -strict-memory-safety -warnings-as-errors -package-name gallop
    -I "$(dirname "${BASH_SOURCE[0]}")/../CGiflib" -I "$(dirname "${BASH_SOURCE[0]}")/../CMemory"
    -I "$(dirname "${BASH_SOURCE[0]}")/../CVectorBlend"
    -Xcc -isystem -Xcc "$wasi_headers" -Xcc -isystem -Xcc "$1" -Xcc -D__wasi__
  )
}

# sources_of MODULE-FOLDER: its Swift files, in the array `files`. Texts for people are not for the web,
# and the files in Instead are another module's.
sources_of() { mapfile -t files < <(find "$1" -name '*.swift' -not -path '*/Text/*' -not -path '*/Instead/*' | sort); }

# need PACKAGE CONDITION...: notes the package if the condition does not hold.
missing=()
need() {
  local package=$1
  shift
  "$@" || missing+=("$package")
}

# install_missing NAME: installs what `need` has noted, as root; otherwise says what to install, and ends.
install_missing() {
  if [ ${#missing[@]} -eq 0 ]; then return 0; fi
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "$1: please install as root: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  echo "installing ${missing[*]}" >&2
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}
