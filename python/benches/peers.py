"""Connect Four, UCT with random playouts: microseconds of processor time a simulation, beside other libraries.

Each library plays by its own rules of Connect Four and searches from the empty board with the same number of simulations: 10 000
in one search, or 128 in each of 64 searches with a null network. Libraries that are not installed are left out.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator

import tesuji

SIMULATIONS = 10_000


def ours() -> Iterator[tuple[str, int, Callable[[], object]]]:
    start = tesuji.Game("connect-four").start()
    yield "tesuji", SIMULATIONS, lambda: tesuji.analyze(start, "uct", simulations=SIMULATIONS)


def openspiel() -> Iterator[tuple[str, int, Callable[[], object]]]:
    import numpy as np
    import pyspiel
    from open_spiel.python.algorithms import mcts

    game = pyspiel.load_game("connect_four")
    state = game.new_initial_state()
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(
        game, evaluator, 1.0, SIMULATIONS, 1000, False, 1, False, pyspiel.ChildSelectionPolicy.UCT
    )
    yield "OpenSpiel MCTSBot, C++", SIMULATIONS, lambda: bot.step(state)
    evaluator_in_python = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    python = mcts.MCTSBot(game, 1.0, SIMULATIONS, evaluator_in_python, solve=False)
    yield "OpenSpiel MCTSBot, Python", SIMULATIONS, lambda: python.step(state)
    own = tesuji.Game("python:tesuji.adapters.openspiel.connect_four").start()
    yield "tesuji, OpenSpiel's game", SIMULATIONS, lambda: tesuji.analyze(own, "uct", simulations=SIMULATIONS)


def package_mcts() -> Iterator[tuple[str, int, Callable[[], object]]]:
    from copy import deepcopy

    from mcts import mcts

    class State:
        def __init__(self) -> None:
            self.position = tesuji.Game("connect-four").start()

        def getCurrentPlayer(self) -> int:
            return 1 - 2 * self.position.to_move

        def getPossibleActions(self) -> list[int]:
            return self.position.actions

        def takeAction(self, action: int) -> State:
            state = deepcopy(self)
            state.position = self.position.play(action)
            return state

        def isTerminal(self) -> bool:
            return self.position.is_over

        def getReward(self) -> float:
            return 2 * (self.position.result or 0) - 1

    yield "mcts 1.0", SIMULATIONS, lambda: mcts(iterationLimit=SIMULATIONS).search(initialState=State())


def pgx() -> Iterator[tuple[str, int, Callable[[], object]]]:
    import jax
    import jax.numpy as jnp
    import mctx
    import pgx

    env = pgx.make("connect_four")
    batch, simulations = 64, 128
    step, keys = jax.vmap(env.step), jax.random.split(jax.random.PRNGKey(0), batch)
    state = jax.vmap(env.init)(keys)

    def recurrent(params, key, action, state):  # type: ignore[no-untyped-def]
        player = state.current_player
        state = step(state, action)
        reward = state.rewards[jnp.arange(batch), player]
        discount = jnp.where(state.terminated, 0.0, -1.0)
        logits = jnp.where(state.legal_action_mask, 0.0, -1e9)
        output = mctx.RecurrentFnOutput(reward=reward, discount=discount, prior_logits=logits, value=jnp.zeros(batch))
        return output, state

    @jax.jit
    def run(key, state):  # type: ignore[no-untyped-def]
        root = mctx.RootFnOutput(prior_logits=jnp.zeros((batch, 7)), value=jnp.zeros(batch), embedding=state)
        return mctx.gumbel_muzero_policy(None, key, root, recurrent, simulations).action

    key = jax.random.PRNGKey(1)
    run(key, state).block_until_ready()
    yield "mctx through pgx, null network, 64 at once", batch * simulations, lambda: run(key, state).block_until_ready()


def null_network() -> Iterator[tuple[str, int, Callable[[], object]]]:
    import numpy as np

    game = tesuji.Game("connect-four")
    logits, values = np.zeros((64, game.actions), np.float32), np.full(64, 0.5, np.float32)
    evaluate = lambda planes: (logits[: len(planes)], values[: len(planes)])
    work = lambda: tesuji.search([game.start()] * 64, evaluate, recipe="puct-net,root=gumbel", simulations=128)
    yield "tesuji, null network, 64 at once", 64 * 128, work


if __name__ == "__main__":
    for library in (ours, openspiel, package_mcts, null_network, pgx):
        try:
            for name, simulations, work in library():
                times = []
                for _ in range(9):
                    begun = time.process_time()
                    work()
                    times.append((time.process_time() - begun) / simulations)
                print(f"{name}: {1e6 * statistics.median(times):.2f} us a simulation", flush=True)
        except ImportError as error:
            print(f"{library.__name__}: {error}", flush=True)
