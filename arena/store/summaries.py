"""Summaries of many matches: every stored match of a tournament is in one summary, or unsummarised."""

from collections.abc import Callable, Sequence

from sqlalchemy import Connection, delete, func, insert, select
from sqlalchemy.sql.elements import ColumnElement

from arena.store import aggregates
from arena.store.blobs import compress, decompress
from arena.store.counted_matches import CountedMatches
from arena.store.errors import StoreError
from arena.store.match_filter import IdRange
from arena.store.rows import SummedResults
from arena.store.schema import events, loose, matches, summaries

MAX_MATCHES = 1 << 22
"""Matches in one summary at the most: some 40 MB, where a value of a database holds a gigabyte."""


def mark_unsummarised(connection: Connection, ids: Sequence[int]) -> None:
    """Mark matches as unsummarised."""
    if ids:
        connection.execute(insert(loose), [{"match_id": id} for id in ids])


def unsummarised_in(first: int, last: int) -> ColumnElement[bool]:
    """Return the condition that a match is unsummarised and its id is from `first` to `last`."""
    return matches.c.id.in_(select(loose.c.match_id).where(loose.c.match_id.between(first, last)))


def decompress_summary(packed: bytes) -> bytes:
    """Return the content of a summary. Raises StoreError where it is damaged."""
    try:
        return decompress(packed)
    except StoreError as error:
        raise StoreError(
            f"{str(error).partition(':')[0]}; it is a summary, so `arena db rebuild` makes it again from the matches"
        ) from None


def add_summary(
    connection: Connection,
    span: IdRange,
    make: Callable[[SummedResults], bytes],
    least: int,
    most: int,
    whole: bool,
) -> int:
    """Summarise unsummarised matches; see `Store.summarise`."""
    event, ids_of_it = span.event, span.ids
    fresh = select(loose.c.match_id).where(loose.c.match_id.between(ids_of_it.start, ids_of_it.stop - 1))
    ids = connection.scalars(fresh.order_by(loose.c.match_id).limit(most)).all()
    if len(ids) < least:
        return 0
    last = ids[-1] if ids else ids_of_it.start - 1
    of_event = summaries.c.event_id == event
    known = select(summaries.c.part, summaries.c.matches).where(of_event).order_by(summaries.c.part.desc())
    part, total = 0, len(ids)
    for row in connection.execute(known):
        part = row.part
        if row.matches + total > MAX_MATCHES or (row.matches > total and not whole):
            part += 1
            break
        total += row.matches
    merged = of_event & (summaries.c.part >= part)
    parts = list(map(decompress_summary, connection.scalars(select(summaries.c.packed).where(merged))))
    if not ids and len(parts) < 2:
        return 0
    of_them = unsummarised_in(ids_of_it.start, last)
    packed = make(
        aggregates.load_sums(connection, parts, of_them, ids_of_it.start, CountedMatches.of(connection, event))
    )
    connection.execute(delete(summaries).where(merged))
    values = {"event_id": event, "part": part, "matches": total, "packed": compress(packed)}
    connection.execute(insert(summaries).values(values))
    connection.execute(delete(loose).where(loose.c.match_id.between(ids_of_it.start, last)))
    return len(ids)


def load_sums(connection: Connection, span: IdRange) -> SummedResults:
    """Return the summaries of a tournament together with its unsummarised matches."""
    wanted = select(summaries.c.packed).where(summaries.c.event_id == span.event).order_by(summaries.c.part)
    parts = tuple(map(decompress_summary, connection.scalars(wanted)))
    of_them = unsummarised_in(span.ids.start, span.ids.stop - 1)
    return aggregates.load_sums(connection, parts, of_them, span.first, CountedMatches.of(connection, span.event))


def count_unsummarised(connection: Connection, span: IdRange) -> int:
    """Return the number of unsummarised matches of a tournament."""
    of_it = loose.c.match_id.between(span.ids.start, span.ids.stop - 1)
    return int(connection.scalar(select(func.count()).where(of_it).select_from(loose)) or 0)


def count_stored(connection: Connection, span: IdRange) -> int:
    """Return the number of stored matches of a tournament: the summarised and the unsummarised ones."""
    added_up = connection.scalar(select(func.sum(summaries.c.matches)).where(summaries.c.event_id == span.event))
    return int(added_up or 0) + count_unsummarised(connection, span)


def drop_summaries(connection: Connection, event: int) -> None:
    """Drop the summaries of a tournament and mark all its matches as unsummarised.

    A summary holds only sums, so that no single match can be removed from it.
    """
    connection.execute(delete(summaries).where(summaries.c.event_id == event))
    frame = connection.execute(select(events.c.first_match, events.c.matches).where(events.c.id == event)).one()
    last = frame.first_match + frame.matches - 1
    connection.execute(delete(loose).where(loose.c.match_id.between(frame.first_match, last)))
    of_it = select(matches.c.id).where(matches.c.id.between(frame.first_match, last))
    connection.execute(insert(loose).from_select([loose.c.match_id], of_it))
