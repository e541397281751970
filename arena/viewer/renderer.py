"""Render views as a scene, with the game's own renderer in `games`, or field by field for a game without one.

A renderer receives the views of the seats whose perspective is drawn: one view shows what that seat knew, all views
together show the whole table. So it cannot show a seat more than the bytes that were sent to that seat.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from google.protobuf.message import Message

from arena.play.view import NOTHING, fields
from arena.viewer.scene import Fact, Scene, TablePlace
from referee.engine.game import Game
from referee.wire import view_type

Views = Mapping[int, Any]
"""The view message of each seat, by seat; never empty."""

RENDERERS = {
    f"referee.v1.{game}View": f"arena.viewer.games.{game.lower()}"
    for game in (
        *("Cambio", "Coch", "Cucco", "Cucu", "Hypp", "Kille"),
        *("Lustu", "Perudo", "Scopa", "Torionfo", "Zifuli"),
    )
}
"""By the full name of a view message, the module whose `render(views, seats)` draws it."""


def render(views: Views, seats: int) -> Scene:
    """Render the table from the views of one seat or of several."""
    view: Message = next(iter(views.values()))
    game_renderer = _game_module(view.DESCRIPTOR.full_name)
    scene: Scene = game_renderer.render(views, seats) if game_renderer else render_fields(views, seats)
    return scene


def open_turns(game: Game) -> bool:
    """Return whether everybody can tell from the log when the seat to move is asked.

    They cannot in games that do not ask a seat without a choice: a question then reveals something of its hand. Games
    without a renderer are treated like these.
    """
    return getattr(_game_module(view_type(game)), "OPEN_TURNS", False)


@cache
def _game_module(message: str) -> ModuleType | None:
    return import_module(RENDERERS[message]) if message in RENDERERS else None


def render_fields(views: Views, seats: int) -> Scene:
    """Render the fields of the views as text; fields that are equal in all views stand in the middle."""
    values = {seat: dict(fields(view)) for seat, view in views.items()}
    first = next(iter(values.values()))
    shared = {
        name
        for name, value in first.items()
        if len(views) > 1 and all(view_fields[name] == value for view_fields in values.values())
    }
    return Scene(
        "",
        (),
        tuple(
            TablePlace(
                seat, facts=_facts({name: value for name, value in values.get(seat, {}).items() if name not in shared})
            )
            for seat in range(seats)
        ),
        _facts({name: first[name] for name in first if name in shared}),
    )


def _facts(values: Mapping[str, str]) -> tuple[Fact, ...]:
    return tuple(Fact(name, value) for name, value in values.items() if value != NOTHING)
