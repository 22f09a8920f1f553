"""Games written in Python."""

from __future__ import annotations

import copy
import gc
import pickle
import subprocess
import sys
import weakref

import numpy as np
import pytest
import tesuji
from games import Broken, Nim, TicTacToe


def test_the_same_game_has_the_same_trees():
    own, built_in = tesuji.Game(TicTacToe), tesuji.Game("tic-tac-toe")
    for moves in ("", "b2", "b2 a1 c3"):
        ours = tesuji.analyze(tesuji.Position(own, moves), "uct", simulations=400, seed=3)
        theirs = tesuji.analyze(tesuji.Position(built_in, moves), "uct", simulations=400, seed=3)
        assert (ours.visits, ours.value, ours.variation) == (theirs.visits, theirs.value, theirs.variation)
    assert own.actions == 9 and own.planes_shape == (3, 3, 3)


def test_it_has_the_planes_and_networks_of_others():
    own, built_in = tesuji.Game(TicTacToe), tesuji.Game("tic-tac-toe")
    weights = np.random.default_rng(2).normal(size=(27, 10))

    def evaluate(planes):
        answer = planes.reshape(len(planes), -1) @ weights
        return answer[:, :9], 1 / (1 + np.exp(-answer[:, 9]))

    for moves in ("", "b2", "b2 a1 c3"):
        a, b = (tesuji.Position(game, moves) for game in (own, built_in))
        assert (a.planes() == b.planes()).all()
        ours, theirs = (tesuji.search(p, evaluate, simulations=200, seed=1) for p in (a, b))
        assert (ours.visits == theirs.visits).all()


def test_play_may_return_the_object_that_it_changed():
    class Chained(TicTacToe):
        def play(self, move):
            super().play(move)
            return self

        def copy(self):
            other = Chained()
            other.cells, other.player = self.cells.copy(), self.player
            return other

    start = tesuji.Game(Chained).start()
    assert start.play("b2").play("a1").moves == tesuji.Position(tesuji.Game(TicTacToe), "b2 a1").moves
    ours, theirs = (tesuji.analyze(tesuji.Game(game).start(), "uct", simulations=400, seed=3) for game in (Chained, TicTacToe))
    assert ours.visits == theirs.visits


def test_nim_is_won_by_a_multiple_of_four():
    found = tesuji.analyze(tesuji.Game(Nim).start().play("3 3 3 3 3"), "uct", simulations=600)
    assert found.best == "2"


def test_it_is_played_stored_and_pickled(tmp_path):
    result = tesuji.match("uct", "random", Nim, games=10, simulations=60, out=tmp_path / "nim", progress=False)
    assert result.games == 10 and result.score > 0.6 and result.game == "python:games.Nim"
    store = tesuji.Store(tmp_path / "nim")
    assert store.verify() == [] and len(store.games()) == 10
    again = tesuji.match("uct", "random", Nim, games=10, simulations=60, out=tmp_path / "nim", progress=False)
    assert again.wins == result.wins
    position = tesuji.Game(Nim).start().play("3")
    assert pickle.loads(pickle.dumps(position)) == position
    # By its name, it is a game of experiment files and of every other process.
    assert tesuji.Game("python:games.Nim").start().play("3").moves == position.moves


def test_exceptions_of_a_game_come_back(tmp_path):
    game = tesuji.Game(Broken)
    with pytest.raises(KeyError, match="broken at five"):
        tesuji.analyze(game.start(), simulations=500)
    with pytest.raises(KeyError, match="broken at five"):
        tesuji.search([game.start()] * 3, simulations=500)
    with pytest.raises(KeyError, match="broken at five"):
        tesuji.match("uct", "random", Broken, games=20, simulations=30, threads=2, progress=False)
    with pytest.raises(KeyError, match="broken at five"):
        game.start().play("3 3 3 3 3 1").is_over


def test_faults_of_a_game_are_explained():
    class Incomplete:
        def to_move(self):
            return 0

    with pytest.raises(TypeError, match="has no method moves"):
        tesuji.Game(Incomplete)

    class Loud(Nim):
        def result(self):
            return None if self.counters else 2

        def play(self, move):
            return Loud(self.counters - move, 1 - self.player)

    with pytest.raises(tesuji.InputError, match=r"result\(\) is 2"):
        tesuji.analyze(tesuji.Game(Loud).start(), simulations=100)
    with pytest.raises(tesuji.InputError, match="there is no game python:nowhere.Game"):
        tesuji.Game("python:nowhere.Game")
    with pytest.raises(tesuji.InputError, match="does not number its moves|no planes"):
        tesuji.search(tesuji.Game(Nim).start(), lambda planes: planes)


def test_an_object_can_be_registered():
    tesuji.register_game("small-nim", lambda: Nim(5))
    assert tesuji.Game("python:small-nim").start().play("3").moves == ["1", "2"]
    result = tesuji.match("uct", "random", "python:small-nim", games=4, simulations=50, progress=False)
    assert result.game == "python:small-nim"


def test_games_of_the_same_name_keep_their_rules(tmp_path):
    small, large = (tesuji.Game(make) for make in (lambda: Nim(4), lambda: Nim(21)))
    assert small.name == large.name and small != large
    assert small.perft(2) < large.perft(2) and copy.deepcopy(small.start()) == small.start()
    result = tesuji.match("uct", "uct", small, games=2, simulations=10, opening_plies=3, progress=False)
    assert result.games == 2
    found = tesuji.search(small.start(), simulations=50)
    assert found.best[0] in (1, 2, 3)
    with pytest.raises(tesuji.InputError, match="accepted with out: a class of a module"):
        tesuji.match("uct", "random", small, games=2, simulations=10, out=tmp_path / "nim", progress=False)


def test_a_record_of_a_game_that_is_not_known_is_read(tmp_path):
    tesuji.register_game("forgotten", Nim)
    tesuji.match("uct", "random", "python:forgotten", games=2, simulations=10, out=tmp_path / "nim", progress=False)
    code = f"import tesuji; print(list(tesuji.Store({str(tmp_path / 'nim')!r}).matches().values())[0].games)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert said.stdout == "2\n", said.stderr


def test_too_many_actions_are_refused():
    with pytest.raises(tesuji.InputError, match="actions is 1000000000; accepted: at most"):
        tesuji.Game(type("Wide", (Nim,), {"actions": 10**9}))


def test_a_function_that_knows_its_trees_is_freed():
    game = tesuji.Game(TicTacToe)

    class Network:
        trees = None

        def __call__(self, planes):
            return np.zeros((len(planes), 9)), np.full(len(planes), 0.5)

    network = Network()
    network.trees = tesuji.search(game.start(), network, simulations=20).trees
    seen = weakref.ref(network)
    del network
    gc.collect()
    assert seen() is None
