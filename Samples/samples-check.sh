#!/usr/bin/env bash
# Compiles the samples, and the fuzz targets, against the modules of a debug build, without linking: seconds.
# `make samples-test` runs the samples.
set -euo pipefail
cd "$(dirname "$0")/.."
source Tests/Tools/import_paths.sh debug
count=0
for sample in Samples/Sources/*/; do
  find "$sample" -name '*.swift' -print0 | xargs -0 swiftc -typecheck -swift-version 6 -parse-as-library "${includes[@]}"
  count=$((count + 1))
done
# Neither is part of another build that every landing makes.
fuzzing=Tests/Fuzzing/Sources
modules=$(mktemp -d)
trap 'rm -rf "$modules"' EXIT
includes+=(-I "$fuzzing/CLibFuzzer" -I "$modules")
swiftc -emit-module -emit-module-path "$modules/FuzzSupport.swiftmodule" -module-name FuzzSupport -swift-version 6 \
  -parse-as-library -enable-upcoming-feature InternalImportsByDefault "${includes[@]}" "$fuzzing"/FuzzSupport/*.swift
targets=0
for target in "$fuzzing"/Fuzz*/; do
  if [ "$target" = "$fuzzing/FuzzSupport/" ]; then continue; fi
  find "$target" -name '*.swift' -print0 | xargs -0 swiftc -typecheck -swift-version 6 -parse-as-library \
    -enable-upcoming-feature InternalImportsByDefault "${includes[@]}"
  targets=$((targets + 1))
done
echo "$count samples and $targets fuzz targets compile"
