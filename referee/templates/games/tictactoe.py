#!/usr/bin/env python3
"""Tic-tac-toe: three in a row win. A move is the number of a cell, from 0 to 8."""

from arbitre_rules import Rules

LINES = ["012", "345", "678", "036", "147", "258", "048", "246"]


class TicTacToe(Rules):
    name = "tictactoe"
    title = "Tic-tac-toe"

    def start(self, seats, setup):
        self.cells, self.alone = ["."] * 9, None

    def winner(self):
        for a, b, c in (map(int, line) for line in LINES):
            if self.cells[a] != "." and self.cells[a] == self.cells[b] == self.cells[c]:
                return "XO".index(self.cells[a])
        return self.alone

    def turn(self):
        moves = 9 - self.cells.count(".")
        return [] if self.winner() is not None or moves == 9 else [moves % 2]

    def scores(self):
        return [1 if self.winner() == seat else 0 for seat in (0, 1)]

    def legal(self, seat):
        return [str(cell) for cell in range(9) if self.cells[cell] == "."]

    def play(self, seat, move):
        self.cells[int(move)] = "XO"[seat]

    def out(self, seats):
        self.alone = 1 - seats[0] if len(seats) == 1 else 0

    def state(self, seat):
        return "".join(self.cells)

    def picture(self, seat):
        return "\n".join(" ".join(self.cells[row : row + 3]) for row in (0, 3, 6))


TicTacToe().serve()
