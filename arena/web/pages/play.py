"""The pages to play by hand: the games, the seats and options of a match, and the match."""

import dataclasses
import json
from collections.abc import Iterable, Sequence
from typing import Any

from arena.tables import player_counts
from arena.viewer.html import Element, tag
from arena.web.pages.layout import content, page, sheet
from arena.web.pages.layout import table as html_table
from referee.engine.game import Game

PERSON = "person"
"""As in `arena.web.hosted_matches`: a seat that is played by hand."""

MOST = 30
"""The largest number of seats that can be chosen."""


def games(all_games: Iterable[Game]) -> str:
    """Return the list of games."""
    rows = [
        (tag("a", {"href": f"/play/{game.name}"}, game.name), game.title, player_counts(game)) for game in all_games
    ]
    body = sheet(html_table(("game", "title", "players"), rows))
    return page("Play", content("Play by hand", body), here="/play", styles=("site.css",))


def table(game: Game, bots: Sequence[str]) -> str:
    """Return the form with the seats and options of a match. bots: the available opponents."""
    most = min(game.most_seats(game.options()), MOST)
    opponents = [name for name in bots if name != "random"] or list(bots)
    defaults = [PERSON, *(opponents[n % len(opponents)] for n in range(most - 1))]
    seats = [
        tag(
            "label",
            {},
            f"seat {seat} ",
            tag("select", {"name": f"seat-{seat}"}, _who(bots, defaults[seat] if seat < game.recommended else "")),
        )
        for seat in range(most)
    ]
    fields = [_option(field) for field in dataclasses.fields(game.options)]
    form = tag(
        "form",
        {"method": "post", "action": f"/play/{game.name}", "class": "table-form"},
        tag("p", {}, "Seats are filled from seat 0. Several people can take turns at this machine."),
        tag("div", {"class": "seats"}, seats),
        tag("details", {}, tag("summary", {}, "Options"), tag("div", {"class": "options"}, fields)) if fields else None,
        tag("p", {}, tag("button", {"class": "main"}, "start match")),
    )
    return page(
        f"Play {game.name}", content(f"Play {game.name}", tag("p", {}, game.title), sheet(form)), here="/play",
        styles=("site.css", "play.css"),
    )  # fmt: skip


def _who(bots: Sequence[str], chosen: str) -> list[Element]:
    choices = (("", "nobody"), (PERSON, "a person"), *((name, name) for name in bots))
    return [tag("option", {"value": value, "selected": value == chosen}, label) for value, label in choices]


def _option(field: "dataclasses.Field[Any]") -> Element:
    """Return a field for an option of a game."""
    name, metadata = f"option-{field.name}", field.metadata
    default = str(field.default).lower() if isinstance(field.default, bool) else str(field.default)
    choices = {"false": "off", "true": "on"} if isinstance(field.default, bool) else metadata["choices"]
    if choices:
        option_elements = [
            tag("option", {"value": value, "selected": value == default}, word) for value, word in choices.items()
        ]
        control = tag("select", {"name": name}, option_elements)
    else:
        limits = {"min": metadata["low"], "max": metadata["high"]}
        control = tag("input", {"name": name, "type": "number", "value": default, **limits})
    return tag("label", {}, tag("b", {}, field.name), control, tag("span", {"class": "soft"}, metadata["help"]))


def match(key: str, game: Game, players: Sequence[str], people: Sequence[int], has_talk: bool) -> str:
    """Return the page of a match under way. people: the seats played by hand. has_talk: whether there is table talk."""
    data = {
        "data-base": f"/sittings/{key}",
        "data-again": f"/play/{game.name}",
        "data-players": json.dumps(list(players)),
        "data-people": json.dumps(list(people)),
    }
    return page(
        f"Play {game.name}",
        tag(
            "main",
            {"id": "hosted-match", **data},
            _head(key, game),
            tag("p", {"id": "trouble", "class": "fault", "role": "alert", "hidden": True}),
            tag("div", {"class": "replay"}, _stage(has_talk), _side(game)),
        ),
        here="/play",
        styles=("player.css", "play.css"),
        scripts=("dom.js", "icons.js", "table.js", "play.js"),
    )


def _head(key: str, game: Game) -> Element:
    leave = tag("button", {"id": "leave"}, "leave match")
    return tag(
        "div",
        {"class": "head"},
        tag("h1", {}, f"Play {game.name}"),
        tag("span", {"id": "whose", "class": "soft"}),
        tag("form", {"method": "post", "action": f"/sittings/{key}/leave"}, leave),
    )


def _stage(has_talk: bool) -> Element:
    return tag(
        "section",
        {"class": "stage", "aria-label": "the table and your move"},
        tag("div", {"class": "table", "id": "table", "role": "group", "aria-label": "the table"}),
        tag(
            "div",
            {"class": "sheet question", "role": "group", "aria-label": "your move"},
            tag("h2", {"id": "prompt", "aria-live": "polite"}, "Starting the match …"),
            tag("div", {"id": "moves", "class": "choices"}),
            tag("label", {"id": "talk"}, "say ", tag("input", {"id": "say", "maxlength": 80})) if has_talk else None,
        ),
    )


def _side(game: Game) -> Element:
    return tag(
        "div",
        {"class": "side"},
        tag(
            "section",
            {"class": "sheet log", "aria-label": "log"},
            tag("h2", {}, "Log"),
            tag("ol", {"id": "log", "tabindex": 0, "aria-label": "log of the match"}),
        ),
        tag("details", {"class": "sheet"}, tag("summary", {}, "Moves of the game"), tag("pre", {}, game.moves)),
    )
