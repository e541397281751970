"""The matches of one deal, with their results."""

from collections.abc import Iterable, Sequence

from arena.language.messages import gettext as _
from arena.replay.html import Element, tag
from arena.server.pages.layout import rank_words
from arena.values.rows import ListedMatch, StoredMatch
from referee.engine.registry import in_units


def other_matches(match: StoredMatch, listed: Sequence[ListedMatch]) -> Element | None:
    """Return the other matches of the deal of a match with their results; None if there are none."""
    others = [other for other in listed if other.id != match.id]
    if not others:
        return None
    address = f"/matches/{match.id}/compare"
    return tag(
        "div",
        {"class": "deal"},
        tag("a", {"href": address, "data-moment": True}, _("compare side by side")),
        tag("details", {}, tag("summary", {}, _("other matches of this deal: {0}", len(others))), _matches(others)),
    )


def _matches(listed: Iterable[ListedMatch]) -> Element:
    return tag(
        "ul",
        {"tabindex": 0, "aria-label": _("other matches of this deal")},
        [
            tag("li", {}, tag("a", {"href": f"/matches/{other.id}"}, _("match {0}", other.id)), " ", result(other))
            for other in listed
        ],
    )


def result(match: ListedMatch) -> Element:
    """Return who held each seat, with rank and score."""
    seats = zip(match.players, match.ranks, match.scores, strict=True)
    return tag(
        "ol",
        {"class": "soft", "start": 0},
        [
            tag("li", {}, f"{name}: {rank_words(rank)}, {in_units(match.game, score):g}")
            for name, rank, score in seats
        ],
    )  # fmt: skip
