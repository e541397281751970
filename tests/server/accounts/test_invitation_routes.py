"""Invitations on the pages."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.bots.hand_in_worker import HandInWorker
from arena.packs.build import BuildTerms
from arena.run.hosting import Hosting
from arena.run.remote.tokens import token_hash
from arena.server.access import VISITOR
from arena.store import Store, open_store
from tests.server.conftest import Client

LATER = "2999-01-01T00:00:00+00:00"


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as store:
        store.invitations.add("", "author", token_hash("open"), LATER)
        store.invitations.add("boss", "organiser", token_hash("named"), LATER)
        store.invitations.add("late", "author", token_hash("expired"), "2026-01-01T00:00:00+00:00")
        yield store


@pytest.fixture
def client(own: Store) -> Client:
    return Client(own, VISITOR, hand_ins=HandInWorker(own, Hosting(), BuildTerms(), print))


def test_an_invitation_is_looked_at_and_accepted_once(client: Client, own: Store) -> None:
    for _ in range(2):
        page = client.get("/invitations/open")
        assert page.status_code == 200
        assert page.headers["cache-control"] == "no-store"
        assert page.headers["referrer-policy"] == "same-origin", "its address is a secret"
    made = client.post("/invitations/open", data={"name": "club"})
    assert made.status_code == 200
    (token,) = re.findall(r"<code>(arena_\S+?)</code>", made.text)
    identity = own.account_tokens.identify(token_hash(token))
    assert identity is not None
    assert (identity.account.name, identity.account.role) == ("club", "author")
    assert client.get("/invitations/open").status_code == 404
    assert client.post("/invitations/open", data={"name": "fox"}).status_code == 404


def test_an_invitation_may_name_the_account(client: Client, own: Store) -> None:
    assert "<b>boss</b>" in client.get("/invitations/named").text
    assert client.post("/invitations/named", data={"name": "other"}).status_code == 200
    assert [(row.name, row.role) for row in own.accounts.all()] == [("boss", "organiser")]


def test_names_that_are_taken_or_wrong_use_nothing_up(client: Client, own: Store) -> None:
    own.accounts.add("club", "author", "1" * 64)
    taken = client.post("/invitations/open", data={"name": "club"})
    assert taken.status_code == 409
    assert "club has an account already, or had one that was closed: choose another name" in taken.text
    for name in ("", "a/b", "A B"):
        assert client.post("/invitations/open", data={"name": name}).status_code == 422
    assert client.post("/invitations/open", data={"name": "fox"}).status_code == 200


def test_links_cannot_be_guessed_at_leisure(client: Client) -> None:
    assert client.get("/invitations/expired").status_code == 404
    answers = [client.get(f"/invitations/{number}").status_code for number in range(10)]
    assert answers == [404] * 9 + [429]
    assert client.get("/invitations/open").status_code == 200, "a right link works all the same"


def test_other_sites_accept_nothing(client: Client) -> None:
    assert client.post("/invitations/open", "cross-site", data={"name": "club"}).status_code == 403
