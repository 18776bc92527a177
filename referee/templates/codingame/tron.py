"""A bot for CodinGame's Tron Battle that moves to a free cell. Put your own code into `choose`.

The same file plays in the arena and here.
"""

import random
import sys

WIDTH, HEIGHT = 30, 20
DIRECTIONS = {"LEFT": (-1, 0), "RIGHT": (1, 0), "UP": (0, -1), "DOWN": (0, 1)}


def free_moves(taken, x, y):
    """Return the directions from (x, y) that lead to free cells."""
    cells = {word: (x + dx, y + dy) for word, (dx, dy) in DIRECTIONS.items()}
    inside = {w: (x, y) for w, (x, y) in cells.items() if 0 <= x < WIDTH and 0 <= y < HEIGHT}
    return [word for word, cell in inside.items() if cell not in taken]


def choose(taken, heads, me):
    """Return your move: LEFT, RIGHT, UP or DOWN, within 100 ms (1 s for the first one).

    `taken` maps each occupied cell to its player, `heads` each player in the game to its head.
    """
    return random.choice(free_moves(taken, *heads[me]) or ["LEFT"])


def main():
    taken, heads = {}, {}
    while True:  # the arena ends the program after the game
        players, me = map(int, input().split())
        for player in range(players):
            tail_x, tail_y, x, y = map(int, input().split())
            if x < 0:  # out: its trail disappears
                taken = {cell: owner for cell, owner in taken.items() if owner != player}
                heads.pop(player, None)
            else:
                taken[tail_x, tail_y] = taken[x, y] = player
                heads[player] = (x, y)
        # Notes go to standard error: print(..., file=sys.stderr).
        print(choose(taken, heads, me), flush=True)


try:
    main()
except EOFError:
    sys.exit()
