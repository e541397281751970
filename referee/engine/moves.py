"""What the lines of a log do to the drawn table: declared with the line, for replays and pages; rules ignore it.

    BETS: Final = LOG.line("seat {} bets {}", "its bet", moves=(Go(At("chips"), At("bet"))),))

Values of the event are named by their index: in the words "seat {0}" the first one, in `pieces=1` the second one. So a
table shows nobody more than the line tells. A label is that of a zone, or of a number or text beside a place.
"""

from typing import Final, NamedTuple

MIDDLE: Final = -1
"""The middle of the table, where a spot is of no seat."""
EVERYBODY: Final = -2
"""All seats, of which each has such a spot."""


class At(NamedTuple):
    """A spot of the table."""

    label: str
    """What it is called in the game's terms: "hand", "box", "chips"."""
    of: int | str = 0
    """Whose it is: the value that tells the seat, the words at the place of the seat, as "dealer", MIDDLE or EVERYBODY.
    """


class Show(NamedTuple):
    """Only these pieces lie at a spot."""

    at: At
    pieces: int | None = 1
    """The value that tells them; None: a card face down."""


class Put(NamedTuple):
    """Pieces are added at a spot."""

    at: At
    pieces: int = 1
    """The value that tells them."""
    mark: str = ""
    """The words below them."""


class Go(NamedTuple):
    """Pieces go from one spot to another."""

    source: At
    target: At
    pieces: int = 1
    """The value that tells them."""
    mark: str = ""
    """The words below them, where they lie then."""


class Empty(NamedTuple):
    """Nothing lies at some spots any more."""

    labels: tuple[str, ...]
    of: int = EVERYBODY
    """Whose they are, as in `At`."""


class Pay(NamedTuple):
    """Chips go from one spot to another."""

    source: At
    target: At
    amount: int = 1
    """The value that tells how many."""


class Add(NamedTuple):
    """A number at a spot changes."""

    at: At
    factor: int = 1
    """How much is added for each; or at all, where no value tells it."""
    number: int | None = None
    """The value that tells how many."""


class Write(NamedTuple):
    """Words or a value stand at a spot."""

    at: At
    words: str | int
    """The words, "" for none, or the value."""


class Badge(NamedTuple):
    """Words stand at the place of a seat."""

    words: str
    of: int = 0
    """The value that tells the seat."""
    given: int | None = None
    """What {0} stands for in the words, if not for the first value."""


class Forget(NamedTuple):
    """No words stand at any place."""

    but: tuple[str, ...] = ()
    """Those that stay."""


class Out(NamedTuple):
    """A seat is out of the round or the match."""

    of: int = 0
    """The value that tells the seat."""


Move = Show | Put | Go | Empty | Pay | Add | Write | Badge | Forget | Out
