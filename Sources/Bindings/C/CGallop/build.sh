#!/bin/sh
# Builds libgallop with its own hidden Swift runtime:  build.sh OUTPUT COMMAND...
#
# OUTPUT has libgallop.so.VERSION, the links by which programs find it, and its names for debuggers. COMMAND is the
# Makefile's SWIFT_RELEASE: with the same flags the engine's modules serve the tool, too.
set -eu
cd "$(dirname "$0")/../../../.."
output=$1
shift
here=Sources/Bindings/C/CGallop
version=$($here/version.sh)

release=.build/release
product=$release/libgallop-c.so
# Compiled from the beginning after a change: an incremental build has linked modules that knew an older layout of a struct.
code=$(find Sources Package.swift \( -name '*.swift' -o -name '*.h' -o -name '*.modulemap' \) -newer "$product" -print -quit 2>/dev/null || true)
if [ -e "$product" ] && [ -n "$code" ]; then
  rm -rf $release/*.build $release/Modules
fi

GALLOP_C_LIBRARY=1 "$@" --product gallop-c -Xlinker --version-script=$here/gallop.map \
  -Xlinker -soname=libgallop.so.0 -Xlinker -z -Xlinker nodelete -Xlinker --wrap=hypotf

mkdir -p "$output"
debug=$output/libgallop.so.$version.debug
# The hashes of modules are for the compiler's next run. They depend on where the sources lie, and the build id on them.
place="--remove-section=.swift_modhash --remove-section=.note.gnu.build-id"
objcopy=$($here/objcopy.sh)
"$objcopy" --only-keep-debug $place "$product" "$debug"
# A program that runs keeps the file that it has loaded.
"$objcopy" --strip-unneeded $place --add-gnu-debuglink="$debug" "$product" "$output/.new"
chmod 755 "$output/.new"
mv "$output/.new" "$output/libgallop.so.$version"
ln -sf "libgallop.so.$version" "$output/libgallop.so.0"
ln -sf libgallop.so.0 "$output/libgallop.so"
python3 $here/manual.py $here/include/gallop.h "$output/man3"
