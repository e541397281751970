"""What a submission must pass: the check, and where the organiser says so, a duel with another bot."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from arena.checking.check import Terms, check
from arena.checking.qualifier import ROUNDS, duel
from arena.checking.report import Report
from arena.store.failure_rows import ProcessFailureRow
from arena.store.rows import MatchRow
from arena.submissions.roster import Roster
from arena.tournament.plan.definition import Entrant
from arena.tournament.plan.field import enter, samples
from referee.engine.registry import game as game_named


class Examination:
    """The check of submissions, one after the other; call it with a bot."""

    def __init__(
        self,
        terms: Terms,
        say: Callable[[str], None],
        rival: str | None = None,
        roster: Roster | None = None,
        rounds: int = ROUNDS,
    ) -> None:
        """Make one. say: is told what happens. rival: the bot to be beaten, as users name it, and found in `roster`.

        Raises FieldError where the rival is unknown.
        """
        if rival is not None:
            enter([rival], samples(None), roster)
        self._terms = terms
        self._say = say
        self._rival = rival
        self._roster = roster
        self._rounds = rounds

    def __call__(self, bot: Entrant) -> Report:
        """Return the report on a bot.

        Raises FieldError where the rival does not play a game, RefereeError where no referee can be started.
        """
        self._say(f"checking {bot.name}")
        terms = self._terms if self._terms.games else replace(self._terms, games=tuple(map(game_named, bot.games)))
        report = check(bot, terms, self._say)
        if self._rival is not None and report.passed:
            self._fight(bot, self._rival, report.games, report)
        return report

    def _fight(self, bot: Entrant, rival: str, games: Sequence[str], report: Report) -> None:
        for name in games:
            [other] = enter([rival], samples(name), self._roster, game=name)
            fought = duel(bot, other, game_named(name), _Told(self._say), self._rounds)
            report.add(f"beats {rival} at {name}", "passed" if fought.won else "failed", fought.sentence)


class _Told:
    """A watcher that passes on what people should read."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say

    def stored(self, rows: Sequence[MatchRow]) -> None:
        """Pass over how it goes: a duel is short."""

    def failed(self, rows: Sequence[ProcessFailureRow]) -> None:
        """Pass over processes that failed: what came of it shows in the result."""

    def stands(self, how: str) -> None:
        """Pass over it: nothing ends a duel early."""
