"""A bot for {title} that plays random legal moves. Put your own code into `choose`.

Each line from the referee is one message, and its first word names the kind of message.
Ignore messages that you do not recognise.
"""

import random
import sys


def choose(seat, state, legal, milliseconds):
    """Return your move: one of `legal`, a list of words.

    `seat` is your own seat, counted from 0: seat 0 moves first.
    `state` is the position, a list of words:
    {state}
    `milliseconds` is the time that you have, or None if there is no limit. To measure it:
    `time.process_time()`, the CPU time in seconds; under `--clock wall`, `time.monotonic()`.
    """
    return random.choice(legal)


def say(line):
    # Flush: output left in a buffer never reaches the referee.
    print(line, flush=True)


def main():
    seat, state, legal = 0, [], []
    for line in sys.stdin:  # until the end of input, then the bot exits
        word, *rest = line.split() or [""]
        if word == "game":  # a new game: forget the last one
            state, legal = [], []
        elif word == "seats":  # for example `seats 2 you 0`
            seat = int(rest[2])
        elif word == "seed":  # the same seed, the same game
            random.seed(rest[0])
        elif word == "begin":  # prepare here, then say the bot's name, one word;
            say("ready {name} again")  # `again`: it can play another game afterwards
        elif word == "state":
            state = rest
        elif word == "legal":
            legal = rest
        elif word == "go":
            say(choose(seat, state, legal, int(rest[0]) if rest else None))
        elif word == "result":  # the scores by seat
            # Notes go to standard error: on standard output they would be answers.
            print("result", *rest, file=sys.stderr)


main()
