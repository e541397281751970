from arena.run.remote.tokens import new_token, token_hash, token_holder


def test_tokens_are_new_each_time_and_long() -> None:
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert all(token.startswith("arena_") and len(token) == 49 for token in tokens)


def test_a_token_is_known_by_its_hash() -> None:
    one, other = new_token(), new_token()
    hashes = [("ann/owl", token_hash(one)), ("cat", token_hash(other))]
    assert token_holder(one, hashes) == "ann/owl"
    assert token_holder(other, hashes) == "cat"
    for wrong in ("", new_token(), token_hash(one), one.upper(), "\udcff"):
        assert token_holder(wrong, hashes) is None
