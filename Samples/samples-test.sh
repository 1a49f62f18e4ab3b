#!/usr/bin/env bash
# Builds the samples and runs each as a test. Stops with status 1 at the first that fails.
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bin=.build/release

swift build -c release

echo "=== make-samples"
mkdir -p "$work/samples"
$bin/make-samples "$work/samples" >/dev/null
cmp "$work/samples/gallop.gif" GIFs/gallop.gif || echo "note: this machine draws the samples otherwise"

echo "=== embed-player"
$bin/embed-player GIFs/thrice.gif | tail -n 1 | tee /dev/stderr | grep -q "0 left"

echo "=== chat-list"
$bin/chat-list GIFs/*.gif

echo "=== progressive-player"
$bin/progressive-player GIFs/gallop.gif | tail -n 1
for wrong in README.md no-such-file.gif; do
  if $bin/progressive-player "$wrong" >/dev/null; then echo "$wrong was loaded" >&2 && exit 1; fi
done

echo "=== control-panel"
$bin/control-panel GIFs/gallop.gif GIFs/spinner.gif <Scripts/control-panel.txt >"$work/panel" || { cat "$work/panel"; exit 1; }
echo "$(grep -c . "$work/panel") commands"

# A window in memory, which closes after a second.
echo "=== windowed-player"
if [ -n "$(ldconfig -p | grep libSDL2-2.0)" ]; then
  SDL_VIDEODRIVER=dummy WINDOWED_PLAYER_SECONDS=1 $bin/windowed-player GIFs/*.gif | tee /dev/stderr | grep -q "10 of 10 GIFs have shown a frame"
else
  echo "SDL 2 is not installed"
fi

# Files cut at many places, with noise, empty, missing, and a folder: each has a row, and the sound ones a thumbnail.
echo "=== extract-thumbnails"
mkdir -p "$work/damaged" "$work/thumbnails"
for length in 0 1 5 12 13 20 100 800 5000 40000; do head -c "$length" GIFs/spheres.gif >"$work/damaged/cut-$length.gif"; done
for seed in 1 2 3 4; do
  { head -c 900 GIFs/palettes.gif; head -c 3000 "GIFs/disposals.gif" | tail -c "$((seed * 500))"; } >"$work/damaged/$seed.gif"
done
files=(GIFs/*.gif ../Tests/Fuzzing/Corpus/*.gif "$work"/damaged/*.gif README.md "$work" no-such-file.gif)
$bin/extract-thumbnails "$work/thumbnails" "${files[@]}" >"$work/rows" || { tail "$work/rows"; exit 1; }
rows=$(($(wc -l <"$work/rows") - 1))
if [ "$rows" -ne "${#files[@]}" ]; then echo "$rows rows for ${#files[@]} files" >&2 && exit 1; fi
for code in emptyFile notAGIF truncatedHeader isDirectory unreadable; do
  grep -q "^refused  $code: " "$work/rows" || { echo "no file was refused as $code" >&2; exit 1; }
done
if grep "^refused .* GIFs/" "$work/rows"; then echo "a sound file was refused" >&2 && exit 1; fi
tail -n 1 "$work/rows"
