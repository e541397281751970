"""A folder of hand-ins on its way into the database, with a check that says what the files do."""

import os
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from arena_classroom.batch_intake import BatchEntry, BatchIntake, BatchSettings
from arena_classroom.class_folder import HandIn, read_owner_folders

from arena.bots.intake import AcceptanceTest
from arena.bots.report import Report
from arena.league.account_closing import close_account
from arena.packs.build import BuildTerms
from arena.store import Store, open_store
from arena.store.people.accounts import AUTHOR
from arena.store.people.submissions import SubmissionRow
from arena.values.definition import Entrant

pytestmark = pytest.mark.usefixtures("forked_checks")

NOON = datetime(2020, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "a.db", create=True) as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make the folder of a class whose bots say how their check ends."""
    texts = {"ann": "passes", "ben": "fails", "cleo": "is slow", "dan": "passes too", "eve": "ends its process"}
    for owner, text in texts.items():
        (tmp_path / "class" / owner).mkdir(parents=True)
        (tmp_path / "class" / owner / "main.py").write_text(text)
    return tmp_path / "class"


def examine(log: Path, bot: Entrant) -> Report:
    """Check a bot as its text says.

    log: a folder that gets a file for each check, with the number of its cores.
    """
    text = Path(bot.folder, "main.py").read_text()
    number = len(list(log.glob(f"{bot.name.replace('/', '-')}*")))
    Path(log, f"{bot.name.replace('/', '-')}-{number}").write_text(str(len(os.sched_getaffinity(0))))
    if text == "ends its process" and number == 0:
        os._exit(1)
    if text == "makes us fail":
        raise ZeroDivisionError("division by zero")
    report = Report(bot.name, claims=("coch",), is_slow=text == "is slow")
    is_slow = text == "is slow" and number == 0
    report.add("looks", "failed" if text == "fails" or is_slow else "passed", "at it")
    return report


def make_check(log: Path) -> AcceptanceTest:
    return partial(examine, log)


def submit(
    store: Store, hand_ins: list[HandIn], tmp_path: Path, jobs: int = 1, deadline: datetime | None = None
) -> list[BatchEntry]:
    (tmp_path / "log").mkdir(exist_ok=True)
    settings = BatchSettings(BuildTerms(), partial(make_check, tmp_path / "log"), jobs, deadline)
    return list(BatchIntake(store, settings, lambda line: None).submit(hand_ins))


@pytest.mark.promise
def test_results_come_in_the_order_of_the_folder(store: Store, folder: Path, tmp_path: Path) -> None:
    """Who is slow beside others is checked once more, alone; another run takes up only what is not stored."""
    (folder / "eve/main.py").unlink()
    (folder / "eve/notes.md").write_text("no bot")
    hand_ins = read_owner_folders(folder).hand_ins
    entries = submit(store, hand_ins, tmp_path, jobs=2)
    assert [(entry.name, entry.accepted) for entry in entries] == [
        ("ann/main", True), ("ben/main", False), ("cleo/main", True), ("dan/main", True), ("eve/bot", False)
    ]  # fmt: skip
    assert sorted(row.name for row in store.submissions.all()) == ["ann/main", "cleo/main", "dan/main"]
    checks = {path.name: int(path.read_text()) for path in (tmp_path / "log").iterdir()}
    everything = len(os.sched_getaffinity(0))
    share = everything // 2 or everything
    assert checks == {
        "ann-main-0": share, "ben-main-0": share, "cleo-main-0": share, "dan-main-0": share, "cleo-main-1": everything
    }  # fmt: skip

    again = submit(store, hand_ins, tmp_path, jobs=2)
    assert [entry.accepted for entry in again] == [True, False, True, True, False]
    assert not any(entry.verdict and entry.verdict.is_new for entry in again)
    assert len(store.submissions.all()) == 3
    assert {path.name for path in (tmp_path / "log").iterdir()} == {*checks, "ben-main-1"}


@pytest.mark.processes
def test_a_check_whose_process_ends_stops_no_other(store: Store, folder: Path, tmp_path: Path) -> None:
    entries = submit(store, read_owner_folders(folder).hand_ins, tmp_path, jobs=2)
    assert [entry.accepted for entry in entries] == [True, False, True, True, True]
    assert (tmp_path / "log/eve-main-1").exists()


def test_a_mistake_of_ours_in_a_check_stops_no_other(store: Store, folder: Path, tmp_path: Path) -> None:
    (folder / "ben/main.py").write_text("makes us fail")
    hand_ins = [HandIn(name, folder / name / "main.py", f"{name}/bot") for name in ("ann", "ben", "dan")]
    entries = submit(store, hand_ins, tmp_path)
    assert [entry.accepted for entry in entries] == [True, False, True]
    assert "arena failed to check it (ZeroDivisionError: " in entries[1].sentence


@pytest.mark.processes
def test_a_check_that_always_ends_its_process_is_refused(store: Store, folder: Path, tmp_path: Path) -> None:
    hand_ins = [HandIn(name, folder / name / "main.py", f"{name}/bot") for name in ("ann", "eve")]
    settings = BatchSettings(BuildTerms(), end_process, jobs=2)
    entries = list(BatchIntake(store, settings, lambda line: None).submit(hand_ins))
    assert [entry.sentence for entry in entries] == [
        "is refused: its check ended before its time, perhaps for want of memory: try again"
    ] * 2


def end_process() -> AcceptanceTest:
    os._exit(1)


def test_a_deadline_refuses_what_came_later(store: Store, folder: Path, tmp_path: Path) -> None:
    """It counts what the owners file says, or else the moment of the command; what was stored in time stays."""
    times = {"ann": NOON, "ben": NOON + timedelta(seconds=1), "dan": None}
    hand_ins = [HandIn(name, folder / name / "main.py", f"{name}/bot", "", at) for name, at in times.items()]
    entries = submit(store, hand_ins, tmp_path, deadline=NOON)
    assert [entry.accepted for entry in entries] == [True, False, False]
    assert entries[1].sentence == (
        "is refused: it was handed in at 2020-05-01 12:00:01 +0000, after the deadline (2020-05-01 12:00:00 +0000)"
    )
    assert entries[2].sentence.startswith("is refused: it is submitted at 2")
    assert len(list((tmp_path / "log").iterdir())) == 1  # who is late is not checked
    late = [HandIn("ann", folder / "ann/main.py", "ann/bot")]
    assert submit(store, late, tmp_path, deadline=NOON)[0].sentence.startswith("is unchanged since version 1")
    (folder / "ann/main.py").write_text("better")
    assert not submit(store, late, tmp_path, deadline=NOON)[0].accepted
    assert [row.title for row in store.submissions.all()] == ["ann/bot@1"]


@pytest.mark.processes
def test_archives_are_unpacked_and_others_are_named(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "class"
    folder.mkdir()
    with zipfile.ZipFile(folder / "ann.zip", "w") as archive:
        archive.writestr("hand in/bot.toml", 'language = "python"\ncommand = ["python3", "main.py"]\n')
        archive.writestr("hand in/main.py", "passes")
        archive.writestr("__MACOSX/hand in/._main.py", "x")
        archive.writestr("hand in/.DS_Store", "x")
    with zipfile.ZipFile(folder / "ben.zip", "w") as archive:
        archive.writestr("../main.py", "passes")
    with zipfile.ZipFile(folder / "cleo.zip", "w") as archive:
        archive.writestr("readme.txt", "passes")
    (folder / "dan.rar").write_bytes(b"Rar!")
    with zipfile.ZipFile(folder / "eve.zip", "w") as archive:
        archive.writestr("bot.toml", "x")
    (folder / "fay.zip").write_bytes(b"PK\x03\x04 and no more")
    (folder / "gil").symlink_to(folder / "ann.zip")
    os.mkfifo(folder / "hal")
    (folder / "ida").mkdir()
    os.mkfifo(folder / "ida/bot.toml")
    entries = submit(store, read_owner_folders(folder).hand_ins, tmp_path)
    sentences = {entry.name: entry.sentence.removeprefix("is refused: ") for entry in entries}
    assert sentences.pop("ann/bot").startswith("is accepted as version 1")
    for name, sentence in {
        "ben/bot": "the path ../main.py leads out of the bot's folder",
        "cleo/bot": "it holds 0 bots: hand in each in a folder or an archive of its own",
        "dan/bot": "send a Python file (.py), or a folder with a bot.toml as .zip, .tar or .tar.gz",
        "eve/bot": "bot.toml is not valid TOML",
        "fay/bot": "the zip file cannot be read",
        "gil/bot": f"{folder}/gil is a symbolic link: name its target",
        "hal/bot": f"{folder}/hal is not a file",
        "ida/bot": f"{folder}/ida/bot.toml is not a file",
    }.items():
        assert sentences.pop(name).startswith(sentence)
    assert sentences == {}
    [row] = store.submissions.all()
    assert row.files == 2


def test_near_copies_are_looked_for_among_stored_bots_too(store: Store, folder: Path, tmp_path: Path) -> None:
    from classroom.test_similarity import OTHER, OWN

    for owner, text in {"ann": OWN, "ben": OTHER, "cleo": OWN + "x = 1\n"}.items():
        (folder / owner / "main.py").write_text(text)
    hand_ins = [HandIn(name, folder / name / "main.py", f"{name}/bot") for name in ("ann", "ben")]
    submit(store, hand_ins, tmp_path)
    settings = BatchSettings(BuildTerms(), partial(make_check, tmp_path / "log"))
    intake = BatchIntake(store, settings, lambda line: None)
    list(intake.submit([HandIn("cleo", folder / "cleo/main.py", "cleo/bot")]))
    [pair] = intake.near_copies()
    assert pair.bots == ("ann/bot", "cleo/bot")
    assert pair.sentence == "ann/bot and cleo/bot share 100% of their source"


def test_an_owner_whose_account_was_closed_is_a_refused_row(store: Store, folder: Path, tmp_path: Path) -> None:
    """One was closed before, the other while the bot is checked; the rest goes on."""
    for owner in ("ann", "dan"):
        assert store.accounts.add(owner, AUTHOR, owner.encode().hex().ljust(64, "0"))
    assert close_account(store, "ann") is not None
    kept = store.submissions.add

    def close_dan(name: str, *values: Any, **more: Any) -> SubmissionRow:
        if name == "dan/main":
            assert close_account(store, "dan") is not None
        return kept(name, *values, **more)

    store.submissions.add = close_dan  # type: ignore[method-assign]
    entries = submit(store, read_owner_folders(folder).hand_ins[:4], tmp_path)
    assert [entry.accepted for entry in entries] == [False, False, False, False]
    sentence = "the account {owner} was closed, or its name is one of those under which closed accounts are shown"
    for place, owner in ((0, "ann"), (3, "dan")):
        assert entries[place].sentence == (
            f"is refused: {owner}/main cannot be stored: {sentence.format(owner=owner)}; choose another owner"
        )
    assert not list((tmp_path / "log").glob("ann-*")), "it was not checked"
    assert list((tmp_path / "log").glob("dan-*"))
