"""What of this installation could be faster."""

from collections.abc import Iterator


def slow_parts() -> Iterator[str]:
    """Yield a line for each part of this installation that could be faster."""
    from referee.build_info import chance_name, codec_name, is_outdated, rules_remedy

    if codec_name() == "pure":
        yield "the codec runs in Python, not in C, and matches take longer; `arena doctor` says how to change that"
    elif chance_name() == "pure":
        yield "all chance is drawn in Python, not in C, and matches take longer; `arena doctor` says how to change that"
    if remedy := rules_remedy():
        if is_outdated():
            yield f"the rules are interpreted, as a source has changed since they were compiled; again: {remedy}"
        else:
            yield "the rules are interpreted, and matches take longer; `arena doctor` says how to change that"
