import random
import sys

for line in sys.stdin:
    word, *rest = line.split()
    if word == "begin":
        print("ready good again", flush=True)
    elif word == "legal":
        legal = rest
    elif word == "go":
        print(random.choice(legal), end="", flush=True)
