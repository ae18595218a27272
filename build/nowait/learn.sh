# learn: the course, as a site: served on loopback, or written into a folder.

usage() {
  cat <<'END'
usage: ./nowait learn [--port N]    makes the course and serves it on loopback; Ctrl-C ends it (default: 8000)
       ./nowait learn --build DIR   writes it into DIR: pages that open from disk, offline
       ./nowait learn --check       only looks whether all of it is in order
END
}

main() {
  local port='' out='' check=''
  while [ $# -gt 0 ]; do
    case $1 in
      --port | --build)
        [ $# -gt 1 ] && [ -n "$2" ] || die 2 "learn: $1 needs a value"
        if [ "$1" = --port ]; then port=$2; else out=$2; fi
        shift ;;
      --port=*) port=${1#*=} ;;
      --build=*) out=${1#*=} ;;
      --check) check=yes ;;
      -h | --help) usage; return ;;
      *) die 2 "learn: unknown argument \"$1\"" ;;
    esac
    shift
  done
  [[ ${port:-1} =~ ^[0-9]{1,5}$ ]] && [ "$((10#${port:-1}))" -le 65535 ] ||
    die 2 "learn: \"$port\" is no port (0 to 65535)"
  [ -z "$out$check" ] || [ -z "$port" ] || die 2 'learn: --port is for serving alone'
  [ -z "$out" ] || [ -z "$check" ] || die 2 'learn: --build checks already; leave --check out'
  require learn
  if [ -n "$check" ]; then
    site --check
    return
  fi
  # What needs no counterexample is refused before minutes are spent on making them.
  site --check >/dev/null
  [ -n "$out" ] || site --try-port "${port:-8000}"
  [ -z "$out" ] || site --try-build "$out"
  counterexamples
  if [ -n "$out" ]; then
    site --gallery out/gallery --build "$out"
  else
    exec "${PYTHON[@]}" --gallery out/gallery --port "${port:-8000}"
  fi
}

# Debian's Python, which has Debian's packages.
PYTHON=(/usr/bin/python3 build/nowait/learn/main.py)
site() { "${PYTHON[@]}" "$@" || exit $?; }

# The pages of the gallery, for the lectures to show. Bazel does nothing anew that has not changed.
counterexamples() {
  note 'making the counterexamples; the first time this compiles them'
  ./nowait gallery out/gallery >/dev/null
}
