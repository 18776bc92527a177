#!/bin/sh
# How strong the best Seven Colors bot is: at 1 ms a move against three bots of the reports, each board
# played from both sides; at 50 ms against itself, where whoever starts should win; and with how many
# cells free it proves who wins, at 1 s a move. Time is processor time.
#
# What was played is kept in DIR. Whatever ended this script, it goes on with it when it is run again
# with the same options.
#
# usage: scripts/seven-colors-strength.sh [--boards N] [--seed S] [--proofs N] [DIR]
set -eu
cd "$(dirname "$0")/.."
. scripts/shared.sh
boards=500 seed=1 proofs=20 folder=
options "boards seed proofs" "$@"
target=${CARGO_TARGET_DIR:-target}
folder=${folder:-$target/seven-colors-strength}
cargo build --quiet --release --bins
mkdir -p "$folder"

# play NAME TIME GAMES OTHER: a match of best against another, or what is missing of it
play() {
    "$target/release/referee" "best=seven-colors best" "other=seven-colors $4" --resume \
        --db "$folder/$1.db" --seed "$seed" --games "$3" --concurrency 1 --clock cpu --margin 1s \
        --move-time "$2" --first-move-time "$2" >"$folder/$1.txt"
    printf '\n== best - %s, %s a move ==\n' "$4" "$2"
    sed -n '/^ player/,/^pairs/p' "$folder/$1.txt"
}

play oracle 1ms $((2 * boards)) "oracle --depth 5"
echo "aim: 99 % of the points"
play napoleon 1ms $((2 * boards)) napoleon
echo "aim: 99 % of the points"
play greedy 1ms $((2 * boards)) greedy
echo "aim: 100 % of the points"
play itself 50ms $((boards / 5)) best
"$target/release/referee" export --db "$folder/itself.db" --format csv | awk -F , '
    NR > 1 { games++; won += $6 > $7 }
    END { printf "who starts wins %d of %d games (aim: 97 %%)\n", won, games }'

printf '\n== proofs, 1 s a move ==\n'
number=1
while [ "$number" -le "$proofs" ]; do
    game=$folder/proof-$((seed + number - 1)).txt
    if [ ! -s "$game" ]; then
        "$target/release/seven-colors" proofs --games 1 --seed $((seed + number - 1)) >"$game.part"
        mv "$game.part" "$game"
    fi
    sed -n 1p "$game"
    number=$((number + 1))
done | awk '
    { print }
    match($0, /[0-9]+ cells free/) { proved++; free += substr($0, RSTART) + 0 }
    END { printf "proved in %d games, with %.1f cells free on average (aim: 400)\n", proved, free / proved }'
