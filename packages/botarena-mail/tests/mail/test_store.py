"""What owners want, and messages, on every database: made from events once, claimed, tried again, given up, wiped."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from arena_mail.events import GIVE_UP_AFTER, MOST_PER_DAY
from arena_mail.kinds import ACCEPTED, KINDS, RECHECK, REFUSED, REJUDGED, SUSPENDED, USUAL
from arena_mail.rows import ClaimedMail, MailRefused
from arena_mail.store import MOST_KEPT, Mails
from arena_mail.tables import TABLES, mail_owners, mails
from sqlalchemy import create_engine, select, update

from arena.bots.hand_in_rows import HandInEnd, NewVersion
from arena.bots.hand_ins import HandIns
from arena.bots.rejudging import Rejudging
from arena.league.account_closing import close_account
from arena.store import NoSuchRow, Store, open_store
from arena.store.engine.outbox import add_event
from arena.store.engine.schema import accounts, outbox_cursors
from arena.store.engine.worker_name import worker_name
from arena.store.people.submissions import PackRow
from tests import leagues
from tests.bots.test_hand_ins import VERSION, titled
from tests.postgres import Server

FAR = 2**45
"""A time after all that are due, in milliseconds."""


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database, create=True) as opened:
        for number, name in enumerate(("club", "fox")):
            opened.accounts.add(name, "author", f"{number:064}")
            opened.accounts.describe(name, email=f"{name}@example.org")
        Mails(opened).listen()
        yield opened


def suspend(store: Store, account: str = "club", name: str = "club/owl@1", created: str | None = None) -> None:
    data = {"league": "spring", "entry": 1, "name": name, "reason": "it crashed"}
    with store.write() as connection:
        add_event(connection, "entry.suspended", account, data)
        if created is not None:
            from arena.store.engine.schema import outbox

            connection.execute(update(outbox).values(created=created))


def claim(store: Store, now: int = FAR) -> ClaimedMail:
    claimed = Mails(store).claim(now, now + 60_000)
    assert claimed is not None
    return claimed


def states(store: Store, account: str | None = "club") -> list[tuple[str, str]]:
    return [(row.state, row.error) for row in Mails(store).newest(account, 1000)]


def test_a_refused_hand_in_is_told_once_with_its_reason(store: Store) -> None:
    HandIns(store).receive("club", "club/owl", "owl.py", b"x")
    found = HandIns(store).claim(worker_name(), 60.0)
    assert found is not None
    assert HandIns(store).finish(found.claim, "refused", "is refused: bad", HandInEnd(1))
    claimed = claim(store)
    assert (claimed.kind, claimed.account, claimed.address) == (REFUSED, "club", "club@example.org")
    assert claimed.data["sentence"] == "is refused: bad"
    assert Mails(store).claim(FAR, FAR) is None
    assert Mails(store).note_sent(claimed.claim)
    assert not Mails(store).note_sent(claimed.claim), "the claim holds no longer"
    assert states(store) == [("sent", "")]
    with store.read() as connection:
        assert connection.execute(select(mails.c.data, mails.c.address)).one() == ("{}", None), "nothing is kept of it"


def test_an_owner_is_told_that_a_hand_in_is_checked_again(store: Store) -> None:
    id = HandIns(store).receive("club", "club/owl", "owl.py", b"x")
    found = HandIns(store).claim(worker_name(), 60.0)
    assert found is not None
    assert HandIns(store).finish(found.claim, "refused", "is refused: bad", HandInEnd(1))
    Rejudging(store).rejudge([id], "ann", "the check is mended")
    assert claim(store).kind == REFUSED
    again = claim(store)
    assert (again.kind, again.data) == (REJUDGED, {"hand_in": id, "bot": "club/owl", "reason": "the check is mended"})


def test_owner_and_organiser_are_told_that_a_version_failed_when_it_was_checked_again(store: Store) -> None:
    id = HandIns(store).receive("club", "club/owl", "owl.py", b"x")
    found = HandIns(store).claim(worker_name(), 60.0)
    assert found is not None
    assert HandIns(store).accept(found.claim, VERSION, titled, HandInEnd(1)) is not None
    assert claim(store).kind == ACCEPTED
    for state in ("accepted", "refused"):
        Rejudging(store).rejudge([id], "fox", "mended")
        assert claim(store).kind == REJUDGED
        found = HandIns(store).claim(worker_name(), 60.0)
        assert found is not None
        assert HandIns(store).finish(found.claim, state, "is refused: bad", HandInEnd(1))
    for account in ("club", "fox"):
        told = claim(store)
        assert (told.kind, told.account) == (RECHECK, account)
        assert told.data["sentence"] == "plays on as version 1; checked again, it would be refused now: bad"
    assert Mails(store).claim(FAR, FAR) is None, "nobody hears that it passed"


def test_the_end_of_a_season_is_told_to_each_owner(store: Store) -> None:
    league = leagues.cambio(store, "spring")
    from arena.league.store.outbox_events import add_season_over
    from arena.store.engine.schema import entries

    with store.write() as connection:
        connection.execute(update(entries).where(entries.c.league_id == league.id).values(owner="club"))
        add_season_over(connection, league.id, 1)
    claimed = claim(store)
    assert (claimed.kind, claimed.account, claimed.data["league"], claimed.data["season"]) == (
        "season",
        "club",
        "spring",
        1,
    )


def test_owners_get_what_they_choose(store: Store) -> None:
    assert Mails(store).owner("club").kinds == USUAL
    Mails(store).choose("club", ())
    suspend(store)
    assert Mails(store).newest("club", 9) == []
    Mails(store).choose("club", (SUSPENDED,), "ko")
    suspend(store)
    waiting = claim(store)
    assert (waiting.kind, waiting.language) == (SUSPENDED, "ko")
    assert Mails(store).note_failure(waiting.claim, "450", 0)
    Mails(store).choose("club", (ACCEPTED,))
    assert Mails(store).owner("club").language == "ko"
    assert Mails(store).claim(FAR, FAR) is None
    assert states(store) == [("failed", "its owner does not want it any more")]
    assert waiting.secret
    assert Mails(store).account_of_secret(waiting.secret) == "club"
    assert Mails(store).account_of_secret("another") is None
    with pytest.raises(NoSuchRow):
        Mails(store).choose("owl", KINDS)


def test_whoever_has_no_address_gets_nothing_and_members_of_a_team_do(store: Store) -> None:
    store.accounts.add("lab", "author", "7" * 64)
    suspend(store, "lab")
    assert Mails(store).newest(None, 9) == []
    with store.write() as connection:
        connection.execute(update(accounts).where(accounts.c.name.in_(("club", "fox"))).values(team="lab"))
    suspend(store, "lab")
    assert {claim(store).address, claim(store).address} == {"club@example.org", "fox@example.org"}


def test_an_event_makes_one_message_however_often_it_is_looked_at(store: Store) -> None:
    suspend(store)
    first = claim(store)
    Mails(store).listen()
    assert len(states(store)) == 1
    assert Mails(store).note_failure(first.claim, "450 later", 0)
    again = claim(store)
    assert (again.message, again.claim.attempt) == (first.message, 2), "recognised by its id"
    assert not Mails(store).note_sent(first.claim), "what an older attempt says is ignored"
    suspend(store)
    assert claim(store).message != first.message


def test_a_message_of_a_worker_that_is_gone_is_sent_again(store: Store) -> None:
    suspend(store)
    first = Mails(store).claim(FAR, FAR + 1000)
    assert first is not None
    assert Mails(store).claim(FAR + 999, FAR + 2000) is None, "its lease holds"
    assert Mails(store).claim(FAR + 1500, FAR + 2000, lost=1.0) is None, "the machine stood still"
    again = Mails(store).claim(FAR + 1000, FAR + 2000)
    assert again is not None
    assert again.message == first.message


def test_an_address_that_is_refused_gets_nothing_until_it_is_another_or_somebody_says_so(store: Store) -> None:
    for _ in range(2):
        suspend(store)
    claimed = claim(store)
    assert Mails(store).note_refused(claimed.claim, claimed.address, "550 5.1.1 Who?")
    assert Mails(store).owner("club").refused == "550 5.1.1 Who?"
    assert Mails(store).claim(FAR, FAR) is None
    assert states(store) == [
        ("failed", "its address was refused: 550 5.1.1 Who?"),
        ("failed", "550 5.1.1 Who?"),
    ]
    suspend(store)
    store.accounts.describe("club", email="club@example.com")
    assert Mails(store).owner("club").refused == ""
    assert claim(store).address == "club@example.com"
    store.accounts.describe("club", email="club@example.org")
    assert Mails(store).owner("club").refused == "550 5.1.1 Who?"
    Mails(store).readmit("club")
    suspend(store)
    assert claim(store).address == "club@example.org"
    with store.read() as connection:
        assert "example.org" not in str(connection.execute(select(mail_owners)).all()), "only its hash is kept"


def test_what_happened_long_ago_is_told_nobody(store: Store) -> None:
    old = (datetime.now(UTC) - GIVE_UP_AFTER).isoformat(timespec="seconds")
    suspend(store, created=old)
    assert states(store) == []
    suspend(store)
    claimed = claim(store)
    assert Mails(store).note_failure(claimed.claim, "450 later", 0)
    with store.write() as connection:
        connection.execute(update(mails).values(created=old))
    assert Mails(store).claim(FAR, FAR) is None
    assert states(store) == [("failed", "given up after 3 days: 450 later")]


def test_an_account_gets_so_many_mails_a_day_and_so_many_are_kept(store: Store) -> None:
    for _ in range(MOST_PER_DAY + 1):
        suspend(store)
    assert states(store)[0] == ("failed", f"club was sent {MOST_PER_DAY} mails within a day")
    assert [state for state, _ in states(store)[1:]] == ["waiting"] * MOST_PER_DAY
    while (claimed := Mails(store).claim(FAR, FAR + 1)) is not None:
        assert Mails(store).note_sent(claimed.claim)
    assert len(states(store)) == MOST_KEPT


def test_an_account_that_is_closed_is_forgotten_with_its_mail(store: Store) -> None:
    suspend(store)
    suspend(store, "fox")
    under_way = claim(store)
    assert under_way.account == "club"
    Mails(store).choose("club", KINDS)
    Mails(store).ask_to_confirm("club", "secret-place@example.org")
    assert close_account(store, "club") is not None
    assert states(store) == []
    assert not Mails(store).note_sent(under_way.claim)
    with store.read() as connection:
        for table in TABLES.metadata.tables.values():
            rows = json.dumps([list(row) for row in connection.execute(select(table))])
            assert "secret-place" not in rows
            assert '"club"' not in rows
    assert claim(store).account == "fox"
    with pytest.raises(NoSuchRow):
        Mails(store).owner("club")


def test_names_of_accounts_that_were_closed_meanwhile_are_not_told(store: Store) -> None:
    store.accounts.add("ann", "author", "8" * 64)
    HandIns(store).receive("ann", "ann/crow", "crow.py", b"x")
    found = HandIns(store).claim(worker_name(), 60.0)
    assert found is not None
    pack = PackRow("a" * 64, b"", 0, 0)
    version = NewVersion(pack, pack, {"games": []}, {"steps": []})
    assert HandIns(store).accept(found.claim, version, lambda row: f"is accepted as {row.title}", HandInEnd(1))
    suspend(store, "club", "ann/crow@1")
    assert close_account(store, "ann") is not None
    assert claim(store).data["name"].startswith("closed-")


def test_an_address_counts_once_its_owner_confirms_it(store: Store) -> None:
    mails_ = Mails(store)
    mails_.ask_to_confirm("club", "club@new.example")
    assert mails_.pending_address("club") == "club@new.example"
    claimed = claim(store)
    assert (claimed.kind, claimed.address) == ("confirmation", "club@new.example")
    secret = claimed.data["secret"]
    assert mails_.find_confirmation(secret) == ("club", "club@new.example")
    assert mails_.owner("club").address == "club@example.org"
    mails_.ask_to_confirm("club", "club@newer.example")
    assert mails_.confirm(secret) is None, "another one was asked for since"
    assert mails_.confirm(claim(store).data["secret"]) == "club"
    assert mails_.owner("club").address == "club@newer.example"
    assert mails_.pending_address("club") is None
    mails_.remove_address("club")
    assert mails_.owner("club").address == ""


@pytest.mark.parametrize(
    "address",
    [
        "ann",
        "ann@",
        "@example.org",
        "ann@example.org\r\nBcc: bob@example.org",
        "ann@example.org\nRCPT TO:<bob@example.org>",
        "ann bob@example.org",
        "<ann@example.org>",
        "ann@example.org,bob@example.org",
        "ann@-example.org",
        '"ann\r\n"@example.org',
        "ann@exam ple.org",
        "ann\0@example.org",
        f"{'a' * 65}@example.org",
        f"ann@{'a' * 250}.org",
        "ann@example..org",
    ],
)
def test_what_is_no_address_is_refused(store: Store, address: str) -> None:
    with pytest.raises(MailRefused, match="is no address for mail"):
        Mails(store).ask_to_confirm("club", address)
    store.accounts.describe("club", email=address.replace("\0", "\x01"))
    suspend(store)
    assert Mails(store).claim(FAR, FAR) is None, "nor is it sent to where another program has stored it"


def test_domains_may_have_all_letters(store: Store) -> None:
    Mails(store).ask_to_confirm("club", "ann@bücher.example")
    assert claim(store).address == "ann@xn--bcher-kva.example"


def test_a_listener_that_was_forgotten_begins_again(store: Store) -> None:
    Mails(store).choose("club", KINDS)
    Mails(store).choose("fox", KINDS)
    with store.write() as connection:
        connection.execute(outbox_cursors.delete())
    store.accounts.remove("fox")
    suspend(store)
    assert states(store) == []
    Mails(store).choose("club", KINDS)
    suspend(store)
    assert claim(store).kind == SUSPENDED
    assert [row.account for row in Mails(store).owners()] == ["club"]
    recent = datetime.now(UTC) - timedelta(minutes=5)
    assert all(datetime.fromisoformat(row.created) > recent for row in Mails(store).newest(None, 9))


@pytest.mark.toolchain
def test_an_event_that_is_stored_late_below_the_cursor_is_told(postgres: Server) -> None:
    with open_store(postgres.database(), create=True) as store:
        store.accounts.add("club", "author", "1" * 64)
        store.accounts.describe("club", email="club@example.org")
        Mails(store).listen()
        engine = create_engine(store._engine.url)
        with engine.begin() as slow:
            data = {"league": "spring", "entry": 1, "name": "club/slow@1", "reason": "it crashed"}
            add_event(slow, "entry.suspended", "club", data)  # its number is taken, and it is not stored yet
            suspend(store, "club", "club/quick@1")
            assert claim(store).data["name"] == "club/quick@1"
            assert Mails(store).claim(FAR, FAR) is None
        engine.dispose()
        assert claim(store).data["name"] == "club/slow@1"
        assert Mails(store).claim(FAR, FAR) is None
