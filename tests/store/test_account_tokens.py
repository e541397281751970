"""Tokens with scopes, logins of a proxy, invitations, requests that are repeated, and closing, on every database."""

import pytest

from arena.bots.hand_in_rows import RequestKey, RequestReused, TooManyHandIns
from arena.bots.hand_ins import MOST_OF_OWNER, HandIns
from arena.league.account_closing import close_account
from arena.store import open_store
from arena.store.people.account_tokens import MOST_TOKENS
from referee.games.cambio import CAMBIO
from tests import played

LATER, EARLIER = "2999-01-01T00:00:00+00:00", "2026-01-01T00:00:00+00:00"


def test_a_token_has_its_scopes_as_far_as_the_role_allows(database: str) -> None:
    with open_store(database, create=True) as store:
        tokens = store.account_tokens
        assert tokens.add("club", "ci", ("submit",), "1" * 64, None) is None, "there is no such account"
        store.accounts.add("club", "author", "0" * 64)
        number = tokens.add("club", "ci", ("submit", "manage"), "1" * 64, LATER)
        assert tokens.add("club", "old", ("read",), "2" * 64, EARLIER) is not None
        identity = tokens.identify("1" * 64)
        assert identity is not None
        assert (identity.account.name, sorted(identity.scopes), identity.token) == ("club", ["submit"], number)
        assert tokens.identify("2" * 64) is tokens.identify("3" * 64) is None
        assert number is not None
        tokens.note_use(number)
        used = tokens.all("club")[0].used
        tokens.note_use(number)
        assert used is not None
        assert tokens.all("club")[0].used == used, "noted once in ten minutes"
        for place in range(MOST_TOKENS - 2):
            assert tokens.add("club", "", ("read",), f"{place + 100:064}", None) is not None
        assert tokens.add("club", "", ("read",), "f" * 64, None) is None, "it has enough"
        assert tokens.revoke(number)
        assert not tokens.revoke(number)
        assert store.accounts.remove("club")
        assert tokens.all() == []


def test_logins_have_accounts_of_their_own(database: str) -> None:
    with open_store(database, create=True) as store:
        accounts = store.accounts
        accounts.add("jane", "organiser", "0" * 64)
        assert accounts.of_login("kim@x", "kim", sha256=None) is None
        first = accounts.of_login("jane@x", "jane", sha256="1" * 64)
        second = accounts.of_login("jane@y", "jane", sha256="2" * 64)
        own = accounts.of_login("jane", "jane", sha256=None)
        rows = [(row.name, row.role) for row in (first, second, own) if row is not None]
        assert rows == [("jane-2", "author"), ("jane-3", "author"), ("jane", "organiser")]
        assert accounts.of_login("jane@x", "jane", sha256=None) == first


def test_an_invitation_is_accepted_once(database: str) -> None:
    with open_store(database, create=True) as store:
        store.accounts.add("fox", "author", "0" * 64)
        store.invitations.add("", "author", "1" * 64, LATER)
        assert not store.invitations.accept("1" * 64, "fox", "2" * 64), "the name is taken"
        assert store.invitations.accept("1" * 64, "club", "2" * 64)
        assert not store.invitations.accept("1" * 64, "elk", "3" * 64)
        assert store.invitations.find("1" * 64) is None


def test_a_repeated_request_is_the_same_hand_in_even_where_no_other_is_taken(database: str) -> None:
    with open_store(database, create=True) as store:
        request = RequestKey("key", "1" * 64)
        first = HandIns(store).receive("club", "club/owl", "owl.py", b"x", request=request)
        for _ in range(MOST_OF_OWNER - 1):
            HandIns(store).receive("club", "club/owl", "owl.py", b"x")
        with pytest.raises(TooManyHandIns):
            HandIns(store).receive("club", "club/owl", "owl.py", b"x")
        assert HandIns(store).receive("club", "club/owl", "owl.py", b"x", request=request) == first
        with pytest.raises(RequestReused, match=f"hand-in {first} came with this Idempotency-Key"):
            HandIns(store).receive("club", "club/owl", "owl.py", b"y", request=RequestKey("key", "2" * 64))
        assert [row.id for row in HandIns(store).newest("club", 2, before=first + 2)] == [first + 1, first]


def test_closing_wipes_the_notes_of_one_owner(database: str) -> None:
    with open_store(database, create=True) as store:
        store.accounts.add("a", "author", "0" * 64)
        row = played.match(CAMBIO, notes=True)
        number = store.add_tournament(played.tournament(CAMBIO, matches=1))
        store.add_matches(number, [row])
        closed = close_account(store, "a")
        assert closed == (0, 0, ())
        (own,) = [seat for seat, each in enumerate(row.seats) if each.entrant == 0]
        assert {note.seat for note in store.match(1).row.notes} == {0, 1, 2, 3} - {own}
        assert close_account(store, "a") is None
