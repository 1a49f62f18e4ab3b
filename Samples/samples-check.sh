#!/usr/bin/env bash
# Compiles the samples against the modules of a debug build, without linking: seconds. `make samples-test` runs them.
set -euo pipefail
cd "$(dirname "$0")/.."
includes=(-I .build/debug/Modules)
for map in Sources/System/*/module.modulemap Sources/System/*/include/module.modulemap; do
  if [ -f "$map" ]; then includes+=(-I "$(dirname "$map")"); fi
done
count=0
for sample in Samples/Sources/*/; do
  find "$sample" -name '*.swift' -print0 | xargs -0 swiftc -typecheck -swift-version 6 -parse-as-library "${includes[@]}"
  count=$((count + 1))
done
echo "$count samples compile"
