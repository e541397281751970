from arena.run.remote.token_warnings import (
    TRIES,
    VISITORS,
    WINDOW,
    TokenWarnings,
)


def test_of_many_wrong_tokens_the_first_ones_are_told_of() -> None:
    patience = TokenWarnings()
    for second in range(TRIES - 1):
        assert patience.count_wrong_token("192.0.2.7", second) == "wrong token from 192.0.2.7"
    assert patience.count_wrong_token("192.0.2.7", TRIES) == (
        "wrong token from 192.0.2.7; further ones are not reported"
    )
    assert patience.count_wrong_token("192.0.2.7", TRIES) == ""
    assert patience.count_wrong_token("192.0.2.8", TRIES) != ""
    assert patience.count_wrong_token("192.0.2.7", WINDOW - 0.1) == ""
    assert patience.count_wrong_token("192.0.2.7", WINDOW) != ""
    assert patience.count_wrong_token("192.0.2.7", WINDOW) == ""


def test_the_visitors_that_are_remembered_are_bounded() -> None:
    patience = TokenWarnings()
    for number in range(VISITORS + 5):
        for _ in range(TRIES):
            patience.count_wrong_token(str(number), 0.0)
    assert patience.count_wrong_token("0", 0.0) != ""
    assert patience.count_wrong_token(str(VISITORS + 4), 0.0) == ""
