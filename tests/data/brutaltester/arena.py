"""A stand-in for cg-brutaltester, written from its description: it has one game played.

usage: arena.py old|new SEED REFEREE PLAYER...

Commands are split at blanks. Prints a JSON document: the place of each player, and what was said.
Unlike the original it goes on after ###Error, and always reads the standard error of all programs.
"""
import json
import subprocess
import sys
import threading


class Program:
    """A running program, whose standard error is read at once."""

    def __init__(self, command):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        self.errors = ""
        self.reader = threading.Thread(target=self.read_errors, daemon=True)
        self.reader.start()

    def read_errors(self):
        for line in self.process.stderr:
            self.errors += line

    def read(self):
        return self.process.stdout.readline()

    def write(self, text):
        try:
            self.process.stdin.write(text)
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def end(self):
        code = self.process.wait(60)
        self.reader.join()
        return code


def places_of(values):
    return [sum(other > value for other in values) for value in values]


def old(seed, command, commands):
    """Starts the referee and the players, and does what the referee's commands say."""
    referee = Program(command.split(" "))
    players = [Program(player.split(" ")) for player in commands]
    said = {"heard": [""] * len(players), "remarks": [], "places": None}
    referee.write("###Seed %s\n###Start %d\n" % (seed, len(players)))
    target = None
    while True:
        line = referee.read()
        if not line or line.startswith("###End"):
            break
        words = line.split()
        if words and words[0].startswith("###"):
            target = None
        if line.startswith("###Input"):
            target = int(words[1])
        elif line.startswith("###Output"):
            for _ in range(int(words[2])):
                answer = players[int(words[1])].read()
                if not answer:
                    # The original stops here too, as the player has ended.
                    referee.process.stdin.close()
                    break
                referee.write(answer)
        elif line.startswith("###"):
            said["remarks"].append(line.strip())
        else:
            said["heard"][target] += line
            players[target].write(line)
    if line:
        groups = line.split()[1:]
        digits = {int(digit): -place for place, group in enumerate(groups) for digit in group}
        said["places"] = places_of([digits[player] for player in range(len(players))])
    for player in players:
        player.process.kill()
        player.end()
    said["code"] = referee.end()
    said["stderr"] = referee.errors
    said["player_stderr"] = [len(player.errors) for player in players]
    return said


def new(seed, command, commands):
    """Starts the referee with the commands of the players, and reads a score for each."""
    words = command.split(" ")
    for number, player in enumerate(commands):
        words += ["-p%d" % (number + 1), player]
    referee = Program(words + ["-d", "seed=%s" % seed, "-l", "game.json"])
    lines = referee.process.stdout.read().splitlines()
    scores = [int(line) for line in lines[: len(commands)]]
    said = {"scores": scores, "places": places_of(scores), "data": lines[len(commands) :]}
    said["code"] = referee.end()
    said["stderr"] = referee.errors
    return said


mode, seed, command, *commands = sys.argv[1:]
print(json.dumps((old if mode == "old" else new)(seed, command, commands)))
