import random
import sys
import time

first = True
for line in sys.stdin:
    word, *rest = line.split()
    if word == "begin":
        print("ready good", flush=True)
    elif word == "legal":
        legal = rest
    elif word == "go":
        time.sleep(1.5 if first else 0)
        first = False
        print(random.choice(legal), flush=True)
