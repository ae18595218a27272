# check: the models, which search the interleavings of the lock-free structures.

usage() {
  cat <<'END'
usage: ./nowait check                      everything that is checked of every structure: scenarios,
                                           mutations, minimal orders, mutants, Spin, the checker itself
                                           (but not the broken checkers, which ./nowait test has)
       ./nowait check --report [DIR]       the same, and what it found as DIR/index.html and
                                           DIR/report.md (default: out/check)
       ./nowait check ... --remote grpc://HOST:PORT [--local-fallback] [--cache URL]
                                           the same, on the machines of a cluster, or here if there is
                                           none; with what other machines have left in a cache
       ./nowait check --update-orders      the tables of minimal orders written anew, all of them
       ./nowait check STRUCTURE [flags]    the scenarios of one structure, or as the flags say:
  --list               its scenarios, what each promises and how it is searched (also without STRUCTURE)
  --scenario S         only this one
  --with BACK_END      exhaustive: every execution that the memory model allows, of the scenarios that
                       are not bounded; relacy: the searches that the scenarios name; both (default).
                       Also of --mutate and --minimise
  --search WORDS       another search: graphs (every execution), or full, bound:N or random:N, and
                       +deferred +stale +deep
  --seed N, --state T  start where a failure was reported, to see it again
  --seconds N, --executions N   stop each search after so long, or so many, and save what was done
  --save FILE          where to save that, and what Ctrl-C leaves (default: STRUCTURE.search)
  --resume FILE        go on with what was saved
  --jobs N             N processes for each search of graphs (default: one for each processor)
  --shard I/N          part I of N of each search; the parts add up to the whole
  --estimate           how many executions its scenarios have, by random probes: a guess, and how wide
  --sites              the operations that were executed, with their memory orders
  --mutate             every mutation of its atomic operations: killed, or why not
  --mutation NAME      the scenarios with this one
  --minimise           the weakest memory orders that the scenarios accept, beside the source's;
                       compared with the table beside the model, or written there (--update)
  --json FILE          results for another program
  --counterexamples DIR  where to write what fails, as STRUCTURE_SCENARIO.json and .html
                       (default: out/counterexamples; ./nowait show shows it again)
  --color WHEN         colours: auto (on a terminal, default), always, never
       ./nowait check --new NAME [FOLDER]  a structure of your own to begin with, and its model, in
                                           own/NAME; ./nowait check NAME runs it
       ./nowait check --scaling [ROUNDS] [STRUCTURE]...  how long the models' tests, or those of these
                                           structures, take with one worker and with two, measured
                                           ROUNDS times (3), and with more of them, computed
       ./nowait check --deep --hours H [flags]  far beyond the above, for H hours; Ctrl-C stops it and the
                                           same command goes on; ends with "N passed, M failed, K not finished"
  --state DIR          where to keep it (out/deep)
  --part I/N           part I of N, on this machine: every machine has the same build and plan
  --merge DIR...       one report of those of all parts; --into DIR writes it
  --show               what was found so far; --costs DIR: a plan by what an earlier run measured
       ./nowait check --litmus [flags]     what the checker can produce, beside what C++20 allows:
  --row NAME           one litmus test explained, with an execution that produces it
  --list               what the tests are about; --table: the table alone; --json FILE: for a program
       ./nowait check --spin [MODEL] [flags]  the Spin models: what must come to an end does
  --list               their properties, and the seeded bugs that Spin must find
  --run "PROPERTY [NAME]..."  only this run of the model; --trail: the steps of what is violated
  --jobs N             N searches at once (default: one for each processor)
  --json FILE          results for another program
The last line is "N passed, M failed": scenarios, mutations, orders, and what else was run. What was to
be examined wholly and was not finished has failed.
END
}

source build/nowait/new.sh
source build/nowait/remote.sh

# What remote_arguments finds.
remote='' cache='' local_fallback='' shared=()

main() {
  local structure=''
  case " $* " in
    *' --remote'* | *' --cache'* | *' --local-fallback '*)
      remote_arguments "$@"
      case ${rest[0]-} in
        '' | --report | --deep) set -- "${rest[@]}" ;;
        *) die 2 "check: --remote and --cache are for all structures; ${rest[0]} runs here" ;;
      esac ;;
  esac
  case ${1-} in
    -h | --help) usage; return ;;
    --litmus) litmus "${@:2}"; return ;;
    --deep) deep "${@:2}"; return ;;
    --scaling) scaling "${@:2}"; return ;;
    --spin) require check; exec build/nowait/check_spin.py "${@:2}" ;;
    --new) new_structure "${@:2}"; return ;;
    --update-orders) no_arguments 'check --update-orders' "${@:2}"; update_orders; return ;;
    --minimise) [ "$*" = '--minimise --update' ] ||
        die 2 'check: --minimise needs a structure before it, or --update after it for all of them'
      update_orders; return ;;
    --list) no_arguments 'check --list' "${@:2}"; list_all; return ;;
    --report)
      [ $# -le 2 ] || die 2 "check --report: unknown argument \"$3\""
      case ${2-} in -*) die 2 "check --report: unknown argument \"$2\"" ;; esac
      check_all "${2:-out/check}"; return ;;
    '') [ $# -eq 0 ] || die 2 'check: an empty name is no structure'
      check_all; return ;;
    -*) die 2 "check: $1 needs a structure before it; ./nowait check --list shows them" ;;
  esac
  structure=$1
  shift
  local -a arguments=("$@")
  prepare
  choose "$structure"
  beside "$structure" "$@"
  build_models
  exec "$(binary "${models[0]}")" "${arguments[@]}"
}

prepare() {
  require_cpu
  require build check
  find_models
}

# What Bazel's queries look at: the repository's models, and a student's own (check --new).
model_packages() {
  if [ -n "$(find own -name BUILD -print -quit 2>/dev/null)" ]; then
    echo '(//models/... + //own/...)'
  else
    echo '//models/...'
  fi
}

# $models: the labels of the structures' programs; $names: the structures.
find_models() {
  local packages
  packages=$(model_packages)
  mapfile -t models < <(bazel query --noshow_progress --ui_event_filters=-info,-stderr \
    "attr('tags', '\bmodel\b', $packages) except attr('tags', '\b(mutant|run|spin)\b', $packages)
     except //models/kit/... except filter('_test$', $packages)")
  [ ${#models[@]} -gt 0 ] || die 1 "the models cannot be listed; does bazel query '$packages' work?"
  names=("${models[@]##*:}")
}

known() {
  case " ${names[*]} " in
    *" $1 "*) ;;
    *) die 2 "check: unknown structure \"$1\"; there are: ${names[*]}" ;;
  esac
}

# choose STRUCTURE: leaves only its model.
choose() {
  known "$1"
  mapfile -t models < <(printf '%s\n' "${models[@]}" | grep ":$1\$")
}

build_models() {
  local -a progress
  read -ra progress -d '' < <(bazel_progress) || true
  bazel build --config=opt "${progress[@]}" "${models[@]}" || die 1 'the models do not build'
}

# beside STRUCTURE ARGUMENTS...: adds to $arguments the files that stand beside a model and that its
# mutations need, where they are not given.
beside() {
  local structure=$1 path=${models[0]#//} flag
  path=${path/://}
  shift
  local wants_notes='' wants_table=''
  for flag in "$@"; do
    case $flag in
      --mutate | --mutation | --mutation=*) wants_notes=${wants_notes:-yes} ;;
      --minimise) wants_notes=${wants_notes:-yes} wants_table=${wants_table:-yes} ;;
      --notes | --notes=*) wants_notes=given ;;
      --table | --table=*) wants_table=given ;;
    esac
  done
  [ "$wants_notes" != yes ] || arguments+=(--notes "$path.toml")
  [ "$wants_table" != yes ] || arguments+=(--table "${path}_orders.md")
}

# The models' programs, searched for hours by a process for each processor.
deep() {
  local label
  case " $* " in
    *' --merge'* | *' --show '* | *' -h '* | *' --help '*) exec python3 build/nowait/deep/main.py judge "$@" ;;
  esac
  [ -z "$cache" ] || die 2 'check: --cache has nothing to give to a deep run'
  python3 build/nowait/deep/main.py judge "$@"  # bad input is said before anything is built
  remote_flags
  prepare
  build_models
  results=$(mktemp -d)
  trap 'rm -rf "$results"' EXIT
  for label in "${models[@]}"; do binary "$label"; done >"$results/programs"
  printf '%s\n' "${shared[@]}" >"$results/programs.flags"
  with_home python3 build/nowait/deep/main.py run "$results/programs" "$@"
}

# Each round runs everything with one worker and with two, first the one and then the other.
scaling() {
  local round workers rounds=3
  local -a labels progress runs=() order
  # A structure's name is no number.
  if [[ ${1-} =~ ^[-0-9] ]]; then
    [[ $1 =~ ^[1-9][0-9]?$ ]] || die 2 "check --scaling: \"$1\" is no number of rounds"
    rounds=$1
    shift
  fi
  require_cpu
  require build check
  results=$(mktemp -d)
  trap 'rm -rf "$results"' EXIT
  model_tests
  [ $# -eq 0 ] || only_tests_of "$@"
  read -ra progress -d '' < <(bazel_progress) || true
  bazel build --config=opt "${progress[@]}" "${labels[@]}" || die 1 'the models do not build'
  for ((round = 1; round <= rounds; ++round)); do
    order=(1 2)
    ((round % 2)) || order=(2 1)
    for workers in "${order[@]}"; do
      note "round $round of $rounds, $workers at once"
      bazel test --config=opt "${progress[@]}" --test_output=summary --test_summary=none --nocache_test_results \
        --local_test_jobs="$workers" --build_event_json_file="$results/$round.$workers" "${labels[@]}" ||
        die 1 'a test failed: there is nothing to compare'
      runs+=("$workers:$results/$round.$workers")
    done
  done
  python3 build/nowait/scaling.py "${runs[@]}"
}

# only_tests_of STRUCTURE...: leaves of $labels the tests of these. A test's name begins with its
# structure's; where that of another one does too, it is the longer one's.
only_tests_of() {
  local structure label name owner
  local -a left=()
  find_models
  for structure; do known "$structure"; done
  for label in "${labels[@]}"; do
    owner=
    for name in "${names[@]}"; do
      case ${label##*:}_ in
        "${name}_"*) [ ${#name} -le ${#owner} ] || owner=$name ;;
      esac
    done
    case " $* " in *" $owner "*) left+=("$label") ;; esac
  done
  labels=("${left[@]}")
}

# $labels: the tests that `check` runs; $results/tests.xml: what Bazel's query says of them.
model_tests() {
  local packages
  packages=$(model_packages)
  bazel query --output=xml --noshow_progress --ui_event_filters=-info \
    "attr('tags', '\bmodel\b', tests($packages)) except attr('tags', '\bsabotage\b', tests($packages))" \
    >"$results/tests.xml" ||
    die 1 'the models cannot be listed; Bazel has said why'
  mapfile -t labels < <(grep -oP '^    <rule .* name="\K[^"]+' "$results/tests.xml")
}

litmus() {
  local label=//models/kit/litmus
  local -a progress
  require_cpu
  require build check
  read -ra progress -d '' < <(bazel_progress) || true
  bazel build --config=opt "${progress[@]}" "$label" || die 1 'the litmus suite does not build'
  exec "$(binary "$label:litmus")" "$@"
}

binary() {
  local path=${1#//}
  echo ".bazel/bin/${path/://}"
}

list_all() {
  local label
  prepare
  build_models
  for label in "${models[@]}"; do "$(binary "$label")" --list; done
}

# Every test of the models, as `bazel test` runs them: on all cores, and not again while nothing that
# they depend on has changed. check_all [OUT]: with a report there.
check_all() {
  local status=0
  local -a progress labels
  require_cpu
  require build check
  # What cannot be written is said before the searches, not after.
  [ $# -eq 0 ] || { mkdir -p "$1" && [ -w "$1" ]; } 2>/dev/null || die 2 "check: $1 cannot be written"
  remote_flags
  results=$(mktemp -d)
  trap 'rm -rf "$results"' EXIT
  model_tests
  note "${#labels[@]} tests: scenarios, mutations, minimal orders, mutants, Spin, litmus, the checker's own"
  read -ra progress -d '' < <(bazel_progress) || true
  shared_bazel test --config=opt "${shared[@]}" --keep_going "${progress[@]}" --test_output=summary \
    --test_summary=none --build_event_json_file="$results/check.json" \
    --nobuild_event_json_file_path_conversion "${labels[@]}" || status=$?
  [ "$status" -ne 8 ] || exit 130  # interrupted: what has ended is kept for the next time
  python3 build/nowait/count_results.py check "$status" '' "$results" ||
    note 'the results could not be counted'
  # Debian's python3 is the one that has Debian's Jinja.
  /usr/bin/python3 build/nowait/report/main.py "$results" "$@"
}

# The tables of minimal orders, written anew beside every model.
update_orders() {
  local label path passed=0 failed=0
  prepare
  build_models
  for label in "${models[@]}"; do
    path=${label#//}
    path=${path/://}
    if "$(binary "$label")" --minimise --update --notes "$path.toml" --table "${path}_orders.md"; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
      note "${path}_orders.md: see above"
    fi
  done
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}
