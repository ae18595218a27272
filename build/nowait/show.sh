# show: a counterexample that ./nowait check has written, once more.

usage() {
  cat <<'END'
usage: ./nowait show FILE.json [flags]
  --page OUT.html      written as a page for a browser, instead of shown here
  --color WHEN         colours: auto (on a terminal, default), always, never
FILE.json is what check names at its end, out/counterexamples/STRUCTURE_SCENARIO.json.
END
}

main() {
  local -a progress
  case ${1-} in
    -h | --help) usage; return ;;
    '') die 2 'show: which counterexample? ./nowait show --help' ;;
  esac
  require_cpu
  require build check
  read -ra progress -d '' < <(bazel_progress) || true
  bazel build --config=opt "${progress[@]}" //models/kit/counterexample:show ||
    die 1 'the program that shows counterexamples does not build'
  exec .bazel/bin/models/kit/counterexample/show "$@"
}
