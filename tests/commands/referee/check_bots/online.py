import random
import socket
import sys

try:
    socket.create_connection(("127.0.0.1", 9))
except OSError:
    pass
for line in sys.stdin:
    word, *rest = line.split()
    if word == "begin":
        print("ready online", flush=True)
    elif word == "legal":
        legal = rest
    elif word == "go":
        print(random.choice(legal), flush=True)
