# Set-up: the packages of build/packages.txt, installed when a verb needs them and they are missing.

# packages_for NEED...: the packages that one of the needs asks for, one a line, each once.
packages_for() {
  local package need _
  while IFS='|' read -r package need _; do
    case $package in '' | '#'*) continue ;; esac
    case " $* " in *" ${need// /} "*) echo "${package// /}" ;; esac
  done <build/packages.txt | sort -u
}

# missing_packages PACKAGE...: those that are not installed, one a line.
missing_packages() {
  local installed
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null |
    sed -n 's/^installed //p' || true)
  printf '%s\n' "$@" | grep -vxF -e "${installed:-none}" || true
}

apt_line() { echo "apt-get update && apt-get install -y --no-install-recommends $*"; }

# require NEED...: installs what is missing for them, or says who can.
require() {
  local -a wanted missing sudo=()
  mapfile -t wanted < <(packages_for "$@")
  command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
    die 1 "this is not Debian; install what corresponds to: ${wanted[*]}"
  mapfile -t missing < <(missing_packages "${wanted[@]}")
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    # sudo may ask for a password only where somebody can type one.
    if command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
      sudo=(sudo)
    else
      note "packages are missing and this user is not root; somebody who is must run:"
      apt_line "${missing[@]}"
      exit 1
    fi
  fi
  note "installing: ${missing[*]}"
  if ! apt_install "${missing[@]}"; then
    note "the installation failed, see above; it was:"
    apt_line "${missing[@]}"
    exit 1
  fi
}

# Quiet while it works; what apt said is shown when it fails. In a subshell, for its trap.
apt_install() (
  result=0
  log=$(mktemp)
  trap 'let_servers_be "$@"; rm -f "$log"' EXIT
  keep_servers_off
  {
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 update &&
      "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 \
        install -y --no-install-recommends "$@"
  } >"$log" 2>&1 </dev/null || result=$?
  [ $result -eq 0 ] || tail -n 15 "$log" >&2
  return $result
)

# A server among the packages is for tests, which start one of their own on loopback. Debian starts
# what it installs, then and at each boot: policy-rc.d (invoke-rc.d(8)) is how to say no to the
# first, for as long as this takes. What was installed before is let alone.
POLICY=/usr/sbin/policy-rc.d
SERVERS=(nginx)
keep_servers_off() {
  policy_is_ours=''
  [ ! -e "$POLICY" ] || return 0
  printf '#!/bin/sh\nexit 101\n' | "${sudo[@]}" install -m 755 /dev/stdin "$POLICY" 2>/dev/null || return 0
  policy_is_ours=yes
}
let_servers_be() {
  local server
  [ -z "$policy_is_ours" ] || "${sudo[@]}" rm -f "$POLICY"
  command -v systemctl >/dev/null || return 0
  for server in "${SERVERS[@]}"; do
    case " $* " in *" $server "*) "${sudo[@]}" systemctl --quiet disable "$server" 2>/dev/null || true ;; esac
  done
}
