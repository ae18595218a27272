# Programs made at random: what --fuzz-minutes and --fuzz-seed of test.sh do.
#
# A kind is a test NAME_programs with the tag "random_programs" (build/tests.bzl). Its budget, and so how
# long it runs and from which seed, is given by the environment (tests/whole/fuzz_budget.h). In the
# configuration `controlled` it is NAME_controlled_programs: the same programs under the scheduler.

# The configurations in which programs are run.
FUZZ_CONFIGS=(opt controlled asan tsan clang19)

# check_fuzz_configurations NAME...: sets fuzz_configs.
check_fuzz_configurations() {
  local name
  for name in "$@"; do
    case " ${FUZZ_CONFIGS[*]} " in
      *" $name "*) ;;
      *) die 2 "test: random programs do not run in \"$name\"; they do in: ${FUZZ_CONFIGS[*]}" ;;
    esac
  done
  fuzz_configs=("$@")
  [ $# -gt 0 ] || fuzz_configs=(opt)
}

# fuzz_kinds: the kinds' names, one a line. From the files, because bad input is refused without Bazel.
fuzz_kinds() {
  grep -rhoE 'name = "[a-z_]+_programs"' --include=BUILD tests/whole | sed -E 's/.*"(.*)_programs"/\1/; s/_controlled$//' |
    sort -u
}

# fuzz_target KIND CONFIG
fuzz_target() {
  case $2 in
    controlled) echo "$1_controlled_programs" ;;
    *) echo "$1_programs" ;;
  esac
}

# check_kinds NAME...: sets kinds; all, if none is named.
check_kinds() {
  local name
  mapfile -t kinds < <(fuzz_kinds)
  for name in "$@"; do
    case " ${kinds[*]} " in
      *" $name "*) ;;
      *) die 2 "test: no random programs are called \"$name\"; there are: ${kinds[*]}" ;;
    esac
  done
  [ $# -eq 0 ] || kinds=("$@")
}

# run_fuzz MINUTES SEED: one of them may be empty. Each kind in each configuration, one after another:
# the programs' threads want the machine for themselves.
run_fuzz() {
  local minutes=$1 seed=$2 config kind label seconds=0 passed=0 failed=0
  local -a progress environment=()
  read -ra progress -d '' < <(bazel_progress) || true
  if [ -n "$minutes" ]; then
    seconds=$((60 * minutes))
    # Other programs each time: a second has room for 2^20 of them.
    [ -n "$seed" ] || seed=$(($(date +%s) << 20))
    environment+=(--test_env=NOWAIT_FUZZ_SECONDS=$seconds)
  fi
  environment+=(--test_env=NOWAIT_FUZZ_SEED="$seed")
  for config in "${fuzz_configs[@]}"; do
    for kind in "${kinds[@]}"; do
      label=$(targets_tagged random_programs | grep -E ":$(fuzz_target "$kind" "$config")$") || label=
      echo "-- $kind, $config, from seed $seed"
      if [ -n "$label" ] && bazel test --config="$config" "${environment[@]}" --test_tag_filters= \
        --test_timeout=$((seconds + 3600)) --test_output=all --nocache_test_results \
        "${progress[@]}" "$label"; then
        passed=$((passed + 1))
      else
        failed=$((failed + 1))
      fi
    done
  done
  echo "fuzz: $passed passed, $failed failed"
  echo "$passed $failed" >"$results/fuzz.count"
}
