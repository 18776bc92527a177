"""Plays many games of Arbitre at once, for those who train programs.

    with Games("awele") as games:
        courses = games.reset(100, seed=7)
        legal = games.legal([(course.game, course.turn[0]) for course in courses])

A game is named by its number. Nothing but the standard library is needed, and the program `referee`
in PATH.
"""

import json
import subprocess
from typing import NamedTuple, Optional


class Course(NamedTuple):
    """Course of a game."""

    game: int
    turn: list  # seats to move, empty at the end
    setup: Optional[str] = None  # after `reset` and `clone`
    scores: Optional[list] = None  # by seat, at the end
    ranks: Optional[list] = None  # by seat from 1, at the end
    error: Optional[str] = None  # why a move was rejected; the game is as before


class Games:
    """Running games, each with a number."""

    def __init__(self, game, rules="", command=("referee",)):
        words = [*command, "arena", "step", game, "--json", "--rules", rules]
        self._process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def reset(self, games=1, seats=None, plies=0, seed=0, setups=()):
        """Starts games from `setups`, or from setups drawn by `seed`. Returns their courses."""
        setups = list(setups)
        asked = {"games": games, "seats": seats, "plies": plies, "seed": seed, "setups": setups}
        return self._courses({"reset": asked})

    def step(self, moves):
        """Plays moves, each a game, a seat and a move. Returns the courses of the games."""
        return self._courses({"step": list(moves)})

    def legal(self, seats):
        """Returns the legal moves of seats, each a game and a seat."""
        return self._ask({"legal": list(seats)})["legal"]

    def state(self, seats):
        """Returns the positions as seats see them, each a game and a seat."""
        return self._ask({"state": list(seats)})["state"]

    def clone(self, games):
        """Copies games. Returns the courses of the copies."""
        return self._courses({"clone": list(games)})

    def drop(self, games):
        """Forgets games. Returns how many are left."""
        return self._ask({"drop": list(games)})["games"]

    def close(self):
        """Ends the referee."""
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _courses(self, request):
        return [Course(**course) for course in self._ask(request)["games"]]

    def _ask(self, request):
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise EOFError("the referee has ended")
        answer = json.loads(line)
        if "error" in answer:
            raise ValueError(answer["error"])
        return answer
