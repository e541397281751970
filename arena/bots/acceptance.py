"""The check that a submission must pass, with a qualifier against another bot if the organiser asks for one."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from arena.bots.bot_check import CheckSettings, check
from arena.bots.machine_check import run_control
from arena.bots.report import CheckStep, Report
from arena.bots.trial_pace import TrialProgress
from arena.packs.roster import Roster
from arena.plan.field import find_bots, samples
from arena.values.definition import Entrant
from arena.values.failure_rows import ProcessFailureRow
from arena.values.rows import MatchRow
from referee.engine.registry import game as game_named

QUALIFIER_ROUNDS = 100
"""Rounds of a qualifier. Each deal is played in all rotations, so luck is shared evenly."""


class AcceptanceCheck:
    """Checks submissions; call it with a bot."""

    def __init__(
        self,
        terms: CheckSettings,
        say: Callable[[str], None],
        opponent: str | None = None,
        roster: Roster | None = None,
        rounds: int = QUALIFIER_ROUNDS,
        on_step: Callable[[CheckStep], None] | None = None,
        on_progress: Callable[[TrialProgress], None] | None = None,
    ) -> None:
        """Prepare the check.

        terms: the settings of the check.
        say: called with progress messages.
        opponent: the bot to beat, named as by users and looked up in `roster`; None for no qualifier.
        rounds: the rounds of the qualifier.
        on_step: called with each step as it is finished.
        on_progress: called as matches of the check begin, go on and end.

        Raises FieldError if the opponent is unknown.
        """
        if opponent is not None:
            find_bots([opponent], samples(None), roster)
        self._terms = terms
        self._say = say
        self._opponent = opponent
        self._roster = roster
        self._rounds = rounds
        self._on_step = on_step
        self._on_progress = on_progress

    def __call__(self, bot: Entrant) -> Report:
        """Check a bot and return the report.

        Raises FieldError if the opponent does not play one of its games; RefereeError if no referee can be started, and
        MachineBusy if the machine is too busy for a verdict about time.
        """
        self._say(f"checking {bot.name}")
        terms = self._terms if self._terms.games else replace(self._terms, games=tuple(map(game_named, bot.games)))
        report = check(bot, terms, self._say, self._on_step, self._on_progress)
        if self._opponent is not None and report.passed:
            self._play_qualifier(bot, self._opponent, report.games, report)
        return report

    def _play_qualifier(self, bot: Entrant, opponent: str, games: Sequence[str], report: Report) -> None:
        from arena.bots.qualifier import play_qualifier  # most checks do without it, and need no NumPy

        for name in games:
            [other] = find_bots([opponent], samples(name), self._roster, game=name)
            watcher = _SilentWatcher(self._say)
            result = play_qualifier(bot, other, game_named(name), watcher, self._rounds, time=self._terms.time)
            if not result.won and result.is_slow:
                run_control(self._terms.time, self._terms.hosting)
            report.add(f"beats {opponent} at {name}", "passed" if result.won else "failed", result.sentence)
            report.is_slow = report.is_slow or (not result.won and result.is_slow)


class _SilentWatcher:
    """A watcher of the qualifier that reports only what the referee prints."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say

    def stored(self, rows: Sequence[MatchRow]) -> None:
        """Ignore progress: a qualifier is short."""

    def failed(self, rows: Sequence[ProcessFailureRow]) -> None:
        """Ignore failed processes: the result shows their effect."""

    def recount(self, stored: int) -> None:
        """Ignore void matches: nobody voids those of a qualifier."""

    def stands(self, how: str) -> None:
        """Ignore interim standings: nothing ends a qualifier early."""
