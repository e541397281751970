"""Event files: read, written, and what is wrong with them."""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from arena.packs.roster import Roster
from arena.plan.definition_builder import define
from arena.plan.eventfile.errors import EventError
from arena.plan.eventfile.event_reader import EventFile, read_event
from arena.plan.eventfile.event_writer import event_text
from arena.plan.field import find_bots, samples
from arena.values.definition import BLOCK, Entrant, Settings, TimeControl
from arena.values.errors import ArenaError
from arena.values.stop_rule import LOOK, StopRule
from referee.engine.errors import EngineError
from referee.engine.registry import game

pytestmark = pytest.mark.usefixtures("in_process")

DOCS = Path(__file__).parents[2] / "docs" / "events.md"

G = 'game = "cambio"\n'

TWO = '[[bot]]\nbot = "random"\n[[bot]]\nbot = "cautious"\n'

Read = Callable[[str], EventFile]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Read the text of an event file."""

    def reading(text: str) -> EventFile:
        path = tmp_path / "event.toml"
        path.write_text(text)
        return read_event(path, Roster())

    return reading


def test_two_bots_and_a_game_are_enough(read: Read) -> None:
    event = read(f'game = "cambio"\n{TWO}')
    rules = game("cambio")
    usual = define(rules, rules.options(), find_bots(["random", "cautious"], samples("cambio")))
    assert event == EventFile(usual)


def test_the_example_of_the_page_holds_the_usual_values(read: Read) -> None:
    example, stop, _ = re.findall(r"```toml\n(.*?)```", DOCS.read_text(), re.DOTALL)
    event = read(example.replace("seats = 4 ", "seats = 2 "))
    plain = read(f'game = "cambio"\n[options]\nchips = "3"\n{TWO.rstrip()}\nname = "careful"')
    assert event.definition == plain.definition
    assert event.jobs == 2
    with_stop = read(f'game = "cambio"\n{stop}{TWO}')
    assert (with_stop.seed, with_stop.definition.stop) == (7, StopRule("sprt", 0, 10, look=LOOK))


KINDS = {
    "gauntlet": '[schedule]\nkind = "gauntlet"\nseats = 2\nchallengers = 1',
    "swiss": '[schedule]\nkind = "swiss"\nstages = 3\nseats = 2\nrotations = "none"\nblock = 7',
    "ties": '[schedule]\nkind = "swiss"\nstages = 3\nseats = 2\ntie_break = ["direct", "lot"]\nsame_author = "apart"',
    "stop": '[stop]\nkind = "separated"\n[time]\nmove = "50ms"\nbank = "1.5s"\nmemory_mb = 64\nstrikes = 1',
    "sprt": '[stop]\nkind = "sprt"\nelo0 = -2.5\nelo1 = 10',
    "options": "[options]\nchips = 2\n[schedule]\nmatches_at_once = 8\nnames = true",
    "ready": '[time]\nready = "90s"',
    "never": "[time]\nready = 0",
    "start": '[time]\nstart = "90s"\n[[bot]]\nbot = "counter"\nstart = "2min"',
    "clock": '[time]\nmode = "clock"\nponder = true\nlag = "50ms"\nslot = "20ms"',
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_written_is_read_as_the_same_definition(read: Read, kind: str) -> None:
    definition = read(f'game = "cambio"\n{KINDS[kind]}\n{TWO}').definition
    again = read(event_text(definition, "5"))
    assert again.definition == definition
    assert again.seed == 5


def test_all_kinds_of_bots_are_written_and_read(
    read: Read, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: Callable[..., Path]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("pass\n")
    program("tool", b"#!/bin/sh\n")
    folder = tmp_path / "project"
    folder.mkdir()
    limits = "[limits]\nmemory_mb = 32\nmatches_at_once = 2\n"
    (folder / "bot.toml").write_text(
        f'language = "python"\ncommand = ["python", "x.py"]\ngames = ["cambio"]\nauthor = "me"\n{limits}'
    )
    (folder / "x.py").write_text("pass\n")
    rules = game("cambio")
    names = [
        "random",
        "random",
        "./mine.py",
        "./tool",
        "./project",
        f'{sys.executable} mine.py --name "a b"',
        "sh tool",
    ]
    field = find_bots(names, samples("cambio"), game="cambio")
    definition = define(rules, rules.options(), field, Settings(rounds=2))
    text = event_text(definition)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert read(text).definition == definition
    assert text.count('bot = "random"') == 2


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (
            {"in_process": True},
            "mine is a function or class .* play such a tournament again with `tournament` of arena",
        ),
        ({"remote": "ann/owl"}, "mine is a remote bot, .* `arena tourney --bots remote:ann/owl`"),
    ],
)
def test_a_bot_that_no_file_can_name_is_not_written(read: Read, kind: dict[str, Any], sentence: str) -> None:
    definition = read(G + TWO).definition
    bot = Entrant("mine", (), "", (), "00" * 32, **kind)
    with pytest.raises(EventError, match=sentence):
        event_text(replace(definition, field=(bot, definition.field[1])))


def test_relative_paths_count_from_the_folder_of_the_file(read: Read, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("pass\n")
    first, second = read('game = "cambio"\n[[bot]]\nbot = "mine.py"\n[[bot]]\nbot = "./mine.py"').definition.field
    assert first.files == second.files == (str(tmp_path / "mine.py"),)
    assert (first.name, second.name) == ("mine", "mine#2")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("game = ", "event.toml is not valid TOML: Invalid value"),
        (TWO, r"event.toml: game is missing: it must be a text in quotes"),
        ('game = ["x"]', r'event.toml, line 1: game must be a text in quotes, not \["x"\]'),
        ('game = "cambioo"\n' + TWO, 'there is no game "cambioo"'),
        (G + 'round = 5\n' + TWO, r'event.toml, line 2: unknown key "round" \(known: game, entropy, options, schedule'),
        (G + 'schedule = "swiss"\n' + TWO, r"schedule must be a table: a line \[schedule\] with its keys"),
        (G + '[schedule]\nround = 5\n' + TWO, 'line 3: unknown key "schedule.round"; did you mean "rounds"'),
        (G + '[schedule]\nkind = "cup"\n' + TWO, 'line 3: schedule.kind must be one of round-robin, .*, not "cup"'),
        (G + '[schedule]\nrounds = 0\n' + TWO, "schedule.rounds must be 1 or more, not 0"),
        (G + '[schedule]\nrounds = "9"\n' + TWO, 'schedule.rounds must be a whole number, 1 or more, not "9"'),
        (G + '[schedule]\nstages = -1\n' + TWO, "schedule.stages must be 0 or more, not -1"),
        (G + '[schedule]\nchallengers = -1\n' + TWO, "schedule.challengers must be 0 or more, not -1"),
        (G + '[schedule]\nblock = 2147483648\n' + TWO, "schedule.block must be at most 2147483647, not 2147483648"),
        (G + '[schedule]\nstages = 2\n' + TWO, "only a swiss takes --stages"),
        (G + '[options]\nchip = 2\n' + TWO, 'no option "chip"; did you mean "chips"'),
        (G + '[options]\nchips = [2]\n' + TWO, r"options.chips must be a text in quotes, a whole number, true or"),
        (G + '[time]\nmove = "1 hour"\n' + TWO, 'time.move must be a duration, like "50ms", .* seconds, not "1 hour"'),
        (G + '[time]\nstart = 0\n' + TWO, "time.start must be at least 1ms, not 0"),
        (G + TWO + 'start = "0s"\n', 'start must be at least 1ms, not "0s"'),
        (G + '[time]\nmove = -1\n' + TWO, "time.move must be a duration, .* or a number of seconds, not -1"),
        (G + '[time]\nmove = true\n' + TWO, "time.move must be a duration, .*, not true"),
        (G + '[stop]\nelo0 = 1\n' + TWO, "line 3: stop.elo0 needs a stop.kind, one of sprt, separated"),
        (G + '[stop]\nkind = "sprt"\nelo0 = 1\n' + TWO, "line 2: stop.elo1 is missing: it must be a number"),
        (G + '[stop]\nkind = "sprt"\nelo0 = 1\nelo1 = "x"\n' + TWO, 'line 5: stop.elo1 must be a number, not "x"'),
        (G + '[stop]\nkind = "sprt"\nelo0 = 9\nelo1 = 1\n' + TWO, "stop.kind sprt cannot be used: "),
        (G + '[stop]\nkind = "separated"\nelo1 = 1\n' + TWO, r'unknown key "stop.elo1" \(known: kind, control\)'),
        (G + '[seed]\nnumber = -1\n' + TWO, "seed.number must be 0 or more, not -1"),
        (G + '[executor]\njob = 1\n' + TWO, 'unknown key "executor.job"; did you mean "jobs"'),
        ('game = "cambio"', r"bot is missing: name two bots or more, each below a line \[\[bot\]\]"),
        (G + 'bot = "random"', r"bot must be a list of tables, each below a line \[\[bot\]\]"),
        (G + '[[bot]]\nbot = "random"', "a tournament needs at least 2 bots, not 1"),
        (G + '[[bot]]\nname = "x"', r"line 2: bot\[1\].bot is missing: it must be a text in quotes"),
        (G + '[[bot]]\nbot = "randon"', "there is no bot randon; did you mean"),
        (G + TWO + 'sha256 = "ab"', r'line 6: bot\[2\].sha256 must be \w+, .* of cautious, not "ab"'),
        (G + TWO.replace('m"', 'm"\nname = "x"') + 'name = "x"', r'line 7: bot\[2\].name is "x", the name of another'),
        (G + TWO + 'folder = "x"', r"line 6: bot\[2\].folder needs command"),
        (G + TWO + 'command = ["x"]', r"line 5: bot\[2\].bot cannot be combined with command"),
        (G + '[[bot]]\nname = "x"\ncommand = []', r"bot\[1\].command is empty: its first text is the program"),
        (G + '[[bot]]\nname = "x"\ncommand = "x"', r'bot\[1\].command must be a list of texts, like .*, not "x"'),
        (G + '[[bot]]\nname = "x"\ncommand = ["x"]', "the program x of x does not exist"),
        (G + '[[bot]]\nname = "x"\ncommand = ["/bin/sh"]\nfiles = ["y"]', "y, a file of x, does not exist"),
        (G + '[[bot]]\nname = "x\\n"\ncommand = ["/bin/sh"]', "name must be a text of up to 64 printable char"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_the_key_and_what_it_may_be(read: Read, text: str, sentence: str) -> None:
    with pytest.raises((ArenaError, EngineError), match=sentence):
        read(text)


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match="nothing.toml cannot be read: No such file"):
        read_event(tmp_path / "nothing.toml", Roster())
    (tmp_path / "latin.toml").write_bytes(b'game = "\xe9"')
    with pytest.raises(ArenaError, match=r"latin.toml is not UTF-8 text \(byte 8, in line 1\)"):
        read_event(tmp_path / "latin.toml", Roster())


def test_the_page_tells_the_usual_values() -> None:
    usual = TimeControl()
    page = DOCS.read_text()
    assert f"block = {BLOCK} " in page
    assert f"strikes = {usual.strikes} " in page
    assert Settings().rotations == "cycle"


@pytest.mark.parametrize(
    ("written", "milliseconds"), [('"5"', 5000), ("5", 5000), ("0.25", 250), ('"50ms"', 50), ("0", 0)]
)
def test_a_number_is_a_duration_in_seconds(read: Read, written: str, milliseconds: int) -> None:
    file = read(G + f"[time]\nmove = {written}\n" + TWO)
    assert file.definition.time.move_time_ms == milliseconds
