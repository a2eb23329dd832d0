# shellcheck shell=bash
# Sourced by scripts that build what is given away, and run it, whatever the system.

# shellcheck source=scripts/lib/debian.sh
source "$(dirname "${BASH_SOURCE[0]}")/debian.sh"

repository=$PWD
root=${CARGO_TARGET_DIR:-$repository/target}
# The time in archives and in programs for Windows. Libraries are compiled again where it
# differs, so all scripts have the same.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
host=$(rustc -vV | sed -n 's/^host: //p')

# is_native TARGET: whether this system runs such binaries itself.
is_native() {
    case $1:$host in
    *-windows-*:*-windows-*) ;;
    *-apple-*:*-apple-*) return ;; # Rosetta runs the other kind.
    *-linux-*:*-linux-*) ;;
    *) return 1 ;;
    esac
    [ "${1%%-*}" = "${host%%-*}" ]
}

# toolchain TARGET: installs what is missing to build for it, and prints its linker if
# that is not the usual one.
toolchain() {
    if command -v rustup >/dev/null && ! rustup target list --installed | grep -qx "$1"; then
        installing "Rust's standard library for $1 with rustup" || return
        rustup target add "$1" >&2
    fi
    case $1 in
    *-linux-musl) echo rust-lld ;;
    x86_64-pc-windows-gnu)
        is_native "$1" || need gcc-mingw-w64-x86-64 x86_64-w64-mingw32-gcc
        ;;
    esac
}

# runner TARGET: what runs its binaries here; nothing if they run by themselves.
runner() {
    is_native "$1" && return
    case $1 in
    aarch64-*-linux-*) need qemu-user qemu-aarch64 && echo qemu-aarch64 ;;
    x86_64-*-windows-*) need wine64 wine && echo wine ;;
    *) echo "binaries of $1 cannot be run here" >&2 && return 1 ;;
    esac
}

# shim FOLDER: Wine before version 9 lacks a library of Windows that Rust's random
# numbers come from. WINE_DLLS is a folder of libraries to put beside the program.
shim() {
    [ -z "${WINE_DLLS:-}" ] || cp "$WINE_DLLS"/*.dll "$1"
}

# flags TARGET: no paths of this machine in the binary, and any x86-64 since about 2010.
flags() {
    printf -- '--remap-path-prefix=%s=. --remap-path-prefix=%s=cargo' "$repository" "${CARGO_HOME:-$HOME/.cargo}"
    case $1 in
    x86_64-*) printf ' -Ctarget-cpu=x86-64-v2' ;;
    esac
    case $1 in
    *-windows-msvc) printf ' -Ctarget-feature=+crt-static' ;;
    esac
}

# compile TARGET COMMAND...: runs cargo, or what calls it, as TARGET needs it: for x86-64
# all code is compiled for several levels, see levels.rs.
compile() {
    local target=$1 levels=$root/dist/levels.exe variables
    shift
    variables=("RUSTFLAGS=$(flags "$target")" "CARGO_TARGET_DIR=$root/dist")
    case $target in
    x86_64-*)
        mkdir -p "$root/dist"
        [ "$levels" -nt "$repository/scripts/lib/levels.rs" ] ||
            rustc --edition 2024 -o "$levels" "$repository/scripts/lib/levels.rs"
        variables+=("RUSTC_WORKSPACE_WRAPPER=$levels")
        ;;
    esac
    env "${variables[@]}" "$@" --profile dist --locked --target "$target" >&2
}

# build TARGET: sets `binary` and `run`, the words that run it.
build() {
    local target=$1 linker
    linker=$(toolchain "$target")
    [ -z "$linker" ] || export "CARGO_TARGET_$(tr 'a-z-' 'A-Z_' <<<"$target")_LINKER=$linker"
    compile "$target" cargo build --bin gambeson
    binary=$root/dist/$target/dist/gambeson
    [ -e "$binary" ] || binary=$binary.exe
    case $target in *-windows-*) shim "$(dirname "$binary")" ;; esac
    run=()
    local words
    words=$(runner "$target")
    read -ra run <<<"$words"
    run+=("$binary")
}
