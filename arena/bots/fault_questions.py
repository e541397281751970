"""The questions of a tournament at which bots made faults."""

from collections.abc import Iterator
from typing import NamedTuple

from arena.store import Store
from arena.values.rows import FaultRow, StoredMatch


class FaultQuestion(NamedTuple):
    """A question at which a bot made a fault."""

    match: StoredMatch
    bot: str
    """The name of the bot."""
    fault: FaultRow


def fault_questions(store: Store, tournament: int, bot: str | None = None) -> Iterator[FaultQuestion]:
    """Yield the questions of a tournament at which a bot made a fault, match by match.

    A withdrawal is no answer to a question, and is left out.

    bot: only those of the bot of that name; None: of all.
    """
    listed = store.matches(tournament=tournament, bot=bot, fault="any")
    for id in sorted(match.id for match in listed):
        match = store.match(id)
        for fault in match.row.faults:
            name = match.players[fault.seat]
            if fault.kind != "withdrawn" and bot in (None, name):
                yield FaultQuestion(match, name, fault)
