#!/usr/bin/env python3
"""A bot for tictactoe.py, which plays any free cell."""

import random

while True:
    opponent_row, opponent_column = map(int, input().split())
    free = [input() for cell in range(int(input()))]
    # Your code comes here.
    print(random.choice(free))
