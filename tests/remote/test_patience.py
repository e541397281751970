from arena.remote.patience import ADDRESSES, TRIES, WINDOW, Patience


def test_who_shows_too_many_wrong_tokens_is_not_listened_to_for_a_while() -> None:
    patience = Patience()
    for second in range(TRIES):
        assert not patience.is_out("192.0.2.7", second)
        patience.wrong("192.0.2.7", second)
    assert patience.is_out("192.0.2.7", TRIES)
    assert not patience.is_out("192.0.2.8", TRIES)
    assert patience.is_out("192.0.2.7", WINDOW - 0.1)
    assert not patience.is_out("192.0.2.7", WINDOW)
    patience.wrong("192.0.2.7", WINDOW)
    assert patience.is_out("192.0.2.7", WINDOW)


def test_the_addresses_that_are_remembered_are_bounded() -> None:
    patience = Patience()
    for number in range(ADDRESSES + 5):
        for _ in range(TRIES):
            patience.wrong(str(number), 0.0)
    assert not patience.is_out("0", 0.0)
    assert patience.is_out(str(ADDRESSES + 4), 0.0)
