"""The authors of the bots of a field, and whether bots of one author can be kept apart."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from arena.tournament.errors import PlanError

if TYPE_CHECKING:
    from arena.tournament.plan.definition import Definition, Entrant


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

    field: the bots that play. table_size: how many of them sit at a table.
    """
    if definition.same_author == "any":
        return
    if definition.schedule not in ("round-robin", "swiss"):
        raise PlanError(f"the pairings of a {definition.schedule} are fixed: leave out --same-author apart")
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
