#!/bin/sh
# How soon the referee gives its verdict on bots that hang, drip, crash and cling to life: a table,
# and exit code 1 if one verdict was late. The machine must be idle; "cargo test" leaves this out.
#
# usage: scripts/verdict-times.sh
set -eu
cd "$(dirname "$0")/.."
load=$(cut -d ' ' -f 1 /proc/loadavg)
echo "load of this machine in the last minute: $load, processors: $(nproc)"
RUST_BACKTRACE=0 VERDICT_TIMES=1 cargo test --quiet --release --test villains -- \
    --exact --nocapture times::verdicts_come_in_time || exit 1
