"""Grades of students from the places of their bots.

A rule is chosen by the organiser. All are functions of what the ratings say, and each grade comes with a sentence that
says from what it was made: the Elo with its 95 % interval above all.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from arena_classroom.errors import GradesError

SURE = 0.95
"""The probability with which a bot must be stronger than another to have beaten it."""


@dataclass(frozen=True, slots=True)
class RatedBot:
    """A bot of a table from which grades are made."""

    bot: str
    owner: str
    rank: int | None
    """The place in the table; None where it has none."""
    elo: float
    bound: str
    """As in `RankingRow`: whether the Elo is only a bound, or not determined at all."""
    ci95: float | None
    """Half the width of the 95 % interval of the Elo; None without one."""
    entry: int = 0
    """The number of its entry in a league; 0 in tournaments."""

    @property
    def words(self) -> str:
        """What it is, and how sure its Elo is."""
        elo = f"Elo {self.elo:+.0f}"
        if self.bound in (">", "<"):
            elo = f"Elo {'at least' if self.bound == '>' else 'at most'} {self.elo:+.0f}"
        interval = "without an interval" if self.ci95 is None else f"± {self.ci95:.0f} (95 %)"
        return f"{self.bot}: {elo} {interval}"


@dataclass(frozen=True, slots=True)
class Grade:
    """A grade of all who act for an owner."""

    value: float
    words: str
    """From what it was made."""


Rule = Callable[[Sequence[RatedBot]], Mapping[str, Grade]]
"""Returns the grades of owners by their best bots, of which each owner has one."""


def percentiles(worst: float, best: float) -> Rule:
    """Return the rule of ranks: the share of the others whose bots stand below, those with the same Elo by half."""

    def rule(bots: Sequence[RatedBot]) -> dict[str, Grade]:
        grades = {}
        for bot in bots:
            below = sum(round(other.elo) < round(bot.elo) for other in bots)
            same = sum(round(other.elo) == round(bot.elo) for other in bots) - 1
            share = 1.0 if len(bots) == 1 else (below + same / 2) / (len(bots) - 1)
            place = len(bots) - below - same
            shared = f", shared by {same + 1}" if same else ""
            words = f"{bot.words}; place {place} of {len(bots)}{shared}; percentile {100 * share:.0f}"
            grades[bot.owner] = Grade(worst + (best - worst) * share, words)
        return grades

    return rule


def linear(low: tuple[str, float, float], high: tuple[str, float, float]) -> Rule:
    """Return the rule of a line between two points, and level beyond them.

    low, high: of each what it is called, its Elo, and its grade.

    Raises GradesError unless the Elo of the second is higher.
    """
    if low[1] >= high[1]:
        raise GradesError(
            f"the Elo of {low[0]} ({low[1]:+.0f}) is not below that of {high[0]} ({high[1]:+.0f}): give the lower first"
        )

    def rule(bots: Sequence[RatedBot]) -> dict[str, Grade]:
        grades = {}
        for bot in bots:
            share = min(1.0, max(0.0, (bot.elo - low[1]) / (high[1] - low[1])))
            words = f"{bot.words}; {low[0]} ({low[1]:+.0f}) is {low[2]:g}, {high[0]} ({high[1]:+.0f}) is {high[2]:g}"
            grades[bot.owner] = Grade(low[2] + (high[2] - low[2]) * share, words)
        return grades

    return rule


def passed(rival: str, los: Callable[[RatedBot], float | None], worst: float, best: float) -> Rule:
    """Return the rule of a bot that is to be beaten.

    rival: its name.
    los: returns the probability that a bot is stronger than it; None where that is unknown.
    """

    def rule(bots: Sequence[RatedBot]) -> dict[str, Grade]:
        grades = {}
        for bot in bots:
            chance = los(bot)
            sure = "not compared with it yet" if chance is None else f"with {_percent(chance)}"
            has_passed = chance is not None and chance >= SURE
            words = f"{bot.words}; stronger than {rival} {sure}: {'passed' if has_passed else 'not passed'}"
            grades[bot.owner] = Grade(best if has_passed else worst, words)
        return grades

    return rule


def best_bots(bots: Sequence[RatedBot], owners: set[str]) -> list[RatedBot]:
    """Return the best bot of each owner, the strongest first; bots whose Elo is not determined are left out."""
    best: dict[str, RatedBot] = {}
    for bot in sorted(bots, key=lambda bot: -bot.elo):
        if bot.owner in owners and bot.bound != "~":
            best.setdefault(bot.owner, bot)
    return list(best.values())


def _percent(chance: float) -> str:
    """Return a probability that is neither 0 nor 1, to a tenth of a per cent."""
    return "more than 99.9 %" if chance > 0.999 else "less than 0.1 %" if chance < 0.001 else f"{100 * chance:.1f} %"
