"""`arena practice` against the API, and what organisers read of practice leagues."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena.bots.hand_in_worker import HandInWorker
from arena.cli import main, practice
from arena.client.answers import checked
from arena.client.errors import ServerError
from arena.league.run.practice_turns import PracticeTerms
from arena.league.store.leagues import Leagues
from arena.packs.build import BuildTerms
from arena.run.hosting import Hosting
from arena.run.remote.tokens import token_hash
from arena.server.access import VISITOR
from arena.store import Store, open_store
from sample_bots import SAMPLES
from tests import leagues
from tests.server.conftest import Client


class Api:
    """The API of a server, asked without a network."""

    address = "https://arena.example.org"

    def __init__(self, store: Store, terms: PracticeTerms) -> None:
        worker = HandInWorker(store, Hosting(), BuildTerms(), print)
        self._client = Client(store, VISITOR, hand_ins=worker, practice=terms)

    def get(self, path: str, shape: Any) -> Any:
        return self._ask("GET", path, shape)

    def post(self, path: str, shape: Any, content: bytes = b"", headers: dict[str, str] | None = None) -> Any:
        return self._ask("POST", path, shape, content=content, headers=headers or {})

    def _ask(self, method: str, path: str, shape: Any, **how: Any) -> Any:
        headers = {"authorization": "Bearer club", **how.pop("headers", {})}
        answer = self._client.ask(method, f"/api/v1{path}", headers=headers, **how)
        if answer.status_code >= 400:
            raise ServerError(f"{self.address}: {answer.json()['detail']}")
        return checked(answer.json(), shape)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as opened:
        opened.accounts.add("club", "author", token_hash("club"))
        leagues.cambio(opened)
        leagues.submit_file(opened, "club/owl", SAMPLES["random"].path)
        yield opened


@pytest.fixture
def terms() -> PracticeTerms:
    return PracticeTerms(600.0)


@pytest.fixture(autouse=True)
def api(store: Store, terms: PracticeTerms, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(practice, "open_server", lambda *_: Api(store, terms))


def arena(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def test_an_author_begins_lists_and_removes_one(store: Store) -> None:
    begun = arena("practice", "begin", "club/owl", "--league", "cambio", "--sample", "random")
    [row] = [row for row in Leagues(store).all(practice=True) if row.owner == "club"]
    assert begun.stdout.splitlines() == [
        f"{row.name} is begun: club/owl@1 play cambio when the server has time",
        f"see it at https://arena.example.org/leagues/{row.name}",
        f"or with: arena practice board {row.name}",
    ]
    listed = json.loads(arena("practice", "list", "--json").stdout)["practice"]
    assert [(each["league"], each["owner"], each["state"], each["bots"]) for each in listed] == [
        (row.name, "club", "open", ["club/owl@1"])
    ]
    head, _, line = arena("practice", "list").stdout.splitlines()
    assert (head.split()[:3], line.split()[0]) == (["league", "game", "state"], row.name), "of whom it is, they know"
    assert "club/owl@1" in arena("practice", "board", row.name).stdout
    assert arena("practice", "remove", row.name).stdout == f"{row.name} is gone\n"
    assert arena("practice", "list").stderr.startswith("no practice leagues; begin one with: arena practice begin")
    again = arena("practice", "remove", row.name)
    assert (again.exit_code, "there is no practice league" in again.stderr) == (2, True)


def test_an_author_lets_a_version_enter_that_practised(store: Store) -> None:
    leagues.submit_file(store, "club/owl", SAMPLES["cautious"].path, practice_only=True)
    listed = ["bots", "list", "--db", store.where]
    assert re.search(r"club/owl +1 ", arena(*listed).stdout)
    assert [line.split()[-1] for line in arena(*listed, "--all").stdout.splitlines()[2:4]] == ["plays", "practises"]
    path = "/api/v1/bots/club/owl"
    for token, versions in ((None, [1]), ("club", [1, 2])):
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        answer = Api(store, PracticeTerms())._client.ask("GET", path, headers=headers).json()
        assert [each["version"] for each in answer["versions"]] == versions
    assert arena("practice", "enter", "club/owl@2").stdout == "club/owl@2 may enter leagues\n"
    assert re.search(r"club/owl +2 ", arena(*listed).stdout)
    again = arena("practice", "enter", "club/owl@2")
    assert (again.exit_code, "club/owl@2 is no version for practice alone" in again.stderr) == (2, True)
    leagues.submit_file(store, "club/owl", SAMPLES["counter"].path, practice_only=True)
    assert arena("bots", "enter", "club/owl@3", "--db", store.where).stdout.startswith("club/owl@3 may enter")


def test_what_is_refused_is_said(store: Store) -> None:
    assert "name either --league or --game" in arena("practice", "begin", "club/owl").stderr
    refused = arena("practice", "begin", "fox/hen", "--game", "cambio")
    assert (refused.exit_code, "you have no bot fox/hen that may play" in refused.stderr) == (2, True)
    assert "there is no practice league" not in arena("practice", "begin", "club/owl", "--game", "nothing").stderr


@pytest.mark.parametrize("terms", [PracticeTerms()])
def test_a_server_without_practice_begins_none(store: Store, terms: PracticeTerms) -> None:
    refused = arena("practice", "begin", "club/owl", "--game", "cambio")
    assert (refused.exit_code, "allows no practice" in refused.stderr) == (2, True)


def test_an_organiser_reads_whose_a_practice_league_is(store: Store) -> None:
    assert "practice of" not in arena("league", "list", "--db", store.where).stdout
    arena("practice", "begin", "club/owl", "--league", "cambio")
    [row] = [row for row in Leagues(store).all(practice=True) if row.owner == "club"]
    head, _, first, second = arena("league", "list", "--db", store.where).stdout.splitlines()
    assert head.endswith("practice of")
    assert first.startswith("cambio ")
    assert second.split()[0] == row.name
    assert second.endswith("club")
    assert (
        json.loads(arena("league", "list", "--json", "--db", store.where).stdout)["leagues"][1]["practice_of"] == "club"
    )
    for command in ("show", "board", "verify"):
        assert arena("league", command, row.name, "--db", store.where).exit_code == 0, command
    assert arena("league", "create", "practice-2026", "--game", "cambio", "--db", store.where).exit_code == 2


def test_practice_every_needs_practice(tmp_path: Path) -> None:
    ended = arena("serve", "--practice-every", "3", "--db", str(tmp_path / "arena.db"))
    assert "--practice-every needs --practice-cpu" in ended.stderr
