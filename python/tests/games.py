"""Games written in Python, for the tests."""

from __future__ import annotations

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class TicTacToe:
    """Tic-tac-toe whose `play` changes the object."""

    actions = 9

    def __init__(self) -> None:
        self.cells = [None] * 9
        self.player = 0

    def to_move(self):
        return self.player

    def moves(self):
        return [cell for cell, owner in enumerate(self.cells) if owner is None]

    def play(self, move):
        self.cells[move] = self.player
        self.player = 1 - self.player

    def result(self):
        for a, b, c in LINES:
            if self.cells[a] is not None and self.cells[a] == self.cells[b] == self.cells[c]:
                return 1.0 - self.cells[a]
        return 0.5 if None not in self.cells else None

    def move_text(self, move):
        return f"{'abc'[move % 3]}{move // 3 + 1}"

    def planes(self):
        own = [1.0 if cell == self.player else 0.0 for cell in self.cells]
        other = [1.0 if cell == 1 - self.player else 0.0 for cell in self.cells]
        first = [1.0 - self.player] * 9
        return [[plane[0:3], plane[3:6], plane[6:9]] for plane in (own, other, first)]

    def hash(self):
        return tuple(self.cells)

    def copy(self):
        other = TicTacToe()
        other.cells, other.player = self.cells.copy(), self.player
        return other


class Silent(TicTacToe):
    """Tic-tac-toe that names no player at the end, as games of other libraries do."""

    def to_move(self):
        if self.result() is not None:
            raise OverflowError("nobody is to move")
        return self.player

    def copy(self):
        other = type(self)()
        other.cells, other.player = self.cells.copy(), self.player
        return other


class Uneven(Silent):
    """Tic-tac-toe in which player 0 always gets three quarters."""

    def result(self):
        return None if super().result() is None else 0.75


class Chess(Silent):
    """Tic-tac-toe with moves called as in chess, where `bxc4` is not `Bxc4`."""

    TEXTS = ("bxc4", "Bxc4", "Nf3", "e4", "d4", "c4", "O-O", "a3", "h3")

    def move_text(self, move):
        return self.TEXTS[move]


class Nim:
    """Take 1 to 3 counters; who takes the last one wins. `play` returns another object."""

    def __init__(self, counters=21, player=0):
        self.counters, self.player = counters, player

    def to_move(self):
        return self.player

    def moves(self):
        return range(1, min(self.counters, 3) + 1)

    def play(self, move):
        return Nim(self.counters - move, 1 - self.player)

    def result(self):
        return None if self.counters else float(self.player)


class Broken(Nim):
    """A game that raises in the middle."""

    def play(self, move):
        return Broken(self.counters - move, 1 - self.player)

    def result(self):
        if self.counters == 5:
            raise KeyError("broken at five")
        return super().result()
