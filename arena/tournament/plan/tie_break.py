"""By what rules bots are told apart that made the same part of their points, declared before the first match.

    direct      points against the others that are tied with it
    strength    points that those it met made, each as often as it met them (known as Buchholz)
    wins        matches in which it was better than everybody else
    score       mean score in the game
    seed        the order of the field
    lot         drawn from the tournament's secret

One rule after the other is held against those who are still tied.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, get_args

from arena.ratings import Result
from arena.tournament.errors import PlanError
from referee.engine.chance import Chance

TieBreak = Literal["direct", "strength", "wins", "score", "seed", "lot"]
"""One rule."""

TIE_BREAKS: tuple[TieBreak, ...] = get_args(TieBreak)

KNOCKOUT: tuple[TieBreak, ...] = ("score", "seed")
"""Those of a knockout, unless others are declared."""

SETTLING = ("seed", "lot")
"""The rules that leave no tie."""

_DIGITS = 9
"""What two means agree in are equal."""


def parse_tie_break(text: str) -> tuple[TieBreak, ...]:
    """Return the rules of a list with commas. Raises PlanError for what is none, or is there twice."""
    words = [word.strip() for word in text.split(",")]
    rules = tuple(rule for word in words for rule in TIE_BREAKS if rule == word)
    if len(rules) < len(words) or len(set(rules)) < len(rules):
        raise PlanError(f'"{text}" is no list of rules for ties, each at most once: {", ".join(TIE_BREAKS)}')
    return rules


class Points:
    """What bots made against each other: a point for a better rank, a half for a tie."""

    def __init__(self, bots: int) -> None:
        self.won = [[0.0] * bots for _ in range(bots)]
        self.met = [[0] * bots for _ in range(bots)]
        self.score = [0] * bots
        """Sums of the game's own scores."""
        self.wins = [0] * bots
        self.played = [0] * bots

    def add(self, results: Iterable[Result], number: dict[str, int]) -> None:
        """Add matches; number: of each bot by name. A team of one bot counts as that bot."""
        for result in results:
            seated = [number[team if isinstance(team, str) else team[0]] for team in result.teams]
            best = min(result.ranks)
            alone = result.ranks.count(best) == 1
            for place, one in enumerate(seated):
                self.score[one] += result.scores[place]
                self.played[one] += 1
                self.wins[one] += alone and result.ranks[place] == best
                for against, other in enumerate(seated):
                    if one != other:
                        gap = result.ranks[against] - result.ranks[place]
                        self.won[one][other] += 1.0 if gap > 0 else 0.5 if gap == 0 else 0.0
                        self.met[one][other] += 1

    def mean(self, bot: int, against: Iterable[int] | None = None) -> float:
        """Return the part of its points that a bot made, against some or all; a half where it met nobody."""
        others = range(len(self.won)) if against is None else [*against]
        met = sum(self.met[bot][other] for other in others)
        return sum(self.won[bot][other] for other in others) / met if met else 0.5

    def strength(self, bot: int) -> float:
        """Return the mean part of their points that those made whom it met; a half where it met nobody."""
        met = sum(self.met[bot])
        return sum(times * self.mean(other) for other, times in enumerate(self.met[bot]) if times) / met if met else 0.5


class TieBreaker:
    """Orders bots by points, then by tie-break rules. lots: one of each bot; the lowest goes first."""

    def __init__(self, points: Points, rules: Sequence[TieBreak], lots: Sequence[int]) -> None:
        self._points = points
        self._rules = rules
        self._lots = lots

    def places(self, bots: Iterable[int], against: Sequence[int] | None = None) -> list[list[int]]:
        """Return bots by place, the best first; those whom no rule tells apart share one, in the order given.

        against: the bots against whom points count; without it all.
        """
        groups = _split([*bots], lambda bot: self._points.mean(bot, against))
        for rule in self._rules:
            groups = [part for group in groups for part in _split(group, self._key(rule, group))]
        return groups

    def keys(self, bot: int) -> list[float]:
        """Return what tells bots apart that sat at different tables, the higher the better."""
        return [self._key(rule, [])(bot) for rule in self._rules if rule not in ("direct", "strength")]

    def _key(self, rule: TieBreak, group: Sequence[int]) -> Callable[[int], float]:
        points = self._points
        match rule:
            case "direct":
                return lambda bot: points.mean(bot, group)
            case "strength":
                return points.strength
            case "wins":
                return lambda bot: points.wins[bot] / max(points.played[bot], 1)
            case "score":
                return lambda bot: points.score[bot] / max(points.played[bot], 1)
            case "seed":
                return lambda bot: -bot
            case "lot":
                return lambda bot: -self._lots[bot]


def _split(bots: list[int], key: Callable[[int], float]) -> list[list[int]]:
    groups: dict[float, list[int]] = {}
    for bot in bots:
        groups.setdefault(round(key(bot), _DIGITS), []).append(bot)
    return [groups[value] for value in sorted(groups, reverse=True)]


def lots(bots: int, secret: bytes) -> list[int]:
    """Return the lot of each bot, drawn with the tournament's secret."""
    drawn = Chance(secret).shuffle(range(bots), "schedule", "lots")
    return [drawn.index(bot) for bot in range(bots)]
