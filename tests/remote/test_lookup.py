import asyncio

import pytest

from arena.run.remote import lookup
from arena.run.remote.lookup import TokenLookup
from arena.run.remote.tokens import new_token, token_hash


def test_many_who_ask_share_a_read_and_learn_what_is_true_by_then() -> None:
    one, other = new_token(), new_token()
    hashes = {"owl": token_hash(one)}
    reads = 0

    def read() -> list[tuple[str, str]]:
        nonlocal reads
        reads += 1
        return list(hashes.items())

    async def ask() -> None:
        found = TokenLookup(read)
        assert set(await asyncio.gather(*(found.name_of(one) for _ in range(100)))) == {"owl"}
        assert reads == 1
        assert await found.name_of(other) is None
        del hashes["owl"]
        assert await found.name_of(one) is None
        hashes["cat"] = token_hash(other)
        assert await found.name_of(other) == "cat"

    asyncio.run(ask())
    assert reads == 4


def test_a_read_that_fails_is_tried_again_by_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookup, "READ_INTERVAL", 0.0)
    token, fails = new_token(), [True]

    def read() -> list[tuple[str, str]]:
        if fails.pop() if fails else False:
            raise OSError
        return [("owl", token_hash(token))]

    async def ask() -> None:
        found = TokenLookup(read)
        with pytest.raises(OSError):  # noqa: PT011
            await found.name_of(token)
        assert await found.name_of(token) == "owl"

    asyncio.run(ask())
