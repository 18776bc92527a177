# Keeps a board of its own, and never takes in what the other plays.
import random
import sys

for line in sys.stdin:
    word, *rest = line.split()
    if word == "game":
        pits = [4] * 12
    elif word == "seed":
        chance = random.Random(int(rest[0]))
    elif word == "begin":
        print("ready deaf terse", flush=True)
    elif word == "go":
        pit = chance.choice([pit for pit in range(6) if pits[pit] > 0])
        seeds, pits[pit] = pits[pit], 0
        for step in range(seeds):
            pits[(pit + 1 + step) % 12] += 1
        print(pit, flush=True)
