"""Whether the summaries and the verdict of a tournament follow from its matches; and rebuilding them."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from secrets import token_bytes
from typing import Any

from arena.ratings.fingerprint import Fingerprint
from arena.results.stored_tournament import StoredTournament
from arena.results.summary import add_up
from arena.store import StoreError
from arena.values.rows import SummedResults, VerdictRow

READ_MATCHES = 1 << 14
"""Matches that are read at a time."""


def summary_errors(tournament: StoredTournament) -> Iterator[str]:
    """Yield a sentence for the summaries, and for the stored verdict, where they do not follow from the matches."""
    remedy = f"`arena db rebuild {tournament.id}` rebuilds them from the matches"
    if wrong := "; ".join(_wrong_sums(tournament)):
        yield f"its summaries are not the sums of its matches ({wrong}): {remedy}"
    stored = tournament.store.verdict(tournament.id)
    if stored is not None and not _agree(stored, verdict := tournament.find_verdict()):
        truth = verdict.sentence if verdict and verdict.sentence else "nothing ended it early"
        end = stored.sentence or "its last round"
        yield f"it is stored to have ended by {end}, and by its matches {truth}: {remedy}"


def _agree(stored: VerdictRow, computed: VerdictRow | None) -> bool:
    """Return whether two verdicts are the same; the sentence has other names once an account was closed."""
    return (
        computed is not None
        and replace(stored, sentence=computed.sentence) == computed
        and bool(stored.sentence) == bool(computed.sentence)
    )


def _wrong_sums(tournament: StoredTournament) -> Iterator[str]:
    parts = tournament.store.sums_and_matches(tournament.id, READ_MATCHES)
    salt = token_bytes(8)
    summed, true = Fingerprint(salt), Fingerprint(salt)
    try:
        summed_matches, sums = next(parts)
        summed_efforts, summed_faults, summed_meetings = add_up(tournament.row, [sums], summed)
    except StoreError as error:
        yield str(error)
        return
    stored_matches = 0

    def matches() -> Iterator[SummedResults]:
        nonlocal stored_matches
        for count, part in parts:
            stored_matches += count
            yield part

    efforts, faults, meetings = add_up(tournament.row, matches(), true)
    if summed_matches != stored_matches:
        yield f"of {summed_matches:,} instead of {stored_matches:,} matches"
    names = tournament.names
    for what, one, other in (("decisions", summed_efforts, efforts), ("faults", summed_faults, faults)):
        if places := _differing_places(one, other):
            yield f"{what} of {', '.join(names[place] for place in places)}"
    bots = len(names)
    if summed_meetings.sittings(bots) != meetings.sittings(bots):
        yield "who met whom"
    if summed.value() != true.value():
        yield "results"


def _differing_places(one: Mapping[int, Any], other: Mapping[int, Any]) -> list[int]:
    return [place for place in sorted(one.keys() | other.keys()) if one.get(place) != other.get(place)]


def rebuild(tournament: StoredTournament) -> None:
    """Drop the summaries and the verdict of a tournament, and rebuild them from its matches."""
    tournament.store.drop_summaries(tournament.id)
    is_over = tournament.row.finished is not None
    if is_over:
        tournament.save_verdict()
    tournament.summarise(is_over=is_over)
