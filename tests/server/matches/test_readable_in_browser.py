"""The texts of matches on pages: scripts make them as the server does, in every language."""

from typing import Any

import pytest

from arena.language.languages import LANGUAGE, LANGUAGES
from arena.language.message import arguments, id_of, parts
from arena.replay.log_lines import OfSeat
from arena.replay.readable import reader_of
from arena.replay.replay import Replay
from arena.store import Store
from referee.engine.game import Game
from tests.replay.replays import GAMES
from tests.replay.test_readable import texts
from tests.server.conftest import Open

pytestmark = pytest.mark.toolchain


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_scripts_read_a_match_as_the_server_does(visit: Open, address: str, store: Store, game: Game) -> None:
    match = store.match(49 + GAMES.index(game))
    told: dict[Any, str] = {}
    for text in texts(Replay(match)):
        if text and not any(isinstance(part, OfSeat) for part in arguments(text)) and "\n" not in text:
            told[id_of(text), arguments(text)] = text
    page = visit("about:blank")
    for language in LANGUAGES:
        LANGUAGE.set(language)
        read = reader_of(match).of
        page.goto(f"{address}/matches/{match.id}?lang={language}")
        page.wait_for_function("() => document.querySelectorAll('#table .place').length > 0")
        shown = page.evaluate("texts => texts.map((text) => Words.of(text))", list(map(parts, told.values())))
        assert shown == list(map(read, told.values())), language
    LANGUAGE.set("en")
