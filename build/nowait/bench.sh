# bench: the benchmarks, never part of the tests. Most are programs of Google Benchmark; scenes run a game
# for a minute or two and have flags of their own.

readonly SCENES='contention|mix|islands'

usage() {
  cat <<'END'
usage: ./nowait bench [NAME]... [--benchmark_...]   the numbers of these programs, or of all
       ./nowait bench [NAME]... --ratios [flags]    each structure beside its baseline, as a ratio
       ./nowait bench contention [flags]            what threads wait for locks: the talk's before and after
       ./nowait bench mix [flags]                   ray casts and moves in an open world; --help: the flags
       ./nowait bench islands [flags]               from contacts to islands, beside a flood fill
       ./nowait bench --list                        the programs
  --benchmark_...   for Google Benchmark, for example --benchmark_filter=Union
  after --ratios:   --json FILE, --plot FILE.svg, --repetitions N, --min-time SECONDS
  of the scenes:    --json FILE, --plot FILE.svg, and what --help says
END
}

# scene NAME [FLAG]...: builds and runs one scene.
scene() {
  local name=$1
  local -a progress
  shift
  require_cpu
  require build bench
  read -ra progress -d '' < <(bazel_progress) || true
  bazel build --config=opt "${progress[@]}" "//tests/bench:$name" || die 1 'the benchmark does not build'
  # Debian's python3 is the one that has Debian's Matplotlib.
  exec /usr/bin/python3 tests/bench/scene.py ".bazel/bin/tests/bench/$name" "$@"
}

main() {
  [[ ! ${1-} =~ ^($SCENES)$ ]] || scene "$@"
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
  mapfile -t benches < <(bench_targets | grep -vE ":($SCENES)\$")
  [ ${#benches[@]} -gt 0 ] || die 1 'there are no benchmarks'
  names=("${benches[@]##*:}")
  if [ -n "$list" ]; then
    printf '%s\n' "${names[@]}" "${SCENES//|/$'\n'}"
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
