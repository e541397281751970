"""The way to the provider and back, by a provider that a test controls; and its sessions."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from arena_openid import provider as module
from arena_openid.plugin import arena_site
from arena_openid.routes import BEGIN, CALLBACK
from arena_openid.settings import OpenIdError
from openid.stub import ISSUER, Stub

from arena.bots.hand_in_worker import HandInWorker
from arena.hooks.specifications import SitePart
from arena.server.access import VISITOR
from arena.store import Store
from tests.server.api.conftest import own, worker
from tests.server.conftest import Client

__all__ = ["own", "worker"]  # fixtures

OPTIONS = {"openid_issuer": ISSUER, "openid_client": "arena", "openid_create_accounts": True}
SITE = "https://arena.example.org"
COOKIE = "__Host-arena-openid"


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Stub:
    made = Stub()
    defaults: Any = module.Provider.__init__.__kwdefaults__
    monkeypatch.setattr(module.Provider.__init__, "__kwdefaults__", defaults | {"fetch": made})
    return made


Open = Callable[..., Client]


@pytest.fixture
def client(own: Store, worker: HandInWorker, stub: Stub) -> Client:
    part = arena_site(own, OPTIONS, print, SITE)
    assert part is not None
    return Client(own, VISITOR, hand_ins=worker, parts=[part])


def begun(client: Client) -> tuple[dict[str, str], str]:
    """Begin a sign-in; return the cookie, and where the browser is sent."""
    answer = client.get(BEGIN)
    assert answer.status_code == 303
    return {"cookie": answer.headers["set-cookie"].partition(";")[0]}, answer.headers["location"]


def back(client: Client, cookie: dict[str, str], **query: str) -> httpx.Response:
    return client.get(f"{CALLBACK}?{httpx.QueryParams(query)}", **cookie)


def session(answer: httpx.Response) -> dict[str, str]:
    [cookie] = [text for text in answer.headers.get_list("set-cookie") if text.startswith("arena=")]
    return {"cookie": cookie.partition(";")[0]}


def test_somebody_signs_in_and_out(own: Store, client: Client, stub: Stub) -> None:
    page = client.get("/sign-in")
    assert f'href="{BEGIN}"' in page.text
    assert "sign in by login.example.org" in page.text
    answer = client.get(BEGIN)
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"{COOKIE}=")
    assert {part.strip().lower() for part in cookie.split(";")[1:]} == {
        "httponly", "max-age=600", "path=/", "samesite=lax", "secure",
    }  # fmt: skip
    location = answer.headers["location"]
    asked = {name: value for name, [value] in parse_qs(urlsplit(location).query).items()}
    assert location.startswith(f"{ISSUER}/auth?")
    assert asked.keys() == {
        "response_type", "client_id", "redirect_uri", "scope", "state", "nonce", "code_challenge",
        "code_challenge_method",
    }  # fmt: skip
    assert (asked["response_type"], asked["client_id"], asked["scope"]) == ("code", "arena", "openid profile email")
    assert (asked["redirect_uri"], asked["code_challenge_method"]) == (SITE + CALLBACK, "S256")
    answer = back(client, {"cookie": cookie.partition(";")[0]}, **stub.sign_in(location))
    assert answer.status_code == 200
    assert answer.headers["refresh"] == "0; url=/submit"
    assert answer.headers["cache-control"] == "no-store"
    [gone] = [text for text in answer.headers.get_list("set-cookie") if text.startswith(COOKIE)]
    assert "Max-Age=0" in gone
    [strict] = [text for text in answer.headers.get_list("set-cookie") if text.startswith("arena=")]
    assert "SameSite=strict" in strict
    assert "Secure" in strict
    ann = session(answer)
    assert "<b>ann</b>" in client.get("/sign-in", **ann).text
    assert client.get("/submit", **ann).status_code == 200
    goodbye = client.post("/sign-out", headers=ann)
    assert goodbye.status_code == 200
    assert "still signed in at login.example.org" in goodbye.text
    assert f'href="{ISSUER}/logout?client_id=arena&amp;id_token_hint=' in goodbye.text
    assert client.get("/submit", **ann).status_code == 403


def test_two_who_sign_in_have_sessions_of_their_own(client: Client, stub: Stub) -> None:
    sessions = {}
    for sub, name in (("1", "ann"), ("2", "bob")):
        stub.more = {"sub": sub, "preferred_username": name}
        cookie, location = begun(client)
        sessions[name] = session(back(client, cookie, **stub.sign_in(location)))
    for name, cookie in sessions.items():
        assert f"<b>{name}</b>" in client.get("/sign-in", **cookie).text


@pytest.mark.parametrize("what", ["revoke", "reset"])
def test_a_session_ends_with_the_account_and_its_tokens(own: Store, client: Client, stub: Stub, what: str) -> None:
    own.accounts.add("ann", "author", "1" * 64)
    cookie, location = begun(client)
    ann = session(back(client, cookie, **stub.sign_in(location)))
    assert client.get("/submit", **ann).status_code == 200
    assert own.accounts.remove("ann") if what == "revoke" else own.accounts.reset("ann", "2" * 64)
    assert client.get("/submit", **ann).status_code == 403


def test_only_who_began_comes_back(own: Store, client: Client, stub: Stub) -> None:
    cookie, location = begun(client)
    other, other_location = begun(client)
    answer = stub.sign_in(location)
    for wrong in (
        back(client, {}, **answer),
        back(client, other, **answer),
        back(client, cookie, **answer | {"state": ""}),
        back(client, cookie, **answer | {"state": "ü\udcff"[:1]}),
        back(client, cookie, code=answer["code"]),
        back(client, {"cookie": f"{COOKIE}=..; arena=x"}, code=answer["code"], state=""),
    ):
        assert wrong.status_code == 403
        assert "this sign-in was not begun in this browser" in wrong.text
        assert not [text for text in wrong.headers.get_list("set-cookie") if text.startswith("arena=")]
    injected = back(client, other, code=answer["code"], state=parse_qs(urlsplit(other_location).query)["state"][0])
    assert injected.status_code == 403, "the code of one sign-in is none of another"
    assert "invalid_grant" in injected.text
    assert own.accounts.all() == []


def test_an_answer_counts_once(client: Client, stub: Stub) -> None:
    cookie, location = begun(client)
    answer = stub.sign_in(location)
    assert back(client, cookie, **answer).status_code == 200
    assert back(client, cookie, **answer).status_code == 403


def test_nobody_is_led_elsewhere(client: Client, stub: Stub) -> None:
    for query in ("next=https://evil.example", "redirect_uri=https://evil.example", "return_to=//evil.example"):
        location = client.get(f"{BEGIN}?{query}").headers["location"]
        assert "evil" not in location
    cookie, location = begun(client)
    answer = back(client, cookie, **stub.sign_in(location), next="https://evil.example", url="//evil.example")
    assert answer.headers["refresh"] == "0; url=/submit"
    assert "evil" not in answer.text


def test_pages_of_others_begin_no_sign_in(client: Client) -> None:
    for site in ("cross-site", "same-site"):
        answer = client.get(BEGIN, **{"sec-fetch-site": site})
        assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in")
        assert "set-cookie" not in answer.headers


def test_what_the_provider_says_is_told(client: Client, stub: Stub) -> None:
    cookie, location = begun(client)
    state = stub.sign_in(location)["state"]
    denied = back(client, cookie, state=state, error="access_denied<script>", error_description="<b>no")
    assert denied.status_code == 403
    assert "did not sign you in (access_denied&lt;script&gt;)" in denied.text
    assert "Max-Age=0" in denied.headers["set-cookie"]
    mixed = back(client, cookie, state=state, code="x", iss="https://evil.example")
    assert "another provider sent you back" in mixed.text
    assert "has sent no code" in back(client, cookie, state=state).text
    assert "has sent no code" in back(client, cookie, state=state, code="x" * 5000).text


def test_a_provider_that_is_away_is_told(own: Store, worker: HandInWorker, stub: Stub) -> None:
    said: list[Any] = []
    part = arena_site(own, OPTIONS, said.append, SITE)
    assert part is not None
    client = Client(own, VISITOR, hand_ins=worker, parts=[part])
    stub.is_down = True
    answer = client.get(BEGIN)
    assert answer.status_code == 502
    assert "you are not signed in: login.example.org cannot be reached (Connection refused)" in answer.text
    client.get(BEGIN)
    assert [(str(line), line.event) for line in said] == [
        ("nobody was signed in: login.example.org cannot be reached (Connection refused)", "sign_in_failed")
    ]
    stub.is_down = False
    assert client.get(BEGIN).status_code == 303, "and is asked again"


def test_the_provider_is_not_flooded(
    own: Store, worker: HandInWorker, stub: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena_openid.routes.SIGN_INS", (30, 300.0))
    part = arena_site(own, OPTIONS, print, SITE)
    assert part is not None
    client = Client(own, VISITOR, hand_ins=worker, parts=[part])
    cookie, location = begun(client)
    state = stub.sign_in(location)["state"]
    answers = [back(client, cookie, state=state, code="wrong").status_code for _ in range(31)]
    assert answers == [403] * 30 + [429]


def test_a_server_is_told_what_it_lacks(own: Store) -> None:
    assert arena_site(own, {}, print, SITE) is None
    with pytest.raises(OpenIdError, match="--openid-issuer needs --public-url"):
        arena_site(own, OPTIONS, print, None)
    with pytest.raises(OpenIdError, match="--openid-issuer needs --openid-client"):
        arena_site(own, {"openid_issuer": ISSUER}, print, SITE)
    with pytest.raises(OpenIdError, match="--openid-client needs --openid-issuer"):
        arena_site(own, {"openid_client": "arena"}, print, SITE)
    part = arena_site(own, OPTIONS, print, SITE)
    assert part is not None
    assert replace(part, name="x").run is None
    assert isinstance(part, SitePart)
