"""An environment of TextArena that shares nothing with others of its process.

TextArena draws chance from Python's global generator, and some games from NumPy's. Each environment has states of its
own for both, which are set while it works and put away after.
"""

import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from copy import deepcopy
from io import TextIOBase
from types import FrameType
from typing import Any, Self
from unittest.mock import patch

import nltk
import textarena

try:
    import numpy
except ImportError:  # only some games need it, and without it they cannot be made
    numpy = None

MOST_LINES = 1_000_000
"""After so many lines of Python a step is taken to be endless. Some games go on for ever once all players are out."""


class EndlessStep(Exception):
    """TextArena does not come to an end with a step."""


class _TooManyLines(BaseException):
    """Raised in the middle of TextArena, which catches many an Exception."""


@contextmanager
def _bounded() -> Iterator[None]:
    """Count the lines of Python that are run, which are the same in each replay as seconds are not.

    Raises EndlessStep.
    """
    left = MOST_LINES

    def count(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise _TooManyLines
        return count

    outer = sys.gettrace()
    sys.settrace(count)
    try:
        yield
    except _TooManyLines:
        raise EndlessStep(f"it takes more than {MOST_LINES:,} lines") from None
    finally:
        sys.settrace(outer)


class _Nowhere(TextIOBase):
    def write(self, text: str, /) -> int:
        return len(text)


def _download_nothing(*arguments: Any, **named: Any) -> bool:
    """Stand for `nltk.download`, which some games call as they are imported."""
    return False


class Environment:
    """One environment, from its reset on.

    rewards: those of each player once it is over; empty before, and where it names none.
    """

    def __init__(self, name: str, players: int, seed: int) -> None:
        """Make and reset an environment.

        name: as `textarena.make` takes it.
        seed: of 32 bits.
        """
        self.rewards: dict[int, float] = {}
        self._random = random.Random(seed).getstate()
        self._numpy: Any = None if numpy is None else numpy.random.RandomState(seed).get_state()
        with self._isolated(), patch.object(nltk, "download", _download_nothing):
            self._environment = textarena.make(name)
            self._environment.reset(num_players=players, seed=seed)

    @contextmanager
    def _isolated(self) -> Iterator[None]:
        outer, outer_numpy = random.getstate(), None
        random.setstate(self._random)
        if numpy is not None:
            outer_numpy = numpy.random.get_state()
            numpy.random.set_state(self._numpy)
        try:
            with redirect_stdout(_Nowhere()):
                yield
        finally:
            self._random = random.getstate()
            random.setstate(outer)
            if numpy is not None:
                self._numpy = numpy.random.get_state()
                numpy.random.set_state(outer_numpy)

    def copy(self) -> Self:
        """Return an independent environment that goes on exactly like this one."""
        twin = type(self).__new__(type(self))
        twin.rewards, twin._random, twin._numpy = dict(self.rewards), self._random, self._numpy
        twin._environment = deepcopy(self._environment)
        return twin

    def pending(self, player: int) -> list[tuple[int, str]]:
        """Return what a player was told since it was asked last.

        Returns: of each message the sender, -1 for the game, and the text.
        """
        told = self._environment.state.observations.get(player, ())
        return [(int(sender), str(text)) for sender, text, *_ in told]

    def sender(self, player: int) -> str:
        """Return the name by which players are told of a sender."""
        names = self._environment.state.role_mapping or {}
        return str(names.get(player, "GAME" if player == textarena.GAME_ID else f"Player {player}"))

    def observe(self) -> tuple[int, str]:
        """Return who is to act, and what that player is told. What was pending for it is told now."""
        with self._isolated(), _bounded():
            player, observation = self._environment.get_observation()
        return int(player), observation if isinstance(observation, str) else self._told(observation)

    def _told(self, messages: Any) -> str:
        """Return the messages to a player of a game without a wrapper that makes a text of them."""
        return "".join(f"\n[{self.sender(sender)}] {text}" for sender, text, *_ in messages or ())

    def step(self, text: str) -> bool:
        """Let the player who is to act say something; return whether the match is over.

        Raises EndlessStep, and whatever TextArena raises.
        """
        with self._isolated(), _bounded():
            is_over, _ = self._environment.step(action=text)
            if is_over:
                self.rewards = _rewards(self._environment.close())
        return bool(is_over)


def _rewards(closed: Any) -> dict[int, float]:
    rewards = closed[0] if isinstance(closed, tuple) else closed
    return {int(player): float(reward) for player, reward in (rewards or {}).items()}
