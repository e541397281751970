"""The pages to play by hand: the games, the seats and options of a match, and the match."""

import dataclasses
import json
from collections.abc import Iterable, Mapping, Sequence
from time import time
from typing import Any

from arena.language.languages import ENGLISH, LANGUAGE
from arena.language.messages import gettext as _
from arena.language.page_words import script_name
from arena.replay.html import Element, tag
from arena.replay.rules_drawer import rules_button, rules_drawer
from arena.server.files import art_address
from arena.server.pages.layout import content, page, sheet
from arena.server.pages.layout import table as html_table
from arena.server.play.hosted_matches import FRIEND, PERSON, PlaySession
from arena.values.tables import player_counts
from referee.engine.game import Game

MOST = 30
"""The largest number of seats that can be chosen."""


def games(all_games: Iterable[Game], matches: Sequence[PlaySession], own: Mapping[int, str]) -> str:
    """Return the open matches and the list of games.

    matches: the matches that are not over.
    own: the keys of the matches that were started in this browser, by number.
    """
    rows = [
        (
            tag("a", {"href": f"/play/{game.name}"}, game.name),
            _(game.title),
            tag("a", {"href": f"/rules/{game.name}"}, _("rules of {0}", game.name)),
            player_counts(game),
        )
        for game in all_games
    ]
    body = sheet(html_table((_("game"), _("title"), _("rules"), _("players")), rows))
    return page(
        _("Play"),
        content(_("Play by hand"), _open_matches(matches, own), body),
        here="/play",
        language=LANGUAGE.get(),
        styles=("site.css", "play.css"),
    )


def _open_matches(matches: Sequence[PlaySession], own: Mapping[int, str]) -> Element | None:
    if not matches:
        return None
    rows = [
        (
            tag("a", {"href": f"/sittings/{own[session.number]}"}, session.game.name)
            if session.number in own
            else session.game.name,
            ", ".join(session.players),
            tag("span", {"class": "soft"}, _waiting(session)),
            _("{0} min", max(0, round((time() - session.started) / 60))),
            tag(
                "form", {"method": "post", "action": f"/play/matches/{session.number}/end"}, tag("button", {}, _("end"))
            ),
        )
        for session in matches
    ]
    return sheet(
        tag("h2", {}, _("Open matches")), html_table((_("game"), _("players"), _("now"), _("since"), _("end")), rows)
    )


def _waiting(session: PlaySession) -> str:
    return ", ".join(_("waits for seat {0}", seat) for seat in session.match.waiting) or _("the bots play")


def table(game: Game, bots: Sequence[str]) -> str:
    """Return the form with the seats and options of a match.

    bots: the available opponents.
    """
    most = min(game.most_seats(game.options()), MOST)
    opponents = [name for name in bots if name != "random"] or list(bots)
    defaults = [PERSON, *(opponents[n % len(opponents)] for n in range(most - 1))]
    seats = [
        tag(
            "label",
            {},
            _("seat {0}", seat),
            " ",
            tag("select", {"name": f"seat-{seat}"}, _who(bots, defaults[seat] if seat < game.recommended else "")),
        )
        for seat in range(most)
    ]
    fields = [_option(field) for field in dataclasses.fields(game.options)]
    form = tag(
        "form",
        {"method": "post", "action": f"/play/{game.name}", "class": "table-form"},
        tag(
            "p",
            {},
            _(
                "Seats are filled from seat 0. Several people can take turns at this browser; "
                "friends play in their own."
            ),
        ),
        tag("div", {"class": "seats"}, seats),
        tag("details", {}, tag("summary", {}, _("Options")), tag("div", {"class": "options"}, fields))
        if fields
        else None,
        tag("p", {}, tag("button", {"class": "main"}, _("start match"))),
    )
    return page(
        _("Play {0}", game.name),
        content(_("Play {0}", game.name), tag("p", {}, _(game.title)), sheet(form)),
        here="/play",
        language=LANGUAGE.get(),
        styles=("site.css", "play.css"),
    )  # fmt: skip


def _who(bots: Sequence[str], chosen: str) -> list[Element]:
    choices = (
        ("", _("nobody")),
        (PERSON, _("a person here")),
        (FRIEND, _("a friend, by a link")),
        *((name, name) for name in bots),
    )
    return [tag("option", {"value": value, "selected": value == chosen}, label) for value, label in choices]


def _option(field: "dataclasses.Field[Any]") -> Element:
    """Return a field for an option of a game."""
    name, metadata, meaning = f"option-{field.name}", field.metadata, field.metadata["help"]
    default = str(field.default).lower() if isinstance(field.default, bool) else str(field.default)
    choices = {"false": _("off"), "true": _("on")} if isinstance(field.default, bool) else metadata["choices"]
    if choices:
        option_elements = [
            tag("option", {"value": value, "selected": value == default}, _(word)) for value, word in choices.items()
        ]
        control = tag("select", {"name": name}, option_elements)
    else:
        limits = {"min": metadata["low"], "max": metadata["high"]}
        control = tag("input", {"name": name, "type": "number", "value": default, **limits})
    return tag("label", {}, tag("b", {}, field.name), control, tag("span", {"class": "soft"}, _(meaning)))


def match(key: str, session: PlaySession, *, organiser: bool) -> str:
    """Return the page of a match under way.

    organiser: whether the visitor may start another one.
    """
    game = session.game
    data = {
        "data-base": f"/sittings/{key}",
        "data-game": game.name,
        "data-art": art_address(game.name),
        "data-again": f"/play/{game.name}" if organiser else None,
        "data-players": json.dumps(list(session.players)),
        "data-people": json.dumps(list(session.seats)),
    }
    return page(
        _("Play {0}", game.name),
        tag(
            "main",
            {"id": "hosted-match", **data},
            _head(key, session),
            tag("p", {"id": "trouble", "class": "fault", "role": "alert", "hidden": True}),
            tag("div", {"class": "replay", "id": "content"}, _stage(session.has_talk), _side(session)),
        ),
        here="/play",
        kind="hosted-match",
        language=LANGUAGE.get(),
        styles=("player.css", "items.css", "rules.css", "play.css"),
        scripts=(
            "words.js",
            *script_name(LANGUAGE.get()),
            "dom.js",
            "faces.js",
            "seats.js",
            "table.js",
            "motion.js",
            "rules.js",
            "picker.js",
            "play.js",
        ),
    )


def _head(key: str, session: PlaySession) -> Element:
    leave = tag(
        "form",
        {"method": "post", "action": f"/sittings/{key}/leave"},
        tag("button", {"id": "leave"}, _("leave match")),
    )
    friends = [
        tag("li", {}, _("seat {0}", seat), ": ", tag("a", {"href": f"/sittings/{link}"}, f"/sittings/{link}"))
        for seat, link in session.links.items()
    ]
    return tag(
        "div",
        {"class": "head"},
        tag("h1", {}, _("Play {0}", session.game.name)),
        tag("span", {"id": "whose", "class": "soft"}),
        rules_button(),
        None if session.is_guest else leave,
        tag("details", {"class": "friends", "open": True}, tag("summary", {}, _("Links for your friends, one each")),
            tag("ul", {}, friends)) if friends else None,
    )  # fmt: skip


def _stage(has_talk: bool) -> Element:
    return tag(
        "section",
        {"class": "stage", "aria-label": _("the table and your move")},
        tag("div", {"class": "table", "id": "table", "role": "group", "aria-label": _("the table")}),
        tag(
            "div",
            {"class": "sheet question", "role": "group", "aria-label": _("your move")},
            tag("h2", {"id": "prompt", "aria-live": "polite"}, _("Starting the match …")),
            tag("div", {"id": "result"}),
            tag("div", {"id": "moves", "class": "choices"}),
            tag("p", {"id": "why", "role": "status"}),
            tag("label", {"id": "talk"}, _("say"), " ", tag("input", {"id": "say", "maxlength": 80}))
            if has_talk
            else None,
        ),
    )


def _side(session: PlaySession) -> Element:
    return tag(
        "div",
        {"class": "side"},
        tag(
            "section",
            {"class": "sheet log", "aria-label": _("log")},
            tag("h2", {}, _("Log")),
            tag("ol", {"id": "log", "tabindex": 0, "aria-label": _("log of the match")}),
        ),
        tag(
            "details",
            {"class": "sheet moves-of-game"},
            tag("summary", {}, _("Moves of the game")),
            tag(
                "pre",
                {
                    "lang": ENGLISH if LANGUAGE.get() != ENGLISH else None,
                    "tabindex": 0,
                    "role": "group",
                    "aria-label": _("Moves of the game"),
                },
                session.game.moves,
            ),
        ),
        rules_drawer(session.game, session.options),
    )
