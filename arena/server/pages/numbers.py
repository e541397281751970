"""How numbers are written in the texts of pages."""

from arena.language.languages import ENGLISH, LANGUAGE
from arena.language.messages import gettext as _


def ordinal(number: int) -> str:
    """Format an ordinal number: 1st, 2nd, 3rd, 11th."""
    endings = {1: "st", 2: "nd", 3: "rd"} if number % 100 not in (11, 12, 13) else {}
    return f"{number}{endings.get(number % 10, 'th')}"


def rank_words(rank: int) -> str:
    """Format a rank in the language of the request: 1st."""
    return ordinal(rank) if LANGUAGE.get() == ENGLISH else _("{0}th", rank)
