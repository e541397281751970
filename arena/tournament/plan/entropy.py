"""A public value that is mixed into the secret of a tournament, so that not even its organiser can choose the deals.

    1  the tournament is stored: its secret is drawn, and its definition names a value that nobody can know yet
    2  both hashes are published
    3  the value becomes known: it goes into the log, and all deals follow from the secret and the value together

Who knew the secret at 1 could not know the deals, and who knows the value at 3 cannot change the secret any more.
"""

import unicodedata
from collections.abc import Iterator
from typing import TYPE_CHECKING

from arena.tournament.errors import PlanError

if TYPE_CHECKING:
    from arena.store.rows import DecisionRow, TournamentRow

LONGEST = 1000
"""Characters of a value, or of what names it."""


def spelled(text: str) -> str:
    """Return a text in one spelling of those that look alike: Unicode composed (NFC), words one blank apart."""
    return unicodedata.normalize("NFC", " ".join(text.split()))


def parse_entropy(text: str) -> str:
    """Return a public value, or what names it, in one spelling.

    Raises PlanError where it is empty, too long, or cannot be printed.
    """
    if not text.strip().isprintable() or not 0 < len(text := spelled(text)) <= LONGEST:
        raise PlanError(f"entropy is a text in one line of 1 to {LONGEST:,} characters that can be printed")
    return text


def check_known(tournament: "TournamentRow") -> None:
    """Raise PlanError where the tournament cannot be played as a value is awaited."""
    if tournament.awaited_entropy:
        raise PlanError(
            f"tournament {tournament.id} awaits its entropy ({tournament.awaited_entropy}): once that is known, "
            f'arena tourney resume {tournament.id} --entropy "..."'
        )


def late(log: "list[DecisionRow]") -> Iterator[str]:
    """Yield who came when the entropy was known: whoever knows secret and entropy knows all deals to come."""
    numbers = [entry.number for entry in log if entry.kind == "entropy"]
    for entry in log:
        if entry.kind == "enter" and numbers and entry.number > numbers[0]:
            name = entry.details["bot"]["name"]
            yield f"{name} entered after the entropy was known, and with it the deals to the organiser"


def doubts(tournament: "TournamentRow", log: "list[DecisionRow]", played: bool) -> Iterator[str]:
    """Yield what is wrong with the entropy of a tournament. log: its own, empty where only bare results are known."""
    named = tournament.definition.entropy
    if tournament.awaited_entropy and played:
        yield f"it has matches, but its entropy ({named}) was not mixed in"
    if tournament.entropy is not None and not named:
        yield f'entropy "{tournament.entropy}" is mixed into its secret, but its definition names none'
    told_by = [entry for entry in log if entry.kind == "entropy"]
    values = [entry.details["value"] for entry in told_by]
    if log and values != ([] if tournament.entropy is None else [tournament.entropy]):
        yield f"by its log the entropy is {' and '.join(values) or 'not known'}, and mixed in is {tournament.entropy}"
    began = next((entry.number for entry in log if entry.kind == "leg"), None)
    if told_by and began is not None and began < told_by[0].number:
        yield "its entropy was mixed in after its first matches were dealt"
