"""What a seat was told of the hands in one deal of a trick-taking game (see `referee.engine.known`)."""

from collections.abc import Collection, Sequence
from typing import Any

from referee.engine.known import Known


class KnownHands:
    """The hands of one deal: what each has held, and what is left of it may be.

    place: that of the request for the shuffled pack.
    at: by seat, where its cards were dealt from.
    """

    def __init__(self, place: tuple[int | str, ...], at: Sequence[Sequence[int]]) -> None:
        self.place = place
        self.at = [tuple(indices) for indices in at]
        self._dealt: list[list[Any]] = [[] for _ in at]
        self._held: list[list[Any]] = [[] for _ in at]
        self._rest: list[list[Any] | None] = [None] * len(at)
        self._put_back = [0] * len(at)

    def hold(self, seat: int, cards: Sequence[Any]) -> None:
        """Learn that a seat holds cards, besides those that it was known to hold."""
        self._dealt[seat] += cards
        self._held[seat] += cards

    def take(self, seat: int, cards: Sequence[Any]) -> None:
        """Learn that a seat holds cards that were not dealt to it."""
        self._held[seat] += cards

    def forget(self, seat: int, card: Any) -> None:
        """Take back that a seat was dealt a card that it holds twice by what was told: it lay where it is known."""
        self._dealt[seat].remove(card)
        self._held[seat].remove(card)

    def show(self, seat: int, card: Any) -> None:
        """Learn that a seat holds a card, which may be one that it was known to hold."""
        if card not in self._held[seat]:
            self.hold(seat, (card,))

    def play(self, seat: int, card: Any) -> None:
        """Learn that a seat has played a card of its hand."""
        self.show(seat, card)
        self._held[seat].remove(card)

    def put_back(self, seat: int) -> None:
        """Learn that a seat has put a card of its hand away, unseen."""
        self._put_back[seat] += 1

    def restrict(self, seat: int, kinds: Collection[Any], among: Collection[Any]) -> None:
        """Learn that what a seat still holds is among some cards.

        kinds: all kinds of cards.
        """
        rest = self._rest[seat]
        self._rest[seat] = [card for card in (kinds if rest is None else rest) if card in among]

    def known(self) -> list[Known]:
        """Return what was learned."""
        return [
            Known(self.place, at, tuple(dealt), rest, spare)
            for at, dealt, rest, spare in zip(self.at, self._dealt, self._rest, self._put_back, strict=True)
        ]


def one_by_one(seats: int, dealer: int, indices: Sequence[int]) -> list[Sequence[int]]:
    """Return by seat where its cards come from: they are dealt one by one, the dealer last.

    indices: where the cards that are dealt lie in the pack, the first to be dealt first.
    """
    at: list[Sequence[int]] = [()] * seats
    for place in range(seats):
        at[(dealer + 1 + place) % seats] = indices[place::seats]
    return at
