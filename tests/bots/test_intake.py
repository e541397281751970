"""A candidate on its way into the database, with an examination that is told what to say."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.bots.intake import IntakeResult, check_name_is_free, submit
from arena.bots.report import Report
from arena.packs.build import BuildTerms
from arena.packs.candidate import read_candidate
from arena.packs.errors import BadName, BuildError, ManifestError, PackError
from arena.packs.pack import Pack
from arena.store import Store, open_store
from arena.values.definition import Entrant
from referee.sandbox import choose

BUILT = """\
language = "c"
command = ["./bot"]
build = ["python3", "make.py"]
ignore = ["notes"]
keep = ["bot"]
"""

MAKE = """
import os
open("bot", "w").write("#!/bin/sh\\n")
os.chmod("bot", 0o755)
open("waste", "w").write("x")
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "a.db", create=True) as opened:
        yield opened


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """A program with a bot.toml."""
    folder = tmp_path / "owl"
    folder.mkdir()
    (folder / "bot.toml").write_text('language = "shell"\ncommand = ["./bot"]\n')
    (folder / "bot").write_text("#!/bin/sh\n")
    (folder / "bot").chmod(0o755)
    return folder


def taken(
    store: Store, path: Path, passes: bool = True, see: Callable[[Entrant], None] = lambda bot: None
) -> IntakeResult:
    def examine(bot: Entrant) -> Report:
        see(bot)
        report = Report(bot.name, claims=("coch",))
        report.add("looks", "passed" if passes else "failed", "at it")
        return report

    return submit(store, read_candidate(path), "club/owl", BuildTerms(), examine)


def test_it_is_examined_where_nobody_can_change_it_and_nothing_is_left(store: Store, bot: Path) -> None:
    seen: list[Entrant] = []

    def see(entrant: Entrant) -> None:
        seen.append(entrant)
        folder = Path(entrant.folder)
        assert sorted(path.name for path in folder.iterdir()) == ["bot", "bot.toml"]
        assert not any(path.stat().st_mode & 0o222 for path in [folder, *folder.iterdir()])

    verdict = taken(store, bot, see=see)
    assert verdict.row is not None
    assert (verdict.is_new, verdict.row.title) == (True, "club/owl@1")
    assert (seen[0].name, seen[0].command) == ("club/owl", ("./bot",))
    assert not Path(seen[0].folder).parent.exists()
    assert verdict.row.source == verdict.row.content
    assert verdict.row.manifest["games"] == ["coch"]


def test_the_same_again_is_not_examined_and_what_was_before_is_a_new_version(store: Store, bot: Path) -> None:
    def never(entrant: Entrant) -> None:
        raise AssertionError

    first = taken(store, bot)
    again = taken(store, bot, see=never)
    assert (again.row, again.is_new) == (first.row, False)
    assert again.sentence == "is unchanged since version 1: club/owl@1"
    (bot / "bot").write_text("#!/bin/sh\n\n")
    assert taken(store, bot).row != first.row
    (bot / "bot").write_text("#!/bin/sh\n")
    third = taken(store, bot).row
    assert third is not None
    assert first.row is not None
    assert (third.title, third.content) == ("club/owl@3", first.row.content)


def test_who_is_refused_is_told_why_and_is_not_kept(store: Store, bot: Path) -> None:
    verdict = taken(store, bot, passes=False)
    assert (verdict.row, verdict.sentence) == (None, "is refused: looks: at it")
    assert store.submissions.all() == []


@pytest.mark.processes
@pytest.mark.skipif(choose("auto").mode != "bwrap", reason="bubblewrap does not work here")
def test_what_the_build_makes_is_kept_beside_the_source(store: Store, bot: Path) -> None:
    (bot / "bot").unlink()
    (bot / "bot.toml").write_text(BUILT)
    (bot / "make.py").write_text(MAKE)
    for junk in ("notes/todo", "target/old"):
        (bot / junk).parent.mkdir()
        (bot / junk).write_text("x")
    row = taken(store, bot).row
    assert row is not None
    source, content = (Pack.from_bytes(store.submissions.archive(each)) for each in (row.source, row.content))
    assert [file.path for file in source.files] == ["bot.toml", "make.py"]
    assert [(file.path, file.executable) for file in content.files] == [("bot", True)]
    assert taken(store, bot).is_new is False
    (bot / "make.py").write_text("import os; os.symlink('/etc/passwd', 'bot')")
    with pytest.raises(PackError, match="bot is a symbolic link"):
        taken(store, bot)
    (bot / "make.py").write_text("raise SystemExit('no compiler')")
    with pytest.raises(BuildError, match="no compiler"):
        taken(store, bot)
    (bot / "make.py").write_text("")
    with pytest.raises(PackError, match="has no file that could be packed"):
        taken(store, bot)
    (bot / "bot.toml").write_text(BUILT.replace('"bot"]', '"bot.toml"]'))
    (bot / "make.py").write_text("print('SKIPPED: no compiler')")
    with pytest.raises(BuildError, match=r"made no ./bot that `keep` names \(bot.toml\):\n    SKIPPED: no compiler"):
        taken(store, bot)
    assert len(store.submissions.versions("club/owl")) == 1


def test_other_paths(tmp_path: Path, bot: Path) -> None:
    (bot / "fox.toml").write_text('language = "shell"\ncommand = ["./bot", "--fox"]\n')
    assert read_candidate(bot / "fox.toml").manifest.command == ("./bot", "--fox")
    program = read_candidate(bot / "bot")
    assert (program.manifest.language, program.manifest.command) == ("program", ("./bot",))
    assert [file.path for file in program.source.files] == ["bot"]
    (bot / "bot.toml").unlink()
    with pytest.raises(ManifestError, match="there is no bot.toml in"):
        read_candidate(bot)
    (tmp_path / "link").symlink_to(bot)
    with pytest.raises(PackError, match="is a symbolic link: name its target"):
        read_candidate(tmp_path / "link")


def test_what_alone_is_kept_of_a_bot_that_is_built_already(bot: Path) -> None:
    (bot / "bot.toml").write_text('language = "shell"\ncommand = ["./bot"]\nkeep = ["bot"]\n')
    assert [file.path for file in read_candidate(bot).source.files] == ["bot"]


def test_names_of_sample_bots_are_taken() -> None:
    with pytest.raises(BadName, match="counter is a sample bot: choose another name, such as my-counter"):
        check_name_is_free("counter")


def test_a_program_that_is_not_there_is_told(store: Store, bot: Path) -> None:
    (bot / "bot.toml").write_text('language = "shell"\ncommand = ["bot"]\n')
    with pytest.raises(ManifestError, match=r'is not in the bots\' PATH .*; did you mean "./bot", which is in its'):
        taken(store, bot)
    (bot / "bot.toml").write_text('language = "shell"\ncommand = ["./bit"]\n')
    with pytest.raises(ManifestError, match="there is no program ./bit in"):
        taken(store, bot)
    (bot / "bot.toml").write_text('language = "shell"\ncommand = ["./bot"]\n')
    (bot / "bot").chmod(0o644)
    with pytest.raises(ManifestError, match="the program ./bot is not executable"):
        taken(store, bot)
