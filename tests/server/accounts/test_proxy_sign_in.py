"""Sign-in by the header of a trusted proxy."""

from collections.abc import Iterator
from ipaddress import ip_network
from pathlib import Path

import httpx
import pytest

from arena.bots.hand_in_worker import HandInWorker
from arena.packs.build import BuildTerms
from arena.run.hosting import Hosting
from arena.server.access import VISITOR
from arena.server.accounts.proxy_sign_in import ProxySignIn
from arena.server.requests.proxies import TrustedProxies
from arena.store import Store, open_store
from tests.server.conftest import Client
from tools.serving import served

HEADER = "X-Remote-User"


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as store:
        yield store


def site(store: Store, *proxies: str, creates: bool = True, said: list[str] | None = None) -> Client:
    """Return a client whose requests come from 127.0.0.1."""
    say = (said if said is not None else []).append
    networks = TrustedProxies([ip_network(each) for each in proxies])
    proxy = ProxySignIn(store, HEADER, networks, say, creates=creates)
    worker = HandInWorker(store, Hosting(), BuildTerms(), print)
    return Client(store, VISITOR, hand_ins=worker, proxy=proxy)


def test_whom_the_proxy_names_is_signed_in_and_hands_in(own: Store) -> None:
    client = site(own, "127.0.0.0/8")
    page = client.get("/submit", **{HEADER: "jane.doe@uni.example"})
    assert 'value="jane-doe/"' in page.text
    assert client.get("/submit").status_code == 403, "without the header nobody is"
    sent = client.post(
        "/submit",
        params={"name": "jane-doe/owl", "file": "owl.py"},
        content=b"import x",
        headers={HEADER: "jane.doe@uni.example"},
    )
    assert sent.status_code == 303
    assert [(row.name, row.role, row.login) for row in own.accounts.all()] == [
        ("jane-doe", "author", "jane.doe@uni.example")
    ]


def test_nobody_of_apache_is_nobody_and_names_of_logs_are_given_to_nobody(own: Store) -> None:
    client = site(own, "127.0.0.1")
    assert client.get("/submit", **{HEADER: "(null)"}).status_code == 403
    assert own.accounts.all() == []
    assert client.get("/submit", **{HEADER: "arena@uni.example"}).status_code == 200
    assert [row.name for row in own.accounts.all()] == ["arena-1"]


def test_no_login_gets_the_account_of_another(own: Store) -> None:
    client = site(own, "127.0.0.1")
    logins = ("jane.doe@uni.example", "jane-doe@uni.example", "jane.doe@other.example", "jane.doe@uni.example")
    for login in logins:
        assert client.get("/submit", **{HEADER: login}).status_code == 200
    assert {row.login: row.name for row in own.accounts.all()} == {
        "jane.doe@uni.example": "jane-doe",
        "jane-doe@uni.example": "jane-doe-2",
        "jane.doe@other.example": "jane-doe-3",
    }


@pytest.mark.parametrize(
    ("login", "name"),
    [
        ("éve@uni.example".encode(), "eve"),
        ("éve".encode("latin-1"), "eve"),
        ("Nicolà".encode(), "nicola"),
        ("Jörg Łuć".encode(), "jorg-luc"),
    ],
)
def test_a_login_with_accents_becomes_a_name_without_them(own: Store, login: bytes, name: str) -> None:
    client = site(own, "127.0.0.1")
    for _ in range(2):
        assert client.ask("GET", "/submit", headers=[(HEADER.encode(), login)]).status_code == 200
    assert [row.name for row in own.accounts.all()] == [name]


def test_a_login_keeps_the_account_that_it_has(own: Store) -> None:
    login = "éve".encode()
    assert own.accounts.of_login(login.decode("latin-1"), "a-ve", sha256="1" * 64) is not None
    page = site(own, "127.0.0.1").ask("GET", "/submit", headers=[(HEADER.encode(), login), (b"accept", b"text/html")])
    assert 'value="a-ve/"' in page.text
    assert [row.name for row in own.accounts.all()] == ["a-ve"]


def test_an_account_that_the_organiser_made_for_a_login_is_theirs(own: Store) -> None:
    own.accounts.add("boss", "organiser", "1" * 64)
    client = site(own, "127.0.0.1", creates=False)
    assert client.get("/hand-ins", **{HEADER: "boss"}).status_code == 200
    refused = client.get("/", **{HEADER: "stranger"})
    assert refused.status_code == 403
    assert "you have no account here: ask the organiser" in refused.text
    assert [row.name for row in own.accounts.all()] == ["boss"]


def test_the_header_is_refused_and_logged_from_anybody_else(own: Store) -> None:
    said: list[str] = []
    client = site(own, "10.0.0.5", "fd00::/8", said=said)
    for _ in range(3):
        answer = client.get("/", **{HEADER: "boss"})
        assert answer.status_code == 403
        assert "x-remote-user is accepted from the proxy alone" in answer.text
    assert said == ["127.0.0.1 sent x-remote-user and is not a trusted proxy: it was refused"], "once a minute"
    assert client.get("/").status_code == 200
    assert own.accounts.all() == []


@pytest.mark.parametrize("login", ["", "!!", "@uni.example", "x" * 201])
def test_logins_of_which_no_account_can_be_made_are_refused(own: Store, login: str) -> None:
    assert site(own, "127.0.0.1").get("/", **{HEADER: login}).status_code == 403
    assert own.accounts.all() == []


def test_two_headers_are_refused(own: Store) -> None:
    headers = [(HEADER, "jane"), (HEADER, "boss"), ("accept", "text/html")]
    assert site(own, "127.0.0.1").ask("GET", "/", headers=headers).status_code == 403


def test_other_sites_cannot_use_it_and_the_api_does_not_heed_it(own: Store) -> None:
    client = site(own, "127.0.0.1")
    query = {"name": "jane/owl", "file": "x.py"}
    sent = client.post("/submit", "cross-site", params=query, content=b"x", headers={HEADER: "jane"})
    assert sent.status_code == 403
    assert client.ask("GET", "/api/v1/hand-ins", headers={HEADER: "jane"}).status_code == 401


@pytest.mark.processes
def test_the_command_trusts_the_addresses_it_is_told(tmp_path: Path) -> None:
    database = tmp_path / "arena.db"
    with open_store(database, create=True):
        pass
    words = ("--sign-in", "--trust-header", HEADER, "--create-accounts", "--trusted-proxy")
    for proxy, status in (("127.0.0.1", 200), ("10.0.0.0/8", 403)):
        with served(database, *words, proxy) as server:
            assert httpx.get(f"{server.address}/submit", headers={HEADER: "jane"}, timeout=60).status_code == status
