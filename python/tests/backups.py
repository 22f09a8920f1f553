"""Backups written in Python, for the tests."""

from __future__ import annotations


class Mean:
    """The mean of all samples."""

    def update(self, node, sample):
        node.value += (sample - node.value) / node.visits


class MeanInMemo:
    """The mean of all samples, from sums that are kept at each node."""

    backup_state = 2

    def update(self, node, sample):
        node.backup_state[0] += 1
        node.backup_state[1] += sample
        node.value = node.backup_state[1] / node.backup_state[0]


class Fading:
    """A mean in which late samples count more."""

    def __init__(self, rate: float = 0.01):
        if not 0 <= rate <= 1:
            raise ValueError(f"rate is {rate}; accepted: 0 to 1")
        self.rate = rate

    def update(self, node, sample):
        node.value += (sample - node.value) * max(1 / node.visits, self.rate)


class Best:
    """The value of the best child."""

    def update(self, node, sample):
        assert node.is_own == (not node.children) or node.visits > 1
        if not node.children:
            node.value += (sample - node.value) / node.visits
            return
        assert sum(visits for visits, _ in node.children) <= node.visits
        node.value = node.turn(max(value for _, value in node.children))
        assert abs(node.turn(node.turn(0.3)) - 0.3) < 1e-12


class Broken:
    """Raises after a while."""

    def update(self, node, sample):
        if node.visits == 50:
            raise LookupError("fifty")


class Wild:
    """Sets a value that no game has."""

    def update(self, node, sample):
        node.value = 1.5


class Forgetful:
    """Has no update."""


class Large(Mean):
    """Would keep more at each node than a process has."""

    backup_state = 10**12
