#!/usr/bin/env bash
# A model's scenarios with load buffering: passes if none of them fails, and at least so many are examined. Those that
# do not fit say why.
#
# usage: buffered.sh LEAST PROGRAM [LIMIT]...
least=$1
shift
output=$("$@" --buffering)
status=$?
echo "$output"
if [ $status -ne 0 ] && [ $status -ne 4 ]; then exit $status; fi
examined=$(tail -n 1 <<<"$output" | cut -d " " -f 1)
if [ "$examined" -lt "$least" ]; then
  echo "fewer than $least scenarios were examined"
  exit 1
fi
