"""Stand-in for a game of CodinGame's SDK, written from the description of its protocol.

In each turn every player is sent its seat, the turn and a number that the seed draws, and answers
two lines, a digit each: the sum of the products with the number is its score. Between two turns
comes a frame in which nothing is asked. A player that is late, or answers no digit, gets -1.

Parameters are lines of INIT:
  turns=N      turns of a game
  fail=N       an exception in turn N
  hang=N       nothing more from turn N on
  lie=N        a call of a player that does not exist, in turn N
  garbage=N    a line that is no message, in turn N
  view=BYTES   size of a frame for the viewer
  bank=MS      a bank of time for each player
  monitoring=no   as before September 2025: answers come without their time
  state=1      a number that is kept from game to game, as by a static field
  chance=1     a number that no seed draws
"""

import json
import random
import sys
import time

games = 0


def say(name, lines=()):
    print(f"[[{name}] {len(lines)}]")
    for line in lines:
        print(line)


def message():
    """Returns name and lines of the next message, or None at the end."""
    header = sys.stdin.readline()
    if not header:
        return None
    name, count = header.strip().removeprefix("[[").removesuffix("]").split("]")
    return name, [sys.stdin.readline().rstrip("\n") for _ in range(int(count))]


class Game:
    def __init__(self, lines):
        self.seats = int(lines[0])
        self.options = dict(line.split("=", 1) for line in lines[1:])
        self.random = random.Random(self.options.get("seed"))
        self.bank = [int(self.options.get("bank", 0))] * self.seats
        self.limit = [1000] * self.seats
        self.scores = [0] * self.seats
        self.late = set()
        self.monitoring = self.options.get("monitoring", "yes") == "yes"
        self.is_new_turn = True
        self.summary = ["the game begins"]
        self.tooltips = []
        self.frames = 0

    def number(self, option):
        return int(self.options.get(option, 0))

    def call(self, seat, lines, sent):
        """Calls a player. Returns its answer, or None."""
        name, _ = message()
        assert name == "GET_GAME_INFO", name
        self.view()
        say("NEXT_PLAYER_INPUT", sent)
        is_there = seat < self.seats
        limit = self.limit[seat] + 50 if is_there else 100
        if "bank" in self.options and is_there:
            limit = self.bank[seat]
        say("NEXT_PLAYER_INFO", [str(seat), str(lines), str(limit)])
        sys.stdout.flush()
        name, lines = message()
        if name == "SET_PLAYER_TIMEOUT":
            return None
        assert name == "SET_PLAYER_OUTPUT", name
        spent = int(lines.pop(0)) if self.monitoring else 0
        self.bank[seat] -= spent
        return lines

    def view(self):
        kind = "KEY_FRAME" if self.is_new_turn else "INTERMEDIATE_FRAME"
        say("VIEW", [f"{kind} {self.frames}", "x" * self.number("view")])
        if self.monitoring and self.frames == 0:
            say("MONITORING")
        self.frames += 1
        say("INFOS")
        if self.is_new_turn:
            say("SUMMARY", self.summary)
            if self.tooltips:
                say("TOOLTIP", self.tooltips)
            self.summary, self.tooltips = [], []
        self.is_new_turn = False

    def play(self):
        for turn in range(1, int(self.options.get("turns", 3)) + 1):
            self.is_new_turn = True
            if turn == self.number("fail"):
                raise ValueError("the board is missing")
            if turn == self.number("hang"):
                sys.stdout.flush()
                time.sleep(600)
            if turn == self.number("garbage"):
                print("a line of a careless library")
            if turn == self.number("lie"):
                self.call(self.seats, 2, [])
            drawn = self.random.randint(1, 9)
            drawn += games if "state" in self.options else 0
            drawn += time.time_ns() % 1000 if "chance" in self.options else 0
            self.summary.append(f"in turn {turn} the number is {drawn}")
            for seat in range(self.seats):
                # One that was late is called again, as many games do.
                if self.scores[seat] >= 0 or seat in self.late:
                    self.take(seat, drawn, self.call(seat, 2, [f"{seat} {turn} {drawn}"]))
            if sum(score >= 0 for score in self.scores) < min(2, self.seats):
                break
            # Nobody is asked: a frame for the viewer alone.
            self.call(self.seats - 1, 0, [])
        return self.end()

    def take(self, seat, drawn, answer):
        self.limit[seat] = 50
        if seat in self.late:
            assert answer is None, "a player that was late answers"
            return
        if answer is None:
            self.late.add(seat)
        if answer is not None and all(line in list("0123456789") for line in answer):
            self.scores[seat] += drawn * sum(map(int, answer))
        else:
            self.scores[seat] = -1
            self.tooltips += [f"${seat} is out", str(seat)]

    def end(self):
        self.is_new_turn = True
        self.view()
        say("UINPUT", [f"{key}={value}" for key, value in sorted(self.options.items())])
        league = next((word for word in sys.argv if word.startswith("-Dleague")), "none")
        values = {"best": str(float(max(self.scores))), "league": league.split("=")[-1]}
        say("METADATA", [json.dumps(values)])
        say("SCORES", [f"{seat} {score}" for seat, score in enumerate(self.scores)])
        sys.stdout.flush()


def main():
    global games
    while (first := message()) is not None:
        # What was not read of the game before.
        if first[0] != "INIT":
            continue
        try:
            Game(first[1]).play()
        except Exception as error:
            trace = ["java.lang.RuntimeException: " + str(error), "\tat com.codingame.game.Referee.gameTurn(Referee.java:42)"]
            say("FAIL", trace)
            sys.stdout.flush()
            sys.exit(1)
        games += 1
        if "--many" not in sys.argv:
            break


main()
