#!/bin/sh
exec python3 tests/apps/demo/cli_test.py "$@"
