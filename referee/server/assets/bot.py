import sys, random
for line in sys.stdin:
    word, *rest = line.split()
    if word == "legal": answer = random.choice(rest)
    if word in ("begin", "go"): print("ready python" if word == "begin" else answer, flush=True)
