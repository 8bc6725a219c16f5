#!/usr/bin/env bash
# Makes the distributions of this machine's platform; Maven calls it (packaging/pom.xml).
#
#   packaging/build.sh VERSION TIMESTAMP HOMEPAGE MAINTAINER
#
# JAVA_HOME is the JDK that the runtime is made of. Takes the libraries from target/dist/lib, which the build has
# copied there, and leaves in packaging/target
#
#   wisent-VERSION-PLATFORM/           what the archive holds
#   wisent-VERSION-PLATFORM.tar.gz
#   wisent_VERSION_ARCHITECTURE.deb    where there is dpkg-deb
#   wisent-VERSION-java.zip            for other platforms: with a launcher for Windows, without a runtime
#   SHA256SUMS
set -euo pipefail

version=$1
timestamp=$2
homepage=$3
maintainer=$4
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
root=$(dirname "$here")
target=$here/target
lists=$root/modules/cli/target/dist
export LC_ALL=C TZ=UTC
umask 022

# What jdeps finds in the libraries, and what they look up at run time: DNS of mongodb+srv (jdk.naming.dns),
# logins (java.security.sasl), the JMX of other processes (jdk.management.agent) and diagnosis (jdk.jcmd, jdk.jfr).
modules=java.base,java.logging,java.management,java.naming,java.security.jgss,java.security.sasl,java.sql,java.xml
modules+=,jdk.crypto.cryptoki,jdk.jcmd,jdk.jfr,jdk.management,jdk.management.agent,jdk.naming.dns,jdk.unsupported,jdk.zipfs

fail() {
  echo "packaging: $*" >&2
  exit 1
}

case $(uname -s)-$(uname -m) in
  Linux-x86_64) platform=linux-x86_64 native=librocksdbjni-linux64.so architecture=amd64 ;;
  Linux-aarch64) platform=linux-aarch64 native=librocksdbjni-linux-aarch64.so architecture=arm64 ;;
  Darwin-arm64) platform=macos-aarch64 native=librocksdbjni-osx-arm64.jnilib architecture= ;;
  *) fail "no distribution for $(uname -s) on $(uname -m); see docs/packaging.md" ;;
esac
[[ -x ${JAVA_HOME:-}/bin/jlink ]] || fail "JAVA_HOME=${JAVA_HOME:-} has no jlink"
[[ -d $target/dist/lib ]] || fail "no libraries in $target/dist/lib; run mvn -Pdist package"
[[ -e $lists/THIRD-PARTY.txt ]] || fail "no list of licences in $lists; run mvn -Pdist package"

name=wisent-$version-$platform
stage=$target/$name
portable=$target/wisent-$version-java

# Files of one date, so that archives of the same sources are equal, and the dates that the start-up cache
# has stored are those of unpacked files.
settle() {
  find "$1" -exec touch -h -d "$timestamp" {} +
}

# RocksDB's library beside the jars instead of in them for fifteen platforms: less to load, and nothing to extract at a start.
unpack_rocksdb() {
  local jar scratch
  jar=$(echo "$stage"/lib/rocksdbjni-*.jar)
  scratch=$target/rocksdb
  rm -rf "$scratch"
  mkdir -p "$scratch" "$stage/native"
  (
    cd "$scratch"
    "$JAVA_HOME/bin/jar" xf "$jar"
    mv "$native" "$stage/native/librocksdbjni.${native##*.}"
    rm -f librocksdbjni-*
    find . -type f | sort > ../rocksdb-files
    "$JAVA_HOME/bin/jar" --create --file "$jar" --no-manifest --date "$timestamp" @../rocksdb-files
  )
  rm -rf "$scratch" "$target/rocksdb-files"
}

# What all distributions have: jars, the launcher, the manual, licences.
fill() {
  local stage=$1
  mkdir -p "$stage/bin" "$stage/conf" "$stage/share/doc"
  cp -R "$target/dist/lib" "$stage/lib"
  rm -f "$stage"/lib/*.pom
  (cd "$stage/lib" && printf '%s\n' *.jar > class-path)
  cp "$here/bin/wisent" "$stage/bin/"
  sed 's|@DATA@|data|' "$here/conf/wisent.conf" > "$stage/conf/wisent.conf"
  cp "$root/LICENSE" "$lists/THIRD-PARTY.txt" "$lists/bom.json" "$stage/"
  # In the places that they have in the sources, which their links are for.
  cp "$root"/{ARCHITECTURE,CHANGELOG,CONTRIBUTING,SECURITY}.md "$stage/share/doc/"
  cp -r "$root/docs" "$stage/share/doc/"
  WISENT_JAVA_HOME=$JAVA_HOME "$stage/bin/wisent" manual "$stage/share" "${timestamp%%T*}"
}

link_runtime() {
  "$JAVA_HOME/bin/jlink" --add-modules "$modules" --no-header-files --no-man-pages --generate-cds-archive \
    --output "$stage/runtime"
}

# Records the classes and profiles of a short run, which later starts then need not load and link. The paths are
# relative to this directory; the JVM accepts the cache wherever all jars have moved together. Compiled adapters are left
# out: they have this machine's CPU features, and the JVM does not compare them with those of another one.
train() {
  local scratch options="-XX:AOTCacheOutput=lib/wisent.aot -XX:+UnlockDiagnosticVMOptions -XX:-AOTAdapterCaching"
  scratch=$(mktemp -d)
  (cd "$stage" && WISENT_JAVA_OPTS=$options \
    bin/wisent train "$scratch/data" > "$scratch/log" 2>&1) || { cat "$scratch/log" >&2; fail "the training failed"; }
  [[ -s $stage/lib/wisent.aot ]] || { cat "$scratch/log" >&2; fail "no start-up cache was made"; }
  rm -rf "$scratch"
}

archive() {
  tar -C "$target" --sort=name --owner=0 --group=0 --numeric-owner --format=ustar -cf - "$name" \
    | gzip -n > "$target/$name.tar.gz"
}

# The libraries for all platforms, and what starts them there. A zip has no permissions: sh bin/wisent.
zip_portable() {
  fill "$portable"
  sed 's/$/\r/' "$here/bin/wisent.cmd" > "$portable/bin/wisent.cmd"
  (cd "$target" && find "${portable##*/}" -type f | sort > files \
    && "$JAVA_HOME/bin/jar" --create --file "$portable.zip" --no-manifest --date "$timestamp" @files)
  rm -rf "$portable" "$target/files"
}

# The archive works from another place than that of its build, and without its cache.
check() {
  local scratch wisent
  scratch=$(mktemp -d)
  mkdir "$scratch/moved here"
  tar -C "$scratch/moved here" -xzf "$target/$name.tar.gz"
  wisent="$scratch/moved here/$name/bin/wisent"
  WISENT_JAVA_OPTS=-XX:AOTMode=on "$wisent" version > /dev/null || fail "the start-up cache is not used after a move"
  "$wisent" train "$scratch/data" > "$scratch/log" 2>&1 || { cat "$scratch/log" >&2; fail "the server does not start"; }
  "$wisent" dump --uri "mongodb://localhost:1/?serverSelectionTimeoutMS=1" > "$scratch/log" 2>&1 || true
  grep -q "cannot connect" "$scratch/log" || { cat "$scratch/log" >&2; fail "the tools do not start"; }
  touch "$scratch/moved here/$name"/lib/wisent-cli-*.jar
  [[ -z $("$wisent" version 2>&1 > /dev/null) ]] || fail "a cache that does not fit is not ignored quietly"
  rm -rf "$scratch"
}

rm -rf "$target"/wisent-* "$target"/wisent_* "$target/SHA256SUMS"
fill "$stage"
unpack_rocksdb
link_runtime
settle "$stage"
train
settle "$stage/lib"
archive
check
zip_portable
if [[ -n $architecture ]] && command -v dpkg-deb > /dev/null; then
  "$here/debian/build.sh" "$version" "$architecture" "$timestamp" "$stage" "$target" "$homepage" "$maintainer"
else
  echo "packaging: no Debian package is made, since there is no dpkg-deb for this platform" >&2
fi
(cd "$target" && find . -maxdepth 1 -name 'wisent*' -type f -printf '%P\n' | sort | xargs sha256sum > SHA256SUMS)
