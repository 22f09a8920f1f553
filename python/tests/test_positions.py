"""Games and positions."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
import tesuji


def test_positions_are_played_by_text_and_by_number():
    start = tesuji.Game("tic-tac-toe").start()
    assert start.moves == ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]
    position = start.play("b2", start.action("a1"))
    assert position.history == ["b2", "a1"] and position.to_move == 0
    assert start.history == [], "positions do not change"
    assert position.text(8) == "c3" and 4 not in position.actions
    assert not position.is_over and position.result is None
    over = position.play("b1 a2 b3")
    assert over.is_over and over.result == 1.0 and over.moves == [] and over.actions == []
    assert "x" in str(position)


def test_legal_moves_are_a_mask():
    position = tesuji.Game("tic-tac-toe").start().play("b2")
    mask = position.legal_mask()
    assert mask.dtype == np.bool_ and mask.sum() == 8 and not mask[4]


def test_positions_and_games_pickle():
    for name, komi in (("connect-four", None), ("go:5", 5.5), ("hex:4", None), ("heap-go:3x4,7", None)):
        game = tesuji.Game(name, komi)
        position = game.start()
        for _ in range(3):
            position = position.play(position.moves[0])
        for copied in (pickle.loads(pickle.dumps(position)), copy.deepcopy(position)):
            assert copied == position and hash(copied) == hash(position)
            assert str(copied) == str(position) and copied.game == game
        assert position != game.start() and pickle.loads(pickle.dumps(game)) == game
    assert tesuji.Game("go:5", 5.5) != tesuji.Game("go:5", 7.5)


def test_results_pickle():
    game = tesuji.Game("tic-tac-toe")
    for result in (
        tesuji.analyze(game.start(), simulations=50),
        tesuji.match("uct", "random", game, games=4, simulations=20, progress=False),
        tesuji.stats(5, 1, 3),
        tesuji.Recipe("uct", {"select.c": 0.5}),
        tesuji.games(),
        tesuji.thermographs("b3r5b5"),
    ):
        assert pickle.loads(pickle.dumps(result)) == result
    batch = tesuji.search(game.start(), simulations=50)
    copied = pickle.loads(pickle.dumps(batch))
    assert (copied.visits == batch.visits).all() and copied.moves == batch.moves
    again = tesuji.search(game.start(), simulations=50, trees=copied.trees)
    assert (again.visits == batch.visits).all(), "trees of a copy begin empty"
    tuned = tesuji.tune(lambda point: -((point["x"] - 0.3) ** 2), {"x": tesuji.Real(0, 1)}, evaluations=12)
    copied = pickle.loads(pickle.dumps(tuned))
    assert (copied.best, copied.observations) == (tuned.best, tuned.observations)
    assert copied.tuner.recommend()[0] == pytest.approx(tuned.best, abs=0.05) and "x" in copied.tuner.ask()
    raced = tesuji.race(lambda arm, count: [float(arm)] * count, 2)
    assert pickle.loads(pickle.dumps(raced)) == raced and raced.winner == 1


def uniform(planes):
    return np.zeros((len(planes), 9)), np.full(len(planes), 0.5)


def test_agents_pickle():
    agent = pickle.loads(pickle.dumps(tesuji.NetworkAgent(uniform, simulations=9, name="mine")))
    assert agent == tesuji.NetworkAgent(uniform, simulations=9, name="mine")
    assert tesuji.match(agent, "random", "tic-tac-toe", games=2, progress=False).a == "mine"


def test_pictures():
    start = tesuji.Game("hex:5").start().play("c3")
    assert start._repr_svg_().startswith("<svg") and "circle" in start._repr_svg_()
    assert "simulations" in tesuji.analyze(start, simulations=50)._repr_svg_()
    assert tesuji.Game("p-game:2,3").start()._repr_svg_() is None
    assert tesuji.thermographs("b3r5b5", "{3|-1}")._repr_svg_().startswith("<svg")
    assert "<table>" in tesuji.games()._repr_html_()


def test_perft():
    assert tesuji.Game("tic-tac-toe").perft(3) == 9 * 8 * 7


def test_recipes():
    recipe = tesuji.Recipe("uct", {"select.c": 0.25, "reuse": True, "memory.nodes": 100})
    assert recipe.text == "uct,select.c=0.25,reuse=true,memory.nodes=100" == str(recipe)
    assert "c = 0.25" in recipe.toml and recipe.name.startswith("uct")
    with pytest.raises(tesuji.InputError, match="select.d"):
        tesuji.Recipe("uct", {"select.d": 1})
    assert "grave" in tesuji.recipes().column("name")
    assert any(row.get("parameter_key") == "select.c" for row in tesuji.parts())
    assert tesuji.Recipe("uct,playout=tactics").text != tesuji.Recipe("uct,playout=patterns").text


def test_thermographs():
    found = tesuji.thermographs("b3r5b5")
    assert found.games[0]["heap"] == "b3r5b5" and found.sum["left_first"] is not None
    with pytest.raises(tesuji.InputError, match="accepted are heaps"):
        tesuji.thermographs("x")
