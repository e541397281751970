"""How arena was installed: rules and a referee's work for each decision may run as C (see tools/compiling.py)."""

from referee.engine import game


def compiled() -> bool:
    """Tell whether rules and referee are compiled; otherwise Python interprets them, and does the same more slowly."""
    return not str(game.__file__).endswith(".py")
