#!/usr/bin/env bash
# usage: rides_test.sh PROGRAM: short rides by the command, in each of its ways, and an interruption.
set -euo pipefail
program=$1
source tests/support/expect.sh
source tests/apps/openworld/small_world.sh

expect "tiles are made" 0 "made 30 tiles and 240 scenes" "${here[@]}" --make-tiles
expect "a short ride" 0 "wrote $folder/map.svg" "${here[@]}" --seconds 1
grep -q "A ride through an open world" "$folder/map.svg"
ride=("${here[@]}" --seconds 1 --replay 3 --unpaced)
one=$("$program" "${ride[@]}" --threads 3 2> "$folder/said" | grep -o 'state [0-9a-f]*')
parked=$("$program" "${ride[@]}" --threads 2 --park-worker 2> "$folder/said" | grep -o 'state [0-9a-f]*')
if [ "$one" != "$parked" ]; then
  echo "FAILED: with another number of threads, of which one is parked: $one and $parked"
  exit 1
fi
expect "a slow disk" 0 "30 frames of 1/30 s" "${here[@]}" --seconds 1 --slow-disk 50
expect "one step a frame" 0 "30 frames of 1/30 s" "${here[@]}" --seconds 1 --steps 1 --unpaced
expect "before and after" 0 "waits for locks, a thread and frame" "${here[@]}" --seconds 1 --unpaced --before "$folder/before.svg"
grep -q "flood fill" "$folder/before.svg"
expect "more threads" 0 "computed from the task graph" "${here[@]}" --seconds 1 --scaling "$folder/scaling.svg"
grep -q "the talk" "$folder/scaling.svg"

"$program" "${here[@]}" --seconds 600 > "$folder/out" 2> "$folder/err" &
ride=$!
until grep -q "^frame" "$folder/err"; do
  kill -0 "$ride" || { echo "FAILED: it has ended: $(cat "$folder/err")"; exit 1; }
  sleep 0.05
done
kill -INT "$ride"
status=0
wait "$ride" || status=$?
if [ "$status" -ne 130 ] || ! grep -q "tiles" "$folder/out"; then
  echo "FAILED: interrupted: status $status, $(cat "$folder/out" "$folder/err")"
  exit 1
fi
passed=$((passed + 1))
echo "$passed passed, 0 failed"
