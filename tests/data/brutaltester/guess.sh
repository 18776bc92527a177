#!/bin/sh
# A game of guessing, as a referee program for cg-brutaltester's old mode (-o): each turn a player
# reads the number of the turn and a hint, and answers with a number and a remark. The nearest guess
# wins. Written from the description of the protocol, for tests.
read -r line
seed=0
case $line in
"###Seed "*)
    seed=${line#* }
    read -r line
    ;;
esac
case $line in
"###Start "*) players=${line#* } ;;
*)
    echo "expected ###Start, got $line" >&2
    exit 1
    ;;
esac
secret=$(((seed * 1103515245 + 12345) / 65536 % 100))

# Gives each player its number, then plays until a guess is right or one player is left.
lost='' found='' turn=0
all=$(seq 0 $((players - 1)))
for player in $all; do
    echo "###Input $player"
    echo "$players $player"
    eval "hint_$player=start gap_$player=100"
done
while [ $turn -lt 8 ] && [ -z "$found" ] && [ ${#lost} -lt $((players - 1)) ]; do
    for player in $all; do
        case $lost in *$player*) continue ;; esac
        eval "hint=\$hint_$player best=\$gap_$player"
        echo "###Input $player"
        echo "$turn $hint"
        echo "###Output $player 2"
        read -r guess && read -r remark || exit 1
        case $guess in
        '' | *[!0-9]*)
            echo "###Error $player illegal expected a number, got $guess and $remark"
            lost=$player$lost
            continue
            ;;
        esac
        gap=$((guess - secret))
        if [ $gap -lt 0 ]; then
            hint=low gap=$((-gap))
        elif [ $gap -gt 0 ]; then
            hint=high
        else
            hint=found found=yes
        fi
        [ $gap -lt "$best" ] && best=$gap
        eval "hint_$player=$hint gap_$player=$best"
    done
    turn=$((turn + 1))
done

# Ranks the players by their gaps, equal ones together, then those that lost, the last one first.
ranking=
for gap in $(seq 0 100); do
    group=
    for player in $all; do
        case $lost in *$player*) continue ;; esac
        eval "[ \$gap_$player -eq $gap ]" && group=$group$player
    done
    ranking="$ranking${group:+ $group}"
done
echo "###End$ranking$(echo "$lost" | sed 's/./ &/g')"
