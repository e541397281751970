"""Whether the rows of seats, faults and processes of an event go together: what its records do not show."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, func, select
from sqlalchemy.sql.elements import ColumnElement

from arena.store.engine.schema import entrants, faults, matches, outputs, process_failures, seats, voids


def numbering_errors(connection: Connection, event: int, in_event: ColumnElement[bool]) -> Iterator[str]:
    """Yield a sentence for each match whose seats or faults are not counted from 0, and each process of two bots.

    Void matches have no schedule: that a process is of one bot shows who sat there.

    event: the key of the event.
    in_event: the condition for its matches; those that are void are added.
    """
    in_event |= matches.c.id.in_(select(voids.c.match_id).where(voids.c.event_id == event))
    place = entrants.c.place
    ends = select(func.min(place), func.max(place) - func.count()).where(entrants.c.event_id == event)
    if connection.execute(ends).one() not in ((0, -1), (None, None)):
        yield "the bots of its field are not numbered from 0"
    for table, number in ((seats, seats.c.seat), (faults, faults.c.place)):
        counted = select(table.c.match_id).join(matches, matches.c.id == table.c.match_id).where(in_event)
        wrong = counted.group_by(table.c.match_id).having(
            (func.min(number) != 0) | (func.max(number) != func.count() - 1)
        )
        for match in connection.scalars(wrong.order_by(table.c.match_id)):
            yield f"the {table.name} of match {match} are not numbered from 0"
    for match in connection.scalars(select(matches.c.id).where(in_event, matches.c.event_id != event)):
        yield f"match {match} is stored as one of another event"
    void = select(voids.c.match_id).where(voids.c.event_id == event)
    unlogged = select(matches.c.id).where(matches.c.event_id == event, matches.c.id < 0, matches.c.id.not_in(void))
    for match in connection.scalars(unlogged.order_by(matches.c.id)):
        yield f"match {match} is void, and no decision says so"
    seated = select(seats.c.match_id).where(seats.c.match_id == matches.c.id).correlate(matches)
    unseated = select(matches.c.id).where(in_event, ~seated.exists())
    for match in connection.scalars(unseated.order_by(matches.c.id)):
        yield f"nobody sat in match {match}"
    bots: dict[tuple[int, int], int] = {}
    sat: Any = select(matches.c.phase, seats.c.player, seats.c.entrant).distinct()
    processes = connection.execute(
        sat.join_from(matches, seats, seats.c.match_id == matches.c.id).where(in_event)
    ).all()
    if not any(player for _, player, _ in processes):  # bare results name no processes
        return
    of_event: list[Any] = [processes]
    for table in (outputs, process_failures):
        named = select(table.c.phase, table.c.player, table.c.entrant).where(table.c.event_id == event).distinct()
        of_event.append(connection.execute(named).all())
    for rows in of_event:
        for phase, player, entrant in rows:
            if bots.setdefault((phase, player), entrant) != entrant:
                yield f"process {player} of phase {phase} is stored as that of two bots"
