#!/usr/bin/env bash
# usage: cli_test.sh PROGRAM: good and bad arguments, bad scripts, and scripts that change while it runs.
set -euo pipefail
program=$1
source tests/support/expect.sh
results=checksum

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -L src/apps/game/scripts/*.lua "$folder"
chmod u+w "$folder"/*
small=(60 --frames 5 --workers 1)

expect "a small game" 0 "27 horses with riders, 2 archers, 1 gates, a tally; 5 frames, 2 threads" "${small[@]}"
expect "a folder" 0 "faults        0" "${small[@]}" --scripts "$folder"
expect "each call twice" 0 "faults        0" "${small[@]}" --twice
one=$("$program" "${small[@]}" | grep -o 'checksum [0-9a-f]*')
two=$("$program" 60 --frames 5 --workers 0 --twice | grep -o 'checksum [0-9a-f]*')
if [ "$one" != "$two" ]; then
  echo "FAILED: with another number of threads: $one and $two"
  exit 1
fi
many=(400 --frames 60 --workers 1)
expect "events are written" 0 "faults        0" "${many[@]}" --events "$folder/events"
one=$("$program" "${many[@]}" | grep -o 'checksum [0-9a-f]*')
two=$("$program" "${many[@]}" --replay "$folder/events" | grep -o 'checksum [0-9a-f]*')
if [ "$one" != "$two" ]; then
  echo "FAILED: with the events of a file: $one and $two"
  exit 1
fi
expect "a replay is written, too" 0 "faults        0" "${many[@]}" --replay "$folder/events" --events "$folder/again"
cmp "$folder/events" "$folder/again"
expect "events of a shorter run" 1 "game: event file not found: it ends before this frame" 400 --frames 61 --workers 1 --replay "$folder/events"
: > "$folder/nothing"
expect "an empty file of events" 1 "game: $folder/nothing: no events" "${many[@]}" --replay "$folder/nothing"
expect "no file of events" 1 "game: $folder/none not found" "${many[@]}" --replay "$folder/none"
expect "events to nowhere" 2 "game: --events" "${small[@]}" --events "$folder/none/events"
expect "help" 0 "--scripts" --help
expect "too few objects" 2 "--objects" 15
expect "a seed that is no number of 64 bits" 2 "game: --seed: '-1' is not a whole number" --seed -1
expect "an unknown option" 2 "--fast" --fast
expect "no folder" 1 "game: $folder/none/horse.lua: not found, nor horse.so" --scripts "$folder/none"

: > "$folder/gate.so"
expect "two files of one name" 1 "gate.lua: there is also gate.so" --scripts "$folder"
rm "$folder/gate.so"
: > "$folder/tally.so"
expect "a file that is no shared object" 1 "game: tally.so: no shared object, or a part of one" --scripts "$folder"
rm "$folder/tally.so"
echo "function update(self" > "$folder/gate.lua"
expect "a syntax error" 1 "game: gate.lua:2: ')' expected near <eof>" --scripts "$folder"
echo "fields = {open = false} function update() end" > "$folder/gate.lua"
expect "a field that the game sets" 1 "game: place not found: no script has this field of that kind" --scripts "$folder"
cp -L src/apps/game/scripts/gate.lua "$folder"
sed -i 's/^function update(self)$/function update(self) if self.shots == 1 then while true do end end/' "$folder/archer.lua"
expect "a loop without end" 1 "archer.lua:30: the call takes too long" 200 --frames 60 --scripts "$folder"
cp -L src/apps/game/scripts/archer.lua "$folder"

# Each step waits for a line of the program, as long as that runs.
"$program" 60 --frames 1000000 --workers 1 --scripts "$folder" > "$folder/said" 2>&1 &
game=$!
heard() {  # COUNT TEXT: as many lines with the text
  while [ "$(grep -cF -- "$2" "$folder/said")" -lt "$1" ]; do
    if ! kill -0 "$game" 2> "$folder/gone"; then
      [ "$(grep -cF -- "$2" "$folder/said")" -ge "$1" ] && break
      echo "FAILED: the game did not say '$2', but: $(cat "$folder/said")"
      exit 1
    fi
    sleep 0.02
  done
  passed=$((passed + 1))
}
change() {  # SOURCE: whole at once
  printf '%s' "$1" > "$folder/new"
  mv "$folder/new" "$folder/rider.lua"
}
fields='fields = {place = vec3(0, 0, 0), horse = no_object, next = no_object, hits = 0, hardest = 0}'
# The game has loaded the first version before it can load another one again.
while [ ! -s "$folder/said" ] && kill -0 "$game" 2> "$folder/gone"; do
  touch "$folder/rider.lua"
  sleep 0.02
done
heard 1 "rider.lua: loaded again"
change "$fields function update(self) self.hits = end"
heard 1 "rider.lua:1: unexpected symbol near 'end'; the version before stays"
change "fields = {hits = 0} function update(self) end"
heard 1 "rider.lua: other fields than those of the objects that are there; the version before stays"
change "$fields function update(self) error('on purpose') end"
heard 1 "rider.lua:1: on purpose"
kill -INT "$game"
heard 1 "27 objects stopped"
wait "$game" || true
echo "$passed passed, 0 failed"
