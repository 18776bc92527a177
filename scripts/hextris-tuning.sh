#!/bin/sh
# The genetic tuning of the account that Hextris follows, measured again: the weights of `hextris taupe`,
# from the ancestor 3,2,1,100,1,100, in 10 generations on a problem of the contest with seeds of our own. In
# the end the winner and the ancestor play seeds on which nothing was tuned.
#
# Evaluations are kept in DIR, so that this goes on where it was stopped, and a second time evaluates
# nothing. The course is drawn there too. The problem comes from the data that ARBITRE_DATA names.
#
# usage: scripts/hextris-tuning.sh [--problem N] [--instances N] [--held-out N] [--seed S] [--concurrency C] [DIR]
set -eu
cd "$(dirname "$0")/.."
. scripts/shared.sh
problem=9 instances=60 held_out=300 seed=1 concurrency=1 folder=
options "problem instances held-out seed concurrency" "$@"
file=${ARBITRE_DATA:?names no folder with the data of the contest}/icfp2015/problems/problem_$problem.json
target=${CARGO_TARGET_DIR:-target}
folder=${folder:-$target/hextris-tuning}
cargo build --quiet --release --bin referee
mkdir -p "$folder"
numbers=$(seq -s , 0 $((instances + held_out - 1)))
text=$(tr -d '\n' <"$file" | sed "s/\"sourceSeeds\": *\[[^]]*\]/\"sourceSeeds\":[$numbers]/")
for number in $(seq 0 $((instances + held_out - 1))); do
    printf 'problem %s; seed %s\n' "$text" "$number"
done >"$folder/problem-$problem.txt"
# The solver is done long before such a limit, so that results are the same on any machine.
exec "$target/release/referee" tune "hextris taupe --weights {w}" --gene w=6x0..10 \
    --ancestor 3,2,1,100,1,100 --problems "$folder/problem-$problem.txt" --instances "$instances" \
    --held-out "$held_out" --move-time 30s --first-move-time 30s --seed "$seed" \
    --concurrency "$concurrency" --db "$folder/evaluations" --svg "$folder/course.svg"
