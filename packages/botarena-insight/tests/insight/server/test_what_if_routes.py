"""Other moves are tried on the pages: by whom, with which bots, and how often."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Event, Semaphore
from typing import Any

import httpx
import pytest
import trio
from arena_insight import what_if_matches
from starlette.exceptions import HTTPException

from arena.packs.errors import PackError
from arena.packs.roster import Roster
from arena.plan.field import find_bots, samples
from arena.run.hosting import Hosting
from arena.run.single_match import keep, play_single
from arena.server.access import VISITOR, Access, account_access
from arena.server.play.hosted_matches import PlaySessions
from arena.store import Store, open_store
from arena.store.people.accounts import AUTHOR, AccountRow
from arena.store.people.submissions import SubmissionRow
from arena.values.tournament_errors import RefereeError
from referee.engine.scenario import judge
from referee.games.cambio import CAMBIO
from sample_bots import SAMPLES
from tests import leagues, played
from tests.server.conftest import PATIENCE, Client, Open, Serve

pytestmark = pytest.mark.usefixtures("in_process")

OWL, CROW = "club/owl", "lab/crow"


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A database with a finished match of club/owl and lab/crow, and one of a tournament under way."""
    with open_store(tmp_path_factory.mktemp("what-if") / "arena.db", create=True) as store:
        for name in (OWL, CROW):
            leagues.submit_file(store, name, SAMPLES["cautious"].path)
        roster = Roster(store.where, store.submissions.all())
        field = find_bots([OWL, CROW], samples("cambio"), roster, game="cambio")
        options, lines = CAMBIO.options.parse({"chips": "4"}), list[str]()
        keep(store, play_single(CAMBIO, options, field, seed=1, hosting=Hosting(), say=lines.append), lines.append)
        running = store.add_tournament(played.tournament(CAMBIO, matches=9))
        store.add_matches(running, [played.match(CAMBIO)])
        yield store


def client(store: Store, access: Access) -> Client:
    return Client(store, access, play_sessions=PlaySessions(store, Hosting()))


def author(name: str) -> Access:
    return account_access(AccountRow(name, AUTHOR, "0" * 64, "2026-01-01T00:00:00+00:00"))


def other_move(client: Client, skip: int = 0) -> dict[str, int]:
    """Return a move that was not played in match 1, as fields of the form.

    skip: leave out so many.
    """
    frames = client.get("/matches/1/story?move=0").json()["frames"]
    tables = client.get("/matches/1/tables?first=0").json()
    for frame, (legal,) in zip(frames, tables["legal"], strict=False):
        (answer,) = frame["answers"]
        choice = next((n for n, move in enumerate(legal) if move != answer["move"]), None)
        if choice is not None and (skip := skip - 1) < 0:
            return {"answer": answer["ply"], "choice": choice}
    raise AssertionError("no move was left out")


@pytest.mark.parametrize(
    ("access", "players"),
    [
        (Access(), ["club/owl@1", "lab/crow@1"]),
        (author("club"), ["club/owl@1", "cautious for lab/crow@1"]),
        (author("ann"), ["cautious for club/owl@1", "cautious for lab/crow@1"]),
    ],
    ids=["organiser", "author", "another author"],
)
def test_only_own_bots_and_sample_bots_answer(own: Store, access: Access, players: list[str]) -> None:
    site = client(own, access)
    fields = other_move(site)
    answer = site.post("/matches/1/what-if", data=fields)
    assert answer.status_code == 303, answer.text
    address, _, moment = answer.headers["location"].partition("#")
    assert address == f"/matches/1/what-if/{fields['answer']}/{fields['choice']}"
    assert moment == f"move={fields['answer']}"
    story = site.get(f"{address}/story").json()
    assert story["players"] == players
    assert story["remark"].startswith("What if ")
    changed = story["frames"][fields["answer"]]["answers"][0]
    assert (
        changed["move"] == site.get(f"{address}/tables?first=0").json()["legal"][fields["answer"]][0][fields["choice"]]
    )
    assert changed["notes"][0].startswith("what if: the record has ")
    assert site.get(f"{address}/verdict").json()["wrong"] == []
    page = site.get(address)
    assert "What if, match 1" in page.text
    assert page.headers["cache-control"] == "no-store"
    assert re.findall(r'data-base="([^"]+)"', site.get(f"{address}/compare").text) == [address, "/matches/1"]
    assert len(own.matches()) == 2  # nothing is stored


def test_bots_whose_files_were_wiped_have_sample_bots_in_their_place(
    own: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wiped(roster: Roster, row: SubmissionRow) -> Path:
        raise PackError("other files")

    monkeypatch.setattr(Roster, "folder", wiped)
    site = client(own, Access())
    answer = site.post("/matches/1/what-if", data=other_move(site, 1))
    assert answer.status_code == 303, answer.text
    story = site.get(f"{answer.headers['location'].partition('#')[0]}/story").json()
    assert story["players"] == ["cautious for club/owl@1", "cautious for lab/crow@1"]


def test_visitors_try_nothing_and_see_nothing_of_others(own: Store) -> None:
    site, visitor = client(own, Access()), client(own, VISITOR)
    fields = other_move(site)
    assert visitor.post("/matches/1/what-if", data=fields).status_code == 403
    address = f"/matches/1/what-if/{fields['answer']}/{fields['choice']}"
    assert "/sign-in" in visitor.get(address).text
    for path in ("story", "tables?first=0", "rounds", "output?seat=0", "compare"):
        assert visitor.get(f"{address}/{path}").status_code == 404
    assert "data-what-if" not in visitor.get("/matches/1").text
    assert "data-what-if" in site.get("/matches/1").text
    assert "your own where they sat there" in client(own, author("club")).get("/matches/1").text


def test_matches_of_running_tournaments_are_not_branched(own: Store) -> None:
    running = own.matches()[0].id
    fields = {"answer": 0, "choice": 0}
    assert client(own, author("club")).post(f"/matches/{running}/what-if", data=fields).status_code == 403
    assert client(own, author("club")).get(f"/matches/{running}/what-if/0/0").status_code == 403
    answer = client(own, Access()).post(f"/matches/{running}/what-if", data=fields)
    assert (answer.status_code, "its deal is still in play" in answer.text) == (422, True)


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({}, 400),
        ({"answer": "x", "choice": "0"}, 400),
        ({"answer": "9999", "choice": "0"}, 422),
        ({"answer": "0", "choice": "99"}, 422),
    ],
)
def test_what_is_no_move_is_refused(own: Store, fields: dict[str, str], status: int) -> None:
    site = client(own, Access())
    assert site.post("/matches/1/what-if", data=fields).status_code == status
    assert site.post("/matches/1/what-if", site="cross-site", data=fields).status_code == 403


def test_tries_are_limited(own: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(what_if_matches, "MOST", 1)
    site, fields = client(own, author("club")), other_move(client(own, Access()))
    assert [site.post("/matches/1/what-if", data=fields).status_code for _ in range(2)] == [303, 303]
    answer = site.post("/matches/1/what-if", data=other_move(client(own, Access()), 1))
    assert answer.status_code == 429
    assert "wait" in answer.text


def test_an_account_has_one_move_tried_at_a_time(own: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    started, go_on = Semaphore(0), Event()

    def play(*_arguments: Any) -> None:
        started.release()
        assert go_on.wait(PATIENCE / 1000)
        raise RefereeError("it ended")

    monkeypatch.setattr(what_if_matches, "play_what_if", play)
    matches = what_if_matches.WhatIfMatches(own, Hosting())
    moves = [what_if_matches.Change(1, *other_move(client(own, Access()), skip).values()) for skip in range(2)]

    def refused(name: str) -> str:
        with pytest.raises(HTTPException) as found:
            matches.play(author(name), moves[1])
        assert found.value.status_code == 429
        return found.value.detail

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(matches.play, author("club"), moves[0])
        assert started.acquire(timeout=PATIENCE / 1000)
        assert refused("club") == "you are trying another move at the moment: try again soon"
        second = pool.submit(matches.play, author("lab"), moves[0])
        assert started.acquire(timeout=PATIENCE / 1000), "there is a place for somebody else"
        assert refused("fox") == "others are trying moves at the moment: try again soon"
        go_on.set()
        for played_on in (first, second):
            with pytest.raises(RefereeError, match="it ended"):
                played_on.result()
    with pytest.raises(RefereeError, match="it ended"):
        matches.play(author("club"), moves[1])


def test_a_server_that_stops_ends_the_tries(own: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    started, ended, never = Event(), Event(), Event()

    def play(*arguments: Any) -> None:
        is_cancelled = arguments[-1]
        assert not is_cancelled()
        started.set()
        for _ in range(PATIENCE // 10):
            if is_cancelled():
                ended.set()
                break
            never.wait(0.01)
        raise RefereeError("cancelled")

    monkeypatch.setattr(what_if_matches, "play_what_if", play)
    site, fields = client(own, author("club")), other_move(client(own, Access()), 2)

    async def stop() -> None:
        async with httpx.AsyncClient(transport=site.transport, base_url="http://arena") as asking:
            with trio.fail_after(PATIENCE / 1000):
                async with trio.open_nursery() as nursery:
                    own_pages = {"sec-fetch-site": "same-origin"}
                    nursery.start_soon(partial(asking.post, "/matches/1/what-if", data=fields, headers=own_pages))
                    await trio.to_thread.run_sync(started.wait, PATIENCE / 1000)
                    nursery.cancel_scope.cancel()

    trio.run(stop)
    assert ended.is_set()


def test_without_play_no_other_moves_are_tried(own: Store) -> None:
    site = Client(own, Access())
    assert site.post("/matches/1/what-if", data={"answer": 0, "choice": 0}).status_code in (404, 405)
    assert "data-what-if" not in site.get("/matches/1").text


@pytest.mark.toolchain
def test_a_move_that_was_not_played_is_clicked(visit: Open, own: Store, serve: Serve) -> None:
    address = serve(own.where)
    fields = other_move(client(own, Access()))
    page = visit(f"{address}/matches/1#move={fields['answer']}")
    page.wait_for_selector("#question button[data-choice]")
    move = page.text_content("#question button[data-choice]")
    page.click("#question button[data-choice]")
    assert f"had answered {move}?" in page.text_content("dialog.what-if h2")
    page.click("dialog.what-if .close")
    page.wait_for_selector("dialog.what-if", state="detached")
    page.click("#question button[data-choice]")
    page.click("dialog.what-if button.main")
    page.wait_for_url(f"**/matches/1/what-if/{fields['answer']}/{fields['choice']}#move={fields['answer']}")
    page.wait_for_selector("#question .moves li[aria-current]")
    assert page.text_content("#question .moves li[aria-current]") == move
    assert "What if " in page.text_content("#remark")
    page.click("#more")
    page.select_option("#save-form", "scenario")
    with page.expect_download() as saved:
        page.click("#save")
    assert judge(saved.value.path().read_text()).word == "ok"
    page.click("text=compare with the match")
    page.wait_for_selector("#gains tbody tr")
    assert page.locator(".beside h2 a").all_inner_texts() == ["what if", "match 1"]
