import random
import sys
from conversation import hold


def answer(legal):
    sys.stdin.readline()
    print(random.choice(legal), flush=True)


hold("reader", answer)
