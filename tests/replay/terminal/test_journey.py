"""An author finds out in the terminal why their bot lost a match."""

import json
import re
import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner
from textual.pilot import Pilot

from arena.cli import main
from arena.cli.replay import command as replay
from arena.replay.readable import in_words
from arena.replay.replay import Replay
from arena.replay.terminal.app import Viewer
from arena.store import open_store
from tests.in_process import in_process
from tests.owl import OWL
from tests.replay.terminal.pilot import SMALL, press, shown, viewed


def arena(words: Sequence[str], typed: str = "") -> str:
    """Run a command and return its output."""
    result = CliRunner().invoke(main, words, input=typed)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.processes
@pytest.mark.parametrize("game", ["cambio", "perudo", "scopa", "lustu"])
def test_an_author_finds_out_why_a_match_was_lost(tmp_path: Path, game: str) -> None:
    bot, database = tmp_path / "owl.py", str(tmp_path / "a b.db")
    bot.write_text(OWL)
    with in_process():
        arena(["match", "--game", game, str(bot), "random", "--seed", "1", "--db", database])
    (worst,) = json.loads(arena(["matches", "--bot", "owl", "--worst", "1", "--json", "--db", database]))["matches"]
    with open_store(database) as store:
        film = Replay(store.match(worst["id"]))
    commands: list[str] = []
    screens: list[str] = []

    async def found_out(viewer: Viewer, pilot: Pilot[None]) -> None:
        await press(pilot, "end")
        assert "The match is over" in shown(viewer)
        await press(pilot, "M", "0")
        screen = shown(viewer)
        assert "showing: what seat 0 knew" in screen
        screens.append(screen)
        (answer,) = viewer.cursor.frame.answers
        chosen = in_words(film.match, answer.move)
        for words in (f"▸{chosen}◂", f"printed: looks at {answer.move}", f"note: thinks of {answer.move}"):
            assert words in screen
        await press(pilot, "p")
        assert f"looks at {answer.move}" in shown(viewer)
        await press(pilot, "escape")
        for key in ("l", "c"):
            await press(pilot, key)
            assert re.sub(r"\s", "", viewer.clipboard) in re.sub(r"[\s│]", "", shown(viewer))
            commands.append(viewer.clipboard)
            await press(pilot, "escape")

    viewed(film, found_out, size=SMALL, options=f" --db {shlex.quote(database)}")
    link, go_on = map(shlex.split, commands)

    async def seen(viewer: Viewer, pilot: Pilot[None]) -> None:
        friend = shown(viewer).splitlines()[:-1]
        assert friend == screens[0].splitlines()[:-1]

    options = replay.make_context("replay", link[2:]).params
    with open_store(options["db"]) as store:
        viewed(Replay(store.match(options["id"])), seen, size=SMALL, number=options["at"], seat=options["seat"])
    played = arena(go_on[1:], "1\n" * 5000)
    assert "arena replay 2 --text" in played
    assert "match 2: true" in arena(["verify", "2", "--db", database])
