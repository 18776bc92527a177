#!/usr/bin/env bash
# R. Korf's hundred boards by A* with Manhattan distance, the easiest first: is each solved in the length of the table, or does
# the program say that its memory is used up? Prints a line for each board. Boards that were tried are kept in FILE, so
# that a run that was broken off goes on where it was. An hour or two, and as much memory as it is given.
# usage: taquin-a-star.sh [MEGABYTES=8192] [BOARDS=100] [FILE=a-star.txt]
set -eu
megabytes=${1:-8192}
boards=${2:-100}
kept=$(realpath "${3:-a-star.txt}")
cd "$(dirname "$0")/.."
cargo build --release --no-default-features --bin taquin
program=${CARGO_TARGET_DIR:-target}/release/taquin
touch "$kept"
grep -v '^#' tests/data/taquin/korf100.txt | awk -F' [|] ' '{ print $4, $1, $3, $2 }' | sort -n | head -n "$boards" |
    while read -r nodes number length board; do
        grep -q "^$megabytes MB board $number " "$kept" || {
            solved=$("$program" solve --convention korf --method a-star --heuristic manhattan --memory "$megabytes" --json \
                <<< "$board" 2> /dev/null) || true
            field() { sed -E "s/.*\"$1\":\"?([a-z0-9. ]+).*/\1/" <<< "$solved"; }
            verdict=wrong
            [ "$(field status) $(field length)" != "solved $length" ] || verdict=ok
            [ "$(field status)" != "memory limit reached" ] || verdict="memory limit reached"
            [ "$(field bytes)" -le $((megabytes << 20)) ] || verdict="wrong, too much memory"
            echo "$megabytes MB board $number length $length expanded $(field expanded) stored $(field stored)" \
                "bytes $(field bytes) seconds $(field seconds) $verdict" >> "$kept"
        }
        grep "^$megabytes MB board $number " "$kept"
    done
! grep wrong "$kept"
