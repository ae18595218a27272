#!/usr/bin/env bash
# usage: cli_test.sh PROGRAM: good and bad arguments, walkers that walk, and the picture.
set -euo pipefail
program=$1
source tests/support/expect.sh

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
small=(--walkers 4 --falling 10)

# Cells are there within three seconds on a machine that has other work, too; then walkers walk.
walked() {  # WHAT ARGUMENT...
  local what=$1 output
  shift
  output=$("$program" "${small[@]}" --frames 90 "$@")
  if ! grep -qE "cells .* [1-9][0-9]* built.* 0 failed" <<< "$output" ||
      ! grep -qE "walkers +[1-9][0-9]* m" <<< "$output"; then
    echo "FAILED: $what: $output"
    exit 1
  fi
  passed=$((passed + 1))
}
walked "one thread" --threads 1
walked "two threads, a stage a frame" --threads 2 --step-a-frame --svg "$folder/mesh.svg"
if ! grep -q "class='mesh'" "$folder/mesh.svg" || ! grep -q "class='track'" "$folder/mesh.svg"; then
  echo "FAILED: the picture has no mesh or no track"
  exit 1
fi
expect "help" 0 "--step-a-frame" --help
expect "no walkers" 2 "navigation: --walkers: '0' is not a whole number from 1 to 1000" --walkers 0
expect "no frames" 2 "--frames" --frames 0
expect "too many threads" 2 "--threads" --threads 65
expect "a word as a seed" 2 "--seed" --seed x
expect "an unknown option" 2 "--fast" --fast
expect "no place for the picture" 2 "--svg" --svg "$folder/none/mesh.svg"
expect "no terrain" 1 "navigation: terrain file not found" --terrain "$folder/none"
echo "$passed passed, 0 failed"
