#!/bin/sh
# Builds ./bot beside this file: a native program where there is ocamlopt.
cd "$(dirname "$0")" || exit 1
if command -v ocamlopt >/dev/null; then
    exec ocamlopt -o bot bot.ml
fi
exec ocamlc -o bot bot.ml
