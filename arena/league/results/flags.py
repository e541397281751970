"""What an audit says of entries, beside their names on the board."""

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from arena.language.message import Message

FORFEIT_SHARE = 0.01
"""The share of its matches that an entry must have forfeited to be named for it."""

MIN_FORFEITS = 10
"""The fewest matches that an entry must have forfeited to be named for it."""

CAUTION = "This is no proof, as one style may play into the hands of another: look at the matches."
"""What is to be said where entries seem to play for each other."""

SuspicionKind = Literal["flow", "together"]


class Suspicion(NamedTuple):
    """An effect of two entries that stands out."""

    kind: SuspicionKind
    """Either "flow": points went from `one` to `other`; or "together": both took more from the others at their tables.
    """
    one: int
    other: int
    deals: int
    """The deals in which the two met."""
    excess: float
    """The points per comparison beyond those that the ratings predict."""
    p_value: float
    """The probability that any two entries of the league would ever show as much if all were honest, at most."""


FlagKind = Literal["gave", "took", "together", "forfeits"]


class Flag(NamedTuple):
    """What an audit says of an entry."""

    kind: FlagKind
    """What it did: "gave" or "took" points, to or from `other` beyond what the ratings predict; "together": both took
    more from the others at their tables; "forfeits": it forfeited matches.
    """
    other: int | None
    """The number of the other entry; None for forfeits."""
    share: float
    """The points per comparison beyond those expected, or the share of its matches that it forfeited."""
    number: int
    """The number of deals in which the two met, or of forfeited matches."""


def flags_by_entry(suspicions: Iterable[Suspicion]) -> dict[int, list[Flag]]:
    """Return what suspicions say of each entry that they concern."""
    flags: dict[int, list[Flag]] = {}
    for kind, one, other, deals, excess, _ in suspicions:
        of_one: FlagKind = "together" if kind == "together" else "gave"
        of_other: FlagKind = "together" if kind == "together" else "took"
        flags.setdefault(one, []).append(Flag(of_one, other, excess, deals))
        flags.setdefault(other, []).append(Flag(of_other, one, excess, deals))
    return flags


def forfeit_flags(forfeits: int, matches: int) -> list[Flag]:
    """Return the flag of an entry that forfeited too many of its matches, if it did."""
    if forfeits < MIN_FORFEITS or forfeits < FORFEIT_SHARE * matches:
        return []
    return [Flag("forfeits", None, forfeits / matches, forfeits)]


def sentence(flag: Flag, names: Mapping[int, str]) -> Message:
    """Say what a flag means, as the end of a sentence about the entry.

    names: of entries.
    """
    if flag.other is None:
        return Message("forfeited {0} of its matches ({1} %)", f"{flag.number:,}", f"{100 * flag.share:.1f}")
    words = {
        "together": "and {0} took {1} points of 100 more from the others at their tables than the ratings predict, in "
        "{2} deals",
        "gave": "lost to {0} {1} points of 100 more than the ratings predict, in {2} deals",
        "took": "took from {0} {1} points of 100 more than the ratings predict, in {2} deals",
    }[flag.kind]
    return Message(words, names[flag.other], f"{100 * flag.share:.0f}", f"{flag.number:,}")
