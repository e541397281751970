"""Perudo: liar's dice with skulls. Bid on the dice of all, doubt the bid before you, keep a die to the end.

Source: the Korean rule book of Perudo, sections [2] to [5], the actions 1 to 3 and the variants 1 to 4,
cited beside the lines that obey them; "Decision" marks what the book leaves open (all of it in
docs/rules/perudo.md). The bids and their order are in `bids`; here are the rounds and the turns.

Left out: the marker die and the cups' rattle, which decide nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, Self

from referee.engine.chance import Chance
from referee.engine.events import Audience, Event, LineTable, Mark
from referee.engine.game import Game, Outcome, State, ranks
from referee.engine.known import Known, SeatLog, numbers
from referee.engine.moves import MIDDLE, At, Badge, Empty, Forget, Out, Show, Write
from referee.engine.options import Options, option
from referee.games.bids import (
    FACES,
    SKULL,
    Bid,
    bid_of,
    cup_of,
    faces_of,
    faces_text,
    keeps,
    most_rerolls,
    reroll_moves,
    rerolls,
    texts,
    turn_moves,
)

DICE: Final = 5
# The numbers of the enum Stage in the view.
NO_STAGE: Final = 0
TURN: Final = 1
REROLL: Final = 2


@dataclass(frozen=True, slots=True)
class PerudoOptions(Options):
    """The four variants of the book, in any combination, and a bound."""

    hidden: bool = option(False, "no dice are rolled again after a bid (variant 1)")
    high_risk: bool = option(False, "the loser loses as many dice as bid and count differ (variant 2)")
    showdown: bool = option(False, "who is brought down to one die may call a showdown (variant 3)")
    first_blood: bool = option(False, "the match ends with the first player out, and all others win (variant 4)")
    max_rounds: int = option(2000, "rounds after which the match is over; most dice win", low=1)


class PerudoView(NamedTuple):
    """What a seat may see: the fields of referee.v1.PerudoView, where each is explained."""

    round: int
    starter: int
    counts: tuple[int, ...]
    out: tuple[int, ...]
    called: tuple[bool, ...]
    may_call: tuple[bool, ...]
    showdown: int | None
    bidders: tuple[int, ...]
    quantities: tuple[int, ...]
    faces: tuple[int, ...]
    rerolled: tuple[int, ...]
    quantity: int | None
    face: int | None
    bidder: int | None
    aside_seats: tuple[int, ...]
    aside: tuple[int, ...]
    turn: int | None
    seat: int
    stage: int
    dice: tuple[int, ...]


LOG: Final = LineTable()
ROUND: Final = LOG.line(
    "round {}: seat {} starts",
    "all dice that are left are in the cups",
    begins="round",
    moves=(
        Forget(("has called its showdown", "out since round {0}")),
        Badge("started", 1),
        Write(At("showdown by", MIDDLE), ""),
        Empty(("bid", "bids before", "count", "lost dice"), MIDDLE),
        Empty(("aside",)),
    ),
)
ROLLS: Final = LOG.line(
    "seat {} rolls {}",
    "the seat sees the dice in its cup",
    Audience.SEAT,
    drawn=True,
    words=True,
    joined=True,
    moves=(Show(At("cup")),),
)
BIDS: Final = LOG.line("seat {} bids {}", "at least so many dice of that face; skulls count as it", words=True)
STANDS: Final = LOG.line("seat {} stands", "it rolls no dice again after its bid")
SHOWS: Final = LOG.line(
    "seat {} shows {}",
    "its cup before it rolls a part of it again, or all its dice at the end of a round",
    reveals=True,
    words=True,
)
ASIDE: Final = LOG.line(
    "seat {} puts aside {}",
    "in the open, until the end of the round; it rolls the rest of its cup again",
    reveals=True,
    words=True,
    clears=0,
)
CALLS: Final = LOG.line(
    "seat {} calls showdown",
    "until somebody loses a die skulls are ones and the face stands",
    moves=(Write(At("showdown by", MIDDLE), "seat {0}"), Badge("has called its showdown")),
)
READ: Final = LOG.line(
    "the bid is read as {}", "a bid on skulls stood when the showdown was called", words=True, joined=True
)
NO: Final = LOG.line("seat {} says no", "it believes that there are fewer")
EXACT: Final = LOG.line("seat {} says exact", "it believes that there are just as many")
COUNT: Final = LOG.line("the count is {}", "so many dice are as the last bid said")
LOSES: Final = LOG.line("seat {} loses {} of its dice", "they go to the middle", mark=Mark.DEFEAT)
TAKES: Final = LOG.line("seat {} takes a die from the middle", "it said exact, and was right", joined=True)
OUT: Final = LOG.line("seat {} is out", "it has no dice left", mark=Mark.ELIMINATION, joined=True, moves=(Out(),))
LAST_ROUND: Final = LOG.line("the match is over: {} rounds were played", "most dice win", joined=True)


class PerudoState(State):
    """A match of Perudo.

    dice: the dice each seat has left. out: by seat the round in which it lost the last one, 0 while it plays.
    called: by seat whether it has called its showdown. brought: whether it was brought down to one die
        and has had no turn since.
    cups, aside: by seat the dice in its cup, ascending, and those it put aside in this round.
    bidders, quantities, faces, rerolled: of the bids of the round, oldest first, the seat, what it bid, and how many
        dice it rolled again.
    standing: the last bid as it is read now. showdown: the seat that called the one in effect.
    stage, moves: what is asked now, and the legal moves.
    """

    __slots__ = (
        "options", "chance", "seats", "round", "starter", "turn", "stage", "moves", "dice", "out", "called",
        "brought", "cups", "aside", "bidders", "quantities", "faces", "rerolled", "standing", "showdown",
    )  # fmt: skip

    def __init__(self, options: PerudoOptions, seats: int, chance: Chance) -> None:
        self.options = options
        self.chance = chance
        self.seats = seats
        self.events: list[Event] = []
        self.round = 0
        # [3] 3: five dice each.
        self.dice = [DICE] * seats
        self.out = [0] * seats
        self.called = [False] * seats
        self.brought = [False] * seats
        # [3] 4: the best pirate starts. Decision: chance says who that is.
        self._begin_round(chance.pick(seats, "first"))

    # A round

    def _begin_round(self, starter: int) -> None:
        self.round += 1
        self.starter = starter
        self._clear_bids()
        self.showdown: int | None = None
        self.events.append((ROUND, self.round, starter))
        # [4] 1, 2: all roll in secret.
        self.cups: list[tuple[int, ...]] = [()] * self.seats
        self.aside: list[tuple[int, ...]] = [()] * self.seats
        for seat, count in enumerate(self.dice):
            if count:
                self._roll(seat, count, 0)
        self._begin_turn(starter)

    def _clear_bids(self) -> None:
        self.bidders: tuple[int, ...] = ()
        self.quantities: tuple[int, ...] = ()
        self.faces: tuple[int, ...] = ()
        self.rerolled: tuple[int, ...] = ()
        self.standing: Bid | None = None

    def _roll(self, seat: int, count: int, number: int) -> None:
        cup, text = cup_of(self.chance.roll(FACES, count, "roll", self.round, seat, number))
        self.cups[seat] = cup
        self.events.append((ROLLS, seat, text))

    def _next(self, seat: int) -> int:
        """Return the next seat that has dice."""
        while True:
            seat = (seat + 1) % self.seats
            if self.dice[seat]:
                return seat

    # A turn

    def _begin_turn(self, seat: int) -> None:
        self.turn = seat
        self.stage = TURN
        self.asked = (seat,)
        moves = self._actions()
        if self.brought[seat]:
            # Variant 3: at the start of the next turn after being brought down to one die, once in the match.
            # Decision: not while a showdown is in effect; the chance is gone with the turn.
            self.brought[seat] = False
            if self.options.showdown and not self.called[seat] and self.showdown is None:
                moves += ("showdown",)
        self.moves = moves
        self._play_forced()

    def _actions(self) -> tuple[str, ...]:
        """Return the bids that may be made, and what may be said to the standing one. [4] 3."""
        return turn_moves(sum(self.dice), self.standing, self.showdown is not None)

    def _play_forced(self) -> None:
        if len(self.moves) == 1:  # under a showdown, when as many were bid as there are dice
            self._judge("no")

    def apply(self, moves: Sequence[str]) -> None:
        move, seat = moves[0], self.turn
        if self.stage == REROLL:
            self._take_reroll(seat, move)
        elif move.startswith("bid "):
            text = move[4:]
            self.standing = bid = bid_of(text)
            self.bidders += (seat,)
            self.quantities += (bid.quantity,)
            self.faces += (bid.face,)
            self.rerolled += (0,)
            self.events.append((BIDS, seat, text))
            self._ask_reroll(seat)
        elif move == "showdown":
            self._call_showdown(seat)
        else:
            self._judge(move)

    def _ask_reroll(self, seat: int) -> None:
        """After a bid. Action 1, "roll again"; Decision: with one die in the cup nothing is asked."""
        if self.options.hidden or len(self.cups[seat]) < 2:
            self._begin_turn(self._next(seat))
            return
        self.stage = REROLL
        self.moves = reroll_moves(self.cups[seat])

    def _take_reroll(self, seat: int, move: str) -> None:
        if move == "stand":
            self.events.append((STANDS, seat))
        else:
            cup = self.cups[seat]
            kept = rerolls(cup)[move]
            count = len(cup) - len(kept)
            number = 1
            for bidder, rerolled in zip(self.bidders, self.rerolled, strict=True):
                if bidder == seat and rerolled:
                    number += 1
            self.rerolled = (*self.rerolled[:-1], count)
            self.aside[seat] = tuple(sorted(self.aside[seat] + kept))
            self.events.append((SHOWS, seat, faces_text(cup)))
            self.events.append((ASIDE, seat, faces_text(kept)))
            self._roll(seat, count, number)
        self._begin_turn(self._next(seat))

    def _call_showdown(self, seat: int) -> None:
        """Variant 3."""
        self.showdown = seat
        self.called[seat] = True
        self.events.append((CALLS, seat))
        if self.standing is not None and self.standing.face == SKULL:
            # Decision: it is read as that many ones.
            self.events.append((READ, f"{self.standing.quantity}x1"))
        self.moves = self._actions()
        self._play_forced()

    # The end of a round

    def _judge(self, word: str) -> None:
        """Show all dice, count, and settle. Actions 2 and 3."""
        events = self.events
        seat, bidder, bid = self.turn, self.bidders[-1], self.standing
        assert bid is not None
        events.append((NO if word == "no" else EXACT, seat))
        shown = [cup + aside for cup, aside in zip(self.cups, self.aside, strict=True)]
        count = 0
        for owner, dice in enumerate(shown):
            if dice:
                events.append((SHOWS, owner, faces_text(dice)))
                count += dice.count(bid.face)
                # [4] 2: a skull counts as any face. Variant 3: under a showdown it is a one.
                if bid.face != SKULL and self.showdown is None:
                    count += dice.count(SKULL)
        events.append((COUNT, count))
        loser = bidder if (count < bid.quantity if word == "no" else count == bid.quantity) else seat
        if self.options.high_risk and word == "no" and count == bid.quantity:
            # Variant 2: a bid just right costs everybody else a die. Decision: the caller starts.
            losers = [other for other in range(self.seats) if self.dice[other] and other != bidder]
        else:
            losers = [loser]
        # Variant 2: as many dice as bid and count differ. Decision: an exact that is right costs one.
        price = abs(count - bid.quantity) or 1 if self.options.high_risk else 1
        for other in losers:
            self._lose(other, price)
        if word == "exact" and loser == bidder:
            self.dice[seat] += 1  # Decision: he may have more than five.
            events.append((TAKES, seat))
        for other in losers:
            if not self.dice[other]:
                self.out[other] = self.round
                events.append((OUT, other))
        self._end_round(loser)

    def _lose(self, seat: int, price: int) -> None:
        lost = min(price, self.dice[seat])
        self.dice[seat] -= lost
        self.brought[seat] = self.dice[seat] == 1
        self.events.append((LOSES, seat, lost))

    def _end_round(self, loser: int) -> None:
        out = self.dice.count(0)
        # [5]; variant 4
        if out == self.seats - 1 or (out and self.options.first_blood):
            self._end_match()
        elif self.round == self.options.max_rounds:
            self.events.append((LAST_ROUND, self.round))
            self._end_match()
        else:
            # [4] 4: who lost a die starts, or where he is out the next player.
            self._begin_round(loser if self.dice[loser] else self._next(loser))

    def _end_match(self) -> None:
        self.asked = ()
        self.moves = ()
        self.stage = NO_STAGE
        self.cups = [()] * self.seats
        self.aside = [()] * self.seats
        self._clear_bids()
        self.showdown = None

    # The contract

    def legal(self, seat: int) -> tuple[str, ...]:
        return self.moves if seat in self.asked else ()

    def default(self, seat: int) -> str:
        """The lowest raise, or where there is none `no`; and `stand`: they show nothing."""
        return self.moves[0]

    def view(self, seat: int) -> PerudoView:
        standing, bidders = self.standing, self.bidders
        aside_seats: tuple[int, ...] = ()
        aside: tuple[int, ...] = ()
        for owner, dice in enumerate(self.aside):
            aside_seats += (owner,) * len(dice)
            aside += dice
        # Cheaper than to call PerudoView, and the same.
        return tuple.__new__(
            PerudoView,
            (
                self.round,
                self.starter,
                tuple(self.dice),
                tuple(self.out),
                tuple(self.called),
                tuple(self._may_call()) if self.options.showdown else (False,) * self.seats,
                self.showdown,
                bidders,
                self.quantities,
                self.faces,
                self.rerolled,
                None if standing is None else standing.quantity,
                None if standing is None else standing.face,
                bidders[-1] if bidders else None,
                aside_seats,
                aside,
                self.turn if self.asked else None,
                seat,
                self.stage,
                self.cups[seat],
            ),
        )

    def _may_call(self) -> list[bool]:
        """Return by seat whether it may call a showdown now, or in its next turn as things stand."""
        may = [brought and not called for brought, called in zip(self.brought, self.called, strict=True)]
        may[self.turn] |= self.moves[-1:] == ("showdown",)
        return may

    def counts(self) -> dict[str, int]:
        # The middle is not kept: by the log it holds what was lost and not taken back.
        lost = sum(int(event[2] or 0) for event in self.events if event[0] == LOSES)
        return {"dice": sum(self.dice) + lost - sum(event[0] == TAKES for event in self.events)}

    def copy(self) -> Self:
        twin = type(self).__new__(type(self))
        twin.asked, twin.events = self.asked, self.events[:]
        twin.options, twin.chance, twin.seats = self.options, self.chance.copy(), self.seats
        twin.round, twin.starter, twin.turn = self.round, self.starter, self.turn
        twin.stage, twin.moves = self.stage, self.moves
        twin.dice, twin.out = self.dice[:], self.out[:]
        twin.called, twin.brought = self.called[:], self.brought[:]
        twin.cups, twin.aside = self.cups[:], self.aside[:]
        twin.bidders, twin.quantities, twin.faces, twin.rerolled = (
            self.bidders, self.quantities, self.faces, self.rerolled,
        )  # fmt: skip
        twin.standing, twin.showdown = self.standing, self.showdown
        return twin

    def outcome(self) -> Outcome:
        # [5]: who keeps a die wins, the others in the order in which they went out, together where it was in one
        # round. Before that, those in play by their dice. Variant 4: all who are left win together.
        together = self.options.first_blood and any(self.out)
        last = self.round + 1
        keys = [
            (out, 0) if out else (last, 0 if together else dice) for out, dice in zip(self.out, self.dice, strict=True)
        ]
        return Outcome(tuple(self.dice), ranks(keys))


class Perudo(Game):
    """The rules of Perudo."""

    name = "perudo"
    title = "Perudo: liar's dice with skulls; bid on everybody's dice, doubt, and keep one to the end"
    unit = "dice"
    behaviour = 1
    options = PerudoOptions
    seats = (2, 6)
    recommended = 4
    lines = LOG.lines
    message = "referee.v1.perudo_pb2:PerudoView"
    stable = 6
    phrases = ("bid {number}x{face}", "reroll keep {faces}")
    moves = """\
bid QxF            at least Q of all dice show F (2 to 6) or a skull: bid 4x5; under a showdown F is 1 to 6, and
                   skulls count as 1 only
bid Qxskull        at least Q of all dice show a skull: bid 2xskull
no                 the last bid was too high: show the dice
exact              the last bid was just right: show the dice; not under a showdown
showdown           before you act in the first turn after you were brought down to one die: skulls are ones
stand              after a bid: roll no dice again
reroll keep FACES  after a bid: show your cup, put these aside and roll the rest again: reroll keep 5 5 skull"""
    presets: ClassVar = {
        "default": {},
        "hidden": {"hidden": True},
        "high_risk": {"high_risk": True},
        "showdown": {"showdown": True},
        "first_blood": {"first_blood": True},
        "all_four": {"hidden": True, "high_risk": True, "showdown": True, "first_blood": True},
        "short": {"high_risk": True, "showdown": True, "max_rounds": 5},
    }

    def actions(self, options: Any, seats: int) -> tuple[str, ...]:
        """Return all moves but those that keep so many dice as only a cup of more than five holds."""
        dice = DICE * seats
        moves = texts(dice)
        if options.showdown:
            moves += (*[f"bid {quantity}x{SKULL}" for quantity in range(1, dice + 1)], "showdown")
        return (*moves, "no", "exact") if options.hidden else (*moves, "no", "exact", "stand", *keeps(DICE - 1))

    def unlisted(self, options: Any, seats: int) -> int:
        # Dice are won from others one by one: the largest cup leaves one for all of them.
        return 0 if options.hidden else most_rerolls(DICE * seats - 1)

    def known_chance(self, log: SeatLog) -> list[Known]:
        known: dict[tuple[int | str, ...], Known] = {}
        number, is_over = 0, False
        rolls = [0] * log.seats
        aside: list[list[int | str]] = [[] for _ in range(log.seats)]
        for event in log.events:
            line, (first, second) = event[0], numbers(event)
            if line == ROUND:
                number, is_over = first, False
                rolls = [0] * log.seats
                aside = [[] for _ in range(log.seats)]
                if number == 1:
                    known["first",] = Known(("first",), (0,), (second,))
            elif line in (NO, EXACT):
                is_over = True
            elif line in (ROLLS, SHOWS, ASIDE) and number:
                seat, dice = first, faces_of(str(event[2]))
                if line == ASIDE:
                    aside[seat] += dice
                    rolls[seat] += 1
                    continue
                if is_over:  # all dice are shown
                    for face in aside[seat]:
                        dice.remove(face)
                place = ("roll", number, seat, rolls[seat])
                known[place] = Known(place, tuple(range(len(dice))), tuple(dice))
        return list(known.values())

    def start(self, options: Any, seats: int, chance: Chance) -> PerudoState:
        self.check(options, seats)
        return PerudoState(options, seats, chance)


PERUDO = Perudo()
