"""Who made the bots of a field, and whether bots of one author can be kept apart."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from arena.tournament.errors import PlanError

if TYPE_CHECKING:
    from arena.tournament.plan.definition import Definition, Entrant


def authors_of(definition: "Definition") -> tuple[int, ...]:
    """Return a number for the author of each bot of the field; none where they may sit together.

    A bot whose author is not known has a number of its own.
    """
    return _numbered(definition.field) if definition.same_author == "apart" else ()


def _numbered(field: Sequence["Entrant"]) -> tuple[int, ...]:
    first: dict[str, int] = {}
    return tuple(first.setdefault(bot.author, place) if bot.author else place for place, bot in enumerate(field))


def check_apart(definition: "Definition", field: Sequence["Entrant"], places: int) -> None:
    """Raise PlanError where bots of one author cannot be kept apart. field: who plays. places: the bots at a table."""
    if definition.same_author == "any":
        return
    if definition.schedule not in ("round-robin", "swiss"):
        raise PlanError(f"in a {definition.schedule} who meets whom is settled: leave out --same-author apart")
    if definition.teams == "mixed":
        raise PlanError("partners are drawn from the whole field: --teams mixed does not go with --same-author apart")
    bots = len(field)
    if bots < places:
        raise PlanError(
            f"{bots} bots fill a table of {places} only with copies of themselves: name more, or fewer seats"
        )
    counts = Counter(_numbered(field))
    place, most = counts.most_common(1)[0]
    author = field[place].author
    if definition.schedule == "round-robin" and places == 2:
        if len(counts) == 1:
            raise PlanError(f"all bots are of one author, {author}, so none can meet another: leave out --same-author")
        return
    # In a round-robin all are to sit equally often, in a swiss each stage has so many tables.
    room = bots // places
    if most > room:
        raise PlanError(
            f"{author} has {most} of the {bots} bots, and at tables of {places} only {room} of one author can be kept "
            "apart: name fewer of them, or more others, or take smaller tables (--seats)"
        )
