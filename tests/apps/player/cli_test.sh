#!/bin/sh
exec python3 tests/apps/player/cli_test.py "$@"
