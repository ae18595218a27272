# exercise: the exercises of the course, begun, checked on each save, and kept count of.

main() {
  local program=build/nowait/exercise/main.py builds
  [ -x /usr/bin/python3 ] || require build
  /usr/bin/python3 -c 'import tomllib' 2>/dev/null ||
    die 1 'exercise: /usr/bin/python3 is older than 3.11 and cannot read TOML'
  builds=$(/usr/bin/python3 "$program" judge "$@") || exit
  if [ -n "$builds" ]; then
    require_cpu
    require build check
  fi
  with_home /usr/bin/python3 "$program" run "$@"
}
