# Sourced by the scripts in cutechess/, which all leave a log and the games in
# target/cutechess and end with a list of everything that was not chess.

# shellcheck source=scripts/lib/debian.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../lib/debian.sh"
# shellcheck source=scripts/lib/release.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../lib/release.sh"

if ! command -v "${CUTECHESS:=cutechess-cli}" >/dev/null; then
    echo "$CUTECHESS is not installed (CUTECHESS may name it)." >&2
    echo "scripts/lab/match plays the same games without it." >&2
    exit 1
fi
CUTECHESS=$(realpath "$(command -v "$CUTECHESS")")

TC=${TC:-10+0.1}
CONCURRENCY=${CONCURRENCY:-$(nproc)}
PROTOCOL=${PROTOCOL:-uci}
case $PROTOCOL in
uci) OURS="Gambeson" ;;
xboard) OURS="Gambeson xboard" ;;
*) echo "PROTOCOL is uci or xboard" >&2; exit 1 ;;
esac

# An engine that turned out to be one of these scripts would start matches without
# end: cutechess-cli looks for programs in its own directory, too.
if [ -n "${GAMBESON_MATCH:-}" ]; then
    echo "a match was started by a match: give engines by their full paths" >&2
    exit 1
fi
export GAMBESON_MATCH=1

# play NAME ARGUMENT...: runs cutechess-cli. Status 1 if Gambeson was at fault.
play() {
    local name=$1; shift
    local here out
    here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../../cutechess" && pwd)
    out=$here/../target/cutechess
    mkdir -p "$out"
    out=$(realpath "$out")/$name-$(date +%Y%m%d-%H%M%S)
    # cutechess-cli reads the engines.json of the directory it is started in.
    # Openings are moves, not positions: Fairy-Max cannot be set up.
    (cd "$here" && "$CUTECHESS" "$@" -recover -repeat -concurrency "$CONCURRENCY" \
        -openings file=openings.pgn format=pgn order=random \
        -pgnout "$out.pgn") 2>&1 | tee "$out.log"
    echo "games: $out.pgn"
    faults "$out.log"
}

# faults LOG: counts forfeits, illegal moves, stalls, crashes and warnings (among
# them false claims of a result).
faults() {
    local fault="loses on time|makes an illegal move|'s connection stalls|disconnects" found
    found=$(sed -nE "
        s/^Finished game [0-9]+ \((.*) vs .*\): .*\{White ?($fault).*/\1: \2/p
        s/^Finished game [0-9]+ \(.* vs (.*)\): .*\{Black ?($fault).*/\1: \2/p
        s/^Warning: (.*)/\1/p" "$1" | sort | uniq -c)
    echo "faults and warnings:"
    echo "${found:-      none}"
    ! grep -q "^ *[0-9]* *Gambeson" <<<"$found"
}
