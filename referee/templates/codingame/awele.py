"""A bot for CodinGame's Oware Abapa that plays legal moves. Put your own code into `choose`.

The same file plays in the arena and here.
"""

import random
import sys


def legal_moves(pits):
    """Return the pits that may be sown: an opponent without seeds must get some."""
    starving = not any(pits[6:])
    return [pit for pit in range(6) if pits[pit] > (5 - pit if starving else 0)]


def choose(pits):
    """Return your move: a pit from 0 to 5, within 50 ms (1 s for the first one).

    `pits` holds the seeds of your six pits, then of the opponent's six, in sowing order.
    """
    return random.choice(legal_moves(pits))


def main():
    while True:  # the arena ends the program after the game
        pits = [int(seeds) for seeds in input().split()]
        # Notes go to standard error: print(..., file=sys.stderr).
        print(choose(pits), flush=True)


try:
    main()
except EOFError:
    sys.exit()
