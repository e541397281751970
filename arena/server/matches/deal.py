"""The matches of one deal, with their results."""

from collections.abc import Sequence

from arena.replay.html import Element
from arena.server.pages.numbers import rank_words
from arena.server.templates import TEMPLATES
from arena.values.rows import ListedMatch, StoredMatch
from referee.engine.registry import in_units

DealMatch = tuple[int, Sequence[str]]
"""A match of a deal: its id, and who held each seat, with rank and score, in words."""

_other_matches = TEMPLATES.macro("matches/parts.html", "other_matches")


def other_matches(match: StoredMatch, listed: Sequence[ListedMatch]) -> Element | None:
    """Return the other matches of the deal of a match with their results; None if there are none."""
    others = [deal_match(other) for other in listed if other.id != match.id]
    return _other_matches(match.id, others) if others else None


def deal_match(match: ListedMatch) -> DealMatch:
    """Return a match as the lists of a deal show it."""
    seats = zip(match.players, match.ranks, match.scores, strict=True)
    return match.id, [f"{name}: {rank_words(rank)}, {in_units(match.game, score):g}" for name, rank, score in seats]
