"""Who is let in, and by which account: those of somebody else are nobody's by a name."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from arena_openid.people import account_for, needed_claims
from arena_openid.settings import OpenIdError
from openid.stub import SETTINGS

from arena.league.account_closing import close_account
from arena.store import Store, open_store

ANN = {"sub": "7f3a", "preferred_username": "ann", "email": "Ann.Lee@Uni.example", "email_verified": True}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as opened:
        yield opened


def test_an_account_is_somebodys_for_good(store: Store) -> None:
    first = account_for(store, SETTINGS, ANN)
    assert (first.name, first.role) == ("ann", "author")
    renamed = account_for(store, SETTINGS, ANN | {"preferred_username": "ann.smith"})
    assert renamed.name == "ann", "whoever is called otherwise keeps the account"
    successor = account_for(store, SETTINGS, ANN | {"sub": "81bc"})
    assert successor.name == "ann-2", "whoever has the name later gets another"
    elsewhere = account_for(store, replace(SETTINGS, issuer="https://other.example"), ANN)
    assert elsewhere.name == "ann-3", "a subject is one of its issuer alone"


def test_who_has_no_account_gets_none_unless_the_organiser_says_so(store: Store) -> None:
    known = replace(SETTINGS, creates=False)
    with pytest.raises(OpenIdError, match="you have no account here"):
        account_for(store, known, ANN)
    store.accounts.add("ann", "organiser", "1" * 64)
    claimed = account_for(store, known, ANN)
    assert (claimed.name, claimed.role) == ("ann", "organiser")
    assert store.accounts.find("1" * 64) is None, "its token counts no longer"
    with pytest.raises(OpenIdError, match="you have no account here"):
        account_for(store, known, ANN | {"sub": "81bc"})


def test_a_team_is_nobodys(store: Store) -> None:
    from sqlalchemy import update

    from arena.store.engine.schema import accounts

    store.accounts.add("ann", "author", "1" * 64)
    with store.write() as connection:
        connection.execute(update(accounts).values(role="team"))
    assert account_for(store, SETTINGS, ANN).name == "ann-2"


@pytest.mark.parametrize("end", ["revoke", "close"])
def test_whoever_was_sent_away_gets_no_other_account(store: Store, end: str) -> None:
    account_for(store, SETTINGS, ANN)
    assert store.accounts.remove("ann") if end == "revoke" else close_account(store, "ann")
    with pytest.raises(OpenIdError, match="you have no account here"):
        account_for(store, SETTINGS, ANN | {"preferred_username": "zoe"})


@pytest.mark.parametrize(
    ("claims", "name"),
    [
        ({}, "ann-lee"),
        ({"email_verified": False}, None),
        ({"email_verified": "true"}, None),
        ({"email_verified": None}, None),
        ({"email": None}, None),
        ({"email": ["ann@uni.example"]}, None),
    ],
)
def test_an_address_names_somebody_only_if_it_is_verified(store: Store, claims: Any, name: str | None) -> None:
    settings = replace(SETTINGS, name="email")
    if name is None:
        with pytest.raises(OpenIdError, match="tells no address that it has verified of you"):
            account_for(store, settings, ANN | claims)
    else:
        assert account_for(store, settings, ANN | claims).name == name


@pytest.mark.parametrize(
    ("claims", "is_in"),
    [
        ({}, True),
        ({"email": "ann@notuni.example"}, False),
        ({"email": "ann@uni.example.evil.example"}, False),
        ({"email": "ann@evil.example@uni.example"}, True),
        ({"email_verified": False}, False),
        ({"email": None}, False),
    ],
)
def test_domains(store: Store, claims: Any, is_in: bool) -> None:
    settings = replace(SETTINGS, domains=("uni.example",))
    if is_in:
        assert account_for(store, settings, ANN | claims).name == "ann"
    else:
        with pytest.raises(OpenIdError, match="is not of a domain that is let in"):
            account_for(store, settings, ANN | claims)
        assert store.accounts.all() == []


@pytest.mark.parametrize(
    ("groups", "is_in"),
    [
        (["students"], True),
        (["a", "staff"], True),
        (["student"], False),
        ("students", False),
        (None, False),
        ([7], False),
    ],
)
def test_groups(store: Store, groups: Any, is_in: bool) -> None:
    settings = replace(SETTINGS, groups=("students", "staff"), groups_claim="roles")
    assert needed_claims(settings) == ("preferred_username", "roles")
    if is_in:
        assert account_for(store, settings, ANN | {"roles": groups}).name == "ann"
    else:
        with pytest.raises(OpenIdError, match="you are in no group that is let in"):
            account_for(store, settings, ANN | {"roles": groups})


@pytest.mark.parametrize("name", ["", "a\nb", "x" * 201, "@", None, 7, ["ann"]])
def test_names_that_no_account_can_have(store: Store, name: Any) -> None:
    with pytest.raises(OpenIdError):
        account_for(store, SETTINGS, ANN | {"preferred_username": name})
    assert store.accounts.all() == []


def test_a_new_account_gets_the_verified_address_once(store: Store) -> None:
    account_for(store, SETTINGS, ANN)
    assert store.accounts.all()[0].email == "Ann.Lee@Uni.example"
    store.accounts.describe("ann", email=None)
    account_for(store, SETTINGS, ANN)
    assert store.accounts.all()[0].email is None, "its owner has removed it"
    account_for(store, SETTINGS, {"sub": "2", "preferred_username": "bob", "email": "b@c.d"})
    assert store.accounts.all()[1].email is None


def test_an_address_finds_the_account_that_was_made_for_it(store: Store) -> None:
    settings = replace(SETTINGS, name="email", creates=False)
    for number, (name, email) in enumerate((("lee", "ann.lee@uni.example"), ("bob", "bob@uni.example"))):
        store.accounts.add(name, "author", f"{number:064}")
        store.accounts.describe(name, email=email)
    assert account_for(store, settings, ANN).name == "lee"
    assert account_for(store, settings, ANN | {"email": "ann.smith@uni.example"}).name == "lee", "its owner for good"
    for claims in ({"sub": "81bc"}, {"sub": "81bc", "email": "bob@uni.example", "email_verified": False}):
        with pytest.raises(OpenIdError):
            account_for(store, settings, ANN | claims)
    store.accounts.add("bobby", "author", "7" * 64)
    store.accounts.describe("bobby", email="BOB@uni.example")
    with pytest.raises(OpenIdError, match="you have no account here"):
        account_for(store, settings, {"sub": "2", "email": "bob@uni.example", "email_verified": True})
