#!/usr/bin/env bash
# Compiles the client's targets, optimised, against the modules of a release build, without linking: seconds.
# `make client-test` builds the package as users do, with the library as a dependency, and runs it.
set -euo pipefail
cd "$(dirname "$0")/../.."
modules=$(mktemp -d)
trap 'rm -rf "$modules"' EXIT
source Tests/Tools/import_paths.sh release
includes+=(-I "$modules")
count=0
# Shapes first, which the others import.
for target in Shapes AsyncShapes PipelineShapes RendererShapes StreamShapes ClientTest; do
  find "Tests/ClientPackage/Sources/$target" -name '*.swift' -print0 | xargs -0 swiftc -O -wmo -swift-version 6 \
    -parse-as-library -module-name "$target" -emit-module -emit-module-path "$modules/$target.swiftmodule" \
    -c -o "$modules/$target.o" "${includes[@]}"
  count=$((count + 1))
done
echo "$count targets of a client compile"
