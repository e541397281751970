"""Webhooks on the pages and by the API: added, shown, tested, switched on, removed; nobody else's."""

import json
import re
from datetime import date

import jsonschema
from arena_webhooks.kinds import KINDS
from arena_webhooks.rows import Rivals
from arena_webhooks.store import MOST_WEBHOOKS, Webhooks
from arena_webhooks.tables import webhook_deliveries
from sqlalchemy import select

from arena.bots.hand_in_rows import HandInEnd
from arena.bots.hand_ins import HandIns
from arena.bots.rejudging import Rejudging
from arena.league.announcements.control import announce
from arena.league.dates.control import GivenDates, extend, set_dates
from arena.league.plan.secret_chain import new_season
from arena.league.store.leagues import Leagues
from arena.league.store.outbox_events import add_division_change
from arena.store import Store
from arena.store.engine.worker_name import worker_name
from tests.bots.test_hand_ins import VERSION, titled
from tests.server.api.conftest import Account, Asker, account, client, own, visitor, worker
from tests.server.conftest import Client, signed_in

__all__ = ["account", "client", "own", "visitor", "worker"]  # fixtures

URL = "https://example.org/arena"


def test_a_webhook_on_the_pages(own: Store, client: Client) -> None:
    club, fox = signed_in(own, client, "club"), signed_in(own, client, "fox")
    assert client.get("/webhooks").status_code == 403
    assert 'href="/webhooks"' in client.get("/sign-in", **club).text
    assert client.get("/webhooks", **club).text.count("checkbox") == len(KINDS)
    wrong = client.post("/webhooks", data={"url": "http://10.0.0.1/<b>", "entry.placed": "on"}, headers=club)
    assert wrong.status_code == 422
    assert "must begin with https://" in wrong.text or "is no URL" in wrong.text
    assert "<b>" not in wrong.text
    assert "choose at least one event" in client.post("/webhooks", data={"url": URL}, headers=club).text
    added = client.post("/webhooks", data={"url": URL, "entry.placed": "on", "season.over": "on"}, headers=club)
    assert added.status_code == 200
    assert added.headers["cache-control"] == "no-store"
    [secret] = re.findall(r"whsec_[\w+/=]+", added.text)
    [row] = Webhooks(own).all("club")
    assert row.kinds == ("entry.placed", "season.over")
    assert secret not in client.get("/webhooks", **club).text + client.get("/webhooks/1", **club).text
    for path in ("/webhooks/1", "/webhooks/2"):
        assert client.get(path, **fox).status_code == 404, "somebody else's is not found"
    for action in ("test", "enable", "remove"):
        assert client.post(f"/webhooks/1/{action}", headers=fox).status_code == 404
        assert client.post(f"/webhooks/1/{action}", "cross-site", headers=club).status_code == 403
    assert client.post("/webhooks/1/test", headers=club).headers["location"] == "/webhooks/1"
    shown = client.get("/webhooks/1", **club).text
    assert "webhook.test" in shown
    assert "waiting" in shown
    claimed = Webhooks(own).claim(2**45, 2**46)
    assert claimed is not None
    Webhooks(own).note_failure(claimed.claim, 410, "the answer is 410", None)
    assert "Switched off" in client.get("/webhooks/1", **club).text
    assert client.post("/webhooks/1/test", headers=club).status_code == 422
    client.post("/webhooks/1/enable", headers=club)
    assert Webhooks(own).find(1).disabled is None
    assert client.post("/webhooks/1/remove", headers=club).headers["location"] == "/webhooks"
    assert Webhooks(own).all() == []


def test_a_webhook_by_the_api(own: Store, account: Account, visitor: Asker) -> None:
    club, fox, reader = account("club"), account("fox"), account("club", "author", "read")
    unknown = club("POST", "/webhooks", json={"url": URL, "events": ["entry.placed", "entry.lost"]})
    assert "events[1]: invalid enum value 'entry.lost'; it may be deadline.extended, " in unknown.json()["detail"]
    added = club("POST", "/webhooks", json={"url": URL, "events": ["entry.placed"]})
    assert added.status_code == 201
    assert added.headers["location"] == "/api/v1/webhooks/1"
    assert added.json()["secret"].startswith("whsec_")
    assert club("GET", "/webhooks/1").json() == added.json()["webhook"]
    assert "secret" not in reader("GET", "/webhooks").text
    assert reader("POST", "/webhooks", json={"url": URL}).status_code == 403
    assert visitor("GET", "/webhooks").status_code == 401
    for method, path in (("GET", ""), ("GET", "/deliveries"), ("POST", "/test"), ("POST", "/remove")):
        assert fox(method, f"/webhooks/1{path}").status_code == 404
    assert fox("GET", "/webhooks").json() == {"items": []}
    for body, sentence in (
        ({}, "missing required field url"),
        ({"url": "http://example.org"}, "must begin with https://"),
        ({"url": "http://127.0.0.1/"}, "must begin with https://"),
        ({"url": "https://169.254.169.254/"}, "leads to no public address"),
        ({"url": URL, "events": ["entry.born"]}, "events"),
    ):
        refused = club("POST", "/webhooks", json=body)
        assert refused.status_code in (400, 422)
        assert sentence in refused.json()["detail"]
    first, second = club("POST", "/webhooks/1/test").json(), club("POST", "/webhooks/1/test").json()
    page = club("GET", "/webhooks/1/deliveries?limit=1").json()
    assert page["items"] == [second]
    assert club("GET", page["next"].removeprefix("/api/v1")).json() == {"items": [first], "next": None}
    for _ in range(MOST_WEBHOOKS - 1):
        assert club("POST", "/webhooks", json={"url": URL}).status_code == 201
    assert "remove one first" in club("POST", "/webhooks", json={"url": URL}).json()["detail"]
    assert club("POST", "/webhooks/1/remove").json() == {"webhook": 1}
    [row] = [each for each in own.account_tokens.all("club") if "submit" in each.scopes]
    own.account_tokens.revoke(row.id)
    assert {each.reason for each in Webhooks(own).all("club")} == {
        "the token that added it or last switched it on was revoked"
    }


def test_a_leaked_token_leaves_no_webhook_on(own: Store, account: Account) -> None:
    club, thief = account("club"), account("club", "author", "submit")
    assert thief("POST", "/webhooks", json={"url": URL}).status_code == 201
    assert thief("POST", "/webhooks/1/enable").json()["disabled"] is None
    owner, leaked = [each.id for each in own.account_tokens.all("club") if "submit" in each.scopes]
    own.account_tokens.revoke(leaked)
    assert Webhooks(own).find(1).disabled is not None
    assert thief("POST", "/webhooks/1/enable").status_code == 401
    assert club("POST", "/webhooks/1/enable").json()["disabled"] is None
    own.account_tokens.revoke(owner)
    assert Webhooks(own).find(1).disabled is not None, "the token that switched it on is revoked, too"


def test_what_is_sent_is_as_described(own: Store, account: Account, visitor: Asker) -> None:
    club = account("club")
    club("POST", "/webhooks", json={"url": URL})
    club("POST", "/webhooks/1/test")
    HandIns(own).receive("club", "club/elk", "elk.py", b"x")
    found = HandIns(own).claim(worker_name(), 60.0)
    assert found is not None
    HandIns(own).finish(found.claim, "refused", "is refused", HandInEnd(1))
    Rejudging(own).rejudge([found.claim.hand_in], "ann", "the check is mended")
    accepted = HandIns(own).receive("fox", "fox/elk", "elk.py", b"x")
    HandIns(own).cancel(found.claim.hand_in)
    found = HandIns(own).claim(worker_name(), 60.0)
    assert found is not None
    HandIns(own).accept(found.claim, VERSION, titled, HandInEnd(1))
    Rejudging(own).rejudge([accepted], "club", "the check is mended")
    found = HandIns(own).claim(worker_name(), 60.0)
    assert found is not None
    HandIns(own).finish(found.claim, "refused", "is refused", HandInEnd(1))
    league = Leagues(own).named("cambio").id
    [number] = [each.number for each in Leagues(own).entries(league) if each.owner == "club"]
    [other] = [each.number for each in Leagues(own).entries(league) if each.owner == "fox"]
    Leagues(own).change_entry(league, number, "standing", "arena", "60 Elo")
    Webhooks(own).save_rivals(league, 1, [Rivals(number, frozenset({other}), (other,))])
    with own.write(numbers=True) as connection:
        for division, is_up in ((1, True), (2, False)):
            add_division_change(connection, league, number, division, is_up=is_up)
    Leagues(own).begin_season(league, new_season(2, date(2027, 1, 1)), "arena")
    Leagues(own).change_entry(league, number, "suspended", "arena", "it fails")
    set_dates(own, "cambio", GivenDates(deadline="2199-12-01T18:00Z"), "ann")
    extend(own, "cambio", "club", "2199-12-02T18:00Z", "ann")
    announce(own, "cambio", "The hall is H2.", "ann")
    document = visitor("GET", "/openapi.json").json()
    Webhooks(own).all()  # makes the deliveries of what has happened
    with own.read() as connection:
        sent = list(map(json.loads, connection.scalars(select(webhook_deliveries.c.body))))
    assert {each["type"] for each in sent} == set(document["webhooks"]) == {*KINDS, "webhook.test"}
    for each in sent:
        schema = document["webhooks"][each["type"]]["post"]["requestBody"]["content"]["application/json"]["schema"]
        components = {
            name: value | ({"additionalProperties": False} if "properties" in value else {})
            for name, value in document["components"]["schemas"].items()
        }
        jsonschema.Draft202012Validator(schema | {"components": {"schemas": components}}).validate(each)
