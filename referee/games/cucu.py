"""Cucù as played at Campli: tokens, re-entry, the Matto; the last player with tokens takes the pool.

Source: the page on Cucù named in `cucu_table`. The money is in `stakes`, coming back in `reentry`,
the deal in `cucu_table`;
here is what Campli does with cat, inn and fool.

Left out: the draw for seats and the calls of the cards (gnaf, bum ...), which decide nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from referee.engine.chance import Chance
from referee.engine.game import Game
from referee.games import stakes
from referee.games.cuckoo_pack import CUCKOO, FOOL, pack
from referee.games.cucu_table import GUEST, HOST
from referee.games.reentry import ReEntry
from referee.games.stakes import StakeOptions
from referee.games.visibility import everybody


@dataclass(frozen=True, slots=True)
class CucuOptions(StakeOptions):
    """The options of Campli."""


TWO_FOOLS: Final = 14.5
"""What each fool counts as when two are shown."""
FORCED_BELOW: Final = 5
"""Under an agreement, cards below this one must be exchanged by the non-dealer."""

LOG: Final = stakes.LOG.extended()
INN: Final = LOG.line(
    "seat {} has an inn", "it does not show the 11, but asks whether the guest will stop for a while", reveals=True
)
STAYS: Final = LOG.line("seat {} stays", "at the inn, with the card it has")
ASKS_TO_PAY: Final = LOG.line(
    "seat {} asks seat {} to pay if it is a zero", "then both keep their cards; or else they change cards"
)
AGREES: Final = LOG.line("seat {} agrees", "to pay the guest's token if his card is a losing 0")
REFUSES: Final = LOG.line("seat {} refuses", "and has to give its inn away")
GIVES_BACK: Final = LOG.line("seat {} gives back to seat {}", "after a cat: an exchange between them is undone")

GUEST_MOVES = ("stay", "pay if zero")
HOST_MOVES = ("agree", "refuse")


def judge(cards: Sequence[int]) -> list[int]:
    """Return the places of the cards that lose. "The Result", "The Matto", "Two cuckoos"."""
    if cards.count(FOOL) == 2:
        # They lose only if nobody has 14 or lower.
        strengths = [TWO_FOOLS if card == FOOL else card for card in cards]
        lowest = min(strengths)
        return [place for place, strength in enumerate(strengths) if strength == lowest]
    # One fool equals the lowest other card. Decision: one alone loses as well.
    lowest = min([card for card in cards if card != FOOL], default=FOOL)
    # A cuckoo never loses, with a fool or without.
    return [place for place, card in enumerate(cards) if card == FOOL or card == lowest != CUCKOO]


class CucuState(ReEntry):
    """A match of Cucù at Campli."""

    __slots__ = ()

    doubles_unused = True
    """ "Re-Entry": the cost doubles even if the previous player did not exercise his option."""

    def _meet_cat(self, seat: int) -> None:
        # XII: what brought the card is undone until it is with the player it was dealt to. Horses that it
        # jumped held no card of the chain, so it jumps back over them. Decision: also when the last token went.
        trails = self.trails
        while trails[seat]:
            before = trails[seat][-1]
            # An exchange gave one step to the trails of both cards; to undo it takes these back, and adds none.
            restored = trails[seat][:-1], trails[before][:-1]
            self.events.append((GIVES_BACK, seat, before))
            self._swap(seat, before)
            trails[before], trails[seat] = restored
            seat = before

    def _enter_inn(self, guest: int) -> None:
        # XI: the inn is not shown, but what its holder says tells everybody.
        self.seen[self.host] = everybody(self.seats)
        self.events.append((INN, self.host))
        self._ask(guest, GUEST, GUEST_MOVES)

    def _answer_guest(self, guest: int, move: str) -> None:
        if move == "stay":
            self.events.append((STAYS, guest))
            self._stopped(guest, self.host)
            self._next_turn()
        else:
            self.events.append((ASKS_TO_PAY, guest, self.host))
            self._ask(self.host, HOST, HOST_MOVES, move)

    def _answer_host(self, host: int, move: str) -> None:
        guest = self.order[self.position]
        self.events.append((AGREES if move == "agree" else REFUSES, host))
        if move == "agree":
            self.hosts[guest] = host
            self._stopped(guest, host)
        else:
            self._change(guest, host)
        self._next_turn()

    def _judge(self, cards: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
        return (), judge(cards)

    def _must_exchange(self, seat: int) -> bool:
        # "Agreement between the last two players". Decision: fools too, and without asking.
        return bool(self.split) and seat != self.dealer and self.cards[seat] < FORCED_BELOW


class Cucu(Game):
    """The rules of Cucù as played at Campli."""

    name = "cucu"
    title = "Cucù of Campli: three tokens each, re-entry while a virgin is left, the last one takes the pool"
    unit = "money"
    behaviour = 1
    options = CucuOptions
    seats = (2, 20)
    recommended = 6
    lines = LOG.lines
    message = "referee.v1.cucu_pb2:CucuView"
    stable = stakes.STABLE
    moves = f"""\
{stakes.MOVES}
stay         at an inn: keep your card, and nothing happens
pay if zero  at an inn: ask the innkeeper to pay your token if your card is a losing 0
agree        innkeeper: you would pay, and both keep their cards
refuse       innkeeper: you would not, and change cards with your guest"""

    presets: ClassVar[Mapping[str, Mapping[str, int | bool | str]]] = stakes.PRESETS

    def start(self, options: Any, seats: int, chance: Chance) -> CucuState:
        self.check(options, seats)
        return CucuState(options, pack(), seats, chance)


CUCU = Cucu()
