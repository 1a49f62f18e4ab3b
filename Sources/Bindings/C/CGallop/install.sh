#!/bin/sh
# Installs the library of a folder, its headers, pkg-config file and man pages, and what valgrind and LeakSanitizer are to
# pass over:  install.sh LIBRARY PREFIX [DESTDIR]
#
# LIBDIR is the folder of libraries in PREFIX, where that is not lib.
set -eu
library=$1 prefix=$2 root=${3:-}
libdir=${LIBDIR:-lib}
here=$(cd "$(dirname "$0")" && pwd)
version=$("$here/version.sh")
fill() { sed -e "s|@PREFIX@|$prefix|" -e "s|@VERSION@|$version|" -e "s|@LIBDIR@|$libdir|" "$1"; }

install -d "$root$prefix/$libdir/pkgconfig" "$root$prefix/include" "$root$prefix/share/man/man3" \
  "$root$prefix/share/libgallop"
install -m 755 "$library/libgallop.so.$version" "$root$prefix/$libdir/"
ln -sf "libgallop.so.$version" "$root$prefix/$libdir/libgallop.so.0"
ln -sf libgallop.so.0 "$root$prefix/$libdir/libgallop.so"
install -m 644 "$here/include/gallop.h" "$here/include/gallop.hpp" "$root$prefix/include/"
fill "$here/gallop.pc.in" > "$root$prefix/$libdir/pkgconfig/gallop.pc"
fill "$here/libgallop.3" > "$root$prefix/share/man/man3/libgallop.3"
install -m 644 "$library"/man3/*.3 "$root$prefix/share/man/man3/"
install -m 644 "$here/valgrind.supp" "$here/lsan.supp" "$root$prefix/share/libgallop/"
