# bench: the benchmarks, each a program of Google Benchmark; never part of the tests.

usage() {
  cat <<'END'
usage: ./nowait bench [NAME]... [--benchmark_...]   the numbers of these programs, or of all
       ./nowait bench [NAME]... --ratios [flags]    each structure beside its baseline, as a ratio
       ./nowait bench --list                        the programs
  --benchmark_...   for Google Benchmark, for example --benchmark_filter=Union
  after --ratios:   --json FILE, --plot FILE.svg, --repetitions N, --min-time SECONDS
END
}

main() {
  local list='' ratios='' argument label
  local -a wanted=() flags=() benches names programs=() progress
  while [ $# -gt 0 ]; do
    argument=$1
    shift
    case $argument in
      -h | --help) usage; return ;;
      --list) list=yes ;;
      --ratios) ratios=yes flags=("$@"); break ;;
      --benchmark_?*) flags+=("$argument") ;;
      -*) die 2 "bench: unknown argument \"$argument\"" ;;
      *) wanted+=("$argument") ;;
    esac
  done
  require_cpu
  require build bench
  mapfile -t benches < <(bench_targets)
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
    programs+=(".bazel/bin/${label/://}")
  done
  # Debian's python3 is the one that has Debian's Matplotlib.
  [ -z "$ratios" ] || exec /usr/bin/python3 tests/bench/ratios.py "${flags[@]}" "${programs[@]}"
  for argument in "${programs[@]}"; do
    "$argument" "${flags[@]}"
  done
}
