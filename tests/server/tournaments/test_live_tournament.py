"""A running tournament as server-sent events: one for each change, and one at the end."""

import json
from pathlib import Path

import trio
import trio.testing

from arena.server.tournaments.live import PAUSE, LiveTournaments
from arena.server.tournaments.ranking_cache import AT_LEAST, RankingCache
from arena.store import open_store
from referee.games.cambio import CAMBIO
from tests import played

Told = list[tuple[str, dict[str, object]]]


def read(raw: str) -> tuple[str, dict[str, object]]:
    name, data = raw.rstrip("\n").split("\n")
    return name.removeprefix("event: "), json.loads(data.removeprefix("data: "))


async def test_matches_are_sent_as_they_end(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    with open_store(tmp_path / "a.db", create=True) as store:
        number = store.add_tournament(played.tournament(CAMBIO, matches=8))
        told: Told = []
        looks = 0

        def on_query() -> None:
            nonlocal looks
            looks += 1
            if looks == 2:
                store.add_matches(number, [played.match(CAMBIO, n) for n in range(8)])
            if looks == 3:
                store.finish_tournament(number)

        async for each in LiveTournaments(store).events(number, on_query):
            told.append(read(each))
    assert [name for name, _ in told] == ["progress", "progress", "progress", "over"]
    assert [values["stored"] for _, values in told[:3]] == [0, 8, 8]
    newest = told[1][1]["newest"]
    assert isinstance(newest, list)
    assert [match["id"] for match in newest] == [8, 7, 6, 5, 4, 3, 2, 1]
    assert trio.current_time() >= 2 * PAUSE


def test_a_ranking_is_recomputed_for_new_matches_after_some_time(tmp_path: Path) -> None:
    now = 0.0
    with open_store(tmp_path / "a.db", create=True) as store:
        number = store.add_tournament(played.tournament(CAMBIO, matches=12))
        store.add_matches(number, [played.match(CAMBIO, n) for n in range(4)])
        rankings = RankingCache(store, lambda: now)
        first = rankings.of(store.tournament(number))
        assert rankings.of(store.tournament(number)) is first
        store.add_matches(number, [played.match(CAMBIO, n) for n in range(4, 8)])
        assert rankings.of(store.tournament(number)) is first
        now += AT_LEAST
        second = rankings.of(store.tournament(number))
        assert (first.count, second.count) == (4, 8)
        store.add_matches(number, [played.match(CAMBIO, n) for n in range(8, 12)])
        store.finish_tournament(number)
        assert rankings.of(store.tournament(number)).count == 12
