from arena.store import open_store
from arena.store.accounts import AUTHOR, ORGANISER


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
