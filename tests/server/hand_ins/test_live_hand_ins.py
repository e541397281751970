"""A hand-in that is followed: as server-sent events, and at a server that is killed in mid-check."""

import json
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
import trio
import trio.testing

from arena.bots.hand_in_places import HandInPlaces
from arena.bots.hand_in_rows import HandInEnd, HandInRow, HandInStep
from arena.bots.hand_ins import HandIns
from arena.league.results.hand_in_notices import unplayed_notice
from arena.league.store.league_rows import Final
from arena.league.store.leagues import Leagues
from arena.league.store.seasons import Seasons
from arena.run.remote.tokens import token_hash
from arena.server.api.hand_in_values import hand_in_values
from arena.server.hand_ins import entries
from arena.server.hand_ins.live import PAUSE, LiveHandIns
from arena.server.live.event_streams import COMMENT, HEARTBEAT, event
from arena.store import Store, open_store
from arena.store.engine.worker_name import worker_name
from sample_bots import SAMPLES
from tests import leagues
from tests.uploads import PLAYS_HYPP
from tools.serving import Server, served


async def test_each_step_is_sent_as_it_is_finished(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    with open_store(tmp_path / "a.db", create=True) as store:
        id = HandIns(store).receive("club", "club/owl", "owl.py", b"x")

        def changes() -> Iterator[None]:
            found = HandIns(store).claim(worker_name(), 60.0)
            assert found is not None
            yield
            HandIns(store).begin_check(found.claim)
            yield
            HandIns(store).add_step(found.claim, HandInStep("starts", "failed", "<b>it ended</b>"))
            yield
            HandIns(store).finish(found.claim, "refused", "is refused: starts: it ended", HandInEnd(2500))
            yield

        script = changes()
        events = [
            event async for event in LiveHandIns(store, HandInPlaces(store)).events(id, lambda: next(script, None))
        ]
    *progress, over = [event.rstrip("\n").split("\n") for event in events]
    assert over == ["event: over", "data: {}"]
    assert {name for name, _ in progress} == {"event: progress"}
    pages = [json.loads(data.removeprefix("data: ")) for _, data in progress]
    assert [page.partition("</h2>")[0].rpartition(">")[2] for page in pages] == [
        "club/owl is received and waits for its check",
        "club/owl is being unpacked and built",
        "club/owl is being checked",
        "club/owl is being checked",
        "club/owl is refused: starts: it ended",
    ]
    assert "Place 1 in the queue, nobody knows yet how long a check takes." in pages[0]
    assert ["&lt;b&gt;it ended&lt;/b&gt;" in page for page in pages] == [False, False, False, True, True]
    assert "checked in 2.5 s" in pages[-1]
    assert trio.current_time() == 4 * PAUSE


async def test_a_page_says_that_the_server_was_too_busy(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    with open_store(tmp_path / "a.db", create=True) as store:
        id = HandIns(store).receive("club", "club/owl", "owl.py", b"x")
        found = HandIns(store).claim(worker_name(), 60.0)
        assert found is not None
        HandIns(store).postpone(found.claim, "the machine was too busy", HandInEnd(1))
        followed = LiveHandIns(store, HandInPlaces(store)).events(id, lambda: HandIns(store).cancel(id) and None)
        page, *_ = [event async for event in followed]
    assert "club/owl was not checked, as the server was too busy, and is tried again by itself" in page


@pytest.fixture
def accepted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Store, int]]:
    """A database with the league club, and an accepted hand-in of a bot for its game that is not entered yet."""
    monkeypatch.setattr(entries, "ENTERS_WITHIN", 3600.0)
    with open_store(tmp_path / "a.db", create=True) as store:
        leagues.cambio(store, "club")
        id = HandIns(store).receive("town", "town/owl", "owl.py", b"x")
        row = leagues.submit_file(store, "town/owl", SAMPLES["random"].path)
        found = HandIns(store).claim(worker_name(), 60.0)
        assert found is not None
        HandIns(store).finish(found.claim, "accepted", "is accepted as version 1", HandInEnd(1), same=row)
        yield store, id


async def test_an_accepted_bot_is_followed_until_its_leagues_have_entered_it(
    accepted: tuple[Store, int], autojump_clock: trio.testing.MockClock
) -> None:
    store, id = accepted
    events = LiveHandIns(store, HandInPlaces(store)).events(id)
    assert ">club</a>: it enters within seconds.</li>" in json.loads((await anext(events)).partition("data: ")[2])
    Leagues(store).enter(1, leagues.entry(store.submissions.version("town/owl", 1)), "arena")
    page = json.loads((await anext(events)).partition("data: ")[2])
    [entry] = Leagues(store).entries_of("town/owl", 1)
    assert f'>club</a>: <a href="/leagues/club/entries/{entry.number}">it is being placed</a>.</li>' in page
    assert await anext(events) == event("over", {})
    assert [each async for each in events] == []
    Leagues(store).change_entry(1, entry.number, "suspended", "ann", "too slow")
    page, over = [each async for each in LiveHandIns(store, HandInPlaces(store)).events(id)]
    assert ">it is suspended</a>." in json.loads(page.partition("data: ")[2])
    assert over == event("over", {})


async def test_an_accepted_bot_that_no_open_league_plays_is_told_so(
    accepted: tuple[Store, int], autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entries, "ENTERS_WITHIN", 0.0)
    store, _ = accepted
    id = HandIns(store).receive("town", "town/elk", "elk.py", b"x")
    found = HandIns(store).claim(worker_name(), 60.0)
    assert found is not None
    HandIns(store).begin_check(found.claim, ("hypp", "coch"))
    row = leagues.submit_file(store, "town/elk", SAMPLES["random"].path)
    HandIns(store).finish(found.claim, "accepted", "is accepted as version 1", HandInEnd(1), same=row)

    async def notice() -> str:
        first, _ = [shown async for shown in LiveHandIns(store, HandInPlaces(store)).events(id)]
        page: str = json.loads(first.partition("data: ")[2])
        assert "is accepted as version 1" in page
        return page.partition('<p id="notice" class="notice">')[2].partition("</p>")[0]

    none = "No open league plays hypp or coch, so the bot enters none for now"
    assert await notice() == f"{none}; those that are open play cambio."
    [value] = hand_in_values(store, [HandIns(store).find(id)], HandInPlaces(store))
    assert value.notices == [f"n{none[1:]}; those that are open play cambio"]
    Leagues(store).set_state(1, "closed", "ann")
    assert await notice() == f"{none}."
    Leagues(store).enter(1, leagues.entry(row), "arena")
    assert await notice() == "", "it was entered once"


@pytest.mark.parametrize("games", [(), ("cambio",), ("hypp", "cambio")])
def test_a_bot_that_an_open_league_plays_has_no_such_notice(
    accepted: tuple[Store, int], games: tuple[str, ...]
) -> None:
    store, _ = accepted
    assert unplayed_notice(Leagues(store).all(), games) == ""
    assert unplayed_notice([], games) == "", "where there are no leagues nobody expects one"


def test_of_many_games_the_number_is_told(accepted: tuple[Store, int]) -> None:
    store, _ = accepted
    notice = unplayed_notice(Leagues(store).all(), [f"game{number}" for number in range(9)])
    assert notice.startswith("no open league plays any of its 9 games, so ")


def closed(store: Store) -> None:
    Leagues(store).set_state(1, "closed", "ann")


def frozen(store: Store) -> None:
    assert Seasons(store).freeze(1, 1, Final(2, 2, closes=False), "ann")


def replaced(store: Store) -> None:
    leagues.submit_file(store, "town/owl", SAMPLES["counter"].path)


def taken_down(store: Store) -> None:
    store.submissions.retire("town/owl", [1])


def ruled_otherwise(store: Store) -> None:
    leagues.change_definition(store, "club", behaviour=9)


@pytest.mark.parametrize("change", [ruled_otherwise, closed, frozen, replaced, taken_down])
async def test_a_league_that_does_not_enter_a_bot_is_not_waited_for(
    accepted: tuple[Store, int], autojump_clock: trio.testing.MockClock, change: Callable[[Store], None]
) -> None:
    store, id = accepted
    change(store)
    assert [each async for each in LiveHandIns(store, HandInPlaces(store)).events(id)][1:] == [event("over", {})]
    assert trio.current_time() == 0


async def test_a_league_that_nobody_plays_is_waited_for_a_moment(
    accepted: tuple[Store, int], autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, id = accepted
    events = LiveHandIns(store, HandInPlaces(store)).events(id)
    assert "it enters within seconds" in await anext(events)
    monkeypatch.setattr(entries, "ENTERS_WITHIN", 0.0)
    assert "it enters" not in await anext(events)
    assert [each async for each in events] == [event("over", {})]


async def test_a_hand_in_that_waits_sends_a_heartbeat(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> None:
    with open_store(tmp_path / "a.db", create=True) as store:
        id = HandIns(store).receive("club", "club/owl", "owl.py", b"x")
        events = LiveHandIns(store, HandInPlaces(store)).events(id)
        assert "Place 1 in the queue" in await anext(events)
        assert await anext(events) == COMMENT
        assert trio.current_time() == HEARTBEAT
        await events.aclose()


async def test_pages_of_a_hand_in_share_their_queries(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_store(tmp_path / "a.db", create=True) as store:
        id = HandIns(store).receive("club", "club/owl", "owl.py", b"x")
        asked: list[float] = []
        find = HandIns(store).find

        def counted(_: HandIns, id: int) -> HandInRow:
            if len(asked) == 4:
                HandIns(store).cancel(id)
            asked.append(trio.from_thread.run_sync(trio.current_time))
            return find(id)

        monkeypatch.setattr(HandIns, "find", counted)
        live = LiveHandIns(store, HandInPlaces(store))
        told: list[list[str]] = []

        async def follow() -> None:
            told.append([text async for text in live.events(id)])

        async with trio.open_nursery() as nursery:
            for _ in range(64):
                nursery.start_soon(follow)
    assert asked == [PAUSE * n for n in range(5)]
    assert told == [told[0]] * 64
    assert ["is received" in told[0][0], "was cancelled" in told[0][1], *told[0][2:]] == [True, True, event("over", {})]
    assert live._reads._latest == {}, "nothing is kept of what nobody follows"


@contextmanager
def signed_in(server: Server, token: str) -> Iterator[httpx.Client]:
    headers = {"sec-fetch-site": "same-origin", "accept": "application/json"}
    with httpx.Client(base_url=server.address, headers=headers, timeout=60) as client:
        assert client.post("/sign-in", data={"token": token}).status_code == 303
        yield client


@pytest.mark.processes
def test_a_server_that_is_killed_in_mid_check_takes_the_hand_in_up_again(tmp_path: Path) -> None:
    database, token = tmp_path / "a.db", "arena_token"
    with open_store(database, create=True) as store:
        store.accounts.add("club", "author", token_hash(token))
    with served(database, "--sign-in") as server, signed_in(server, token) as client:
        query = {"name": "club/owl", "file": "owl.zip"}
        answer = client.post("/submit", params=query, content=PLAYS_HYPP)
        assert answer.status_code == 202
        at = answer.json()["address"]
        with client.stream("GET", f"{at}/events") as stream:
            assert any("is being checked" in line and "first answer" in line for line in stream.iter_lines())
            os.kill(server.pid, signal.SIGKILL)
    with served(database, "--sign-in") as server, signed_in(server, token) as client:
        with client.stream("GET", f"{at}/events") as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            *_, last = filter(None, stream.iter_lines())
        assert last == "data: {}"
        assert "club/owl is accepted as version 1" in client.get(at).text
    with open_store(database) as store:
        row = HandIns(store).find(1)
        assert (row.state, row.attempt, row.abandoned) == ("accepted", 2, 1)
        assert [row.title for row in store.submissions.all()] == ["club/owl@1"]
