"""Whether the bots of a batch could be started: where sample bots cannot, it tells nothing of the others either."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from arena.league.store.league_rows import BatchResult, EntryRow
from referee.process.bot_process import FAILED_STARTS


class StartProblem(NamedTuple):
    """Why the result of a batch counts for nothing."""

    sentence: str
    anchors: tuple[int, ...] = ()
    """The numbers of the anchors that could not be started."""


def start_problem(result: BatchResult, entries: Sequence[EntryRow]) -> StartProblem | None:
    """Return why a batch cannot be stored, as bots could not be started for no fault of theirs; None if it can.

    entries: by place in the field.
    """
    starts = Counter((row.phase, row.entrant) for row in result.failures if row.kind == "start")
    unstarted = {key for key, count in starts.items() if count >= FAILED_STARTS and key[1] in result.withdrawn}
    rotations = {rotation for rotation, _ in unstarted}
    is_none_started = any(_playing(result, rotation) <= unstarted for rotation in rotations)
    places = sorted({place for _, place in unstarted if entries[place].is_anchor})
    if not places:
        return StartProblem("none of its bots could be started") if is_none_started else None
    last = [row for row in result.failures if row.entrant == places[0]][-1]
    what = "no bot can be started" if is_none_started else "a sample bot could not be started"
    anchors = tuple(entries[place].number for place in places)
    return StartProblem(f"{what}: {entries[places[0]].name}: {last.last_words}", anchors)


def _playing(result: BatchResult, rotation: int) -> set[tuple[int, int]]:
    """Return the entries that play in a rotation, each with its number."""
    return {(rotation, seat.entrant) for row in result.rows if row.phase == rotation for seat in row.seats}
