"""What observations of Hypp, Perudo and Scopa are made of."""

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
    seat_of,
    share,
    unbounded,
)
from referee.engine.game import Game
from referee.games.hypp import packet_moves
from referee.games.italian_pack import PACK
from referee.games.perudo import DICE

FACES = range(1, 7)


def hypp(game: Game, options: Any, seats: int) -> list[Feature]:
    """Return the layout of Hypp."""
    chips = options.limit * seats * 2 * seats
    return [
        unbounded("round", 10),
        seat_of("dealer", seats),
        seat_of("first", seats),
        by_seat("chips", seats, chips),
        share("packet", len(packet_moves(seats))),
        by_seat("bets", seats, options.limit),
        by_seat_one_of("cards", seats, KINDS),
        seat_of("turn", seats),
        one_of("stage", range(1, 4)),
    ]


def perudo(game: Game, options: Any, seats: int) -> list[Feature]:
    """Return the layout of Perudo."""
    dice = DICE * seats
    return [
        unbounded("round", 10),
        seat_of("starter", seats),
        by_seat("counts", seats, dice),
        by_seat_unbounded("out", seats, 10),
        by_seat("called", seats, 1),
        by_seat("may_call", seats, 1),
        seat_of("showdown", seats),
        _last_bids(seats, dice),
        share("quantity", dice),
        one_of("face", FACES),
        seat_of("bidder", seats),
        _aside(seats),
        seat_of("turn", seats),
        one_of("stage", (1, 2)),
        counted("dice", FACES, dice),
    ]


def _last_bids(seats: int, most: int) -> Feature:
    width = 2 + len(FACES)

    def encode(
        seat: int,
        bidders: Sequence[int],
        quantities: Sequence[int],
        faces: Sequence[int],
        rerolled: Sequence[int],
    ) -> list[float]:
        out = [0.0] * (seats * width)
        for bidder, quantity, face, dice in zip(bidders, quantities, faces, rerolled, strict=True):
            at = (bidder - seat) % seats * width
            out[at : at + width] = [0.0] * width
            out[at] = quantity / most
            out[at + 1] = dice / most
            out[at + 1 + face] = 1.0
        return out

    meaning = f"by seat, its last bid: quantity and dice rolled again, divided by {most}; one-hot: the face"
    spreads = tuple(
        [
            Spread(
                field, value, most, column, Row.BY_OTHER, seats, width, values, "bidders", offset=offset, clears=clears
            )
            for field, value, column, values, offset, clears in (
                ("quantities", Value.SHARE, Column.NONE, (), 0, 0),
                ("rerolled", Value.SHARE, Column.NONE, (), 1, 0),
                ("faces", Value.ONE, Column.PLACE, tuple(FACES), 2, len(FACES)),
            )
        ]
    )
    return Feature(("bidders", "quantities", "faces", "rerolled"), seats * width, meaning, encode, spreads=spreads)


def _aside(seats: int) -> Feature:
    most = DICE * seats

    def encode(seat: int, owners: Sequence[int], dice: Sequence[int]) -> list[float]:
        out = [0.0] * (seats * len(FACES))
        for owner, face in zip(owners, dice, strict=True):
            out[(owner - seat) % seats * len(FACES) + face - 1] += 1 / most
        return out

    meaning = f"by seat: how many dice of each face it has put aside, divided by {most}"
    spread = Spread(
        "aside", Value.STEP, 1 / most, Column.PLACE, Row.BY_OTHER, seats, len(FACES), tuple(FACES), "aside_seats"
    )
    return Feature(("aside_seats", "aside"), seats * len(FACES), meaning, encode, spreads=(spread,))


def scopa(game: Game, options: Any, seats: int) -> list[Feature]:
    """Return the layout of Scopa."""
    teams = options.team_of(seats)
    return [
        unbounded("deal", 5),
        seat_of("dealer", seats),
        by_seat_unbounded("scores", seats, options.target),
        _scopas(teams),
        share("pack", len(PACK)),
        _taken(teams),
        seat_of("last_taker", seats),
        by_seat("hands", seats, 3),
        _table(),
        seat_of("turn", seats),
        counted("hand", PACK, 1),
    ]


def _scopas(teams: Sequence[int]) -> Feature:
    count = max(teams) + 1

    def encode(seat: int, scopas: Sequence[int]) -> list[float]:
        own = teams[seat]
        return [scopas[(own + other) % count] / (scopas[(own + other) % count] + 3) for other in range(count)]

    spread = Spread("scopas", Value.SQUASH, 3, row=Row.TURNED_AT, rows=count, origins=tuple(teams))
    return Feature(("scopas",), count, "by team, the own one first: N / (N + 3)", encode, spreads=(spread,))


def _taken(teams: Sequence[int]) -> Feature:
    count = max(teams) + 1
    places = {card: place for place, card in enumerate(PACK)}

    def encode(seat: int, cards: Sequence[str], takers: Sequence[int]) -> list[float]:
        out = [0.0] * (count * len(PACK))
        for card, taker in zip(cards, takers, strict=True):
            out[(taker - teams[seat]) % count * len(PACK) + places[card]] = 1.0
        return out

    meaning = f"by team, the own one first: for each card from {PACK[0]} to {PACK[-1]} whether the team has taken it"
    spread = Spread(
        "taken", Value.ONE, 1, Column.PLACE, Row.BY_OTHER, count, len(PACK), tuple(PACK), "takers", tuple(teams)
    )
    return Feature(("taken", "takers"), count * len(PACK), meaning, encode, spreads=(spread,))


def _table() -> Feature:
    places = {card: place for place, card in enumerate(PACK)}

    def encode(seat: int, cards: Sequence[str]) -> list[float]:
        out = [0.0] * len(PACK)
        for place, card in enumerate(cards, 1):
            out[places[card]] = place / len(PACK)
        return out

    meaning = f"for each card from {PACK[0]} to {PACK[-1]} its place on the table from 1, divided by 40; 0: not there"
    spread = Spread("table", Value.ORDER, len(PACK), Column.PLACE, values=tuple(PACK))
    return Feature(("table",), len(PACK), meaning, encode, False, (spread,))
