# demo: the engine on real ground.
main() {
  require_cpu
  require build
  local -a progress
  read -ra progress -d '' < <(bazel_progress) || true
  bazel build --config=opt "${progress[@]}" //src/apps/demo || die 1 'the demo does not build'
  exec .bazel/bin/src/apps/demo/demo "$@"
}
