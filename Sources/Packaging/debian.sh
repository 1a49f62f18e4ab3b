#!/usr/bin/env bash
# Packs what is built as Debian packages, with a list of their parts and checksums:  debian.sh TOOL LIBRARY OUTPUT
#
# gallop has the tool; gallop-desktop its entry in menus and file managers, with what the window needs; libgallop0,
# libgallop-dev and libgallop-doc the C library, if LIBRARY has it. The same sources give the same bytes: every time is that
# of SOURCE_DATE_EPOCH, which is the last commit's unless it is set.
set -euo pipefail
umask 022
export LC_ALL=C
tool=$(readlink -f "$1") library=$2 output=$3
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
for program in dpkg-deb dpkg-shlibdeps python3 gzip; do
  command -v "$program" >/dev/null || { echo "dist: $program is missing: apt-get install dpkg-dev python3" >&2; exit 1; }
done

epoch=$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$epoch}
version=$("$here/../Bindings/C/CGallop/version.sh")
revision=$version-1
architecture=$(dpkg --print-architecture)
multiarch=$(gcc -print-multiarch 2>/dev/null || true)
multiarch=${multiarch:-$(uname -m)-linux-gnu}
maintainer=${MAINTAINER:-The Gallop authors <gallop-gif@users.noreply.github.com>}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$output"
rm -f "$output"/*.deb "$output"/*.spdx.json "$output"/SHA256SUMS

# depends BINARY: the packages of the shared libraries that it needs.
depends() {
  mkdir -p "$work/depends/debian"
  printf 'Source: gallop\n\nPackage: gallop\nArchitecture: any\n' >"$work/depends/debian/control"
  (cd "$work/depends" && dpkg-shlibdeps -O "$1" 2>/dev/null) | sed -n 's/^shlibs:Depends=//p'
}

# documents PACKAGE: the licence and the list of changes that every package has.
documents() {
  local folder=$work/$1/usr/share/doc/$1
  mkdir -p "$folder"
  {
    printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: gallop\n\n'
    printf 'Files: *\nCopyright: 2026 The Gallop authors\nLicense: Expat\n'
    sed -n '5,$p' "$root/LICENSE" | sed -e 's/^$/./' -e 's/^/ /'
    printf '\nFiles: compiled-in\nCopyright: 2014-2026 Apple Inc. and the Swift project authors\n'
    printf 'License: Apache-2.0 with Swift exception\n'
    printf ' Swift, swift-argument-parser and swift-collections, which are compiled in.\n .\n'
    printf ' On Debian systems the text of the licence is in /usr/share/common-licenses/Apache-2.0.\n .\n'
    printf ' As an exception, if you use this Software to compile your source code and portions of this Software are\n'
    printf ' embedded into the binary product as a result, you may redistribute such product without providing\n'
    printf ' attribution as would otherwise be required by Sections 4(a), 4(b) and 4(d) of the License.\n'
  } >"$folder/copyright"
  {
    printf 'gallop (%s) unstable; urgency=medium\n\n  * Release %s; CHANGELOG.md of the sources lists the changes.\n\n' "$revision" "$version"
    printf ' -- %s  %s\n' "$maintainer" "$(date -R -u -d "@$SOURCE_DATE_EPOCH")"
  } | gzip -9n >"$folder/changelog.Debian.gz"
  gzip -9n <"$root/CHANGELOG.md" >"$folder/changelog.gz"
  # These packages are not uploaded to Debian, so their changes close no report there.
  override "$1" initial-upload-closes-no-bugs
}

# override PACKAGE TAG: a rule of lintian that does not fit the package.
override() {
  local folder=$work/$1/usr/share/lintian/overrides
  mkdir -p "$folder"
  printf '%s: %s *\n' "$1" "$2" >>"$folder/$1"
}

# pack PACKAGE ARCHITECTURE SECTION SUMMARY <FIELDS-AND-TEXT: builds the package from its folder in $work.
pack() {
  local name=$1 folder=$work/$1
  documents "$name"
  find "$folder" -path '*/man/man?/*' -type f ! -name '*.gz' -exec gzip -9n {} +
  mkdir -p "$folder/DEBIAN"
  (cd "$folder" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$folder/DEBIAN/md5sums"
  {
    printf 'Package: %s\nSource: gallop\nVersion: %s\nArchitecture: %s\nSection: %s\n' "$name" "$revision" "$2" "$3"
    printf 'Priority: optional\nMaintainer: %s\nHomepage: https://github.com/gallop-gif/gallop\n' "$maintainer"
    printf 'Installed-Size: %s\n' "$(find "$folder/usr" -type f -printf '%s\n' | awk '{ k += int(($1 + 1023) / 1024) } END { print k }')"
    sed "s/^Description:/Description: $4/"
  } >"$folder/DEBIAN/control"
  find "$folder" -exec touch --no-dereference --date "@$SOURCE_DATE_EPOCH" {} +
  dpkg-deb --root-owner-group -Zxz --build "$folder" "$output/${name}_${revision}_$2.deb" >/dev/null
}

"$here/install-tool.sh" "$tool" /usr "$work/gallop"
mkdir -p "$work/gallop/usr/share/zsh/vendor-completions"
mv "$work/gallop/usr/share/zsh/site-functions/_gallop" "$work/gallop/usr/share/zsh/vendor-completions/"
rmdir "$work/gallop/usr/share/zsh/site-functions"
mkdir -p "$work/gallop-desktop/usr/share"
for folder in applications icons metainfo thumbnailers; do
  mv "$work/gallop/usr/share/$folder" "$work/gallop-desktop/usr/share/"
done
pack gallop "$architecture" graphics "animated-GIF decoder and player" <<EOF
Depends: $(depends "$work/gallop/usr/bin/gallop")
Recommends: libcurl4, libwebp7, libwebpmux3, libturbojpeg0
Suggests: gallop-desktop
Description:
 Describes, decodes, plays and measures animated GIFs: every frame and every
 delay as Chromium shows them, damaged files included. It plays in terminals,
 and in a window where gallop-desktop is installed. URLs need libcurl, animated
 WebPs libwebp, JPEGs libjpeg-turbo.
EOF
# The program is in the package on which this one depends.
override gallop-desktop desktop-command-not-in-package
pack gallop-desktop all graphics "animated-GIF player for desktops" <<EOF
Depends: gallop (>= $version), libsdl2-2.0-0, libfreetype6, libfontconfig1
Description:
 Lets desktops and file managers open animated GIFs in gallop's window, alone
 or as a wall of many, and makes their thumbnails: it brings the entries, the
 icon and the libraries.
EOF

if [ -e "$library/libgallop.so" ]; then
  LIBDIR=lib/$multiarch "$here/../Bindings/C/CGallop/install.sh" "$library" /usr "$work/libgallop-dev"
  mkdir -p "$work/libgallop0/usr/lib/$multiarch" "$work/libgallop0/DEBIAN"
  mv "$work/libgallop-dev/usr/lib/$multiarch"/libgallop.so.0* "$work/libgallop0/usr/lib/$multiarch/"
  # The names for debuggers, which the library refers to by their checksum, are in no package.
  "$("$here/../Bindings/C/CGallop/objcopy.sh")" --remove-section=.gnu_debuglink "$work/libgallop0/usr/lib/$multiarch/libgallop.so.$version"
  chmod 644 "$work/libgallop0/usr/lib/$multiarch/libgallop.so.$version"
  printf 'libgallop 0 libgallop0 (>= %s)\n' "$version" >"$work/libgallop0/DEBIAN/shlibs"
  printf 'activate-noawait ldconfig\n' >"$work/libgallop0/DEBIAN/triggers"
  pack libgallop0 "$architecture" libs "animated GIFs as browsers show them - shared library" <<EOF
Depends: $(depends "$work/libgallop0/usr/lib/$multiarch/libgallop.so.$version")
Recommends: libcurl4
Suggests: libwebp7, libwebpmux3
Multi-Arch: same
Description:
 Decoders, streams, batches of files, players, groups, clocks and budgets of
 memory behind a C interface. Its Swift runtime is inside and hidden.
EOF
  pack libgallop-dev "$architecture" libdevel "animated GIFs as browsers show them - development files" <<EOF
Depends: libgallop0 (= $revision)
Suggests: libgallop-doc
Multi-Arch: same
Description:
 The headers gallop.h and gallop.hpp, the pkg-config file, the manual page
 libgallop(3) with a page for each function, and suppressions for valgrind and
 LeakSanitizer.
EOF
  examples=$work/libgallop-doc/usr/share/doc/libgallop-doc/examples
  mkdir -p "$examples"
  cp -R "$root/Samples/C/." "$examples/"
  cp "$root/Sources/Engine/Gallop/Gallop.docc/C.md" "$work/libgallop-doc/usr/share/doc/libgallop-doc/"
  find "$work/libgallop-doc/usr" -type f -exec chmod 644 {} +
  pack libgallop-doc all doc "animated GIFs as browsers show them - examples" <<EOF
Suggests: libgallop-dev
Multi-Arch: foreign
Description:
 A decoder, an SDL 2 player and a GTK 4 paintable on libgallop, with the
 article on its use from C.
EOF
fi

digest=$(sha256sum "$work/gallop/usr/bin/gallop" | cut -d ' ' -f 1)
python3 "$here/sbom.py" gallop "$version" "$digest" >"$output/gallop-$version.spdx.json"
(cd "$output" && sha256sum -- *.deb *.spdx.json >SHA256SUMS)
stat -c %s "$work/gallop/usr/bin/gallop" | awk '{ printf "gallop: %.1f MB with its Swift runtime, stripped\n", $1 / 1e6 }'
(cd "$output" && stat -c '%n: %s bytes' -- *.deb)
