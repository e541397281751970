"""Events on a disk without room wait until there is some."""

import errno
import json
from pathlib import Path
from typing import Any

import pytest

from arena.cli import event_log as eventlog
from arena.cli.event_log import EventLog, EventsError
from arena.store import open_store
from tests import played
from tests.guessing import GUESSING


class Disk:
    """A file with room for so many bytes."""

    def __init__(self, file: Any, room: int, number: int = errno.ENOSPC) -> None:
        self.file = file
        self.room = room
        self._number = number

    def write(self, content: bytes) -> int:
        if not self.room:
            raise OSError(self._number, "No space left on device")
        part = bytes(content[: self.room])
        self.room -= len(part)
        return int(self.file.write(part))

    def close(self) -> None:
        self.file.close()


@pytest.fixture
def log(tmp_path: Path) -> EventLog:
    with open_store(tmp_path / "a.db", create=True) as store:
        tournament = store.tournament(store.add_tournament(played.tournament(GUESSING)))
    return EventLog(str(tmp_path / "events"), tournament, tournament.names)


def lines(folder: Path) -> list[str]:
    return [json.loads(line).get("text") for line in (folder / "events").read_text().splitlines()]


def test_no_event_is_lost_or_torn_where_the_disk_is_full_for_a_while(log: EventLog, tmp_path: Path) -> None:
    disk: Any = Disk(log._file, 50)
    log._file = disk
    with log:
        for text in "abc":
            log.say(text)
        assert (tmp_path / "events").stat().st_size == 50
        disk.room = 1 << 20
        log.say("d")
        assert lines(tmp_path) == ["a", "b", "c", "d"]


def test_what_still_waits_at_the_end_or_is_too_much_is_said(log: EventLog, monkeypatch: pytest.MonkeyPatch) -> None:
    log._file = Disk(log._file, 0)  # type: ignore[assignment]
    with log:
        log.say("a")
        with pytest.raises(EventsError, match="cannot write events to .* any more: No space left on device"):
            log.end("finished", {})
        monkeypatch.setattr(eventlog, "MOST_BYTES", 10)
        with pytest.raises(EventsError, match="No space left"):
            log.say("b")


def test_other_troubles_are_said_at_once(log: EventLog) -> None:
    log._file = Disk(log._file, 0, errno.EBADF)  # type: ignore[assignment]
    with log, pytest.raises(EventsError):
        log.say("a")
