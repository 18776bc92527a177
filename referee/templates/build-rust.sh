#!/bin/sh
# Builds ./bot beside this file.
cd "$(dirname "$0")" && exec rustc --edition 2021 -O -o bot bot.rs
