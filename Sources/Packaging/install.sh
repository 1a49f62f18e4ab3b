#!/bin/sh
# Installs or removes what is built:  install.sh TOOL LIBRARY PREFIX [DESTDIR]  |  install.sh --remove PREFIX [DESTDIR]
#
# A list of the files lies in PREFIX/share/gallop; removing takes these files, and the folders that are empty then.
set -eu
umask 022
here=$(cd "$(dirname "$0")" && pwd)
fail() { echo "make: $*" >&2; exit 1; }

if [ "$1" = --remove ]; then target=${3:-}$2; else target=${4:-}$3; fi
case $target in /*) ;; *) fail "PREFIX and DESTDIR name folders from the root on" ;; esac

if [ "$1" = --remove ]; then
  list=$target/share/gallop/files
  [ -e "$list" ] || fail "nothing is installed in $target"
  (cd "$target" && while IFS= read -r file; do
    rm -f -- "$file"
    dirname -- "$file"
  done <share/gallop/files | sort -ur | while IFS= read -r folder; do
    while [ "$folder" != . ] && rmdir -- "$folder" 2>/dev/null; do folder=$(dirname -- "$folder"); done
  done)
  echo "removed from $target"
  exit 0
fi

tool=$1 library=$2 prefix=$3
[ -e "$tool" ] || [ -e "$library/libgallop.so" ] || fail "run \`make build-release\` or \`make library\` first"
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
if [ -e "$tool" ]; then "$here/install-tool.sh" "$tool" "$prefix" "$stage"; fi
if [ -e "$library/libgallop.so" ]; then "$here/../Bindings/C/CGallop/install.sh" "$library" "$prefix" "$stage"; fi
cd "$stage$prefix"
mkdir -p share/gallop
touch share/gallop/files
find . ! -type d | sed 's|^\./||' | LC_ALL=C sort >"$stage/files"
mv "$stage/files" share/gallop/files
mkdir -p "$target"
# A program that runs keeps the file that it has loaded.
cp -R --no-dereference --remove-destination . "$target/"
echo "installed $(wc -l <share/gallop/files) files in $target"
