"""A check: one promise of the contract, and a function that tests it in one match."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena.testing.case import STEPS, MatchCase, from_scenario
from arena.testing.violation import BrokenPromise, Violation
from referee.engine.game import Game

NO_EXCEPTION = "The rules raise no exception for legal moves, copies, views and logs."


@dataclass(frozen=True)
class Check:
    """One promise of the contract, and its test."""

    name: str
    """The name of the check."""
    promise: str
    """The promise, in a sentence."""
    test: Callable[[MatchCase], None] = field(repr=False)
    """Raises Violation if a match breaks the promise."""

    def __call__(
        self,
        game: Game,
        options: Mapping[str, Any] | None = None,
        seats: int | None = None,
        *,
        seed: int = 0,
        play: int = 0,
        steps: int = STEPS,
        scenario: str | Path | None = None,
    ) -> None:
        """Check one match.

        options: as for `-o name=value`; none by default.
        seats: the game's recommended number by default.
        seed: of the deal.
        play: determines the moves, and the changes in twins.
        steps: most steps to play.
        scenario: a file whose match is continued instead, with its options, seats and seed.

        Raises BrokenPromise.
        """
        if scenario is not None:
            self.run(from_scenario(game, Path(scenario), play=play, steps=steps))
        else:
            self.run(MatchCase(game, options or {}, seats or game.recommended, seed, play, steps))

    def run(self, case: MatchCase) -> None:
        """Check the match of a case. Raises BrokenPromise."""
        try:
            self.test(case)
        except Violation as violation:
            where = case.where(violation.step)
            raise BrokenPromise(self.promise, violation.what, where, case.again(self.name)) from violation.__cause__
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            raise BrokenPromise(NO_EXCEPTION, what, case.where(), case.again(self.name)) from error


def check(test: Callable[[MatchCase], None]) -> Check:
    """Make a check of a function; the first paragraph of its docstring is the promise."""
    promise = " ".join((test.__doc__ or "").split("\n\n")[0].split())
    return Check(test.__name__, promise, test)
