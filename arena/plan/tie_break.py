"""Tie-breaks: the rules, declared before the first match, that place bots with equal points.

    direct      points against the other tied bots (direct encounter)
    strength    points of the opponents, weighted by the number of meetings (Buchholz)
    wins        matches in which the bot ranked above everybody else
    score       mean score in the game
    seed        order of the field
    lot         drawn from the tournament's secret

The rules are applied one after another to the bots that are still tied. Points are compared as shares of the points
that a bot could have made.
"""

from collections.abc import Callable, Iterable, Sequence

from arena.ratings import Result
from arena.values.definition import TieBreak
from referee.engine.chance import Chance

KNOCKOUT_TIE_BREAK: tuple[TieBreak, ...] = ("score", "seed")
"""The rules of a knockout that declares none."""

DECISIVE_RULES = ("seed", "lot")
"""The rules that leave no tie."""

_DIGITS = 9
"""Decimal places to which two means are compared."""


class PointTotals:
    """The points of bots against each other: one for a better rank, a half for an equal one."""

    def __init__(self, bots: int) -> None:
        self.points = [[0.0] * bots for _ in range(bots)]
        self.meetings = [[0] * bots for _ in range(bots)]
        self.score = [0] * bots
        """By bot: the sum of its scores in the game."""
        self.wins = [0] * bots
        self.played = [0] * bots

    def add(self, results: Iterable[Result], index_by_name: dict[str, int]) -> None:
        """Add the results of matches.

        index_by_name: the index of each bot. A team counts as its first bot.
        """
        for result in results:
            bots = [index_by_name[team if isinstance(team, str) else team[0]] for team in result.teams]
            best = min(result.ranks)
            is_sole_winner = result.ranks.count(best) == 1
            for one, bot in enumerate(bots):
                self.score[bot] += result.scores[one]
                self.played[bot] += 1
                self.wins[bot] += is_sole_winner and result.ranks[one] == best
                for other, opponent in enumerate(bots):
                    if bot != opponent:
                        gap = result.ranks[other] - result.ranks[one]
                        self.points[bot][opponent] += 1.0 if gap > 0 else 0.5 if gap == 0 else 0.0
                        self.meetings[bot][opponent] += 1

    def share(self, bot: int, against: Iterable[int] | None = None) -> float:
        """Return a bot's points per meeting, against some bots or all; a half if it met none of them."""
        others = range(len(self.points)) if against is None else [*against]
        meetings = sum(self.meetings[bot][other] for other in others)
        return sum(self.points[bot][other] for other in others) / meetings if meetings else 0.5

    def strength(self, bot: int) -> float:
        """Return the mean share of a bot's opponents, weighted by meetings; a half if it met nobody."""
        meetings = sum(self.meetings[bot])
        total = sum(count * self.share(other) for other, count in enumerate(self.meetings[bot]) if count)
        return total / meetings if meetings else 0.5


class TieBreaker:
    """Orders bots by points, then by tie-break rules.

    lots: the lot of each bot; the lowest goes first.
    """

    def __init__(self, points: PointTotals, rules: Sequence[TieBreak], lots: Sequence[int]) -> None:
        self._points = points
        self._rules = rules
        self._lots = lots

    def places(self, bots: Iterable[int], against: Sequence[int] | None = None) -> list[list[int]]:
        """Return the bots by place, best first; bots that no rule separates share a place, in the order of `bots`.

        against: the bots against which points count; by default all.
        """
        groups = _split([*bots], lambda bot: self._points.share(bot, against))
        for rule in self._rules:
            groups = [part for group in groups for part in _split(group, self._key(rule, group))]
        return groups

    def keys(self, bot: int) -> list[float]:
        """Return the values that compare a bot with bots of other tables; higher is better."""
        return [self._key(rule, [])(bot) for rule in self._rules if rule not in ("direct", "strength")]

    def _key(self, rule: TieBreak, group: Sequence[int]) -> Callable[[int], float]:
        points = self._points
        match rule:
            case "direct":
                return lambda bot: points.share(bot, group)
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


def draw_lots(bots: int, secret: bytes) -> list[int]:
    """Return the lot of each bot, drawn from the tournament's secret."""
    drawn = Chance(secret).shuffle(range(bots), "schedule", "lots")
    return [drawn.index(bot) for bot in range(bots)]
