"""Ask a bot the recorded questions of a match again: how would it answer now?

The bot, that of the record or another, takes one seat of a stored match. It gets all questions of that seat in their
order, so that it can build up its memory of the match; the match goes on with the recorded moves, whatever it answers.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from arena.checking.probe import confinement, probing
from arena.checking.report import StepFailed
from arena.checking.script import move_of
from arena.checking.scripted_player import ScriptedPlayer
from arena.replay.played_rules import rules, steps
from arena.store.rows import StoredMatch
from arena.tournament.errors import PlanError
from arena.tournament.plan.definition import Entrant, TimeControl
from arena.tournament.plan.secret import bot_seed
from referee.codec import ViewEncoder
from referee.engine.events import text, visible
from referee.engine.record import Step
from referee.session.local_session import Program
from referee.v1.play_pb2 import Turns
from referee.wire import clean, view_schema, view_type

TEXT = 1024
"""Characters of a note that are kept."""

_MATCH = 1
"""The number of the only match on the stream."""


@dataclass(frozen=True, slots=True)
class RepeatedAnswer:
    """A recorded question with the bot's answer to it now.

    ply, seat, legal: as in the record. recorded: the recorded move. move: the bot's move now. note, said: its note and
    talk, with control characters removed.
    """

    ply: int
    seat: int
    legal: tuple[str, ...]
    recorded: str
    move: str
    note: str
    said: str


@dataclass(frozen=True, slots=True)
class RepeatedQuestions:
    """The answers of a bot to the recorded questions of a seat.

    before: the earlier questions. meant: the question that was asked for; None if the bot failed earlier.
    failure: how it failed; empty if it answered all. output: what it printed.
    """

    before: tuple[RepeatedAnswer, ...]
    meant: RepeatedAnswer | None
    failure: str
    output: str

    @property
    def otherwise(self) -> list[RepeatedAnswer]:
        """The earlier questions that the bot answers differently from the record."""
        return [answer for answer in self.before if answer.move != answer.recorded]


def seat_at(match: StoredMatch, ply: int) -> int:
    """Return the seat that gave answer `ply`. Raises PlanError if the match has no such answer."""
    for _, answered in steps(match):
        for step in answered:
            if step.ply == ply:
                return step.seat
    raise PlanError(f"match {match.id} has no answer {ply}: `arena replay {match.id}` lists its answers")


async def ask_again(
    match: StoredMatch, ply: int, bot: Entrant, time: TimeControl, sandbox: str = "auto"
) -> RepeatedQuestions:
    """Ask a bot the questions of the seat of answer `ply`, up to that one.

    time: limits of start and memory; each answer may take the move time plus the bank, or 60 s if there is no limit.

    Raises PlanError if the match has no such answer.
    """
    seat = seat_at(match, ply)
    memory = min(time.memory_bytes, bot.memory_bytes or time.memory_bytes)
    program = Program(bot.command, bot.folder, time.start_time_ms / 1000, memory, confinement(sandbox))
    asked: list[RepeatedAnswer] = []
    failure = ""
    async with probing(program, match.event.game, bot.matches_at_once) as probe:
        try:
            if not probe.session.is_welcomed:
                await probe.gone.wait()
                raise StepFailed(probe.script.failure)
            seconds = (time.move_time_ms + time.bank_ms) / 1000 if time.move_time_ms else 60.0
            for number, (turns, step) in enumerate(_questions(match, seat, ply, probe.script), start=1):
                probe.script.tell(turns)
                answer = (await probe.script.receive_answers([number], seconds))[number]
                move = move_of(answer, step.legal)
                note, said = clean(answer.note, TEXT), clean(answer.say, TEXT)
                asked.append(RepeatedAnswer(step.ply, seat, step.legal, step.move, move, note, said))
        except StepFailed as stopped:
            failure = str(stopped)
        await probe.end()
        output = probe.script.output.text()
    meant = asked.pop() if asked and asked[-1].ply == ply else None
    return RepeatedQuestions(tuple(asked), meant, failure, output)


def _questions(match: StoredMatch, seat: int, last: int, script: ScriptedPlayer) -> Iterator[tuple[Turns, Step]]:
    """Yield the questions to a seat up to answer `last`, each with its recorded step."""
    game, _ = rules(match)
    encode = ViewEncoder(game).encode
    turns = _start(match, seat, script)
    seen = number = 0
    waiting = False
    for state, answered in steps(match):
        if waiting:
            (step,) = (candidate for candidate in answered if candidate.seat == seat)
            yield turns, step
            if step.ply == last:
                return
            turns = Turns()
        waiting = seat in state.asked
        if waiting:
            number += 1
            question = turns.questions.add(
                id=number, match=_MATCH, view=encode(state.view(seat)), legal=state.legal(seat)
            )
            if script.wants_events:
                question.events.extend(
                    text(game.lines, event) for event in state.events[seen:] if visible(game.lines, event, seat)
                )
                seen = len(state.events)


def _start(match: StoredMatch, seat: int, script: ScriptedPlayer) -> Turns:
    """Return the start of the match as sent to that seat, but without a clock."""
    game, _ = rules(match)
    event, row = match.event, match.row
    turns = Turns()
    start = turns.starts.add(
        match=_MATCH,
        game=game.name,
        behaviour=game.behaviour,
        options=event.options,
        seats=len(row.seats),
        seat=seat,
        view_type=view_type(game),
        bot_seed=bot_seed(event.mixed_secret, row.number, seat),
    )
    if event.definition.reveals_names:
        start.names.extend(match.players)
    if script.wants_schema:
        start.schema.CopyFrom(view_schema(game))
    return turns
