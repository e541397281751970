"""Views -> scene: by the game's own painter, or field by field for a game that has none here.

A painter is handed eyes: the views of the seats whose knowledge is to be drawn. One view makes what that seat knew; all
of them together make the whole table. So a painter cannot show a seat more than the bytes that were sent to it.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from google.protobuf.message import Message

from arena.play.view import NOTHING, fields
from arena.viewer.scene import Fact, Place, Scene
from referee.engine.game import Game
from referee.wire import view_type

Eyes = Mapping[int, Any]
"""By seat the view message of that seat; never empty."""

PAINTERS = {
    f"referee.v1.{game}View": f"arena.viewer.games.{game.lower()}"
    for game in (
        *("Cambio", "Coch", "Cucco", "Cucu", "Hypp", "Kille"),
        *("Lustu", "Perudo", "Scopa", "Torionfo", "Zifuli"),
    )
}
"""By the full name of a view message the module whose `paint(eyes, seats)` draws it."""


def paint(eyes: Eyes, seats: int) -> Scene:
    """Return the table as the owners of the eyes see it together."""
    view: Message = next(iter(eyes.values()))
    painter = _module(view.DESCRIPTOR.full_name)
    scene: Scene = painter.paint(eyes, seats) if painter else plain(eyes, seats)
    return scene


def open_turns(game: Game) -> bool:
    """Tell whether everybody can tell from the log when a seat is asked whose turn it is.

    Not so where a seat without a choice is not asked: that it was tells something of its hand. A game from elsewhere is
    taken for one of these.
    """
    return getattr(_module(view_type(game)), "OPEN_TURNS", False)


@cache
def _module(message: str) -> ModuleType | None:
    return import_module(PAINTERS[message]) if message in PAINTERS else None


def plain(eyes: Eyes, seats: int) -> Scene:
    """Draw the fields of the views as they are: those that are the same for all eyes in the middle."""
    told = {seat: dict(fields(view)) for seat, view in eyes.items()}
    first = next(iter(told.values()))
    same = {
        name for name, value in first.items() if len(eyes) > 1 and all(each[name] == value for each in told.values())
    }
    return Scene(
        "",
        (),
        tuple(
            Place(seat, facts=_facts({name: value for name, value in told.get(seat, {}).items() if name not in same}))
            for seat in range(seats)
        ),
        _facts({name: first[name] for name in first if name in same}),
    )


def _facts(values: Mapping[str, str]) -> tuple[Fact, ...]:
    return tuple(Fact(name, value) for name, value in values.items() if value != NOTHING)
