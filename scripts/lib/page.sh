# Sourced by scripts that need the page of `gambeson play`.

# shellcheck source=scripts/lib/debian.sh
source "$(dirname "${BASH_SOURCE[0]}")/debian.sh"

play=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../play" && pwd)

# page_tools: Node.js, and what the page is built and tested with.
page_tools() {
    local node wanted=20.19
    need nodejs node && need npm || return
    node=$(node --version)
    if [ "$(printf '%s\n' "$wanted" "${node#v}" | sort -V | head -1)" != "$wanted" ]; then
        echo "building the page needs Node.js $wanted or newer; this is ${node#v}" >&2
        return 1
    fi
    if [ ! -e "$play/node_modules/.package-lock.json" ] ||
        [ "$play/package-lock.json" -nt "$play/node_modules/.package-lock.json" ]; then
        installing "what the page is built with, with npm into play/node_modules" || return
        (cd "$play" && npm ci --no-audit --no-fund --loglevel=error >&2)
    fi
}

# page: builds the page in play/dist, where cargo takes it from. If it is newer than
# everything it is made of, there is nothing to do, and no need of Node.js.
page() {
    local sources=("$play"/{index.html,package-lock.json,tsconfig.json,vite.config.ts,openings.ts,src,public})
    if [ ! -e "$play/dist/index.html" ] ||
        [ -n "$(find "${sources[@]}" -newer "$play/dist/index.html" -print -quit)" ]; then
        page_tools || return
        echo "building the page" >&2
        (cd "$play" && npm run --silent build >&2)
    fi
}
