# bench: the benchmarks, each a program of Google Benchmark; never part of the tests.

usage() {
  cat <<'END'
usage: ./nowait bench [NAME]... [--benchmark_...]
  NAME              only these programs; without one, all of them
  --list            the programs
  --benchmark_...   for Google Benchmark, for example --benchmark_filter=Union
END
}

main() {
  local list='' argument label
  local -a wanted=() flags=() benches names progress
  for argument in "$@"; do
    case $argument in
      -h | --help) usage; return ;;
      --list) list=yes ;;
      --benchmark_?*) flags+=("$argument") ;;
      -*) die 2 "bench: unknown argument \"$argument\"" ;;
      *) wanted+=("$argument") ;;
    esac
  done
  require_cpu
  require build bench
  mapfile -t benches < <(bazel query --noshow_progress --ui_event_filters=-info,-stderr \
    "kind('cc_.*', attr('tags', '\bbench\b', //tests/...))")
  [ ${#benches[@]} -gt 0 ] || die 1 'there are no benchmarks'
  names=("${benches[@]##*:}")
  if [ -n "$list" ]; then
    printf '%s\n' "${names[@]}"
    return
  fi
  for argument in "${wanted[@]}"; do
    case " ${names[*]} " in
      *" $argument "*) ;;
      *) die 2 "bench: unknown benchmark \"$argument\"; there are: ${names[*]}" ;;
    esac
  done
  if [ ${#wanted[@]} -gt 0 ]; then
    mapfile -t benches < <(printf '%s\n' "${benches[@]}" |
      grep -E ":($(IFS='|' && echo "${wanted[*]}"))\$")
  fi
  read -ra progress -d '' < <(bazel_progress) || true
  bazel build --config=opt "${progress[@]}" "${benches[@]}" || die 1 'the benchmarks do not build'
  for label in "${benches[@]}"; do
    label=${label#//}
    ".bazel/bin/${label/://}" "${flags[@]}"
  done
}
