#!/usr/bin/env bash
# What chroot.sh runs as a service of a booted systemd: the package's own service, confined as its unit says.
# Prints to /packages/systemd.log and powers the container off.
exec > /packages/systemd.log 2>&1
trap 'systemctl --no-block poweroff' EXIT
set -euo pipefail

fail() {
  echo "FAILED: $*"
  systemctl status wisent.service --no-pager --lines 20 || true
  exit 1
}

await() {
  local end=$((SECONDS + 60))
  until wisent export --quiet -d admin -c system.version > /dev/null 2>&1; do
    ((SECONDS < end)) || fail "no answer from the service"
  done
}

dpkg -i /packages/wisent_*.deb > /dev/null || fail "dpkg -i"
systemctl is-enabled --quiet wisent.service || fail "not enabled"
await
wisent import --quiet -d t -c c <<< '{"_id": 1}'
systemctl restart wisent.service
await
[[ $(wisent export --quiet -d t -c c -q '{"$where": "true"}') == '{"_id": 1}' ]] || fail "the document after a restart"
process=$(systemctl show wisent.service -p MainPID --value)
[[ $(stat -c %U "/proc/$process") == wisent ]] || fail "the user of the process"
grep -q '^CapEff:.0*$' "/proc/$process/status" || fail "capabilities"
grep -q '^Seccomp:.2' "/proc/$process/status" || fail "no filter of system calls"
[[ $(systemctl show wisent.service -p LimitNOFILE --value) == 64000 ]] || fail "the limit of files"
systemctl stop wisent.service
[[ $(systemctl show wisent.service -p Result --value) == success ]] || fail "the end of the service"
dpkg -P wisent > /dev/null 2>&1 || fail "dpkg -P"
[[ -d /var/lib/wisent/ ]] || fail "the data is gone"
echo "all steps passed"
