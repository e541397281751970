"""What owners do with their entries on the pages and by the API: challenge others, retire, readmit."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.bots.hand_in_worker import HandInWorker
from arena.league.store.leagues import Leagues
from arena.packs.build import BuildTerms
from arena.run.hosting import Hosting
from arena.server.access import VISITOR
from arena.store import Store, open_store
from sample_bots import SAMPLES
from tests import leagues
from tests.server.api.conftest import Account, account, visitor
from tests.server.conftest import Client, signed_in

pytestmark = pytest.mark.usefixtures("in_process")

__all__ = ["account", "visitor"]  # fixtures

LEAGUE = "/leagues/cambio"

ENOUGH = 8
"""Batches among which a challenge is: four may come before it, and those that were drawn already."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("played") / "arena.db"
    with open_store(path, create=True) as store:
        leagues.cambio(store, deals=2, batch_seconds=0.02, placement_seconds=0.02)
        leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
        leagues.submit_file(store, "town/jay", SAMPLES["random"].path)
        leagues.play(store, 2)
    return path


@pytest.fixture
def own(tmp_path: Path, played: Path) -> Iterator[Store]:
    """A league of club/owl and town/jay, which have played."""
    with open_store(shutil.copy(played, tmp_path / "arena.db")) as store:
        yield store


@pytest.fixture
def client(own: Store) -> Client:
    return Client(own, VISITOR, hand_ins=HandInWorker(own, Hosting(), BuildTerms(), print))


def entries(store: Store) -> dict[str, int]:
    return {entry.submission[0]: entry.number for entry in Leagues(store).entries(1)}


def test_a_challenge_on_the_pages(own: Store, client: Client) -> None:
    club, town = signed_in(own, client, "club"), signed_in(own, client, "town")
    numbers = entries(own)
    owl, jay = (f"{LEAGUE}/entries/{numbers[bot]}" for bot in ("club/owl", "town/jay"))
    assert 'id="actions"' not in client.get(owl).text
    mine, theirs = client.get(owl, **club).text, client.get(jay, **club).text
    assert re.search(r'<select name="against" multiple .*value="town/jay@1"', mine, re.S)
    assert f'action="{owl}/retire"' in mine
    assert 'type="hidden" name="against" value="town/jay@1"' in theirs
    assert f'action="{jay}/retire"' not in theirs
    fields = {"bot": "club/owl@1", "against": ["town/jay@1", "samples/random@1"], "deals": "20"}
    assert client.post(f"{LEAGUE}/challenges", "cross-site", data=fields, headers=club).status_code == 403
    assert client.post(f"{LEAGUE}/challenges", data=fields).status_code == 403
    assert "belongs to somebody else" in client.post(f"{LEAGUE}/challenges", data=fields, headers=town).text
    wrong = client.post(f"{LEAGUE}/challenges", data=fields | {"deals": "many"}, headers=club)
    assert (wrong.status_code, "say how many deals" in wrong.text) == (422, True)
    many = client.post(f"{LEAGUE}/challenges", data=fields | {"against": ["town/jay"] * 200}, headers=club)
    assert (many.status_code, "too many fields" in many.text) == (400, True)
    assert not Leagues(own).log(1, "challenge")

    sent = client.post(f"{LEAGUE}/challenges", data=fields, headers=club)
    assert sent.status_code == 303
    page = sent.headers["location"]
    assert "compared once all matches are stored" in client.get(page).text
    [decision] = Leagues(own).log(1, "challenge")
    assert (decision.who, decision.details["entry"]) == ("club", numbers["club/owl"])
    assert decision.details["against"] == [numbers["town/jay"], numbers["samples/random"]]
    leagues.play(own, ENOUGH)
    shown = client.get(page).text
    comparison = shown.partition('id="comparison"')[2].partition("</section>")[0]
    assert "club/owl" in comparison
    assert re.search(r">\d+(\.\d)? %<", comparison)
    assert page in client.get(jay).text.partition('id="challenges"')[2]


def test_an_owner_retires_and_readmits_on_the_page(own: Store, client: Client) -> None:
    club, town = signed_in(own, client, "club"), signed_in(own, client, "town")
    owl = f"{LEAGUE}/entries/{entries(own)['club/owl']}"
    assert client.post(f"{owl}/retire", headers=town).status_code == 403
    assert client.post(f"{owl}/retire", headers=club).headers["location"] == owl
    assert "is retired" in client.get(owl).text
    assert f'action="{owl}/readmit"' in client.get(owl, **club).text
    assert client.post(f"{owl}/retire", headers=club).status_code == 422
    assert client.post(f"{owl}/readmit", headers=club).headers["location"] == owl
    assert "is being placed" in client.get(owl).text
    assert client.post(f"{LEAGUE}/entries/99/retire", headers=club).status_code == 404


def test_too_many_challenges_are_refused_with_the_time_of_the_next(own: Store, client: Client) -> None:
    club = signed_in(own, client, "club")
    for _ in range(10):
        leagues.challenge(own, "club/owl", "town/jay", by="club", organiser=False)
    fields = {"bot": "club/owl", "against": "town/jay", "deals": "2"}
    refused = client.post(f"{LEAGUE}/challenges", data=fields, headers=club)
    assert refused.status_code == 429
    assert 0 < int(refused.headers["retry-after"]) <= 86400


def test_a_challenge_by_the_api(own: Store, account: Account) -> None:
    author, other, reader = account("club"), account("town"), account("fox", "author", "read")
    path, body = "/leagues/cambio/challenges", {"bot": "club/owl", "against": ["town/jay@1"], "deals": 20}
    assert reader("POST", path, json=body).status_code == 403
    refused = other("POST", path, json=body)
    assert (refused.status_code, refused.json()["detail"]) == (403, "club/owl@1 belongs to somebody else")
    assert author("POST", "/leagues/winter/challenges", json=body).status_code == 404
    assert author("POST", path, json={"bot": "club/owl"}).status_code == 400
    sent = author("POST", path, json=body)
    assert sent.status_code == 201
    value = sent.json()
    assert (value["batch"]["kind"], value["batch"]["state"], value["ratings"]) == ("challenge", "waiting", [])
    where = sent.headers["location"].removeprefix("/api/v1")
    leagues.play(own, ENOUGH)
    played = author("GET", where).json()
    numbers = entries(own)
    rated = {row["entry"]: row for row in played["ratings"]}
    owl, jay = str(numbers["club/owl"]), str(numbers["town/jay"])
    assert rated[int(owl)]["better"][jay] + rated[int(jay)]["better"][owl] == pytest.approx(1, abs=1e-3)
