#!/usr/bin/env bash
# R. Korf's hundred boards, each solved by IDA* (minutes): are the lengths and, with Manhattan distance, the
# counts of nodes those of the table? Prints a line for each heuristic that is named (manhattan).
set -eu
cd "$(dirname "$0")/.."
cargo build --release --no-default-features --bin taquin
program=${CARGO_TARGET_DIR:-target}/release/taquin
table=tests/data/taquin/korf100.txt
solutions=$(mktemp)
trap 'rm -f "$solutions"' EXIT
for heuristic in "${@:-manhattan}"; do
    grep -v '^#' "$table" | awk -F' [|] ' '{ print $2 }' |
        "$program" solve --convention korf --heuristic "$heuristic" --json > "$solutions"
    grep -v '^#' "$table" | paste -d'|' - "$solutions" | awk -F' *[|] *' -v heuristic="$heuristic" '
        function field(name) { match($6, "\"" name "\":[0-9.]+"); return substr($6, RSTART + length(name) + 3, RLENGTH - length(name) - 3) }
        {
            boards++; length_ += field("length"); generated += field("generated"); seconds += field("seconds")
            wrong += field("length") != $3
            if (heuristic == "manhattan") wrong += field("generated") != $4 || field("expanded") != $5
        }
        END {
            printf "%s: %d boards, %d moves, %.0f generated, %.1f s, %d wrong\n", heuristic, boards, length_, generated, seconds, wrong
            exit wrong > 0
        }'
done
