"""Games of other packages: found by entry point; a broken one is told in a sentence, and the others are there."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main
from referee.engine import registry
from referee.engine.errors import BrokenGame, UnknownGame

SOUND = """
from referee.engine.game import Game
from tests.guessing import Guessing

class Whist(Guessing):
    name = "whist"

WHIST = Whist()
"""

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Install a package for the time of a test: its module `code`, registered as `entry`."""
    before = set(sys.modules)

    def install(package: str, code: str, entry: str) -> None:
        module = entry.partition("= ")[2].partition(":")[0]
        (tmp_path / f"{module}.py").write_text(code)
        metadata = tmp_path / f"{package}-1.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (metadata / "entry_points.txt").write_text(f"[arena.games]\n{entry}\n")
        forget()

    monkeypatch.syspath_prepend(str(tmp_path))
    yield install
    forget()
    for name in set(sys.modules) - before:
        del sys.modules[name]


def forget() -> None:
    """Have the registry look for packages anew."""
    registry._points.cache_clear()
    registry.game.cache_clear()


def ours() -> set[str]:
    return {"cambio", "coch", "cucco", "cucu", "hypp", "kille", "lustu", "perudo", "scopa", "torionfo", "zifuli"}


def test_a_game_of_another_package_is_found(install: Install) -> None:
    install("club", SOUND, "whist = club_whist:WHIST")
    assert registry.game("whist").name == "whist"
    assert set(registry.names()) == ours() | {"whist"}
    games, broken = registry.installed()
    assert {game.name for game in games} == ours() | {"whist"}
    assert not broken


BROKEN = [
    ("import nowhere_to_be_found", "loading it raises ModuleNotFoundError: No module named 'nowhere_to_be_found'"),
    ("1 / 0", "loading it raises ZeroDivisionError: division by zero"),
    ("raise SystemExit(3)", "loading it raises SystemExit: 3"),
    ("def f(:", "loading it raises SyntaxError: "),
    ("OTHER = 1", "loading it raises AttributeError: module 'club_whist' has no attribute 'WHIST'"),
    ("WHIST = 7", "it is of the type int, no Game of referee.engine.game"),
    (SOUND.replace("Whist()", "Whist"), "it is the class Whist; register an instance of it"),
    (
        SOUND.replace('"whist"', '"bridge"'),
        "`Whist.name` is 'bridge'; it must be \"whist\", the name of the entry point",
    ),
    (SOUND.replace("name =", "seats = 2\n    name ="), "`Whist.seats` is 2; it must be the fewest and the most seats"),
    (SOUND.replace("name =", "title = None\n    name ="), "`Whist.title` is None; it must be a line of text"),
    (SOUND.replace("name =", "options = dict\n    name ="), "it must be a dataclass of options"),
    (SOUND.replace("name =", "start = Game.start\n    name ="), "`Whist.start` is missing"),
]


@pytest.mark.parametrize(("code", "sentence"), BROKEN)
def test_a_broken_package_is_told_and_takes_no_other_game_down(install: Install, code: str, sentence: str) -> None:
    install("club", code, "whist = club_whist:WHIST")
    with pytest.raises(BrokenGame) as told:
        registry.game("whist")
    assert str(told.value).startswith('the game "whist" of the package club is broken (entry point club_whist:WHIST): ')
    assert sentence in str(told.value)
    assert registry.game("perudo").name == "perudo"
    games, broken = registry.installed()
    assert {game.name for game in games} == ours()
    assert broken == [str(told.value)]
    assert registry.in_units("whist", 3) == 3


def test_the_list_of_games_warns_and_goes_on(install: Install) -> None:
    install("club", "1 / 0", "whist = club_whist:WHIST")
    listed = CliRunner().invoke(main, ["games"])
    assert listed.exit_code == 0
    assert {line.split()[0] for line in listed.stdout.splitlines()[2:]} == ours()
    assert listed.stderr.startswith('warning: the game "whist" of the package club is broken')
    for command in (["games", "whist"], ["match", "--game", "whist", "random", "random"]):
        asked = CliRunner().invoke(main, command)
        assert asked.exit_code == 2
        assert 'Error: the game "whist" of the package club is broken' in asked.stderr


def test_two_packages_register_one_name(install: Install) -> None:
    install("club", SOUND, "whist = club_whist:WHIST")
    install("academy", SOUND, "whist = academy_whist:WHIST")
    with pytest.raises(BrokenGame, match='the game "whist" is registered by the packages academy and club: uninstall'):
        registry.game("whist")
    games, broken = registry.installed()
    assert {game.name for game in games} == ours()
    assert len(broken) == 1


def test_the_name_of_one_of_our_games_stays_ours(install: Install) -> None:
    install("club", SOUND.replace("whist", "perudo"), "perudo = club_perudo:WHIST")
    assert type(registry.game("perudo")).__module__ == "referee.games.perudo"
    games, broken = registry.installed()
    assert [game.name for game in games].count("perudo") == 1
    assert broken == [
        'the game "perudo" of the package club is broken (entry point club_perudo:WHIST): '
        "the name is taken by a game of arena itself"
    ]


def test_a_view_message_that_cannot_be_loaded(install: Install) -> None:
    code = SOUND.replace("name =", 'message = "nowhere_pb2:View"\n    name =')
    install("club", code, "whist = club_whist:WHIST")
    shown = CliRunner().invoke(main, ["games", "whist", "--view"])
    assert shown.exit_code == 2
    assert '`Whist.message` is "nowhere_pb2:View", and loading that raises ModuleNotFoundError' in shown.stderr
    code = SOUND.replace("name =", 'message = "tests.guessing:LINES"\n    name =').replace("whist", "bridge")
    install("society", code, "bridge = society_bridge:WHIST")
    shown = CliRunner().invoke(main, ["games", "bridge", "--view"])
    assert "has no attribute 'DESCRIPTOR'" in shown.stderr


def test_a_game_that_is_not_installed() -> None:
    with pytest.raises(UnknownGame, match='there is no game "perudi"; did you mean "perudo"\\?'):
        registry.game("perudi")
