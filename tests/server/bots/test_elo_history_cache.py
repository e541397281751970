"""The Elo history on the page of a bot."""

import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from arena.ratings import fit_ranking
from arena.results import stored_tournament
from arena.results.pooled_ranking import TournamentPool
from arena.results.stored_tournament import StoredTournament
from arena.results.summary_check import rebuild
from arena.server.access import Access
from arena.server.bots import elo_history_cache
from arena.server.bots.elo_history_cache import EloHistory, EloHistoryCache
from arena.store import open_store
from arena.store.matches import aggregates
from referee.games.cambio import CAMBIO
from tests import played
from tests.server.conftest import Client


def test_elo_over_time_is_drawn_with_bars_and_versions_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_store(tmp_path / "grown.db", create=True) as store:
        first = played.tournament(CAMBIO, matches=40)
        newer = replace(first.entrants[0], sha256="1" * 64)
        for begin, field in ((0, first.entrants), (40, first.entrants), (80, (newer, *first.entrants[1:]))):
            number = store.add_tournament(replace(first, entrants=field))
            rows = [replace(played.match(CAMBIO, n), number=n - begin) for n in range(begin, begin + 40)]
            store.add_matches(number, rows)
            if begin < 80:
                store.finish_tournament(number)
        newest = list(reversed(store.tournaments()))
        assert len(newest) == 3
        found = EloHistoryCache(store).of(newest, "a")
        assert isinstance(found, EloHistory)
        assert [step.tournament for step in found.steps] == [1, 2]
        store.finish_tournament(3)
        newest = list(reversed(store.tournaments()))
        found = EloHistoryCache(store).of(newest, "a")
        assert isinstance(found, EloHistory)
        assert found.names == ("a:0000000", "a:1111111")
        pool = TournamentPool.of(StoredTournament(store, row) for row in store.tournaments())
        wanted = [table.rows for _, table in pool.history(lambda source: fit_ranking(source.tally()))]
        assert [step.ranking.rows for step in found.steps] == wanted
        page = Client(store, Access()).get("/bots/a").text
        drawn = page.partition('id="elo-history"')[2].partition("</section>")[0]
        assert drawn.count("<polyline") == 2
        assert drawn.count("<circle") == drawn.count("<title>") == 4
        assert drawn.count('class="interval"') == 4
        assert re.findall(r"<td>(a:\d)0*1*</td>", drawn) == ["a:0", "a:0", "a:0", "a:1"]
        monkeypatch.setattr(elo_history_cache, "READ", 40 + 2 * 40)
        found = EloHistoryCache(store).of(newest, "a")
        assert isinstance(found, EloHistory)
        assert [step.tournament for step in found.steps] == [2, 3]
        monkeypatch.setattr(elo_history_cache, "READ", 40)
        assert "too many to rate" in str(EloHistoryCache(store).of(newest, "a"))


def test_the_page_says_why_elo_over_time_is_not_drawn(tmp_path: Path) -> None:
    with open_store(tmp_path / "few.db", create=True) as store:
        site = Client(store, Access())

        def told() -> str:
            page = site.get("/bots/a").text.partition('id="elo-history"')[2]
            return unescape(re.findall(r'<p class="soft">([^<]+)</p>', page)[0])

        first = played.tournament(CAMBIO, matches=4)
        kinds = [first, replace(first, options={"chips": "3"}), replace(first, options={"chips": "3"})]
        sentences = []
        for begin, kind in zip((0, 4, 8), kinds, strict=True):
            number = store.add_tournament(kind)
            sentences.append(told())
            rows = [played.match(CAMBIO, n, options=kind.options) for n in range(begin, begin + 4)]
            store.add_matches(number, [replace(row, number=n) for n, row in enumerate(rows)])
            store.finish_tournament(number)
        assert "this bot has none" in sentences[0]
        assert "this bot has one" in sentences[1]
        assert "the newest of the 2 of this bot differs from all others" in sentences[2]
        assert "from the newest 2 finished tournaments" in told()
        assert "this bot has none" in str(EloHistoryCache(store).of(list(reversed(store.tournaments())), "nobody"))


def test_what_is_not_added_up_is_left_out_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_tournament, "BATCH", 10)
    with open_store(tmp_path / "upgraded.db", create=True) as store:
        for _ in range(3):
            number = store.add_tournament(played.tournament(CAMBIO, matches=40))
            store.add_matches(number, [played.match(CAMBIO, n) for n in range(40)])
            store.finish_tournament(number)
        rebuild(StoredTournament.load(store, 1))
        with monkeypatch.context() as nothing_is_read:
            nothing_is_read.setattr(aggregates, "load_results", None)
            site = Client(store, Access())

            def told() -> list[str]:
                page = site.get("/bots/a").text
                assert 'href="/tournaments/1"' in page
                return unescape(page).split("The organiser does this with `arena db rebuild ")[1:]

            assert [each[:4] for each in told()] == ["3 2`", "3 2`"]
            rebuild(StoredTournament.load(store, 3))
            assert [each[:2] for each in told()] == ["2`", "2`"]
            found = EloHistoryCache(store).of(list(reversed(store.tournaments())), "a")
            assert isinstance(found, EloHistory)
            assert [step.tournament for step in found.steps] == [1, 3]
            assert found.missing.startswith("Tournament 2 is left out: 40 matches are not summarised yet")
            rebuild(StoredTournament.load(store, 2))
            assert told() == []
