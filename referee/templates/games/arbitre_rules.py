"""Serves the rules of a game to the referee. Derive your game from Rules, and call its serve().

Derive it from ArenaRules if its bots speak the lines of an arena.
"""

import random
import sys


class Illegal(Exception):
    """A move that the rules forbid. Its text is the reason."""


class Invalid(Exception):
    """An answer that is no move at all. Its text is the reason."""


class Rules:
    name = "game"  # lower-case letters, digits and hyphens
    title = None
    seats = (2, 2)  # least and most
    options = {}  # texts by name, which --rules name=text replaces
    traits = ["lists-legal"]

    def setup(self, seats, number, rng):
        """Returns setup `number` for this many seats as one line, or None if there are fewer."""
        return "standard" if number == 0 else None

    def start(self, seats, setup):
        """Begins a game."""
        raise NotImplementedError

    def turn(self):
        """Returns the seats to move: several if they move at once, none at the end."""
        raise NotImplementedError

    def scores(self):
        """Returns a score per seat at the end."""
        raise NotImplementedError

    def legal(self, seat):
        """Returns the legal moves of a seat, each a word."""
        raise NotImplementedError

    def play(self, seat, move):
        """Plays a legal move."""
        raise NotImplementedError

    def state(self, seat):
        """Returns the position on one line, without what this seat must not see."""
        raise NotImplementedError

    def out(self, seats):
        """Goes on without seats that are out by a fault. They are last in any case."""

    def hides(self, seat, move, viewer):
        """Returns True while `viewer` must not see a move of another seat."""
        return False

    def picture(self, seat):
        """Returns the position as text of several lines, for people."""
        return None

    def svg(self, seat):
        """Returns the position as an SVG document, for pages."""
        return None

    def reason(self):
        """Returns why the game is over, in a few words."""
        return None

    def serve(self):
        gone, news = [], []
        for line in sys.stdin:
            word, _, rest = line.rstrip("\n").partition(" ")
            answer = [f"error expected a request, got {word}"]
            try:
                answer = self._answer(word, rest, gone, news)
            except Illegal as why:
                answer = [f"illegal {why}"]
            except Invalid as why:
                answer = [f"invalid {why}"]
            print(*answer, ".", sep="\n", flush=True)

    def _answer(self, word, rest, gone, news):
        first, _, more = rest.partition(" ")
        if word == "rules":
            return self._described(more)
        if word == "draw":
            seats, _plies, seed, number = rest.split()
            setup = self.setup(int(seats), int(number), random.Random(f"{seed} {number}"))
            return [] if setup is None else [f"setup {setup}"]
        if word == "check":
            self.start(int(first), more)
            return [f"setup {more}"]
        if word == "start":
            gone.clear()
            news.clear()
            news.extend([] for _ in range(int(first)))
            self.start(int(first), more)
            return self._status(gone)
        if word == "told":
            return self._told(int(first))
        if word in ("ask", "close"):
            return self._asked(int(first), news, word == "close")
        if word == "play":
            self._played(int(first), more, news)
            return [f"played {more}", *self._status(gone)]
        if word == "out":
            seats = [int(seat) for seat in more.split()]
            gone.append(seats)
            self.out(seats)
            for seat in seats:
                self._tell(news, f"out {seat} {first}", seat, None)
            return self._status(gone)
        if word == "state":
            return [f"state {self.state(int(first))}"]
        if word == "legal":
            return [f"legal {' '.join(self.legal(int(first)))}".rstrip()]
        if word in ("picture", "svg"):
            picture = (self.picture if word == "picture" else self.svg)(int(first))
            return ["unknown"] if picture is None else picture.split("\n")
        return ["unknown"]

    def _described(self, options):
        self.options = dict(self.options)
        for option in options.replace(",", " ").split():
            name, _, value = option.partition("=")
            if name not in self.options:
                known = ", ".join(self.options) or "no options"
                return [f"error --rules: expected {known}, got '{option}'"]
            self.options[name] = value
        least, most = self.seats
        values = " ".join(f"{name}={value}" for name, value in self.options.items())
        lines = [f"game {self.name}", f"title {self.title or self.name}", f"seats {least} {most}"]
        return [*lines, *([f"options {values}"] if values else []), *self.traits]

    def _told(self, seat):
        return []

    def _asked(self, seat, news, is_over):
        hidden = [event for event in news[seat] if event[1] and self.hides(*event[1], seat)]
        told = [event[0] for event in news[seat] if event not in hidden]
        news[seat] = hidden
        if is_over:
            return told
        legal = " ".join(self.legal(seat))
        return [*told, f"state {self.state(seat)}", f"legal {legal}"]

    def _played(self, seat, move, news):
        if move not in self.legal(seat):
            raise Illegal(f"expected {', '.join(self.legal(seat))}, got '{move}'")
        self.play(seat, move)
        self._tell(news, f"moved {seat} {move}", seat, (seat, move))

    def _tell(self, news, text, seat, move):
        for other, told in enumerate(news):
            if other != seat:
                told.append((text, move))

    def _status(self, gone):
        left = [seat for seat in self.turn() if not any(seat in group for group in gone)]
        if left:
            return ["turn " + " ".join(map(str, left))]
        out = " / ".join(" ".join(map(str, group)) for group in gone)
        scores = " ".join(map(str, self.scores()))
        reason = self.reason()
        reason = [] if reason is None else [f"reason {reason}"]
        return [*reason, f"over {scores}" + (f" out {out}" if out else "")]


class ArenaRules(Rules):
    """Rules whose bots read and print the lines of an arena, and nothing else."""

    traits = ["raw"]

    def first_lines(self, seat):
        """Returns the lines that a seat reads once, before its first turn."""
        return []

    def lines(self, seat):
        """Returns the lines that a seat reads before it answers. Of seats that move at once, the
        lines of all are taken before the first answer is read.
        """
        raise NotImplementedError

    def answer_lines(self, seat):
        """Returns the number of lines of an answer."""
        return 1

    def read(self, seat, answer):
        """Reads the answer of a seat: one line, or several with line ends between them. Raises
        Illegal if the rules forbid it, and Invalid if it is no answer.
        """
        raise NotImplementedError

    def state(self, seat):
        """Returns the position on one line."""
        return " | ".join(self.lines(seat)) if seat in self.turn() else "-"

    def _answer(self, word, rest, gone, news):
        if word == "start":
            self.waiting, self.parts = {}, {}
        return super()._answer(word, rest, gone, news)

    def _told(self, seat):
        return self.first_lines(seat)

    def _asked(self, seat, news, is_over):
        # A later line of an answer follows no lines.
        if is_over or self.parts.get(seat):
            return []
        if seat not in self.waiting:
            self.waiting = {other: list(self.lines(other)) for other in self.turn()}
        return self.waiting.pop(seat)

    def _played(self, seat, move, news):
        parts = [*self.parts.get(seat, []), move]
        if len(parts) < self.answer_lines(seat):
            self.parts[seat] = parts
            return
        self.read(seat, "\n".join(parts))
        self.parts[seat] = []
        turn = self.turn()
        self.waiting = {other: told for other, told in self.waiting.items() if other in turn}
