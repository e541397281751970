"""How ratings are written, wherever they are shown."""

UNSEPARATED = "≈ not separated from the bot above: the 95 % interval of their difference contains 0."
"""The note below a ranking in which a rank has this mark."""


def elo_text(elo: float | None, bound: str = "", decimals: int = 0) -> str:
    """Format an Elo.

    bound: ">", "<" or "~" before it, or "".
    decimals: the number of decimals.
    """
    if elo is None:
        return "-"
    rounded = round(elo, decimals) + 0.0  # of -0.0 this makes 0.0
    return f"{bound} {rounded:+.{decimals}f}".strip()


def rank_text(rank: int | None, separated: bool | None) -> str:
    """Format a rank.

    separated: whether it is separated from the bot above; only False is marked.
    """
    return "-" if rank is None else f"{'≈' if separated is False else ''}{rank}"
