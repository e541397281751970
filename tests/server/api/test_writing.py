"""Handing in and deciding through the API: who may, what is stored, what is refused."""

from collections.abc import AsyncIterator, Collection

import pytest
from sqlalchemy import event

from arena.bots.hand_in_rows import HandInEnd
from arena.bots.hand_in_worker import HandInWorker
from arena.bots.hand_ins import HandIns
from arena.bots.rejudging import Rejudging
from arena.league.results import hand_in_notices
from arena.league.results.hand_in_notices import LeagueNotice
from arena.league.store.league_rows import Final
from arena.league.store.leagues import Leagues
from arena.league.store.seasons import Seasons
from arena.run.remote.tokens import new_token, token_hash
from arena.sdk.recorded_question import parse_question
from arena.server.api import dispatch, hand_in_values
from arena.store import Store
from arena.store.engine.worker_name import worker_name
from tests import installed, leagues
from tests.bots.test_hand_ins import VERSION, titled
from tests.server.api.conftest import API, Account, Asker
from tests.server.conftest import Client
from tests.uploads import NO_BOT, PLAYS_HYPP, WRONG_IN_HYPP, zipped

pytestmark = pytest.mark.usefixtures("forked_checks")

ZIP = {"content-type": "application/zip"}
HAND_IN = "/hand-ins?name=club/elk&file=elk.zip"


STOPS_READING = pytest.mark.filterwarnings("ignore:Async generator 'httpx._content:ResourceWarning")
"""For requests of which the server reads only a part: httpx, called directly, leaves the rest to the collector."""


def numbers(store: Store) -> list[int]:
    return [row.id for row in HandIns(store).newest(None, 10)]


@pytest.mark.promise
def test_a_bot_is_stored_before_the_answer_and_accepted_after_its_check(
    account: Account, worker: HandInWorker, own: Store
) -> None:
    author = account("club")
    answer = author("POST", HAND_IN, content=PLAYS_HYPP, headers=ZIP)
    assert answer.status_code == 202
    assert answer.headers["location"] == f"{API}/hand-ins/1"
    sent = answer.json()
    assert (sent["hand_in"], sent["state"], sent["place"], sent["owner"]) == (1, "received", 1, "club")
    assert HandIns(own).find(1).state == "received"
    assert worker.check_next()
    after = author("GET", "/hand-ins/1").json()
    assert (after["state"], after["version"], after["is_finished"]) == ("accepted", 1, True)
    assert ("plays hypp", "passed") in [(step["title"], step["verdict"]) for step in after["steps"]]
    assert author("GET", "/hand-ins/1/report").json() == {"hand_in": 1, "output": [], "findings": []}
    bot = author("GET", "/bots/club%2Felk").json()
    assert [version["version"] for version in bot["versions"]] == [1]
    assert author("GET", "/bots/club/elk").json() == bot


@pytest.mark.processes
def test_what_a_refused_bot_printed_and_where_it_failed_is_told(
    account: Account, worker: HandInWorker, own: Store
) -> None:
    author, other = account("club"), account("fox")
    sent = author("POST", "/hand-ins?name=club/elk&file=elk.py", content=WRONG_IN_HYPP, headers=ZIP)
    assert sent.status_code == 202, sent.text
    assert author("GET", "/hand-ins/1/report").json() == {"hand_in": 1, "output": [], "findings": []}
    assert worker.check_next()
    assert author("GET", "/hand-ins/1").json()["state"] == "refused"
    report = author("GET", "/hand-ins/1/report").json()
    assert report["output"][-1] == "thinks"
    [finding] = report["findings"]
    assert finding["step"] == "plays hypp"
    assert parse_question(finding["question"].encode()).game == "hypp"
    assert ": illegal" in finding["log"]
    assert other("GET", "/hand-ins/1/report").status_code == 404


def test_a_form_is_understood_too(account: Account, own: Store) -> None:
    answer = account("club")("POST", "/hand-ins", data={"name": "club/elk"}, files={"file": ("elk.zip", PLAYS_HYPP)})
    assert answer.status_code == 202, answer.text
    row = HandIns(own).find(1)
    assert (row.name, row.file) == ("club/elk", "elk.zip")
    claimed = HandIns(own).claim("worker", 60)
    assert claimed is not None
    assert claimed.content == PLAYS_HYPP


@STOPS_READING
@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"nonsense", "the form cannot be read"),
        (b"--b\r\nContent-Disposition: form-data; name=file\r\n\r\nx\r\n--b--\r\n", "the form has no file"),
        (b"--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n", "the form cannot be read"),
        (b"--b\r\n" + b"X-Y: z\r\n" * 5000 + b"\r\nx\r\n--b--\r\n", "the form"),
        (b"".join(b"--b\r\nContent-Disposition: form-data; name=f%d\r\n\r\nx\r\n" % n for n in range(50)), "Too many"),
    ],
)
def test_forms_that_cannot_be_read_are_refused(account: Account, own: Store, content: bytes, sentence: str) -> None:
    headers = {"content-type": "multipart/form-data; boundary=b"}
    answer = account("club")("POST", "/hand-ins?name=club/elk", content=content, headers=headers)
    assert answer.status_code == 400
    assert sentence in answer.json()["detail"]
    assert numbers(own) == []


@STOPS_READING
def test_what_is_too_large_is_refused_while_it_is_read(account: Account, own: Store) -> None:
    author = account("club")
    for headers in (ZIP, {"content-type": "multipart/form-data; boundary=b"}):
        assert author("POST", HAND_IN, content=bytes(9 * 1024 * 1024), headers=headers).status_code == 413
    read = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal read
        while True:
            read += 1024 * 1024
            yield bytes(1024 * 1024)

    answer = author("POST", HAND_IN, content=endless(), headers=ZIP)
    assert answer.status_code == 413
    assert "at most 8,388,608 bytes" in answer.json()["detail"]
    assert read <= 10 * 1024 * 1024
    assert numbers(own) == []


@pytest.mark.parametrize(
    ("path", "headers", "status", "sentence"),
    [
        ("/hand-ins?name=club/elk", ZIP, 400, "say the file"),
        ("/hand-ins?file=elk.zip", ZIP, 400, "say the name"),
        ("/hand-ins?name=fox/elk&file=elk.zip", ZIP, 422, "the name must begin with club/"),
        ("/hand-ins?name=club/Elk&file=elk.zip", ZIP, 422, "a submission cannot be named"),
        (HAND_IN, {}, 415, "the body must have the Content-Type application/octet-stream or"),
        (HAND_IN, {"content-type": "text/html"}, 415, "application/zip"),
        (HAND_IN, ZIP | {"idempotency-key": "x" * 81}, 400, "an Idempotency-Key has 1 to 80"),
    ],
)
def test_requests_that_are_no_hand_in_are_refused(
    account: Account, own: Store, path: str, headers: dict[str, str], status: int, sentence: str
) -> None:
    answer = account("club")("POST", path, content=NO_BOT, headers=headers)
    assert answer.status_code == status
    assert sentence in answer.json()["detail"]
    assert numbers(own) == []


def test_a_request_that_is_repeated_with_its_key_hands_in_nothing_else(account: Account, own: Store) -> None:
    author, headers = account("club"), ZIP | {"idempotency-key": "tag-1.0"}
    first, again = (author("POST", HAND_IN, content=NO_BOT, headers=headers) for _ in range(2))
    assert (first.status_code, again.status_code) == (202, 202)
    assert first.headers["location"] == again.headers["location"]
    changed = author("POST", HAND_IN, content=zipped({"readme.txt": b"y"}), headers=headers)
    assert changed.status_code == 422
    assert "hand-in 1 came with this Idempotency-Key" in changed.json()["detail"]
    other = account("fox")("POST", HAND_IN.replace("club", "fox"), content=NO_BOT, headers=headers)
    assert other.json()["hand_in"] == 2, "keys are the owner's own"
    assert author("POST", HAND_IN, content=NO_BOT, headers=ZIP).json()["hand_in"] == 3


@pytest.mark.parametrize(
    ("path", "start", "rest", "media_type"),
    [
        (HAND_IN, NO_BOT[:1], NO_BOT[1:], "application/zip"),
        *installed.of("webhooks", ("/webhooks", b'{"url": "https://', b'example.org/"}', "application/json")),
    ],
)
def test_a_token_that_is_revoked_while_a_body_arrives_does_nothing(
    client: Client, own: Store, path: str, start: bytes, rest: bytes, media_type: str
) -> None:
    secret = new_token()
    own.accounts.add("club", "author", token_hash(new_token()))
    token = own.account_tokens.add("club", "ci", ("submit",), token_hash(secret), None)
    assert token is not None

    async def revoked() -> AsyncIterator[bytes]:
        yield start
        own.account_tokens.revoke(token)
        yield rest

    answer = Asker(client, secret)("POST", path, content=revoked(), headers={"content-type": media_type})
    assert answer.status_code == 401
    assert "nothing was done" in answer.json()["detail"]
    assert numbers(own) == []
    with own.read() as connection:
        assert installed.rows(connection, "webhooks") == 0


def test_a_list_asks_the_database_as_often_for_many_hand_ins_as_for_few(account: Account, own: Store) -> None:
    organiser = account("ann", "organiser")
    assert Seasons(own).freeze(Leagues(own).named("cambio").id, 1, Final(2, 2, closes=False), "ann")
    asked: list[str] = []

    def count() -> int:
        asked.clear()
        assert organiser("GET", "/hand-ins").status_code == 200
        return len(asked)

    def hand_in(owner: str) -> None:
        leagues.submit(own, f"{owner}/elk")
        HandIns(own).receive(owner, f"{owner}/elk", "elk.py", b"")

    with own.read() as connection:
        engine = connection.engine
    event.listen(engine, "before_cursor_execute", lambda *what: asked.append(what[2]))
    hand_in("club")
    few = count()
    for owner in ("fox", "hen", "jay", "kea", "owl"):
        hand_in(owner)
    assert count() == few


def test_hand_ins_are_told_of_frozen_seasons_of_their_games(
    account: Account, own: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    author = account("club")
    assert Seasons(own).freeze(Leagues(own).named("cambio").id, 1, Final(2, 2, closes=False), "ann")
    ids = [
        HandIns(own).receive("club", "club/owl", "owl.py", b"", games=games) for games in ((), ("cambio",), ("hypp",))
    ]
    read = hand_in_notices.league_notices
    looks: list[str] = []

    def look(store: Store, owners: Collection[str]) -> dict[str, list[LeagueNotice]]:
        looks.extend(owners)
        return read(store, owners)

    monkeypatch.setattr(hand_in_values, "league_notices", look)
    notice = (
        "season 1 of the league cambio is at its end: a bot for cambio that is accepted now enters when the next "
        "season begins"
    )
    listed = {row["hand_in"]: row["notices"] for row in author("GET", "/hand-ins").json()["hand_ins"]}
    assert [listed[each] for each in ids] == [[], [notice], []], "the games of a new bot are not known yet"
    assert looks == ["club"], "once for all hand-ins"
    claimed = HandIns(own).claim(worker_name(), 60.0)
    assert claimed is not None
    assert HandIns(own).begin_check(claimed.claim, ("cambio", "coch"))
    assert author("GET", f"/hand-ins/{ids[0]}").json()["notices"] == [notice]
    leagues.submit(own, "club/elk")
    row = own.submissions.versions("club/elk")[-1]
    assert row.manifest["games"] == ["guessing"]
    later = HandIns(own).receive("club", "club/elk", "elk.py", b"")
    assert author("GET", f"/hand-ins/{later}").json()["notices"] == [], "its last version plays another game"
    for each in (*ids, later):
        HandIns(own).cancel(each)
    looks.clear()
    assert all(row["notices"] == [] for row in author("GET", "/hand-ins").json()["hand_ins"])
    assert looks == [], "what is finished needs none"


def test_a_hand_in_is_told_whose_place_it_takes(account: Account, own: Store) -> None:
    author = account("club")
    for name in ("club/owl", "club/elk"):
        HandIns(own).receive("club", name, "bot.py", b"", games=("cambio",))
    listed = {row["bot"]: row["notices"] for row in author("GET", "/hand-ins").json()["hand_ins"]}
    sentence = (
        "the league cambio plays no more bots of club than club/owl: a bot of another name takes the place of club/owl"
    )
    assert listed == {"club/owl": [], "club/elk": [sentence]}


def test_hand_ins_of_others_are_not_there(account: Account, visitor: Asker, own: Store) -> None:
    author, other, organiser = account("club"), account("fox"), account("boss", "organiser")
    assert author("POST", HAND_IN, content=NO_BOT, headers=ZIP).status_code == 202
    for method, path in (("GET", "/hand-ins/1"), ("GET", "/hand-ins/1/events"), ("POST", "/hand-ins/1/cancel")):
        refused, missing = other(method, path), other(method, path.replace("1", "99"))
        assert refused.status_code == missing.status_code == 404
        assert refused.json()["detail"].replace("1", "99", 1) == missing.json()["detail"]
        assert visitor(method, path).status_code == 401
    assert other("GET", "/hand-ins").json()["hand_ins"] == []
    assert [row["hand_in"] for row in organiser("GET", "/hand-ins").json()["hand_ins"]] == [1]
    assert author("POST", "/hand-ins/1/cancel").json()["state"] == "cancelled"
    again = author("POST", "/hand-ins/1/cancel")
    assert again.status_code == 409
    assert "hand-in 1 is finished: club/elk was cancelled" in again.json()["detail"]


def test_each_scope_allows_what_it_is_for(account: Account, own: Store) -> None:
    reader, submitter = account("club", "author", "read"), account("club", "author", "submit")
    refused = reader("POST", HAND_IN, content=NO_BOT, headers=ZIP)
    assert refused.status_code == 403
    assert refused.headers["www-authenticate"] == 'Bearer error="insufficient_scope", scope="submit"'
    assert submitter("POST", HAND_IN, content=NO_BOT, headers=ZIP).status_code == 202
    assert submitter("GET", "/hand-ins/1").status_code == 200, "who may hand in may follow it"
    assert account("boss", "organiser", "read")("POST", "/leagues/cambio/pause").status_code == 403
    false_manager = account("club", "author", "manage")
    assert false_manager("POST", "/leagues/cambio/pause").status_code == 403, "an author manages nothing"


def test_a_token_that_does_not_manage_acts_for_its_own_account(account: Account, own: Store) -> None:
    author = account("club")
    assert author("POST", HAND_IN, content=NO_BOT, headers=ZIP).status_code == 202
    submitter, reader = account("boss", "organiser", "submit"), account("boss", "organiser", "read")
    assert submitter("GET", "/hand-ins").json()["hand_ins"] == []
    assert submitter("GET", "/hand-ins/1/report").status_code == 404
    assert submitter("POST", "/hand-ins/1/cancel").status_code == 404
    assert "must begin with boss/" in submitter("POST", HAND_IN, content=NO_BOT, headers=ZIP).json()["detail"]
    assert reader("GET", "/hand-ins/1").json()["bot"] == "club/elk"
    both = account("boss", "organiser", "read", "submit")
    refused = both("POST", "/hand-ins/1/cancel")
    assert (refused.status_code, refused.json()["detail"]) == (403, "hand-in 1 belongs to club, not to you")
    manager = account("boss", "organiser", "manage")
    assert manager("GET", "/hand-ins").json()["hand_ins"][0]["hand_in"] == 1
    assert manager("POST", "/hand-ins/1/cancel").json()["state"] == "cancelled"


def test_organisers_have_refused_hand_ins_checked_again(account: Account, own: Store) -> None:
    author, manager = account("club"), account("boss", "organiser", "manage")
    assert author("POST", HAND_IN, content=NO_BOT, headers=ZIP).status_code == 202
    waiting = manager("POST", "/hand-ins/1/rejudge", json={"reason": "mended"})
    assert (waiting.status_code, waiting.json()["detail"]) == (
        409,
        "hand-in 1 cannot be checked again: it is not checked yet",
    )
    claimed = HandIns(own).claim("me", 60.0)
    assert claimed is not None
    HandIns(own).finish(claimed.claim, "refused", "is refused", HandInEnd(1))
    assert author("POST", "/hand-ins/1/rejudge", json={"reason": "mended"}).status_code == 403
    assert manager("POST", "/hand-ins/1/rejudge", json={"reason": ""}).status_code == 400
    answer = manager("POST", "/hand-ins/1/rejudge", json={"reason": "mended"})
    assert (answer.status_code, answer.json()["state"]) == (200, "received")
    assert [entry[1:3] for entry in Rejudging(own).log(1)] == [("boss", "mended")]


def test_an_accepted_version_is_checked_again_which_its_owner_cannot_cancel(account: Account, own: Store) -> None:
    manager, author = account("boss", "organiser", "manage"), account("club")
    id = HandIns(own).receive("club", "club/owl", "owl.py", b"source")
    claimed = HandIns(own).claim("me", 60.0)
    assert claimed is not None
    HandIns(own).accept(claimed.claim, VERSION, titled, HandInEnd(1))
    answer = manager("POST", f"/hand-ins/{id}/rejudge", json={"reason": "mended"})
    assert (answer.status_code, answer.json()["state"], answer.json()["version"]) == (200, "received", 2)
    refused = author("POST", f"/hand-ins/{id}/cancel")
    assert (refused.status_code, "only organisers can cancel" in refused.json()["detail"]) == (403, True)
    answer = manager("POST", f"/hand-ins/{id}/cancel")
    assert (answer.status_code, answer.json()["state"], answer.json()["version"]) == (200, "accepted", 2)


def test_wrong_tokens_are_limited_and_lock_nobody_out(client: Client, account: Account) -> None:
    author = account("club")
    answers = [Asker(client, f"arena_{number}")("GET", "/leagues") for number in range(12)]
    assert [answer.status_code for answer in answers] == [401] * 10 + [429] * 2
    assert answers[0].headers["www-authenticate"].startswith("Bearer")
    assert 0 < int(answers[-1].headers["retry-after"]) <= 301
    assert author("GET", "/leagues").status_code == 200


@pytest.fixture
def few_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    assert dispatch.REQUESTS == (1200, 60.0), "as docs/api.md says"
    monkeypatch.setattr(dispatch, "REQUESTS", (12, 60.0))


@pytest.mark.usefixtures("few_requests")
def test_requests_are_limited_by_account(account: Account, visitor: Asker) -> None:
    author, other = account("club"), account("fox")
    answers = [author("GET", "/leagues") for _ in range(13)]
    assert {answer.status_code for answer in answers[:12]} == {200}
    assert answers[-1].status_code == 429
    assert 0 < int(answers[-1].headers["retry-after"]) <= 61
    assert other("GET", "/leagues").status_code == visitor("GET", "/leagues").status_code == 200


def test_an_expired_token_is_nobodys(client: Client, own: Store) -> None:
    own.accounts.add("club", "author", token_hash(new_token()))
    for expires, status in (("2026-01-01T00:00:00+00:00", 401), ("2999-01-01T00:00:00+00:00", 200)):
        secret = new_token()
        assert own.account_tokens.add("club", "x", ("read",), token_hash(secret), expires) is not None
        assert Asker(client, secret)("GET", "/hand-ins").status_code == status
    assert [row.used is not None for row in own.account_tokens.all("club")] == [False, True]


def test_the_token_of_an_account_has_all_scopes_of_its_role(client: Client, own: Store) -> None:
    secret = new_token()
    own.accounts.add("boss", "organiser", token_hash(secret))
    assert Asker(client, secret)("POST", "/leagues/cambio/pause").json()["state"] == "paused"
    own.accounts.reset("boss", token_hash(new_token()))
    assert Asker(client, secret)("POST", "/leagues/cambio/resume").status_code == 401


def test_cookies_and_other_sites_change_nothing(visitor: Asker) -> None:
    headers = {"cookie": "arena=x", "origin": "https://evil.example", "sec-fetch-site": "cross-site"}
    assert visitor("POST", "/leagues/cambio/pause", headers=headers).status_code == 401


def test_organisers_pause_resume_and_close_a_league(account: Account, own: Store) -> None:
    organiser, author = account("boss", "organiser"), account("club")
    assert author("POST", "/leagues/cambio/pause").status_code == 403
    assert organiser("POST", "/leagues/cambio/pause", json={"reason": "exam"}).json()["state"] == "paused"
    twice = organiser("POST", "/leagues/cambio/pause")
    assert twice.status_code == 422
    assert "is paused already" in twice.json()["detail"]
    assert organiser("POST", "/leagues/cambio/resume").json()["state"] == "open"
    assert organiser("POST", "/leagues/cambio/close").json()["state"] == "closed"
    assert organiser("POST", "/leagues/elk/close").status_code == 404
    log = Leagues(own).log(Leagues(own).named("cambio").id)
    assert [(row.kind, row.who, row.reason) for row in log[-3:]] == [
        ("pause", "boss", "exam"),
        ("resume", "boss", ""),
        ("close", "boss", ""),
    ]


def test_organisers_end_a_season(account: Account, own: Store, visitor: Asker) -> None:
    organiser, path = account("boss", "organiser"), "/leagues/cambio/end-season"
    for asker, status in (
        (visitor, 401),
        (account("club"), 403),
        (account("head", "organiser", "read"), 403),
    ):
        assert asker("POST", path).status_code == status
    for body, status, sentence in (
        ({"top": 1}, 400, "top"),
        ({"deals": 0}, 400, "deals"),
        ({"season": 0}, 400, "season"),
        ({"season": 2}, 422, "the league cambio has no season 2: the newest is 1"),
        ({"top": 500}, 422, "500 finalists have 124,750 tables of 2"),
        ({"deals": 1001}, 422, "1 to 1000 deals, not 1001"),
        ({"yes": True}, 400, "yes"),
    ):
        refused = organiser("POST", path, json=body)
        assert (refused.status_code, refused.headers["content-type"]) == (status, "application/problem+json")
        assert sentence in refused.json()["detail"]
        assert "--" not in refused.json()["detail"], "options are for commands"
    assert organiser("GET", "/leagues/cambio").json()["seasons"][0]["phase"] == "open", "nothing has come of it"
    assert organiser("POST", "/leagues/elk/end-season").status_code == 404

    [season] = organiser("POST", path, json={"season": 1, "top": 3, "close": True, "reason": "exam"}).json()["seasons"]
    assert season["phase"] == "frozen"
    league = Leagues(own).named("cambio")
    assert Leagues(own).seasons(league.id)[0].final == Final(3, 0, closes=True)
    [entry] = Leagues(own).log(league.id, "freeze")
    assert (entry.who, entry.reason) == ("boss", "exam")
    twice = organiser("POST", path)
    assert (twice.status_code, twice.json()["detail"]) == (422, "season 1 of the league cambio is frozen already")
    leagues.end_frozen_season(own, league)
    late = organiser("POST", path, json={"season": 1})
    ended = "season 1 of the league cambio has ended already: the newest is 2"
    assert (late.status_code, late.json()["detail"]) == (422, ended)
    assert Leagues(own).seasons(league.id)[1].phase == "open", "a repeated request costs no other season"
    Leagues(own).set_state(league.id, "closed", "ann")
    assert "is closed, for ever" in organiser("POST", path).json()["detail"]


def test_owners_retire_and_readmit_their_entries(account: Account, own: Store) -> None:
    author, other, organiser = account("club"), account("fox"), account("boss", "organiser")
    entries = {row["bot"]: row for row in author("GET", "/leagues/cambio/entries").json()["entries"]}
    entry = f"/leagues/cambio/entries/{entries['club/owl@1']['entry']}"
    assert other("POST", f"{entry}/retire").status_code == 403
    assert author("POST", f"{entry}/retire", json={"reason": "weak"}).json()["state"] == "retired"
    assert "is retired already" in author("POST", f"{entry}/retire").json()["detail"]
    assert author("POST", f"{entry}/readmit").json()["state"] == "placing"
    assert "plays already" in author("POST", f"{entry}/readmit").json()["detail"]
    league = Leagues(own).named("cambio")
    Leagues(own).change_entry(league.id, entries["club/owl@1"]["entry"], "suspended", "arena", "it crashed")
    assert "is suspended (it crashed)" in author("POST", f"{entry}/readmit").json()["detail"]
    assert organiser("POST", f"{entry}/readmit").json()["state"] == "placing"
    Leagues(own).enter(league.id, leagues.entry(leagues.submit(own, "club/owl")), "arena")
    assert "not the newest version of club/owl" in author("POST", f"{entry}/readmit").json()["detail"]
    Leagues(own).enter(league.id, leagues.entry(leagues.submit(own, "club/elk")), "arena")
    newest = next(
        row for row in author("GET", "/leagues/cambio/entries").json()["entries"] if row["bot"] == "club/owl@2"
    )
    refused = author("POST", f"/leagues/cambio/entries/{newest['entry']}/readmit").json()["detail"]
    assert "club has 1 active in cambio, the most: retire club/elk@1 first" in refused
    anchor = next(row for row in entries.values() if row["is_anchor"])
    assert "one of the sample bots" in organiser("POST", f"/leagues/cambio/entries/{anchor['entry']}/retire").text


def test_organisers_take_a_bot_down(account: Account, own: Store) -> None:
    author, organiser = account("club"), account("boss", "organiser")
    assert author("POST", "/bots/club%2Fowl/take-down").status_code == 403
    answer = organiser("POST", "/bots/club%2Fowl/take-down", json={"reason": "copied"})
    assert answer.json() == {"bot": "club/owl", "entries": 1}
    assert own.submissions.version("club/owl", 1).retired is not None
    (entry,) = [row for row in Leagues(own).entries(1) if row.title == "club/owl@1"]
    assert (entry.state, entry.reason) == ("retired", "copied")
    assert organiser("POST", "/bots/club/elk/take-down").status_code == 404


def test_an_owner_hands_in_so_often_on_a_day(account: Account, worker: HandInWorker, own: Store) -> None:
    worker.per_day = 1
    author = account("club")
    assert author("POST", HAND_IN, content=PLAYS_HYPP, headers=ZIP).status_code == 202
    author("POST", "/hand-ins/1/cancel")
    refused = author("POST", HAND_IN, content=PLAYS_HYPP, headers=ZIP)
    assert refused.status_code == 429
    assert refused.json()["detail"].startswith("the most hand-ins of an owner on a day are 1: the next time may be ")
    assert 0 < int(refused.headers["retry-after"]) <= 86400
    assert numbers(own) == [1]
    organiser = account("zed", "organiser")
    for _ in range(2):
        assert organiser("POST", HAND_IN, content=PLAYS_HYPP, headers=ZIP).status_code == 202


def test_an_owner_decides_so_often_on_a_day(account: Account, own: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.league.control.DECISIONS_PER_DAY", 2)
    author, organiser = account("club"), account("zed", "organiser")
    [owl] = [entry.number for entry in Leagues(own).entries(1) if entry.name == "club/owl@1"]
    retire, readmit = (f"/leagues/cambio/entries/{owl}/{word}" for word in ("retire", "readmit"))
    assert author("POST", retire).status_code == 200
    assert author("POST", readmit).status_code == 200
    length = Leagues(own).log_length(1)
    refused = author("POST", retire)
    assert refused.status_code == 429
    assert "entries of cambio on a day are 2: the next time may be tomorrow" in refused.json()["detail"]
    assert 0 < int(refused.headers["retry-after"]) <= 86400
    assert Leagues(own).log_length(1) == length
    assert organiser("POST", retire).status_code == 200


def test_organisers_set_dates_and_extend_deadlines(own: Store, account: Account) -> None:
    organiser, author = account("boss", "organiser"), account("club")
    dates = {"deadline": "2199-05-20T18:00", "timezone": "Europe/Berlin", "reason": "term"}
    assert author("POST", "/leagues/cambio/dates", json=dates).status_code == 403
    [season] = organiser("POST", "/leagues/cambio/dates", json=dates).json()["seasons"]
    assert season["dates"]["deadline"] == "2199-05-20T16:00:00+00:00"
    twice = organiser("POST", "/leagues/cambio/dates", json={"ends": "2199-10-27T02:30"})
    assert (twice.status_code, "twice" in twice.json()["detail"]) == (422, True)
    assert organiser("POST", "/leagues/cambio/dates", json={"ends": 7}).status_code == 400
    extension = {"owner": "club", "until": "2199-05-21T18:00"}
    assert author("POST", "/leagues/cambio/extensions", json=extension).status_code == 403
    answer = organiser("POST", "/leagues/cambio/extensions", json=extension).json()
    assert "2199-05-21" not in str(answer), "it is nobody else's business"
    assert [row.kind for row in Leagues(own).log(1)[-2:]] == ["dates", "extend"]


def test_organisers_announce_by_the_api(account: Account, visitor: Asker) -> None:
    organiser, author, path = account("boss", "organiser"), account("club"), "/leagues/cambio/announcements"
    assert author("POST", path, json={"text": "x"}).status_code == 403
    assert organiser("POST", path, json={"text": "H2"}).status_code == 201
    assert organiser("POST", f"{path}/1", json={"text": "H3"}).json()["changed"] is not None
    assert organiser("POST", f"{path}/2", json={"text": "H3"}).status_code == 404
    assert organiser("POST", f"{path}/1/retract", json={}).json()["retracted"] is not None
    [row] = visitor("GET", path).json()["announcements"]
    assert (row["announcement"], row["text"]) == (1, "H3")
    assert organiser("POST", path, json={"text": "x" * 2001}).status_code == 400
