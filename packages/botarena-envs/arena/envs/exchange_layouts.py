"""What observations of Cambio, Cucco, Cucù and Lu Stù are made of."""

from collections.abc import Sequence
from typing import Any

from arena.envs.features import (
    KINDS,
    Column,
    Feature,
    Row,
    Spread,
    Value,
    by_seat,
    by_seat_one_of,
    by_seat_unbounded,
    counted,
    one_of,
    partners,
    places_in,
    seat_of,
    share,
    squash,
    tally,
    unbounded,
)
from referee.engine.game import Game
from referee.games.cuckoo_pack import UNKNOWN

KNOWN_OR_NOT = (*KINDS, UNKNOWN)


def cambio(game: Game, options: Any, seats: int) -> list[Feature]:
    """Return the layout of Cambio."""
    rules = options.rules(seats)
    return [
        *_set("dealer", rules, seats),
        by_seat_unbounded("defeats", seats, 3),
        share("lap", 2),
        *_round(rules, seats),
    ]


def cucco(game: Game, options: Any, seats: int) -> list[Feature]:
    """Return the layout of Cucco."""
    rules = options.rules(seats)
    return [*_set("starter", rules, seats), *_round(rules, seats)]


def _set(lead: str, rules: Any, seats: int) -> list[Feature]:
    chips = rules.chips * seats
    return [
        unbounded("set", 5),
        unbounded("round", 4),
        seat_of(lead, seats),
        share("box", chips),
        by_seat("chips", seats, chips),
        places_in("order", seats),
        share("cuckoos", max(rules.cuckoos, 3)),
        counted("discards", KINDS, 4 if len(rules.pack) > 40 else 2),
        share("pile", len(rules.pack)),
    ]


def _round(rules: Any, seats: int) -> list[Feature]:
    return [
        seat_of("turn", seats),
        by_seat_one_of("defeated", seats, range(1, 4)),
        by_seat_one_of("actions", seats, range(1, 5), rules.laps),
        partners("partners", seats, rules.laps),
        by_seat_one_of("replies", seats, range(1, 4)),
        one_of("stage", range(1, 4)),
        one_of("card", KINDS),
        by_seat_one_of("known", seats, KINDS),
        counted("aside", KNOWN_OR_NOT, rules.laps * seats),
        tally("strong_fools", seats, 1),
    ]


def tokens(game: Game, options: Any, seats: int) -> list[Feature]:
    """Return the layout of Cucù and Lu Stù."""
    offers = [move for move in game.actions(options, seats) if move.split()[0] in ("share", "split", "pay", "offer")]
    return [
        unbounded("deal", 10),
        seat_of("dealer", seats),
        unbounded("pool", options.stake * seats),
        unbounded("price", options.stake),
        by_seat_unbounded("scores", seats, options.stake * seats),
        by_seat("purses", seats, options.bankroll),
        tally("virgins", seats, 1),
        places_in("order", seats),
        by_seat("split", seats, 100),
        _claims(seats, options.stake),
        by_seat_unbounded("tokens", seats, 3),
        seat_of("turn", seats),
        one_of("stage", range(1, 9)),
        one_of("offer", offers),
        share("pile", 40),
        by_seat_one_of("actions", seats, range(1, 5)),
        partners("partners", seats),
        by_seat_unbounded("passed", seats, 1),
        by_seat_one_of_seat("hosts", seats),
        one_of("card", KINDS),
        by_seat_one_of("known", seats, KINDS),
        counted("aside", KNOWN_OR_NOT, seats),
    ]


def by_seat_one_of_seat(field: str, seats: int) -> Feature:
    """Return a feature of another seat for each seat; -1 is nobody."""

    def encode(seat: int, others: Sequence[int]) -> list[float]:
        out = [0.0] * (seats * seats)
        for at, other in enumerate(others):
            if other >= 0:
                out[(at - seat) % seats * seats + (other - seat) % seats] = 1.0
        return out

    spread = Spread(field, Value.ONE, column=Column.OTHER, row=Row.TURNED_AT, rows=seats, width=seats)
    return Feature((field,), seats * seats, "by seat: one-hot: the other seat", encode, spreads=(spread,))


def _claims(seats: int, stake: int) -> Feature:
    def encode(seat: int, claims: Sequence[Any]) -> list[float]:
        out = [0.0] * (2 * seats * seats)
        for winner, to, paid, percent in claims:
            at = ((winner - seat) % seats * seats + (to - seat) % seats) * 2
            if paid is not None:
                out[at] = squash(paid, stake)
            if percent is not None:
                out[at + 1] = min(1.0, out[at + 1] + percent / 100)
        return out

    meaning = f"by seat, then by the seat that has the claim: paid, N / (N + {stake:g}), and percent, divided by 100"
    return Feature(("claims",), 2 * seats * seats, meaning, encode)
