#!/usr/bin/env bash
# usage: cli_test.sh PROGRAM: a short fight with its chart, and bad arguments.
set -euo pipefail
program=$1
source tests/support/expect.sh
results=steps

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
short=(--frames 40 --dies-at 20 --links 12 --figures 2 --rubble 20)
expect "a short fight" 0 "wrote $folder/chart.svg" "${short[@]}" --chart "$folder/chart.svg"
grep -q "A snake of 12 links dies among 2 figures" "$folder/chart.svg"
[ "$(grep -c '<polyline' "$folder/chart.svg")" -eq 6 ] || { echo "FAILED: not six lines"; exit 1; }
expect "a snake that moves to the end" 0 "       not       not" --frames 31 --dies-at 30 --links 40 --figures 0 --rubble 0 --chart ''
expect "no chart" 0 "steps in a frame" "${short[@]}" --chart ''
expect "a cut snake" 0 "a snake of 12 links that is cut behind link 6, 2 figures" "${short[@]}" --cut 6 --chart ''
expect "help" 0 "--dies-at" --help
expect "too late a death" 2 "snake: --dies-at: not before the last frame" --frames 40 --dies-at 40
expect "a cut behind the head" 2 "snake: --cut: 12 is not a link before the head" "${short[@]}" --cut 12
expect "too short" 2 "--frames" --frames 3
expect "too many figures" 2 "--figures" --figures 45
expect "a chart that is a folder" 2 "snake: --chart: $folder: is a folder" --chart "$folder"
echo "$passed passed, 0 failed"
