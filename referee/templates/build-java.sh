#!/bin/sh
# Builds the classes beside this file.
cd "$(dirname "$0")" && exec javac ./*.java
