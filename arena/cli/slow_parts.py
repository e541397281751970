"""What of this installation could be faster."""

from collections.abc import Iterator

LARGE = 10_000
"""The number of matches from which compiled rules are worth the time to compile them."""


def slow_parts(matches: int) -> Iterator[str]:
    """Yield a line for each part of this installation that could be faster.

    matches: how many matches are to be played.
    """
    from referee.build_info import chance_name, codec_name, compiled

    if codec_name() == "pure":
        yield "the codec runs in Python, not in C, and matches take longer; `arena doctor` says how to change that"
    elif chance_name() == "pure":
        yield "all chance is drawn in Python, not in C, and matches take longer; `arena doctor` says how to change that"
    if matches >= LARGE and not compiled():
        yield "the rules are interpreted; compiled ones, of `make fast`, are 2.5 times as fast"
