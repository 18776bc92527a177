#!/bin/sh
# Builds ./tictactoe and ./tricks beside this file.
cd "$(dirname "$0")" || exit
for game in tictactoe tricks; do
    rustc --edition 2021 -O -o "$game" "$game.rs" || exit
done
