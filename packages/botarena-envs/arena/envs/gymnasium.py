"""One seat of a match as a Gymnasium environment; sample bots, or policies of yours, play the others.

    import gymnasium

    import arena.envs.gymnasium

    env = gymnasium.make("arena/cambio-v0", opponents=["counter", "cautious", "random"], seats=4)
    observation, info = env.reset(seed=1)

Importing this module registers every game that has a layout of observations, those of packages too; what `make` takes
beside the name are the parameters of `ArenaEnv`. `gymnasium.make("arena.envs.gymnasium:arena/cambio-v0")` imports it.

Observations are those of `arena.envs.pettingzoo`. The reward comes with the end of the match (`Setup.rewards`). An
action that is not legal is dealt with as in a tournament: the default move is played, and after three of them the seat
has forfeited and is ranked last.
"""

import hmac
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray

from arena.envs.episode import MOST_UNASKED, Episode, Seeds, Setup, never_asked
from arena.envs.errors import EnvError
from arena.envs.observation import trainable_games
from arena.run.sample_policies import Policy, check_policy, make_policy
from referee.engine.game import Game

VERSION = 0
"""Raised when observations or actions of our games change. Rules have a version of their own (`Game.behaviour`)."""

STRIKES = 3
"""Actions that are not legal, after which the seat has forfeited."""

Opponent = str | Callable[[NDArray[np.float32], NDArray[np.bool_]], Any]
"""The name of a sample bot, or a policy as in `arena.envs.policy`."""


class ArenaEnv(gymnasium.Env[dict[str, NDArray[Any]], int]):
    """One seat of a game.

    game: a game or its name.
    seat: the seat that is played, drawn for each match by default.
    opponents: who plays the other seats, in turn from the next seat on; a single one plays them all.
    seats, render_mode, options: as in `arena.envs.pettingzoo.env`.

    Raises UnknownPolicy for a sample bot that does not play the game, and what `arena.envs.pettingzoo.env` raises.
    """

    metadata = {"render_modes": ["human", "ansi"], "render_fps": 1}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        game: Game | str,
        seats: int | None = None,
        *,
        seat: int | None = None,
        opponents: Opponent | Sequence[Opponent] = "random",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.setup = Setup(game, seats, options)
        self.render_mode = render_mode
        self._seat = seat
        if seat is not None and not 0 <= seat < self.setup.seats:
            raise EnvError(f"there are the seats 0 to {self.setup.seats - 1}, not {seat}")
        self._opponents = [opponents] if isinstance(opponents, str) or callable(opponents) else list(opponents)
        for opponent in self._opponents:
            if isinstance(opponent, str):
                check_policy(opponent, self.setup.game.name)
        self.observation_space = Dict(
            {
                "observation": Box(-1, 1, (self.setup.observer.size,), np.float32),
                "action_mask": Box(0, 1, (self.setup.actions.size,), np.int8),
            }
        )
        self.action_space = Discrete(self.setup.actions.size)
        self._seeds = Seeds()

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Begin a match: the first one of a seed, or without one the next.

        Raises EnvError where no match asks the seat.
        """
        super().reset(seed=seed)
        for _ in range(MOST_UNASKED):
            self._begin(self._seeds.next(seed))
            seed = None
            if self.episode.seat is not None:  # a match that ends before the seat is asked teaches nothing
                return self._observe(), {}
        raise never_asked(self.setup)

    def _begin(self, match_seed: bytes) -> None:
        setup = self.setup
        own = _own_seed(match_seed)
        self.seat = own[0] % setup.seats if self._seat is None else self._seat
        self.episode = Episode(setup, match_seed, keeps_log=self.render_mode is not None)
        self._strikes = 0
        self._bots = self._new_bots(match_seed)
        self._let_others_play()

    def _new_bots(self, match_seed: bytes) -> dict[str, Policy]:
        """Return the sample bots of a match, by name."""
        setup, own = self.setup, _own_seed(match_seed)
        return {
            name: make_policy(name, setup.game, setup.given, setup.seats, hmac.digest(own, name.encode(), "sha256"))
            for name in self._opponents
            if isinstance(name, str)
        }

    def _opponent(self, seat: int) -> Opponent | None:
        """Return who plays a seat; None for the own one."""
        if seat == self.seat:
            return None
        return self._opponents[(seat - self.seat - 1) % self.setup.seats % len(self._opponents)]

    def _let_others_play(self) -> None:
        """Play on until the seat is asked, or the match is over."""
        episode = self.episode
        while (seat := episode.seat) is not None and (opponent := self._opponent(seat)) is not None:
            if isinstance(opponent, str):
                episode.play_move(self._bots[opponent].choose(episode.state, seat))
            else:
                observation = np.frombuffer(episode.observation(seat), dtype=np.float32)
                episode.play(int(opponent(observation, np.frombuffer(episode.offer().mask, dtype=np.bool_))))

    def step(self, action: int) -> tuple[dict[str, NDArray[Any]], float, bool, bool, dict[str, Any]]:
        """Play an action. The info holds `illegal`, whether the default move was played for it."""
        episode = self.episode
        if episode.seat is None:
            raise EnvError("the match is over: call reset")
        move = episode.offer().moves.get(int(action))
        info = {"illegal": move is None}
        if move is None:
            self._strikes += 1
            if self._strikes == STRIKES:
                return self._observe(), -1.0, True, False, info
            move = episode.state.default(self.seat)
        episode.play_move(move)
        self._let_others_play()
        is_over = episode.seat is None
        if self.render_mode == "human":
            self.render()
        return self._observe(), episode.rewards()[self.seat] if is_over else 0.0, is_over, False, info

    def __getstate__(self) -> dict[str, Any]:
        """Return all but the sample bots: they remember the match once they have played it again."""
        return {name: value for name, value in self.__dict__.items() if name != "_bots"}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.__dict__.update(state)
        if (episode := self.__dict__.get("episode")) is None:
            return
        self._bots = self._new_bots(episode.seed)
        again = Episode(self.setup, episode.seed)
        for move in episode.moves:
            assert again.seat is not None
            if isinstance(opponent := self._opponent(again.seat), str):
                self._bots[opponent].choose(again.state, again.seat)
            again.play_move(move)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal, as libraries of maskable algorithms ask for it."""
        return self._observe()["action_mask"].astype(np.bool_)

    def _observe(self) -> dict[str, NDArray[Any]]:
        episode = self.episode
        mask = episode.offer().mask if episode.seat == self.seat else bytes(self.setup.actions.size)
        return {
            "observation": np.frombuffer(bytearray(episode.observation(self.seat)), dtype=np.float32),
            "action_mask": np.frombuffer(bytearray(mask), dtype=np.int8),
        }

    def render(self) -> str | None:
        """Return the log of the match ("ansi") or print it ("human"); without a render mode nothing."""
        return self.episode.show(self.render_mode)


def _own_seed(match_seed: bytes) -> bytes:
    """Return what the seat, and the random numbers of sample bots, follow from."""
    return hmac.digest(match_seed, b"gymnasium", "sha256")


for _name in trainable_games():
    gymnasium.register(
        id=f"arena/{_name}-v{VERSION}", entry_point="arena.envs.gymnasium:ArenaEnv", kwargs={"game": _name}
    )
