#!/bin/bash
# The launcher of pages: servers are there already, tools run in a process that is there already.
case ${1:-} in
  server | router | cluster) exit 0 ;;
esac
exec 3<> "/dev/tcp/127.0.0.1/$WISENT_PAGE_TOOLS"
# Descriptors that no redirection of a command below takes away for a moment.
exec 10<&0 11>&1 12>&2
printf '%s\0' "$$" "$WISENT_PAGE_PORT" "$#" "$@" >&3
read -r -u 3 code
exec 3<&-
[[ $code != unknown ]] || exec @JAVA@ "$@"
exit "$code"
