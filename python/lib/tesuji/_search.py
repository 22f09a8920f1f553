"""Many searches side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _tesuji
from ._check import LARGEST, whole
from ._recipe import AnyRecipe
from ._tesuji import InputError, Position, Searches

#: A network: planes [B, C, H, W] to logits [B, A] and values [B].
Evaluate = Callable[[NDArray[np.float32]], "tuple[Any, Any]"]


@dataclass(frozen=True)
class Batch:
    """The results of searches of B positions. A is the number of actions of the game, ``game.actions``."""

    positions: Sequence[Position] = field(repr=False)
    #: The moves to play, as actions: int64[B].
    best: NDArray[np.int64]
    #: The values in [0, 1] of the positions for the player to move: float32[B].
    values: NDArray[np.float32]
    #: The visits of each action: uint32[B, A].
    visits: NDArray[np.uint32]
    #: What a policy network should answer, rows of sum 1: float32[B, A]. The improved policy of Gumbel for recipes with
    #: ``root=gumbel``, otherwise each action's share of the visits.
    policy: NDArray[np.float32]
    #: Simulations of each search: uint64[B].
    simulations: NDArray[np.uint64]
    #: Positions that were evaluated for each search: uint64[B].
    evaluations: NDArray[np.uint64]
    #: The trees, with which the next call goes on. They do not pickle: those of an unpickled batch are empty.
    trees: Searches = field(repr=False)

    @property
    def moves(self) -> list[str]:
        """The moves to play, as text."""
        return [position.text(int(action)) for position, action in zip(self.positions, self.best)]

    def play(self, actions: Sequence[int] | NDArray[np.integer[Any]] | None = None) -> list[Position]:
        """The positions after these actions, by default the best ones."""
        chosen = self.best if actions is None else actions
        return [position.play(int(action)) for position, action in zip(self.positions, chosen)]

    def __len__(self) -> int:
        return len(self.positions)

    def __getstate__(self) -> dict[str, Any]:
        trees = (self.trees.game, self.trees.recipe, self.trees.evaluates)
        return {**self.__dict__, "trees": trees}

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Trees stay where they grew: those of an unpickled batch are empty.
        game, recipe, evaluates = state["trees"]
        self.__dict__.update({**state, "trees": Searches(game, recipe, evaluates, as_array)})


def search(
    positions: Sequence[Position] | Position,
    evaluate: Evaluate | None = None,
    *,
    recipe: AnyRecipe | None = None,
    simulations: int = 200,
    seed: int | Sequence[int] = 0,
    trees: Searches | None = None,
) -> Batch:
    """Searches many positions of one game in lockstep: one call of ``evaluate`` answers the leaves of all searches.

    :param positions: B positions, none of them over.
    :param evaluate: a network. It is called with planes, float32[B', C, H, W] in the order of C, of the B' <= B positions
        that are to be evaluated, and returns logits [B', A] of all actions and values [B'] in [0, 1] for the player to
        move: anything that NumPy reads, such as CPU tensors of PyTorch. Logits of illegal actions are not looked at. It runs
        in the calling thread, while no tree grows. Without it, searches play playouts.
    :param recipe: the agent. Default: ``"puct-net"`` with a network, else ``"uct"``.
    :param simulations: the simulations of each search.
    :param seed: the seed of the first search; the i-th one has ``seed + i``. Or a seed for each.
    :param trees: ``Batch.trees`` of an earlier call with the same game and recipe: the i-th search goes on with the i-th tree
        if its position follows from the earlier one.

    A search finds the same alone and in any batch, and the same as :func:`analyze` with the same seed. The GIL is released
    while trees grow. Ctrl-C, and an exception of ``evaluate``, end all searches at once.
    """
    batch = [positions] if isinstance(positions, Position) else list(positions)
    if not batch:
        raise InputError("there are no positions; accepted: at least one")
    simulations = whole("simulations", simulations, 1, LARGEST)
    if isinstance(seed, (int, np.integer)):
        first = whole("seed", seed, 0, LARGEST - len(batch) + 1)
        seeds = list(range(first, first + len(batch)))
    else:
        seeds = [whole("a seed", one, 0, LARGEST) for one in seed]
    text = str(recipe if recipe is not None else trees.recipe if trees else "uct" if evaluate is None else "puct-net")
    game = batch[0].game
    if trees is None:
        trees = Searches(game, text, evaluate is not None, as_array)
    elif trees.game != game or trees.recipe != text or trees.evaluates != (evaluate is not None):
        raise InputError(
            f"the trees are those of {trees.recipe} in {trees.game.name} {'with' if trees.evaluates else 'without'} a "
            f"network; accepted: trees of {text} in {game.name}"
        )
    found = trees.run(batch, seeds, simulations, evaluate)
    return Batch(batch, trees=trees, **found)


def as_array(array: Any) -> NDArray[np.float32]:
    """The same numbers as an array of single precision in the order of C: the array itself where it is one."""
    if hasattr(array, "detach"):  # a tensor of PyTorch that may know its gradient, or be elsewhere
        array = array.detach().cpu()
    elif hasattr(array, "__dlpack__") and not hasattr(array, "__array__"):
        array = np.from_dlpack(array)
    return np.ascontiguousarray(array, dtype=np.float32)
