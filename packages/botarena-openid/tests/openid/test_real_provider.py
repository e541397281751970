"""Sign-in by a real provider, panva's oidc-provider, which node runs on this machine."""

import html
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx
import pytest
from arena_openid.plugin import arena_site
from arena_openid.routes import BEGIN, CALLBACK

from arena.bots.hand_in_worker import HandInWorker
from arena.server.access import VISITOR
from arena.store import Store, open_store
from tests.server.api.conftest import own, worker
from tests.server.conftest import Client, browser

__all__ = ["browser", "own", "worker"]  # fixtures

pytestmark = pytest.mark.toolchain

SITE = "http://127.0.0.1:9"
"""Where browsers think the pages are; nothing listens there."""

OLDEST_NODE = 20


@pytest.fixture(scope="module")
def provider_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which the provider is installed."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        pytest.skip("Node.js is not installed (Debian: nodejs npm)")
    version = subprocess.run([node, "--version"], check=True, capture_output=True, text=True).stdout
    if int(version.lstrip("v").partition(".")[0]) < OLDEST_NODE:
        pytest.skip(f"Node.js is {version.strip()}, and oidc-provider needs {OLDEST_NODE}")
    folder = tmp_path_factory.mktemp("provider")
    for file in (Path(__file__).parent / "provider").iterdir():
        shutil.copy(file, folder)
    subprocess.run([npm, "ci", "--silent", "--no-audit", "--no-fund"], cwd=folder, check=True, timeout=300)
    return folder


@contextmanager
def running(folder: Path, port: int, site: str) -> Iterator[str]:
    """Run the provider, and yield what it calls itself."""
    command = ["node", "provider.js", str(port), site + CALLBACK, f"{site}/"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        assert any(line.startswith("listening") for line in process.stdout)
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            process.kill()


@pytest.fixture(scope="module")
def issuer(provider_folder: Path) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with running(provider_folder, port, SITE) as running_issuer:
        yield running_issuer


def site(own: Store, worker: HandInWorker, issuer: str, said: list[str], **more: Any) -> Client:
    options = {"openid_issuer": issuer, "openid_client": "arena", "openid_create_accounts": True} | more
    part = arena_site(own, options, said.append, SITE)
    assert part is not None
    return Client(own, VISITOR, hand_ins=worker, parts=[part])


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_OPENID_SECRET", "s3cret:1")


def sign_in(client: Client, browser: httpx.Client, name: str) -> httpx.Response:
    """Begin a sign-in, fill in the forms of the provider, and return the answer to who comes back."""
    begun = client.get(BEGIN)
    assert begun.status_code == 303, begun.text
    cookie, address = begun.headers["set-cookie"].partition(";")[0], begun.headers["location"]
    answer = browser.get(address)
    for _ in range(20):
        if answer.is_redirect:
            address = urljoin(address, answer.headers["location"])
            if address.startswith(SITE):
                parts = urlsplit(address)
                return client.get(f"{parts.path}?{parts.query}", cookie=cookie)
            answer = browser.get(address)
            continue
        [action] = re.findall(r'<form[^>]* action="([^"]+)"', answer.text)
        fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', answer.text))
        if 'name="login"' in answer.text:
            fields |= {"login": name, "password": "any"}
        address = urljoin(address, html.unescape(action))
        answer = browser.post(address, data=fields)
    raise AssertionError(answer.text)


def session(answer: httpx.Response) -> dict[str, str]:
    assert answer.status_code == 200, answer.text
    [cookie] = [text for text in answer.headers.get_list("set-cookie") if text.startswith("arena=")]
    return {"cookie": cookie.partition(";")[0]}


def test_people_sign_in_and_out(own: Store, worker: HandInWorker, issuer: str) -> None:
    said: list[str] = []
    client = site(own, worker, issuer, said)
    with httpx.Client() as browser:
        ann = session(sign_in(client, browser, "ann"))
        assert "<b>ann</b>" in client.get("/sign-in", **ann).text
        again = session(sign_in(client, browser, "ann"))
        assert "<b>ann</b>" in client.get("/sign-in", **again).text
        goodbye = client.post("/sign-out", headers=again).text
        [address] = re.findall(rf'href="({issuer}/session/end[^"]+)"', goodbye)
        page = browser.get(html.unescape(address))
        assert page.status_code == 200
        fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page.text))
        [action] = re.findall(r'<form[^>]* action="([^"]+)"', page.text)
        ended = browser.post(urljoin(issuer, html.unescape(action)), data=fields | {"logout": "yes"})
        assert ended.headers["location"] == f"{SITE}/"
    with httpx.Client() as browser:
        namesake = session(sign_in(client, browser, "ann-2"))
        assert "<b>ann-2</b>" in client.get("/sign-in", **namesake).text, "who is called ann, too, is somebody else"
    assert [(row.name, row.email) for row in own.accounts.all()] == [
        ("ann", "ann@uni.example"),
        ("ann-2", "ann@uni.example"),
    ]
    assert said == []


def test_groups_and_domains_are_looked_up(own: Store, worker: HandInWorker, issuer: str) -> None:
    said: list[str] = []
    options = {"openid_groups": ("students",), "openid_scopes": ("groups",), "openid_domains": ("uni.example",)}
    client = site(own, worker, issuer, said, **options)
    with httpx.Client() as browser:
        session(sign_in(client, browser, "ann"))
    with httpx.Client() as browser:
        refused = sign_in(client, browser, "bob")
    assert refused.status_code == 403
    assert "your address is not of a domain that is let in here" in refused.text
    assert [row.name for row in own.accounts.all()] == ["ann"]


def test_a_wrong_secret_is_told(own: Store, worker: HandInWorker, issuer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_OPENID_SECRET", "wrong")
    said: list[str] = []
    client = site(own, worker, issuer, said)
    with httpx.Client() as browser:
        refused = sign_in(client, browser, "ann")
    assert refused.status_code == 403
    assert "127.0.0.1 answers 401 (invalid_client)" in refused.text
    assert said == ["nobody was signed in: 127.0.0.1 answers 401 (invalid_client)"]


def test_a_browser_goes_all_the_way(tmp_path: Path, browser: Any, provider_folder: Path) -> None:
    """With real cookies: the strict one of the session, and the lax one of the way to the provider."""
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as other:
        ports = one.getsockname()[1], other.getsockname()[1]
    address, options = f"http://localhost:{ports[1]}", ["--openid-client", "arena", "--openid-create-accounts"]
    db = str(tmp_path / "arena.db")
    with open_store(db, create=True):
        pass
    with running(provider_folder, ports[0], address) as issuer:
        command = [sys.executable, "-m", "arena", "web", "--sign-in", "--port", str(ports[1]), "--db", db]
        command += ["--public-url", address, "--openid-issuer", issuer, *options]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr is not None
            assert process.stderr.readline().startswith("http://")
            try:
                page = browser.new_page()
                page.set_default_timeout(60_000)
                page.goto(f"{address}/sign-in")
                page.click("text=sign in by 127.0.0.1")
                page.fill("input[name=login]", "ann")
                page.fill("input[name=password]", "any")
                page.click("button[type=submit]")
                page.click("button[type=submit]")  # it asks whether arena may know
                page.wait_for_url(f"{address}/submit")
                assert page.inner_text("nav a[href='/sign-in']") == "ann"
                page.goto(f"{address}/sign-in")
                page.click("text=sign out")
                page.click("text=sign out there, too")
                page.click("button[value=yes]")
                page.wait_for_url(f"{address}/")
                assert page.inner_text("nav a[href='/sign-in']") == "Sign in"
                page.close()
            finally:
                process.kill()
