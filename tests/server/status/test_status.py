"""The page on which organisers see what goes on and what does not."""

import logging
import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path

import pytest

from arena.bots.hand_in_rows import HandInEnd
from arena.bots.hand_in_worker import HandInWorker
from arena.bots.hand_in_workers import HandInWorkerRow, HandInWorkers
from arena.bots.hand_ins import HandIns
from arena.language.messages import catalogue
from arena.league.store.batches import Batches
from arena.league.store.league_runs import LeagueRunRow, LeagueRuns
from arena.league.store.leagues import Leagues
from arena.packs.build import BuildTerms
from arena.run.hosting import Hosting
from arena.run.remote.tokens import token_hash
from arena.server.access import VISITOR, Access
from arena.server.status.recent_notices import KEPT, MOST, RecentNotice, RecentNotices
from arena.store import Store, open_store
from arena.store.people.accounts import AUTHOR, ORGANISER
from arena.values.rows import utc_now
from arena.values.server_log import LOGGER, log_event
from tests.server.conftest import Client

REASON = "bots cannot be unpacked into /var/<cache>: Permission denied"


@pytest.fixture
def own(league_database: Path, tmp_path: Path) -> Iterator[Store]:
    """A league of which every batch is played, by a run that has a problem; one more waits, and a hand-in too."""
    with open_store(shutil.copy(league_database, tmp_path / "arena.db"), write=True) as store:
        now = datetime.now(UTC)
        since = (now - timedelta(minutes=13)).isoformat(timespec="seconds")
        heard, league = now.isoformat(timespec="seconds"), Leagues(store).named("spring")
        LeagueRuns(store).write(
            [LeagueRunRow(league.id, "vega:4026531836:77:17", since, heard, False, since, REASON)], forgotten="9"
        )
        HandIns(store).receive("club", "club/wren", "wren.py", b"")
        yield store


def words(page: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def part(page: str, id: str) -> str:
    found = re.search(rf'<section class="sheet" id="{id}".*?</section>', page)
    assert found is not None
    return words(found[0])


def test_organisers_see_what_goes_on_and_what_does_not(own: Store) -> None:
    page = Client(own, Access()).get("/status").text
    assert f"the league spring has drawn or played nothing for 13 minutes: {REASON}" in part(page, "leagues")
    assert "vega, process 77" in part(page, "runs")
    assert part(page, "runs").endswith("spring runs")
    league = Leagues(own).named("spring")
    unplayed = Batches(own).unplayed(league.id)
    [leased] = [row for row in unplayed if row.state == "leased"]
    began = Batches(own).attempts(league.id, leased.number)[-1].began
    assert f"{leased.number} spring" in part(page, "played")
    assert began[:16].replace("T", " ") in part(page, "played")
    for row in unplayed:
        if row.state == "waiting":
            assert f"{row.number} spring {row.kind} {row.created[:16].replace('T', ' ')} 0" in part(page, "waiting")
    assert "club/wren club" in part(page, "hand-ins")
    assert part(page, "hand-ins").endswith("waits -")
    assert part(page, "checkers") == "Who checks hand-ins Nothing checks hand-ins."


def test_who_checks_hand_ins_is_told_and_why_one_does_not(own: Store) -> None:
    for host, jobs, problem in (("vega", 2, ""), ("mira", 1, "it lacks go"), ("web", 0, "")):
        row = HandInWorkerRow(f"{host}:1:77:1", not jobs, utc_now(), utc_now(), jobs, (), 1, 1, problem)
        HandInWorkers(own).write(row)
    silent = (datetime.now(UTC) - timedelta(minutes=5)).isoformat(timespec="seconds")
    HandInWorkers(own).write(HandInWorkerRow("ceti:1:77:1", False, silent, silent, 3, (), 1, 1))
    claimed = HandIns(own).claim("vega:1:77:1", 60.0)
    assert claimed is not None
    page = Client(own, Access()).get("/status").text
    rows = re.findall(
        r"(\w+), process 77 [-0-9]+ [0-9:]+ [-0-9]+ [0-9:]+ (\d) (checks|gone|it lacks go)", part(page, "checkers")
    )
    assert sorted(rows) == [("ceti", "3", "gone"), ("mira", "1", "it lacks go"), ("vega", "2", "checks")]
    assert part(page, "hand-ins").endswith("is checked vega, process 77")


def test_hand_ins_that_can_be_checked_again_are_listed(own: Store) -> None:
    claimed = HandIns(own).claim("vega:1:77:1", 60.0)
    assert claimed is not None
    assert part(Client(own, Access()).get("/status").text, "refused").endswith("None.")
    HandIns(own).finish(claimed.claim, "refused", "is refused: it dials in", HandInEnd(1, {"found": []}))
    page = Client(own, Access()).get("/status").text
    assert "club/wren" in part(page, "refused")
    assert part(page, "refused").endswith("refused is refused: it dials in"), "who is not signed in decides nothing"
    own.accounts.add("eve", ORGANISER, token_hash("eve"))
    client = Client(own, VISITOR, hand_ins=HandInWorker(own, Hosting(), BuildTerms(), print))
    cookie = client.post("/sign-in", data={"token": "eve"}).headers["set-cookie"].partition(";")[0]
    page = client.get("/status?lang=en", cookie=cookie).text
    assert '<a href="/hand-ins">check some of them again</a>' in page


def test_what_has_stood_still_for_too_long_stands_first(own: Store) -> None:
    client = Client(own, Access())
    assert REASON in part(client.get("/status").text, "problems"), "also where the server has just started"
    with own.write() as connection:
        connection.exec_driver_sql("UPDATE league_runs SET failing_since = NULL, problem = ''")
    assert "Nothing stands still." in client.get("/status").text


def test_more_batches_than_fit_are_counted(own: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.server.status.routes.MOST_BATCHES", 0)
    waiting = [row for row in Batches(own).unplayed(Leagues(own).named("spring").id) if row.state == "waiting"]
    assert f"and {len(waiting)} more" in words(Client(own, Access()).get("/status").text)


def test_a_paused_league_and_a_run_that_is_gone_are_told(own: Store) -> None:
    league = Leagues(own).named("spring")
    LeagueRuns(own).write([LeagueRunRow(league.id, "vega", "2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z")], "")
    Leagues(own).set_state(league.id, "paused", "ann")
    page = Client(own, Access()).get("/status").text
    assert "spring paused" in part(page, "leagues")
    assert REASON not in page
    assert "spring gone" in part(page, "runs")
    Leagues(own).set_state(league.id, "closed", "ann")
    assert "There are no open leagues." in part(Client(own, Access()).get("/status").text, "leagues")


def test_only_organisers_see_it_and_its_link(own: Store) -> None:
    worker = HandInWorker(own, Hosting(), BuildTerms(), print)
    client = Client(own, VISITOR, hand_ins=worker)
    assert client.get("/status").status_code == 403
    assert 'href="/status"' not in client.get("/leagues").text
    for name, role, status in (("ann", AUTHOR, 403), ("eve", ORGANISER, 200)):
        own.accounts.add(name, role, token_hash(name))
        cookie = client.post("/sign-in", data={"token": name}).headers["set-cookie"].partition(";")[0]
        answer = client.get("/status", cookie=cookie)
        assert (answer.status_code, answer.headers["cache-control"]) == (status, "no-store")
        assert ('href="/status"' in client.get("/leagues", cookie=cookie).text) == (status == 200)


@pytest.mark.parametrize("language", ["ko", "ja"])
def test_it_is_translated(own: Store, language: str) -> None:
    page = Client(own, Access()).get(f"/status?lang={language}").text
    assert f'<html lang="{language}">' in page
    for text in ("Status", "What referees play", "Batches that wait", "Hand-ins that are not finished", "waits"):
        assert catalogue(language)[text] in page
    assert "Who runs leagues" not in page


def test_notices_are_those_of_the_last_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    notices = RecentNotices()
    with notices.listening():
        log_event("batch_failed", "batch 3 came to no result", level=logging.WARNING)
        log_event("batch_stored", "batch 4 is stored")
        LOGGER.error("a mistake", extra={"event": "bug"})
    log_event("batch_failed", "nobody listens any more", level=logging.WARNING)
    now = datetime.now(UTC)
    newest = notices.newest(now)
    assert [notice.event for notice in newest] == ["bug", "batch_failed"]
    assert notices.newest(now + KEPT + timedelta(seconds=5)) == []
    with notices.listening():
        for number in range(MOST + 1):
            log_event("trouble", f"number {number}", level=logging.WARNING)
    assert len(notices.newest(datetime.now(UTC))) == MOST


def test_notices_are_shown_as_text(own: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    said = RecentNotice(datetime.now(UTC), "trouble", "the disk <b>/srv</b> is full")
    monkeypatch.setattr(RecentNotices, "newest", lambda _, now: [said])
    handlers = list(LOGGER.handlers)
    page = Client(own, Access()).get("/status").text
    assert "trouble the disk <b>/srv</b> is full" in part(page, "notices")
    assert "<b>/srv" not in page
    assert LOGGER.handlers == handlers, "a site that is not up listens to nothing"
