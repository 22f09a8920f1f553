"""Searches, alone and in lockstep."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import numpy as np
import pytest
import tesuji

GAME = tesuji.Game("connect-four")


def uniform(planes):
    """The same for every position."""
    return np.zeros((len(planes), GAME.actions), np.float32), np.full(len(planes), 0.5, np.float32)


def network(planes):
    """Any function that depends on the whole position."""
    weights = np.random.default_rng(1).normal(size=(planes[0].size, GAME.actions + 1)).astype(np.float32)
    # Row by row: a product of matrices rounds otherwise in another batch.
    answer = np.stack([row.ravel() @ weights for row in planes])
    return answer[:, :-1], 1 / (1 + np.exp(-answer[:, -1]))


def positions():
    return [tesuji.Position(GAME, moves) for moves in ("", "4", "4 4 3", "1 2 3 4 5 6 7", "4 4 4 4 4")]


def test_a_search_finds_what_the_program_finds():
    program = os.environ.get("TESUJI_PROGRAM") or shutil.which("tesuji")
    if not program:
        pytest.skip("the program tesuji is not there; TESUJI_PROGRAM names it")
    for recipe in ("uct", "grave", "softmax"):
        command = [program, "analyze", "--game", "connect-four", "--moves", "4 4 3", "--recipe", recipe]
        printed = json.loads(subprocess.check_output([*command, "--playouts", "500", "--seed", "7", "--json"]))
        found = tesuji.analyze(GAME.start().play("4", "4", "3"), recipe, simulations=500, seed=7)
        for key in ("best", "value", "variation", "moves", "nodes", "drawing", "seed"):
            assert found.data[key] == printed[key], key


def test_lockstep_finds_what_single_searches_find():
    for recipe, evaluate in (("uct", None), ("puct-net", network), ("puct-net,root=gumbel", network)):
        together = tesuji.search(positions(), evaluate, recipe=recipe, simulations=120, seed=[5] * 5)
        for i, position in enumerate(positions()):
            alone = tesuji.search(position, evaluate, recipe=recipe, simulations=120, seed=5)
            assert (alone.visits[0] == together.visits[i]).all()
            assert alone.values[0] == together.values[i]
            assert (alone.policy[0] == together.policy[i]).all()
    position = positions()[2]
    batch, single = tesuji.search(position, simulations=300, seed=3), tesuji.analyze(position, simulations=300, seed=3)
    visits = {position.text(a): int(batch.visits[0, a]) for a in np.flatnonzero(batch.visits[0])}
    assert visits == single.visits


def test_shapes_and_types():
    seen = []

    def evaluate(planes):
        seen.append((planes.shape, planes.dtype, planes.flags.c_contiguous))
        return uniform(planes)

    batch = tesuji.search(positions(), evaluate, simulations=50)
    assert seen[0] == ((5, 3, 6, 7), np.float32, True)
    assert GAME.planes_shape == (3, 6, 7)
    assert batch.visits.shape == batch.policy.shape == (5, GAME.actions)
    assert (batch.visits.dtype, batch.policy.dtype, batch.values.dtype) == (np.uint32, np.float32, np.float32)
    np.testing.assert_allclose(batch.policy.sum(axis=1), 1, rtol=1e-5)
    assert (batch.visits.sum(axis=1) == 50).all()
    assert [p.text(int(a)) for p, a in zip(positions(), batch.best)] == batch.moves
    for position, row in zip(positions(), batch.visits):
        assert not row[~position.legal_mask()].any()
    assert [p.history[-1] for p in batch.play()] == batch.moves


def test_planes_are_from_the_side_of_the_player_to_move():
    planes = GAME.start().play("4").planes()
    assert planes.shape == (3, 6, 7)
    assert planes[1, 0, 3] == 1 and planes.sum() == 1


def test_values_are_for_the_player_to_move():
    # Whoever is to move is told that he loses, so every reply looks won.
    lost = lambda planes: (np.zeros((len(planes), GAME.actions)), np.zeros(len(planes)))
    batch = tesuji.search(GAME.start(), lost, simulations=7)
    assert batch.values[0] > 0.9


class OnlyDlpack:
    """An array of another library, which knows no other protocol."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **how):
        return self.array.__dlpack__(**how)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_arrays_of_other_libraries_fit():
    expected = tesuji.search(positions(), network, simulations=60)
    for wrap in (OnlyDlpack, memoryview, np.ndarray.tolist):
        found = tesuji.search(positions(), lambda planes: tuple(map(wrap, network(planes))), simulations=60)
        assert (found.visits == expected.visits).all(), wrap


def test_tensors_of_pytorch_fit():
    torch = pytest.importorskip("torch")
    expected, shared = tesuji.search(positions(), network, simulations=60), []

    def evaluate(planes):
        tensor = torch.from_numpy(planes)
        shared.append(tensor.data_ptr() == planes.ctypes.data)
        logits, values = network(tensor.numpy())
        return torch.tensor(logits, requires_grad=True), torch.tensor(values)

    assert (tesuji.search(positions(), evaluate, simulations=60).visits == expected.visits).all()
    assert all(shared)


def test_a_network_leads_the_search():
    prefers = GAME.start().action("6")

    def evaluate(planes):
        logits, values = uniform(planes)
        logits[:, prefers] = 20
        return logits, values

    assert tesuji.search(GAME.start(), evaluate, simulations=30).moves == ["6"]


def test_trees_carry_over():
    first = tesuji.search(positions(), network, simulations=200)
    after = first.play()
    reused = tesuji.search(after, network, simulations=200, trees=first.trees)
    fresh = tesuji.search(after, network, simulations=200)
    assert (reused.visits.sum(axis=1) > fresh.visits.sum(axis=1)).any()
    assert reused.trees is first.trees
    # What follows from nothing begins anew.
    reused.trees.clear()
    again = tesuji.search(after, network, simulations=200, trees=first.trees)
    assert (again.visits == fresh.visits).all()
    with pytest.raises(tesuji.InputError, match="accepted: trees of uct"):
        tesuji.search(after, recipe="uct", trees=first.trees)


def test_numbers_of_numpy_fit():
    recipe = tesuji.Recipe("uct", {"select.c": np.float64(0.3), "playout": "uniform"})
    assert recipe.text == "uct,select.c=0.3,playout=uniform" and recipe.simulations is None
    found = tesuji.search(positions(), recipe=recipe, simulations=10, seed=np.int64(3))
    assert (found.visits == tesuji.search(positions(), recipe=recipe, simulations=10, seed=3).visits).all()


def test_exceptions_say_what_is_accepted():
    shape = "accepted: .5, 49. and .5,"
    for evaluate, message in (
        (lambda planes: (np.zeros((5, 48)), np.zeros(5)), shape),
        (lambda planes: (np.zeros((5, 49)), np.zeros(4)), shape),
        (lambda planes: np.zeros(5), "two arrays"),
        (lambda planes: (np.zeros((5, 49)), -np.ones(5)), r"the value -1; accepted: 0 \(loss\) to 1 \(win\)"),
        (lambda planes: (np.full((5, 49), np.nan), np.ones(5)), "the logit of a legal move is NaN"),
    ):
        with pytest.raises(tesuji.InputError, match=message):
            tesuji.search(positions(), evaluate, simulations=10)
    with pytest.raises(tesuji.InputError, match="there is no recipe `utc`; accepted: uct, .*; did you mean `uct`"):
        tesuji.analyze(GAME.start(), "utc")
    with pytest.raises(tesuji.InputError, match="makes no use of a network"):
        tesuji.search(GAME.start(), network, recipe="uct")
    with pytest.raises(tesuji.InputError, match="the game is over in position 1"):
        tesuji.search([GAME.start(), GAME.start().play(*"1212121")])
    with pytest.raises(tesuji.InputError, match="another game"):
        tesuji.search([GAME.start(), tesuji.Game("tic-tac-toe").start()])
    with pytest.raises(tesuji.InputError, match="komi is 0.5, and the game has its own"):
        tesuji.match("uct", "random", tesuji.Game("go:2"), komi=0.5)
    with pytest.raises(tesuji.InputError, match="unknown game \"conect-four\".*did you mean `connect-four`"):
        tesuji.Game("conect-four")
    with pytest.raises(tesuji.InputError, match="is not legal there; accepted: 1, 2, 3"):
        GAME.start().play("9")


def test_a_callback_that_raises_ends_the_search():
    calls = []

    def evaluate(planes):
        calls.append(len(planes))
        if len(calls) == 3:
            raise ZeroDivisionError("mine")
        return uniform(planes)

    trees = tesuji.search(positions(), uniform, simulations=5).trees
    with pytest.raises(ZeroDivisionError, match="mine"):
        tesuji.search(positions(), evaluate, simulations=1000, trees=trees)
    assert len(calls) == 3
    # The trees can be used again.
    assert tesuji.search(positions(), uniform, simulations=5, trees=trees).visits.sum() >= 25


def test_every_game_with_a_board_has_planes():
    for name in ("go:5", "hex:5", "tic-tac-toe", "domineering:4x4", "knightthrough"):
        game = tesuji.Game(name)
        evaluate = lambda planes: (np.zeros((len(planes), game.actions)), np.full(len(planes), 0.5))
        batch = tesuji.search([game.start(), game.start().play(game.start().moves[0])], evaluate, simulations=20)
        assert batch.visits.sum() == 40, name


def test_gumbel_targets_are_probabilities_of_all_legal_moves():
    batch = tesuji.search(GAME.start(), network, recipe="puct-net,root=gumbel", simulations=16)
    assert (batch.policy[0] > 0).sum() == 7
    np.testing.assert_allclose(batch.policy.sum(), 1, rtol=1e-5)
