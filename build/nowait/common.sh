# What every verb uses: how to fail, and what the machine must have.

# die STATUS MESSAGE: one line on stderr, then the end.
die() {
  echo "nowait: $2" >&2
  exit "$1"
}

note() { echo "nowait: $*" >&2; }

# no_arguments VERB ARGUMENTS...: refuses any.
no_arguments() {
  [ $# -le 1 ] || die 2 "$1: unknown argument \"$2\""
}

# The programs are compiled for x86-64-v3; on an older CPU they would die of an illegal instruction.
require_cpu() {
  local flags flag missing=''
  flags=" $(grep -m 1 '^flags' /proc/cpuinfo 2>/dev/null || true) "
  for flag in avx avx2 bmi1 bmi2 f16c fma abm movbe xsave; do
    case $flags in *" $flag "*) ;; *) missing+=" $flag" ;; esac
  done
  [ -z "$missing" ] || die 1 "this CPU is not x86-64-v3 (Haswell, Zen or newer); it lacks:$missing"
}
