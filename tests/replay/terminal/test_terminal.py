"""`arena replay ID` on a terminal of its own."""

import re
from pathlib import Path

import pytest

from arena.store import open_store
from referee.games.cambio import CAMBIO
from tests import played
from tests.play.typed_input import Session

pytestmark = pytest.mark.processes


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with open_store(tmp_path / "arena.db", create=True) as store:
        store.add_single(played.tournament(CAMBIO, matches=1), played.match(CAMBIO, notes=True))
    return tmp_path


def opened(folder: Path, *words: str, **environment: str) -> Session:
    return Session(folder, "replay", "1", *words, TERM="xterm-256color", COLUMNS="80", LINES="24", **environment)


COLOUR = re.compile(r"\x1b\[([0-9;]*;)?([34]8;|[349][0-7]m)")


@pytest.mark.promise
@pytest.mark.parametrize(("environment", "colours"), [({"COLORTERM": "truecolor"}, True), ({"NO_COLOR": "1"}, False)])
def test_the_viewer_opens_on_a_terminal_and_ends_at_q(folder: Path, environment: dict[str, str], colours: bool) -> None:
    session = opened(folder, "--at", "12", **environment)
    assert session.wait_for("thought 12 of seat")
    assert session.wait_for("move 12 of")
    session.type("q")
    assert session.end() == 0
    assert bool(COLOUR.search(session.heard)) is colours
    session.close()


def test_the_text_option_prints_the_log(folder: Path) -> None:
    session = opened(folder, "--text")
    assert session.wait_for("the whole log")
    assert session.end() == 0
    session.close()


def test_the_at_option_needs_the_viewer(folder: Path) -> None:
    session = opened(folder, "--text", "--at", "3")
    assert session.wait_for("--at needs the viewer")
    assert session.end() == 2
    session.close()
