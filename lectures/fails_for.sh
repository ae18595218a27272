#!/usr/bin/env bash
# fails_for.sh REASON PROGRAM [...]: passes if the program fails, and says why in these words.
reason=$1
shift
output=$("$@" 2>&1) && {
  echo "$output"
  echo "fails_for: it passes"
  exit 1
}
echo "$output"
grep -qF -- "$reason" <<<"$output" || {
  echo "fails_for: it fails, but not for: $reason"
  exit 1
}
