#!/usr/bin/env bash
# fails_for.sh REASON PROGRAM [...]: passes if the program fails, and says why in these words. The last line is this
# test's own, and not what the program says of its cases.
reason=$1
shift
output=$("$@" 2>&1) && {
  echo "$output"
  echo "fails_for: it passes"
  echo '0 passed, 1 failed'
  exit 1
}
echo "$output"
grep -qF -- "$reason" <<<"$output" || {
  echo "fails_for: it fails, but not for: $reason"
  echo '0 passed, 1 failed'
  exit 1
}
echo '1 passed, 0 failed'
