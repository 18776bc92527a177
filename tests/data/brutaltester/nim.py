"""A game of Nim, as a referee program for cg-brutaltester's new mode: it starts the players after
-p1, -p2 and so on, and prints a score per player. Written from the description, for tests.

Each turn a player reads its number and the heaps, and answers with a heap and, on a second line, a
number of stones. The taker of the last stone wins. A wrong answer loses.
"""

import argparse
import random
import subprocess
import sys

parser = argparse.ArgumentParser()
for player in range(1, 9):
    parser.add_argument(f"-p{player}")
parser.add_argument("-d", default="seed=0")
parser.add_argument("-l")
args = parser.parse_args()
commands = [vars(args)[f"p{player}"] for player in range(1, 9)]
commands = [command for command in commands if command]
if not commands:
    sys.exit("expected -p1 and -p2")
rng = random.Random(int(args.d.split("=")[1]))
pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
# Split at blanks, as the programs of the arena do.
players = [subprocess.Popen(command.split(), **pipes) for command in commands]
heaps = [rng.randint(1, 7) for _ in range(3)]
scores = [0] * len(players)
left = list(range(len(players)))
while len(left) > 1 and any(heaps):
    seat = left.pop(0)
    player = players[seat]
    player.stdin.write(f"{seat}\n{len(heaps)}\n" + "".join(f"{heap}\n" for heap in heaps))
    player.stdin.flush()
    answer = [player.stdout.readline().strip() for _ in range(2)]
    try:
        heap, stones = map(int, answer)
        fits = 0 <= heap < 3 and 1 <= stones <= heaps[heap]
    except ValueError:
        fits = False
    if not fits:
        print(f"player {seat}: {answer} is no move", file=sys.stderr)
        scores[seat] = -1
        continue
    heaps[heap] -= stones
    left.append(seat)
    if not any(heaps):
        scores[seat] = 1
if len(left) == 1:
    scores[left[0]] = 1
for player in players:
    player.kill()
print("\n".join(map(str, scores)))
print(args.d)
