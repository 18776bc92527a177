#!/usr/bin/env python3
"""Tic-tac-toe for bots that speak the lines of an arena.

Before each turn a bot reads the cell of its opponent's last move as ROW COLUMN (-1 -1 if there is
none), the number of free cells, and a line ROW COLUMN for each of them. It answers ROW COLUMN.
"""

from arbitre_rules import ArenaRules, Illegal, Invalid


class TicTacToe(ArenaRules):
    name = "tictactoe"
    title = "Tic-tac-toe"
    options = {"size": "3"}

    def start(self, seats, setup):
        self.size = int(self.options["size"])
        self.cells, self.last, self.alone = {}, None, None

    def free(self):
        places = [(row, column) for row in range(self.size) for column in range(self.size)]
        return [place for place in places if place not in self.cells]

    def winner(self):
        span = range(self.size)
        rows = [[(row, column) for column in span] for row in span]
        columns = [[(row, column) for row in span] for column in span]
        diagonals = [[(at, at) for at in span], [(at, self.size - 1 - at) for at in span]]
        for line in rows + columns + diagonals:
            owners = {self.cells.get(place) for place in line}
            if len(owners) == 1 and None not in owners:
                return owners.pop()
        return self.alone

    def turn(self):
        return [] if self.winner() is not None or not self.free() else [len(self.cells) % 2]

    def scores(self):
        return [1 if self.winner() == seat else 0 for seat in (0, 1)]

    def reason(self):
        return "the board is full" if self.winner() is None else f"seat {self.winner()} wins"

    def lines(self, seat):
        last = self.last or (-1, -1)
        places = [f"{row} {column}" for row, column in self.free()]
        return [f"{last[0]} {last[1]}", str(len(places)), *places]

    def read(self, seat, answer):
        words = answer.split()
        if len(words) != 2 or not all(word.isdecimal() for word in words):
            raise Invalid(f"expected ROW COLUMN, got '{answer}'")
        place = (int(words[0]), int(words[1]))
        if place not in self.free():
            raise Illegal(f"expected a free cell, got {answer}")
        self.cells[place], self.last = seat, place

    def out(self, seats):
        self.alone = 1 - seats[0] if len(seats) == 1 else 0

    def picture(self, seat):
        signs = {0: "X", 1: "O", None: "."}
        span = range(self.size)
        return "\n".join(" ".join(signs[self.cells.get((row, at))] for at in span) for row in span)

    def svg(self, seat):
        box = f"0 0 {self.size} {self.size}"
        parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">']
        parts.append('<rect width="100%" height="100%" fill="white"/>')
        for (row, column), owner in self.cells.items():
            colour = ("navy", "crimson")[owner]
            place = f'cx="{column + 0.5}" cy="{row + 0.5}"'
            parts.append(f'<circle {place} r="0.4" fill="{colour}"/>')
        return "\n".join([*parts, "</svg>"])


TicTacToe().serve()
