"""Webhooks and their outbox, on every database: written with what they tell, claimed, tried again, switched off."""

import json
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from arena_webhooks.kinds import KINDS
from arena_webhooks.rows import ClaimedDelivery, Rivals, WebhookRefused, WebhookRow
from arena_webhooks.store import MOST_KEPT, MOST_TESTS, MOST_WEBHOOKS, Webhooks
from arena_webhooks.tables import webhook_deliveries, webhooks
from sqlalchemy import Update, select, update

from arena.bots.hand_in_rows import CANCELLED, HandInEnd, NewVersion
from arena.bots.hand_ins import MOST_DEATHS, HandIns
from arena.league.account_closing import close_account
from arena.league.plan.secret_chain import new_season
from arena.league.store.batches import Batches
from arena.league.store.league_rows import Lease
from arena.league.store.leagues import Leagues
from arena.store import NoSuchRow, Store, open_store
from arena.store.engine.worker_name import worker_name
from arena.store.people.submissions import PackRow
from tests import leagues

FAR = 2**45
"""A time after all that are due, in milliseconds."""

LONG_AGO = "2026-01-01T00:00:00+00:00"


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database, create=True) as opened:
        for number, name in enumerate(("club", "fox")):
            opened.accounts.add(name, "author", f"{number:064}")
        yield opened


def add(store: Store, account: str = "club", *kinds: str, token: int | None = None) -> WebhookRow:
    return Webhooks(store).add(account, "https://example.org/", "whsec_", kinds or KINDS, token)


def events(store: Store, webhook: int = 1) -> list[tuple[str, dict[str, Any]]]:
    """Return the kind and the data of the deliveries of a webhook, the oldest first."""
    Webhooks(store).all()  # makes the deliveries of what has happened
    with store.read() as connection:
        of_webhook = webhook_deliveries.c.webhook_id == webhook
        bodies = connection.scalars(
            select(webhook_deliveries.c.body).where(of_webhook).order_by(webhook_deliveries.c.id)
        )
        return [(value["type"], value["data"]) for value in map(json.loads, bodies)]


def claim(store: Store, now: int = FAR) -> ClaimedDelivery:
    claimed = Webhooks(store).claim(now, now + 60_000)
    assert claimed is not None
    return claimed


def hand_in(store: Store, owner: str = "club") -> Any:
    HandIns(store).receive(owner, f"{owner}/owl", "owl.py", b"x")
    found = HandIns(store).claim(worker_name(), 60.0)
    assert found is not None
    return found.claim


def test_a_checked_hand_in_is_told_once_with_its_end(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.bots.hand_ins.INTERRUPTED_PAUSES", (0.0,))
    add(store)
    add(store, "fox")
    add(store, "club", "season.over")
    first = hand_in(store)
    pack = PackRow("a" * 64, b"", 0, 0)
    version = NewVersion(pack, pack, {"games": []}, {"steps": []})
    assert HandIns(store).accept(first, version, lambda row: f"is accepted as {row.title}", HandInEnd(1)) is not None
    assert not HandIns(store).finish(first, "refused", "is refused", HandInEnd(1)), "it is finished already"
    second = hand_in(store)
    assert HandIns(store).finish(second, "refused", "is refused: bad", HandInEnd(1))
    third = hand_in(store)
    HandIns(store).release(third, died=True)
    for _ in range(MOST_DEATHS - 1):
        found = HandIns(store).claim(worker_name(), 60.0)
        assert found is not None
        HandIns(store).release(found.claim, died=True)
    assert HandIns(store).cancel(hand_in(store).hand_in)
    assert HandIns(store).find(4).state == CANCELLED, "which its owner knows"
    told = events(store)
    assert [(kind, data["hand_in"], data["state"], data["version"]) for kind, data in told] == [
        ("hand_in.checked", 1, "accepted", 1),
        ("hand_in.checked", 2, "refused", None),
        ("hand_in.checked", third.hand_in, "refused", None),
    ]
    assert told[1][1]["sentence"] == "is refused: bad"
    assert events(store, 2) == events(store, 3) == [], "somebody else's, and one that wants others"


def test_changes_of_entries_and_ends_of_seasons_are_told(store: Store) -> None:
    add(store)
    add(store, "fox")
    league = leagues.league(store)
    for name in ("club/owl", "fox/hen"):
        Leagues(store).enter(league.id, leagues.entry(leagues.submit(store, name)), "arena")
    Leagues(store).change_entry(league.id, 3, "standing", "arena", "60 Elo")
    assert not Leagues(store).change_entry(league.id, 3, "standing", "arena", "60 Elo")
    assert Batches(store).add(league.id, leagues.batch((3, 4)), 1)
    assert Batches(store).lease(league.id, "runner", 0, 2**40) is not None
    Batches(store).finish(Lease(league.id, 1, 1), leagues.result(withdrawn={0: "it fails again and again"}))
    season = new_season(2, date(2026, 9, 1))
    assert Leagues(store).begin_season(league.id, season, "arena")
    assert not Leagues(store).begin_season(league.id, season, "arena")
    assert Leagues(store).set_state(league.id, "closed", "ann")
    own = {"league": "club", "entry": 3, "name": "club/owl@1"}
    assert events(store) == [
        ("entry.placed", own | {"reason": "60 Elo"}),
        ("entry.suspended", own | {"reason": "it fails again and again"}),
    ]
    hens = [{"entry": 4, "name": "fox/hen@1"}]
    assert events(store, 2) == [
        ("season.over", {"league": "club", "season": number, "entries": hens}) for number in (1, 2)
    ]


def test_the_end_of_a_season_with_a_final_is_told_once(store: Store) -> None:
    add(store, "fox")
    league = leagues.league(store)
    Leagues(store).enter(league.id, leagues.entry(leagues.submit(store, "fox/hen")), "arena")
    leagues.end_first_season(store, league)
    hens = [{"entry": 3, "name": "fox/hen@1"}]
    assert events(store) == [("season.over", {"league": "club", "season": 1, "entries": hens})]


def test_nothing_is_told_of_what_is_not_stored(store: Store) -> None:
    add(store)
    league = leagues.league(store)
    Leagues(store).enter(league.id, leagues.entry(leagues.submit(store, "club/owl")), "arena")
    assert Batches(store).add(league.id, leagues.batch((1, 3)), 1)
    assert Batches(store).lease(league.id, "runner", 0, 2**40) is not None
    result = leagues.result(withdrawn={1: "it fails"})
    assert Batches(store).finish(Lease(league.id, 1, 7), result) is None, "another attempt has it"
    assert events(store) == []


def test_who_passes_an_entry_is_told_once_by_one_of_two_runners(store: Store) -> None:
    add(store)
    league = leagues.league(store)
    for name in ("club/owl", "fox/hen"):
        Leagues(store).enter(league.id, leagues.entry(leagues.submit(store, name)), "arena")
        Leagues(store).change_entry(league.id, Leagues(store).entries(league.id)[-1].number, "standing", "arena")
    assert Webhooks(store).rivals(league.id) == {3: None}, "nobody listens for the other"
    Webhooks(store).save_rivals(league.id, 1, [Rivals(3, frozenset())])
    passed = [Rivals(3, frozenset({4}), (4,))]
    for _runner in range(2):
        Webhooks(store).save_rivals(league.id, 2, passed)
    assert Webhooks(store).rivals(league.id) == {3: Rivals(3, frozenset({4}))}
    own = {"league": "club", "entry": 3, "name": "club/owl@1"}
    assert events(store)[1:] == [("entry.overtaken", own | {"by": [{"entry": 4, "name": "fox/hen@1"}]})]


def add_checked(store: Store) -> None:
    """Have an event told to the webhooks of club."""
    assert HandIns(store).finish(hand_in(store), "refused", "is refused", HandInEnd(1))


def set_back(store: Store, *changes: Update) -> None:
    Webhooks(store).all()
    with store.write() as connection:
        for change in changes:
            connection.execute(change)


def test_a_delivery_is_made_by_one_worker_and_again_once_its_lease_is_over(store: Store) -> None:
    row, hen = add(store), add(store, "fox")
    for webhook in (row.id, row.id, hen.id):
        Webhooks(store).add_test(webhook)
    first = claim(store)
    assert (first.claim.attempt, first.url, first.kind) == (1, row.url, "webhook.test")
    other = claim(store)
    assert other.message != first.message
    assert {each.webhook for each in Webhooks(store).deliveries(hen.id, 9)} == {hen.id}
    assert Webhooks(store).claim(FAR, FAR + 1) is None, "one of an account at a time"
    again = claim(store, FAR + 60_000)
    assert (again.message, again.claim) == (first.message, first.claim._replace(attempt=2))
    assert not Webhooks(store).note_delivered(first.claim, 200), "the older attempt says nothing any more"
    assert Webhooks(store).note_delivered(again.claim, 204)
    assert not Webhooks(store).note_delivered(again.claim, 204)
    newer, older = Webhooks(store).deliveries(row.id, 9)
    assert (older.state, older.status, older.attempt, older.due, older.error) == ("delivered", 204, 2, None, "")
    assert (newer.state, newer.attempt) == ("waiting", 0)
    assert [each.id for each in Webhooks(store).deliveries(row.id, 9, before=newer.id)] == [older.id]


def test_deliveries_of_all_webhooks_of_an_account_are_made_one_after_the_other(store: Store) -> None:
    first, second = add(store), add(store)
    for webhook in (first.id, second.id):
        Webhooks(store).add_test(webhook)
    made = claim(store)
    assert Webhooks(store).claim(FAR, FAR + 1) is None, "the second one waits for the first"
    assert Webhooks(store).note_delivered(made.claim, 200)
    assert claim(store).message != made.message


def test_a_failure_is_tried_again_when_it_is_due(store: Store) -> None:
    row = add(store)
    add_checked(store)
    first = claim(store)
    assert Webhooks(store).note_failure(first.claim, None, "no connection", FAR + 5_000)
    assert Webhooks(store).claim(FAR + 4_999, FAR + 9_000) is None
    [waiting] = Webhooks(store).deliveries(row.id, 9)
    assert (waiting.state, waiting.error, waiting.status) == ("waiting", "no connection", None)
    assert waiting.due is not None
    assert Webhooks(store).find(row.id).failing_since is not None
    Webhooks(store).add_test(row.id)
    assert Webhooks(store).note_delivered(claim(store).claim, 200)
    assert Webhooks(store).find(row.id).failing_since is None
    second = claim(store, FAR + 5_000)
    assert Webhooks(store).note_failure(second.claim, 500, "the answer is 500", None)
    _, failed = Webhooks(store).deliveries(row.id, 9)
    assert (failed.state, failed.status, failed.due) == ("failed", 500, None)


@pytest.mark.parametrize("status", [500, 410])
@pytest.mark.parametrize("last", [False, True])
def test_a_webhook_at_which_nothing_arrives_is_switched_off_with_a_note(store: Store, status: int, last: bool) -> None:
    row = add(store)
    for _ in range(2):
        add_checked(store)
    if status != 410:
        set_back(store, update(webhooks).values(failing_since=LONG_AGO))
        if not last:
            set_back(store, update(webhook_deliveries).values(created=LONG_AGO))
    retry = None if last else FAR
    assert Webhooks(store).note_failure(claim(store).claim, status, f"the answer is {status}", retry)
    off = Webhooks(store).find(row.id)
    assert off.disabled is not None
    assert off.reason.endswith("(410)" if status == 410 else f"since {LONG_AGO}; the last error: the answer is 500")
    assert Webhooks(store).claim(2 * FAR, 3 * FAR) is None
    assert {each.state for each in Webhooks(store).deliveries(row.id, 9)} == {"failed"}
    add_checked(store)
    assert len(Webhooks(store).deliveries(row.id, 9)) == 2, "nothing more is written for it"
    with pytest.raises(WebhookRefused, match="switched off"):
        Webhooks(store).add_test(row.id)
    assert Webhooks(store).enable(row.id).disabled is None
    Webhooks(store).add_test(row.id)


def test_a_test_that_fails_says_nothing_about_events(store: Store) -> None:
    row = add(store)
    Webhooks(store).add_test(row.id)
    assert Webhooks(store).note_failure(claim(store).claim, None, "no connection", None)
    assert Webhooks(store).find(row.id).failing_since is None
    set_back(
        store, update(webhooks).values(failing_since=LONG_AGO), update(webhook_deliveries).values(created=LONG_AGO)
    )
    Webhooks(store).add_test(row.id)
    assert Webhooks(store).note_failure(claim(store).claim, None, "no connection", None)
    known = Webhooks(store).find(row.id)
    assert (known.failing_since, known.disabled) == (LONG_AGO, None)
    Webhooks(store).add_test(row.id)
    assert Webhooks(store).note_failure(claim(store).claim, 410, "the answer is 410", None)
    assert Webhooks(store).find(row.id).disabled is not None, "which its receiver asks for"


def test_a_new_event_is_tried_again_however_long_others_have_failed(store: Store) -> None:
    row = add(store)
    add_checked(store)
    set_back(store, update(webhooks).values(failing_since=LONG_AGO))
    assert Webhooks(store).note_failure(claim(store).claim, 503, "the answer is 503", FAR)
    [waiting] = Webhooks(store).deliveries(row.id, 9)
    assert (waiting.state, waiting.attempt) == ("waiting", 1)
    assert Webhooks(store).find(row.id).disabled is None


def test_an_event_that_is_given_up_leaves_no_date_for_a_later_one(store: Store) -> None:
    row = add(store)
    for _ in range(2):
        add_checked(store)
    first = claim(store)
    assert Webhooks(store).note_failure(first.claim, 503, "the answer is 503", FAR + 2)
    second = claim(store)
    assert Webhooks(store).note_failure(second.claim, 503, "the answer is 503", FAR + 3)
    assert Webhooks(store).note_failure(claim(store, FAR + 2).claim, 503, "the answer is 503", None)
    assert Webhooks(store).find(row.id).failing_since is not None, "the second event fails still"
    assert Webhooks(store).note_failure(claim(store, FAR + 3).claim, 503, "the answer is 503", None)
    known = Webhooks(store).find(row.id)
    assert (known.failing_since, known.disabled) == (None, None)


def test_limits_of_an_account(store: Store) -> None:
    for _ in range(MOST_WEBHOOKS):
        row = add(store)
    with pytest.raises(WebhookRefused, match="remove one first"):
        add(store)
    for _ in range(MOST_TESTS):
        Webhooks(store).add_test(row.id)
    with pytest.raises(WebhookRefused, match="try again later"):
        Webhooks(store).add_test(row.id)
    Webhooks(store).remove(row.id)
    assert len(Webhooks(store).all("club")) == MOST_WEBHOOKS - 1
    assert Webhooks(store).all("fox") == []
    for call in (Webhooks(store).remove, Webhooks(store).enable, Webhooks(store).find, Webhooks(store).add_test):
        with pytest.raises(NoSuchRow, match=f"no webhook {row.id}"):
            call(row.id)
    with pytest.raises(NoSuchRow, match="no account elk"):
        add(store, "elk")


def test_deliveries_that_wait_show_closed_accounts_by_pseudonyms(store: Store) -> None:
    add(store)
    league = leagues.league(store)
    for bot in ("club/owl", "fox/hen"):
        Leagues(store).enter(league.id, leagues.entry(leagues.submit(store, bot)), "arena")
    Webhooks(store).save_rivals(league.id, 1, [Rivals(3, frozenset({4}), (4,))])
    assert close_account(store, "fox") is not None
    data = json.loads(claim(store).body)["data"]
    assert (data["name"], data["by"]) == ("club/owl@1", [{"entry": 4, "name": "closed-1/1@1"}])


def test_old_deliveries_are_forgotten(store: Store) -> None:
    add(store)
    for _ in range(MOST_KEPT + 2):
        assert HandIns(store).finish(hand_in(store), "refused", "is refused", HandInEnd(1))
        assert Webhooks(store).note_delivered(claim(store).claim, 200)
    kept = Webhooks(store).deliveries(1, 2 * MOST_KEPT)
    assert [each.id for each in kept] == list(range(MOST_KEPT + 2, 2, -1))


def test_a_revoked_token_switches_off_what_it_added_and_a_closed_account_has_nothing(store: Store) -> None:
    token = store.account_tokens.add("club", "ci", ("submit",), "5" * 64, None)
    assert token is not None
    added, own, hen = add(store, token=token), add(store), add(store, "fox")
    Webhooks(store).add_test(added.id)
    under_way = claim(store)
    assert store.account_tokens.revoke(token)
    rows = {row.id: row for row in Webhooks(store).all()}
    assert rows[added.id].reason == "the token that added it or last switched it on was revoked"
    assert rows[own.id].disabled is None
    assert not Webhooks(store).note_delivered(under_way.claim, 200), "it has failed, as the webhook is off"
    Webhooks(store).enable(added.id)
    assert store.accounts.reset("club", "6" * 64)
    assert {row.account for row in Webhooks(store).all() if row.disabled is None} == {"fox"}
    Webhooks(store).enable(own.id)
    Webhooks(store).add_test(own.id)
    under_way = claim(store)
    assert close_account(store, "club") is not None
    assert [row.id for row in Webhooks(store).all()] == [hen.id]
    assert not Webhooks(store).note_failure(under_way.claim, None, "no connection", FAR)
    assert Webhooks(store).claim(2 * FAR, 3 * FAR) is None


def test_who_switches_a_webhook_on_answers_for_it(store: Store) -> None:
    leaked, other = (store.account_tokens.add("club", "ci", ("submit",), digit * 64, None) for digit in "56")
    assert leaked is not None
    assert other is not None
    row, own = add(store, token=leaked), add(store)
    Webhooks(store).enable(row.id, other)
    Webhooks(store).enable(row.id)
    assert store.account_tokens.revoke(leaked)
    assert Webhooks(store).find(row.id).disabled is not None, "to switch on what is on changes nothing"
    with pytest.raises(WebhookRefused, match="revoked meanwhile"):
        Webhooks(store).enable(row.id, leaked)
    assert Webhooks(store).enable(row.id, other).disabled is None
    assert Webhooks(store).enable(own.id, other).disabled is None
    assert store.account_tokens.revoke(other)
    assert Webhooks(store).find(row.id).disabled is not None
    assert Webhooks(store).find(own.id).disabled is None, "it was on, and is the owner's still"
