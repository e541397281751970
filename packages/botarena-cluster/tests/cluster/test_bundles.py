import os
import sys
from pathlib import Path

import pytest
from arena_cluster.bundles import Parcel, Word, ship
from msgspec.structs import replace

from arena.packs.pack import Pack, pack_file
from arena.plan.field import find_bots
from arena.values.definition import Entrant
from arena.values.tournament_errors import FieldError

MAIN = "import lib.rules\n"


def never(sha256: str) -> bytes:
    raise AssertionError("nothing was submitted")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The other machine: what is unpacked lies here."""
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "bots"


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder."""
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def arrive(bot: Entrant) -> tuple[Parcel, Path, list[str]]:
    """Send a bot and unpack it."""
    parcel, archive = ship(bot, never)
    folder, command = parcel.unpack(lambda: archive)
    again, _ = parcel.unpack(lambda: b"unpacked once")
    assert again == folder
    return parcel, Path(folder), command


def test_a_python_file_goes_by_itself(work: Path, cache: Path) -> None:
    (work / "mine.py").write_text(MAIN)
    (work / "secret.txt").write_text("not the bot's")
    [bot] = find_bots([str(work / "mine.py")], {})
    parcel, folder, command = arrive(bot)
    assert folder == cache / pack_file(work / "mine.py").sha256
    assert os.listdir(folder) == ["mine.py"]
    assert command == [sys.executable, str(folder / "mine.py")]
    assert parcel.command == (Word(), Word(inside="mine.py"))


def test_a_project_goes_with_all_its_files_but_what_it_leaves_out(work: Path) -> None:
    (work / "lib").mkdir()
    (work / "lib" / "rules.py").write_text("")
    (work / "main.py").write_text(MAIN)
    (work / "notes").write_text("private")
    (work / "bot.toml").write_text('language = "python"\ncommand = ["python3", "main.py"]\nignore = ["notes"]\n')
    [bot] = find_bots([str(work)], {})
    _, folder, command = arrive(bot)
    assert sorted(os.listdir(folder)) == ["bot.toml", "lib", "main.py"]
    assert command == [sys.executable, "main.py"]


def test_a_program_keeps_its_right_to_run(work: Path) -> None:
    program = work / "bot"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    [bot] = find_bots(["./bot"], {})
    _, folder, command = arrive(bot)
    assert command == [str(folder / "bot")]
    assert os.access(folder / "bot", os.X_OK)


def test_files_of_a_command_line_are_found_wherever_they_were(work: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    for path in (work / "a.sh", work / ".venv" / "b.sh", tmp_path / "other" / "a.sh"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(str(path))
    [bot] = find_bots([f"sh a.sh {work}/a.sh .venv/b.sh ../other/a.sh --x=a.sh"], {})
    _, folder, [program, *words] = arrive(bot)
    assert program == bot.command[0]
    assert words[0] == "a.sh"
    assert words[1] == str(folder / "a.sh")
    assert (Path(words[2]).name, Path(words[3]).name, words[4]) == ("b.sh", "a.sh", "--x=a.sh")
    assert Path(words[2]).read_text() == f"{work}/.venv/b.sh"
    assert Path(words[3]).read_text() == str(tmp_path / "other" / "a.sh")


def test_the_python_that_runs_arena_is_that_of_the_other_machine(work: Path) -> None:
    (work / "mine.py").write_text(MAIN)
    [bot] = find_bots([f"{sys.executable} -u mine.py"], {})
    parcel, folder, command = arrive(bot)
    assert parcel.command == (Word(), Word("-u"), Word("mine.py"))
    assert command == [sys.executable, "-u", "mine.py"]
    assert os.listdir(folder) == ["mine.py"]


def test_a_submission_is_its_pack(work: Path) -> None:
    (work / "mine.py").write_text(MAIN)
    pack = pack_file(work / "mine.py")
    bot = Entrant("club/owl", ("./mine.py",), "/elsewhere", (), pack.sha256, submission="club/owl@3")
    parcel, archive = ship(bot, {pack.sha256: pack.to_bytes()}.__getitem__)
    assert parcel == Parcel("club/owl", pack.sha256, (Word("./mine.py"),))
    assert Pack.from_bytes(archive) == pack


def test_what_cannot_be_sent_or_started_is_said(work: Path) -> None:
    (work / "mine.py").write_text(MAIN)
    [bot] = find_bots(["./mine.py"], {})
    with pytest.raises(FieldError, match="mine is started by somebody else"):
        ship(replace(bot, command=()), never)
    with pytest.raises(FieldError, match="mine has no file of its own that could be sent"):
        ship(replace(bot, files=()), never)
    with pytest.raises(FieldError, match="is never packed because of its name: give it another one"):
        ship(replace(bot, files=(str(work / "x.pyc"),)), never)
    with pytest.raises(FieldError, match="the program /no/node of the bot mine does not exist on "):
        arrive(replace(bot, command=("/no/node", "mine.py")))
