#!/usr/bin/env bash
# usage: cli_test.sh PROGRAM: what a user sees of good and of bad arguments.
set -euo pipefail
program=$1
source tests/support/expect.sh

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export TMPDIR=$folder
small=(--frames 4 --nodes 100 --workers 1)

expect "a short run" 0 "4 reads" "${small[@]}"
expect "a serial main loop" 0 "a serial main loop" "${small[@]}" --serial
expect "a parked worker" 0 "it was parked" "${small[@]}" --park-worker
expect "pictures" 0 "hash" "${small[@]}" --trace "$folder/trace.json" --svg "$folder/frame.svg"
grep -q '"traceEvents"' "$folder/trace.json"
grep -q 'Frame 2' "$folder/frame.svg"
expect "help" 0 "--park-worker" --help
expect "no number" 2 "--frames" --frames many
expect "no frames" 2 "--frames" --frames 0
expect "too many workers" 2 "--workers" --workers 65
expect "nobody to park" 2 "--park-worker" --workers 0 --park-worker
expect "a seed that is no number of 64 bits" 2 "frame: --seed: '-1' is not a whole number" --seed -1
expect "an unknown option" 2 "--fast" --fast
expect "no music" 1 "No such file" "${small[@]}" --music "$folder/none"
expect "nowhere to write" 1 "could not be written" "${small[@]}" --trace "$folder/none/trace.json"
if [ -n "$(find "$folder" -name 'frame.??????')" ]; then
  echo "FAILED: a temporary file was left behind"
  exit 1
fi
echo "$passed passed, 0 failed"
