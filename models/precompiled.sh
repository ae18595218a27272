#!/usr/bin/env bash
# The headers that a precompiled header has read, of ours and of the system, are dependencies of each source that begins
# with it. Otherwise Bazel keeps what was compiled from a header that has changed.
#
# usage: precompiled.sh FILE.d...
for names in "$@"; do
  for header in models/kit/program/plain.h models/kit/scenario/model.h /usr/include/c++/12/atomic; do
    grep -q -F " $header" "$names" || { echo "$names does not name $header" && exit 1; }
  done
done
