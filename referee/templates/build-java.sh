#!/bin/sh
# Builds Bot.class beside this file.
cd "$(dirname "$0")" && exec javac Bot.java
