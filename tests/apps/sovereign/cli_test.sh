#!/usr/bin/env bash
# usage: cli_test.sh PROGRAM: what a user sees of good and of bad arguments.
set -euo pipefail
program=$1
passed=0

expect() {  # WHAT STATUS TEXT ARGUMENT...
  local what=$1 wanted=$2 text=$3 output status=0
  shift 3
  output=$("$program" "$@" 2>&1) || status=$?
  if [ "$status" -ne "$wanted" ] || [[ $output != *"$text"* ]]; then
    echo "FAILED: $what: status $status, printed: $output"
    exit 1
  fi
  if [ "$wanted" -ne 0 ] && [ "$(wc -l <<<"$output")" -ne 1 ]; then
    echo "FAILED: $what: more than one line: $output"
    exit 1
  fi
  passed=$((passed + 1))
}

expect "a short run" 0 "back end" --lockstep --frames 3 --objects 100
expect "help" 0 "--lockstep" --help
expect "no number" 2 "--frames" --frames many
expect "no frames" 2 "--frames" --frames 0
expect "too many workers" 2 "--workers" --workers 65
expect "an unknown option" 2 "--fast" --fast
echo "$passed passed, 0 failed"
