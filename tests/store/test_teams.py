"""Teams: several accounts act for one owner."""

import pytest
from sqlalchemy import select

from arena.bots.hand_ins import HandIns
from arena.league.account_closing import close_account
from arena.store import Store, open_store
from arena.store.engine.schema import outbox
from arena.store.people.accounts import AUTHOR, ORGANISER
from arena.store.people.teams import TeamError


def filled(database: str) -> Store:
    store = open_store(database, create=True)
    for name in ("ann", "bob", "eve"):
        store.accounts.add(name, AUTHOR, name.encode().hex().ljust(64, "0"))
    store.accounts.add("teacher", ORGANISER, "9" * 64)
    store.teams.add("lab", "Laboratory", ["ann", "bob"])
    return store


def owners(store: Store) -> dict[str, str]:
    return {row.name: row.owner for row in store.accounts.all()}


def test_members_act_for_their_team_as_long_as_they_are_in_it(database: str) -> None:
    with filled(database) as store:
        assert store.teams.members() == {"lab": ["ann", "bob"]}
        assert owners(store) == {"ann": "lab", "bob": "lab", "eve": "eve", "lab": "lab", "teacher": "teacher"}
        store.teams.join("lab", ["eve", "ann"])
        store.teams.leave(["bob"])
        assert store.teams.members() == {"lab": ["ann", "eve"]}
        store.teams.add("fox", None, ["eve"])
        assert store.teams.members() == {"fox": ["eve"], "lab": ["ann"]}
        with store.read() as connection:
            told = connection.execute(select(outbox.c.account, outbox.c.data).order_by(outbox.c.id)).all()
        assert [(row.account, "has left the team" in row.data) for row in told] == [("lab", True), ("lab", True)]


@pytest.mark.parametrize(
    ("team", "members", "sentence"),
    [
        ("lab", ["eve"], "there is a team lab already"),
        ("eve", [], "eve is, or was, the account of a person"),
        ("wolf", [], "wolf is, or was, the account of a person"),
        ("fox", ["eve", "elk"], "there is no account elk"),
        ("fox", ["teacher"], "teacher is an organiser: only authors act for a team"),
        ("fox", ["lab"], "lab is a team: only authors act for a team"),
    ],
)
def test_a_team_that_cannot_be_made_changes_nothing(
    database: str, team: str, members: list[str], sentence: str
) -> None:
    with filled(database) as store:
        store.accounts.add("wolf", AUTHOR, "8" * 64)
        close_account(store, "wolf")
        before = store.accounts.all()
        with pytest.raises(TeamError, match=sentence):
            store.teams.add(team, None, members)
        assert store.accounts.all() == before
        with pytest.raises(TeamError, match="there is no team fox"):
            store.teams.join("fox", ["eve"])
        with pytest.raises(TeamError, match="eve is in no team"):
            store.teams.leave(["ann", "eve"])
        assert store.accounts.all() == before


def test_nobody_signs_in_as_a_team(database: str) -> None:
    with filled(database) as store:
        assert not store.accounts.reset("lab", "7" * 64)
        made = store.accounts.of_login("lab", "lab", sha256="6" * 64)
        assert made is not None
        assert (made.name, made.owner) == ("lab-2", "lab-2")
        assert not store.accounts.add("lab", AUTHOR, "7" * 64)


def test_a_login_of_a_proxy_acts_for_the_team_of_its_account(database: str) -> None:
    with filled(database) as store:
        row = store.accounts.of_login("ann", "ann", sha256=None)
        assert row is not None
        assert (row.name, row.login, row.owner) == ("ann", "ann", "lab")


def test_closing_a_team_or_a_member_leaves_the_others_theirs(database: str) -> None:
    with filled(database) as store:
        number = HandIns(store).receive("lab", "lab/owl", "owl.py", b"x", sent_by="ann")
        assert (HandIns(store).find(number).owner, HandIns(store).find(number).sender) == ("lab", "ann")
        assert close_account(store, "ann") is not None
        assert HandIns(store).find(number).sender == "closed-1"
        assert store.teams.members() == {"lab": ["bob"]}
        assert close_account(store, "lab") is not None
        assert store.teams.members() == {}
        assert owners(store) == {"bob": "bob", "eve": "eve", "teacher": "teacher"}
        assert store.accounts.find(b"bob".hex().ljust(64, "0")) is not None


def test_an_invitation_makes_a_member_unless_the_team_is_gone(database: str) -> None:
    with filled(database) as store:
        for number in "12":
            store.invitations.add("", AUTHOR, number * 64, "2999-01-01", "lab")
        assert store.invitations.accept("1" * 64, "kim", "3" * 64)
        assert owners(store)["kim"] == "lab"
        close_account(store, "lab")
        assert store.invitations.find("2" * 64) is None
        assert not store.invitations.accept("2" * 64, "kai", "4" * 64)
