from functools import partial

import pytest
from sqlalchemy import select

from arena.league.account_closing import close_account
from arena.store import open_store
from arena.store.engine.schema import accounts
from arena.store.people.accounts import AUTHOR, ORGANISER
from arena.store.people.submissions import PackRow
from arena.values.display_names import BadDisplayName
from sample_bots import SAMPLES
from tests import leagues


def test_a_name_has_one_token_at_a_time(database: str) -> None:
    with open_store(database, create=True) as store:
        tokens = store.tokens
        assert tokens.add("owl", "1" * 64)
        assert tokens.add("fox", "2" * 64)
        assert not tokens.add("owl", "3" * 64)
        assert [(row.name, row.sha256) for row in tokens.all()] == [("fox", "2" * 64), ("owl", "1" * 64)]
        assert tokens.remove("owl")
        assert not tokens.remove("owl")
        assert tokens.add("owl", "3" * 64)
        assert tokens.find("1" * 64) is None


def test_an_account_is_found_by_its_token_until_it_is_removed(database: str) -> None:
    with open_store(database, create=True) as store:
        accounts = store.accounts
        assert accounts.add("club", AUTHOR, "1" * 64)
        assert accounts.add("ada", ORGANISER, "2" * 64)
        account = accounts.find("2" * 64)
        assert account is not None
        assert (account.name, account.role, account.sha256) == ("ada", ORGANISER, "2" * 64)
        assert account in accounts.all()
        accounts.remove("ada")
        assert accounts.find("2" * 64) is None
        assert [row.name for row in accounts.all()] == ["club"]


def test_a_login_that_was_revoked_or_closed_gets_no_account_again(database: str) -> None:
    with open_store(database, create=True) as store:
        accounts = store.accounts
        for login, end in (("eve@uni", accounts.remove), ("bob@uni", partial(close_account, store))):
            name = login.partition("@")[0]
            made = accounts.of_login(login, name, sha256="1" * 64)
            assert made is not None
            assert made.name == name
            end(name)
            assert accounts.of_login(login, name, sha256="2" * 64) is None
            assert accounts.all() == []
            assert accounts.find("1" * 64) is None
        assert accounts.add("eve", AUTHOR, "3" * 64), "the organiser may give the name to somebody"


def test_whoever_claims_an_account_by_login_alone_has_its_tokens(database: str) -> None:
    with open_store(database, create=True) as store:
        assert store.accounts.add("prof", AUTHOR, "1" * 64)
        claimed = store.accounts.of_login("prof", "prof", sha256=None)
        assert claimed is not None
        assert claimed.name == "prof"
        assert store.accounts.find("1" * 64) is None


def test_nobody_chooses_the_name_of_an_owner_of_bots(database: str) -> None:
    with open_store(database, create=True) as store:
        leagues.submit(store, "ann/owl")
        made = store.accounts.of_login("ann@uni", "ann", sha256="1" * 64)
        assert made is not None
        assert made.name == "ann-2"


def test_files_that_were_wiped_are_stored_again_with_the_next_bot_of_the_same(database: str) -> None:
    with open_store(database, create=True) as store:
        pack = PackRow("a" * 64, b"files", 1, 5)
        assert store.accounts.add("ann", AUTHOR, "1" * 64)
        store.submissions.add("ann/owl", pack, pack, {"games": []}, {"steps": []})
        close_account(store, "ann")
        assert store.submissions.archive("a" * 64) != b"files"
        row = store.submissions.add("bob/owl", pack, pack, {"games": []}, {"steps": []})
        assert (row.files, row.bytes) == (1, 5)
        assert store.submissions.archive("a" * 64) == b"files"


def test_what_an_owner_wrote_is_wiped_after_the_account_was_revoked_too(database: str) -> None:
    with open_store(database, create=True) as store:
        store.accounts.add("fox", AUTHOR, "1" * 64)
        for name in ("fox/owl", "hen/jay"):  # hen never had an account
            leagues.submit_file(store, name, SAMPLES["random"].path)
        assert store.accounts.remove("fox")
        for name in ("fox", "hen"):
            closed = close_account(store, name)
            assert closed is not None
            assert closed.submissions == 1
            assert close_account(store, name) is None
        assert close_account(store, "elk") is None


def test_what_is_known_of_a_person_goes_with_the_account(database: str) -> None:
    known = {"display_name": "Müller, Jörg", "email": "jorg@example.org", "id_number": "4711", "group": "B"}
    with open_store(database, create=True) as store:
        store.accounts.add("ann", AUTHOR, "1" * 64)
        assert store.accounts.of_login("bob@example.org", "bob", sha256="2" * 64) is not None
        assert [store.accounts.describe(name, **known) for name in ("ann", "bob", "eve")] == [True, True, False]
        ann, bob = store.accounts.all()
        assert (ann.display_name, bob.email, ann.id_number, bob.group) == tuple(known.values())
        assert store.accounts.describe("ann", email=None)
        assert (store.accounts.all()[0].email, store.accounts.all()[0].group) == (None, "B")
        assert close_account(store, "ann") is not None
        assert store.accounts.remove("bob")
        assert not store.accounts.describe("bob", **known)
        with store.read() as connection:
            (row,) = connection.execute(select(accounts)).mappings()
        assert {row[name] for name in known} == {None}
        assert row["login"] == "bob@example.org"


@pytest.mark.parametrize("text", ["Ann", "ＡＮＮ", "аnn", "A n n", "Jörg  Müller", "jorg muller"])
def test_an_owner_chooses_no_name_that_looks_like_that_of_another(database: str, text: str) -> None:
    with open_store(database, create=True) as store:
        for name in ("ann", "bob", "jorg"):
            store.accounts.add(name, AUTHOR, name.encode().hex().ljust(64, "0"))
        store.accounts.describe("jorg", display_name="Jörg Müller")
        with pytest.raises(BadDisplayName, match="reads like the name of another account"):
            store.accounts.choose_display_name("bob", text)
        assert "bob" not in store.accounts.display_names()
        store.accounts.describe("bob", display_name="Jörg Müller")
        assert store.accounts.display_names()["bob"] == "Jörg Müller", "organisers give namesakes theirs"
