# gallery: a page for each published defect that the models kill, and a front page.

usage() {
  cat <<'END'
usage: ./nowait gallery [DIR]   builds the mutants of models/gallery/defects.toml, lets each show its
                                defect, and writes a page for each and index.html (default: out/gallery)
END
}

main() {
  case ${1-} in
    -h | --help) usage; return ;;
    -*) die 2 "gallery: unknown argument \"$1\"" ;;
  esac
  [ $# -le 1 ] || die 2 "gallery: unknown argument \"$2\""
  local out=${1:-out/gallery} program=.bazel/bin/models/gallery/gallery
  mkdir -p "$out" 2>/dev/null && [ -w "$out" ] || die 2 "gallery: $out cannot be written"
  require_cpu
  require build check
  local -a progress mutants
  read -ra progress -d '' < <(bazel_progress) || true
  bazel build --config=opt "${progress[@]}" //models/gallery || die 1 'the gallery does not build'
  read_pages "$program"
  mapfile -t mutants < <(printf '%s\n' "${pages[@]}" | cut -d ' ' -f 2)
  bazel build --config=opt "${progress[@]}" "${mutants[@]}" || die 1 'the mutants do not build'
  make_pages "$program" .bazel/bin "$out"
  echo "$out/index.html"
}

# read_pages PROGRAM: $pages, a line for each: page, mutant, scenario, and how it fails.
read_pages() {
  mapfile -t pages < <("$1" --list)
  [ ${#pages[@]} -gt 0 ] || die 1 'the list of defects cannot be read'
}

# make_pages PROGRAM BIN OUT: the pages that read_pages found, from the mutants' programs below BIN.
make_pages() {
  local program=$1 bin=$2 out=$3 entry page mutant scenario fails path
  records=$(mktemp -d)
  trap 'rm -rf "$records"' EXIT
  for entry in "${pages[@]}"; do
    read -r page mutant scenario fails <<<"$entry"
    path=${mutant#//}
    mkdir "$records/$page"
    # The mutant's headers, as they were compiled, stand for those of src.
    if ! "$bin/${path/://}" --scenario "$scenario" --expect-failure "$fails" \
      --counterexamples "$records/$page" --sources "$bin/${path%:*}/mutants/${path#*:}" \
      >"$records/$page/log" 2>&1; then
      cat "$records/$page/log" >&2
      die 1 "$mutant does not fail in $scenario as it should: $fails"
    fi
    note "$page"
  done
  "$program" --records "$records" --out "$out" || die 1 'the pages cannot be made'
}
