#!/bin/sh
# Kills the referee at random moments of a match of 200 games, resumes it, and compares all that is
# kept with a match that nobody disturbed: a table, a summary, and exit code 1 if one round failed.
# "cargo test" does ten rounds. The same seed draws the same moments; where they fall in a match
# depends on the machine.
#
# usage: scripts/kill-and-resume.sh [ROUNDS [SEED]]
set -eu
cd "$(dirname "$0")/.."
KILL_ROUNDS=${1:-100} KILL_SEED=${2:-1} RUST_BACKTRACE=0
export KILL_ROUNDS KILL_SEED RUST_BACKTRACE
cargo test --quiet --release --test store -- \
    --exact --nocapture kills::a_match_that_is_killed_and_resumed_is_the_same_match || exit 1
