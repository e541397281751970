"""Coch: two against two, ten tricks."""

from collections.abc import Sequence
from typing import Any

from arena.language.message import Message, arguments, counted
from arena.replay.event_table import MIDDLE, EventTable
from arena.replay.games import trick_story
from arena.replay.games.items import badges, turn
from arena.replay.games.trick_events import TrickEvents
from arena.replay.games.trick_zones import TYPES, hand_of, middle, must_follow, won
from arena.replay.renderer import Views
from arena.replay.scene import Fact, Scene, TablePlace
from referee.games import coch, trick_count, tricks

ART = "cuckoo.svg"
KEY_EVENTS = trick_story.coch_events
MEASURE = trick_story.MEASURE_COCH
READ_AS = {
    "seats 0 and 2 have {0} points, seats 1 and 3 {1}": "card points: {0} for seats 0 and 2, {1} for seats 1 and 3",
}
RULE_SECTIONS = {0: "Course of play"}


def render(views: Views, seats: int) -> Scene:
    """Draw a table of Coch."""
    view: Any = next(iter(views.values()))
    facts = [Fact(_team(team), _standing(view.points[team], view.won[team])) for team in (0, 1)]
    if view.base:
        facts.append(Fact("to follow", TYPES[view.base]))
    return Scene(
        Message("deal {0}", view.deal),
        middle(view, seats),
        tuple(
            TablePlace(
                seat,
                (hand_of(views, seat, seats),),
                (Fact("tricks", str(won(view, seat, seats))), Fact("partner", Message("seat {0}", (seat + 2) % 4))),
                badges(seat == view.dealer and "dealer"),
                turn(view) == seat,
            )
            for seat in range(seats)
        ),
        tuple(facts),
    )


def why_not_card(view: Any, face: str) -> str:
    """Return why a card cannot be played."""
    return must_follow(view)


def _team(seat: int) -> str:
    return Message("seats {0} and {1}", seat % 2, seat % 2 + 2)


def _standing(points: float, won: float) -> str:
    return counted(points, "{0} point, {1} won", "{0} points, {1} won", f"{points:g}", f"{won:g}")


class CochEvents(TrickEvents):
    """What the events of Coch do to the drawn table. The points of a team and the deals it won stand in one fact."""

    def __init__(self) -> None:
        super().__init__()
        self.handlers[tricks.DEAL] = _deal
        self.handlers[coch.WIN_DEAL] = lambda table, seat, partner: _add(table, seat, won=1)
        self.handlers[coch.DRAW] = _draw

    def count(self, table: EventTable, winner: int, cards: Sequence[int]) -> None:
        """Add what the cards of a trick count to the points of its winner's team."""
        _add(table, winner, points=sum(trick_count.HALVES[card] for card in cards) / 2)


def _deal(table: EventTable, number: int, dealer: int) -> None:
    for team in (0, 1):
        _add(table, team, points=-_numbers(table, team)[0])


def _draw(table: EventTable) -> None:
    for team in (0, 1):
        _add(table, team, won=0.5)


def _add(table: EventTable, seat: int, *, points: float = 0, won: float = 0) -> None:
    before = _numbers(table, seat)
    table.set_fact(MIDDLE, _team(seat), _standing(before[0] + points, before[1] + won))


def _numbers(table: EventTable, seat: int) -> tuple[float, float]:
    """Return the points and the deals won of a seat's team."""
    points, won = arguments(table.fact(MIDDLE, _team(seat)))
    return float(points), float(won)


EVENTS = CochEvents()
