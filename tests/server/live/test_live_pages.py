"""Pages whose parts change: what is sent to whom, by one reader for all."""

import json
from collections.abc import Callable
from typing import Any

import pytest
import trio
import trio.testing

from arena.replay.html import tag
from arena.server.live import live_pages
from arena.server.live.event_streams import COMMENT, HEARTBEAT
from arena.server.live.live_pages import PAUSE, REST, RETRY, SEND_SECONDS, LivePage, LivePages
from arena.server.live.page_parts import LONGEST, KnownParts, PageParts
from arena.store import StoreUnavailable


@pytest.fixture(autouse=True)
def _without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read pages in the test's own thread, as the clock would not wait for another."""

    async def run_sync(function: Callable[..., Any], *values: Any, limiter: object) -> Any:
        await trio.lowlevel.checkpoint()
        return function(*values)

    monkeypatch.setattr("trio.to_thread.run_sync", run_sync)


class Page:
    """A page with texts that a test changes.

    reads: how often it was read.
    """

    def __init__(self, **texts: str) -> None:
        self.texts = texts
        self.rows: tuple[str, ...] = ()
        self.reads = 0
        self.pulses = 0
        self.broken = False
        self.error: Exception = OSError("the disk is gone")

    def live(self) -> LivePage:
        return LivePage("league", "page", self._pulse, self._read)

    def parts(self) -> PageParts:
        return PageParts({id: tag("p", {"id": id}, text) for id, text in self.texts.items()}, self.rows)

    def _pulse(self) -> object:
        self.pulses += 1
        if self.broken:
            raise self.error
        return (dict(self.texts), self.rows).__repr__()

    def _read(self) -> PageParts:
        self.reads += 1
        return self.parts()


def read(raw: str) -> tuple[str, dict[str, Any]]:
    """Return the digest and the values of an event."""
    id, name, data = raw.rstrip("\n").split("\n")
    assert name == "event: parts"
    return id.removeprefix("id: "), json.loads(data.removeprefix("data: "))


async def watch(pages: LivePages, page: Page, digest: str, told: list[str]) -> None:
    async for text in pages.events(page.live(), digest):
        told.append(text)


def run(test: Callable[[LivePages, trio.Nursery], Any]) -> Callable[[trio.testing.MockClock], Any]:
    """Run a test with readers, which are stopped at its end."""

    async def running(autojump_clock: trio.testing.MockClock) -> None:
        pages = LivePages()
        async with trio.open_nursery() as nursery:
            await nursery.start(pages.run)
            await test(pages, nursery)
            nursery.cancel_scope.cancel()

    return running


async def _changes(pages: LivePages, nursery: trio.Nursery) -> None:
    page, told = Page(a="one", b="two"), list[str]()
    digest = page.parts().digest
    nursery.start_soon(watch, pages, page, digest, told)
    await trio.sleep(5 * PAUSE)
    assert (told, page.reads) == ([], 1), "the browser has all of it"
    page.texts["b"] = "three"
    await trio.sleep(2 * PAUSE)
    page.texts["c"], page.rows = "new", ("c",)
    await trio.sleep(2 * PAUSE)
    first, second = map(read, told)
    assert first[1] == {"parts": {"b": '<p id="b">three</p>'}}
    assert second == (page.parts().digest, {"parts": {"c": '<p id="c">new</p>'}, "rows": ["c"]})


test_only_what_has_changed_is_sent = run(_changes)


async def _fair(pages: LivePages, nursery: trio.Nursery) -> None:
    """Somebody opens forty pages and somebody else one, all of which change all the time."""
    page, times = Page(a="one"), list[float]()
    many = [LivePage("league", f"entry {number}", lambda: trio.current_time(), page.parts) for number in range(40)]

    async def follow(watched: LivePage, visitor: str, events: list[float]) -> None:
        async for _ in pages.events(watched, "", visitor):
            events.append(trio.current_time())

    def changed() -> PageParts:
        return PageParts({"a": tag("p", {"id": "a"}, str(trio.current_time()))})

    for each in many:
        nursery.start_soon(follow, each, "greedy", [])
    await trio.sleep(60)
    nursery.start_soon(follow, LivePage("league", "board", lambda: None, changed), "modest", times)
    await trio.sleep(120)
    assert len(times) > 30, "after most changes, and not once in 40 s"


async def test_who_opens_many_pages_delays_nobody_else(
    autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_pages, "_measured", lambda read: (read(), 1 / REST))
    await run(_fair)(autojump_clock)


async def _shared(pages: LivePages, nursery: trio.Nursery) -> None:
    page = Page(a="one")
    told: list[list[str]] = [[] for _ in range(200)]
    for each in told:
        nursery.start_soon(watch, pages, page, page.parts().digest, each)
    await trio.sleep(3 * PAUSE)
    page.texts["a"] = "two"
    queried = page.pulses
    began = trio.current_time()
    while not all(told):
        await trio.sleep(PAUSE)
    assert {len(each) for each in told} == {1}
    assert {id(each[0]) for each in told} == {id(told[0][0])}, "one text for all"
    assert page.reads == 2
    assert page.pulses - queried <= trio.current_time() - began + 1
    sent = trio.current_time()
    page.texts["a"] = "three"
    while not all(len(each) == 2 for each in told):
        await trio.sleep(PAUSE)
    assert trio.current_time() - sent >= REST * 200 * SEND_SECONDS - 2 * PAUSE, "it rests by the number of browsers"


test_one_reader_serves_all_who_watch = run(_shared)


async def _returns(pages: LivePages, nursery: trio.Nursery) -> None:
    page, told, later = Page(a="one", b="two"), list[str](), list[str]()
    old = page.parts().digest
    nursery.start_soon(watch, pages, page, old, told)
    await trio.sleep(PAUSE / 2)
    page.texts["b"] = "three"
    await trio.sleep(2 * PAUSE)
    nursery.start_soon(watch, pages, page, old, later)
    await trio.sleep(PAUSE)
    assert later == told, "a browser that was away gets what it has missed"
    unknown: list[str] = []
    nursery.start_soon(watch, pages, page, "of another server", unknown)
    await trio.sleep(PAUSE)
    assert set(read(unknown[0])[1]["parts"]) == {"a", "b"}


test_who_comes_back_gets_what_is_missing = run(_returns)


async def _long(pages: LivePages, nursery: trio.Nursery) -> None:
    page, told = Page(a="one"), list[str]()
    nursery.start_soon(watch, pages, page, page.parts().digest, told)
    await trio.sleep(PAUSE / 2)
    page.texts["a"] = "x" * LONGEST
    await trio.sleep(2 * PAUSE)
    page.texts["a"] = "two"
    await trio.sleep(2 * PAUSE)
    assert [text.split("\n")[1:3] for text in told] == [
        ["event: stale", "data: {}"],
        ["event: parts", 'data: {"parts": {"a": "<p id=\\"a\\">two</p>"}}'],
    ]


test_a_page_of_which_too_much_has_changed_is_loaded_again = run(_long)


async def _left(pages: LivePages, nursery: trio.Nursery) -> None:
    page, told = Page(a="one"), list[str]()
    with trio.move_on_after(3 * PAUSE):
        await watch(pages, page, page.parts().digest, told)
    await trio.sleep(PAUSE)
    queried = page.pulses
    await trio.sleep(10 * PAUSE)
    assert page.pulses == queried
    with trio.move_on_after(HEARTBEAT + PAUSE):
        await watch(pages, page, page.parts().digest, told)
    assert page.pulses > queried
    assert told == [COMMENT]


test_nothing_is_read_while_nobody_watches = run(_left)


@pytest.mark.parametrize(
    ("error", "logged"),
    [
        (OSError("the disk is gone"), "Traceback (most recent call last):"),
        (StoreUnavailable("arena.db is locked", ": try again"), "arena.db is locked: try again\n"),
    ],
)
async def test_a_page_that_cannot_be_read_stays_as_it_is(
    autojump_clock: trio.testing.MockClock, capsys: Any, error: Exception, logged: str
) -> None:
    async def broken(pages: LivePages, nursery: trio.Nursery) -> None:
        page, told = Page(a="one"), list[str]()
        page.error = error
        nursery.start_soon(watch, pages, page, page.parts().digest, told)
        await trio.sleep(3 * PAUSE)
        page.broken = True
        await trio.sleep(3 * PAUSE)
        page.broken = False
        page.texts["a"] = "two"
        await trio.sleep(RETRY + PAUSE)
        assert [read(each)[1] for each in told if each != COMMENT] == [{"parts": {"a": '<p id="a">two</p>'}}]

    await run(broken)(autojump_clock)
    shown = capsys.readouterr().err
    assert shown.startswith(logged)
    assert shown.count(str(error)) == 1


def test_rows_of_which_only_the_place_changes_are_not_sent() -> None:
    def parts(*places: str) -> PageParts:
        rows = {
            f"row-{place}": tag("tr", {}, tag("td", {}, str(n)), tag("td", {}, place)) for n, place in enumerate(places)
        }
        return PageParts(rows, tuple(rows))

    before, after = parts("a", "b"), parts("b", "a", "c")
    changes = after.changes(KnownParts.of(before))
    assert list(changes["parts"]) == ["row-c"]
    assert changes["rows"] == ("row-b", "row-a", "row-c")
    assert before.digest != parts("b", "a").digest
    assert list(after.changes(None)["parts"]) == ["row-b", "row-a", "row-c"]


def test_many_rows_are_sent_one_event_after_the_other() -> None:
    def parts(text: str) -> PageParts:
        rows = {f"row-{n}": tag("tr", {}, tag("td", {}, str(n)), tag("td", {}, text * 1000)) for n in range(200)}
        return PageParts(rows, tuple(rows))

    known, newest, sent = parts("a"), parts("b"), set[str]()
    for _ in range(4):
        following = newest.after(known)
        changed = following.changes(KnownParts.of(known))["parts"]
        assert 1000 * len(changed) < LONGEST
        assert not sent & set(changed)
        sent |= set(changed)
        known = following
    assert known is newest
    assert len(sent) == 200


def test_what_is_known_of_pages_is_bounded_by_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.server.live.live_pages.KNOWN_PARTS", 10)
    pages = LivePages()
    for state in range(6):
        pages.remember("board", Page(**{f"part{n}": f"{state}" for n in range(4)}).parts())
    assert len(pages._known) == 2
    large = Page(**{f"part{n}": "" for n in range(100)}).parts()
    pages.remember("board", large)
    assert list(pages._known) == [("board", large.digest)], "the newest state is always known"
