"""Which language a visitor reads."""

import pytest

from arena.language.languages import choose


@pytest.mark.parametrize(
    ("asked", "remembered", "accepted", "language"),
    [
        (None, None, "", "en"),
        (None, None, "ko-KR,ko;q=0.9,en;q=0.8", "ko"),
        (None, None, "de,fr;q=0.9", "en"),
        (None, None, "de,ja;q=0.2,ko;q=0.7", "ko"),
        (None, None, "en-GB,ko;q=0.9", "en"),
        (None, None, "ja;q=0,ko;q=x,en", "en"),
        (None, "ja", "ko", "ja"),
        ("ko", "ja", "en", "ko"),
        ("xx", "ja", "ko", "ja"),
        ("../../etc", None, "*", "en"),
    ],
)
def test_the_address_the_browsers_memory_and_its_wishes_count_in_that_order(
    asked: str | None, remembered: str | None, accepted: str, language: str
) -> None:
    assert choose(asked, remembered, accepted) == language
