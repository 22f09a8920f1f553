"""Games of OpenSpiel and PettingZoo, one played each."""

from __future__ import annotations

import pickle
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import tesuji
from tesuji.adapters import openspiel, zoo


def test_a_game_of_openspiel_is_played():
    pytest.importorskip("pyspiel")
    game = tesuji.Game("python:tesuji.adapters.openspiel.tic_tac_toe")
    assert game.actions == 9 and game.planes_shape == (3, 3, 3)
    result = tesuji.match("uct", "random", game, games=10, simulations=50, progress=False)
    assert result.games == 10 and result.score > 0.7
    position = game.start()
    while not position.is_over:
        position = position.play(tesuji.analyze(position, simulations=100).best)
    assert position.result == 0.5 and pickle.loads(pickle.dumps(position)) == position
    assert position.to_move == 0
    evaluate = lambda planes: (np.zeros((len(planes), 9)), np.full(len(planes), 0.5))
    assert tesuji.search(game.start(), evaluate, simulations=30).visits.sum() == 30
    agent = tesuji.NetworkAgent(evaluate, simulations=20)
    assert tesuji.match(agent, "random", game, games=10, simulations=20, progress=False).games == 10


def test_a_finished_game_of_openspiel_names_no_player():
    class Game:
        """Ends at once; its player at the end is that of OpenSpiel."""

        def get_game(self):
            return self

        def num_distinct_actions(self):
            return 1

        def observation_tensor_shape(self):
            return [1]

        def is_terminal(self):
            return True

        def current_player(self):
            return -4

        def action_to_string(self, player, move):
            return " \n".join(["one", str(move)])

    ended = openspiel.OpenSpielGame(Game())
    assert ended.to_move() == 0 and ended.move_text(2) == "one_2"


def test_the_same_game_of_openspiel_has_the_same_tree():
    pytest.importorskip("pyspiel")
    theirs, ours = tesuji.Game("python:tesuji.adapters.openspiel.tic_tac_toe"), tesuji.Game("tic-tac-toe")
    a, b = (tesuji.search(game.start(), simulations=200, seed=4) for game in (theirs, ours))
    assert (a.visits == b.visits).all() and a.values == b.values


def test_games_of_openspiel_that_do_not_fit_are_refused():
    pytest.importorskip("pyspiel")
    for name, message in (("backgammon", "no chance"), ("kuhn_poker", "perfect information"), ("nothing", "no game nothing")):
        with pytest.raises(tesuji.InputError, match=message):
            tesuji.Game(f"python:tesuji.adapters.openspiel.{name}")


def test_a_game_of_pettingzoo_is_played():
    pytest.importorskip("pettingzoo.classic")
    game = tesuji.Game("python:tesuji.adapters.zoo.tictactoe_v3")
    assert game.actions == 9
    position = game.start()
    while not position.is_over:
        position = position.play(tesuji.analyze(position, simulations=60).best)
    assert position.result == 0.5
    result = tesuji.match("uct", "random", game, games=4, simulations=20, progress=False)
    assert result.games == 4
    with pytest.raises(tesuji.InputError, match="no classic game nothing_v9"):
        tesuji.Game("python:tesuji.adapters.zoo.nothing_v9")


def test_positions_of_pettingzoo_are_replayed():
    pytest.importorskip("pettingzoo.classic")
    game = tesuji.Game("python:tesuji.adapters.zoo.connect_four_v3")
    one, two = game.start().play("3", "3", "2"), game.start().play("0")
    assert one.to_move == 1 and two.to_move == 1 and one.moves == [str(i) for i in range(7)]
    assert one.planes().sum() == 3 and two.planes().sum() == 1 and one.planes().sum() == 3
    assert game.start().play("3 0 3 0 3 0 3").result == 1.0


class Environment:
    """Counts its moves, slowly. Some it does not like."""

    possible_agents = ["first", "second"]

    def __init__(self):
        self.disliked = []

    def action_space(self, agent):
        return type("Space", (), {"n": 9})

    def reset(self, seed):
        self.moves = []

    def step(self, move):
        time.sleep(1e-4)
        self.moves.append(move)
        if move in self.disliked:
            raise ValueError(f"not {move}")

    @property
    def agent_selection(self):
        return self.possible_agents[len(self.moves) % 2]

    def observe(self, agent):
        return {"action_mask": [n not in self.moves for n in range(9)], "observation": np.zeros((3, 3))}


def test_a_replay_of_pettingzoo_begins_anew_after_an_exception():
    environment = zoo._Environment(Environment)
    start = zoo.ZooGame(environment)
    one, two = start.play(1), start.play(1).play(2).play(3)
    assert one.moves() == [0, 2, 3, 4, 5, 6, 7, 8]
    environment.env.disliked = [3]
    with pytest.raises(ValueError, match="not 3"):
        two.moves()
    environment.env.disliked = []
    # The environment has played more than was noted of it.
    assert one.moves() == [0, 2, 3, 4, 5, 6, 7, 8] and one.to_move() == 1
    assert two.moves() == [0, 4, 5, 6, 7, 8]


def test_positions_of_pettingzoo_take_turns_in_threads():
    start = zoo.ZooGame(zoo._Environment(Environment))
    positions = [start.play(n).play(n + 1) for n in range(8)]
    with ThreadPoolExecutor(8) as threads:
        for _ in range(20):
            for n, moves in enumerate(threads.map(lambda position: position.moves(), positions)):
                assert moves == [m for m in range(9) if m not in (n, n + 1)]
