"""A bot for {title}, which plays any legal move. Put your own thinking into `choose`.

How the referee speaks: one line is one message, and its first word says which.
Lines whose word you do not know are to be passed over.
"""

import random
import sys


def choose(state, legal, milliseconds):
    """Your move: one of `legal`, a list of words.

    `state` is the position, a list of words:
    {state}
    `milliseconds` is the time that you have, or None where there is no limit.
    """
    return random.choice(legal)


def say(line):
    # An answer that is not flushed waits in a buffer, and the referee waits too.
    print(line, flush=True)


def main():
    state, legal = [], []
    for line in sys.stdin:  # until the input ends, and then the bot ends
        word, *rest = line.split() or [""]
        if word == "game":  # a new game: forget the last one
            state, legal = [], []
        elif word == "seed":  # the same seed, the same game
            random.seed(rest[0])
        elif word == "begin":  # prepare here, then say the bot's name, one word;
            say("ready {name} again")  # `again`: it can play another game afterwards
        elif word == "state":
            state = rest
        elif word == "legal":
            legal = rest
        elif word == "go":
            say(choose(state, legal, int(rest[0]) if rest else None))
        elif word == "result":  # the scores by seat
            # Notes go to standard error: on standard output they would be answers.
            print("result", *rest, file=sys.stderr)


main()
