"""Cucù as played at Campli: three tokens each, the lowest card costs one, the last player with tokens takes the pool.

Source: the Cuckoo Group's page on Cucù (Campli) and Lu Stù (Montorio al Vomano), after Nicolino Farina, "Cucù, antico
gioco di carte" (2010). Its headings are cited beside the lines that obey them; "Decision" marks what it leaves open
(all of it in docs/rules/cucu.md). The phases of a match stand in the order of that page. How cards change hands is in
`cucu_table`, how money does in `pool`. `lustu` overrides the sections that its own page has.

Left out: the draw for seats and the calls of the cards (gnaf, bum ...), which decide nothing.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, Self

from referee.engine.chance import Chance
from referee.engine.errors import OptionError
from referee.engine.events import Event, Mark
from referee.engine.game import Game, Outcome, State, ranks
from referee.engine.known import Known, SeatLog, numbers
from referee.engine.moves import MIDDLE, At, Badge, Forget, Out, Write
from referee.engine.options import Options, option
from referee.games import cucu_table
from referee.games.cuckoo_pack import CAT, CUCKOO, FOOL, HORSE, HOUSE, NULLA, UNKNOWN, pack
from referee.games.cucu_table import ASKS, NO_HOST, CucuTable
from referee.games.known_cucu import ANSWERING, KnownDeal
from referee.games.pool import Claim, Pool, added, levelled
from referee.games.visibility import known_cards

# The numbers of the enum TokenStage in the views.
NO_STAGE: Final = 0
TURN: Final = 1
GUEST: Final = 2
HOST: Final = 3
ENTRY: Final = 4
SHARE: Final = 5
JOIN: Final = 6
SPLIT: Final = 7
REPLY: Final = 8

TURN_MOVES: Final = ("keep", "exchange")
GUEST_MOVES: Final = ("stay", "pay if zero")
HOST_MOVES: Final = ("agree", "refuse")
ENTRY_MOVES: Final = ("stay out", "enter")
SHARE_MOVES: Final = {"share 0": 0, "share 25": 25, "share 50": 50, "share 75": 75}
JOIN_MOVES: Final = ("no", "join")
SPLIT_MOVES: Final = ("none", *(f"split {percent}" for percent in range(0, 101, 10)))
REPLY_MOVES: Final = ("decline", "accept")

TOKENS: Final = 3
"""What everybody begins, and enters again, with."""
LOWEST_SPECIAL: Final = HOUSE
"""From the inn up, a card arrests whoever asks for it."""
TWO_FOOLS: Final = 14.5
"""What each fool counts as when two are shown."""
FORCED_BELOW: Final = 5
"""Under an agreement, cards below this one must be exchanged by the non-dealer."""
TALK_LIMIT: Final = 80
"""The most characters that are said with one decision."""


@dataclass(frozen=True, slots=True)
class CucuOptions(Options):
    """The options of Campli, which Montorio has too."""

    stake: int = option(
        10, "money that everybody pays into the pool; also the first price of re-entry", low=1, high=10**6
    )
    bankroll: int = option(
        1000, "money that a seat may spend in all, the stake included; what it won meanwhile does not count",
        low=1, high=10**7,
    )  # fmt: skip
    max_deals: int = option(1000, "deals after which the pool is split by tokens", low=1)
    table_talk: bool = option(False, "with any decision one may say up to 80 characters, which all others hear")
    endgame_agreement: bool = option(False, "the last two may agree on how to divide the pool")
    syndicates: bool = option(False, "players who are out may share the fee, and the winnings, of one who re-enters")
    open_syndicates: bool = option(
        False, "under syndicates: also for players who could not pay the fee, or the part of it, alone"
    )

    def check(self) -> None:
        if self.bankroll < self.stake:
            raise OptionError(f"bankroll={self.bankroll} does not pay for stake={self.stake}: raise bankroll")
        if self.open_syndicates and not self.syndicates:
            raise OptionError("open_syndicates=true needs syndicates=true")


class CucuView(NamedTuple):
    """What a seat may see: the fields of referee.v1.CucuView and LustuView, where each is explained."""

    deal: int
    dealer: int
    pool: int
    price: int
    scores: tuple[int, ...]
    purses: tuple[int, ...]
    virgins: tuple[int, ...]
    order: tuple[int, ...]
    split: tuple[int, ...]
    claims: tuple[Claim, ...]
    tokens: tuple[int, ...]
    turn: int | None
    stage: int
    offer: str | None
    pile: int
    actions: tuple[int, ...]
    partners: tuple[int, ...]
    passed: tuple[int, ...]
    hosts: tuple[int, ...]
    said: tuple[str, ...]
    seat: int
    card: int | None
    known: tuple[int, ...]
    aside: tuple[int, ...]


STABLE: Final = 10
"""How many of the view's first fields change rarely."""

TOKEN_LOG: Final = cucu_table.LOG.extended()
"""The lines that Lu Stù has as well."""
LOSES: Final = TOKEN_LOG.line(
    "seat {} loses a token", "to a 14 or a 12, or when the cards are compared", mark=Mark.DEFEAT
)
PAYS_FOR: Final = TOKEN_LOG.line(
    "seat {} pays for seat {}", "an inn's promise: the token of a 0 that loses", alike=LOSES
)
GAINS: Final = TOKEN_LOG.line("seat {} gains a token", "one of two fools at Montorio", alike=LOSES)
EMPTY: Final = TOKEN_LOG.line(
    "seat {} has no token left",
    "it is out of the deal, with its card",
    mark=Mark.ELIMINATION,
    joined=True,
    moves=(Out(),),
)
REVEALS: Final = TOKEN_LOG.line(
    "seat {} reveals {}", "a seat with tokens shows its card at the end", reveals=True, cards=1
)
SAYS: Final = TOKEN_LOG.line("seat {} says: {}", "table talk")
STAKES: Final = TOKEN_LOG.line("seat {} pays {} as stake", "money into the pool", drawn=True)
DEAL: Final = TOKEN_LOG.line(
    "deal {} begins: seat {} deals",
    "the whole pack is shuffled",
    begins="deal",
    moves=(Forget(("virgin", "gets {0} %")), Badge("dealer", 1)),
)
ENTERS: Final = TOKEN_LOG.line("seat {} enters for {}", "it lost its last token, and buys three new ones")
STAYS_OUT: Final = TOKEN_LOG.line(
    "seat {} stays out",
    "it lost its last token, and buys no others; or the fee was not raised",
    mark=Mark.ELIMINATION,
    moves=(Write(At("offer", MIDDLE), ""),),
)
RAISES: Final = TOKEN_LOG.line(
    "seat {} offers {} percent of the fee",
    "to those who are out: they pay that much of it and share what it wins",
    moves=(Write(At("offer", MIDDLE), "share {1}"),),
)
JOINS: Final = TOKEN_LOG.line("seat {} joins", "the syndicate")
KEEPS_OFF: Final = TOKEN_LOG.line("seat {} does not join", "the syndicate")
FEE: Final = TOKEN_LOG.line("seat {} pays {} of the fee", "money into the pool")
FREE: Final = TOKEN_LOG.line("everybody enters free", "nobody had a token left; there are no virgins any more")
PROPOSES: Final = TOKEN_LOG.line(
    "seat {} proposes {} percent for itself",
    "a split of the pool between the last two",
    moves=(Write(At("offer", MIDDLE), "split {1}"),),
)
PROPOSES_NONE: Final = TOKEN_LOG.line("seat {} proposes no split", "of the pool between the last two")
ACCEPTS: Final = TOKEN_LOG.line("seat {} accepts", "the proposal; or at Montorio a guest's offer")
DECLINES: Final = TOKEN_LOG.line("seat {} declines", "the proposal; or at Montorio a guest's offer")
WINS: Final = TOKEN_LOG.line("seat {} wins the pool of {}", "the match is over: it alone has tokens")
LAST_DEAL: Final = TOKEN_LOG.line(
    "the match is over: {} deals have been played", "the pool is split by tokens, or as agreed"
)
GETS: Final = TOKEN_LOG.line("seat {} gets {}", "money out of the pool", joined=True)

LOG: Final = TOKEN_LOG.extended()
INN: Final = LOG.line(
    "seat {} has an inn", "it does not show the 11, but asks whether the guest will stop for a while", reveals=True
)
STAYS: Final = LOG.line("seat {} stays", "at the inn, with the card it has")
ASKS_TO_PAY: Final = LOG.line(
    "seat {} asks seat {} to pay if it is a zero",
    "then both keep their cards; or else they change cards",
    moves=(Write(At("offer", MIDDLE), "pay if zero"),),
)
AGREES: Final = LOG.line("seat {} agrees", "to pay the guest's token if his card is a losing 0")
REFUSES: Final = LOG.line("seat {} refuses", "and has to give its inn away", moves=(Write(At("offer", MIDDLE), ""),))
GIVES_BACK: Final = LOG.line("seat {} gives back to seat {}", "after a cat: an exchange between them is undone")


class CucuState(State):
    """A match.

    options, pack: by which, and with which cards, it is played.
    table: the cards of the deal under way.
    deal: the number of the deal under way, from 1.
    dealer: the dealer of this deal.
    pool: the money.
    split: by seat the percentage of the pool that the last two have agreed on; empty where nothing is.
    tokens: the tokens of each seat.
    virgins: the seats that have never lost or gained a token.
    stage, moves: what is asked now, and the legal moves, the default first.
    offer: what waits for an answer, as the text of a move.
    host: the seat whose inn is being talked about.
    waiting: the seats eliminated in this deal that are yet to be asked whether they enter.
    raised, asking, joined: what the syndicate of the first of them is to pay, who is yet to be asked for it, who is in.
    said: the last words of each seat under table talk; otherwise empty.
    """

    __slots__ = (
        "options", "pack", "table", "deal", "dealer", "pool", "split", "tokens", "virgins", "stage", "moves", "offer",
        "host", "waiting", "raised", "asking", "joined", "said",
    )  # fmt: skip

    def __init__(self, options: CucuOptions, pack: tuple[int, ...], seats: int, chance: Chance) -> None:
        self.options = options
        self.pack = pack
        self.table = CucuTable(seats, chance)
        self.events: list[Event] = []
        self.deal = 0
        # "Seating and Stakes"
        self.pool = Pool(seats, options.stake, options.bankroll)
        for seat in range(seats):
            self.events.append((STAKES, seat, options.stake))
        self.split: tuple[int, ...] = ()
        self.tokens = (TOKENS,) * seats
        self.virgins = tuple(range(seats))
        self.host = NO_HOST
        self.waiting: tuple[int, ...] = ()
        self.raised = 0
        self.asking: tuple[int, ...] = ()
        self.joined: tuple[int, ...] = ()
        self.said = ("",) * seats if options.table_talk else ()
        self.dealer = chance.pick(seats, "first")
        self._begin_deal()

    # Course of play: a deal begins

    def _begin_deal(self) -> None:
        if self.deal == self.options.max_deals:
            self.events.append((LAST_DEAL, self.deal))
            self._end_match({seat: tokens for seat, tokens in enumerate(self.tokens) if tokens})
            return
        self.deal += 1
        self.events.append((DEAL, self.deal, self.dealer))
        # 1: the whole pack is shuffled.
        order = tuple([seat for seat in self._from_dealer() if self.tokens[seat]])
        self.table.shuffle(self.deal, self.pack, order)
        # "Agreement between the last two players": before each deal until one is made.
        if self.options.endgame_agreement and len(order) == 2 and not self.split:
            self._ask(order[0], SPLIT, SPLIT_MOVES)
        else:
            self._ask_turn()

    def _from_dealer(self) -> tuple[int, ...]:
        """Return all seats from the dealer's next on, the dealer last."""
        return (*range(self.dealer + 1, self.table.seats), *range(self.dealer + 1))

    # Course of play, 1 to 3: the turns. "Dealing and Exchanging"

    def _ask_turn(self) -> None:
        """Deal a card to the next seat if it has none, and ask it."""
        table = self.table
        seat = table.order[table.position]
        if table.cards[seat] == UNKNOWN:
            table.deal_card(seat, self.events)
        if self._must_exchange(seat):
            self._exchange(seat)
        else:
            self._ask(seat, TURN, TURN_MOVES)

    def _ask(self, seat: int, stage: int, moves: tuple[str, ...], offer: str | None = None) -> None:
        self.asked = (seat,)
        self.stage = stage
        self.moves = moves
        self.offer = offer

    def apply(self, moves: Sequence[str]) -> None:
        seat, move, stage = self.asked[0], moves[0], self.stage
        if stage == TURN:
            if move == "keep":
                self.table.keep(seat, self.events)
                self._end_turn()
            else:
                self._exchange(seat)
        elif stage == GUEST:
            self._play_guest_move(seat, move)
        elif stage == HOST:
            self._play_host_move(seat, move)
        elif stage == ENTRY:
            self._answer_entry(seat, move)
        elif stage == SHARE:
            self._offer_share(seat, move)
        elif stage == JOIN:
            self._answer_share(seat, move)
        elif stage == SPLIT:
            self._propose_split(seat, move)
        else:
            self._answer_split(seat, move)

    def _end_turn(self) -> None:
        # Everybody has one turn, in playing order. After a jumped horse these are its holder, then the last one asked.
        table = self.table
        table.position += 1
        if table.position == len(table.order):
            self._compare()
        else:
            self._ask_turn()

    # Course of play, 2 and 3; arrests

    def _exchange(self, seat: int) -> None:
        """Carry out the request of the seat whose turn it is: to the next, over horses, at the end to the pack."""
        table, events = self.table, self.events
        cards = table.cards
        for other in table.order[table.position + 1 :]:
            if cards[other] == UNKNOWN:
                table.deal_card(other, events)
            card = cards[other]
            events.append((ASKS, seat, other))
            if card < LOWEST_SPECIAL:
                table.exchange(seat, other, events)
                break
            if card == HOUSE:
                self.host = other
                self._enter_inn(seat)
                return
            table.show(other, events)
            if card == HORSE:  # 13: the asker asks the player after its holder
                continue
            table.stop(seat, other)
            if card != CUCKOO:  # 14 "Bum" and 12 "Gnaf": the asker keeps its card and loses a token at once
                self._lose(seat)
            if card == CAT:
                self._meet_cat(seat)
            break
        else:
            # The dealer; or a horse was the dealer's. Decision: it is the next card to leave the pack.
            table.draw(seat, events)
        self._end_turn()

    # Arrests: the cat (12)

    def _meet_cat(self, seat: int) -> None:
        """Undo what brought `seat` the card with which it met a cat, until it is with the seat it was dealt to.

        Horses that it jumped held no card of the chain, so it jumps back over them. Decision: also when the last
        token went.
        """
        table = self.table
        while holders := table.past_holders[seat]:
            self.events.append((GIVES_BACK, seat, holders[-1]))
            seat = table.undo_exchange(seat, self.events)

    # Arrests: the inn (11)

    def _enter_inn(self, guest: int) -> None:
        # The inn is not shown, but what its holder says tells everybody.
        self.table.make_public(self.host)
        self.events.append((INN, self.host))
        self._ask(guest, GUEST, GUEST_MOVES)

    def _play_guest_move(self, guest: int, move: str) -> None:
        if move == "stay":
            self.events.append((STAYS, guest))
            self.table.stop(guest, self.host)
            self._end_turn()
        else:
            self.events.append((ASKS_TO_PAY, guest, self.host))
            self._ask(self.host, HOST, HOST_MOVES, move)

    def _play_host_move(self, host: int, move: str) -> None:
        table = self.table
        guest = table.order[table.position]
        if move == "agree":
            self.events.append((AGREES, host))
            table.promise(host, guest)
            table.stop(guest, host)
        else:
            self.events.append((REFUSES, host))
            table.exchange(guest, host, self.events)
        self._end_turn()

    # Tokens

    def _lose(self, seat: int) -> None:
        self._add_token(seat, -1)
        self.events.append((LOSES, seat))
        if not self.tokens[seat]:
            self.events.append((EMPTY, seat))

    def _add_token(self, seat: int, number: int) -> None:
        self.tokens = added(self.tokens, seat, number)
        if seat in self.virgins:
            self.virgins = tuple([virgin for virgin in self.virgins if virgin != seat])

    # Course of play, 4; dead cards; the result

    def _compare(self) -> None:
        shown = self._show_cards()
        self._take_tokens(shown, judge([self.table.cards[seat] for seat in shown]))
        self._ask_eliminated()

    def _show_cards(self) -> list[int]:
        """Show the cards of all who have tokens; return who they are. "Dead card": who has none shows none."""
        table = self.table
        shown = [seat for seat in table.order if self.tokens[seat]]
        for seat in shown:
            table.make_public(seat)
            self.events.append((REVEALS, seat, table.cards[seat]))
        return shown

    def _take_tokens(self, shown: Sequence[int], places: Sequence[int]) -> None:
        """Take the tokens for the cards that lose, which are those at `places` of the cards shown.

        Decision: in playing order, and no seat loses what it has not: an innkeeper whose last token went for the guest
        loses no other, and one without a token does not pay.
        """
        table = self.table
        for place in places:
            seat = shown[place]
            host = table.hosts[seat]
            if table.cards[seat] == NULLA and host != NO_HOST and self.tokens[host]:
                self.events.append((PAYS_FOR, host, seat))
                self._lose(host)
            elif self.tokens[seat]:
                self._lose(seat)

    # Coming back. "Re-Entry"

    def _ask_eliminated(self) -> None:
        """Go on after all losses of a deal: ask who was eliminated in it, or let everybody enter again."""
        if any(self.tokens):
            # Decision: asked once, in playing order.
            self.waiting = tuple([seat for seat in self.table.order if not self.tokens[seat]])
            self._ask_entry()
            return
        # "All players re-enter": also who was out before. Decision: an agreement is void then.
        self.tokens = (TOKENS,) * self.table.seats
        self.virgins = ()
        self.split = ()
        self.events.append((FREE,))
        self._end_deal()

    def _ask_entry(self) -> None:
        """Ask the next seat that waits whether it enters, if it may and can pay; after the last the deal is over."""
        while self.waiting:
            seat = self.waiting[0]
            # Only while a virgin is left.
            if self.virgins and self._can_enter(seat):
                self._ask(seat, ENTRY, ENTRY_MOVES)
                return
            self._leave_out()
        self._end_deal()

    def _answer_entry(self, seat: int, move: str) -> None:
        if move == "enter":
            self.events.append((ENTERS, seat, self.pool.price))
            self._ask_share(seat)
        else:
            self._stay_out(seat)

    def _stay_out(self, seat: int) -> None:
        self.events.append((STAYS_OUT, seat))
        self._leave_out()
        self._ask_entry()

    def _leave_out(self) -> None:
        """Let the first of the seats that wait stay out."""
        self.waiting = self.waiting[1:]
        # The price doubles though the option was not used.
        self.pool.doublings += 1

    def _enter(self) -> None:
        """Let the first of the seats that wait enter. It pays the fee, together with its syndicate if it has one."""
        seat, pool = self.waiting[0], self.pool
        fee = {seat: pool.price}
        if self.joined:
            fee[seat] -= self.raised
            fee |= levelled(self.raised, {member: pool.purses[member] for member in self.joined})
        # Decision: a syndicate lasts until its player buys tokens again.
        pool.claims = tuple([claim for claim in pool.claims if claim.seat != seat or claim.paid is None])
        for member, money in fee.items():
            pool.pay(member, money)
            self.events.append((FEE, member, money))
            if self.joined:
                pool.claims += (Claim(seat, member, paid=money),)
        pool.doublings += 1
        self.tokens = added(self.tokens, seat, TOKENS)
        self.waiting = self.waiting[1:]
        self._ask_entry()

    # The end of a deal, and of the match

    def _end_deal(self) -> None:
        left = [seat for seat in self._from_dealer() if self.tokens[seat]]
        if len(left) == 1:
            self.events.append((WINS, left[0], self.pool.amount))
            self._end_match({left[0]: 1})
        else:
            self.dealer = left[0]
            self._begin_deal()

    def _end_match(self, weights: dict[int, int]) -> None:
        """Divide the pool by the weights of seats, or as the last two have agreed."""
        if self.split:
            weights = {seat: percent for seat, percent in enumerate(self.split) if percent}
        for seat, money in enumerate(self.pool.pay_out(weights)):
            if money:
                self.events.append((GETS, seat, money))
        self.asked = self.moves = ()
        self.stage = NO_STAGE
        self.offer = None

    def outcome(self) -> Outcome:
        # Decision: ranks follow the money.
        return Outcome(self.pool.scores, ranks(self.pool.scores))

    # Options: table talk. "Conversation"

    def talk_limit(self) -> int:
        return TALK_LIMIT if self.options.table_talk else 0

    def say(self, seat: int, words: str) -> None:
        """Let everybody hear what `seat` says with its decision; nothing where there is no table talk.

        Anything may be said, and nobody need tell the truth.
        """
        if self.said and words:
            words = words[:TALK_LIMIT]
            self.said = (*self.said[:seat], words, *self.said[seat + 1 :])
            self.events.append((SAYS, seat, words))

    # Options: endgame agreement. "Agreement between the last two players"

    def _propose_split(self, seat: int, move: str) -> None:
        if move == "none":
            self.events.append((PROPOSES_NONE, seat))
            self._ask_turn()
        else:
            self.events.append((PROPOSES, seat, split_percent(move)))
            self._ask(self.dealer, REPLY, REPLY_MOVES, move)

    def _answer_split(self, dealer: int, move: str) -> None:
        if move == "accept":
            self.events.append((ACCEPTS, dealer))
            # Decision: the shares belong to the two persons, whoever deals later.
            percent = split_percent(self.offer or "")
            split = [0] * self.table.seats
            split[self.table.order[0]], split[dealer] = percent, 100 - percent
            self.split = tuple(split)
        else:
            self.events.append((DECLINES, dealer))
        self._ask_turn()

    def _must_exchange(self, seat: int) -> bool:
        """Tell whether an agreement leaves `seat` no choice in its turn. Decision: fools too, and without asking."""
        return bool(self.split) and seat != self.dealer and self.table.cards[seat] < FORCED_BELOW

    # Options: syndicates. "Sharing the re-entry fee"

    def _ask_share(self, seat: int) -> None:
        """Ask `seat`, which enters, how much of the fee it offers to others, if there is anybody who could pay it."""
        self.raised, self.joined = 0, ()
        shares = self._shares(seat)
        if len(shares) > 1:
            self._ask(seat, SHARE, shares)
        elif shares[0] == "share 0":
            self._enter()
        else:
            self._offer_share(seat, shares[0])

    def _can_enter(self, seat: int) -> bool:
        """Tell whether `seat` can pay the fee: alone, or under open syndicates with those who are out."""
        return self.pool.purses[seat] >= self.pool.price or bool(self._shares(seat))

    def _shares(self, seat: int) -> tuple[str, ...]:
        """Return the parts of the fee that `seat` may offer to those who are out."""
        pool, purse = self.pool, self.pool.purses[seat]
        alone = ("share 0",) if purse >= pool.price else ()
        if not self.options.syndicates or not (alone or self.options.open_syndicates):
            return alone
        parts = {move: self._part_of_fee(move) for move in SHARE_MOVES}
        return alone + tuple([move for move, part in parts.items() if purse >= pool.price - part and self._able(part)])

    def _part_of_fee(self, move: str) -> int:
        return self.pool.price * SHARE_MOVES[move] // 100

    def _able(self, amount: int) -> tuple[int, ...]:
        """Return who may be asked for a syndicate that pays `amount`, in the order asked.

        Decision: who is out for good, and could pay the amount alone, as nobody else may join. Under open syndicates
        who has any money, if all of them together could pay it.
        """
        if not amount:
            return ()
        purses = self.pool.purses
        out = [seat for seat in self._from_dealer() if not self.tokens[seat] and seat not in self.waiting]
        if not self.options.open_syndicates:
            return tuple([seat for seat in out if purses[seat] >= amount])
        return tuple([seat for seat in out if purses[seat]]) if sum([purses[seat] for seat in out]) >= amount else ()

    def _offer_share(self, seat: int, move: str) -> None:
        self.events.append((RAISES, seat, SHARE_MOVES[move]))
        self.raised = self._part_of_fee(move)
        self.asking = self._able(self.raised)
        self._ask_to_join(move)

    def _ask_to_join(self, share: str | None) -> None:
        if self.asking:
            self._ask(self.asking[0], JOIN, JOIN_MOVES, share)
        else:
            self._close_syndicate()

    def _close_syndicate(self) -> None:
        """Let the first of the seats that wait enter, if it and those who joined can pay the fee."""
        seat, pool = self.waiting[0], self.pool
        # Decision: what those who joined cannot pay of their part, the player pays if he can.
        self.raised = min(self.raised, sum([pool.purses[member] for member in self.joined]))
        if pool.purses[seat] >= pool.price - self.raised:
            self._enter()
        else:
            self._stay_out(seat)

    def _answer_share(self, seat: int, move: str) -> None:
        if move == "join":
            self.events.append((JOINS, seat))
            self.joined += (seat,)
        else:
            self.events.append((KEEPS_OFF, seat))
        self.asking = self.asking[1:]
        self._ask_to_join(self.offer)

    # Moves

    def legal(self, seat: int) -> tuple[str, ...]:
        return self.moves if seat in self.asked else ()

    def default(self, seat: int) -> str:
        """`keep`; at an inn `stay`, for an innkeeper `agree`; to all other questions what costs nothing."""
        return self.moves[0]

    # What a seat sees

    def view(self, seat: int) -> CucuView:
        table, pool = self.table, self.pool
        card = table.cards[seat]
        # Cheaper than to call CucuView, and the same.
        return tuple.__new__(
            CucuView,
            (
                self.deal,
                self.dealer,
                pool.amount,
                pool.price if self.virgins else 0,
                pool.scores,
                pool.purses,
                self.virgins,
                table.order,
                self.split,
                pool.claims,
                self.tokens,
                self.asked[0] if self.asked else None,
                self.stage,
                self.offer,
                table.pile.left,
                tuple(table.actions),
                tuple(table.partners),
                tuple([len(holders) for holders in table.past_holders]),
                table.hosts,
                self.said,
                seat,
                None if card == UNKNOWN else card,
                known_cards(seat, table.cards, table.seen),
                table.known_aside(seat) if table.aside else (),
            ),
        )

    # For scenarios, checks and searches

    def undealt(self) -> int:
        return self.table.pile.left

    def counts(self) -> dict[str, int]:
        table, pool = self.table, self.pool
        cards = [*table.pile.undealt(), *table.cards, *(card for card, _ in table.aside)]
        kinds = Counter(f"card {card}" for card in cards if card != UNKNOWN)
        # Money that was won can no longer be spent: what all have is what they came with, and what they won or lost.
        return {"money": pool.amount + self.options.bankroll * table.seats + sum(pool.scores), **kinds}

    def copy(self) -> Self:
        twin = type(self).__new__(type(self))
        twin.asked, twin.events = self.asked, self.events[:]
        twin.options, twin.pack, twin.table = self.options, self.pack, self.table.copy()
        twin.deal, twin.dealer, twin.pool, twin.split = self.deal, self.dealer, self.pool.copy(), self.split
        twin.tokens, twin.virgins = self.tokens, self.virgins
        twin.stage, twin.moves, twin.offer, twin.host = self.stage, self.moves, self.offer, self.host
        twin.waiting, twin.raised, twin.asking, twin.joined = self.waiting, self.raised, self.asking, self.joined
        twin.said = self.said
        return twin


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


def split_percent(move: str) -> int:
    """Return the percentage that a proposal such as "split 40" names."""
    return int(move.removeprefix("split "))


TOKEN_PHRASES: Final = ("share {number}", "split {number}")
TOKEN_MOVES: Final = """\
keep         end the turn with the card you hold
exchange     ask the next player for his card; the dealer takes the next card of the pack
enter        you lost your last token: buy three new ones at the price in the view
stay out     you lost your last token: leave the match
share 0      about to enter, under syndicates: offer nothing of the fee to those who are out, if you can pay it
share P      about to enter, under syndicates: offer them 25, 50 or 75 percent of it
join         under syndicates: take your part of the fee, and of the winnings
no           under syndicates: do not
split P      under endgame_agreement, the non-dealer: propose P percent of the pool for yourself (0, 10 .. 100)
none         under endgame_agreement, the non-dealer: propose nothing
accept       agree to what is proposed
decline      do not agree to it"""
"""The moves that Lu Stù has as well."""


def token_actions(options: CucuOptions) -> tuple[str, ...]:
    """Return the moves that Lu Stù has as well, and that can be legal under `options`."""
    moves: tuple[str, ...] = (*TURN_MOVES, *ENTRY_MOVES)
    if options.syndicates:
        moves += (*SHARE_MOVES, *JOIN_MOVES)
    if options.endgame_agreement:
        moves += (*SPLIT_MOVES, *REPLY_MOVES)
    return moves


def known_tokens(log: SeatLog, pack: int, inn: int, back: int, *, asks_back: bool = False) -> list[Known]:
    """Return what the log of a seat says of the pack.

    pack: the number of cards in it.
    inn: the number of the line by which an inn makes itself known.
    back: that of the line by which an exchange is undone, or a card goes back.
    asks_back: whether a card goes back only where the other card does not stop it.
    """
    known: list[Known] = []
    cards: KnownDeal | None = None
    for event in log.events:
        line, (first, second) = event[0], numbers(event)
        if line == DEAL:
            if cards is not None:
                known += cards.known()
            if first == 1:
                known.append(Known(("first",), (0,), (second,)))
            cards = KnownDeal(log.seats, first, pack)
        elif cards is None:
            continue
        elif line == inn:
            cards.learn(first, HOUSE)
        elif line == back:
            if asks_back:
                cards.exclude(second, ANSWERING)
            cards.swap(first, second)
        elif line == REVEALS:
            cards.learn(first, second)
        else:
            cards.hear(line, first, second)
    return known if cards is None else known + cards.known()


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
    stable = STABLE
    phrases = TOKEN_PHRASES
    moves = f"""\
{TOKEN_MOVES}
stay         at an inn: keep your card, and nothing happens
pay if zero  at an inn: ask the innkeeper to pay your token if your card is a losing 0
agree        innkeeper: you would pay, and both keep their cards
refuse       innkeeper: you would not, and change cards with your guest"""
    presets: ClassVar[Mapping[str, Mapping[str, int | bool | str]]] = {
        "default": {},
        "table_talk": {"table_talk": True},
        "endgame_agreement": {"endgame_agreement": True},
        "syndicates": {"syndicates": True},
        "open_syndicates": {"stake": 20, "bankroll": 70, "syndicates": True, "open_syndicates": True},
        "poor": {"stake": 20, "bankroll": 70, "syndicates": True, "endgame_agreement": True},
        "short": {"max_deals": 6, "endgame_agreement": True},
    }

    def actions(self, options: Any, seats: int) -> tuple[str, ...]:
        return (*token_actions(options), *GUEST_MOVES, *HOST_MOVES)

    def known_chance(self, log: SeatLog) -> list[Known]:
        return known_tokens(log, len(pack()), INN, GIVES_BACK)

    def start(self, options: Any, seats: int, chance: Chance) -> CucuState:
        self.check(options, seats)
        return CucuState(options, pack(), seats, chance)


CUCU = Cucu()
