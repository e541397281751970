"""Leagues and hand-ins as server-sent events."""

import json
from collections.abc import AsyncGenerator
from typing import cast

import trio
import trio.testing

from arena.bots.hand_in_places import HandInPlaces
from arena.bots.hand_in_rows import HandInEnd
from arena.bots.hand_ins import HandIns
from arena.league.store.batches import Batches
from arena.league.store.league_rows import Lease
from arena.league.store.leagues import Leagues
from arena.server.api.event_feeds import PAUSE, Feeds
from arena.server.live.event_streams import COMMENT, HEARTBEAT, EventStream, StreamCounter
from arena.store import Store
from arena.store.engine.worker_name import worker_name


async def stream(feeds: Feeds, subject: str | int) -> AsyncGenerator[str, None]:
    response = await (feeds.league(subject) if isinstance(subject, str) else feeds.hand_in(subject))
    assert isinstance(response, EventStream)
    return cast(AsyncGenerator[str, None], response.body_iterator)


def values(event: str) -> dict[str, object]:
    name, data = event.rstrip("\n").split("\n")
    assert name in ("event: league", "event: hand-in")
    return dict(json.loads(data.removeprefix("data: ")))


async def test_a_league_is_followed_until_it_is_closed(own: Store, autojump_clock: trio.testing.MockClock) -> None:
    feeds = Feeds(own, StreamCounter(), HandInPlaces(own))
    league = Leagues(own).named("cambio").id
    Batches(own).lease(league, "runner", 0, 2**60)
    events = await stream(feeds, "cambio")
    first = values(await anext(events))
    assert (first["state"], first["batches"], first["playing"], first["waiting"]) == ("open", 1, 1, 0)
    Leagues(own).set_state(league, "closed", "ann")
    assert values(await anext(events))["state"] == "closed"
    assert await anext(events) == COMMENT, "the batch under way is waited for"
    assert trio.current_time() >= HEARTBEAT
    assert Batches(own).give_back(Lease(league, 2, 1), "released") is False
    assert values(await anext(events))["playing"] == 0
    assert [event async for event in events] == []


async def test_streams_share_their_queries(own: Store, autojump_clock: trio.testing.MockClock) -> None:
    feeds = Feeds(own, StreamCounter(), HandInPlaces(own))
    queries = 0
    query = feeds._league

    def counted(name: str) -> object:
        nonlocal queries
        queries += 1
        return query(name)

    feeds._league = counted  # type: ignore[method-assign,assignment]
    streams = [await stream(feeds, "cambio") for _ in range(5)]
    asked = queries
    for each in streams:
        await anext(each)
    assert queries == asked + 1
    for each in streams:
        await each.aclose()
    assert feeds._reads._latest == {}, "nothing is kept of what nobody follows"


async def test_a_hand_in_is_followed_until_it_is_finished(own: Store, autojump_clock: trio.testing.MockClock) -> None:
    id = HandIns(own).receive("club", "club/owl", "owl.py", b"x")
    events = await stream(Feeds(own, StreamCounter(), HandInPlaces(own)), id)
    assert values(await anext(events))["state"] == "received"
    found = HandIns(own).claim(worker_name(), 60.0)
    assert found is not None
    assert values(await anext(events))["state"] == "building"
    HandIns(own).finish(found.claim, "refused", "is refused: it ended", HandInEnd(2500))
    last = values(await anext(events))
    assert (last["state"], last["is_finished"], last["sentence"]) == ("refused", True, "is refused: it ended")
    assert [event async for event in events] == []
    assert trio.current_time() <= 10 * PAUSE
