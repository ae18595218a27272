#!/usr/bin/env bash
# usage: cli_test.sh PROGRAM: what a user sees of good and of bad arguments.
set -euo pipefail
program=$1
source tests/support/expect.sh

expect "a short run" 0 "back end" --lockstep --frames 3 --objects 100
expect "help" 0 "--lockstep" --help
expect "no number" 2 "--frames" --frames many
expect "no frames" 2 "--frames" --frames 0
expect "too many workers" 2 "--workers" --workers 65
expect "a seed that is no number of 64 bits" 2 "sovereign: --seed: '-1' is not a whole number" --seed -1
expect "an unknown option" 2 "--fast" --fast
echo "$passed passed, 0 failed"
