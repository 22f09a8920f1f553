"""Backups written in Python."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor

import backups
import numpy as np
import pytest
import tesuji

GAME = tesuji.Game("connect-four")
PYTHON = "backup=python,backup.name="


def test_the_same_backup_has_the_same_trees():
    position = GAME.start().play("4 4 3")
    for recipe in ("uct", "uct,reuse=true", "uct,solver=true", "grave", "puct-net"):
        evaluate = (lambda planes: (np.zeros((len(planes), 49)), planes.mean(axis=(1, 2, 3)))) if "net" in recipe else None
        ours, theirs, kept = (
            tesuji.search([position] * 3, evaluate, recipe=f"{recipe},{backup}", simulations=300)
            for backup in (PYTHON + "backups.Mean", "backup=mean", PYTHON + "backups.MeanInMemo")
        )
        assert (ours.visits == theirs.visits).all() and (ours.values == theirs.values).all(), recipe
        assert (kept.values - theirs.values).max() < 1e-5
    ours = tesuji.analyze(position, f"uct,{PYTHON}backups.Mean", simulations=500, seed=3)
    assert ours.visits == tesuji.analyze(position, "uct", simulations=500, seed=3).visits


def test_children_are_seen_by_the_player_to_move():
    position = GAME.start().play("4 1 4 1 4")
    ours, theirs = (
        tesuji.search(position, recipe=f"uct,{backup}", simulations=1000)
        for backup in (PYTHON + "backups.Best", "backup=max")
    )
    assert (ours.visits == theirs.visits).all() and (ours.values == theirs.values).all()


def test_settings_are_arguments_and_part_of_the_identity():
    recipe = tesuji.Recipe("uct", {"backup": "python", "backup.name": "backups.Fading", "backup.settings.rate": 1})
    assert "rate = 1.0" in recipe.toml
    assert "rate = 0.01" in tesuji.Recipe(f"uct,{PYTHON}backups.Fading").toml, "defaults are written out"
    last, first = (
        tesuji.analyze(GAME.start(), f"uct,{PYTHON}backups.Fading,backup.settings.rate={rate}", simulations=50)
        for rate in (1, 0)
    )
    assert last.visits != first.visits
    assert first.visits == tesuji.analyze(GAME.start(), "uct", simulations=50).visits


def test_a_registered_name_is_replaced():
    tesuji.register_backup("mine", backups.Mean)
    before = tesuji.analyze(GAME.start(), f"uct,{PYTHON}mine", simulations=200)
    tesuji.register_backup("mine", lambda: backups.Fading(0.5))
    after = tesuji.analyze(GAME.start(), f"uct,{PYTHON}mine", simulations=200)
    assert before.visits != after.visits


def test_matches_and_experiments_are_stored(tmp_path):
    agent = f"uct,{PYTHON}backups.Fading,backup.settings.rate=0.1"
    ask = dict(game="tic-tac-toe", games=10, simulations=40, out=tmp_path / "out", progress=False)
    result = tesuji.match(agent, "random", **ask)
    assert result.games == 10 and result.score > 0.7
    assert tesuji.match(agent, "random", threads=2, **ask).wins == result.wins, "the record has all games"
    assert tesuji.Store(tmp_path / "out").verify() == []
    fresh = tesuji.match("uct,backup=mean", "random", **{**ask, "out": None})
    same = tesuji.match(f"uct,{PYTHON}backups.Mean", "random", threads=2, **{**ask, "out": None})
    assert (fresh.wins, fresh.draws) == (same.wins, same.draws)


def test_experiments_name_a_backup(tmp_path):
    file = tmp_path / "decide.toml"
    file.write_text(
        'kind = "decisions"\nname = "decide"\nabout = "Mine"\ntrees = 40\nsimulations = [50]\nbaseline = "mean"\n'
        '[[setting]]\nname = "U"\nbranching = 4\ndepth = 6\nrecipe = "uct"\nc = [0.5]\n'
        '[[agent]]\nname = "mean"\n[[agent]]\nname = "mine"\nparts = "backup=python,backup.name=backups.Mean"\n'
    )
    ask = dict(out=tmp_path / "out", results=tmp_path / "results", progress=False)
    table = tesuji.run(file, threads=2, **ask).tables["decisions"]
    mean, mine = (next(row for row in table if row["agent"] == name) for name in ("mean", "mine"))
    assert mean["robust_rate"] == mine["robust_rate"]


def test_exceptions_of_a_backup_come_back(tmp_path):
    recipe = f"uct,{PYTHON}backups.Broken"
    with pytest.raises(LookupError, match="fifty"):
        tesuji.analyze(GAME.start(), recipe, simulations=500)
    with pytest.raises(LookupError, match="fifty"):
        tesuji.search([GAME.start()] * 3, recipe=recipe, simulations=500)
    for threads in (1, 2):
        with pytest.raises(LookupError, match="fifty"):
            tesuji.match(recipe, "uct", GAME, games=4, simulations=100, threads=threads, progress=False)
    with pytest.raises(tesuji.InputError, match=r"set the value 1\.5; accepted: 0 to 1"):
        tesuji.analyze(GAME.start(), f"uct,{PYTHON}backups.Wild", simulations=500)


def test_what_is_wrong_with_a_backup_is_said():
    for text, message in (
        ("backups.Nothing", "there is no backup python:backups.Nothing; accepted: a class of a module"),
        ("nothing", "or a name that tesuji.register_backup was told"),
        ("backups.Forgetful", r"has no method update; accepted: update\(node, sample\)"),
        ("backups.Large", "backup_state of the backup backups.Large is 1000000000000; accepted: 0 to 1024"),
        ("backups.Fading,backup.settings.rat=1", "unexpected keyword argument 'rat'"),
        ("backups.Fading,backup.settings.rate=2", "rate is 2.0; accepted: 0 to 1"),
    ):
        with pytest.raises(tesuji.InputError, match=message):
            tesuji.Recipe(f"uct,{PYTHON}{text}")


@pytest.mark.parametrize("parallel", ["root", "tree"])
def test_threads_take_python_in_turn(parallel):
    recipe = f"uct,{PYTHON}backups.Mean,parallel={parallel},parallel.threads=2"
    assert tesuji.analyze(GAME.start(), recipe, simulations=400).simulations == 400
    with ThreadPoolExecutor(3) as pool:
        found = pool.map(lambda seed: tesuji.analyze(GAME.start(), recipe, simulations=100, seed=seed), range(3))
        assert len(list(found)) == 3


def test_a_game_and_a_backup_of_python_meet_in_threads():
    from games import Nim

    game = tesuji.Game(Nim)
    recipe = f"uct,{PYTHON}backups.Mean"
    assert tesuji.analyze(game.start(), recipe, simulations=200).visits == tesuji.analyze(game.start(), simulations=200).visits
    assert tesuji.analyze(game.start(), "uct,parallel=root,parallel.threads=2", simulations=200).simulations == 200


def test_a_default_that_is_no_number_of_json_is_the_classs_own():
    class Bounded(backups.Mean):
        def __init__(self, most=math.inf):
            assert most == math.inf
            self.most = most

    tesuji.register_backup("bounded", Bounded)
    assert tesuji.analyze(tesuji.Game("tic-tac-toe").start(), "uct,backup=python,backup.name=bounded", simulations=20).best
