"""Every game for OpenSpiel, as a sequential game with explicit chance.

    import arena.envs.openspiel  # registers arena_cambio, arena_kille ...
    import pyspiel

    game = pyspiel.load_game("arena_kille", {"players": 3})

The first three nodes are chance nodes: the digits of the number of a deal, all equally likely. Everything else follows
from them, so the history of a state is enough to make it again. (Sampled chance is not for games in Python: to store a
state OpenSpiel asks the game for its random numbers, in C++ only.) A node has one player: sealed answers are given
one after another and applied together. Returns are the rewards of `Setup.rewards`. Parameters are those of the game's
options and `players`.
"""

import copyreg
import ctypes
import dataclasses
from functools import partial
from typing import Any

import numpy as np
import pyspiel

from arena.envs.episode import Episode, Setup, episode_seed
from arena.envs.observation import LAYOUTS
from referee.engine.chance import Chance
from referee.engine.events import history
from referee.engine.game import Game
from referee.engine.registry import game as game_named

BASE = 1 << 10
DIGITS = 3
"""A deal is a number with so many digits in that base. One node for all of it would not do: OpenSpiel makes lists of
the length of the largest outcome."""

LONGEST = 10**6
"""The bound that OpenSpiel is told for the length of a match; no match comes near it."""


class ArenaGame(pyspiel.Game):
    """A game with its options and number of seats.

    params: as of `pyspiel.load_game`.
    """

    def __init__(self, kind: Any, game: Game, params: dict[str, Any] | None = None) -> None:
        given = {**kind.parameter_specification, **(params or {})}
        seats = given.pop("players")
        self.setup = Setup(game, seats, given)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.setup.actions.size,
            max_chance_outcomes=BASE,
            num_players=seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(kind, info, params or {})

    def new_initial_state(self) -> Any:
        """Return the chance node before a deal."""
        return ArenaState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Return an observer: of the view alone, or with perfect recall of all that a seat was told."""
        return ArenaObserver(self.setup, bool(iig_obs_type and iig_obs_type.perfect_recall))


class ArenaState(pyspiel.State):
    """A node: the deal before the match, or a match under way.

    dealt: the digits of the deal so far. episode: the match, once all are known.
    """

    def __init__(self, game: ArenaGame) -> None:
        super().__init__(game)
        self.setup = game.setup
        self.dealt: list[int] = []
        self.episode: Episode | None = None

    def current_player(self) -> Any:
        """Return the seat that is asked, chance, or the sign that the match is over."""
        if self.episode is None:
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.TERMINAL if self.episode.seat is None else self.episode.seat

    def _legal_actions(self, player: int) -> list[int]:
        if self.episode is None or self.episode.seat != player:
            return []
        return sorted(self.episode.offer().moves)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the next digit of the deal: all are equally likely."""
        return [(digit, 1 / BASE) for digit in range(BASE)]

    def _apply_action(self, action: int) -> None:
        if self.episode is not None:
            self.episode.play(action)
            return
        self.dealt.append(action)
        if len(self.dealt) == DIGITS:
            number = sum([digit * BASE**place for place, digit in enumerate(self.dealt)])
            self.episode = Episode(self.setup, episode_seed(number, 0), keeps_log=True)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"digit {action}"
        listed = self.setup.actions.listed
        if action < len(listed):
            return listed[action]
        moves = self.episode.offer().moves if self.episode is not None and self.episode.seat == player else {}
        return moves.get(action, f"unlisted move {action - len(listed) + 1}")

    def is_terminal(self) -> bool:
        """Tell whether the match is over."""
        return self.episode is not None and self.episode.seat is None

    def returns(self) -> list[float]:
        """Return the rewards by seat; 0 before the end."""
        if self.episode is None or self.episode.seat is not None:
            return [0.0] * self.setup.seats
        return self.episode.rewards()

    def __str__(self) -> str:
        return f"deal {self.dealt}" if self.episode is None else self.episode.render()


class ArenaObserver:
    """What a seat observes.

    tensor: the observation (`arena.envs.observation`); None with perfect recall, which has no fixed size.
    dict: the same as `observation`.
    """

    def __init__(self, setup: Setup, has_perfect_recall: bool) -> None:
        self._setup = setup
        self._has_perfect_recall = has_perfect_recall
        self.tensor = None if has_perfect_recall else np.zeros(setup.observer.size, np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: ArenaState, player: int) -> None:
        """Observe a state as a seat sees it."""
        if self.tensor is None:
            return
        self.tensor.fill(0)
        if state.episode is not None:
            self.tensor[:] = np.frombuffer(state.episode.observation(player), dtype=np.float32)

    def string_from(self, state: ArenaState, player: int) -> str:
        """Return what a seat sees as text, and with perfect recall all that it was told before."""
        if state.episode is None:
            return ""
        match = state.episode.state
        lines = history(self._setup.game.lines, match.events, player) if self._has_perfect_recall else []
        return "\n".join([*lines, repr(match.view(player))])


def register(name: str) -> None:
    """Register the game of that name as `arena_NAME`."""
    game = game_named(name)
    options = {field.name: field.default for field in dataclasses.fields(game.options)}
    kind = pyspiel.GameType(
        short_name=f"arena_{name}",
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.seats[1],
        min_num_players=game.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": game.recommended, **options},
    )
    make = partial(ArenaGame, kind, game)
    # OpenSpiel gives up what makes a game only after Python has ended, which crashes where nothing else refers to it.
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(make))
    pyspiel.register_game(kind, make)


copyreg.pickle(Chance, lambda chance: (Chance, (chance.seed,)))  # OpenSpiel stores states by pickle
for known in LAYOUTS:
    register(known)
