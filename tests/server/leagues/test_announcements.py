"""Announcements on the pages of a league: who reads and who writes them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.server.access import VISITOR
from arena.store import Store, open_store
from arena.store.people.accounts import AUTHOR, ORGANISER
from tests import leagues
from tests.server.conftest import Client, account_client

PAGE = "/leagues/cambio/announcements"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as opened:
        leagues.cambio(opened)
        yield opened


def test_organisers_write_and_everybody_reads(store: Store) -> None:
    organiser, visitor = account_client(store, ORGANISER), Client(store, VISITOR)
    assert "Nothing has been announced yet." in visitor.get(PAGE).text
    assert "<textarea" not in visitor.get(PAGE).text
    assert 'id="announcement" class="sheet" hidden' in visitor.get("/leagues/cambio").text
    text = "<b>H2</b> & https://a.example/x."
    assert organiser.post(PAGE, data={"text": text}).status_code == 303
    link = '<a href="https://a.example/x" rel="nofollow noopener noreferrer">https://a.example/x</a>.'
    for path in (PAGE, "/leagues/cambio"):
        assert f"&lt;b&gt;H2&lt;/b&gt; &amp; {link}" in visitor.get(path).text
    assert "announcement: &lt;b&gt;H2" in visitor.get("/leagues/cambio/feed.atom").text
    organiser.post(PAGE, data={"text": "H3", "number": "1"})
    page = visitor.get(PAGE).text
    assert ("changed" in page, "earlier texts" in page, "&lt;b&gt;H2" in page) == (True, True, True)
    organiser.post(PAGE, data={"number": "1", "decision": "retract"})
    assert "Retracted" in visitor.get(PAGE).text
    assert 'id="announcement" class="sheet" hidden' in visitor.get("/leagues/cambio").text
    assert "announcement:" not in visitor.get("/leagues/cambio/feed.atom").text


@pytest.mark.parametrize("fields", [{"text": ""}, {"text": "x" * 3000}, {"text": "x", "number": "one"}, {}])
def test_what_cannot_be_written_is_refused_with_a_sentence(store: Store, fields: dict[str, str]) -> None:
    assert 400 <= account_client(store, ORGANISER).post(PAGE, data=fields).status_code < 500


def test_nobody_else_writes(store: Store) -> None:
    for other in (account_client(store, AUTHOR), Client(store, VISITOR)):
        assert other.post(PAGE, data={"text": "x"}).status_code == 403
        assert "<textarea" not in other.get(PAGE).text
    assert account_client(store, ORGANISER).post(PAGE, site="cross-site", data={"text": "x"}).status_code == 403
    assert "Nothing has been announced yet." in Client(store, VISITOR).get(PAGE).text
