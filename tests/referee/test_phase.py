from referee.phase import _lower_limit


def test_a_wish_only_lower_limits_a_limit() -> None:
    assert [_lower_limit(256, wish) for wish in (0, 64, 512)] == [256, 64, 256]
