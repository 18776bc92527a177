# Plays Awélé in the dialect of CodinGame. Its first argument is a file in which it counts its games.
# From the fifth on, its second move takes longer than allowed, as if the machine had become slower.
import pathlib
import sys
import time

counter = pathlib.Path(sys.argv[1])
games = len(counter.read_text()) + 1 if counter.exists() else 1
counter.write_text("x" * games)
moves = 0
while True:
    pits = list(map(int, input().split()))
    moves += 1
    if games > 4 and moves == 2:
        time.sleep(2)
    is_starved = sum(pits[6:]) == 0
    legal = [pit for pit in range(6) if pits[pit] > (5 - pit if is_starved else 0)]
    print(legal[0], flush=True)
