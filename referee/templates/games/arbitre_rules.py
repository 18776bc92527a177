"""Serves the rules of a game to the referee. Derive your game from Rules, and call its serve()."""

import random
import sys


class Illegal(Exception):
    """A move that the rules forbid. Its text is the reason."""


class Rules:
    name = "game"  # lower-case letters, digits and hyphens
    title = None
    seats = (2, 2)  # least and most

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

    def serve(self):
        gone, news = [], []
        for line in sys.stdin:
            word, _, rest = line.rstrip("\n").partition(" ")
            answer = [f"error expected a request, got {word}"]
            try:
                answer = self._answer(word, rest, gone, news)
            except Illegal as why:
                answer = [f"illegal {why}"]
            print(*answer, ".", sep="\n", flush=True)

    def _answer(self, word, rest, gone, news):
        first, _, more = rest.partition(" ")
        if word == "rules":
            least, most = self.seats
            title = f"title {self.title or self.name}"
            return [f"game {self.name}", title, f"seats {least} {most}", "lists-legal"]
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
            return [self._status(gone)]
        if word == "told":
            return []
        if word in ("ask", "close"):
            seat = int(first)
            hidden = [event for event in news[seat] if event[1] and self.hides(*event[1], seat)]
            told = [event[0] for event in news[seat] if event not in hidden]
            news[seat] = hidden
            if word == "close":
                return told
            legal = " ".join(self.legal(seat))
            return [*told, f"state {self.state(seat)}", f"legal {legal}"]
        if word == "play":
            seat = int(first)
            if more not in self.legal(seat):
                raise Illegal(f"expected {', '.join(self.legal(seat))}, got '{more}'")
            self.play(seat, more)
            self._tell(news, f"moved {seat} {more}", seat, (seat, more))
            return [f"played {more}", self._status(gone)]
        if word == "out":
            seats = [int(seat) for seat in more.split()]
            gone.append(seats)
            self.out(seats)
            for seat in seats:
                self._tell(news, f"out {seat} {first}", seat, None)
            return [self._status(gone)]
        if word == "state":
            return [f"state {self.state(int(first))}"]
        if word == "legal":
            return [f"legal {' '.join(self.legal(int(first)))}".rstrip()]
        if word == "picture":
            picture = self.picture(int(first))
            return ["unknown"] if picture is None else picture.split("\n")
        return ["unknown"]

    def _tell(self, news, text, seat, move):
        for other, told in enumerate(news):
            if other != seat:
                told.append((text, move))

    def _status(self, gone):
        left = [seat for seat in self.turn() if not any(seat in group for group in gone)]
        if left:
            return "turn " + " ".join(map(str, left))
        out = " / ".join(" ".join(map(str, group)) for group in gone)
        scores = " ".join(map(str, self.scores()))
        return f"over {scores}" + (f" out {out}" if out else "")
