"""Entropy: a public value that is mixed into the secret of a tournament, so that its organiser cannot choose the deals.

    1  The tournament is stored: its secret is drawn, and its definition names a value that nobody can know yet.
    2  The hashes of the secret and the definition are published.
    3  The value becomes known. It is recorded in the log, and all deals follow from the secret and the value together.

At step 1 nobody who knows the secret can know the deals; at step 3 nobody who knows the value can change the secret.
"""

import unicodedata
from collections.abc import Iterator
from typing import TYPE_CHECKING

from arena.values.tournament_errors import PlanError

if TYPE_CHECKING:
    from arena.values.rows import DecisionRow, TournamentRow

MAX_LENGTH = 1000
"""Characters of a value, or of its description in a definition."""


def normalise(text: str) -> str:
    """Return a text in Unicode normal form NFC with single spaces, so that equal-looking texts are equal."""
    return unicodedata.normalize("NFC", " ".join(text.split()))


def parse_entropy(text: str) -> str:
    """Return a public value, or its description, in normal form.

    Raises PlanError if it is empty, too long, or not printable.
    """
    if not text.strip().isprintable() or not 0 < len(text := normalise(text)) <= MAX_LENGTH:
        raise PlanError(f"entropy is one line of 1 to {MAX_LENGTH:,} printable characters")
    return text


def check_entropy_known(tournament: "TournamentRow") -> None:
    """Raise PlanError if the tournament still awaits its entropy."""
    if tournament.awaited_entropy:
        raise PlanError(
            f"tournament {tournament.id} awaits its entropy ({tournament.awaited_entropy}): once that is known, "
            f'arena tourney resume {tournament.id} --entropy "..."'
        )


def late_entries(log: "list[DecisionRow]") -> Iterator[str]:
    """Yield a sentence for each bot that entered after the entropy was known.

    Anybody who knows both the secret and the entropy knows all deals to come.
    """
    numbers = [entry.number for entry in log if entry.kind == "entropy"]
    for entry in log:
        if entry.kind == "enter" and numbers and entry.number > numbers[0]:
            name = entry.details["bot"]["name"]
            yield f"{name} entered after the entropy was known, when the organiser could know all deals"


def entropy_problems(tournament: "TournamentRow", log: "list[DecisionRow]", played: bool) -> Iterator[str]:
    """Yield the problems with the entropy of a tournament.

    log: the log of the tournament; empty if only bare results are known.
    played: whether the tournament has matches.
    """
    description = tournament.definition.entropy
    if tournament.awaited_entropy and played:
        yield f"it has matches, but its entropy ({description}) was not mixed in"
    if tournament.entropy is not None and not description:
        yield f'entropy "{tournament.entropy}" is mixed into its secret, but its definition names none'
    entries = [entry for entry in log if entry.kind == "entropy"]
    values = [entry.details["value"] for entry in entries]
    if log and values != ([] if tournament.entropy is None else [tournament.entropy]):
        logged = " and ".join(values) or "not known"
        yield f"by its log the entropy is {logged}, but {tournament.entropy or 'nothing'} was mixed in"
    first_leg = next((entry.number for entry in log if entry.kind == "leg"), None)
    if entries and first_leg is not None and first_leg < entries[0].number:
        yield "its entropy was mixed in after its first matches were dealt"
