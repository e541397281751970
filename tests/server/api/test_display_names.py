"""Display names: who chooses them, and who sees them on pages and in the API."""

import csv
from html import unescape

import pytest

from arena.bots.hand_in_worker import HandInWorker
from arena.league.account_closing import close_account
from arena.league.store.leagues import Leagues
from arena.run.remote.tokens import token_hash
from arena.server.access import Access, NameAudience
from arena.store import Store
from tests import leagues
from tests.server.api.conftest import API, Account, Asker
from tests.server.conftest import Client, signed_in

NAME = "Müller, Jörg 田中"

SHOWN = (
    "/leagues/cambio",
    "/leagues/cambio/entries/ENTRY",
    "/leagues/cambio/seasons/1",
    "/leagues/cambio/board.json",
    "/leagues/cambio/board.csv",
    f"{API}/leagues/cambio/board",
    f"{API}/leagues/cambio/entries",
    f"{API}/leagues/cambio/entries/ENTRY",
    f"{API}/leagues/cambio/seasons/1",
)
"""Where the owner of an entry is named."""


@pytest.fixture
def named(own: Store) -> Store:
    """The database with a display name, and a season with a final table."""
    leagues.end_first_season(own, Leagues(own).named("cambio"))
    own.accounts.add("fox", "author", token_hash("fox"))
    own.accounts.describe("fox", display_name=NAME)
    return own


def entry_of(client: Client) -> str:
    """Return the number of the entry of fox/hen."""
    rows = client.get("/leagues/cambio/board.json?all", "*/*").json()["rows"]
    return next(str(row["entry"]) for row in rows if row["bot"].endswith(("hen@1", "/1@1")))


def showing(client: Client, **headers: str) -> set[str]:
    """Return the addresses at which the display name stands."""
    number = entry_of(client)
    answers = {path: client.get(path.replace("ENTRY", number), "*/*", **headers) for path in SHOWN}
    assert {answer.status_code for answer in answers.values()} == {200}
    escaped = NAME.encode("unicode_escape").decode().replace("\\x", "\\u00")
    return {path for path, answer in answers.items() if NAME in unescape(answer.text) or escaped in answer.text}


@pytest.mark.parametrize("names", ["organisers", "signed-in", "everyone"])
def test_whoever_may_see_display_names_sees_them_wherever_owners_are_named(
    named: Store, worker: HandInWorker, names: NameAudience
) -> None:
    client = Client(named, Access(organiser=False, names=names), hand_ins=worker)
    assert showing(client) == (set(SHOWN) if names == "everyone" else set())
    pages = {path for path in SHOWN if not path.startswith(API)}
    author = showing(client, **signed_in(named, client, "club"))
    assert author & pages == (set() if names == "organisers" else pages)
    named.accounts.add("teacher", "organiser", token_hash("teacher"))
    bearer = {"authorization": "Bearer teacher"}
    assert showing(client, **bearer) >= set(SHOWN) - pages
    assert showing(Client(named, Access(names=names))) == set(SHOWN), "the organiser's own pages"


def test_a_board_is_searched_by_display_names_of_those_who_see_them(named: Store) -> None:
    for names, is_listed in (("everyone", True), ("signed-in", False)):
        client = Client(named, Access(organiser=False, names=names))  # type: ignore[arg-type]
        page = client.get("/leagues/cambio?q=jörg").text
        assert (f'<tr id="entry-{entry_of(client)}"' in page) == is_listed


def test_rows_of_a_board_are_marked_by_the_account_and_not_by_the_display_name(named: Store) -> None:
    named.accounts.add("club", "author", token_hash("club"))
    named.accounts.describe("club", display_name="fox")
    page = Client(named, Access(organiser=False, names="everyone")).get("/leagues/cambio").text
    assert '<span data-author="fox"><bdi title="fox">Müller, Jörg 田中</bdi></span>' in page
    assert '<span data-author="club"><bdi title="club">fox</bdi></span>' in page


def test_an_owner_chooses_a_display_name_on_the_page_of_the_account(own: Store, client: Client) -> None:
    cookie = signed_in(own, client, "club")
    own.accounts.add("fox", "author", token_hash("fox"))
    own.accounts.describe("fox", display_name="Reinhard Fuchs")
    sent = client.post("/account/display-name", data={"display_name": " さくら  "}, headers=cookie)
    assert (sent.status_code, sent.headers["location"]) == (303, "/sign-in")
    assert own.accounts.display_names()["club"] == "さくら"
    page = client.get("/sign-in", **cookie).text
    assert 'value="さくら"' in page
    assert '<a href="/sign-in" aria-current="page">さくら</a>' in page
    for text in ("F0x", "reinhard fuchs", "a\u202eb", "<b>", "x" * 5000):
        refused = client.post("/account/display-name", data={"display_name": text}, headers=cookie)
        assert refused.status_code == 422
        assert "choose another display name" in refused.text or "display name" in refused.text
        assert own.accounts.display_names()["club"] == "さくら"
    assert client.post("/account/display-name", data={"display_name": ""}, headers=cookie).status_code == 303
    assert "club" not in own.accounts.display_names()
    for _ in range(3):
        client.post("/account/display-name", data={"display_name": "Owl"}, headers=cookie)
    assert client.post("/account/display-name", data={"display_name": "Eule"}, headers=cookie).status_code == 429
    assert client.post("/account/display-name", data={"display_name": "Eule"}).status_code == 403


def test_a_program_chooses_it_with_a_token_that_submits(own: Store, account: Account, visitor: Asker) -> None:
    author = account("club")
    chosen = author("POST", "/display-name", json={"display_name": "김민수"})
    assert (chosen.status_code, chosen.json()["display_name"]) == (200, "김민수")
    assert author("GET", "/token").json()["display_name"] == "김민수"
    assert author("POST", "/display-name", json={"display_name": "a/b"}).status_code == 422
    assert author("POST", "/display-name", json={}).json()["display_name"] is None
    assert visitor("POST", "/display-name", json={}).status_code == 401
    assert account("fox", "author", "read")("POST", "/display-name", json={}).status_code == 403
    assert own.accounts.display_names() == {}


def test_closing_the_account_wipes_a_display_name_everywhere(named: Store) -> None:
    client = Client(named, Access())
    assert showing(client) == set(SHOWN)
    assert close_account(named, "fox") is not None
    assert showing(client) == set()
    table = list(csv.DictReader(client.get("/leagues/cambio/board.csv?all").text.splitlines()))
    assert {row["display_name"] for row in table} == {""}
