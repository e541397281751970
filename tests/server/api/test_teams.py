"""Teams on the pages and in the API: who hands in, who sees what, and who has left."""

from typing import Any

import pytest

from arena.bots.hand_in_worker import HandInWorker
from arena.bots.hand_ins import HandIns
from arena.league.store.leagues import Leagues
from arena.server.api.uploads import read_upload
from arena.store import Store
from tests import leagues
from tests.server.api.conftest import Account
from tests.server.conftest import Client, signed_in
from tests.uploads import PLAYS_HYPP

ZIP = {"content-type": "application/zip"}


def test_each_member_hands_in_for_the_team_and_the_log_names_who_did(
    own: Store, account: Account, client: Client
) -> None:
    ann, bob, eve = account("ann"), account("bob"), account("eve")
    own.teams.add("lab", None, ["ann", "bob"])
    assert ann("GET", "/token").json()["owner"] == "lab"
    sent = ann("POST", "/hand-ins?name=lab/owl&file=owl.zip", content=PLAYS_HYPP, headers=ZIP)
    assert (sent.status_code, sent.json()["owner"], sent.json()["sent_by"]) == (202, "lab", "ann")
    assert ann("POST", "/hand-ins?name=ann/owl&file=owl.zip", content=PLAYS_HYPP, headers=ZIP).status_code == 422
    cookie = signed_in(own, client, "kim")
    own.teams.join("lab", ["kim"])
    page = client.get("/submit", **cookie).text
    assert 'value="lab/"' in page
    params = {"name": "lab/owl", "file": "owl.zip"}
    assert client.post("/submit", params=params, content=PLAYS_HYPP, headers=ZIP | cookie).status_code == 303
    assert [(row["hand_in"], row["sent_by"]) for row in bob("GET", "/hand-ins").json()["hand_ins"]] == [
        (2, "kim"),
        (1, "ann"),
    ]
    assert "handed in by ann for lab" in client.get("/hand-ins/1", **cookie).text
    listed = client.get("/hand-ins", **cookie).text
    assert ">ann</td>" in listed
    assert ">kim</td>" in listed
    assert "and act for the team <b>lab</b>" in client.get("/sign-in", **cookie).text
    assert eve("GET", "/hand-ins/1").status_code == 404
    assert bob("POST", "/hand-ins/1/cancel").status_code == 200


def test_whoever_leaves_has_lost_access_at_once_and_the_others_keep_theirs(
    own: Store, account: Account, client: Client
) -> None:
    ann, bob = account("ann"), account("bob")
    cookie = signed_in(own, client, "kim")
    own.teams.add("lab", None, ["ann", "bob", "kim"])
    assert ann("POST", "/hand-ins?name=lab/owl&file=owl.zip", content=PLAYS_HYPP, headers=ZIP).status_code == 202
    assert client.get("/hand-ins/1", **cookie).status_code == 200
    own.teams.leave(["ann", "kim"])
    assert ann("GET", "/hand-ins/1").status_code == 404
    assert ann("POST", "/hand-ins?name=lab/owl&file=owl.zip", content=PLAYS_HYPP, headers=ZIP).status_code == 422
    assert client.get("/hand-ins/1", **cookie).status_code == 403
    assert ann("GET", "/token").json()["owner"] == "ann"
    assert bob("GET", "/hand-ins/1").status_code == 200


def test_a_bot_that_arrives_after_its_sender_has_left_is_not_stored(
    own: Store, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = account("ann")
    own.teams.add("lab", None, ["ann"])

    async def slow(*words: Any, **more: Any) -> object:
        upload = await read_upload(*words, **more)
        own.teams.leave(["ann"])
        return upload

    monkeypatch.setattr("arena.server.api.hand_in_operations.read_upload", slow)
    sent = ann("POST", "/hand-ins?name=lab/owl&file=owl.zip", content=PLAYS_HYPP, headers=ZIP)
    assert sent.status_code == 401
    assert HandIns(own).newest(None, 9) == []


def test_limits_count_for_the_team(own: Store, account: Account, worker: HandInWorker) -> None:
    askers = [account("ann"), account("bob")]
    own.teams.add("lab", None, ["ann", "bob"])
    codes = [
        askers[number % 2]("POST", "/hand-ins?name=lab/owl&file=owl.zip", content=PLAYS_HYPP, headers=ZIP).status_code
        for number in range(6)
    ]
    assert codes == [202] * 5 + [429]


def test_members_decide_on_the_entries_of_their_team_alone(own: Store, account: Account) -> None:
    league = Leagues(own).named("cambio")
    ann = account("ann")
    own.teams.add("lab", None, ["ann"])
    numbers = {}
    for name in ("lab/owl", "ann/owl"):
        number = Leagues(own).enter(league.id, leagues.entry(leagues.submit(own, name)), "arena")
        numbers[name] = next(row.number for row in Leagues(own).entries(league.id) if row.name.startswith(name))
        assert number is not None
    retire = "/leagues/cambio/entries/{}/retire"
    assert ann("POST", retire.format(numbers["lab/owl"]), json={}).status_code == 200
    assert ann("POST", retire.format(numbers["ann/owl"]), json={}).status_code == 403
