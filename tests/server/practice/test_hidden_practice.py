"""Practice leagues are nowhere for anybody but their owner and organisers, as if they did not exist."""

import re
import shutil
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
import trio
from prometheus_client import generate_latest
from starlette.routing import Mount, Route

from arena.bots.hand_in_worker import HandInWorker
from arena.league.practice.control import PracticeRequest, begin_practice, remove_practice_league
from arena.league.run.practice_turns import PracticeTerms
from arena.league.store.leagues import Leagues
from arena.packs.build import BuildTerms
from arena.run.hosting import Hosting
from arena.run.remote.tokens import token_hash
from arena.server.access import VISITOR
from arena.server.monitoring.metrics import Metrics
from arena.server.site import application
from arena.store import Store, open_store
from arena.store.matches import practice_ids
from sample_bots import SAMPLES
from tests import leagues
from tests.in_process import in_process
from tests.server.conftest import Client

API = "/api/v1"

NOWHERE = "practice-00000000"
"""A name that no league has."""

ROLES = ("visitor", "fox", "eve")
"""Who must not see it: nobody, another owner, and who has left the team."""

IDS = re.compile(rf"{str(practice_ids.FIRST)[:5]}\d{{8,}}")
"""The ids of practice matches."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a league in which club/owl has played, and a practice league of its older versions.

    club is a team of ann and, until the practice league had begun, of eve.
    """
    path = tmp_path_factory.mktemp("practice") / "arena.db"
    with in_process(), open_store(path, create=True) as store:
        leagues.cambio(store)
        for name, role in (("ann", "author"), ("eve", "author"), ("fox", "author"), ("boss", "organiser")):
            store.accounts.add(name, role, token_hash(name))
            store.account_tokens.add(name, "test", ("read", "submit"), token_hash(f"{name}-api"), None)
        store.teams.add("club", None, ["ann", "eve"])
        leagues.submit_file(store, "club/owl", SAMPLES["cautious"].path)
        leagues.submit_file(store, "club/owl", SAMPLES["random"].path)
        leagues.submit_file(store, "fox/hen", SAMPLES["random"].path)
        leagues.play(store, 1)
        asked = PracticeRequest(["club/owl@1", "club/owl@2"], "cambio")
        name = begin_practice(store, "club", "eve", asked).name
        leagues.practise(store, 1)
        assert Leagues(store).named(name, practice=True).results == 1
        store.teams.leave(["eve"])
    return path


@pytest.fixture
def own(played: Path, tmp_path: Path) -> Iterator[Store]:
    with open_store(shutil.copy(played, tmp_path / "arena.db"), write=True) as store:
        yield store


@pytest.fixture
def name(own: Store) -> str:
    [row] = [row for row in Leagues(own).all(practice=True) if row.owner is not None]
    return row.name


@pytest.fixture
def match(own: Store, name: str) -> int:
    return own.matches(league=name, practice=True)[0].id


@pytest.fixture
def client(own: Store) -> Client:
    worker = HandInWorker(own, Hosting(), BuildTerms(), print)
    return Client(own, VISITOR, hand_ins=worker, practice=PracticeTerms(600.0))


def cookie(client: Client, role: str) -> dict[str, str]:
    """Return the headers of somebody who is signed in at the pages."""
    if role == "visitor":
        return {}
    answer = client.post("/sign-in", data={"token": role})
    return {"cookie": answer.headers["set-cookie"].partition(";")[0]}


def token(role: str) -> dict[str, str]:
    """Return the headers of somebody who asks the API."""
    return {} if role == "visitor" else {"authorization": f"Bearer {role}-api"}


def filled(path: str, league: str, match: int, batch: int = 1) -> str:
    """Return a path with what leads to the practice league in the place of its parameters."""
    values = {"league": league, "id": match, "match": match, "bot": "club/owl", "name": "club/owl", "game": "cambio"}

    def value(found: re.Match[str]) -> str:
        return str(values.get(found[1], batch))

    return re.sub(r"\{(\w+)(?::\w+)?\}", value, path)


def says_it(text: str, name: str) -> bool:
    return name in text or bool(IDS.search(text))


def asked(client: Client, method: str, address: str, headers: dict[str, str]) -> tuple[int, str]:
    """Return the status and the text of an answer; of a stream its first part."""
    parts: list[bytes] = []
    status = 0
    path, _, query = address.partition("?")
    usual = {"host": "arena", "accept": "*/*" if path.startswith(API) else "text/html", "sec-fetch-site": "same-origin"}
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(key.encode(), value.encode()) for key, value in (usual | headers).items()],
        "client": ("192.0.2.1", 1),
        "server": ("arena", 80),
    }

    async def ask() -> None:
        nonlocal status
        with trio.CancelScope() as cancel:
            sent = False

            async def receive() -> dict[str, Any]:
                nonlocal sent
                if not sent:
                    sent = True
                    return {"type": "http.request", "body": b"", "more_body": False}
                await trio.sleep_forever()
                raise AssertionError

            async def send(message: dict[str, Any]) -> None:
                nonlocal status
                status = message.get("status", status)
                parts.append(message.get("body", b""))
                if message.get("body") and message.get("more_body"):
                    cancel.cancel()

            site: Any = client.transport.app
            if path.endswith("/events"):
                async with site.router.lifespan_context(site):
                    await site(scope, receive, send)
            else:
                await site(scope, receive, send)

    trio.run(ask)
    return status, b"".join(parts).decode()


@pytest.mark.parametrize("role", ["visitor", "fox"])
def test_no_address_tells_of_it(client: Client, own: Store, name: str, match: int, role: str) -> None:
    """Every route, with what leads to it, answers as it does where nothing is there."""
    seen = set()
    signed = cookie(client, role)
    league = Leagues(own).named(name, practice=True).id
    other = match + practice_ids.OF_LEAGUE  # of a league that does not exist
    for method, path in [("GET", "/api/v1/openapi.json"), *own_routes(own)]:
        headers = token(role) if path.startswith(API) else signed
        there = asked(client, method, filled(path, name, match, league), headers)
        nowhere = asked(client, method, filled(path, NOWHERE, other, league), headers)
        if "{league}" in path or "{id" in path or "{match" in path:
            same = nowhere[0], nowhere[1].replace(NOWHERE, name).replace(str(other), str(match))
            assert there == same, (method, path)
            assert there[0] >= 400, (method, path)
            seen.add(path)
        else:
            assert not says_it(there[1], name), (method, path)
    assert len(seen) > 50


def test_the_same_addresses_tell_its_owner_of_it(client: Client, own: Store, name: str, match: int) -> None:
    signed, league = cookie(client, "ann"), Leagues(own).named(name, practice=True).id
    told = [
        path
        for method, path in own_routes(own)
        if method == "GET" and ("{league}" in path or "{id" in path or "{match" in path)
        if asked(client, method, filled(path, name, match), token("ann") if path.startswith(API) else signed)[0] == 200
    ]
    assert {"/leagues/{league}/events", "/matches/{id:number}/story", f"{API}/leagues/{{league}}/batches"} <= set(told)
    assert len(told) > 25, league


def own_routes(store: Store) -> list[tuple[str, str]]:
    """Return the method and path of every route of the site but for the streams that answer only once all is over."""
    worker = HandInWorker(store, Hosting(), BuildTerms(), print)
    site = application(store, VISITOR, hand_ins=worker, practice=PracticeTerms(600.0))
    found = []
    for route in site.routes:
        inner = [route] if isinstance(route, Route) else route.routes if isinstance(route, Mount) else []
        prefix = route.path if isinstance(route, Mount) else ""
        for each in inner:
            assert isinstance(each, Route)
            found += [(method, prefix + each.path) for method in sorted(each.methods or ()) if method != "HEAD"]
    return found


def test_no_page_leads_to_it(client: Client, name: str) -> None:
    """Whoever follows all links from the home page, and filters lists of matches by its bots, does not find it."""
    headers = cookie(client, "fox")
    found = {"/", "/matches?bot=club/owl", "/matches?bot=club/owl%401", "/failures", f"/matches?league={name}", "/bots"}
    found |= {
        "/matches?bot=club/owl&against=club/owl",
        f"/matches?league={name}&batch=1",
        "/matches?before=9999999999999",
    }
    waiting = sorted(found)
    while waiting:
        address = waiting.pop()
        answer = client.get(address, **headers)
        text = unescape(answer.text).replace(f"league={name}", "").replace(f'value="{name}"', "")
        text = text.replace(f"league {name}", "")  # what the filter itself says
        assert not says_it(text, name), address
        if not answer.headers["content-type"].startswith("text/html"):
            continue
        links = {unescape(link).partition("#")[0] for link in re.findall(r'(?:href|src)="(/[^"]*)"', answer.text)}
        new = {link for link in links - found if not re.match(r"/(static|matches)/|/matches\?|.*/entries/.*/", link)}
        found |= new
        waiting += sorted(new)
    assert {"/leagues/cambio", "/bots/club/owl", "/leagues"} <= found


def test_its_owner_and_organisers_see_all_of_it(client: Client, own: Store, name: str, match: int) -> None:
    base = f"/leagues/{name}"
    for role in ("ann", "boss"):
        headers = cookie(client, role)
        board = client.get(base, **headers)
        assert board.status_code == 200
        assert "A practice league: only club and organisers see it" in board.text
        assert board.headers["cache-control"] == "no-store"
        assert client.get(f"/matches/{match}/story", accept="*/*", **headers).status_code == 200
    headers = cookie(client, "ann")
    met, waiting = {base}, [base]
    while waiting:
        address = waiting.pop()
        answer = client.get(address, **headers)
        assert answer.status_code == 200, address
        links = {unescape(link).partition("#")[0] for link in re.findall(r'<a[^>]* href="(/[^"]*)"', answer.text)}
        new = {link for link in links - met if name in link}
        met |= links
        waiting += sorted(new)
    assert f"{base}/batches/1" in met
    assert any(IDS.search(link) for link in met)
    assert client.get("/practice", **headers).text.count(name) >= 2
    answer = client.get(f"{API}/leagues/{name}/board", accept="*/*", **token("ann"))
    assert {row["bot"] for row in answer.json()["rows"]} >= {"club/owl@1", "club/owl@2"}
    assert client.get(f"{API}/matches/{match}", accept="*/*", **token("ann")).status_code == 200
    matches = client.get(f"{API}/matches?league={name}", accept="*/*", **token("ann")).json()["matches"]
    assert matches[0]["match"] == match


def test_a_tag_of_an_answer_opens_nothing(client: Client, name: str) -> None:
    address = f"{API}/leagues/{name}/board"
    tag = client.get(address, accept="*/*", **token("ann")).headers["etag"]
    known = {"if-none-match": tag}
    assert client.get(address, accept="*/*", **token("ann"), **known).status_code == 304
    for role in ROLES:
        for tags in (known, {"if-none-match": "*"}):
            assert client.get(address, accept="*/*", **token(role), **tags).status_code == 404


def test_what_is_removed_is_seen_by_nobody(client: Client, own: Store, name: str, match: int) -> None:
    ann = cookie(client, "ann")
    assert client.get(f"/matches/{match}/story", accept="*/*", **ann).status_code == 200
    remove_practice_league(own, "club", name)
    for role in ("ann", "boss", *ROLES):
        headers = cookie(client, role)
        assert client.get(f"/leagues/{name}", **headers).status_code == 404
        assert client.get(f"/matches/{match}", **headers).status_code == 404
        assert client.get(f"/matches/{match}/story", accept="*/*", **headers).status_code == 404
        assert client.get(f"/matches?league={name}", **headers).text.count("/matches/1099") == 0


def test_others_remove_nothing(client: Client, own: Store, name: str) -> None:
    for role in ("fox", "eve"):
        assert client.post(f"/practice/{name}/remove", headers=cookie(client, role)).status_code == 404
        assert client.ask("POST", f"{API}/practice/{name}/remove", headers=token(role)).status_code == 404
    assert client.post(f"/practice/{name}/remove").status_code == 403
    assert Leagues(own).named(name, practice=True).owner == "club"
    assert client.ask("POST", f"{API}/practice/{name}/remove", headers=token("ann")).json() == {"league": name}


def test_metrics_do_not_name_it(own: Store, name: str) -> None:
    text = generate_latest(Metrics(own, lambda: 0).registry).decode()
    assert "cambio" in text
    assert not says_it(text, name)
