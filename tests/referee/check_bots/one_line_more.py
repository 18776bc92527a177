import random
import sys

for line in sys.stdin:
    word, *rest = line.split()
    if word == "begin":
        print("ready reader", flush=True)
    elif word == "legal":
        legal = rest
    elif word == "go":
        sys.stdin.readline()
        print(random.choice(legal), flush=True)
