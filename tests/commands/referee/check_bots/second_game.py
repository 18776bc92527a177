import random
import sys

games = 0
for line in sys.stdin:
    word, *rest = line.split()
    if word == "game":
        games += 1
        assert games == 1, "the board is already full"
    elif word == "begin":
        print("ready once again", flush=True)
    elif word == "legal":
        legal = rest
    elif word == "go":
        print(random.choice(legal), flush=True)
