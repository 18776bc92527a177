# Sourced by other scripts.

# Prints the line of usage in the script that runs, and leaves.
usage() {
    sed -n 's/^# \(usage: .*\)/\1/p' "$0" >&2
    exit 2
}

# options "NAME…" WORD…: takes `--NAME VALUE` into a variable of this name, with _ for -, and any other word into
# `folder`.
options() {
    known=" $1 " && shift
    while [ $# -gt 0 ]; do
        name=${1#--}
        case $1 in
            --*)
                case $known in *" $name "*) ;; *) usage ;; esac
                [ $# -gt 1 ] || usage
                eval "$(echo "$name" | tr - _)=\$2" && shift 2
                ;;
            -*) usage ;;
            *) folder=$1 && shift ;;
        esac
    done
}

# folders DATA OUTPUT: sets `data` and `output`, which is made, and goes to the root of the project.
folders() {
    [ $# -eq 2 ] || usage
    data=$(realpath "$1") output=$2
    mkdir -p "$output"
    output=$(realpath "$output")
    cd "$(dirname "$0")/.."
}
