"""Render views as a scene, with the game's own renderer in `games`, or field by field for a game without one.

A package registers the renderer of its game by an entry point of the group `arena.renderers`: the full name of the view
message leads to the module, as `package.module:RENDERER` with an object that has what modules in `games` have.

A renderer receives the views of the seats whose perspective is drawn: one view shows what that seat knew, all views
together show the whole table. So it cannot show a seat more than the bytes that were sent to that seat.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any

from google.protobuf.message import Message

from arena.hooks.installed_entries import load, targets
from arena.replay import static
from arena.replay.games.items import card_codes
from arena.replay.phrases import card_of
from arena.replay.refusals import refused_cards, refused_moves
from arena.replay.rule_pages import section_id
from arena.replay.scene import Fact, Scene, TablePlace
from arena.replay.table_events import TableEvents
from arena.values.view_text import NOTHING, fields
from referee.engine.errors import EngineError
from referee.engine.game import Game
from referee.engine.registry import game
from referee.wire import view_type

GROUP = "arena.renderers"

Views = Mapping[int, Any]
"""The view message of each seat, by seat; never empty."""

RENDERERS = {
    f"referee.v1.{game}View": f"arena.replay.games.{game.lower()}"
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


def open_turns(game: Game, options: Any) -> bool:
    """Return whether everybody can tell from the log when the seat to move is asked.

    They cannot in games that do not ask a seat without a choice: a question then reveals something of its hand. Games
    without a renderer are treated like these.
    """
    has_open_turns = getattr(_game_module(view_type(game)), "OPEN_TURNS", False)
    return bool(has_open_turns(options) if callable(has_open_turns) else has_open_turns)


def game_module(game: Game) -> Any:
    """Return the renderer of a game; None for a game without one."""
    return _game_module(view_type(game))


def event_handlers(game: Game) -> TableEvents | None:
    """Return what the events of a game do to its drawn table; None for a game without a renderer."""
    return getattr(_game_module(view_type(game)), "EVENTS", None)


def key_events(game: Game) -> Any:
    """Return what names the key events of a game (`arena.replay.story`); None for a game without a renderer."""
    return getattr(_game_module(view_type(game)), "KEY_EVENTS", None)


def measure(game: Game) -> Any:
    """Return what the line of a game shows in the ribbon (`arena.replay.story`); None: its score."""
    return getattr(_game_module(view_type(game)), "MEASURE", None)


def art(name: str) -> tuple[str, ...]:
    """Return the sheets of drawings, files of `arena.replay.static`, that the tables of a game need.

    They are none for a game without a renderer, or one that cannot be loaded.
    """
    try:
        game_renderer = _game_module(view_type(game(name)))
    except EngineError:
        return ()
    return ("pieces.svg", game_renderer.ART) if game_renderer else ()


def table_scripts(name: str) -> list[str]:
    """Return the scripts, files of `arena.replay.static`, that draw the tables of a game."""
    return [*static.TABLE, *([static.BOARD] if "board.svg" in art(name) else [])]


def rule_section(game: Game, stage: int) -> str:
    """Return the id of the section of a game's rules that a question is about; "" where none is known.

    stage: what is asked, as `stage` in the view; 0 in games whose view has none.

    Games list their sections in RULE_SECTIONS; one of another game's page is written with that game, as in
    "cambio: The exchange phase".
    """
    heading = getattr(_game_module(view_type(game)), "RULE_SECTIONS", {}).get(stage, "")
    page, _, rest = heading.rpartition(": ")
    return section_id(page or game.name, rest) if heading else ""


def rule_pages(game: Game) -> tuple[str, ...]:
    """Return the games whose pages of rules explain a game, its own first."""
    return (game.name, *getattr(_game_module(view_type(game)), "RULE_PAGES", ()))


def codes(game: Game) -> tuple[str, ...]:
    """Return lines that say what the cards and dice in the moves of a game stand for; none without a renderer.

    Games list their own in CODES; all others have the cards of the cuckoo pack.
    """
    module = _game_module(view_type(game))
    own: tuple[str, ...] | None = getattr(module, "CODES", None)
    return own if own is not None else card_codes({}) if module else ()


OWN_ZONES = frozenset(("hand", "card"))
"""The labels of the zones in which a seat's own cards lie while it is asked."""


def refusals(game: Game, options: Any, view: Any, seat: int, legal: Sequence[str], scene: Scene) -> list[list[str]]:
    """Return why a seat cannot play some of its cards, or choose some of the moves of its game.

    Each entry has a kind ("card" or "move"), the face of the card or the words of the move, and the reason.

    view: the view of the seat.
    scene: the scene as that seat sees it.
    """
    module = _game_module(view_type(game))
    own = next((place for place in scene.places if place.seat == seat), None)
    if module is None or own is None:
        return []
    shown = [item.face for zone in own.zones if zone.label in OWN_ZONES for item in zone.items if item.kind == "card"]
    why_card = getattr(module, "why_not_card", lambda view, face: "")
    named = {card_of(game.phrases, move) for move in legal}
    cards = refused_cards(shown, named, lambda face: why_card(view, face))
    moves = refused_moves(getattr(module, "REFUSED_MOVES", ()), view, legal, options)
    return [*(["card", face, why] for face, why in cards), *(["move", words, why] for words, why in moves)]


def open_scores(game: Game) -> bool:
    """Return whether everybody knows all scores at any time: so it is in the games that have a renderer."""
    return _game_module(view_type(game)) is not None


@cache
def _game_module(message: str) -> Any:
    """Return the renderer of the games with a view message; None where there is none."""
    if message in RENDERERS:
        return import_module(RENDERERS[message])
    target = targets(GROUP).get(message)
    return load(target) if target else None


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
