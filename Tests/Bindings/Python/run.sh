#!/usr/bin/env bash
# Tests the Python package in a new virtual environment, from its wheel and without Swift: run.sh WHEEL.
#
# GALLOP_RAY=1 installs Ray (some 700 MB) and tests on it, too; so does a Ray that is there already. The same of
# GALLOP_TORCH=1 and PyTorch. GALLOP_CONFORMANCE names the conformance set, GALLOP_TOOL the command line tool to compare
# with. What is missing is one line each.
set -euo pipefail
cd "$(dirname "$0")/../../.."
wheel=$(readlink -f "$1")
home=$PWD/.build/python
python=$home/venv/bin/python
missing() { echo "test-bindings: $*" >&2; }

# install PACKAGE...: false, in one line, where it cannot be had; pip then repeats the next requests less often.
retries=5
install() {
  "$python" -m pip install --quiet --no-input --disable-pip-version-check --retries $retries "$@" 2>"$home/pip.log" && return
  retries=1
  missing "$* cannot be installed (no network?): $(grep -m 1 '^ERROR' "$home/pip.log" | cut -c 1-160)"
  return 1
}

mkdir -p "$home"
if ! python3 -m venv --clear "$home/venv" >/dev/null 2>&1; then
  missing "python3-venv is missing: the Python package is not tested"
  exit 0
fi
# NumPy comes from the index, or from the system where there is no network.
if ! install numpy pytest; then
  python3 -m venv --clear --system-site-packages "$home/venv"
  if ! "$python" -c 'import numpy, pytest' 2>/dev/null; then
    missing "NumPy and pytest are missing: the Python package is not tested"
    exit 0
  fi
fi
install --no-deps "$wheel"
for package in pillow imageio pyarrow mypy; do install "$package" || true; done
if [ -n "${GALLOP_RAY:-}" ]; then
  install 'ray[data]' || true
elif python3 -c 'import ray' 2>/dev/null; then
  install "ray[data]==$(python3 -c 'import ray; print(ray.__version__)')" || true
else
  missing "Ray is left out; GALLOP_RAY=1 installs it"
fi
# What pip finds on the machine (PIP_FIND_LINKS) is enough.
if [ -n "${GALLOP_TORCH:-}" ] || python3 -c 'import torch' 2>/dev/null; then
  install torch || true
else
  missing "PyTorch is left out; GALLOP_TORCH=1 installs it"
fi
if [ -z "${GALLOP_TOOL:-}" ] && [ -x .build/release/gallop ]; then export GALLOP_TOOL=$PWD/.build/release/gallop; fi
[ -n "${GALLOP_TOOL:-}" ] || missing "the command line tool is not built: pixels are not compared with it"
[ -d "${GALLOP_CONFORMANCE:-../shared/conformance}" ] || missing "the conformance set is left out: it is not there"

# No toolchain, no library and no sources but the wheel's.
clean=(env -u GALLOP_LIBRARY -u SWIFT "PATH=$home/venv/bin:/usr/bin:/bin" "PYTHONPATH=$PWD/Tests/Tools" \
  PYTHONDONTWRITEBYTECODE=1 RAY_DEDUP_LOGS=0)
"${clean[@]}" "$python" -c 'import gallop; assert "site-packages" in gallop.__file__, gallop.__file__'
"${clean[@]}" "$python" -m pytest --quiet -p no:cacheprovider -rs --durations 5 Tests/Bindings/Python
if "$python" -c 'import mypy' 2>/dev/null; then
  (cd Sources/Bindings/Python && "$python" -m mypy --cache-dir "$home/mypy")
  (cd "$home" && MYPYPATH= "$python" -m mypy --strict --cache-dir "$home/mypy-client" "$OLDPWD/Tests/Bindings/Python/client.py")
else
  missing "mypy is missing: types are not checked"
fi
