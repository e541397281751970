"""Bots of one author at different tables: who they are, whether it can be done, and a round-robin that does it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import ceil
from typing import TYPE_CHECKING

from arena.plan.seating import (
    NeighbourBalance,
    Player,
    RoundRobin,
    Table,
)
from arena.values.tournament_errors import PlanError
from referee.engine.chance import Chance

if TYPE_CHECKING:
    from arena.values.definition import Definition, Entrant

_LOOKAHEAD = 3
"""Permutations of the field to draw beyond the oldest one in use, in search of a bot that may sit down."""


def author_numbers(definition: "Definition") -> tuple[int, ...]:
    """Return a number for the author of each bot of the field; empty if bots of one author may sit together.

    A bot whose author is unknown has a number of its own.
    """
    return _number_authors(definition.field) if definition.same_author == "apart" else ()


def _number_authors(field: Sequence["Entrant"]) -> tuple[int, ...]:
    first: dict[str, int] = {}
    return tuple(first.setdefault(bot.author, index) if bot.author else index for index, bot in enumerate(field))


def check_author_separation(definition: "Definition", field: Sequence["Entrant"], table_size: int) -> None:
    """Raise PlanError if bots of one author cannot be kept apart.

    field: the bots that play.
    table_size: how many of them sit at a table.
    """
    if definition.same_author == "any":
        return
    if definition.teams == "mixed":
        raise PlanError("--teams mixed draws partners from the whole field: leave out --same-author apart")
    bots = len(field)
    if bots < table_size:
        raise PlanError(
            f"{bots} bots fill a table of {table_size} only with copies of themselves: name more bots or fewer seats"
        )
    counts = Counter(_number_authors(field))
    index, most = counts.most_common(1)[0]
    author = field[index].author
    if definition.schedule == "round-robin" and table_size == 2:
        if len(counts) == 1:
            raise PlanError(f"all bots have the same author, {author}, so none can meet: leave out --same-author")
        return
    # In a round-robin all bots play equally often; in a Swiss the number of tables in a stage is fixed.
    tables = bots // table_size
    if most > tables:
        raise PlanError(
            f"{author} has {most} of the {bots} bots, and at tables of {table_size} only {tables} of one author can be "
            "kept apart: name fewer of them, or more others, or take smaller tables (--seats)"
        )


class AuthorSeparatedRoundRobin(RoundRobin):
    """Everybody meets everybody but the bots of their own author, as equally often as possible.

    Tables of two follow the circle method without pairs of one author. At larger tables bots sit down in the order of
    the usual permutations; a bot that may not sit at a table waits for a later one, where it comes first. If there is
    no other way (many bots have left), bots of one author do share a table.
    """

    def __init__(self, bots: int, table_size: int, authors: Sequence[int], team_size: int = 1) -> None:
        """Seat a field at tables of `table_size` bots.

        authors: by bot, the number of its author.
        team_size: the most seats that a bot plays as one team.
        """
        super().__init__(bots, table_size, team_size)
        self._authors = authors

    def __call__(self, chance: Chance) -> Iterator[Table]:
        if self._table_size != 2 or len(set(self._authors)) == 1:
            yield from super().__call__(chance)
            return
        neighbours = NeighbourBalance(self._bots)
        pairs = (pair for pair in self._circle(chance) if self._has_distinct_authors(pair))
        for number, pair in enumerate(pairs):
            yield neighbours.best_order(pair, chance, number)

    def _has_distinct_authors(self, table: Sequence[Player]) -> bool:
        return len({self._authors[player.entrant] for player in table}) == len(table)

    def _least_met(self, chance: Chance) -> Iterator[list[Player]]:
        waiting: list[tuple[int, int]] = []  # permutation and bot
        drawn = 0
        meetings = [[0] * self._bots for _ in range(self._bots)]
        while True:
            table: list[int] = []
            while len(table) < self._table_size:
                authors = {self._authors[bot] for bot in table}
                turns = [turn for turn, (_, bot) in enumerate(waiting) if self._authors[bot] not in authors]
                if not turns:
                    if not waiting or drawn - waiting[0][0] <= _LOOKAHEAD:
                        waiting += [
                            (drawn, bot) for bot in chance.shuffle(range(self._bots), "schedule", "field", drawn)
                        ]
                        drawn += 1
                        continue
                    turns = [turn for turn, (_, bot) in enumerate(waiting) if bot not in table] or [0]
                familiarity = [sum(meetings[bot][other] for other in table) for _, bot in waiting]
                turn = self._select_next(waiting, turns, familiarity)
                table.append(waiting.pop(turn)[1])
            for one in table:
                for other in table:
                    meetings[one][other] += one != other
            yield [Player(bot, table[:position].count(bot)) for position, bot in enumerate(table)]

    def _select_next(self, waiting: Sequence[tuple[int, int]], turns: Sequence[int], familiarity: Sequence[int]) -> int:
        """Return the index in `waiting` of the bot that sits down next; it is one of the oldest permutation.

        A bot whose author must be at every table left in that permutation goes first, then the bot that has met those
        at the table least.

        waiting: the bots that wait for a seat, each with the number of its permutation.
        turns: the indices of the bots that may sit down.
        familiarity: by index in `waiting`, the bot's meetings with those at the table.
        """
        oldest = waiting[turns[0]][0]
        authors = [self._authors[bot] for permutation, bot in waiting if permutation == oldest]
        tables, by_author = ceil(len(authors) / self._table_size), Counter(authors)
        return min(
            (turn for turn in turns if waiting[turn][0] == oldest),
            key=lambda turn: (by_author[self._authors[waiting[turn][1]]] < tables, familiarity[turn], turn),
        )
