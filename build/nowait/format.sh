# format: clang-format over every C++ source that git knows.
main() {
  local -a files mode
  case ${1-} in
    '') mode=(-i) ;;
    --check) mode=(--dry-run -Werror) ;;
    *) die 2 "format: unknown argument \"$1\"" ;;
  esac
  no_arguments format "${@:2}"
  command -v clang-format >/dev/null ||
    die 1 'clang-format is missing; the Debian package is called clang-format'
  mapfile -t files < <(git ls-files '*.h' '*.cc')
  clang-format "${mode[@]}" "${files[@]}"
}
