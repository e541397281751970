"""The pages on why bots lose."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest
import trio
import trio.testing
from anyio import to_thread
from arena_insight import analysis_tasks, weakness_cache, weakness_routes
from arena_insight import weakness_pages as pages
from arena_insight.weakness_cache import WeaknessCache
from arena_insight.weaknesses import loading
from arena_insight.weaknesses.candidates import choose_candidates
from arena_insight.weaknesses.contest import Contest
from arena_insight.weaknesses.costly_decisions import CostlyDecision, CostlyDecisions
from arena_insight.weaknesses.loading import tournament_contest
from starlette.applications import Starlette

from arena.hooks.plugins import plugins
from arena.replay.html import tag
from arena.results.stored_tournament import StoredTournament
from arena.server.access import Access
from arena.server.limits.refresh import Refresh
from arena.server.site import application
from arena.store import Store, open_store
from arena.values.rows import StoredMatch
from referee.games.cambio import CAMBIO
from referee.games.hypp import HYPP
from tests import played
from tests.server.conftest import EVIL, PATIENCE, Client

REPORT = "/tournaments/1/why/3"


def test_the_ranking_leads_to_a_report_on_each_bot(public: Client) -> None:
    assert f'href="{REPORT}"' in public.get("/tournaments/1").text
    page = public.get(REPORT)
    assert page.status_code == 200
    assert EVIL not in page.text
    assert "Its worst deals" in page.text
    assert "made" in page.text
    assert 'href="/matches/' in page.text


def test_faults_and_their_cost_are_shown(public: Client, store: Store) -> None:
    match = store.match(store.tournament(1).first_match + 3)
    (fault,) = match.row.faults
    place = match.row.seats[fault.seat].entrant
    page = public.get(f"/tournaments/1/why/{place}").text
    assert "What its faults cost" in page
    assert "timeout" in page


def test_notes_of_owners_are_not_shown(site: Client, store: Store) -> None:
    notes = [note.text for note in store.match(store.tournament(1).first_match).row.notes]
    assert notes
    page = site.get("/tournaments/1/why/0").text
    assert not any(note in page for note in notes)


def test_reports_of_a_running_tournament_are_for_the_organiser(site: Client, public: Client) -> None:
    assert site.get("/tournaments/2/why/0").status_code == 200
    refused = public.get("/tournaments/2/why/0")
    assert refused.status_code == 403
    assert "tournament 2 is over" in refused.text
    assert "/why/" not in public.get("/tournaments/2").text


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("/tournaments/1/why/9", "tournament 1 has no bot 9"),
        ("/tournaments/9/why/0", "there is no tournament 9"),
        ("/leagues/spring/entries/1/why", "there is no league spring"),
    ],
)
def test_what_there_is_not_has_no_report(site: Client, path: str, sentence: str) -> None:
    page = site.get(path)
    assert page.status_code == 404
    assert sentence in page.text


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "a.db", create=True) as store:
        number = store.add_tournament(played.tournament(CAMBIO, matches=12))
        store.add_matches(number, [played.match(CAMBIO, n) for n in range(8)])
        yield store


def test_a_report_is_computed_once_and_again_after_new_matches(own: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    clients = Client(own, Access())
    read: list[int] = []
    load = loading.load_matches

    def loaded(store: Store, ids: list[int]) -> Iterator[StoredMatch]:
        read.append(len(ids))
        return load(store, ids)

    monkeypatch.setattr(weakness_cache, "load_matches", loaded)
    monkeypatch.setattr(Refresh, "is_due", lambda _: True)
    first = clients.get("/tournaments/1/why/0").text
    assert clients.get("/tournaments/1/why/0").text == first
    assert read == [8]
    own.add_matches(1, [played.match(CAMBIO, n) for n in range(8, 12)])
    own.finish_tournament(1)
    assert clients.get("/tournaments/1/why/0").text != first
    assert read == [8, 12]


def test_reports_that_wait_leave_other_pages_their_threads_and_are_limited(
    own: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weakness_routes, "MOST_WAITING", 1)
    held = Event()
    monkeypatch.setattr(weakness_cache, "load_matches", lambda store, ids: held.wait(PATIENCE / 1000) and iter(()))
    site = Client(own, Access())
    statuses: list[int] = []

    async def ask(address: str) -> None:
        async with httpx.AsyncClient(transport=site.transport, base_url="http://arena") as client:
            statuses.append((await client.get(address, headers={"accept": "text/html"})).status_code)

    async def play() -> None:
        with trio.fail_after(PATIENCE / 1000):
            threads = to_thread.current_default_thread_limiter()
            threads.total_tokens = 2
            async with trio.open_nursery() as nursery:
                for place in range(3):
                    nursery.start_soon(ask, f"/tournaments/1/why/{place}")
                while not statuses:
                    await trio.testing.wait_all_tasks_blocked(0.01)
                assert statuses == [503]
                assert threads.borrowed_tokens == 0
                await ask("/tournaments/1")
                held.set()

    trio.run(play)
    assert statuses == [503, 200, 200, 200]


def test_an_older_report_is_shown_for_a_while_but_not_with_closed_names(
    own: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = WeaknessCache(own)
    contests = [Contest("cambio", {0: name}, {}, 0) for name in ("owl", "crow")]

    def shown(version: int) -> str:
        return "".join(map(str, cache.of(("bot",), version, lambda: contests.pop(0))))

    monkeypatch.setattr(Refresh, "is_due", lambda _: False)
    assert "owl" in shown(1)
    assert "owl" in shown(2)
    monkeypatch.setattr(type(own.accounts), "closed", lambda _: 1)
    assert "owl" not in shown(2)


def test_the_page_of_an_entry_leads_to_its_report(league_database: Path) -> None:
    with open_store(league_database) as store:
        client = Client(store, Access(organiser=False))
        assert 'href="/leagues/spring/entries/1/why"' in client.get("/leagues/spring/entries/1").text
        page = client.get("/leagues/spring/entries/1/why")
        assert page.status_code == 200
        assert "By opponent" in page.text
        assert client.get("/leagues/spring/entries/99/why").status_code == 404


@pytest.mark.processes
def test_the_costliest_decisions_are_searched_on_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis_tasks, "PLAYOUTS", 40)
    with open_store(tmp_path / "a.db", create=True) as store:
        number = store.add_tournament(played.tournament(HYPP, matches=4))
        store.add_matches(number, [played.match(HYPP, n) for n in range(4)])
        store.finish_tournament(number)
        visitor = Client(store, Access(organiser=False))
        assert "costliest" not in visitor.get("/tournaments/1/why/0").text
        assert visitor.post("/tournaments/1/why/0/costly").status_code == 403
        parts = plugins().hook.arena_site(store=store, options={}, say=print, public_url=None)
        search(application(store, Access(), parts=parts))


def search(site: Starlette) -> None:
    """Have the costliest decisions of a bot searched, and look at its page before and after."""

    async def ask() -> tuple[httpx.Response, dict[str, Any], str]:
        transport = httpx.ASGITransport(site)
        async with httpx.AsyncClient(transport=transport, base_url="http://arena") as client:
            address = "/tournaments/1/why/0"
            assert "search its costliest decisions" in (await client.get(address)).text
            headers = {"sec-fetch-site": "same-origin"}
            asked = await client.post(f"{address}/costly", headers=headers)
            again = await client.post(f"{address}/costly", headers=headers | {"accept": "text/html"})
            assert (again.status_code, again.headers["location"]) == (303, address)
            assert "It is being searched." in (await client.get(address)).text
            while (state := (await client.get(f"{address}/costly")).json())["state"] != "stored":
                assert state["state"] != "failed", state
                await trio.testing.wait_all_tasks_blocked(0.01)
            return asked, state, (await client.get(address)).text

    async def play() -> None:
        with trio.fail_after(PATIENCE / 1000):
            async with site.router.lifespan_context(site):
                asked, state, page = await ask()
        assert (asked.status_code, asked.json()["unit"]) == (202, "playouts")
        assert state == {"state": "stored"}
        assert "decisions after which it lost, by" in page
        assert "search again" in page

    trio.run(play)


def test_the_table_of_costliest_decisions_leads_to_their_moments(own: Store) -> None:
    contest = tournament_contest(StoredTournament(own, own.tournament(1)), {}, 0)
    (candidate, *_) = choose_candidates(contest, None, lambda ids: loading.load_matches(own, ids), 2)
    decision = candidate.decision
    costly = CostlyDecision(decision, candidate.others[0], 0.25, 0.5, 0.25, 0.03, 0.001)
    by_chance = replace(costly, better="nothing", p_value=0.4)
    search = pages.Search(None, None, CostlyDecisions((costly, by_chance), 2, 400))
    text = pages.show("a", "", [tag("p", {}), tag("p", {})], search, here="/", game="cambio", is_first=False)
    assert f'href="/matches/{decision.sitting.match}#move={decision.position}"' in text
    assert "25.0 ± 3.0" in text
    assert "nothing" not in text
    assert "<form" not in text


def test_the_worst_deals_lead_to_both_matches_side_by_side(public: Client) -> None:
    link = re.search(r'href="(/matches/\d+/compare\?with=\d+)#seat=\d"', public.get(REPORT).text)
    assert link is not None
    assert public.get(link[1]).status_code == 200


def test_nobody_asks_why_the_first_loses(public: Client) -> None:
    ranking = public.get("/tournaments/1").text
    links = re.findall(r'<td class="number">(\d+)</td>.*?<a class="report" href="([^"]+)"[^>]*>([^<]+)</a>', ranking)
    assert [text == "where it gives points away" for _, _, text in links] == [place == "1" for place, _, _ in links]
    first, last = links[0], links[-1]
    assert "<h1>Where " in public.get(first[1]).text
    assert "<h1>Why " in public.get(last[1]).text
    assert last[2] == "why it loses"
