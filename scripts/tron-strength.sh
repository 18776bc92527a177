#!/bin/sh
# How strong the best Tron bot is: against breadth at the same time per move, against breadth with a
# tenth of its time, and alone at a table of four with three of breadth. Time is processor time, starts
# are replayed with every rotation of the seats. The matches of two end as soon as a sequential test
# tells 5 points in a hundred more than the aim from 5 fewer.
#
# The matches are kept in DIR. Whatever ended this script, it goes on with them when it is run again
# with the same options.
#
# usage: scripts/tron-strength.sh [--move-time T] [--games N] [--seed S] [--concurrency C] [DIR]
set -eu
cd "$(dirname "$0")/.."
. scripts/shared.sh
move_time=100ms games=200 seed=1 concurrency=1 folder=
options "move-time games seed concurrency" "$@"
time=$move_time
case $time in
    *[!0-9.]*ms | ms | '') usage ;;
    *ms) tenth=$(awk "BEGIN { print ${time%ms} / 10 }")ms ;;
    *) usage ;;
esac
target=${CARGO_TARGET_DIR:-target}
folder=${folder:-$target/tron-strength-$time}
cargo build --quiet --release --bin referee
mkdir -p "$folder"

# play NAME OPTION…: plays a match, or what is missing of it; its document is NAME.json
play() {
    name=$1 && shift
    "$target/release/referee" "$@" --resume --db "$folder/$name.db" --json --seed "$seed" \
        --games "$games" --concurrency "$concurrency" --clock cpu --margin 1s \
        --move-time "$time" --first-move-time "$time" >"$folder/$name.json"
}

# row TITLE NAME AIM: what the document says of its first player, and faults of anybody. The interval is of 95 in a hundred:
# between two from the scores of pairs, which share a start; else of a share (Wilson).
row() {
    awk -v title="$1" -v aim="$3" '
        function field(name) {
            match($0, "\"" name "\":[^,}]*")
            return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3)
        }
        function share(wins, n) {
            z = 1.96
            middle = (wins + z * z / 2) / (n + z * z)
            half = z / (n + z * z) * sqrt(wins * (n - wins) / n + z * z / 4)
            low = middle - half
            high = middle + half
            return wins / n
        }
        function score(    pairs, i, n, sum, squares, mean, half) {
            split("ll ld even wd ww", pairs, " ")
            for (i = 1; i <= 5; i++) {
                n += field(pairs[i])
                sum += field(pairs[i]) * (i - 1) / 4
                squares += field(pairs[i]) * ((i - 1) / 4) ^ 2
            }
            mean = sum / n
            half = n > 1 ? 1.96 * sqrt((squares - n * mean * mean) / (n - 1) / n) : 1
            low = mean - half
            high = mean + half
            return mean
        }
        {
            games = field("games")
            if (field("seats") == 2) {
                result = score()
                verdict = field("accepted")
                gsub(/"/, "", verdict)
                verdict = verdict == "null" ? "undecided" : verdict " is accepted"
            } else {
                match($0, /"places":\[[0-9]+/)
                result = share(substr($0, RSTART + 10, RLENGTH - 10), games)
                verdict = "first places"
            }
            for (rest = $0; match(rest, /"faults":{[^}]*}/); rest = substr(rest, RSTART + RLENGTH))
                faults = faults substr(rest, RSTART + 9, RLENGTH - 9)
            gsub(/{}|"/, "", faults)
            low = low < 0 ? 0 : low
            high = high > 1 ? 1 : high
            interval = sprintf("%.1f to %.1f", 100 * low, 100 * high)
            printf "%-44s %6d %7.1f %15s %6s %s %s\n", title, games, 100 * result, interval,
                aim " %", verdict, faults ? "faults " faults : ""
        }' "$folder/$2.json"
}

# Logistic Elo of scores of 80 and 90, and of 60 and 70 in a hundred.
play equal "best=tron best" "breadth=tron breadth" --sprt elo0=240.8,elo1=381.7,model=logistic
play tenth "best[move-time=$tenth,first-move-time=$tenth]=tron best" "breadth=tron breadth" \
    --sprt elo0=70.4,elo1=147.2,model=logistic
play four "best=tron best" "tron breadth" "tron breadth" "tron breadth" --seats 4

printf '\n%-44s %6s %7s %15s %6s\n' "$time of processor time a move" games % "95 in 100" aim
row "best - breadth" equal 85
row "best with a tenth of the time - breadth" tenth 65
row "best, three times breadth: first places" four 60
