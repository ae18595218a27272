# check: the models, which search the interleavings of the lock-free structures.

usage() {
  cat <<'END'
usage: ./nowait check                      every scenario of every structure, with its own searches
       ./nowait check STRUCTURE [flags]    those of one structure, or as the flags say:
  --list               its scenarios, what each promises and how it is searched (also without STRUCTURE)
  --scenario S         only this one
  --search WORDS       another search: full, bound:N or random:N, and +deferred +stale +deep
  --seed N, --state T  start where a failure was reported, to see it again
  --seconds N, --executions N   stop each search after so long, or so many, and save what was done
  --save FILE          where to save that, and what Ctrl-C leaves (default: STRUCTURE.search)
  --resume FILE        go on with what was saved
  --shard I/N          part I of N of each search; the parts add up to the whole
  --sites              the operations that were executed, with their memory orders
  --json FILE          results for another program
       ./nowait check --litmus [flags]     what the checker can produce, beside what C++20 allows:
  --row NAME           one litmus test explained, with an execution that produces it
  --list               what the tests are about; --table: the table alone; --json FILE: for a program
       ./nowait check --spin [MODEL] [flags]  the Spin models: what must come to an end does
  --list               their properties, and the seeded bugs that Spin must find
  --run "PROPERTY [NAME]..."  only this run of the model; --trail: the steps of what is violated
  --json FILE          results for another program
The last line is "N passed, M failed", counting scenarios. The mutants, which the models must kill,
are run by ./nowait test.
END
}

main() {
  local structure=''
  case ${1-} in
    -h | --help) usage; return ;;
    --litmus) litmus "${@:2}"; return ;;
    --spin) require check; exec build/nowait/check_spin.py "${@:2}" ;;
    -*) [ "$1" = --list ] || die 2 "check: $1 needs a structure before it; ./nowait check --list shows them"
        no_arguments 'check --list' "${@:2}" ;;
    ?*) structure=$1; shift ;;
  esac
  require_cpu
  require build check
  local -a models names progress
  mapfile -t models < <(bazel query --noshow_progress --ui_event_filters=-info,-stderr \
    "attr('tags', '\bmodel\b', //models/...) except attr('tags', '\b(mutant|spin)\b', //models/...) except //models/kit/...")
  [ ${#models[@]} -gt 0 ] || die 1 'the models cannot be listed; does `bazel query //models/...` work?'
  names=("${models[@]##*:}")
  if [ -n "$structure" ]; then
    case " ${names[*]} " in
      *" $structure "*) ;;
      *) die 2 "check: unknown structure \"$structure\"; there are: ${names[*]}" ;;
    esac
    mapfile -t models < <(printf '%s\n' "${models[@]}" | grep ":$structure\$")
  fi
  read -ra progress -d '' < <(bazel_progress) || true
  bazel build --config=opt "${progress[@]}" "${models[@]}" ||
    die 1 'the models do not build'
  if [ -n "$structure" ]; then
    exec "$(binary "${models[0]}")" "$@"
  fi
  run_all "$@"
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

# Every model, and their results added up.
run_all() {
  local label ended passed=0 failed=0 status=0 interrupted=0
  output=$(mktemp)
  trap 'rm -f "$output"' EXIT
  trap 'interrupted=130' INT
  for label in "${models[@]}"; do
    ended=0
    # Ctrl-C goes to all three: the model then says what it has saved, and tee has to pass that on.
    "$(binary "$label")" "$@" | (trap '' INT; exec tee "$output") || ended=$?
    [ "$ended" -lt 128 ] || exit "$ended"
    [ "$interrupted" -eq 0 ] || exit "$interrupted"
    [ "$ended" -eq 0 ] || status=1
    if [[ $(tail -n 1 "$output") =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
      passed=$((passed + BASH_REMATCH[1]))
      failed=$((failed + BASH_REMATCH[2]))
    fi
  done
  [ "${1-}" = --list ] || echo "$passed passed, $failed failed"
  return $status
}
