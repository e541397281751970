"""The file of each season that has ended is written once."""

import errno
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
import trio
import trio.testing
from click.testing import CliRunner

from arena.cli import main
from arena.league.run.season_archives import PAUSE_SECONDS, RETRY_SECONDS, SeasonArchives
from arena.league.store.leagues import Leagues
from arena.store import Store, StoreError, open_store
from tests import leagues


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """A league whose first season has ended, and one whose first season goes on."""
    with open_store(path, create=True) as opened:
        club = leagues.league(opened)
        Leagues(opened).add_snapshot(club.id, b"{}", "0" * 64)
        leagues.end_first_season(opened, club)
        leagues.league(opened, "school", ("samples/a", "samples/b"))
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "archives"
    made.mkdir()
    return made


def archives(store: Store, path: Path, folder: Path, said: list[str] | None = None) -> SeasonArchives:
    return SeasonArchives(store, str(path), folder, (said if said is not None else []).append)


@pytest.mark.processes
async def test_it_is_what_the_command_exports_and_is_written_once(
    store: Store, path: Path, folder: Path, tmp_path: Path
) -> None:
    said: list[str] = []
    writer = archives(store, path, folder, said)
    assert await writer.write_missing()
    [file] = folder.iterdir()
    assert said == [f"season 1 of club is archived: {file}"]
    by_hand = tmp_path / "by-hand.jsonl"
    done = CliRunner().invoke(main, ["league", "export", "club", str(by_hand), "--db", str(path)])
    assert done.exit_code == 0, done.output
    assert (file.name, file.read_bytes()) == ("club-season-1.jsonl", by_hand.read_bytes())
    file.write_text("mine")
    assert await writer.write_missing()
    assert (file.read_text(), len(said)) == ("mine", 1)


@pytest.mark.processes
async def test_what_cannot_be_written_is_told_once_and_tried_again(store: Store, path: Path, folder: Path) -> None:
    said: list[str] = []
    writer = archives(store, path, folder, said)
    folder.rmdir()
    for _ in range(2):
        assert not await writer.write_missing()
    file = folder / "club-season-1.jsonl"
    assert said == [
        f"season 1 of club is not archived, which is tried again: {file} cannot be written: No such file or directory; "
        "name another file"
    ]
    folder.mkdir()
    assert await writer.write_missing()
    assert file.exists()


async def test_a_database_that_cannot_be_read_ends_nothing(
    store: Store, path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Leagues) -> None:
        raise StoreError("the server is gone")

    monkeypatch.setattr(Leagues, "all", fail)
    said: list[str] = []
    assert not await archives(store, path, folder, said).write_missing()
    assert said == ["the seasons that have ended cannot be read: the server is gone"]


async def test_a_folder_that_cannot_be_read_ends_nothing(
    store: Store, path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exists = Path.exists

    def refused(file: Path) -> bool:
        if file.parent == folder:
            raise PermissionError(errno.EACCES, "Permission denied")  # as root reads all, not by its mode
        return exists(file)

    monkeypatch.setattr(Path, "exists", refused)
    said: list[str] = []
    assert not await archives(store, path, folder, said).write_missing()
    assert said == [f"no season is archived, which is tried again: {folder}: Permission denied"]


async def test_a_machine_without_room_for_a_process_ends_nothing(
    store: Store, path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_: object, **__: object) -> None:
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(trio, "run_process", full)
    said: list[str] = []
    assert not await archives(store, path, folder, said).write_missing()
    reason = "no process can be started: Resource temporarily unavailable"
    assert said == [f"season 1 of club is not archived, which is tried again: {reason}"]


@pytest.mark.parametrize(("is_whole", "seconds"), [(True, PAUSE_SECONDS), (False, RETRY_SECONDS)])
async def test_the_next_look_is_later_after_a_failure(
    store: Store,
    path: Path,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    autojump_clock: trio.testing.MockClock,
    is_whole: bool,
    seconds: float,
) -> None:
    writer = archives(store, path, folder)
    looks = list[float]()

    async def look() -> bool:
        looks.append(trio.current_time())
        return is_whole

    monkeypatch.setattr(writer, "write_missing", look)
    with trio.move_on_after(2.5 * seconds):
        await writer.keep()
    assert [later - earlier for earlier, later in pairwise(looks)] == [seconds, seconds]
