#!/bin/sh
# Builds ./bot beside this file.
cd "$(dirname "$0")" && exec cc -O2 -o bot bot.c
