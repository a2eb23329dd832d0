# shellcheck shell=bash
# Sourced by scripts that can be asked for help.

# help ARGUMENT...: asked for help, a script prints its opening comment and ends.
help() {
    case ${1:-} in
    -h | --help) (cd "$OLDPWD" && sed -n "2,/^[^#]/ s/^# \\{0,1\\}//p" "$0") && exit ;;
    esac
}
