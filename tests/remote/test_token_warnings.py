from arena.remote.token_warnings import (
    TRIES,
    VISITORS,
    WINDOW,
    Patience,
)


def test_of_many_wrong_tokens_the_first_ones_are_told_of() -> None:
    patience = Patience()
    for second in range(TRIES - 1):
        assert patience.wrong("192.0.2.7", second) == "a wrong token came from 192.0.2.7"
    assert patience.wrong("192.0.2.7", TRIES) == (
        "a wrong token came from 192.0.2.7, as many others: no more is said of them"
    )
    assert patience.wrong("192.0.2.7", TRIES) == ""
    assert patience.wrong("192.0.2.8", TRIES) != ""
    assert patience.wrong("192.0.2.7", WINDOW - 0.1) == ""
    assert patience.wrong("192.0.2.7", WINDOW) != ""
    assert patience.wrong("192.0.2.7", WINDOW) == ""


def test_the_visitors_that_are_remembered_are_bounded() -> None:
    patience = Patience()
    for number in range(VISITORS + 5):
        for _ in range(TRIES):
            patience.wrong(str(number), 0.0)
    assert patience.wrong("0", 0.0) != ""
    assert patience.wrong(str(VISITORS + 4), 0.0) == ""
