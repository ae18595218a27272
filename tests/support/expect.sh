# For tests of a program's command line, which source this: `program` is the program, `passed` counts.
#
#   expect "no frames" 2 "--frames" --frames 0     status 2, and a line that names --frames
#
# A program that fails prints one line. One that has printed results before may print more: `results` is a word of those.
passed=0
results=

expect() {  # WHAT STATUS TEXT ARGUMENT...
  local what=$1 wanted=$2 text=$3 output status=0
  shift 3
  output=$("$program" "$@" 2>&1) || status=$?
  if [ "$status" -ne "$wanted" ] || [[ $output != *"$text"* ]]; then
    echo "FAILED: $what: status $status, printed: $output"
    exit 1
  fi
  if [ "$wanted" -ne 0 ] && ! { [ -n "$results" ] && [[ $output == *"$results"* ]]; } &&
      [ "$(wc -l <<<"$output")" -ne 1 ]; then
    echo "FAILED: $what: more than one line: $output"
    exit 1
  fi
  passed=$((passed + 1))
}
