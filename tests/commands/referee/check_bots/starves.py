# Knows the board, and not that a move must leave the opponent a seed.
import random
import sys

for line in sys.stdin:
    word, *rest = line.split()
    if word == "begin":
        print("ready miser", flush=True)
    elif word == "seed":
        random.seed(rest[0])
    elif word == "state":
        own = [int(seeds) for seeds in rest[0:6]]
    elif word == "go":
        print(random.choice([pit for pit in range(6) if own[pit] > 0]), flush=True)
