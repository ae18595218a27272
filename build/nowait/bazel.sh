# Bazel, with what it expects of its surroundings.

bazel() { with_home bazel "$@"; }

# Bazel names its directory after the user and puts it into the home: a container may have neither.
with_home() {
  local user=${USER:-$(id -un 2>/dev/null || id -u)} home=${HOME:-}
  [ -n "$home" ] && [ -d "$home" ] && [ -w "$home" ] || home=$NOWAIT_ROOT/.nowait
  mkdir -p "$home"
  env USER="$user" HOME="$home" "$@"
}

# Flags for progress: a moving display on a terminal, a line now and then elsewhere.
bazel_progress() {
  if [ -t 2 ]; then echo --color=auto; else echo --show_progress_rate_limit=15 --color=no; fi
  echo --show_result=0 --noshow_loading_progress --ui_event_filters=-info
}

# bench_targets: the benchmarks' labels, one a line.
bench_targets() {
  bazel query --noshow_progress --ui_event_filters=-info,-stderr \
    "kind('cc_.*', attr('tags', '\bbench\b', //tests/...))"
}

# targets_tagged TAG: the tests below tests/ that have it, one a line.
targets_tagged() {
  bazel query --noshow_progress --ui_event_filters=-info,-stderr \
    "kind('.*_test', attr('tags', '\b$1\b', //tests/...))"
}
