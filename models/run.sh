#!/usr/bin/env bash
# A test that is another run of a program: the program and its arguments are the test's.
exec "$@"
