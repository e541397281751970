"""The site as `arena web` and `arena serve` put it together."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arena.bots import hand_in_worker
from arena.cli.open_site import HandInOptions, ProxyOptions, open_site
from arena.run.hosting import Hosting
from arena.server.hand_ins.league_limits import league_limits
from arena.store import open_store


def test_hand_ins_have_the_time_that_leagues_grant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named: dict[str, Any] = {}

    class Worker(hand_in_worker.HandInWorker):
        def __init__(self, *args: Any, **options: Any) -> None:
            named.update(options)
            super().__init__(*args, **options)

    monkeypatch.setattr(hand_in_worker, "HandInWorker", Worker)
    monkeypatch.setattr(Hosting, "gap", lambda self: "")
    db = str(tmp_path / "a.db")
    open_store(db, create=True).close()
    with open_site(("127.0.0.1", 0), db, Hosting(), ProxyOptions(), sign_in=True, no_play=True):
        pass
    assert named["league_limits"] is league_limits


def test_a_disk_with_less_room_than_hand_ins_may_take_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Hosting, "gap", lambda self: "")
    monkeypatch.setattr("arena.bots.hand_in_space.shutil.disk_usage", lambda folder: SimpleNamespace(free=100 * 2**20))
    db = tmp_path / "a.db"
    open_store(db, create=True).close()
    said: list[str] = []

    def serve(megabytes: int) -> list[str]:
        said.clear()
        intake, site = HandInOptions(megabytes=megabytes), ("127.0.0.1", 0)
        with open_site(
            site, str(db), Hosting(), ProxyOptions(), sign_in=True, no_play=True, intake=intake, say=said.append
        ):
            return said[:-1]

    assert serve(100) == []
    assert serve(101) == [
        f"hand-ins may take 101 MB of disk, and 100 MB are free where {db} is: make room, or lower --hand-in-disk"
    ]


@pytest.mark.parametrize(("cores", "named", "jobs"), [(1, None, 2), (2, None, 2), (8, None, 4), (2, 3, 3)])
def test_as_many_hand_ins_are_checked_side_by_side_as_fit_the_cores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cores: int, named: int | None, jobs: int
) -> None:
    monkeypatch.setattr("referee.sandbox.cpu_supply.usable_cores", lambda: cores)
    monkeypatch.setattr(Hosting, "gap", lambda self: "")
    db = str(tmp_path / "a.db")
    open_store(db, create=True).close()
    intake, address = HandInOptions(jobs=named), ("127.0.0.1", 0)
    with open_site(address, db, Hosting(), ProxyOptions(), sign_in=True, no_play=True, intake=intake) as (site, _):
        assert site.state.hand_ins.jobs == jobs
