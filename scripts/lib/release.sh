# Sourced by scripts that run Gambeson.

# release: sets GAMBESON to the release binary and builds it if it is absent. To
# try another build, set GAMBESON to its path beforehand.
release() {
    local root
    root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
    if [ -z "${GAMBESON:-}" ]; then
        local target=${CARGO_TARGET_DIR:-target}
        [[ $target = /* ]] || target=$root/$target
        GAMBESON=$target/release/gambeson
        [ -x "$GAMBESON" ] || (cd "$root" && cargo build --release --locked --bin gambeson >&2)
    fi
    GAMBESON=$(realpath "$(command -v "$GAMBESON" || echo "$GAMBESON")")
    [ -x "$GAMBESON" ] || { echo "$GAMBESON is not a program" >&2; return 1; }
}
