#!/bin/sh
# Installs the library of a folder, the header, the pkg-config file and the man page:  install.sh LIBRARY PREFIX [DESTDIR]
set -eu
library=$1 prefix=$2 root=${3:-}
here=$(cd "$(dirname "$0")" && pwd)
version=$("$here/version.sh")
fill() { sed -e "s|@PREFIX@|$prefix|" -e "s|@VERSION@|$version|" "$1"; }

install -d "$root$prefix/lib/pkgconfig" "$root$prefix/include" "$root$prefix/share/man/man3"
install -m 755 "$library/libgallop.so.$version" "$root$prefix/lib/"
ln -sf "libgallop.so.$version" "$root$prefix/lib/libgallop.so.0"
ln -sf libgallop.so.0 "$root$prefix/lib/libgallop.so"
install -m 644 "$here/include/gallop.h" "$root$prefix/include/"
fill "$here/gallop.pc.in" > "$root$prefix/lib/pkgconfig/gallop.pc"
fill "$here/libgallop.3" > "$root$prefix/share/man/man3/libgallop.3"
