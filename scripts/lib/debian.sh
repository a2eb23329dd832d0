# Sourced by scripts that use other people's programs.

# need PACKAGE [PROGRAM]: installs a Debian package unless its program is there.
need() {
    local package=$1 program=${2:-$1}
    PATH="$PATH:/usr/games"
    command -v "$program" >/dev/null && return
    local run=()
    [ "$(id -u)" = 0 ] || run=(sudo)
    echo "installing $package" >&2
    "${run[@]}" apt-get update -qq >&2
    DEBIAN_FRONTEND=noninteractive "${run[@]}" apt-get install -y -qq "$package" >&2
}
