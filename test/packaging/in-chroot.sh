#!/usr/bin/env bash
# What chroot.sh runs inside: each step ends the script if it fails. Tools of Wisent are the only client.
set -euo pipefail

step() {
  echo "--- $*"
}

fail() {
  echo "FAILED: $*" >&2
  for log in /srv/*.log /srv/*/*/server.log; do
    [[ -e $log ]] && { echo "== $log" >&2; tail -5 "$log" >&2; }
  done
  exit 1
}

# Waits until a server answers.
await() {
  local uri=$1 end=$((SECONDS + 60))
  until wisent export --quiet --uri "$uri" -d admin -c system.version > /dev/null 2>&1; do
    ((SECONDS < end)) || fail "no answer from $uri"
  done
}

# Waits for the end of a process.
await_end() {
  local end=$((SECONDS + 60))
  while [[ -d /proc/$1 ]] && ! grep -q '^State:.Z' "/proc/$1/status" 2> /dev/null; do
    ((SECONDS < end)) || fail "process $1 does not end"
    read -rt 0.1 <> <(:) || true
  done
}

documents() {
  wisent export --quiet --uri "$1" -d shop -c orders --sort '{_id: 1}'
}

# Compares what a server has with what was imported.
check() {
  documents "$1" > /srv/found.json || fail "cannot export from $1"
  cmp /srv/orders.json /srv/found.json || fail "other documents in $1"
  [[ $(wisent export --quiet --uri "$1" -d shop -c orders -q '{"$where": "this.total > 2990"}' | wc -l) == 9 ]] \
    || fail "\$where finds something else in $1"
}

step "no Java here"
! command -v java > /dev/null || fail "there is a java"
[[ -z $(find / -xdev -name 'libjvm.so' -print -quit) ]] || fail "there is a JVM"

step "unpack the tar.gz"
mkdir -p /opt
tar -C /opt -xzf /packages/wisent-*.tar.gz
mv /opt/wisent-* "/opt/wisent moved"
ln -s "/opt/wisent moved/bin/wisent" /usr/local/bin/wisent
wisent version
WISENT_JAVA_OPTS=-XX:AOTMode=on wisent version > /dev/null || fail "the start-up cache is not used"

# The heap in MiB where control groups have the file $1, with $2 in it.
heap_with() {
  mkdir -p "${1%/*}"
  echo "$2" > "$1"
  WISENT_JAVA_HOME=/srv/shown wisent server | tr ' ' '\n' | sed -n 's/^-Xmx\(.*\)m$/\1/p'
  rm "$1"
}

step "the heap in a container"
[[ ! -e /sys/fs/cgroup ]] || fail "there are control groups: this step cannot make its own"
mkdir -p /srv/shown/bin
printf '#!/bin/sh\necho "$@"\n' > /srv/shown/bin/java
chmod +x /srv/shown/bin/java
whole=$(heap_with /sys/fs/cgroup/memory.max max)
[[ $whole -gt 256 ]] || fail "a heap of $whole MiB without a limit; the machine is too small for this step"
[[ $(heap_with /sys/fs/cgroup/memory.max $((1 << 30))) == 256 ]] || fail "memory.max is ignored"
if grep -q ':memory:' /proc/self/cgroup; then
  limit=/sys/fs/cgroup/memory/memory.limit_in_bytes
  [[ $(heap_with "$limit" $((1 << 30))) == 256 ]] || fail "memory.limit_in_bytes is ignored"
  [[ $(heap_with "$limit" 9223372036854771712) == "$whole" ]] || fail "no limit is taken for one"
fi

step "a server, with --fork"
for ((i = 1; i <= 2999; i++)); do
  echo "{\"_id\": $i, \"total\": $i}"
done > /srv/orders.json
server=mongodb://localhost:27100
began=$(date +%s%N)
wisent server --dbpath /srv/server --port 27100 --logpath /srv/server.log --fork --pidfilepath /srv/server.pid > /dev/null
echo "ready after $((($(date +%s%N) - began) / 1000000)) ms"
wisent import --quiet --uri "$server" -d shop -c orders --file /srv/orders.json
check "$server"

step "dump"
wisent dump --quiet --uri "$server" --archive=/srv/shop.archive --gzip
kill "$(< /srv/server.pid)"
await_end "$(< /srv/server.pid)"

step "a set of three, restore, dump"
wisent cluster --members 3 --port 27200 --dbpath /srv/set > /srv/set.log 2>&1 &
starter=$!
set_of_three="mongodb://localhost:27200,localhost:27201,localhost:27202/?replicaSet=rs0"
await "$set_of_three"
wisent restore --quiet --uri "$set_of_three" --archive=/srv/shop.archive --gzip
check "$set_of_three"
check "$set_of_three&readPreference=primary"
wisent dump --quiet --uri "$set_of_three" --out /srv/dump
kill "$starter"
await_end "$starter"

step "a cluster of two shards, restore"
wisent cluster --shards 2 --port 27300 --dbpath /srv/cluster > /srv/cluster.log 2>&1 &
starter=$!
cluster=mongodb://localhost:27300
await "$cluster"
wisent restore --quiet --uri "$cluster" --dir /srv/dump
check "$cluster"
kill "$starter"
await_end "$starter"

step "install the package"
rm /usr/local/bin/wisent
hash -r
dpkg -i /packages/wisent_*.deb > /srv/dpkg.log 2>&1 || { cat /srv/dpkg.log; fail "dpkg -i"; }
WISENT_JAVA_OPTS=-XX:AOTMode=on wisent version > /dev/null || fail "the start-up cache of the package is not used"
[[ $(stat -c %U:%a /var/lib/wisent) == wisent:750 ]] || fail "owner of /var/lib/wisent"
[[ -e /usr/share/man/man1/wisent-server.1.gz && -e /usr/share/bash-completion/completions/wisent ]] || fail "no manual"
[[ -z $(dpkg --verify wisent) ]] || fail "files differ: $(dpkg --verify wisent)"

step "the unit's command as the unit's user"
command=$(sed -n 's/^ExecStart=//p' /usr/lib/systemd/system/wisent.service)
(cd /var/lib/wisent && exec setpriv --reuid wisent --regid wisent --clear-groups --no-new-privs $command) > /srv/unit.log 2>&1 &
unit=$!
await mongodb://localhost:27017
wisent restore --quiet --uri mongodb://localhost:27017 --archive=/srv/shop.archive --gzip
check mongodb://localhost:27017
kill "$unit"
await_end "$unit"

step "remove and purge"
dpkg -r wisent > /dev/null 2>&1
[[ -e /etc/wisent/wisent.conf && ! -e /usr/bin/wisent ]] || fail "remove"
dpkg -P wisent > /srv/purge.log 2>&1
[[ ! -e /etc/wisent/wisent.conf && -d /var/lib/wisent ]] || fail "purge"
grep -q "is kept" /srv/purge.log || fail "purge does not say that the data is kept"

echo "all steps passed"
