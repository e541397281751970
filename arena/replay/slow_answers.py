"""Answers that took long, in one match or in many."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.record.played_rules import played_by_referee, steps
from arena.store import Store
from arena.values.rows import ListedMatch, StoredMatch
from referee.engine.record import unpack_time

BATCH = 256
"""Matches that are read at a time."""

ROUNDING = 1.075
"""Records hold times in steps of 7.5 %: a stored time is at most so much larger than the measured one."""


@dataclass(frozen=True, slots=True)
class SlowAnswer:
    """An answer that took long."""

    ply: int
    """The number of the answer in the match."""
    seat: int
    bot: str
    """The name of the bot."""
    move: str
    micros: float
    """The time of the answer in µs, in steps of 7.5 %."""


def slow_answers(
    match: StoredMatch, micros: float, bot: str | None = None, seat: int | None = None
) -> list[SlowAnswer]:
    """Return the answers of a match that took `micros` µs or more, in their order.

    bot, seat: only those of the bot of that name, and of that seat. Answers that never came have no time.
    """
    row, players = match.row, match.players
    if not any(unpack_time(time) >= micros for time in row.times):
        return []  # most matches: the rules need not be played
    return [
        SlowAnswer(step.ply, step.seat, players[step.seat], step.move, unpack_time(row.times[step.ply]))
        for _, answered in steps(match)
        for step in answered
        if step.ply < len(row.times)
        and unpack_time(row.times[step.ply]) >= micros
        and bot in (None, players[step.seat])
        and seat in (None, step.seat)
        and not played_by_referee(row, step.seat, step.ply)
    ]


def matches_with_slow_answers(
    store: Store,
    micros: float,
    *,
    tournament: int | None = None,
    bot: str | None = None,
    seat: int | None = None,
    against: str | None = None,
    fault: str | None = None,
) -> Iterator[tuple[ListedMatch, Sequence[SlowAnswer]]]:
    """Yield the matches with answers that took `micros` µs or more, the newest first, with these answers.

    The other parameters are those of `Store.matches`.
    """
    before: int | None = None
    while True:
        # A seat with a slow answer was charged at least as much for all its answers.
        listed = store.matches(
            tournament=tournament,
            bot=bot,
            seat=seat,
            against=against,
            fault=fault,
            before=before,
            limit=BATCH,
            charged_us=int(micros / ROUNDING),
        )
        for match in listed:
            if answers := slow_answers(store.match(match.id), micros, bot, seat):
                yield match, answers
        if len(listed) < BATCH:
            return
        before = listed[-1].id
