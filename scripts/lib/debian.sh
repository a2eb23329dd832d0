# Sourced by scripts that use other people's programs.

# shellcheck source=scripts/lib/help.sh
source "$(dirname "${BASH_SOURCE[0]}")/help.sh"

# installing WHAT: says what is about to be installed, and where; INSTALL=no forbids it.
installing() {
    if [ "${INSTALL:-yes}" = no ]; then
        echo "not installed: $1 (INSTALL=no)" >&2
        return 1
    fi
    echo "installing $1; INSTALL=no prevents this" >&2
}

# need PACKAGE [PROGRAM]: installs a Debian package unless its program is there.
need() {
    local package=$1 program=${2:-$1}
    PATH="$PATH:/usr/games"
    command -v "$program" >/dev/null && return
    installing "the Debian package $package with apt-get, as root" || return
    # An installation that was cut off has to be finished before another one may begin.
    as_root dpkg --configure -a >&2
    apt_get update -qq >&2
    apt_get install -y -qq --fix-broken "$package" >&2
}

# need_python_chess VENV: a virtual environment with python-chess.
need_python_chess() {
    local venv=$1
    "$venv/bin/python" -c 'import chess' 2>/dev/null && return
    installing "python-chess with pip into $venv" || return
    # The package has no program of its own to look for.
    python3 -c 'import ensurepip' 2>/dev/null || need python3-venv pyvenv
    [ -x "$venv/bin/pip" ] || python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet chess >&2
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
