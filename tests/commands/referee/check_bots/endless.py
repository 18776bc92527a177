# Searches without end.
import sys

for line in sys.stdin:
    word, *rest = line.split()
    if word == "begin":
        print("ready endless", flush=True)
    elif word == "go":
        while True:
            pass
