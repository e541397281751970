"""What observations of Kille, Coch, Torionfo and Zifuli are made of."""

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
    by_seat_unbounded,
    counted,
    last_seat_of,
    one_by_one,
    one_of,
    places_in,
    seat_of,
    share,
    unbounded,
)
from referee.engine.game import Game
from referee.games.tricks import PACK

TYPES = (1, 2)


def kille(game: Game, options: Any, seats: int) -> list[Feature]:
    """Return the layout of Kille."""
    return [
        unbounded("deal", seats),
        seat_of("dealer", seats),
        by_seat_unbounded("scores", seats, seats if options.duplicate else 3),
        *_tricks(seats),
        seat_of("turn", seats),
        counted("hand", KINDS, 2),
        *([_hands(seats)] if options.duplicate else []),
    ]


def coch(game: Game, options: Any, seats: int) -> list[Feature]:
    """Return the layout of Coch."""
    return [
        unbounded("deal", 3),
        seat_of("dealer", seats),
        _by_team("won", seats, options.deals),
        _by_team("points", seats, 19),
        *_tricks(seats),
        one_of("base", TYPES),
        seat_of("turn", seats),
        counted("hand", KINDS, 2),
    ]


def torionfo(game: Game, options: Any, seats: int) -> list[Feature]:
    """Return the layout of Torionfo."""
    all_points = sum(max(card, 0) for card in PACK)
    return [
        share("deal", 4),
        seat_of("dealer", seats),
        seat_of("cutter", seats),
        share("cut", len(PACK)),
        counted("cut_taken", KINDS, 2),
        counted("turned_taken", KINDS, 2),
        one_of("torionfo", KINDS),
        share("pile", 20),
        _by_team("scores", seats, 4 * all_points),
        _by_team("points", seats, all_points),
        one_of("named", TYPES),
        *_tricks(seats),
        one_of("base", TYPES),
        seat_of("turn", seats),
        one_of("stage", TYPES),
        counted("hand", KINDS, 2),
        counted("discarded", KINDS, 2),
        one_of("looked", KINDS),
        seat_of("looked_seat", seats),
    ]


def zifuli(game: Game, options: Any, seats: int) -> list[Feature]:
    """Return the layout of Zifuli."""
    return [
        unbounded("deal", 5),
        seat_of("dealer", seats),
        by_seat_unbounded("chips", seats, options.chips),
        last_seat_of("bidders", seats),
        one_by_one("bids", 10, KINDS),
        places_in("passed", seats),
        seat_of("boss", seats),
        by_seat("points", seats, 19),
        *_tricks(seats),
        one_of("base", TYPES),
        seat_of("turn", seats),
        one_of("stage", TYPES),
        counted("hand", KINDS, 2),
        seat_of("partner", seats),
        share("alone", 1),
    ]


def _by_team(field: str, seats: int, most: float) -> Feature:
    def encode(seat: int, numbers: Sequence[float]) -> list[float]:
        own = seat % 2
        return [numbers[own] / most, numbers[1 - own] / most]

    origins = tuple([seat % 2 for seat in range(seats)])
    spread = Spread(field, Value.SHARE, most, row=Row.TURNED_AT, rows=2, origins=origins)
    return Feature((field,), 2, f"the own team, then the other: divided by {most:g}", encode, spreads=(spread,))


def _tricks(seats: int) -> list[Feature]:
    """Return what the cards of a deal make known: who leads, who has played what, and what lies on the table."""
    kinds = len(KINDS)
    lowest = KINDS[0]

    def played(seat: int, leaders: Sequence[int], cards: Sequence[int]) -> list[float]:
        out = [0.0] * (seats * kinds)
        for at, card in enumerate(cards):
            player = (leaders[at // seats] + at - seat) % seats
            out[player * kinds + card - lowest] += 0.5
        return out

    def table(seat: int, leaders: Sequence[int], cards: Sequence[int]) -> list[float]:
        out = [0.0] * (seats * kinds)
        for at, card in enumerate(cards):
            out[(leaders[-1] + at - seat) % seats * kinds + card - lowest] = 1.0
        return out

    def winners(seat: int, leaders: Sequence[int]) -> list[float]:
        out = [0.0] * seats
        for winner in leaders[1:]:
            out[(winner - seat) % seats] += seats / len(PACK)
        return out

    prefix = f"by seat: for each card from {KINDS[0]} to {KINDS[-1]}"
    by_card = Column.PLACE
    won = Spread("leaders", Value.STEP, seats / len(PACK), row=Row.TURNED, rows=seats, start=1)
    put_away = Spread("played", Value.STEP, 0.5, by_card, Row.BY_LEADER, seats, kinds, KINDS, "leaders")
    lies = Spread("table", Value.ONE, 1, by_card, Row.BY_LAST, seats, kinds, KINDS, "leaders")
    return [
        last_seat_of("leaders", seats),
        Feature(
            ("leaders",),
            seats,
            f"by seat: the tricks it has won, times {seats}/{len(PACK)}",
            winners,
            spreads=(won,),
        ),
        Feature(
            ("leaders", "played"),
            seats * kinds,
            f"{prefix}, how often the seat has played it, divided by 2",
            played,
            spreads=(put_away,),
        ),
        Feature(
            ("leaders", "table"),
            seats * kinds,
            f"{prefix}, whether the seat has it on the table",
            table,
            spreads=(lies,),
        ),
    ]


def _hands(seats: int) -> Feature:
    kinds, lowest = len(KINDS), KINDS[0]

    def encode(seat: int, hands: Sequence[tuple[Sequence[int]]]) -> list[float]:
        out = [0.0] * (seats * kinds)
        for at, (cards,) in enumerate(hands):
            for card in cards:
                out[(at - seat) % seats * kinds + card - lowest] += 0.5
        return out

    return Feature(("hands",), seats * kinds, "by seat: for each card how often the seat has it, divided by 2", encode)
