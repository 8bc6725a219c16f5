#!/usr/bin/env bash
# Tries a distribution where there is no Java: in a chroot of Debian packages it runs a server, a set and a cluster,
# moves data between them by dump and restore, and installs the Debian package. Where there is systemd-nspawn, the
# package's service is started by a systemd, too.
#
#   mvn -Pdist -DskipTests package
#   test/packaging/chroot.sh [DIRECTORY]
#
# DIRECTORY (default: packaging/target) has the tar.gz and the .deb. Needs root, unshare, ip, and a mirror of Debian
# for the first run; the chroot is kept as an archive in ~/.cache/wisent for the next ones. All mounts and processes are in
# namespaces of their own, which end with this script.
#
#   WISENT_DEBIAN_SUITE    (default: bookworm)
#   WISENT_DEBIAN_MIRROR   (default: http://deb.debian.org/debian)
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
suite=${WISENT_DEBIAN_SUITE:-bookworm}
mirror=${WISENT_DEBIAN_MIRROR:-http://deb.debian.org/debian}
directory=$(cd "${1:-$here/../../packaging/target}" && pwd -P)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/wisent

fail() {
  echo "chroot.sh: $*" >&2
  exit 1
}

[[ $(id -u) == 0 ]] || fail "needs root"
for program in unshare ip; do
  command -v "$program" > /dev/null || fail "needs $program"
done
archive=$(echo "$directory"/wisent-*-linux-*.tar.gz)
package=$(echo "$directory"/wisent_*.deb)
[[ -e $archive && -e $package ]] || fail "no tar.gz and .deb in $directory; run mvn -Pdist -DskipTests package"

work=$(mktemp -d "${TMPDIR:-/tmp}/wisent-chroot.XXXXXX")
trap 'rm -rf "$work"' EXIT

base=$cache/$suite.tar
if [[ ! -e $base ]]; then
  mkdir -p "$cache"
  command -v debootstrap > /dev/null || fail "needs debootstrap for the first run"
  echo "making a chroot of $suite ..."
  debootstrap --variant=minbase --include=adduser,dbus,systemd,systemd-sysv "$suite" "$work/base" "$mirror" > "$work/log" 2>&1 \
    || { tail -20 "$work/log" >&2; fail "debootstrap failed"; }
  rm -rf "$work/base/var/cache/apt/archives"/*.deb "$work/base/var/lib/apt/lists"/*
  tar -C "$work/base" -cf "$base.part" .
  mv "$base.part" "$base"
  rm -rf "$work/base"
fi
# A fresh system with the packages in it.
unpack() {
  mkdir "$1"
  tar -C "$1" -xf "$base"
  mkdir "$1/packages"
  cp "$archive" "$package" "$here"/in-*.sh "$1/packages/"
}

unpack "$work/root"
# The first process of the namespace ends all others with it.
unshare --mount --pid --net --ipc --uts --fork --kill-child bash -euc '
  root=$1
  ip link set lo up
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount -t tmpfs tmpfs "$root/run"
  exec chroot "$root" /usr/bin/env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
    bash /packages/in-chroot.sh
' bash "$work/root"

if ! command -v systemd-nspawn > /dev/null; then
  echo "skipped: the service under systemd, since there is no systemd-nspawn"
  exit
fi
echo "--- the service under systemd"
rm -rf "$work/root"
unpack "$work/booted"
cat > "$work/booted/etc/systemd/system/try.service" << 'EOF'
[Unit]
After=multi-user.target
[Service]
ExecStart=/packages/in-systemd.sh
EOF
mkdir -p "$work/booted/etc/systemd/system/multi-user.target.wants"
ln -s ../try.service "$work/booted/etc/systemd/system/multi-user.target.wants/try.service"
timeout 180 systemd-nspawn --directory "$work/booted" --boot --register=no --keep-unit --private-network \
  < /dev/null > "$work/boot.log" 2>&1 || { tail -20 "$work/boot.log" >&2; fail "systemd-nspawn"; }
cat "$work/booted/packages/systemd.log"
grep -q "^all steps passed" "$work/booted/packages/systemd.log"
