"""What somebody who is signed in is shown is kept by no cache; what visitors are shown may be."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.bots.hand_in_worker import HandInWorker
from arena.packs.build import BuildTerms
from arena.run.hosting import Hosting
from arena.run.remote.tokens import new_token, token_hash
from arena.server.access import VISITOR
from arena.server.files import bundle
from arena.store import Store, open_store
from tests import installed
from tests.server.api.conftest import fill
from tests.server.conftest import Client

PAGES = (
    "/",
    "/bots",
    "/bots/a",
    "/failures",
    "/hand-ins",
    "/leagues",
    "/leagues/cambio",
    "/leagues/cambio/board.csv",
    "/leagues/cambio/board.json",
    "/leagues/cambio/entries/1",
    "/leagues/cambio/feed.atom",
    "/matches",
    "/matches/1",
    "/matches/1/compare",
    "/matches/1/output?seat=0",
    "/matches/1/question?move=1",
    "/matches/1/rounds",
    "/matches/1/scenario?move=1",
    "/matches/1/story",
    "/matches/1/tables?first=0",
    "/matches/1/verdict",
    "/sign-in",
    "/submit",
    "/tournaments/1",
    "/tournaments/1/matches.csv",
    "/tournaments/1/ranking",
    *installed.of("webhooks", "/webhooks"),
)

OWN = ("/hand-ins", "/submit", *installed.of("webhooks", "/webhooks"))
"""Those that visitors do not get."""


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as store:
        fill(store)
        yield store


def client_of(store: Store) -> Client:
    return Client(store, VISITOR, hand_ins=HandInWorker(store, Hosting(), BuildTerms(), print))


def test_nobody_keeps_what_somebody_who_is_signed_in_is_shown(own: Store) -> None:
    token = new_token()
    own.accounts.add("a", "author", token_hash(token))
    client = client_of(own)
    cookie = client.post("/sign-in", data={"token": token}).headers["set-cookie"].partition(";")[0]
    assert "printed by a" in client.get(f"/matches/1/output?seat={own.match(1).players.index('a')}", cookie=cookie).text
    for page in PAGES:
        answer = client.get(page, cookie=cookie)
        assert (page, answer.status_code, answer.headers["cache-control"]) == (page, 200, "no-store")


def test_answers_to_visitors_may_be_kept_for_visitors(own: Store) -> None:
    client = client_of(own)
    for page in PAGES:
        answer = client.get(page)
        assert answer.status_code == (403 if page in OWN else 200), page
        if "cache-control" in answer.headers:
            assert (page, answer.headers["cache-control"]) == ("/tournaments/1/matches.csv", "no-store")
        else:
            assert "cookie" in answer.headers["vary"].lower(), page


def test_files_of_the_site_are_kept_whoever_asks(own: Store) -> None:
    token = new_token()
    own.accounts.add("a", "author", token_hash(token))
    client = client_of(own)
    cookie = client.post("/sign-in", data={"token": token}).headers["set-cookie"].partition(";")[0]
    style = bundle("site.css")
    assert style is not None
    answer = client.get(f"/static/site.css?v={style.digest}", cookie=cookie)
    assert "immutable" in answer.headers["cache-control"]
    assert "cookie" not in answer.headers["vary"].lower()
