import random
import sys

for line in sys.stdin:
    word, *rest = line.split()
    if word == "begin":
        print("ready painter", flush=True)
    elif word == "state":
        state = rest
    elif word == "legal":
        legal = rest
    elif word == "go":
        print(" ".join(reversed(state[6:12])))
        print(" ".join(state[0:6]))
        print(random.choice(legal), flush=True)
