#!/usr/bin/env bash
# The three ways of `hextris taupe` to come by phrases, on the contest's problems 0-24 without a limit in time: the
# sums of the official averages, and the processor time. Minutes, most of them for `atomic` on problem 24.
#
# DATA has problems/. OUTPUT keeps what was answered: started again, this goes on where it was stopped.
#
# usage: scripts/hextris-ways.sh DATA OUTPUT
set -eu
. "$(dirname "$0")/shared.sh"
folders "$@"
cargo build --quiet --release --no-default-features --bin hextris
program=${CARGO_TARGET_DIR:-target}/release/hextris
phrases=()
while IFS= read -r phrase; do
    phrases+=(-p "$phrase")
done < <(sed -n '/^pub const OFFICIAL/,/^];/s/^ *"\(.*\)",$/\1/p' src/games/hextris/phrases.rs)
TIMEFORMAT='%U %S'
for way in dp atomic rewrite; do
    for number in $(seq 0 24); do
        problem=$data/problems/problem_$number.json answer=$output/$way-$number
        if [ ! -e "$answer.json" ]; then
            { time "$program" contest taupe --phrases $way "${phrases[@]}" -f "$problem" >"$answer.part"; } 2>"$answer.time"
            mv "$answer.part" "$answer.json"
        fi
        echo "$number $(cat "$answer.time")" \
            "$("$program" score "$problem" "$answer.json" | sed -n 's/^problem .*: \(.*\) as the mean.*/\1/p')"
    done | awk -v way="$way" '
        { spent = $2 + $3; seconds += spent; points += $4; if ($1 < 24) { less += spent; few += $4 } }
        END {
            printf "%-8s problems 0-24: %d points, %.1f s; 0-23: %d points, %.1f s\n", way, points, seconds, few, less
        }'
done
