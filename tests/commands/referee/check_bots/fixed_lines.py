# Reads its lines by their number, and not by their first word.
import random

for _ in range(7):
    input()
print("ready counter", flush=True)
while True:
    line = input()
    if line.startswith("result"):
        break
    if line.startswith("moved"):
        line = input()
    if line.startswith("result"):
        break
    legal = input().split()[1:]
    input()
    print(random.choice(legal), flush=True)
