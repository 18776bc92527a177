#!/usr/bin/env bash
# The seventeen boards of the 15-puzzle that need eighty moves and, where ARBITRE_DATA names the folder of reference data,
# its six hard boards, solved with patterns of 7 and 8 tiles: are the lengths those that are known, and do the paths lead
# to the goal? Prints a line for each board. Solved ones are kept in FILE, so that a run that was broken off goes on where
# it was. usage: taquin-hard.sh [THREADS=2] [FILE=taquin-hard.txt]
set -eu
threads=${1:-2}
kept=$(realpath "${2:-taquin-hard.txt}")
cd "$(dirname "$0")/.."
cargo build --release --no-default-features --bin taquin
program=${CARGO_TARGET_DIR:-target}/release/taquin
"$program" tables pattern-78
touch "$kept"
boards() {
    grep -v '^#' tests/data/taquin/hardest.txt | sed 's/ | / web /'
    six=${ARBITRE_DATA:-}/taquin/hard6.txt
    if [ -f "$six" ]; then
        awk '{ length_ = $2; $1 = $2 = $3 = ""; sub(/^ +/, ""); print length_, "korf", $0 }' "$six"
    else
        echo "SKIPPED: the six hard boards are in ARBITRE_DATA" >&2
    fi
}
boards | while read -r length convention board; do
    grep -q "^$convention $board:" "$kept" || {
        solved=$("$program" solve --convention "$convention" --heuristic pattern-78 --threads "$threads" --json <<< "$board")
        field() { sed -E "s/.*\"$1\":\"?([0-9.A-Z]+).*/\1/" <<< "$solved"; }
        verdict=ok
        [ "$(field length)" = "$length" ] || verdict="wrong, $length is known"
        "$program" verify --convention "$convention" --solutions <(echo "$solved") <(echo "$board") > /dev/null ||
            verdict="wrong, the path does not lead to the goal"
        echo "$convention $board: length $(field length) generated $(field generated) seconds $(field seconds) $verdict" >> "$kept"
    }
    grep "^$convention $board:" "$kept"
done
! grep wrong "$kept"
