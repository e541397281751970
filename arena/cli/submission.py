"""What is submitted from this machine: how bots are checked, and what is printed of each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.cli.output import print_progress
from arena.packs.build import BuildTerms
from arena.values.definition import TimeControl

if TYPE_CHECKING:
    from arena.bots.acceptance import AcceptanceCheck
    from arena.bots.intake import IntakeResult
    from arena.cli.check_printer import CheckPrinter
    from arena.packs.roster import Roster
    from arena.store import Store


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """What a bot must pass to be accepted."""

    games: tuple[str, ...]
    """The games that the bot must play; empty: all that it claims."""
    must_beat: str | None
    """A bot that it must beat; None: it need not beat any."""
    terms: BuildTerms
    """The limits of its build."""
    limits: TimeControl
    """How long it may take to start and to get ready."""

    def make_check(self, store: "Store", db: str) -> "Callable[..., AcceptanceCheck]":
        """Return what makes the check, in any process; call it with a `CheckPrinter`, or nothing.

        Raises FieldError if the bot to beat is unknown.
        """
        from arena.packs.roster import Roster

        roster = Roster(db, store.submissions.all() if self.must_beat is not None else [])
        make = partial(_acceptance_check, self.games, self.limits, self.must_beat, roster)
        make()  # what is wrong in the options is reported before anything is read
        return make


@dataclass(frozen=True, slots=True)
class Submission:
    """What is to be submitted, as the options of `arena submit` say."""

    path: Path | None
    """The bot; None if none is given."""
    name: str | None
    """The name of the bot; None: it is made of its path."""
    include: tuple[str, ...]
    """Paths in any bot's folder that are packed whatever they look like."""
    check: CheckOptions
    db: str
    """The path or URL of the database."""
    as_json: bool
    practice_only: bool = False
    """Whether it is to practise, and to enter neither leagues nor tournaments."""


def submission_values(name: str, sentence: str, verdict: "IntakeResult | None") -> dict[str, Any]:
    """Return what --json prints of one bot."""
    row = verdict.row if verdict is not None else None
    report = verdict.report if verdict is not None else None
    return {
        "name": name,
        "accepted": row is not None,
        "version": row.version if row is not None else None,
        "new": verdict is not None and verdict.is_new,
        "sha256": row.content if row is not None else None,
        "sentence": sentence,
        "report": report.to_json() if report is not None else None,
    }


def _acceptance_check(
    games: Sequence[str],
    limits: TimeControl,
    must_beat: str | None,
    roster: "Roster",
    printer: "CheckPrinter | None" = None,
) -> "AcceptanceCheck":
    from arena.bots.acceptance import AcceptanceCheck
    from arena.bots.bot_check import CheckSettings
    from referee.engine import registry

    rules = tuple(registry.game(game) for game in games)
    settings = CheckSettings(rules, limits)
    if printer is None:
        return AcceptanceCheck(settings, print_progress, must_beat, roster)
    return AcceptanceCheck(settings, printer.say, must_beat, roster, on_step=printer.step, on_progress=printer.progress)
