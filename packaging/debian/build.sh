#!/usr/bin/env bash
# Makes a Debian package of an unpacked distribution; packaging/build.sh calls it.
#
#   packaging/debian/build.sh VERSION ARCHITECTURE TIMESTAMP DISTRIBUTION TARGET HOMEPAGE MAINTAINER
set -euo pipefail

version=${1/-SNAPSHOT/\~SNAPSHOT}
architecture=$2
timestamp=$3
distribution=$4
target=$5
homepage=$6
maintainer=$7
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
stage=$target/deb
SOURCE_DATE_EPOCH=$(date -d "$timestamp" +%s)
export SOURCE_DATE_EPOCH LC_ALL=C
umask 022

rm -rf "$stage"
lib=$stage/usr/lib/wisent share=$stage/usr/share doc=$stage/usr/share/doc/wisent
mkdir -p "$lib" "$share" "$doc" "$stage"/{DEBIAN,etc/wisent,etc/default,usr/bin,usr/lib/systemd/system}
# With their dates, which the start-up cache has stored.
cp -a "$distribution"/{bin,lib,native,runtime} "$lib/"
rm -f "$lib/bin/wisent.cmd"
ln -s ../lib/wisent/bin/wisent "$stage/usr/bin/wisent"
sed 's|^  dbPath: .*|  dbPath: /var/lib/wisent|' "$distribution/conf/wisent.conf" > "$stage/etc/wisent/wisent.conf"
cp "$here/default" "$stage/etc/default/wisent"
cp "$here/wisent.service" "$stage/usr/lib/systemd/system/"
cp -R "$distribution"/share/{man,bash-completion,fish} "$share/"
gzip -9n "$share"/man/man1/*.1
mkdir -p "$share/zsh"
cp -R "$distribution/share/zsh/site-functions" "$share/zsh/vendor-completions"
cp "$here/copyright" "$distribution"/{THIRD-PARTY.txt,bom.json} "$doc/"
cp -R "$distribution"/share/doc/. "$doc/"
gzip -9nc "$doc/CHANGELOG.md" > "$doc/changelog.gz"

(cd "$stage" && find usr -type f -exec md5sum {} + | sort -k 2 > DEBIAN/md5sums)
size=$(du -sk --exclude DEBIAN "$stage" | cut -f 1)
sed "s|@VERSION@|$version|; s|@ARCHITECTURE@|$architecture|; s|@SIZE@|$size|; s|@HOMEPAGE@|$homepage|; \
  s|@MAINTAINER@|$maintainer|" "$here/control" > "$stage/DEBIAN/control"
cp "$here/conffiles" "$stage/DEBIAN/"
install -m 0755 "$here"/{postinst,prerm,postrm} "$stage/DEBIAN/"
find "$stage" -newermt "$timestamp" -exec touch -h -d "$timestamp" {} +
# Compressed once more, jars gain little: speed counts.
dpkg-deb --root-owner-group -Zgzip -z6 --build "$stage" "$target/wisent_${version}_$architecture.deb" > /dev/null
rm -rf "$stage"
