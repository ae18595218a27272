# test: everything that CI runs. The last line is "N passed, M failed", and the status follows it.
#
# Every step leaves two numbers in $results/<step>.count; the total is their sum. A step that was
# begun and left no numbers (it was interrupted) counts as one failure.

# What runs, in this order: the compiler changes once, between opt and the three that use clang.
STEPS=(opt controlled shipped external asan tsan clang19)

# Tests with these tags are left out of a step (+TAG: those without it); how many is printed.
left_out() {
  case $1 in
    opt) echo controlled ;;
    controlled) echo +controlled ;;
    asan) echo model,checkout,controlled ;;
    tsan) echo model,checkout,controlled,one_thread ;;
    clang19) echo model,checkout,controlled,stress,one_thread ;;
  esac
}

usage() {
  cat <<'END'
usage: ./nowait test [--quick] [--config NAME]... [--stress-minutes M] [--soak-minutes M]
       ./nowait test --fuzz-minutes M [--only NAME]... [--config NAME]... [--fuzz-seed N]
       ./nowait test --fuzz-seed N --only NAME [--config NAME]
  --quick        only opt
  --stress-minutes M  only the stress test of a whole world, under ThreadSanitizer, for M minutes (1 .. 600;
                 the step tsan has a minute of it), and prints what it looked at
  --soak-minutes M  only the soak: the open world with everything on for M minutes (1 .. 600); memory
                 stays flat, and no stall is above its bound
  --fuzz-minutes M  only programs made at random, each kind for M minutes (1 .. 600), optimised, or under
                 each --config of opt, controlled, asan, tsan, clang19; a failure is shortened and says how it is replayed
  --only NAME    of these only this kind; may be given several times. An unknown one lists them
  --fuzz-seed N  the seed of the first program; without --fuzz-minutes the one program that is run
  --config NAME  only this step; may be given several times. The steps:
    opt       every test, optimised, without assertions: as shipped (g++)
    controlled  whole programs under a scheduler that one controls (g++); tests/whole/README.md
    shipped   the benchmarks are built, and every header is compiled alone (g++)
    external  another Bazel workspace uses this one
    asan      AddressSanitizer and UndefinedBehaviorSanitizer (clang); no models
    tsan      ThreadSanitizer (clang); no models and no tests of one thread
    clang19   the second compiler, optimising fully: builds src and the models, runs the tests of the
              engine's threads and hashes (asan has run the rest with this compiler already)
END
}

main() {
  local -a steps=()
  local stress_minutes='' soak_minutes='' fuzz_minutes='' fuzz_seed=''
  local -a only=() configs=()
  while [ $# -gt 0 ]; do
    case $1 in
      --quick) steps+=(opt) ;;
      --stress-minutes | --stress-minutes=*)
        stress_minutes=${1#--stress-minutes=}
        if [ "$1" = --stress-minutes ]; then
          [ $# -gt 1 ] || die 2 'test: --stress-minutes needs a number'
          stress_minutes=$2
          shift
        fi
        check_minutes --stress-minutes "$stress_minutes"
        steps+=(stress) ;;
      --soak-minutes | --soak-minutes=*)
        soak_minutes=${1#--soak-minutes=}
        if [ "$1" = --soak-minutes ]; then
          [ $# -gt 1 ] || die 2 'test: --soak-minutes needs a number'
          soak_minutes=$2
          shift
        fi
        check_minutes --soak-minutes "$soak_minutes"
        steps+=(soak) ;;
      --fuzz-minutes | --fuzz-minutes=*)
        fuzz_minutes=${1#--fuzz-minutes=}
        if [ "$1" = --fuzz-minutes ]; then
          [ $# -gt 1 ] || die 2 'test: --fuzz-minutes needs a number'
          fuzz_minutes=$2
          shift
        fi
        check_minutes --fuzz-minutes "$fuzz_minutes" ;;
      --fuzz-seed | --fuzz-seed=*)
        fuzz_seed=${1#--fuzz-seed=}
        if [ "$1" = --fuzz-seed ]; then
          [ $# -gt 1 ] || die 2 'test: --fuzz-seed needs a number'
          fuzz_seed=$2
          shift
        fi
        # 19 digits: they fit into 64 bits whatever they are.
        [[ $fuzz_seed =~ ^[0-9]{1,19}$ ]] ||
          die 2 "test: --fuzz-seed is a number of at most 19 digits, not \"$fuzz_seed\"" ;;
      --only | --only=*)
        local kind=${1#--only=}
        if [ "$1" = --only ]; then
          [ $# -gt 1 ] || die 2 'test: --only needs a name'
          kind=$2
          shift
        fi
        only+=("$kind") ;;
      --config | --config=*)
        local name=${1#--config=}
        if [ "$1" = --config ]; then
          [ $# -gt 1 ] || die 2 'test: --config needs a name'
          name=$2
          shift
        fi
        case " ${STEPS[*]} " in
          *" $name "*) configs+=("$name") ;;
          *) die 2 "test: unknown configuration \"$name\"; there are: ${STEPS[*]}" ;;
        esac ;;
      -h | --help) usage; return ;;
      *) die 2 "test: unknown argument \"$1\"" ;;
    esac
    shift
  done
  if [ -n "$fuzz_minutes$fuzz_seed" ]; then
    [ ${#steps[@]} -eq 0 ] || die 2 'test: random programs are run alone'
    [ -n "$fuzz_minutes" ] || [ ${#only[@]} -eq 1 ] ||
      die 2 'test: --fuzz-seed without --fuzz-minutes needs one --only NAME: whose seed is it?'
    source build/nowait/fuzz.sh
    check_fuzz_configurations "${configs[@]}"
    check_kinds "${only[@]}"
    steps=(fuzz)
  else
    [ ${#only[@]} -eq 0 ] || die 2 'test: --only is for --fuzz-minutes and --fuzz-seed'
    steps+=("${configs[@]}")
  fi
  [ ${#steps[@]} -gt 0 ] || steps=("${STEPS[@]}")

  require_cpu
  require build check bench learn test
  results=$(mktemp -d)
  trap 'rm -rf "$results"' EXIT
  trap 'finish || true; exit 130' INT
  trap 'finish || true; exit 143' TERM
  bazel query --output=xml --noshow_progress --ui_event_filters=-info 'tests(//...)' \
    >"$results/tests.xml" || {
    echo '0 1' >"$results/query.count"  # a BUILD file that does not load: Bazel has said which
    finish
    return
  }
  local step begin
  for step in "${steps[@]}"; do
    begin=$SECONDS
    echo "== $step"
    : >"$results/$step.count"
    case $step in
      shipped) run_shipped ;;
      external) run_external ;;
      stress) run_stress "$stress_minutes" ;;
      soak) run_soak "$soak_minutes" ;;
      fuzz) run_fuzz "$fuzz_minutes" "$fuzz_seed" ;;
      *) run_configuration "$step" ;;
    esac
    echo "== $step took $((SECONDS - begin)) s"
    echo "$step $((SECONDS - begin))" >>"$results/times"
  done
  finish
}

# check_minutes FLAG VALUE
check_minutes() {
  [[ $2 =~ ^[1-9][0-9]{0,2}$ ]] && [ "$2" -le 600 ] || die 2 "test: $1 is 1 .. 600, not \"$2\""
}

# run_configuration NAME: the tests under one configuration of .bazelrc.
run_configuration() {
  local name=$1 excluded filters status=0
  local -a progress what=()
  excluded=$(left_out "$name")
  filters=${excluded:+-${excluded//,/,-}}
  filters=${filters#-+}  # a tag that is asked for
  read -ra progress -d '' < <(bazel_progress) || true
  # The sanitizers have nothing to say about a program that no test runs; the compilers have.
  case $name in
    asan | tsan | controlled) what=(--build_tests_only) ;;
    # They mean nothing where src is not controlled.
    opt) what=(--build_tag_filters=-controlled) ;;
    # Mutants are many copies of a model that is built once; the rest asan has compiled.
    clang19) what=(--build_tag_filters=-mutant,-checkout,-controlled,-stress,-one_thread) ;;
  esac
  bazel test --config="$name" --keep_going "--test_tag_filters=$filters" "${what[@]}" \
    "${progress[@]}" --test_output=summary --test_summary=none \
    --build_event_json_file="$results/$name.json" //... || status=$?
  python3 build/nowait/count_results.py "$name" "$status" "$excluded" "$results" ||
    note "the results of $name could not be counted"
  python3 build/nowait/dearest.py "$results/$name.json" || note "the times of $name could not be read"
}

# run_shipped: what has no test of its own to fail: builds, counted one each.
run_shipped() {
  local -a progress benches
  local passed=0 failed=0
  read -ra progress -d '' < <(bazel_progress) || true
  # Tagged "manual", so that //... does without Google Benchmark; they have to compile all the same.
  mapfile -t benches < <(bench_targets)
  count() { if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi; }
  count bazel build --config=opt --keep_going "${progress[@]}" //src/...
  count bazel build --config=opt --keep_going "${progress[@]}" \
    --aspects=//build:headers.bzl%headers_alone --output_groups=headers_alone //src/...
  count bazel build --config=opt --keep_going "${progress[@]}" "${benches[@]}"
  echo "shipped: $passed passed, $failed failed"
  echo "$passed $failed" >"$results/shipped.count"
}

# run_stress MINUTES: the world in which everything happens at once, for longer than CI has time.
run_stress() {
  local seconds=$((60 * $1))
  local -a progress
  read -ra progress -d '' < <(bazel_progress) || true
  if bazel test --config=tsan --test_env=NOWAIT_STRESS_SECONDS=$seconds \
    --test_timeout=$((seconds + 600)) --test_output=all --nocache_test_results "${progress[@]}" \
    //tests/stress:open_world_stress; then
    echo 'stress: 1 passed, 0 failed'
    echo '1 0' >"$results/stress.count"
  else
    echo 'stress: 0 passed, 1 failed'
    echo '0 1' >"$results/stress.count"
  fi
}

# run_soak MINUTES: the open world for longer than any leak or stall stays hidden. The targets with the
# tag "soak" honour NOWAIT_SOAK_SECONDS.
run_soak() {
  local seconds=$((60 * $1))
  local -a progress targets
  read -ra progress -d '' < <(bazel_progress) || true
  mapfile -t targets < <(targets_tagged soak)
  if [ ${#targets[@]} -gt 0 ] &&
    bazel test --config=opt --test_env=NOWAIT_SOAK_SECONDS=$seconds \
      --test_timeout=$((seconds + 600)) --test_output=all --nocache_test_results "${progress[@]}" \
      "${targets[@]}"; then
    echo "soak: ${#targets[@]} passed, 0 failed"
    echo "${#targets[@]} 0" >"$results/soak.count"
  else
    echo 'soak: 0 passed, 1 failed'
    echo '0 1' >"$results/soak.count"
  fi
}

run_external() {
  if build/nowait/external_workspace.sh; then
    echo 'external: 1 passed, 0 failed'
    echo '1 0' >"$results/external.count"
  else
    echo 'external: 0 passed, 1 failed'
    echo '0 1' >"$results/external.count"
  fi
}

finish() {
  trap - INT TERM
  local file passed failed all_passed=0 all_failed=0
  for file in "$results"/*.count; do
    read -r passed failed <"$file" || { passed=0 failed=1; }
    all_passed=$((all_passed + passed))
    all_failed=$((all_failed + failed))
  done
  [ ! -f "$results/times" ] || awk '{ printf "== %5d s  %s\n", $2, $1; all += $2 }
    END { printf "== %5d s  in all\n", all }' "$results/times"
  echo "$all_passed passed, $all_failed failed"
  [ "$all_failed" -eq 0 ] && [ "$all_passed" -gt 0 ]
}
