"""What a check found: the match in which it went wrong, and the question, so that its author can look at both."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from arena.bots.question_export import recorded_question
from arena.bots.trial_matches import BOT, TrialOutcome, match_number
from arena.bots.trial_tables import TrialMatch, TrialTables
from arena.plan.field import make_names_unique
from arena.plan.new_event import new_event
from arena.plan.schedule import Deal, MatchPlan
from arena.plan.seating import Player
from arena.record import text
from arena.record.match_log import log
from arena.run.record_rows import failure_row, kind_name, match_row
from arena.run.single_match import Single
from arena.run.work_units import WorkUnit
from arena.sdk.recorded_question import RecordedQuestion
from arena.values.definition import Definition, Entrant, TimeControl
from arena.values.failure_rows import FAILURE_KINDS, ProcessFailureRow
from arena.values.rows import NewEvent, OutputRow, SingleMatchRow, StoredMatch, utc_now
from referee.engine.record import unpack_answers
from referee.v1.work_pb2 import ProcessFailure, Record

KEPT = 3
"""The matches of one step that are kept at the most."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A question at which a check found something."""

    step: str
    """The title of the step."""
    sentence: str
    """What was found, in words."""
    question: RecordedQuestion
    """The question, to be asked again."""
    match: Single | None = None
    """The match that it is from; None for a question of the protocol's steps, which belongs to no match."""
    ply: int = 0
    """The number of the answer in the match."""

    @property
    def log(self) -> str:
        """The whole log of the match, as text; empty if there is none."""
        if self.match is None:
            return ""
        match = stored(self.match)
        lines = [*text.heading(match), "", *text.lines(log(match)), "", *text.ending(match)]
        for seat, output in sorted(match.outputs.items()):
            lines += ["", f"output of seat {seat}:", *output.text.splitlines()]
        return "\n".join(lines) + "\n"


class TrialFindings:
    """Makes findings of the matches of one phase of a check.

    random: the bot in all seats but one.
    """

    def __init__(
        self,
        step: str,
        bot: Entrant,
        random: Entrant,
        time: TimeControl,
        tables: TrialTables,
        outcome: TrialOutcome,
    ) -> None:
        self._step = step
        self._bot = bot
        self._random = random
        self._time = time
        self._tables = tables
        self._outcome = outcome

    def faults(self) -> list[Finding]:
        """Return the first match with each kind of fault of the bot."""
        findings: dict[str, Finding] = {}
        for number, record in sorted(self._outcome.records.items()):
            trial = self._tables.matches[number]
            for fault in record.faults:
                kind = kind_name(fault.kind)
                if fault.seat == trial.seat and kind not in findings and kind != "withdrawn":
                    findings[kind] = self._finding(number, record, fault.ply, f"{kind}: {fault.sentence}")
        if not findings.keys() & set(FAILURE_KINDS):
            findings |= self._unattributed_failure()
        return list(findings.values())[:KEPT]

    def _unattributed_failure(self) -> dict[str, Finding]:
        """Return a question that was open when a process failed, by kind, if no match was found guilty of it."""
        for failure in self._outcome.failures:
            row = self._failure_row(failure)
            for number in map(match_number, failure.matches):
                record, seat = self._outcome.records.get(number), self._tables.matches[number].seat
                fault = next((fault for fault in record.faults if fault.seat == seat), None) if record else None
                if record is not None and fault is not None:
                    sentence = (
                        f"{row.kind}: {row.sentence}, with {len(failure.matches)} questions open, one of them this"
                    )
                    return {row.kind: self._finding(number, record, fault.ply, sentence)}
        return {}

    def difference(self, number: int, other: Record) -> Finding | None:
        """Return a match that another run of the same phase played otherwise; None if no answer of it differs."""
        record = self._outcome.records[number]
        answers = zip(unpack_answers(record.answers), unpack_answers(other.answers), strict=False)
        differing = next((ply for ply, (one, two) in enumerate(answers) if one != two), None)
        if differing is None:
            return None
        return self._finding(number, record, differing, "it answers otherwise in another order, one match at a time")

    def _finding(self, number: int, record: Record, ply: int, sentence: str) -> Finding:
        match = self._match(number, self._tables.matches[number], record)
        question = recorded_question(stored(match), ply)
        question = replace(question, source={"check": self._step, "bot": self._bot.name})
        return Finding(self._step, sentence, question, match, ply)

    def _match(self, number: int, trial: TrialMatch, record: Record) -> Single:
        """Return a match as if it had been played alone."""
        game = self._tables.game
        field = make_names_unique(self._bot if seat == trial.seat else self._random for seat in range(trial.seats))
        definition = Definition(
            game=game.name,
            options=trial.options.given(),
            behaviour=game.behaviour,
            rounds=1,
            seats=trial.seats,
            field=field,
            time=self._time.of_game(game),
            matches_at_once=1,
        )
        players = tuple(Player(seat, 0) for seat in range(trial.seats))
        plan = MatchPlan(0, Deal(0, 0, 0, players), 0, players)
        row = match_row(record, plan, WorkUnit(0, {0: plan}), trial.seed)
        end = self._outcome.end
        outputs = (OutputRow(0, trial.seat, trial.seat, end.output, end.truncated, end.name, end.version),)
        event = new_event(definition, trial.secret, None, 1)
        return Single(event, row, outputs, tuple(self._failures(number, trial.seat)))

    def _failures(self, number: int, seat: int) -> list[ProcessFailureRow]:
        """Return the failures of the bot's processes that had a question of the match open."""
        return [
            replace(
                self._failure_row(failure),
                phase=0,
                player=seat,
                entrant=seat,
                matches=(0,),
                guilty=0 if failure.HasField("guilty") and match_number(failure.guilty) == number else None,
            )
            for failure in self._outcome.failures
            if number in map(match_number, failure.matches)
        ]

    def _failure_row(self, failure: ProcessFailure) -> ProcessFailureRow:
        return failure_row(failure, WorkUnit(0, {0: MatchPlan(0, Deal(0, 0, 0, ()), 0, (Player(BOT, 0),))}))


def stored(match: Single) -> StoredMatch:
    """Return a match as the store would, without storing it; its id is 1."""
    new: NewEvent = match.frame
    now = utc_now()
    event = SingleMatchRow(
        key=0,
        game=new.game,
        options=new.options,
        behaviour=new.behaviour,
        definition_text=new.definition_text,
        definition_hash=new.definition_hash,
        secret=new.secret,
        secret_hash=new.secret_hash,
        seed=new.seed,
        versions=new.versions,
        entrants=new.entrants,
        first_match=1,
        matches=1,
        created=now,
        finished=now,
    )
    outputs = {output.player: output for output in match.outputs if output.text}
    return StoredMatch(1, event, match.match, frozenset(), outputs, match.failures)


def file_names(findings: Sequence[Finding]) -> list[str]:
    """Return a name for the files of each finding, without an ending."""
    return [f"{number}-{finding.step.replace(' ', '-')}" for number, finding in enumerate(findings, 1)]
