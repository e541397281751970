"""The exchange phase that Cambio and Cucco share: whose turn it is, who may call a cuckoo, when the phase is over.

Source: the Korean rule book of Cuckoo (Cambio): round play (3), special cards (1). What the book leaves open is
decided as docs/rules/cambio.md says; such lines are marked "Decision". What an exchange does is in `exchange`.
"""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Final, Self

from referee.engine.chance import Chance
from referee.games.cuckoo_pack import CUCKOO
from referee.games.exchange import CALLS, HOLDS, KEEPS, KEPT, Exchange, Table

# The numbers of the enum Stage in the views.
NO_STAGE, TURN, HOLDER, REBIRTH = range(4)

TURN_MOVES: Final = ("keep", "exchange")
CUCKOO_MOVES: Final = ("keep", "exchange", "cuckoo")
HOLDER_MOVES: Final = ("pass", "cuckoo")

MOST_SEATS: Final = 30
ALONE: Final = tuple((seat,) for seat in range(MOST_SEATS))
"""`State.asked` for each seat that is asked alone."""


class Turns(Exchange):
    """The turns of a round, and the questions in them.

    stage, moves: what is asked now, and the legal moves.
    waiting: the holders of cuckoos who are yet to be asked before this turn.
    """

    __slots__ = ("stage", "moves", "waiting")

    def __init__(self, table: Table, chance: Chance) -> None:
        super().__init__(table, chance)
        self.stage = NO_STAGE
        self.moves: tuple[str, ...] = ()
        self.waiting: tuple[int, ...] = ()

    def legal(self, seat: int) -> tuple[str, ...]:
        return self.moves if seat in self.asked else ()

    def default(self, seat: int) -> str:
        """`keep`, or `pass`: they cost no card and show nothing."""
        return self.moves[0]

    def apply(self, moves: Sequence[str]) -> None:
        if self.stage == TURN:
            seat = self.order[self.position]
            move = moves[0]
            if move == "keep":
                self.actions[(self.lap - 1) * self.table.seats + seat] = KEPT
                self.events.append((KEEPS, seat))
            elif move == "exchange":
                self._exchange(seat)
            else:
                self._call(seat)
                return
            self.position += 1
        elif self.stage == HOLDER:
            seat = self.waiting[0]
            if moves[0] == "cuckoo":
                self._call(seat)
                return
            self.events.append((HOLDS, seat))
            if len(self.waiting) > 1:
                self._ask_holders(self.waiting[1:])
            else:
                self._after_holders()
            return
        else:
            self._take_last_answers(moves)
            return
        if not self._ask_next():
            self._finish()

    # The round's steps that the games fill in.

    @abstractmethod
    def _end_round(self) -> bool:
        """Show the cards, settle, and deal the next round. Return False where the match is over."""

    def _opens(self, position: int) -> bool:
        """Tell whether a cuckoo opens by itself before the turn at `position` (Cucco)."""
        return False

    def _ask_last(self) -> bool:
        """Ask something after the last turn, or return False (Cambio's `rebirth`)."""
        return False

    def _take_last_answers(self, moves: Sequence[str]) -> None:
        """Take the answers to what `_ask_last` asked."""

    # Questions

    def _finish(self) -> None:
        """The exchange phase is over: go on to the next question, over as many rounds as have none."""
        while self._end_round() and not self._ask_next():
            pass

    def _call(self, seat: int) -> None:
        # Special cards (1): the call ends the exchange phase, straight to the reveal.
        self.events.append((CALLS, seat))
        self._finish()

    def _ask_next(self) -> bool:
        """Ask for the next turn. Return False where the exchange phase is over."""
        order, fallen, position = self.order, self.fallen, self.position
        # Decision: with fewer than two undefeated seats the exchange phase is over.
        if len(order) - len(self.fell) < 2:
            return False
        while True:
            if position == len(order):
                if self.lap == self.table.laps:
                    self.position = position
                    return self._ask_last()
                self.lap += 1
                position = 0
            if self.cuckoo_out and self._opens(position):
                return False
            seat = order[position]
            # A defeated seat takes no further turn.
            if not fallen[seat]:
                break
            position += 1
        self.position = position
        # Special cards (1): a holder may call it before any other seat's turn.
        if self.cuckoo_out:
            if holders := self._holders(position):
                self._ask_holders(holders)
            else:
                self._ask_turn()
        else:
            self.stage = TURN
            self.asked = ALONE[seat]
            self.moves = TURN_MOVES
        return True

    def _holders(self, position: int) -> tuple[int, ...]:
        """Return who may call a cuckoo before the turn at `position`, in turn order from there.

        The seat whose turn it is has the call among its own moves.
        """
        order, cards = self.order, self.cards
        return tuple(
            [
                seat
                for seat in order[position + 1 :] + order[:position]
                if cards[seat] == CUCKOO and self._may_call(seat)
            ]
        )

    def _may_call(self, seat: int) -> bool:
        """Tell whether a seat that holds a cuckoo may call it.

        Decision: only while undefeated, and under indian only where it knows what it holds.
        """
        return not self.fallen[seat] and self.seen[seat] >> seat & 1 == 1

    def _ask_holders(self, holders: tuple[int, ...]) -> None:
        self.waiting = holders
        self.stage = HOLDER
        self.asked = ALONE[holders[0]]
        self.moves = HOLDER_MOVES

    def _after_holders(self) -> None:
        """All holders have passed: on with the turn."""
        self._ask_turn()

    def _ask_turn(self) -> None:
        seat = self.order[self.position]
        self.stage = TURN
        self.asked = ALONE[seat]
        self.moves = CUCKOO_MOVES if self.cards[seat] == CUCKOO and self._may_call(seat) else TURN_MOVES

    def veiled(self) -> bool:
        return self.stage != HOLDER and self._calls_apart()

    def _calls_apart(self) -> bool:
        """Tell whether holders of cuckoos are asked before other seats' turns, if there are any."""
        return self.table.cuckoos > 0

    # What a seat may see

    def _next_seat(self) -> int | None:
        return self.order[self.position] if self.asked and self.position < len(self.order) else None

    def _stage_for(self, seat: int) -> int:
        # A seat that is not asked must not learn that a holder of a cuckoo is.
        if seat in self.asked:
            return self.stage
        if not self.asked:
            return NO_STAGE
        return TURN if self.position < len(self.order) else REBIRTH

    def copy(self) -> Self:
        twin = super().copy()
        twin.stage, twin.moves, twin.waiting = self.stage, self.moves, self.waiting
        return twin
