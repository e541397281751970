"""A second reading of what docs/rules/cucu.md and docs/rules/lustu.md share: the money, and coming back for it."""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.readings.reading import Luck, Play
from tests.readings.tokens import ENTRY, JOIN, REPLY, SHARE, SPLIT, Tokens

Claim = tuple[int, int, int | None, int | None]
"""Whose winnings, who has a part, what he paid of the fee or the percentage promised."""


def divided(amount: int, weights: Mapping[int, int]) -> dict[int, int]:
    """Return what each seat gets, rounded down; the rest goes to the earliest of those with any weight."""
    parts = {seat: amount * weight // sum(weights.values()) for seat, weight in weights.items() if weight}
    parts[min(parts)] += amount - sum(parts.values())
    return parts


class Pool(Tokens):
    """A match for money, which buys a seat its way back.

    spent: the money that each seat paid.
    price: of the next re-entry.
    split: what the last two agreed on, in percent.
    """

    doubles_unused: bool
    """Whether an elimination doubles the price though nobody came back."""

    def __init__(self, options: Mapping[str, Any], seats: int, luck: Luck) -> None:
        super().__init__(options, seats, luck)
        self.scores = [0] * seats
        self.spent = [0] * seats
        self.pool = 0
        self.price = options.get("stake", 10)
        self.split: dict[int, int] = {}
        self.claims: list[Claim] = []
        for seat in range(seats):
            self.pay(seat, self.price)

    def play(self) -> Play:
        for number in range(1, self.options.get("max_deals", 1000) + 1):
            self.number = number
            self.begin_deal()
            if self.options.get("endgame_agreement") and len(self.order) == 2 and not self.split:
                yield from self.agree(*self.order)
            yield from self.play_deal()
            yield from self.come_back()
            left = [seat for seat in self.around(self.dealer) if self.tokens[seat]]
            if len(left) == 1:
                self.pay_out({left[0]: 1})
                return
            self.dealer = left[0]
        self.pay_out({seat: tokens for seat, tokens in enumerate(self.tokens) if tokens})

    def spend(self, seat: int, amount: int) -> None:
        self.spent[seat] += amount
        self.scores[seat] -= amount

    def pay(self, seat: int, amount: int) -> None:
        self.spend(seat, amount)
        self.pool += amount

    def purse(self, seat: int) -> int:
        return int(self.options.get("bankroll", 1000)) - self.spent[seat]

    def agree(self, proposer: int, dealer: int) -> Play:
        splits = {f"split {percent}": percent for percent in range(0, 101, 10)}
        proposal = yield from self.ask(proposer, SPLIT, ("none", *splits))
        if proposal != "none":
            reply = yield from self.ask(dealer, REPLY, ("decline", "accept"), proposal)
            if reply == "accept":
                self.split = {proposer: splits[proposal], dealer: 100 - splits[proposal]}

    # Coming back

    def come_back(self) -> Play:
        if not any(self.tokens):
            self.tokens = [3] * self.seats
            self.virgins = set()
            self.split = {}
            return
        waiting = [seat for seat in self.order if not self.tokens[seat]]
        while waiting:
            seat = waiting[0]
            answer = "stay out"
            if self.virgins and self.offers(seat, waiting):
                answer = yield from self.ask(seat, ENTRY, ("stay out", "enter"))
            if answer == "enter":
                yield from self.enter(seat, waiting)
            if self.tokens[seat] or self.doubles_unused:
                self.price *= 2
            del waiting[0]

    def out(self, waiting: Sequence[int]) -> list[int]:
        return [other for other in self.around(self.dealer) if not self.tokens[other] and other not in waiting]

    def helpers(self, part: int, waiting: Sequence[int]) -> list[int]:
        """Return who is asked to pay `part` of the fee."""
        out = self.out(waiting)
        if self.options.get("open_syndicates"):
            return [other for other in out if self.purse(other) > 0 and sum(map(self.purse, out)) >= part]
        return [other for other in out if self.purse(other) >= part]

    def offers(self, seat: int, waiting: Sequence[int]) -> list[int]:
        """Return the percentages of the fee that `seat` may offer."""
        able = [0] if self.purse(seat) >= self.price else []
        if not self.options.get("syndicates") or not (able or self.options.get("open_syndicates")):
            return able
        for percent in (25, 50, 75):
            part = self.price * percent // 100
            if part and self.price - part <= self.purse(seat) and self.helpers(part, waiting):
                able.append(percent)
        return able

    def enter(self, seat: int, waiting: Sequence[int]) -> Play:
        offers = self.offers(seat, waiting)
        share = f"share {offers[0]}"
        if len(offers) > 1:
            share = yield from self.ask(seat, SHARE, [f"share {percent}" for percent in offers])
        part = self.price * int(share.split()[1]) // 100
        members: list[int] = []
        if part:
            for other in self.helpers(part, waiting):
                answer = yield from self.ask(other, JOIN, ("no", "join"), share)
                if answer == "join":
                    members.append(other)
        raised = self.raise_fee(part, members)
        rest = self.price - sum(raised.values())
        if rest > self.purse(seat):
            return
        self.claims = [claim for claim in self.claims if claim[0] != seat or claim[2] is None]
        fees = {seat: rest} | raised
        if members:
            self.claims += [(seat, member, fee, None) for member, fee in fees.items()]
        for member, fee in fees.items():
            self.pay(member, fee)
        self.tokens[seat] = 3

    def raise_fee(self, part: int, members: Sequence[int]) -> dict[int, int]:
        """Return what each member pays: alike, but nobody more than he has."""
        paid: dict[int, int] = {}
        while len(paid) < len(members):
            missing = part - sum(paid.values())
            parts = divided(missing, {member: 1 for member in members if member not in paid})
            short = {member: self.purse(member) for member, fee in parts.items() if fee > self.purse(member)}
            paid |= short or parts
        return {member: paid[member] for member in members}

    # The end

    def pay_out(self, weights: Mapping[int, int]) -> None:
        for seat, part in divided(self.pool, self.split or weights).items():
            syndicate = {to: fee for of, to, fee, _ in self.claims if of == seat and fee is not None}
            for member, money in divided(part, syndicate or {seat: 1}).items():
                self.scores[member] += money
                if member == seat:
                    for of, to, _, percent in self.claims:
                        if of == seat and percent is not None:
                            self.scores[to] += money * percent // 100
                            self.scores[seat] -= money * percent // 100

    def sees(self, seat: int) -> dict[str, Any]:
        return super().sees(seat) | {
            "deal": self.number,
            "pool": self.pool,
            "price": self.price if self.virgins else 0,
            "scores": tuple(self.scores),
            "purses": tuple(map(self.purse, range(self.seats))),
            "split": tuple([self.split.get(other, 0) for other in range(self.seats)]) if self.split else (),
            "claims": tuple(self.claims),
        }
