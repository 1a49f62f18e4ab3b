#!/bin/sh
# Installs the tool, its manual page, its completions, and its entry for the desktop:  install-tool.sh TOOL PREFIX [DESTDIR]
set -eu
tool=$1 prefix=$2 root=${3:-}
here=$(cd "$(dirname "$0")" && pwd)
version=$("$here/../Bindings/C/CGallop/version.sh")
date=$(date -u -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}" +%Y-%m-%d)
share=$root$prefix/share
id=io.github.gallop_gif.gallop

install -d "$root$prefix/bin" "$share/man/man1" "$share/bash-completion/completions" "$share/zsh/site-functions" \
  "$share/fish/vendor_completions.d" "$share/applications" "$share/metainfo" "$share/icons/hicolor/scalable/apps" \
  "$share/thumbnailers"
install -m 755 "$tool" "$root$prefix/bin/gallop"
# The hashes of modules are for the compiler's next run. They depend on where the sources lie, and the build id on them.
"$("$here/../Bindings/C/CGallop/objcopy.sh")" --strip-all --remove-section=.swift_modhash --remove-section=.note.gnu.build-id \
  "$root$prefix/bin/gallop"
"$tool" help --man >"$share/man/man1/gallop.1"
"$tool" --generate-completion-script bash | sed "1{/^#!/d}" >"$share/bash-completion/completions/gallop"
"$tool" --generate-completion-script zsh >"$share/zsh/site-functions/_gallop"
"$tool" --generate-completion-script fish >"$share/fish/vendor_completions.d/gallop.fish"
install -m 644 "$here/$id.desktop" "$share/applications/"
install -m 644 "$here/gallop.thumbnailer" "$share/thumbnailers/"
sed -e "s|@VERSION@|$version|" -e "s|@DATE@|$date|" "$here/$id.metainfo.xml.in" >"$share/metainfo/$id.metainfo.xml"
install -m 644 "$here/gallop.svg" "$share/icons/hicolor/scalable/apps/"
