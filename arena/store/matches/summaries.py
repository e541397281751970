"""Summaries of many matches: every stored match of a tournament is in one summary or is unsummarised.

Summaries of similar size are merged, so there are few.
"""

from collections.abc import Callable, Sequence

from sqlalchemy import Connection, delete, func, insert, select
from sqlalchemy.sql.elements import ColumnElement

from arena.store.engine.blobs import compress, decompress
from arena.store.engine.errors import StoreError
from arena.store.engine.schema import events, matches, summaries, unsummarised
from arena.store.matches import aggregates
from arena.store.matches.counted_matches import CountedMatches
from arena.store.matches.match_filter import IdRange
from arena.values.rows import SummedResults

BATCH = 4096
"""Matches that are summarised together: few enough that reading them one by one takes no time."""

MAX_MATCHES = 1 << 22
"""The most matches in one summary: about 40 MB, where a value of a database may have a gigabyte."""


def mark_unsummarised(connection: Connection, ids: Sequence[int]) -> None:
    """Mark matches as unsummarised."""
    if ids:
        connection.execute(insert(unsummarised), [{"match_id": id} for id in ids])


def unsummarised_in(first: int, last: int) -> ColumnElement[bool]:
    """Return the condition that a match is unsummarised and its id is from `first` to `last`."""
    return matches.c.id.in_(select(unsummarised.c.match_id).where(unsummarised.c.match_id.between(first, last)))


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
    id_range: IdRange,
    make_summary: Callable[[SummedResults], bytes],
    min_matches: int,
    max_matches: int,
    merge_all: bool,
) -> int:
    """Summarise unsummarised matches; see `Store.summarise`."""
    event, first_id = id_range.event, id_range.first
    query = select(unsummarised.c.match_id).where(unsummarised.c.match_id.between(first_id, id_range.ids.stop - 1))
    ids = connection.scalars(query.order_by(unsummarised.c.match_id).limit(max_matches)).all()
    if len(ids) < min_matches:
        return 0
    last_id = ids[-1] if ids else first_id - 1
    of_event = summaries.c.event_id == event
    newest_first = select(summaries.c.part, summaries.c.matches).where(of_event).order_by(summaries.c.part.desc())
    part, total = 0, len(ids)
    for row in connection.execute(newest_first):
        part = row.part
        if row.matches + total > MAX_MATCHES or (row.matches > total and not merge_all):
            part += 1
            break
        total += row.matches
    to_merge = of_event & (summaries.c.part >= part)
    parts = list(map(decompress_summary, connection.scalars(select(summaries.c.packed).where(to_merge))))
    if not ids and len(parts) < 2:
        return 0
    condition = unsummarised_in(first_id, last_id)
    packed = make_summary(
        aggregates.load_sums(connection, parts, condition, first_id, CountedMatches.load(connection, event))
    )
    connection.execute(delete(summaries).where(to_merge))
    columns = {"event_id": event, "part": part, "matches": total, "packed": compress(packed)}
    connection.execute(insert(summaries).values(columns))
    connection.execute(delete(unsummarised).where(unsummarised.c.match_id.between(first_id, last_id)))
    return len(ids)


def load_sums(connection: Connection, id_range: IdRange) -> SummedResults:
    """Return the summaries of a tournament together with its unsummarised matches."""
    query = select(summaries.c.packed).where(summaries.c.event_id == id_range.event).order_by(summaries.c.part)
    parts = tuple(map(decompress_summary, connection.scalars(query)))
    condition = unsummarised_in(id_range.ids.start, id_range.ids.stop - 1)
    return aggregates.load_sums(
        connection, parts, condition, id_range.first, CountedMatches.load(connection, id_range.event)
    )


def count_unsummarised(connection: Connection, id_range: IdRange) -> int:
    """Return the number of unsummarised matches of a tournament."""
    in_range = unsummarised.c.match_id.between(id_range.ids.start, id_range.ids.stop - 1)
    return int(connection.scalar(select(func.count()).where(in_range).select_from(unsummarised)) or 0)


def count_stored(connection: Connection, id_range: IdRange) -> int:
    """Return the number of stored matches of a tournament: the summarised and the unsummarised ones."""
    summarised = connection.scalar(select(func.sum(summaries.c.matches)).where(summaries.c.event_id == id_range.event))
    return int(summarised or 0) + count_unsummarised(connection, id_range)


def drop_summaries(connection: Connection, event: int) -> None:
    """Drop the summaries of a tournament and mark all its matches as unsummarised.

    A summary holds only sums, so that no single match can be removed from it.
    """
    connection.execute(delete(summaries).where(summaries.c.event_id == event))
    tournament = connection.execute(select(events.c.first_match, events.c.matches).where(events.c.id == event)).one()
    last = tournament.first_match + tournament.matches - 1
    connection.execute(delete(unsummarised).where(unsummarised.c.match_id.between(tournament.first_match, last)))
    match_ids = select(matches.c.id).where(matches.c.id.between(tournament.first_match, last))
    connection.execute(insert(unsummarised).from_select([unsummarised.c.match_id], match_ids))
