"""Values that no database holds are refused at the door, on pages and by the API: no server error, and no bug."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from arena.bots.hand_in_worker import HandInWorker
from arena.packs.build import BuildTerms
from arena.run.hosting import Hosting
from arena.run.remote.tokens import new_token, token_hash
from arena.server.access import VISITOR
from arena.server.requests.parameters import LARGEST_NUMBER
from arena.store import Store, open_store
from arena.store.engine.errors import ValueRefused
from tests import installed
from tests.server.api.conftest import fill
from tests.server.conftest import Client

TOKEN = new_token()

MISSING = (
    "/tournaments/{}",
    "/tournaments/{}/events",
    "/tournaments/{}/matches.csv",
    "/failures?tournament={}",
    "/matches?tournament={}",
    "/matches/{}",
    "/matches/{}/compare",
    "/leagues/cambio/batches/{}",
    "/leagues/cambio/batches/{}/events",
    "/leagues/cambio/entries/{}",
    "/leagues/cambio/entries/{}/events",
    "/leagues/cambio/seasons/{}",
    "/leagues/cambio/snapshots/{}",
    "/api/v1/hand-ins/{}",
    "/api/v1/leagues/cambio/batches/{}",
    "/api/v1/leagues/cambio/entries/{}",
    "/api/v1/leagues/cambio/seasons/{}",
    "/api/v1/matches/{}",
    "/api/v1/tournaments/{}",
    *installed.of("insight", "/tournaments/{}/why/{}", "/matches/{}/analysis", "/leagues/cambio/entries/{}/why"),
    *installed.of("webhooks", "/api/v1/webhooks/{}", "/api/v1/webhooks/{}/deliveries"),
    "/api/v1/matches?tournament={}",
    "/api/v1/matches?league=cambio&batch={}",
)
"""Addresses of things with a number; no database has one that large."""

FILTERS = (
    "/matches?league=cambio&batch={}&table={}",
    "/failures?before={}",
    "/leagues/cambio/batches?before={}",
    "/matches?before={}",
    "/matches?seat={}&bot=a",
    "/api/v1/hand-ins?before={}",
    "/api/v1/leagues/cambio/batches?before={}",
    "/api/v1/matches?before={}",
    "/api/v1/tournaments?before={}",
)
"""Addresses of lists with a number in their query."""


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.toolchain)])
def arena(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    """The site of a database in a file or on a server. Nothing may be reported to the organiser."""
    where = request.getfixturevalue("postgres").database() if request.param == "postgres" else tmp_path / "a.db"
    reported: list[Exception] = []
    for module in ("arena.server.requests.error_pages", "arena.server.api.problems"):
        monkeypatch.setattr(f"{module}.report_bug", reported.append)
        monkeypatch.setattr(f"{module}.report_trouble", reported.append)
    with open_store(where, create=True) as store:
        fill(store)
        store.accounts.add("club", "author", token_hash(new_token()))
        assert store.account_tokens.add("club", "test", ("read", "submit"), token_hash(TOKEN), None) is not None
        yield Client(store, VISITOR, hand_ins=HandInWorker(store, Hosting(), BuildTerms(), print))
    assert reported == []


def ask(arena: Client, path: str) -> httpx.Response:
    return arena.get(path, "*/*", authorization=f"Bearer {TOKEN}")


@pytest.mark.parametrize("number", [2**31, LARGEST_NUMBER])
def test_numbers_beyond_all_columns_are_found_nowhere(arena: Client, number: int) -> None:
    for path in MISSING:
        answer = ask(arena, path.replace("{}", str(number)))
        assert answer.status_code == 404, (path, answer.text)
    for path in FILTERS:
        answer = ask(arena, path.replace("{}", str(number)))
        assert answer.status_code == 200, (path, answer.text)


def test_a_value_that_a_database_refuses_is_no_bug(arena: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_store: Store, *_: object) -> None:
        raise ValueRefused("the database /srv/arena.db cannot hold a value: integer out of range")

    monkeypatch.setattr(Store, "tournament", refuse)
    for path in ("/tournaments/1", "/api/v1/tournaments/1"):
        answer = ask(arena, path)
        assert (answer.status_code, "none that the database can hold" in answer.text) == (400, True)
        assert "/srv" not in answer.text


WITH_NUL = {
    "/bots/a%00": 404,
    "/invitations/%00": 404,
    "/leagues/%00": 404,
    "/leagues/%00/events": 404,
    "/leagues/cambio%00/feed.atom": 404,
    "/bots?name=%00": 400,
    "/failures?bot=%00": 400,
    "/matches?bot=%00": 400,
    "/matches?league=%00": 400,
    "/api/v1/bots/a%00b/c": 404,
    "/api/v1/leagues/%00": 404,
    "/api/v1/leagues/%00/events": 404,
    "/api/v1/matches?bot=%00": 400,
}


def test_addresses_with_a_nul_character_are_refused(arena: Client) -> None:
    assert {path: ask(arena, path).status_code for path in WITH_NUL} == WITH_NUL


@pytest.mark.parametrize("name", [r"\u0000", r"a\\\u0000b"])
def test_bodies_with_a_nul_character_are_refused(arena: Client, name: str) -> None:
    headers = {"authorization": f"Bearer {TOKEN}", "content-type": "application/json"}
    for path, said in (
        ("/leagues/cambio/challenges", f'{{"bot": "{name}", "against": ["{name}"]}}'),
        *installed.of("webhooks", ("/webhooks", f'{{"url": "https://{name}.org"}}')),
    ):
        answer = arena.ask("POST", f"/api/v1{path}", headers=headers, content=said)
        assert (answer.status_code, answer.json()["detail"]) == (400, "the body has a NUL character")
    form = arena.post("/sign-in", data={"token": "a\0"})
    assert (form.status_code, "the body has a NUL character" in form.text) == (400, True)


def test_a_backslash_before_u0000_is_no_nul_character(arena: Client) -> None:
    headers = {"authorization": f"Bearer {TOKEN}", "content-type": "application/json"}
    said = r'{"bot": "a\\u0000", "against": ["b"]}'
    answer = arena.ask("POST", "/api/v1/leagues/cambio/challenges", headers=headers, content=said)
    assert "NUL" not in answer.text


def test_files_whose_name_has_a_nul_character_are_refused(arena: Client) -> None:
    headers = {"authorization": f"Bearer {TOKEN}", "content-type": "multipart/form-data; boundary=b"}
    part = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a\0.py"\r\n\r\nx\r\n--b--\r\n'
    answer = arena.ask("POST", "/api/v1/hand-ins?name=club/owl", headers=headers, content=part)
    assert (answer.status_code, "NUL" in answer.json()["detail"]) == (400, True)
