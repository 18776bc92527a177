# What simple bots share: they are called `name`, and `answer` is told the legal moves.
import sys


def hold(name, answer):
    for line in sys.stdin:
        word, *rest = line.split()
        if word == "begin":
            print("ready", name, flush=True)
        elif word == "legal":
            legal = rest
        elif word == "go":
            answer(legal)
