# Machines besides this one: a cluster that runs Bazel's actions, a cache that many machines share.

# remote_arguments ARGUMENTS...: takes --remote, --cache and --local-fallback out of them.
# $remote, $cache: the endpoints or ''; $local_fallback: yes or ''; $rest: the other arguments.
remote_arguments() {
  remote='' cache='' local_fallback='' rest=()
  while [ $# -gt 0 ]; do
    case $1 in
      --remote | --cache)
        [ $# -gt 1 ] || die 2 "check: $1 needs an endpoint, such as grpc://HOST:PORT"
        [ "$1" = --cache ] && cache=$2 || remote=$2
        shift ;;
      --remote=*) remote=${1#*=} ;;
      --cache=*) cache=${1#*=} ;;
      --local-fallback) local_fallback=yes ;;
      *) rest+=("$1") ;;
    esac
    shift
  done
  [ -z "$remote" ] || endpoint --remote "$remote" 'grpc grpcs' >/dev/null
  [ -z "$cache" ] || endpoint --cache "$cache" 'http https grpc grpcs' >/dev/null
  [ -z "$local_fallback" ] || [ -n "$remote" ] ||
    die 2 'check: --local-fallback says what to do without the executor; --remote names one'
}

# endpoint FLAG URL SCHEMES: "HOST PORT", or the end with what is wrong about the URL.
endpoint() {
  local schemes="${3// /|}" port
  [[ $2 =~ ^($schemes)://([A-Za-z0-9._-]+|\[[0-9a-fA-F:]+\])(:([0-9]{1,5}))?(/[^ ]*)?$ ]] ||
    die 2 "check: $1 \"$2\" is no endpoint; one is ${3%% *}://HOST:PORT (or ${3#* })"
  port=${BASH_REMATCH[4]}
  if [ -z "$port" ]; then
    case ${BASH_REMATCH[1]} in
      http) port=80 ;;
      https) port=443 ;;
      *) die 2 "check: $1 \"$2\" names no port" ;;
    esac
  fi
  echo "${BASH_REMATCH[2]} $port"
}

# answers FLAG URL: whether somebody listens there.
answers() {
  local host port
  read -r host port < <(endpoint "$1" "$2" 'http https grpc grpcs')
  host=${host#[} host=${host%]}
  timeout 10 bash -c 'exec 3<>"/dev/tcp/$0/$1"' "$host" "$port" 2>/dev/null
}

# remote_flags: $shared, Bazel's flags for what remote_arguments found and is there.
remote_flags() {
  local digest
  shared=()
  if [ -n "$remote" ] && ! answers --remote "$remote"; then
    [ -n "$local_fallback" ] ||
      die 1 "check: nothing answers at $remote; with --local-fallback everything would run here"
    note "nothing answers at $remote: everything runs here"
    remote=''
  fi
  if [ -n "$cache" ] && ! answers --cache "$cache"; then
    note "nothing answers at $cache: nothing is taken from there"
    cache=''
  fi
  [ -z "$remote" ] || shared+=(--config=remote "--remote_executor=$remote")
  [ -z "$cache" ] || shared+=(--config=shared "--remote_cache=$cache")
  [ -z "$local_fallback" ] || [ -z "$remote" ] || shared+=(--remote_local_fallback)
  [ ${#shared[@]} -gt 0 ] || return 0
  digest=$(packages_digest)
  shared+=("--action_env=NOWAIT_PACKAGES=$digest" "--test_env=NOWAIT_PACKAGES=$digest")
}

# What Bazel knows of an action leaves out the compilers and libraries of Debian. Two machines share
# results only if these have the same versions.
packages_digest() {
  local -a packages
  mapfile -t packages < <(packages_for build check)
  dpkg-query -W -f '${db:Status-Status} ${Package} ${Architecture} ${Version}\n' "${packages[@]}" 'gcc-1*' \
    'g++-1*' 'cpp-1*' 'libstdc++*' binutils libc6 libc6-dev 2>/dev/null | grep '^installed ' | sort |
    sha256sum | cut -c 1-16
}

# shared_bazel ARGUMENTS...: Bazel, with what a cache answers wrongly said in one line.
shared_bazel() {
  local status=0
  if [ ${#shared[@]} -eq 0 ]; then
    bazel "$@"
    return
  fi
  { bazel "$@" 2>&1 || status=$?; echo "$status" >"$results/status"; } |
    python3 build/nowait/cache_answers.py
  status=$(cat "$results/status")
  # 34: Bazel's status when what it needs from the network does not come.
  [ "$status" -ne 34 ] || note "${remote:-$cache} stopped answering: what has no result has not passed;" \
    'the same command goes on from here'
  return "$status"
}
