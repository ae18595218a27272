#!/usr/bin/env bash
# Builds and runs tests/external_workspace as its owner would: with a Bazel of its own, from scratch.
set -euo pipefail
NOWAIT_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
source "$NOWAIT_ROOT/build/nowait/bazel.sh"
cd "$NOWAIT_ROOT/tests/external_workspace"

scratch=$(mktemp -d)
cleanup() {
  bazel --output_base="$scratch/base" shutdown >/dev/null 2>&1 || true
  # Bazel makes its outputs read-only.
  chmod -R u+w "$scratch" && rm -rf "$scratch"
}
trap cleanup EXIT
# All of its Bazel's talk only when it fails; nothing may be fetched.
if ! bazel --output_base="$scratch/base" test --experimental_repository_disable_download --test_output=all --noshow_progress //... \
  >"$scratch/log" 2>&1; then
  cat "$scratch/log"
  exit 1
fi
grep ' islands, ' "$scratch/log"
