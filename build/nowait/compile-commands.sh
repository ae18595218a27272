# compile-commands: what the compiler is called with, for editors and clang tools.
main() {
  no_arguments compile-commands "$@"
  require build check bench test
  local actions result=0
  actions=$(mktemp)
  bazel aquery --config=opt --output=jsonproto --ui_event_filters=-info --noshow_progress \
    "mnemonic('CppCompile', deps(//...))" >"$actions" &&
    python3 build/nowait/compile_commands.py "$NOWAIT_ROOT" <"$actions" || result=$?
  rm -f "$actions"
  [ $result -eq 0 ] || die 1 'compile_commands.json was not written'
}
