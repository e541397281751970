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

from arena.envs.episode import MOST_UNASKED, Episode, Seeds, Setup, never_asked
from arena.envs.errors import EnvError
from arena.envs.moves import Offer
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
        self._offers: list[Offer] = []

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
        if len(actions) != self.rows:
            raise EnvError(f"there are {self.rows} rows, not {len(actions)}: give an action for each")
        ended, rewards = [], []
        episodes = self._episodes
        for row, action in enumerate(np.asarray(actions).tolist()):
            episode = episodes[row]
            move = self._offers[row].moves.get(action)
            if move is None:
                episode.play(action)  # says what is wrong
            else:
                episode.play_move(move)
            if episode.seat is None:
                ended.append(row)
                rewards.append(episode.rewards())
                episodes[row] = self._begin()
        return self._batch(ended, rewards)

    def _begin(self) -> Episode:
        """Return the next match; one that nobody is asked in is over, and passed over. Raises EnvError."""
        for _ in range(MOST_UNASKED):
            episode = Episode(self.setup, self._seeds.next())
            if episode.seat is not None:
                return episode
        raise never_asked(self.setup)

    def _batch(self, ended: list[int], results: list[list[float]]) -> Batch:
        setup, episodes, rows = self.setup, self._episodes, self.rows
        encode, offer = setup.observer.encode, setup.actions.offer
        observations, seats, offers = [], [], []
        for episode in episodes:
            state, seat = episode.state, episode.seat
            assert seat is not None
            observations.append(encode(state.view(seat), seat))
            offers.append(offer(state.legal(seat)))
            seats.append(seat)
        self._offers = offers
        done = np.zeros(rows, dtype=np.bool_)
        rewards = np.zeros((rows, setup.seats), dtype=np.float32)
        if ended:
            done[ended] = True
            rewards[ended] = results
        return Batch(
            np.frombuffer(b"".join(observations), dtype=np.float32).reshape(rows, setup.observer.size),
            np.frombuffer(b"".join([offered.mask for offered in offers]), dtype=np.bool_).reshape(
                rows, setup.actions.size
            ),
            np.array(seats),
            done,
            rewards,
        )
