"""Coming back in Cucù and Lu Stù: who lost his last token may buy new ones, alone or with others.

Source: the page on Cucù named in `cucu_table`: "Re-Entry", "Sharing the re-entry fee", "All players re-enter".
"""

from typing import Any, ClassVar, Final, Self

from referee.engine.chance import Chance
from referee.games.cucu_table import ENTRY, JOIN, SHARE, TOKENS
from referee.games.pool import Claim, divide
from referee.games.stakes import ENTERS, FEE, FREE, JOINS, KEEPS_OFF, RAISES, STAYS_OUT, Stakes

ENTRY_MOVES: Final = ("stay out", "enter")
SHARE_MOVES: Final = {"share 0": 0, "share 25": 25, "share 50": 50, "share 75": 75}
JOIN_MOVES: Final = ("no", "join")


class ReEntry(Stakes):
    """What happens between two deals.

    waiting: the seats eliminated in this deal that are yet to be asked whether they enter.
    raised: what the syndicate of the first of them is to pay; asking: who is yet to be asked for it; joined: who is in.
    """

    __slots__ = ("waiting", "raised", "asking", "joined")

    doubles_unused: ClassVar[bool]
    """Whether an elimination doubles the price of re-entry though it was not used."""

    def __init__(self, options: Any, pack: tuple[int, ...], seats: int, chance: Chance) -> None:
        self.waiting: tuple[int, ...] = ()
        self.raised = 0
        self.asking: tuple[int, ...] = ()
        self.joined: tuple[int, ...] = ()
        super().__init__(options, pack, seats, chance)

    def _after_deal(self) -> None:
        if any(self.tokens):
            # Decision: asked once, after all losses, in seat order from the dealer's next.
            self.waiting = tuple([seat for seat in self.order if not self.tokens[seat]])
            self._ask_entry()
            return
        # "All players re-enter": also who was out before. Decision: an agreement is void then.
        self.tokens = [TOKENS] * self.seats
        self.virgins = ()
        self.split = ()
        self.events.append((FREE,))
        self._next_deal()

    def _answer(self, seat: int, move: str) -> None:
        stage, log = self.stage, self.events.append
        if stage == ENTRY:
            if move == "enter":
                self._enter(seat)
            else:
                log((STAYS_OUT, seat))
                self._done_waiting(entered=False)
                self._ask_entry()
        elif stage == SHARE:
            log((RAISES, seat, SHARE_MOVES[move]))
            self.raised = self._part_of_fee(move)
            self.asking = self._able(self.raised)
            self._ask_to_join(move)
        elif stage == JOIN:
            log((JOINS if move == "join" else KEEPS_OFF, seat))
            if move == "join":
                self.joined += (seat,)
            self.asking = self.asking[1:]
            self._ask_to_join(self.offer)
        else:
            super()._answer(seat, move)

    def _ask_entry(self) -> None:
        """Ask the next who waits whether he enters; then deal again."""
        while self.waiting:
            seat = self.waiting[0]
            # "Re-Entry": only while a virgin is left.
            if self.virgins and self.purse(seat) >= self.price:
                self._ask(seat, ENTRY, ENTRY_MOVES)
                return
            self._done_waiting(entered=False)
        self._next_deal()

    def _done_waiting(self, *, entered: bool) -> None:
        self.waiting = self.waiting[1:]
        if entered or self.doubles_unused:
            self.doublings += 1

    def _enter(self, seat: int) -> None:
        self.events.append((ENTERS, seat, self.price))
        self.raised, self.joined = 0, ()
        shares = tuple([move for move in SHARE_MOVES if move == "share 0" or self._able(self._part_of_fee(move))])
        if self.options.syndicates and len(shares) > 1:
            self._ask(seat, SHARE, shares)
        else:
            self._pay_fee(seat)

    # "Sharing the re-entry fee"

    def _part_of_fee(self, move: str) -> int:
        return self.price * SHARE_MOVES[move] // 100

    def _able(self, amount: int) -> tuple[int, ...]:
        """Return who may be asked for a syndicate that pays `amount`, in the order asked.

        Decision: who is out for good, and could pay the amount alone, for he may be the only one to join.
        """
        return tuple(
            [
                seat
                for seat in self._round()
                if amount and not self.tokens[seat] and seat not in self.waiting and self.purse(seat) >= amount
            ]
        )

    def _ask_to_join(self, share: str | None) -> None:
        if self.asking:
            self._ask(self.asking[0], JOIN, JOIN_MOVES, share)
        else:
            self._pay_fee(self.waiting[0])

    def _pay_fee(self, seat: int) -> None:
        fee = {seat: self.price}
        if self.joined:
            fee[seat] -= self.raised
            fee |= divide(self.raised, dict.fromkeys(self.joined, 1))
        # Decision: a syndicate lasts until its player buys tokens again.
        self.claims = tuple([claim for claim in self.claims if claim.seat != seat or claim.paid is None])
        for member, money in fee.items():
            self._pay_pool(member, money)
            self.events.append((FEE, member, money))
            if self.joined:
                self.claims += (Claim(seat, member, paid=money),)
        self.tokens[seat] = TOKENS
        self._done_waiting(entered=True)
        self._ask_entry()

    def copy(self) -> Self:
        twin = super().copy()
        twin.waiting, twin.raised, twin.asking, twin.joined = self.waiting, self.raised, self.asking, self.joined
        return twin
