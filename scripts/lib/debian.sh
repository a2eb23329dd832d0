# Sourced by scripts that use other people's programs.

# need PACKAGE [PROGRAM]: installs a Debian package unless its program is there.
need() {
    local package=$1 program=${2:-$1}
    PATH="$PATH:/usr/games"
    command -v "$program" >/dev/null && return
    echo "installing $package" >&2
    # An installation that was cut off has to be finished before another one may begin.
    as_root dpkg --configure -a >&2
    apt_get update -qq >&2
    apt_get install -y -qq --fix-broken "$package" >&2
}

# newest PATTERN: the package with the highest version in its name.
newest() {
    apt_get update -qq >&2
    apt-cache search --names-only "$1" | cut -d' ' -f1 | sort -V | tail -n 1
}

# apt-get ARGUMENT..., patient with a registry that stumbles and with a package manager
# that is at work.
apt_get() {
    as_root apt-get -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 "$@"
}

as_root() {
    local run=()
    [ "$(id -u)" = 0 ] || run=(sudo)
    "${run[@]}" env DEBIAN_FRONTEND=noninteractive "$@"
}
