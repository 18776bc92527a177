#!/bin/sh
# Does the best Tron bot keep to its time? It plays against itself, two games at once, by the time on
# the wall, half of the moves at tables of two and half at tables of four; faults are counted, and
# exit code 1 if there was one. The games are kept in DIR, and this script goes on with them.
#
# usage: scripts/tron-timeouts.sh [--move-time T] [--moves N] [--concurrency C] [DIR]
set -eu
cd "$(dirname "$0")/.."
. scripts/shared.sh
move_time=100ms moves=20000 concurrency=2 folder=
options "move-time moves concurrency" "$@"
time=$move_time
target=${CARGO_TARGET_DIR:-target}
folder=${folder:-$target/tron-timeouts-$time}
cargo build --quiet --release --bin referee
echo "load of this machine in the last minute: $(cut -d ' ' -f 1 /proc/loadavg), processors: $(nproc)"
mkdir -p "$folder"

# play SEATS: games at such tables until there are moves enough; the document is SEATS.json
play() {
    games=0 played=0
    while [ "$played" -lt $((moves / 2)) ]; do
        games=$((games + 4))
        yes "tron best" | head -n "$1" | tr '\n' '\0' |
            xargs -0 "$target/release/referee" --seats "$1" --games "$games" --seed 1 \
                --resume --db "$folder/$1.db" --json --concurrency "$concurrency" \
                --move-time "$time" --first-move-time "$time" >"$folder/$1.json"
        played=$(sed 's/.*"moves":\([0-9]*\).*/\1/' "$folder/$1.json")
    done
}
play 2
play 4

awk -v time="$time" '
    {
        match($0, /"moves":[0-9]+/)
        moves += substr($0, RSTART + 8, RLENGTH - 8)
        for (rest = $0; match(rest, /"faults":{[^}]*}/); rest = substr(rest, RSTART + RLENGTH)) {
            count = split(substr(rest, RSTART + 10, RLENGTH - 11), words, /[":,]+/)
            for (i = 2; i < count; i += 2)
                faults[words[i]] += words[i + 1]
        }
        for (rest = $0; match(rest, /"p99":[0-9.]+,"max":[0-9.]+/); rest = substr(rest, RSTART + RLENGTH)) {
            split(substr(rest, RSTART, RLENGTH), times, /[:,]/)
            p99 = times[2] > p99 ? times[2] : p99
            longest = times[4] > longest ? times[4] : longest
        }
    }
    END {
        print moves " moves at " time ", the slowest player: p99 " p99 " ms, longest " longest " ms"
        for (word in faults) {
            print word ": " faults[word]
            failed = 1
        }
        if (!failed)
            print "no faults"
        exit failed
    }' "$folder/2.json" "$folder/4.json"
