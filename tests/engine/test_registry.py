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
    registry._game.cache_clear()
    registry._game_of_family.cache_clear()
    registry.family.cache_clear()


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


FAMILY = """
from referee.engine.errors import UnknownGame
from referee.engine.family import GameFamily
from tests.guessing import Guessing

class Tricks(GameFamily):
    name = "tricks"
    title = "games of tricks"

    def game(self, name):
        if name.replace(" ", "") == "crash":
            raise ValueError("no memory")
        if name == "nothing":
            return None
        if name.replace(" ", "") not in ("whist", "whist(cards=3)"):
            raise UnknownGame(f'there is no game "{name}" of tricks')
        return type("Whist", (Guessing,), {"name": "tricks:" + name.replace(" ", "")})()

    def games(self):
        return {"whist": "Whist"}

TRICKS = Tricks()
"""


@pytest.fixture
def tricks(install: Install) -> None:
    install("club", FAMILY, "tricks:* = club_tricks:TRICKS")


@pytest.mark.usefixtures("tricks")
def test_a_game_of_a_family_is_found_by_its_prefix_and_loaded_only_then() -> None:
    assert set(registry.names()) == ours()
    assert registry.family_names() == ["tricks"]
    assert "club_tricks" not in sys.modules
    assert registry.game("tricks:whist").name == "tricks:whist"
    assert registry.game("tricks:whist") is registry.game("tricks:whist")


@pytest.mark.usefixtures("tricks")
def test_other_spellings_of_a_game_of_a_family_are_that_game() -> None:
    assert registry.game("tricks:whist( cards = 3 )").name == "tricks:whist(cards=3)"
    assert registry.is_listed("tricks:whist")
    assert not registry.is_listed("tricks:whist(cards=3)")
    assert not registry.is_listed("nothing:whist")


@pytest.mark.usefixtures("tricks")
@pytest.mark.parametrize(
    ("name", "error", "sentence"),
    [
        ("tricks", UnknownGame, "tricks.*is a family of games; add the name of one .*arena games tricks"),
        ("trick:whist", UnknownGame, 'there is no family of games "trick"; did you mean "tricks"'),
        ("tricks:bridge", UnknownGame, 'there is no game "bridge" of tricks'),
        ("tricks:", UnknownGame, 'there is no game "" of tricks'),
        ("tricks:crash", BrokenGame, 'the family of games "tricks" is broken: its game "crash" raises ValueError'),
        ("tricks:nothing", BrokenGame, 'for "nothing" it returns None'),
    ],
)
def test_a_name_that_a_family_does_not_have(name: str, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        registry.game(name)


def test_what_is_registered_as_a_family_and_is_none(install: Install) -> None:
    install("club", "X = 1\n", "tricks:* = club_none:X")
    with pytest.raises(BrokenGame, match=r"of the type int, no GameFamily"):
        registry.game("tricks:whist")
    listed = CliRunner().invoke(main, ["games"])
    assert listed.exit_code == 0
    assert "of the type int, no GameFamily" in listed.stderr


@pytest.mark.usefixtures("tricks")
def test_families_are_listed_without_their_games() -> None:
    listed = CliRunner().invoke(main, ["games"]).stdout
    assert "tricks:*  games of tricks (list them: arena games tricks)" in listed
    assert "tricks:whist" not in listed
    for name in ("tricks", "tricks:", "tricks:*"):
        assert "tricks:whist  Whist" in CliRunner().invoke(main, ["games", name]).stdout
