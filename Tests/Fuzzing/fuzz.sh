#!/usr/bin/env bash
# Fuzzes the engine: each target for this many seconds (default 60), from the files in Corpus.
#
#   fuzz.sh [SECONDS] [TARGET ...]     targets: FuzzEdit FuzzGrowth FuzzIndex FuzzLZW FuzzRenderer
#
# What a target finds lies in .build/findings; what it has learned, in .build/grown, is used again the next time.
set -euo pipefail
cd "$(dirname "$0")"

seconds=${1:-60}
shift || true
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(FuzzEdit FuzzGrowth FuzzIndex FuzzLZW FuzzRenderer)

# lld, since GNU gold stumbles over what the coverage of -sanitize=fuzzer adds.
swift build -c release -Xswiftc -sanitize=fuzzer,address -Xswiftc -use-ld=lld

# Swift's own crash report gets in the way of AddressSanitizer's, and may not come to an end.
export SWIFT_BACKTRACE=enable=no
mkdir -p .build/findings .build/seeds/FuzzGrowth
# FuzzGrowth takes 32 numbers off the end, which would leave nothing of small files: sizes and commands to begin with.
for seed in Corpus/*.gif; do
  { cat "$seed" && printf '\0\0\4\100' && printf '\012\2\23\4%.0s' 1 2 3 4 5 6 && printf '\5\21\1\40'; } \
    >".build/seeds/FuzzGrowth/$(basename "$seed")"
done
for target in "${targets[@]}"; do
  echo "=== $target, $seconds s"
  mkdir -p ".build/grown/$target" ".build/seeds/$target"
  ".build/release/$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=4096 \
    -print_final_stats=1 -verbosity=0 -artifact_prefix=".build/findings/$target-" ".build/grown/$target" \
    ".build/seeds/$target" Corpus
done
