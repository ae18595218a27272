# setup: the packages for all verbs, ahead of time.
main() {
  local -a all
  case ${1-} in
    '') no_arguments setup; require build check bench learn test ;;
    --print)
      no_arguments setup "${@:2}"
      mapfile -t all < <(packages_for build check bench learn test)
      apt_line "${all[@]}" ;;
    *) die 2 "setup: unknown argument \"$1\"" ;;
  esac
}
