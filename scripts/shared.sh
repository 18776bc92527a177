# Sourced by the scripts beside it, which then run in the root of the project.
set -euo pipefail
script=$(realpath "$0") data=$(realpath -m "${ARBITRE_DATA:-no-data}") kept=
cd "$(dirname "$script")/.."
programs=${CARGO_TARGET_DIR:-$PWD/target}/release
usage() { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$script" >&2 && exit 2; }
# options "NAMES" WORD…: sets NAME, with _ for -, from `--NAME VALUE`, and `kept` from a word.
options() {
    local known=" $1 " name
    while shift && [ $# -gt 0 ]; do
        [[ $1 == -* ]] || { kept=$(cd "$OLDPWD" && realpath -m "$1") && continue; }
        name=${1#--}
        [[ $1 == --* && $known == *" $name "* && $# -gt 1 ]] || usage
        printf -v "${name//-/_}" %s "$2" && shift
    done
}
# build NAME OPTION…: builds with these options; makes the folder of results, by default NAME.
build() {
    cargo build --quiet --release "${@:2}"
    kept=${kept:-$(dirname "$programs")/$1} && mkdir -p "$kept"
}
# once FILE WORD…: keeps the output of a command in FILE, if none is kept; exit code 1 is a result.
once() { [ -e "$1" ] || { "${@:2}" >"$1.part" || [ $? = 1 ] && mv "$1.part" "$1"; }; }
sum() { echo $(($(paste -s -d +))); }
