#!/bin/sh
exec python3 tests/apps/terminal/terminal_test.py "$@"
