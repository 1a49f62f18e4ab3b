# What build.sh and the scripts in Tests/Portable share: how Swift is compiled as Embedded Swift, where giflib's sources
# come from, and how packages that are missing are installed. To be sourced.

wasi_headers=/usr/include/wasm32-wasi

# embedded_flags FOLDER-WITH-GIFLIB-HEADER [TARGET C-HEADERS MACRO]: the compiler's options for every module, in the array
# `flags`, for WebAssembly or another target. The folder has giflib's header alone: beside it there may be those of this
# machine's C library.
embedded_flags() {
  flags=(
    -target "${2:-wasm32-unknown-none-wasm}" -enable-experimental-feature Embedded -wmo -parse-as-library -swift-version 6
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility
    -enable-upcoming-feature InternalImportsByDefault -enable-experimental-feature Lifetimes
    -strict-memory-safety -warnings-as-errors -package-name gallop
    -I "$(dirname "${BASH_SOURCE[0]}")/../../../System/CGiflib" -I "$(dirname "${BASH_SOURCE[0]}")/../../../System/CMemory"
    -I "$(dirname "${BASH_SOURCE[0]}")/../../../System/CVectorBlend"
    -Xcc -isystem -Xcc "${3:-$wasi_headers}" -Xcc -isystem -Xcc "$1" -Xcc "-D${4:-__wasi__}"
  )
}

# giflib_sources FOLDER: fetches giflib's sources from Debian's source package, unless they are there. The lists of
# packages are its own: the system's stay as they are.
giflib_sources() {
  local giflib=$1 lists options file
  if [ -e "$giflib/dgif_lib.c" ]; then return 0; fi
  lists=$(dirname "$giflib")/apt
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
