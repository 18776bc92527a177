#!/usr/bin/env python3
"""Tricks: three players hold hidden cards, and play one each at once. The highest takes the trick.

There are fifteen cards from 1 to 15, five for each player. A move is the number of a card.
"""

from arbitre_rules import Rules


class Tricks(Rules):
    name = "tricks"
    title = "Tricks"
    seats = (3, 3)

    def setup(self, seats, number, rng):
        cards = list(range(1, 16))
        rng.shuffle(cards)
        return " ".join(map(str, cards))

    def start(self, seats, setup):
        cards = [int(card) for card in setup.split()]
        if sorted(cards) != list(range(1, 16)):
            raise ValueError(setup)
        self.hands = [sorted(cards[seat::3]) for seat in range(3)]
        self.points, self.table, self.gone = [0, 0, 0], {}, set()

    def turn(self):
        here = [seat for seat in range(3) if seat not in self.gone]
        if len(here) < 2:
            return []
        return [seat for seat in here if seat not in self.table and self.hands[seat]]

    def scores(self):
        return self.points

    def legal(self, seat):
        return [str(card) for card in self.hands[seat]]

    def play(self, seat, move):
        self.hands[seat].remove(int(move))
        self.table[seat] = int(move)
        self.end_trick()

    def out(self, seats):
        self.gone.update(seats)
        self.end_trick()

    def end_trick(self):
        here = [seat for seat in range(3) if seat not in self.gone]
        if self.table and all(seat in self.table for seat in here):
            self.points[max(self.table, key=self.table.get)] += 1
            self.table = {}

    def hides(self, seat, move, viewer):
        return seat in self.table and self.table[seat] == int(move)

    def state(self, seat):
        hand = " ".join(self.legal(seat)) or "-"
        return f"points {' '.join(map(str, self.points))} hand {hand}"

    def picture(self, seat):
        lines = []
        for player, hand in enumerate(self.hands):
            lines.append(f"{player}: {self.points[player]} tricks, hand {hand}")
        return "\n".join(lines + [f"on the table: {self.table}"])


Tricks().serve()
