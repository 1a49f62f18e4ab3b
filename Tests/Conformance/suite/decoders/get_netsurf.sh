#!/bin/sh
# Gets Debian's sources of NetSurf, which has libnsgif in it, and unpacks that part: get_netsurf.sh FOLDER. The system's
# lists of packages stay as they are.
set -eu
folder=$1
command -v apt-get >/dev/null || { echo "no libnsgif, and no apt-get to get its sources with" >&2; exit 1; }
rm -rf "$folder"
mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial" "$folder/sources.d"
cd "$folder"
for file in /etc/apt/sources.list.d/*.sources; do
  if grep -qs debian-archive-keyring "$file"; then
    sed 's/^Types:.*/Types: deb-src/' "$file" >"sources.d/$(basename "$file")"
  fi
done
cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null \
  | sed -nE 's/^deb (.*\/debian.*)/deb-src \1/p' >sources.list || true
options="-o Dir::Etc::sourcelist=$PWD/sources.list -o Dir::Etc::sourceparts=$PWD/sources.d
  -o Dir::State::lists=$PWD/lists -o Dir::Cache=$PWD/cache -o APT::Sandbox::User=root"
# shellcheck disable=SC2086
apt-get $options update -qq >/dev/null 2>&1
# shellcheck disable=SC2086
apt-get $options source --tar-only -qq netsurf >/dev/null 2>&1 || { echo "no sources of libnsgif" >&2; exit 1; }
tar xzf netsurf_*.orig.tar.gz --wildcards '*/libnsgif/src/*' '*/libnsgif/include/*' '*/libnsgif/Makefile'
rm -rf lists cache netsurf_*.orig.tar.gz
