# Reads each line and never answers 'go'.
import sys

for line in sys.stdin:
    word, *rest = line.split()
    if word == "begin":
        print("ready mute", flush=True)
