"""Rankings as the pages keep them, and before anybody asks for them."""

from collections.abc import Iterator
from itertools import combinations, count
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from arena.server import cache_warmup
from arena.server.cache_warmup import REST, warm
from arena.server.tournaments.ranking_cache import CachedRanking, RankingCache
from arena.store import Store, open_store
from arena.values.errors import ArenaError
from arena.values.rows import TournamentRow
from referee.games.cambio import CAMBIO
from tests import played


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Three tournaments, the last one under way."""
    with open_store(tmp_path / "a.db", create=True) as opened:
        for matches in (8, 12, 4):
            number = opened.add_tournament(played.tournament(CAMBIO, matches=12))
            opened.add_matches(number, [played.match(CAMBIO, each) for each in range(matches)])
        yield opened


class Noted(RankingCache):
    """Notes whose rankings are asked for, and when; each takes a second."""

    def __init__(self, store: Store, broken: int = 0) -> None:
        seconds = count()
        super().__init__(store, lambda: float(next(seconds)))
        self.asked: list[int | None] = []
        self._broken = broken

    def of(self, tournament: TournamentRow) -> CachedRanking:
        self.asked.append(tournament.id)
        if tournament.id == self._broken:
            raise ArenaError("cannot be rated")
        return super().of(tournament)


def warmed(store: Store, rankings: RankingCache) -> float:
    """Warm them; return how long it took."""

    async def run() -> float:
        began = trio.current_time()
        await warm(store, rankings)
        return trio.current_time() - began

    return trio.run(run, clock=MockClock(autojump_threshold=0))


def test_a_ranking_is_kept_until_there_is_something_new(store: Store) -> None:
    now = [0.0]
    rankings = RankingCache(store, lambda: now[0])
    first = rankings.of(store.tournament(3))
    assert (first.count, first.together.meetings[0][1]) == (4, 4)
    assert rankings.of(store.tournament(3)) is first
    store.add_matches(3, [played.match(CAMBIO, 4)])
    assert rankings.of(store.tournament(3)) is first, "it was made only just now"
    now[0] = 2.0
    assert rankings.of(store.tournament(3)).count == 5


def test_a_ranking_of_few_matches_is_made_anew_once_there_are_twice_as_many(store: Store) -> None:
    ticks = count()  # each look at the clock is a second, so that to make one takes long

    rankings = RankingCache(store, lambda: float(next(ticks)))
    assert rankings.of(store.tournament(3)).count == 4
    store.add_matches(3, [played.match(CAMBIO, number) for number in range(4, 7)])
    assert rankings.of(store.tournament(3)).count == 4
    store.add_matches(3, [played.match(CAMBIO, 7)])
    assert rankings.of(store.tournament(3)).count == 8


def test_the_newest_are_made_first_with_rests_between_them(store: Store) -> None:
    rankings = Noted(store)
    assert warmed(store, rankings) == pytest.approx(3 * REST)
    assert rankings.asked == [3, 2, 1]


def test_not_all_are_made(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_warmup, "NEWEST", 2)
    rankings = Noted(store)
    warmed(store, rankings)
    assert rankings.asked == [3, 2]


def test_one_that_cannot_be_made_keeps_none_of_the_others_from_it(store: Store) -> None:
    rankings = Noted(store, broken=2)
    warmed(store, rankings)
    assert rankings.asked == [3, 2, 1]


def test_who_has_not_met_is_known_where_a_ranking_is_at_hand_and_nothing_is_new(tmp_path: Path) -> None:
    with open_store(tmp_path / "a.db", create=True) as store:
        number = store.add_tournament(played.tournament(CAMBIO, bots=6, matches=12))
        tables = [played.match(CAMBIO, each, bots=6) for each in range(12)]
        seated = [{seat.entrant for seat in row.seats} for row in tables]
        one, other = next(pair for pair in combinations(range(6), 2) if not any({*pair} <= each for each in seated[:2]))
        store.add_matches(number, tables[:2])
        rankings = RankingCache(store)
        names = [entrant.name for entrant in store.tournament(number).entrants]
        assert rankings.apart(names[one], names[other]) == set(), "no ranking is at hand"
        rankings.of(store.tournament(number))
        assert rankings.apart(names[one], names[other]) == {number}
        assert rankings.apart(names[one], names[one]) == set()
        assert rankings.apart(names[one], "nobody") == set()
        met = sorted(seated[0])[:2]
        assert rankings.apart(names[met[0]], names[met[1]]) == set()
        store.add_matches(number, tables[2:3])
        assert rankings.apart(names[one], names[other]) == set(), "they may have met in what is new"
