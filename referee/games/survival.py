"""Sets and rounds that Cambio and Cucco share: play until one seat survives and takes the box.

Source: the Korean rule book of Cuckoo (Cambio), round play (1), (2), (4), (5), FAQ 2 and 4.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from typing import Final, Self

from referee.engine.chance import Chance
from referee.engine.events import Line
from referee.games.exchange import LINES as EXCHANGE_LINES
from referee.games.exchange import Table
from referee.games.turns import NO_STAGE, Turns

DEFEATS_PAID: Final = 3


def lines(leads: str) -> tuple[Line, ...]:
    """Return the log lines of a game in which the seat that leads a round `leads` ("deals", "starts")."""
    return (
        *EXCHANGE_LINES,
        Line("set {} begins", "the whole pack is shuffled, the antes are due"),
        Line("seat {} pays {} as ante", "chips into the box"),
        Line(f"round {{}} begins: seat {{}} {leads}", "cards are dealt"),
        Line("seat {} reveals {}", "an undefeated seat shows its card after the exchange phase", reveals=True),
        Line("seat {} is defeated at the reveal", "its card loses"),
        Line("seat {} pays {}", "chips into the box, for a defeat"),
        Line("seat {} is out of the set", "by a defeat in grown-ups' time, or because it could not pay in full"),
        Line("seat {} discards {}", "a card that was not revealed goes face up on the discards", reveals=True),
        Line("seat {} wins the set and takes {}", "the chips in the box"),
        Line("nobody survives the set: {} stay in the box", "chips for the winner of the next set"),
        Line("the match is over: seat {} cannot pay the ante", "most chips win"),
        Line("the match is over: {} sets have been played", "most chips win"),
    )


(SET, ANTE, ROUND, REVEALS, LOSES, PAYS, OUT, DISCARDS, WINS, CARRIED, BROKE, LAST_SET) = range(
    len(EXCHANGE_LINES), len(lines(""))
)


class Survival(Turns):
    """The sets of a match.

    set, round: counted from 1. lead: the seat that deals this round (Cambio) or starts it (Cucco).
    box, chips: in the box; of each seat.
    inside: the seats still in the set, in seat order. defeats: in this set, by seat.
    exempt: the seats that do not owe the next ante.
    """

    __slots__ = ("set", "round", "lead", "box", "chips", "inside", "defeats", "exempt")

    def __init__(self, table: Table, chance: Chance) -> None:
        super().__init__(table, chance)
        self.set = 0
        self.round = 0
        self.box = 0
        self.chips = (table.chips,) * table.seats
        self.inside: tuple[int, ...] = ()
        self.defeats: tuple[int, ...] = ()
        self.exempt: tuple[int, ...] = ()
        self.lead = chance.pick(table.seats, "first")
        if self._begin_set() and not self._ask_next():
            self._finish()

    # What the games decide

    @abstractmethod
    def _turn_order(self) -> tuple[int, ...]:
        """Return the seats still in the set in turn order, as `lead` has it."""

    def _price(self, seat: int) -> int | None:
        """Return what a defeat costs `seat` in chips, None where it costs the place in the set.

        Round play (4): as many as the round's number in rounds 1-3, children's time; then elimination.
        Extension 8: in place of the rounds the seat's own defeats in this set count.
        """
        count = self.defeats[seat] + 1 if self.table.by_defeat else self.round
        return count if count <= DEFEATS_PAID else None

    def _lost(self, shown: list[int], strengths: list[int], lost: list[int]) -> list[int]:
        """Return which of the seats `shown`, whose cards have `strengths`, are defeated: by their cards, `lost` are."""
        return lost

    def _ended_by_payment(self) -> bool:
        """Tell whether the payment just made ends the match."""
        return False

    def _fell_together(self, fell: Sequence[int]) -> None:
        """Nobody survived the set; `fell` are those who fell at its last moment."""

    # A set

    def _begin_set(self) -> bool:
        """Take the antes, shuffle, and deal the first round. Return False where the match is over."""
        table, log = self.table, self.events.append
        if self.set == table.sets:
            log((LAST_SET, self.set))
            return self._end_match()
        owing = [seat for seat in range(table.seats) if seat not in self.exempt]
        # Round play (6): who cannot pay the ante ends the game; checked before anybody pays. Decision: an
        # exempt seat without chips does not, and the ante must be paid in full.
        if broke := [seat for seat in owing if self.chips[seat] < table.ante]:
            log((BROKE, broke[0]))
            return self._end_match()
        self.set += 1
        self.round = 0
        log((SET, self.set))
        chips = list(self.chips)
        for seat in owing:
            chips[seat] -= table.ante
            log((ANTE, seat, table.ante))
        self.chips = tuple(chips)
        self.box += table.ante * len(owing)
        self.exempt = ()
        if self._ended_by_payment():
            return self._end_match()
        # Round play (2): the pack is shuffled for the first round of a set only.
        self.pile.open(self.set, table.pack)
        self.inside = tuple(range(table.seats))
        self.defeats = (0,) * table.seats
        self._begin_round()
        return True

    def _end_match(self) -> bool:
        self.asked = ()
        self.moves = ()
        self.waiting = ()
        self.stage = NO_STAGE
        return False

    def _begin_round(self) -> None:
        self.round += 1
        self.events.append((ROUND, self.round, self.lead))
        self._deal(self._turn_order())

    # The end of a round

    def _end_round(self) -> bool:
        fallen = self.fallen
        shown = [seat for seat in self.order if not fallen[seat]]
        lost = self._reveal(shown)
        out = self._settle((*self.fell, *lost))
        self._discard(self.fell if len(shown) > 1 else (*self.fell, *shown))
        if self._ended_by_payment():
            return self._end_match()
        if out:
            self.inside = tuple([seat for seat in self.inside if seat not in out])
            if len(self.inside) < 2:
                return self._end_set(lost)
        # Round play (4): the next seat still in leads the next round.
        self.lead = self._next_inside()
        return self._next_round()

    def _next_inside(self) -> int:
        for seat in self.inside:
            if seat > self.lead:
                return seat
        return self.inside[0]

    def _next_round(self) -> bool:
        self._begin_round()
        return True

    def _reveal(self, shown: list[int]) -> list[int]:
        """Show the cards of the undefeated seats and return who is defeated by them. Round play (4)."""
        # Decision: a single undefeated seat is safe without a comparison.
        if len(shown) < 2:
            return []
        cards, log = self.cards, self.events.append
        strengths = []
        for seat in shown:
            card = cards[seat]
            log((REVEALS, seat, card))
            strengths.append(card)
        for seat in self.strong:
            if seat in shown:
                strengths[shown.index(seat)] = self.table.strong_fool
        weak = self.table.reveal(strengths)
        lost = self._lost(shown, strengths, [seat for i, seat in enumerate(shown) if strengths[i] in weak])
        for seat in lost:
            log((LOSES, seat))
        return lost

    def _settle(self, losers: tuple[int, ...]) -> list[int]:
        """Take the penalties. Return who is out of the set. Round play (4)."""
        log = self.events.append
        chips, defeats = list(self.chips), list(self.defeats)
        out = []
        for seat in losers:
            price = self._price(seat)
            defeats[seat] += 1
            if price is not None:
                # Decision, after Board Game Arena's page: who cannot pay in full pays what he has.
                paid = price if price <= chips[seat] else chips[seat]
                chips[seat] -= paid
                self.box += paid
                log((PAYS, seat, paid))
                if paid == price:
                    continue
            out.append(seat)
            log((OUT, seat))
        self.chips = tuple(chips)
        self.defeats = tuple(defeats)
        return out

    def _discard(self, hidden: tuple[int, ...]) -> None:
        """Put all cards face up on the discards, those of `hidden` and those given up to the pile for the first time.

        Round play (4).
        """
        held, log = self.cards, self.events.append
        cards = [held[seat] for seat in self.order]
        for seat in hidden:
            log((DISCARDS, seat, held[seat]))
        for giver, card, _ in self.aside:
            log((DISCARDS, giver, card))
            cards.append(card)
        self.pile.discards += tuple(cards)

    def _end_set(self, lost: list[int]) -> bool:
        if self.inside:
            # Round play (5): the survivor takes the box and leads the next set.
            winner = self.inside[0]
            self.events.append((WINS, winner, self.box))
            self.chips = tuple([chips + self.box * (seat == winner) for seat, chips in enumerate(self.chips)])
            self.box = 0
            self.lead = winner
        else:
            # FAQ 2: the box stays, the next seat leads.
            self.events.append((CARRIED, self.box))
            self.lead = (self.lead + 1) % self.table.seats
            # Without a reveal the last to fall are always two who changed fools: any other request fells one
            # seat, and one left undefeated would have survived.
            self._fell_together(lost or self.fell[-2:])
        return self._begin_set()

    def counts(self) -> dict[str, int]:
        cards = [*self.pile.cards[len(self.pile.cards) - self.pile.left :], *self.pile.discards]
        if self.asked:  # at the end all of them lie on the discards
            cards += [self.cards[seat] for seat in self.order] + [card for _, card, _ in self.aside]
        kinds = Counter(f"card {card}" for card in cards)
        return {"chips": sum(self.chips) + self.box, **kinds}

    def copy(self) -> Self:
        twin = super().copy()
        twin.set, twin.round, twin.lead, twin.box = self.set, self.round, self.lead, self.box
        twin.chips, twin.inside, twin.defeats, twin.exempt = self.chips, self.inside, self.defeats, self.exempt
        return twin
