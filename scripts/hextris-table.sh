#!/bin/sh
# Plays all problems of the contest with `hextris best`, so many seconds of processor time a game, beside the
# best averages known.
#
#     scripts/hextris-table.sh DATA SECONDS CORES OUTPUT
#
# DATA has problems/ and best_scores.csv. Started again with the same OUTPUT it goes on where it was stopped.
# 187 games of 20 seconds are about an hour on one core.
set -eu
if [ $# -ne 4 ]; then
    sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
data=$1 seconds=$2 cores=$3 output=$4
cd "$(dirname "$0")/.."
cargo build --quiet --release --no-default-features --bin hextris
exec "${CARGO_TARGET_DIR:-target}/release/hextris" solve-all "$data/problems" -t "$seconds" --cpu \
    -c "$cores" --best "$data/best_scores.csv" --output "$output" --resume
