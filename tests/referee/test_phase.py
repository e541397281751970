from referee.phase import _lower


def test_a_wish_only_lowers_a_limit() -> None:
    assert [_lower(256, wish) for wish in (0, 64, 512)] == [256, 64, 256]
