#!/usr/bin/env bash
# Tries every command of a built gallop on the sample GIFs.
#
#   smoke.sh PATH/TO/gallop FOLDER
#
# Exit status 1 if anything fails. How long things take is printed and never judged.
set -uo pipefail

if [ $# -ne 2 ] || [ ! -x "$1" ] || [ ! -d "$2" ]; then
  echo "usage: smoke.sh PATH/TO/gallop FOLDER-OF-GIFS" >&2
  exit 64
fi
gallop=$(realpath "$1")
samples=$(realpath "$2")
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

shopt -s nullglob
gifs=("$samples"/*.gif)
if [ ${#gifs[@]} -eq 0 ]; then
  echo "smoke.sh: no GIF in $samples" >&2
  exit 64
fi

passed=0
failed=0

# Counts one check: its name, then the command that must succeed. What a failing one printed is shown.
check() {
  local name=$1
  shift
  if "$@" >check.log 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED $name"
    head -n 5 check.log | sed 's/^/    /'
  fi
}

# A command that must end with an exit status and print one line of errors, which holds a text.
expect_failure() {
  local wanted=$1 text=$2 status=0
  shift 2
  "$@" >/dev/null 2>errors.log || status=$?
  cat errors.log
  [ "$status" -eq "$wanted" ] && grep -qF -- "$text" errors.log &&
    { [ "$wanted" -ne 1 ] || [ "$(wc -l <errors.log)" -eq 1 ]; }
}

# Fields of `info --json`, as a Python expression over `info`.
field() {
  python3 -c 'import json, sys; info = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"
}

name_of() {
  basename "$1" .gif
}

echo "$("$gallop" --version | head -n 1), ${#gifs[@]} samples"

# --- info and decode -------------------------------------------------------------------------------------------

has_decoded_size() {
  local size
  size=$("$gallop" decode --format rgba --output - "$1" | wc -c)
  [ "$size" -eq "$(field "$2" 'info["width"] * info["height"] * 4 * info["frameCount"]')" ]
}

has_png() {
  "$gallop" decode --frames 0 --output png "$1" &&
    python3 - "png/$(name_of "$1").png" "$2" <<'PYTHON'
import json, struct, sys
data = open(sys.argv[1], "rb").read()
info = json.load(open(sys.argv[2]))
assert data[:8] == b"\x89PNG\r\n\x1a\n" and data[-8:-4] == b"IEND", "not a whole PNG file"
assert struct.unpack(">II", data[16:24]) == (info["width"], info["height"]), "another size"
PYTHON
}

# Bytes of the video with every delay exact: the pictures, each with its line, behind the header.
has_y4m() {
  local header pictures size
  "$gallop" decode --format y4m --output "$(name_of "$1").y4m" "$1" &&
    header=$(head -n 1 "$(name_of "$1").y4m" | wc -c) && size=$(stat -c %s "$(name_of "$1").y4m") &&
    pictures=$(python3 - "$2" <<'PYTHON'
import json, math, sys
delays = [frame["delayMs"] for frame in json.load(open(sys.argv[1]))["frames"]]
print(sum(delays) // math.gcd(*delays))
PYTHON
    ) && rm "$(name_of "$1").y4m" &&
    [ "$size" -eq "$(field "$2" "$header + $pictures * (6 + 3 * info['width'] * info['height'])")" ]
}

has_sheet() {
  "$gallop" decode --format sheet --output sheets/ "$1" &&
    head -c 8 "sheets/$(name_of "$1")-sheet.png" | cmp -s - <(printf '\x89PNG\r\n\x1a\n')
}

has_plots() {
  "$gallop" info --plot "$(name_of "$1").svg" "$1" && "$gallop" info --plot "$(name_of "$1")-plot.png" "$1" &&
    python3 -c 'import sys, xml.dom.minidom as dom; dom.parse(sys.argv[1])' "$(name_of "$1").svg"
}

for gif in "${gifs[@]}"; do
  name=$(name_of "$gif")
  check "info $name" "$gallop" info --frames "$gif"
  "$gallop" info --json "$gif" >"$name.info"
  check "info --json $name" field "$name.info" 'info["frameCount"]'
  check "decode null $name" "$gallop" decode --format null "$gif"
  check "decode rgba $name" has_decoded_size "$gif" "$name.info"
  check "decode png $name" has_png "$gif" "$name.info"
  check "decode y4m $name" has_y4m "$gif" "$name.info"
  check "decode sheet $name" has_sheet "$gif"
  check "info --plot $name" has_plots "$gif"
done

# --- play ------------------------------------------------------------------------------------------------------

seconds=5
declare -A players
for gif in "${gifs[@]}"; do
  name=$(name_of "$gif")
  "$gallop" play --headless --events --seconds "$seconds" "$gif" >"$name.events" 2>"$name.errors" &
  players[$name]=$!
done

played_without_complaint() {
  cat "$1.errors"
  [ "$2" -eq 0 ] && ! grep -v ': warning: ' "$1.errors"
}

echo "playing all at once for $seconds s:"
for name in "${!players[@]}"; do
  status=0
  wait "${players[$name]}" || status=$?
  check "play $name" played_without_complaint "$name" "$status"
  check "events $name" python3 "$here/check_events.py" "$name.info" "$name.events" "$seconds"
  printf '  %-14s %s\n' "$name" "$(head -n 1 check.log)"
done

# --- bench -----------------------------------------------------------------------------------------------------

has_ramp() {
  "$gallop" bench playback --count 1,4 --seconds 0.5 --json --markdown ramp.md --svg ramp.svg "${gifs[@]}" >ramp.jsonl &&
    python3 -c 'import json; assert [json.loads(line)["players"] for line in open("ramp.jsonl")] == [1, 4]' &&
    grep -q "^| *4 " ramp.md && python3 -c 'import xml.dom.minidom as dom; dom.parse("ramp.svg")'
}
check "bench playback, a ramp" has_ramp

# --- Bad input and usage ---------------------------------------------------------------------------------------

: >empty.gif
echo "no picture" >text.gif
printf 'GIF89a\001\000' >header.gif
printf 'GIF89a\000\000\000\000\000\000\000;' >zero.gif
mkdir folder

for command in "info" "decode --format null" "play --headless" "bench decode" "bench playback"; do
  for bad in missing.gif empty.gif text.gif header.gif zero.gif folder; do
    # shellcheck disable=SC2086  # the command is several words
    check "$command $bad" expect_failure 1 "gallop: $bad: " "$gallop" $command "$bad"
  done
  # shellcheck disable=SC2086
  check "$command --unknown" expect_failure 64 "Usage: gallop" "$gallop" $command --unknown "${gifs[0]}"
  # shellcheck disable=SC2086
  check "$command without a file" expect_failure 64 "Usage: gallop" "$gallop" $command
done

one_bad_file() {
  expect_failure 1 "gallop: missing.gif: " "$gallop" decode --frames 0 --output several "${gifs[0]}" missing.gif \
    "${gifs[-1]}" && [ -s "several/$(name_of "${gifs[0]}").png" ] && [ -s "several/$(name_of "${gifs[-1]}").png" ]
}
check "a bad file among good ones" one_bad_file

truncated_plays() {
  head -c $(($(stat -c %s "$1") * 3 / 4)) "$1" >truncated.gif
  "$gallop" decode --format null truncated.gif 2>errors.log && grep -q "truncated.gif: warning: " errors.log
}
for gif in "${gifs[@]}"; do
  check "truncated $(name_of "$gif")" truncated_plays "$gif"
done

check "a full disk" expect_failure 1 "No space left on device" \
  "$gallop" decode --format rgba --output /dev/full "${gifs[0]}"

# --- Memory for what arrives -------------------------------------------------------------------------------------

check "memory of a large pipe and of an endless HTTP body" python3 "$here/memory_test.py" "$gallop"
cat check.log

# --- How long it takes to start, for the record ------------------------------------------------------------------

smallest=$(ls -S "${gifs[@]}" | tail -n 1)
python3 - "$gallop" "$smallest" <<'PYTHON'
import statistics, subprocess, sys, time

def run() -> float:
    start = time.perf_counter()
    subprocess.run([sys.argv[1], "info", sys.argv[2]], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start

times = [run() for _ in range(20)]
print(f"gallop info: {statistics.median(times) * 1000:.1f} ms from start to end, median of {len(times)}")
PYTHON

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
