"""How far the matches of a check are, and how long they will take.

A match of a slow bot takes minutes, so that matches which are over tell little: what is under way counts as well, by
its answers, and by those of a match of random moves at the same table.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

import trio

from arena.bots.trial_tables import TrialTables
from referee.engine.chance import Chance

SETTLED_SECONDS = 3.0
"""How long matches must have been under way for an estimate of the time left."""

MOST_STEPS = 5000
"""The steps of the rules after which a match of random moves is left as it is."""

LEFT = 0.25
"""How much of a match under way is left at the least, as a share of its expected answers: it may have more."""


@dataclass(frozen=True, slots=True)
class MatchSize:
    """About how many answers a match has."""

    answers: int
    """Those of all seats, at least 1."""
    own: int
    """Those of the bot, at least 1."""

    def share(self, answers: int) -> float:
        """Return how much of a match is over after so many answers of all seats, from 0 to 1."""
        return answers / (answers + max(self.answers - answers, self.answers * LEFT))


@dataclass(frozen=True, slots=True)
class TrialProgress:
    """How far a group of matches of a check is."""

    title: str
    """The title of the step."""
    done: int
    """The matches that are over."""
    total: int
    seconds_left: float | None = None
    """The estimated time that the others take, in seconds; None while nothing is known."""


def match_size(tables: TrialTables) -> MatchSize:
    """Return the size of the first match of some tables, played with random moves."""
    trial, rng = tables.matches[0], Random(0)
    state = tables.game.start(trial.options, trial.seats, Chance(trial.seed))
    answers = own = 0
    for _ in range(MOST_STEPS):
        if not (asked := state.asked):
            break
        answers += len(asked)
        own += trial.seat in asked
        state.apply([rng.choice(state.legal(seat)) for seat in asked])
    return MatchSize(max(answers, 1), max(own, 1))


@dataclass(slots=True)
class TrialPace:
    """Counts the matches and answers of phases that are played together.

    Phases and matches are numbered from 0.
    """

    tables: Sequence[TrialTables]
    """The matches of each phase."""
    _began: float = field(init=False)
    _over: set[tuple[int, int]] = field(default_factory=set)
    _under_way: dict[tuple[int, int], int] = field(default_factory=dict)
    _sizes: list[MatchSize] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._began = trio.current_time()

    def end(self, phase: int, match: int) -> None:
        """Count a match that is over."""
        self._over.add((phase, match))

    def goes_on(self, phase: int, match: int, answers: int) -> None:
        """Count the answers of all seats of a match that is under way."""
        self._under_way[phase, match] = answers

    def forget(self, phase: int) -> None:
        """Begin again with a phase that was void."""
        self._over = {match for match in self._over if match[0] != phase}
        self._under_way = {match: answers for match, answers in self._under_way.items() if match[0] != phase}

    def progress(self, title: str) -> TrialProgress:
        """Return how far the matches are.

        title: the title of the step.
        """
        total = sum(len(tables.matches) for tables in self.tables)
        return TrialProgress(title, len(self._over), total, self._seconds_left())

    def _seconds_left(self) -> float | None:
        took = trio.current_time() - self._began
        if took < SETTLED_SECONDS or not (self._over or self._under_way):
            return None
        if not self._sizes:  # not before matches are known to take long
            self._sizes = [match_size(tables) for tables in self.tables]
        done = 0.0
        for match in self._over | self._under_way.keys():
            size = self._sizes[match[0]]
            done += size.own * (1.0 if match in self._over else size.share(self._under_way[match]))
        total = sum(size.own * len(tables.matches) for size, tables in zip(self._sizes, self.tables, strict=True))
        return took * (total - done) / done if done else None
