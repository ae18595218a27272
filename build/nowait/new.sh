# check --new: the skeleton of a structure of one's own, with its model.

# C++20's keywords that could be a name here, the words that the skeleton itself uses, and ":all",
# which Bazel takes for every target.
NOT_A_NAME=" alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t
 char32_t class co_await co_return co_yield compl concept const const_cast consteval constexpr constinit
 continue decltype default delete do double dynamic_cast else enum explicit export extern false float for
 friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private
 protected public register reinterpret_cast requires return short signed sizeof static static_assert
 static_cast struct switch template this thread_local throw true try typedef typeid typename union unsigned
 using virtual void volatile wchar_t while xor xor_eq
 all put sync t take "

# new_structure NAME [FOLDER]: all of it or nothing is written.
new_structure() {
  [ $# -ge 1 ] || die 2 'check --new: a name is needed, for example: ./nowait check --new letter_box'
  [ $# -le 2 ] || die 2 "check --new: unknown argument \"$3\""
  local name=$1 folder=${2:-own/$1} parent existing scratch
  folder=${folder%/}
  [[ $name =~ ^[a-z][a-z0-9]*(_[a-z0-9]+)*$ ]] ||
    die 2 "check --new: \"${name//[[:cntrl:]]/ }\" is not a name in lower_snake_case, as letter_box is"
  case " ${NOT_A_NAME//$'\n'/ } " in
    *" $name "*) die 2 "check --new: \"$name\" means something else to C++, Bazel or the skeleton" ;;
  esac
  [[ $folder =~ ^own(/[a-z0-9_]+)+$ ]] ||
    die 2 "check --new: \"$folder\" is not a folder below own/, in lower case"
  existing=$(find models own \( -name "$name.toml" -o -name "$name.pml" \) -print -quit 2>/dev/null || true)
  [ -z "$existing" ] || die 2 "check --new: there is a structure \"$name\" already: ${existing%.*}"
  [ ! -e "$folder" ] && [ ! -L "$folder" ] || die 2 "check --new: $folder is there already"
  parent=$(dirname "$folder")
  mkdir -p "$parent" 2>/dev/null && scratch=$(mktemp -d "$parent/.new.XXXXXX" 2>/dev/null) ||
    die 2 "check --new: $parent cannot be written"
  trap 'rm -rf "$scratch"' EXIT
  # mktemp's folder is for its owner alone; -T: never into a folder that has come meanwhile.
  build/nowait/new/instantiate.sh "$name" "$folder" "$scratch" && chmod u=rwx,go=rx "$scratch" &&
    mv -T "$scratch" "$folder" || die 2 "check --new: $folder cannot be written"
  trap - EXIT
  printf '  %-24s %s\n' "$name.h" 'the structure: a box for one message, to begin with' \
    "$name.cc" 'its model: two scenarios, and what they check' \
    "$name.toml" 'what is written about mutants that survive' \
    "${name}_orders.md" 'the weakest memory orders that the scenarios accept' \
    BUILD 'what Bazel needs to know' | sed "1i $folder is yours now:"
  echo 'Next:'
  printf '  %-42s %s\n' "./nowait check $name" 'its scenarios pass' \
    "./nowait check $name --mutate" 'every order weakened, every store dropped: each is noticed' \
    "./nowait check $name --minimise --update" 'the table of orders, after a change of the source'
  echo "Or change the first release in $name.h to relaxed: the check shows the data race step by step."
  echo 'models/README.md says how to go on; ./nowait check and ./nowait test include it from now on.'
}
