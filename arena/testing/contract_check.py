"""What a check is: a function that looks at one match, and the promise that it holds the game to."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena.testing.case import STEPS, MatchCase, from_scenario
from arena.testing.violation import BrokenPromise, Violation
from referee.engine.game import Game

NO_EXCEPTION = "The rules raise no exception while moves that are offered are played, copied, shown and told."


@dataclass(frozen=True)
class Check:
    """One promise of the contract, and how it is looked at.

    name: of the check. promise: what is promised, in a sentence. look: raises Found where a match breaks it.
    """

    name: str
    promise: str
    look: Callable[[MatchCase], None] = field(repr=False)

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

        options: as `-o name=value` has them; none by default. seats: the game's recommended number by default.
        seed: of the deal. play: which moves are chosen, and what is changed in twins. steps: how many
        are played at the most. scenario: a file whose match goes on instead; it brings options, seats and seed.

        Raises BrokenPromise.
        """
        if scenario is not None:
            self.run(from_scenario(game, Path(scenario), play=play, steps=steps))
        else:
            self.run(MatchCase(game, options or {}, seats or game.recommended, seed, play, steps))

    def run(self, case: MatchCase) -> None:
        """Check the match of a case. Raises BrokenPromise."""
        try:
            self.look(case)
        except Violation as found:
            where = case.where(found.step)
            raise BrokenPromise(self.promise, found.what, where, case.again(self.name)) from found.__cause__
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            raise BrokenPromise(NO_EXCEPTION, what, case.where(), case.again(self.name)) from error


def check(look: Callable[[MatchCase], None]) -> Check:
    """Make a check of a function; the first paragraph of its docstring is the promise."""
    promise = " ".join((look.__doc__ or "").split("\n\n")[0].split())
    return Check(look.__name__, promise, look)
