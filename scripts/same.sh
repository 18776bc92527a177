#!/bin/sh
# Compares two builds: runs the same commands with both and reports each output that differs.
# Times, rates and dates are masked; everything else must be equal to the byte.
# Usage: scripts/same.sh OLD NEW [DATA], folders with the programs `referee`, `awele`, `tron` ...;
# DATA is the folder of reference data (default: $ARBITRE_DATA).
set -u
old=$(realpath "$1") new=$(realpath "$2") data=$(realpath "${3:-${ARBITRE_DATA:?no reference data}}")
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache"
count=0 different=0

# Masks what two runs of the same program may differ in.
mask() {
    sed -E -e 's/[0-9.]+ (nps|leaves a second)/_ \1/g' -e 's/in [0-9.]+ s;/in _ s;/g' \
        -e 's/"(seconds|duration_s|mean_ms|p50_ms|p90_ms|p99_ms|max_ms|total_ms|ms_per_move|spent_ms|duration)":[0-9.e-]+/"\1":_/g' \
        -e 's/"times":\{[^}]*\}/"times":_/g' -e 's/[0-9.]+ (to|and) [0-9.]+ ms/_ ms/g' \
        -e 's/[0-9.]+ ms/_ ms/g' -e 's/[0-9.]+ s([ ,;)]|$)/_ s\1/g' -e "s#$work/(old|new)#DIR#g" \
        -e 's#pid [0-9]+#pid _#g' "$1"
}

# Runs one command line with both builds. ` ms/move` columns are cut, as they hold times.
same() {
    count=$((count + 1))
    for side in old new; do
        eval "bin=\$$side"
        mkdir -p "$work/$side"
        (cd "$work/$side" && PATH="$bin:$PATH" sh -c "$1" >"$work/$side.out" 2>&1; echo "exit $?" >>"$work/$side.out")
        mask "$work/$side.out" | sed -E 's/^( *[A-Za-z0-9_-]+ .*) +[0-9.-]+ +[0-9.-]+ +[0-9.-]+$/\1/' >"$work/$side.masked"
    done
    if cmp -s "$work/old.masked" "$work/new.masked"; then
        echo "same       $(wc -c <"$work/new.out") bytes  $1"
    else
        different=$((different + 1))
        echo "DIFFERENT  $1"
        diff "$work/old.masked" "$work/new.masked" | head -n 6
    fi
}

same 'referee games'
same 'referee games --json'
same 'referee awele "awele greedy" --games 10 --seed 1 --depth 5 --db a.db'
same 'referee list --games --db a.db | sed -E "s, [0-9]+\.[0-9]+ , _ ,"'
same 'referee show 3 --db a.db'
same 'referee show 3 --input 1 --fresh --db a.db'
same 'referee export --db a.db'
same 'referee export --format csv --db a.db'
same 'referee export --format pgn --db a.db'
same 'referee verify --db a.db'
same 'referee rerun 2 --db a.db'
same 'referee --resume --db a.db --games 20'
same 'referee tron "tron breadth" "tron wall-hugger" --seats 3 --games 6 --seed 2 --nodes 2000 --db t.db && referee export --db t.db'
same 'referee seven-colors "seven-colors greedy" "seven-colors hegemonic" --games 6 --seed 3 --nodes 3000 --json --db s.db | sed "s/\"players\".*//"; referee export --db s.db'
same 'referee "taquin best" "taquin random" --games 4 --seed 4 --nodes 20000 --rules eight --db q.db && referee export --db q.db'
same 'referee "hextris best" "hextris random" --games 2 --seed 5 --nodes 3000 --db h.db && referee export --db h.db'
same 'referee codingame@awele relay@"awele greedy" --games 4 --seed 6 --depth 3 --db c.db; referee export --db c.db'
same 'referee awele "awele greedy" --games 2 --seed 1 --depth 3 --sprt elo0=0,elo1=50 --db :memory:'
same 'referee perft awele 7'
same 'referee perft tron 6 --position "$(printf %s "A.../..../...B")" --rules size=4x3; referee perft awele 5 --rules abapa'
same 'referee check "awele greedy" --games 4 --depth 2'
same 'referee check "sh -c \"while read l; do case \\\$l in begin) echo ready x;; go*) echo 9;; esac; done\"" --game awele --games 4'
same 'referee experiment awele --claim simple-wins --games 6 --depth 3'
same 'referee experiment seven-colors --games 4 --claim greedy-random --claim scans --claim hegemonic-runs-out-of-breath --claim through-programs --json'
same 'referee tune "seven-colors {s}" --gene s=1..2 2>&1; referee tune "hextris beam --weights {w}" --gene w=2x0..3 --generations 1 2>&1 | head -n 3'
same 'referee lst; referee awele; referee --game chess a b; referee awele "awele gredy"; referee show 3 --db none.db'
same 'awele bench; awele probe "1 0 0 0 0 0 0 0 0 0 0 1 23 23"; awele --help'
same 'tron bench; tron --help'
same 'seven-colors bench; seven-colors --help; seven-colors bench --depth 6'
same 'taquin --help; hextris --help'
same "head -n 3 '$data/taquin/korf100.csv' >/dev/null; taquin scramble --seed 1 --count 3; taquin scramble --seed 1 --count 3 --size 3x3 | taquin solve --json"
same "hextris solve-all --nodes 2000 -c 1 '$data/icfp2015/problems' 2>&1 | tail -n 5; hextris --help >/dev/null"
# Tournaments and what becomes of their files.
cup='[tournament]
game = "awele"
seed = 7
games = 2
'
players=$(for player in ada="alpha-beta --depth 3" bea="alpha-beta --depth 1" cleo=greedy dan=random; do
    printf '[[player]]\nname = "%s"\ncommand = "awele %s"\n' "${player%%=*}" "${player#*=}"
done)
for format in round-robin gauntlet swiss knockout; do
    for side in old new; do
        printf '%sformat = "%s"\n%s\n' "$cup" "$format" "$players" >"$work/$side/$format.toml"
    done
    same "referee tournament $format.toml --db $format.db --json; referee export --db $format.db; referee list --db $format.db | tail -n 3; referee verify --db $format.db"
done
same 'referee tournament swiss.toml --dry-run --db dry.db; referee tournament gauntlet.toml --db g.db --output g.md --output g.csv --output g.json >/dev/null; cat g.md g.csv g.json'
same 'for k in 1 2; do referee a="awele greedy" b="awele random" c="awele random" --games 6 --seed 5 --depth 2 --shard $k/2 --db $k.db; done; referee merge 1.db 2.db --output all.db; referee export --db all.db'
same 'referee drop 2 --db round-robin.db | tail -n 1; referee tournament round-robin.toml --db round-robin.db --json | tail -n 1; referee drop dan --db gauntlet.db | tail -n 1; referee export --db gauntlet.db'
same 'referee report --svg cross-table --output c.svg --db swiss.db; cat c.svg; referee show last --brief --db knockout.db; referee rerun last --brief --db swiss.db | tail -n 1'
echo "$count commands, $different different"
[ "$different" = 0 ]
