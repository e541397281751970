"""The pages to play by hand: the games, the seats and options of a match, and the match."""

import dataclasses
import json
from collections.abc import Iterable, Mapping, Sequence
from time import time
from typing import Any
from urllib.parse import urlsplit

from arena.language.languages import LANGUAGE
from arena.language.messages import gettext as _
from arena.language.page_words import script_name
from arena.replay.readable import codes_json
from arena.replay.renderer import table_scripts
from arena.replay.rules_drawer import rules_button, rules_drawer
from arena.server.files import art_address
from arena.server.play.hosted_matches import FRIEND, PERSON, PlaySession
from arena.server.play.tiles import tile
from arena.server.templates import TEMPLATES
from referee.engine.game import Game

MOST = 30
"""The largest number of seats that can be chosen."""

LOCAL = ("127.0.0.1", "::1", "localhost")
"""The hosts of addresses that lead nowhere on other machines."""


def games(all_games: Iterable[Game], matches: Sequence[PlaySession], own: Mapping[int, str]) -> str:
    """Return the open matches and the list of games.

    matches: the matches that are not over.
    own: the keys of the matches that were started in this browser, by number.
    """
    return TEMPLATES.page(
        "play/games.html",
        translated=True,
        matches=[
            (
                session.number,
                own.get(session.number),
                session.game.name,
                ", ".join(session.players),
                _waiting(session),
                max(0, round((time() - session.started) / 60)),
            )
            for session in matches
        ],
        games=list(map(tile, all_games)),
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
    return TEMPLATES.page(
        "play/table.html",
        translated=True,
        game=game.name,
        subtitle=game.title,
        seats=[defaults[seat] if seat < game.recommended else "" for seat in range(most)],
        holders=[
            ("", _("nobody")),
            (PERSON, _("a person here")),
            (FRIEND, _("a friend, by a link")),
            *((name, name) for name in bots),
        ],
        options=[_option(field) for field in dataclasses.fields(game.options)],
    )


def _option(field: "dataclasses.Field[Any]") -> tuple[Any, ...]:
    """Return an option of a game: its name, meaning, default, choices, least and largest number."""
    metadata, is_switch = field.metadata, isinstance(field.default, bool)
    default = str(field.default).lower() if is_switch else str(field.default)
    choices = {"false": _("off"), "true": _("on")} if is_switch else metadata["choices"]
    return field.name, metadata["help"], default, choices, metadata.get("low"), metadata.get("high")


def friend_link(key: str, session: PlaySession, own: str, site: str) -> str:
    """Return what whoever started a match sees at the link of a friend, whose seat is not theirs.

    key: of the friend's seat.
    own: the key of the visitor.
    site: where people reach the site.
    """
    return TEMPLATES.page(
        "play/friend_link.html",
        translated=True,
        game=session.game.name,
        seat=session.seats[0],
        link=f"{site}/sittings/{key}",
        own=f"/sittings/{own}",
        scripts=["words.js", *script_name(LANGUAGE.get()), "copy-link.js"],
    )


def match(key: str, session: PlaySession, site: str, *, organiser: bool) -> str:
    """Return the page of a match under way.

    site: where people reach the site.
    organiser: whether the visitor may start another one.
    """
    game = session.game
    return TEMPLATES.page(
        "play/match.html",
        translated=True,
        base=f"/sittings/{key}",
        game=game.name,
        art=art_address(game.name),
        codes=codes_json(game, game.teams(session.options, len(session.players))),
        again=f"/play/{game.name}" if organiser else None,
        players=json.dumps(list(session.players)),
        people=json.dumps(list(session.seats)),
        links=session.links,
        site=site,
        is_local=urlsplit(site).hostname in LOCAL,
        may_leave=not session.is_guest,
        talk_limit=session.talk_limit,
        text_move=game.text_move or None,
        moves=game.moves,
        rules_button=rules_button(),
        rules=rules_drawer(game, session.options),
        scripts=[
            "words.js",
            *script_name(LANGUAGE.get()),
            *table_scripts(game.name),
            "rules.js",
            "picker.js",
            "playback.js",
            *(["copy-link.js"] if session.links else []),
            "play.js",
        ],
    )
