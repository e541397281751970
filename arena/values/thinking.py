"""The time that a league gives a bot for its answers in a match, on average."""


def thinking_problem(micros: float, most: int) -> str:
    """Return in words that a bot takes too long; empty where it does not.

    micros: how long it takes for its answers in a match, in µs.
    most: how long it may take, in seconds; 0: no limit.
    """
    if not most or micros <= most * 1e6:
        return ""
    return f"it takes {micros / 1e6:,.1f} s for its answers in a match, and {most} s may be taken"
