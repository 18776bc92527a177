#!/usr/bin/env bash
# Does play_icfp2015 keep the contest's terms? Every problem with four sets of phrases and two limits of time, for
# real and on the wall's clock: about a quarter of an hour. Prints a line for each set and limit, and fails if a
# game is missing or worth nothing by a fault, or if a run ends after its deadline.
#
# DATA has problems/. OUTPUT keeps what was answered: started again, this goes on where it was stopped.
#
# usage: scripts/hextris-matrix.sh DATA OUTPUT
set -eu
. "$(dirname "$0")/shared.sh"
folders "$@"
cargo build --quiet --release --no-default-features --bin hextris --bin play_icfp2015
programs=${CARGO_TARGET_DIR:-target}/release

# The contest's set is that of the scorer; the second and the third are those of its settings.
official=$(sed -n '/^pub const OFFICIAL/,/^];/s/^ *"\(.*\)",$/\1/p' src/games/hextris/phrases.rs)
declare -A sets=([official]=$official [none]=
    [six]=$(printf '%s\n' pkkpdbbd aaaabbbb aabllp ssseespsps uuuuu ddddd)
    [four]=$(printf '%s\n' pkkpdbbd ssseespsps pb sd))

# The options that name the phrases of a set, in the array `phrases`.
name_phrases() {
    phrases=()
    while IFS= read -r phrase; do
        [ -z "$phrase" ] || phrases+=(-p "$phrase")
    done <<<"${sets[$1]}"
}

# Plays a problem with a set within so many seconds, and keeps the answer and how many milliseconds it took.
play() {
    local begun
    begun=$(date +%s%N)
    timeout $(($3 + 10)) "$programs/play_icfp2015" -f "$data/problems/problem_$1.json" -t "$3" "${phrases[@]}" >"$4.part" || true
    echo "$1 $3 $((($(date +%s%N) - begun) / 1000000))" >"$4.time"
    mv "$4.part" "$4.json"
}

# Says of a problem and its answer: the number, the seconds, the milliseconds, different seeds, and then for each
# game in the answer how it ends.
judge() {
    local problem=$data/problems/problem_$1.json seeds
    seeds=$(tr -d ' \n' <"$problem" | sed 's/.*"sourceSeeds":\[\([^]]*\)\].*/\1/' | tr , '\n' | sort -u | wc -l)
    [ ${#phrases[@]} -gt 0 ] || phrases=(-p '')
    echo "$(cat "$2.time") $seeds" \
        "$("$programs/hextris" score "$problem" "$2.json" --json "${phrases[@]}" |
            sed 's/.*"score":\([0-9]*\),.*"status":"\([a-z-]*\)".*/\1=\2/' | tr '\n' ' ')"
}

for name in official six four none; do
    for seconds in 1 5; do
        for number in $(seq 0 32); do
            answer=$output/$name-$seconds-$number
            name_phrases "$name"
            [ -e "$answer.json" ] || play "$number" "$name" "$seconds" "$answer"
            judge "$number" "$answer"
        done | awk -v name="$name" '
            {
                games += $4; missing += $4 - (NF - 4)
                left = 1000 * $2 - $3; late += left < 0
                if (NR == 1 || left < least) { least = left; at = $1 }
                for (i = 5; i <= NF; i++) {
                    split($i, game, "="); points += game[1]
                    bad = game[2] !~ /^(source-empty|board-full|mid-game)$/
                    zeros += bad
                    if (bad) print "  problem " $1 ": " game[2]
                }
            }
            END {
                printf "%-8s -t %d: %d problems, %d games, %d missing, %d worth nothing by a fault, %d late, ", \
                    name, $2, NR, games, missing, zeros, late
                printf "%d ms before the deadline at least (problem %d), %d points\n", least, at, points
                exit NR < 33 || missing || zeros || late
            }' || failed=1
    done
done
exit "${failed:-0}"
