"""Games written in Python."""

from __future__ import annotations

import copy
import functools
import gc
import importlib
import pickle
import subprocess
import sys
import weakref

import numpy as np
import pytest
import tesuji
from games import Broken, Chess, Nim, Silent, TicTacToe


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


def uniform(planes):
    return np.zeros((len(planes), 9)), np.full(len(planes), 0.5)


def test_nobody_is_to_move_at_the_end():
    game = tesuji.Game(Silent)
    agent = tesuji.NetworkAgent(uniform, simulations=10)
    for a, b in ((agent, "uct"), ("random", agent)):
        assert tesuji.match(a, b, game, games=10, simulations=10, progress=False).games == 10
    assert tesuji.match("uct", "random", game, games=10, simulations=10, progress=False).games == 10
    over = game.start().play("b1 a2 b2 a1 b3")
    assert over.is_over and over.to_move == 0

    class Lost(Nim):
        def to_move(self):
            return -4

    with pytest.raises(tesuji.InputError, match=r"to_move\(\) is -4; accepted: 0 or 1"):
        tesuji.Game(Lost).start().to_move


def test_moves_that_differ_in_case_are_two():
    game = tesuji.Game(Chess)
    start = game.start()
    assert [start.action(text) for text in ("bxc4", "Bxc4", "nf3")] == [0, 1, 2]
    for text, action in (("bxc4", 0), ("Bxc4", 1)):
        position = start.play(text)
        assert position.history == [text] and position.actions == [m for m in range(9) if m != action]
        assert pickle.loads(pickle.dumps(position)).actions == position.actions
        assert text not in tesuji.analyze(position, simulations=50).visits
        again = tesuji.analyze(position, simulations=50, seed=2).visits
        assert again == tesuji.analyze(pickle.loads(pickle.dumps(position)), simulations=50, seed=2).visits
    for play in (start.action, start.play):
        with pytest.raises(tesuji.InputError, match='"BXC4",? is not legal there; accepted: bxc4, Bxc4'):
            play("BXC4")


def test_texts_of_moves_are_words_of_their_own():
    def called(*texts):
        return tesuji.Game(type("Called", (Chess,), {"TEXTS": texts + Chess.TEXTS[len(texts) :]}))

    for text, meant in (("b takes c4", "b_takes_c4"), ("", "0"), ("\t", "0"), ("a\u00a0b", "a_b")):
        with pytest.raises(tesuji.InputError, match=f"accepted: a text without white space, such as \"{meant}\""):
            called(text).start().moves
    with pytest.raises(tesuji.InputError, match=r'move_text\(0\) and move_text\(1\) are both "x"; accepted: another text'):
        called("x", "x").start().play("x")


def test_numbers_of_moves_that_are_too_large_for_arrays_are_refused():
    class Packed(Nim):
        def moves(self):
            return [move << 30 for move in super().moves()]

        def play(self, move):
            return Packed(self.counters - (move >> 30), 1 - self.player)

    class Wide(TicTacToe):
        actions = 1 << 24

    start = tesuji.Game(Packed).start()
    with pytest.raises(tesuji.InputError, match="the number 3221225472; accepted in a search: below 16777216"):
        tesuji.search([start] * 4, simulations=10)
    assert tesuji.analyze(start, simulations=100).simulations == 100, "other calls have no arrays"
    with pytest.raises(tesuji.InputError, match="17 positions of 16777216 actions .* and so 16 positions"):
        tesuji.search([tesuji.Game(Wide).start()] * 17, simulations=10)


def test_positions_of_another_game_of_python_are_refused():
    nim, tic_tac_toe = tesuji.Game(Nim).start(), tesuji.Game(TicTacToe).start()
    with pytest.raises(tesuji.InputError, match="position 1 is one of another game"):
        tesuji.search([tic_tac_toe, nim], simulations=10)
    found = tesuji.search([tesuji.Game(Nim).start(), tesuji.Game(Nim).start()], simulations=10)
    assert len(found) == 2


def test_a_name_leads_to_the_class_of_its_module(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    file = tmp_path / "changing_game.py"
    text = "from games import Nim\nclass Mine(Nim):\n    def __init__(self, counters={}, player=0):\n        super().__init__(counters, player)\n"
    file.write_text(text.format(1))
    module = importlib.import_module("changing_game")
    before, by_name = tesuji.Game(module.Mine), tesuji.Game("python:changing_game.Mine")
    assert before == by_name and before.start().moves == ["1"]
    file.write_text(text.format(12))
    module = importlib.reload(module)
    after = tesuji.Game("python:changing_game.Mine")
    assert after.start().moves == ["1", "2", "3"], "an object that was used before is no registration"
    assert before.perft(1) == 1 and tesuji.match("uct", "random", before, games=2, simulations=10, opening_plies=0, progress=False).games == 2
    assert tesuji.Game("python:changing_game.Mine").start().moves == ["1", "2", "3"]
    assert before != after and tesuji.Game(module.Mine) == after
    ask = dict(games=2, simulations=10, progress=False)
    with pytest.raises(tesuji.InputError, match="this name does not lead to it"):
        tesuji.match("uct", "random", before, out=tmp_path / "before", **ask)
    assert tesuji.match("uct", "random", module.Mine, out=tmp_path / "after", **ask).games == 2


class Outer:
    class Inner(Nim):
        """A class that no other process finds by its name."""


def test_games_are_stored_under_names_that_others_find(tmp_path):
    ask = dict(games=2, simulations=10, progress=False)
    for game in (Outer.Inner, functools.partial(Nim, 5), lambda: Nim(5)):
        assert tesuji.match("uct", "random", game, **ask).games == 2
        with pytest.raises(tesuji.InputError, match="accepted with out: a class of a module"):
            tesuji.match("uct", "random", game, out=tmp_path / "out", **ask)
    assert tesuji.Game(functools.partial(Nim, 5)).name == "python:functools.<partial>"
    tesuji.register_game("inner", Outer.Inner)
    assert tesuji.match("uct", "random", "python:inner", out=tmp_path / "out", **ask).games == 2


def test_an_exception_of_a_game_is_not_kept():
    class Fault(Exception):
        pass

    class Faulty(Nim):
        def play(self, move):
            if self.counters == 3:
                raise Fault
            return Faulty(self.counters - move, 1 - self.player)

    game, seen = tesuji.Game(Faulty), []
    for fails in (
        lambda: game.start().play("3 3 3 3 3 3 1"),
        lambda: tesuji.analyze(game.start(), simulations=500),
        lambda: tesuji.search([game.start()] * 2, simulations=500),
    ):
        with pytest.raises(Fault) as caught:
            fails()
        seen.append(weakref.ref(caught.value))
        del caught
    gc.collect()
    assert [error() for error in seen] == [None] * 3
