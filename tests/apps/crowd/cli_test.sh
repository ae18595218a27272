#!/usr/bin/env bash
# usage: cli_test.sh PROGRAM: what a user sees of good and of bad arguments.
set -euo pipefail
program=$1
source tests/support/expect.sh

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
motion="$folder/two.bvh"
{
  printf 'HIERARCHY\nROOT Hips\n{\n\tOFFSET 0 0 0\n'
  printf '\tCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n'
  printf '\tJOINT Arm\n\t{\n\t\tOFFSET 1 0 0\n\t\tCHANNELS 3 Zrotation Yrotation Xrotation\n'
  printf '\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 1 0 0\n\t\t}\n\t}\n}\n'
  printf 'MOTION\nFrames: 60\nFrame Time: 0.02\n'
  for i in $(seq 60); do echo "0 $i 0 $i 0 0 $((i * 2)) 0 $i"; done
} > "$motion"
limits=(--bones 5 --workers 1)
small=(--motion "$motion" --characters 12 --frames 6 --floor)

expect "a small crowd" 0 "12 characters of 5 bones" "${small[@]}" "${limits[@]}"
one=$("$program" "${small[@]}" "${limits[@]}" | grep -o 'hash [0-9a-f]*')
two=$("$program" "${small[@]}" --bones 5 --workers 0 | grep -o 'hash [0-9a-f]*')
if [ "$one" != "$two" ]; then
  echo "FAILED: with another number of threads: $one and $two"
  exit 1
fi
expect "pictures" 0 "hash" "${small[@]}" "${limits[@]}" --trace "$folder/trace.json" --svg "$folder/crowd.svg"
grep -q '"traceEvents"' "$folder/trace.json"
grep -q 'Frame 3' "$folder/crowd.svg"
grep -q "class='path'" "$folder/crowd.svg"
expect "its path" 0 "path         of frame 3: " "${small[@]}" "${limits[@]}"
expect "help" 0 "--characters" --help
expect "no characters" 2 "--characters" --characters 0
expect "a seed that is no number of 64 bits" 2 "crowd: --seed: '-1' is not a whole number" --seed -1
expect "an unknown option" 2 "--fast" --fast
expect "no motion" 1 "$folder/none.bvh: motion not found" "${small[@]}" "${limits[@]}" --motion "$folder/none.bvh"
echo "no motion" > "$folder/text.bvh"
expect "a file that is no motion" 1 "is damaged" "${small[@]}" "${limits[@]}" --motion "$folder/text.bvh"
expect "fewer bones than the file" 1 "invalid bones" "${small[@]}" --bones 1 --workers 1
expect "nothing behind the first frame" 1 "too few frames" "${small[@]}" "${limits[@]}" --first-frame 60
expect "too far away" 1 "invalid position" "${small[@]}" "${limits[@]}" --metres-per-unit 10
expect "no ground" 1 "crowd: $folder/none: terrain file not found" --motion "$motion" --characters 1 --frames 1 "${limits[@]}" --ground "$folder/none"
expect "nowhere to write" 1 "could not be written" "${small[@]}" "${limits[@]}" --svg "$folder/none/crowd.svg"
echo "$passed passed, 0 failed"
