"""Whether the sums that are kept of a tournament are those of its matches; and making them again."""

from collections.abc import Iterator, Mapping
from secrets import token_bytes
from typing import Any

from arena.ratings.fingerprint import Fingerprint
from arena.store import StoreError
from arena.store.rows import SummedResults
from arena.tournament.results.stored_tournament import StoredTournament
from arena.tournament.results.summaries import gathered

TOGETHER = 1 << 14
"""Matches that are read at a time."""


def differences(tournament: StoredTournament) -> Iterator[str]:
    """Yield what is not as it follows from the matches: the sums, and what is noted to have ended the tournament."""
    mend = f"`arena db rebuild {tournament.id}` makes them again from the matches"
    if wrong := "; ".join(_differing(tournament)):
        yield f"its summaries are not the sums of its matches ({wrong}): {mend}"
    noted = tournament.store.verdict(tournament.id)
    if noted is not None and noted != (found := tournament.find_verdict()):
        told = found.sentence if found and found.sentence else "nothing ended it early"
        yield f"it is noted to have ended by {noted.sentence or 'its last round'}, and by its matches {told}: {mend}"


def _differing(tournament: StoredTournament) -> Iterator[str]:
    lots = tournament.store.sums_and_matches(tournament.id, TOGETHER)
    salt = token_bytes(8)
    kept, true = Fingerprint(salt), Fingerprint(salt)
    try:
        told, summed = next(lots)
        kept_efforts, kept_faults, kept_meetings = gathered(tournament.row, [summed], kept)
    except StoreError as error:
        yield str(error)
        return
    stored = 0

    def rest() -> Iterator[SummedResults]:
        nonlocal stored
        for count, lot in lots:
            stored += count
            yield lot

    efforts, faults, meetings = gathered(tournament.row, rest(), true)
    if told != stored:
        yield f"of {told:,} instead of {stored:,} matches"
    names = tournament.names
    for what, one, other in (("decisions", kept_efforts, efforts), ("faults", kept_faults, faults)):
        if places := _unequal(one, other):
            yield f"{what} of {', '.join(names[place] for place in places)}"
    bots = len(names)
    if kept_meetings.sittings(bots) != meetings.sittings(bots):
        yield "who met whom"
    if kept.value() != true.value():
        yield "results"


def _unequal(one: Mapping[int, Any], other: Mapping[int, Any]) -> list[int]:
    return [place for place in sorted(one.keys() | other.keys()) if one.get(place) != other.get(place)]


def rebuild(tournament: StoredTournament) -> None:
    """Throw away what is kept of a tournament, and make it again from its matches."""
    tournament.store.drop_summaries(tournament.id)
    is_over = tournament.row.finished is not None
    if is_over:
        tournament.save_verdict()
    tournament.summarise(is_over=is_over)
