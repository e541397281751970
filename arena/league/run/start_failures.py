"""Whether the bots of a batch could be started: where sample bots cannot, it tells nothing of the others either."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from arena.store.league_rows import BatchResult
from referee.session.crash_attribution import FAILED_STARTS


class StartProblem(NamedTuple):
    """Why the result of a batch counts for nothing. is_machine: no bot at all can be started where it was played."""

    sentence: str
    is_machine: bool


def start_problem(result: BatchResult, names: Sequence[str], anchors: Collection[int]) -> StartProblem | None:
    """Return why a batch cannot be stored, as bots could not be started for no fault of theirs; None if it can.

    names: of its entries, by place in the field. anchors: the places of those that are sample bots.
    """
    starts = Counter((row.phase, row.entrant) for row in result.failures if row.kind == "start")
    unstarted = sorted(key for key, count in starts.items() if count >= FAILED_STARTS)
    of_anchors = [(rotation, place) for rotation, place in unstarted if place in anchors]
    for rotation in {rotation for rotation, _ in unstarted}:
        playing = {seat.entrant for row in result.rows if row.phase == rotation for seat in row.seats}
        if all((rotation, place) in unstarted for place in playing):
            if of_anchors:
                return StartProblem(f"no bot can be started: {_reason(result, names, *of_anchors[0])}", is_machine=True)
            return StartProblem("none of its bots could be started", is_machine=False)
    if of_anchors:
        return StartProblem(f"a sample bot could not be started: {_reason(result, names, *of_anchors[0])}", False)
    return None


def _reason(result: BatchResult, names: Sequence[str], rotation: int, place: int) -> str:
    failed = [row for row in result.failures if (row.phase, row.entrant, row.kind) == (rotation, place, "start")]
    return f"{names[place]}: {failed[-1].last_words}"
