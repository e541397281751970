"""A finished tournament of Cucù with 12 matches, one bot of which has a hostile name, and an unfinished one."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.hooks.plugins import plugins
from arena.hooks.specifications import hookimpl
from arena.store import Store, open_store
from arena.values.rows import OutputRow
from referee.games.cucu import CUCU
from tests import played

EVIL = '</script><img src=x onerror="alert(1)">&amp;'


class Drawing:
    @hookimpl(tryfirst=True)
    def arena_ranking_picture(self) -> dict[str, bytes]:
        return {"svg": b'<svg xmlns="http://www.w3.org/2000/svg"/>', "png": b"png"}


@pytest.fixture(autouse=True, scope="session")
def undrawn_png() -> Iterator[None]:
    """Have pictures without a process that draws PNG, and without the package that draws any."""
    plugins().register(drawing := Drawing())
    yield
    plugins().unregister(drawing)


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("staticsite") / "arena.db"
    with open_store(path, create=True) as store:
        first = played.tournament(CUCU, matches=12)
        field = (*first.entrants[:3], replace(first.entrants[3], name=EVIL))
        number = store.add_tournament(replace(first, entrants=field))
        rows = [played.match(CUCU, n, notes=True, faults={5: "timeout"} if n == 3 else {}) for n in range(12)]
        outputs = [OutputRow(0, seat, rows[0].seats[seat].entrant, f"printed by seat {seat}") for seat in range(4)]
        store.add_matches(number, rows, outputs)
        store.finish_tournament(number)
        second = store.add_tournament(played.tournament(CUCU, matches=12))
        store.add_matches(second, rows[:8])
    return path


@pytest.fixture
def store(database: Path) -> Iterator[Store]:
    with open_store(database) as opened:
        yield opened
