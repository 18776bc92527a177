import random
import sys

while True:
    word, *rest = sys.stdin.readline().split() or [""]
    if word == "begin":
        print("ready endless", flush=True)
    elif word == "legal":
        legal = rest
    elif word == "go":
        print(random.choice(legal), flush=True)
