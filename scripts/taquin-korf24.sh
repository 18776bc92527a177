#!/usr/bin/env bash
# The easiest of R. Korf's and A. Felner's fifty boards of 5x5, in the order of the nodes that they counted: are the
# lengths theirs, and with korf-felner-6666 the counts? Prints a line for each board. Solved ones are kept in FILE, so that
# a run that was broken off goes on where it was.
# usage: taquin-korf24.sh [BOARDS=20] [FILE=korf24.txt] [HEURISTIC=pattern-6666]
set -eu
boards=${1:-20}
kept=$(realpath "${2:-korf24.txt}")
heuristic=${3:-pattern-6666}
cd "$(dirname "$0")/.."
data=${ARBITRE_DATA:?the folder of reference data, in which taquin/korf50_24.csv is}
cargo build --release --no-default-features --bin taquin
program=${CARGO_TARGET_DIR:-target}/release/taquin
"$program" tables "$heuristic"
touch "$kept"
tail -n +2 "$data/taquin/korf50_24.csv" | awk -F, '{ print $4, $1, $3, $2 }' | sort -n | head -n "$boards" |
    while read -r nodes number length board; do
        grep -q "^$heuristic board $number " "$kept" || {
            solved=$("$program" solve --convention korf --method ida-star --heuristic "$heuristic" --json <<< "$board" 2>&1) ||
                { echo "$solved" >&2; exit 1; }
            field() { sed -E "s/.*\"$1\":([0-9.]+).*/\1/" <<< "$solved"; }
            verdict=ok
            [ "$(field length)" = "$length" ] || verdict="wrong, $length is known"
            [ "$heuristic" != korf-felner-6666 ] || [ "$(field generated)" = "$nodes" ] || verdict="wrong count"
            echo "$heuristic board $number length $(field length) published $nodes generated $(field generated) seconds $(field seconds) $verdict" >> "$kept"
        }
        grep "^$heuristic board $number " "$kept"
    done
! grep wrong "$kept"
