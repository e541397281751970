"""Many matches of a game in step, with NumPy arrays: for self-play, where one policy plays all seats.

    from arena.envs.vector import VectorEnv

    env = VectorEnv("kille", 256, seats=3)
    batch = env.reset(seed=1)
    while training:
        batch = env.step(policy(batch.observations, batch.masks))

In every row one seat of one match is asked; a match that ends is followed by the next one in its row.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.envs.compiled import native
from arena.envs.episode import MOST_UNASKED, Episode, Seeds, Setup, never_asked
from arena.envs.errors import EnvError
from arena.envs.moves import ActionTable
from referee.engine.game import Game


class Batch(NamedTuple):
    """What is asked in each row, and what came of the step before."""

    observations: NDArray[np.float32]
    """What the seats that are asked observe: float32, shape (rows, size)."""
    masks: NDArray[np.bool_]
    """The legal actions: bool, shape (rows, actions)."""
    seats: NDArray[np.int64]
    """Who is asked: int64, shape (rows,)."""
    done: NDArray[np.bool_]
    """Whether the match before ended with the step: bool, shape (rows,); the row then shows a new one."""
    rewards: NDArray[np.float32]
    """The rewards of the matches that ended: float32, shape (rows, seats); elsewhere 0."""


class VectorEnv:
    """Matches in step.

    rows: how many. The other parameters are those of `arena.envs.pettingzoo.env`.

    Raises UnknownGame, OptionError or SeatsError for what cannot be played, and EnvError for a game that cannot be
    trained on.
    """

    def __init__(self, game: Game | str, rows: int, seats: int | None = None, **options: Any) -> None:
        self.setup = Setup(game, seats, options)
        self.rows = rows
        self._seeds = Seeds()
        self._episodes: list[Episode] = []
        self._offered: list[tuple[str, ...]] = []
        self._masks = np.zeros((rows, self.setup.actions.size), dtype=np.bool_)

    @property
    def observation_size(self) -> int:
        """The number of values of an observation."""
        return self.setup.observer.size

    @property
    def action_count(self) -> int:
        """The number of actions."""
        return self.setup.actions.size

    def reset(self, seed: int | None = None) -> Batch:
        """Begin a match in every row: the first ones of a seed, or without one the next."""
        self._episodes = [Episode(self.setup, self._seeds.next(None if row else seed)) for row in range(self.rows)]
        for row in range(self.rows):
            if self._episodes[row].seat is None:
                self._episodes[row] = self._begin()
        return self._batch([], [])

    def step(self, actions: NDArray[Any] | Sequence[int]) -> Batch:
        """Play an action in every row.

        actions: shape (rows,).

        Raises EnvError if one is not legal.
        """
        chosen = np.asarray(actions)
        if chosen.shape != (self.rows,):
            raise EnvError(f"there are {self.rows} rows, not {len(actions)}: give an action for each")
        if chosen.dtype.kind not in "iu":
            raise EnvError(f"actions are whole numbers, not {chosen.dtype}")
        numbers = chosen.astype(np.int64)
        wrong = native.first_stray(numbers, self._masks.view(np.uint8)) if native else self._first_stray(numbers)
        if wrong is not None:
            self._episodes[wrong].play(int(chosen[wrong]))  # says what is wrong
        play = native.play if native else _play
        episodes = self._episodes
        ended = play(episodes, numbers, self._offered, self.setup.actions)
        rewards = []
        for row in ended:
            rewards.append(episodes[row].rewards())
            episodes[row] = self._begin()
        return self._batch(ended, rewards)

    def _first_stray(self, actions: NDArray[np.int64]) -> int | None:
        """Return the first row whose action is not legal."""
        offer = self.setup.actions.offer
        for row, action in enumerate(actions.tolist()):
            if action not in offer(self._offered[row]).moves:
                return row
        return None

    def _begin(self) -> Episode:
        """Return the next match; one that nobody is asked in is over, and passed over. Raises EnvError."""
        for _ in range(MOST_UNASKED):
            episode = Episode(self.setup, self._seeds.next())
            if episode.seat is not None:
                return episode
        raise never_asked(self.setup)

    def _batch(self, ended: list[int], results: list[list[float]]) -> Batch:
        setup, rows = self.setup, self.rows
        observations = np.empty((rows, setup.observer.size), dtype=np.float32)
        masks = np.zeros((rows, setup.actions.size), dtype=np.bool_)
        seats = np.empty(rows, dtype=np.int64)
        fill = native.fill if native else _fill
        self._offered = fill(setup, self._episodes, observations, masks.view(np.uint8), seats)
        self._masks = masks
        done = np.zeros(rows, dtype=np.bool_)
        rewards = np.zeros((rows, setup.seats), dtype=np.float32)
        if ended:
            done[ended] = True
            rewards[ended] = results
        masks.flags.writeable = observations.flags.writeable = False  # the next step reads the masks
        return Batch(observations, masks, seats, done, rewards)


# What `native` does in C


def _play(
    episodes: list[Episode], actions: NDArray[np.int64], offered: list[tuple[str, ...]], table: ActionTable
) -> list[int]:
    """Play a legal action in each row, and return the rows whose match is over."""
    for row, action in enumerate(actions.tolist()):
        episodes[row].play_move(table.offer(offered[row]).moves[action])
    return [row for row, episode in enumerate(episodes) if episode.seat is None]


def _fill(
    setup: Setup,
    episodes: list[Episode],
    observations: NDArray[np.float32],
    masks: NDArray[np.uint8],
    seats: NDArray[np.int64],
) -> list[tuple[str, ...]]:
    """Write what is asked in each row, and return the legal moves."""
    encode, offer = setup.observer.encode, setup.actions.offer
    offered = []
    for row, episode in enumerate(episodes):
        state, seat = episode.state, episode.seat
        assert seat is not None
        seats[row] = seat
        observations[row] = np.frombuffer(encode(state.view(seat), seat), dtype=np.float32)
        legal = state.legal(seat)
        masks[row] = np.frombuffer(offer(legal).mask, dtype=np.uint8)
        offered.append(legal)
    return offered
