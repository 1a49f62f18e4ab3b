#!/usr/bin/env bash
# Builds and tests a wheel in a container of another platform:  wheel_in_container.sh linux/arm64 FOLDER
#
# It is the recipe of `make wheel` and `make test-bindings`, on Swift's own image of Debian 12. On another processor that
# is emulated, which takes hours. The container gets a clone: what is not committed is not in the wheel.
set -euo pipefail
platform=$1
root=$(cd "$(dirname "$0")/../../.." && pwd)
image=${SWIFT_IMAGE:-swift:6.3-bookworm}
engine=$(command -v podman || command -v docker) || {
  echo "wheel: please install podman or docker" >&2
  exit 1
}
mkdir -p "$2"
"$engine" run --rm --interactive --platform "$platform" --volume "$root:/sources:ro" --volume "$(cd "$2" && pwd):/wheel" \
  "$image" bash -euo pipefail <<'INSIDE'
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends git make patchelf pkg-config python3 python3-venv
git config --global --add safe.directory '*'
git clone --quiet /sources /gallop
cd /gallop
make deps library
make wheel WHEEL=/wheel
Tests/Bindings/Python/run.sh /wheel/gallop_gif-*.whl
INSIDE
