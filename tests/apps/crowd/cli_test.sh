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
small=(--motion "$motion" --characters 12 --frames 6)

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
expect "help" 0 "--characters" --help
expect "no characters" 2 "--characters" --characters 0
expect "an unknown option" 2 "--fast" --fast
expect "no motion" 1 "$folder/none.bvh: motion not found" "${small[@]}" "${limits[@]}" --motion "$folder/none.bvh"
echo "no motion" > "$folder/text.bvh"
expect "a file that is no motion" 1 "is damaged" "${small[@]}" "${limits[@]}" --motion "$folder/text.bvh"
expect "fewer bones than the file" 1 "invalid bones" "${small[@]}" --bones 1 --workers 1
expect "nothing behind the first frame" 1 "too few frames" "${small[@]}" "${limits[@]}" --first-frame 60
expect "too far away" 1 "invalid position" "${small[@]}" "${limits[@]}" --metres-per-unit 10
expect "nowhere to write" 1 "could not be written" "${small[@]}" "${limits[@]}" --svg "$folder/none/crowd.svg"
echo "$passed passed, 0 failed"
