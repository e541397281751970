"""A recorded question asked again: what would a bot say there now?

The bot, that of the record or another, sits down at a seat of a stored match. It is told what that seat was told from
the first question on and asked all of them in their order, so that it may remember whatever it remembers; but what
happens at the table is what the record says.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from arena.checking.probe import confinement, probing
from arena.checking.report import StepFailed
from arena.checking.script import move_of
from arena.checking.scripted_player import Script
from arena.replay.played_rules import rules, steps
from arena.store.rows import StoredMatch
from arena.tournament.errors import PlanError
from arena.tournament.plan.definition import Entrant, TimeControl
from arena.tournament.plan.secret import bot_seed
from referee.engine.events import text, visible
from referee.engine.record import Step
from referee.session.local_session import Program
from referee.v1.play_pb2 import Turns
from referee.wire import ViewEncoder, clean, view_schema, view_type

TEXT = 1024
"""Characters of a note that are kept."""

_MATCH = 1
"""The number of the only match on the stream."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of the record with what a bot says to it now.

    ply, seat, legal: as in the record. recorded: the move that was made. move: the bot's. note, said: what it wrote
    beside it, made harmless.
    """

    ply: int
    seat: int
    legal: tuple[str, ...]
    recorded: str
    move: str
    note: str
    said: str


@dataclass(frozen=True, slots=True)
class Again:
    """What came of it.

    before: the questions that came before the one that was meant. meant: that one; None where the bot failed earlier.
    failure: how it failed; empty where it answered all. output: what it printed.
    """

    before: tuple[Asked, ...]
    meant: Asked | None
    failure: str
    output: str

    @property
    def otherwise(self) -> list[Asked]:
        """The earlier questions that the bot answers otherwise than the record says."""
        return [each for each in self.before if each.move != each.recorded]


def seat_at(match: StoredMatch, ply: int) -> int:
    """Return whose answer `ply` is. Raises PlanError where the match has no such answer."""
    for _, answered in steps(match):
        for step in answered:
            if step.ply == ply:
                return step.seat
    raise PlanError(f"match {match.id} has no answer {ply}: `arena replay {match.id}` numbers those it has")


async def ask_again(match: StoredMatch, ply: int, bot: Entrant, time: TimeControl, sandbox: str = "auto") -> Again:
    """Ask a bot what the seat of answer `ply` was asked until then.

    time: for its start and memory; each answer may take the move time and the whole bank, 60 s without a limit.

    Raises PlanError where the match has no such answer.
    """
    seat = seat_at(match, ply)
    memory = min(time.memory_bytes, bot.memory_bytes or time.memory_bytes)
    program = Program(bot.command, bot.folder, time.start_time_ms / 1000, memory, confinement(sandbox))
    asked: list[Asked] = []
    failure = ""
    async with probing(program, match.tournament.game, bot.matches_at_once) as probe:
        try:
            if not probe.session.is_welcomed:
                await probe.gone.wait()
                raise StepFailed(probe.script.failure)
            seconds = (time.move_time_ms + time.bank_ms) / 1000 if time.move_time_ms else 60.0
            for number, (turns, step) in enumerate(_questions(match, seat, ply, probe.script), start=1):
                probe.script.tell(turns)
                answer = (await probe.script.hear([number], seconds))[number]
                move = move_of(answer, step.legal)
                note, said = clean(answer.note, TEXT), clean(answer.say, TEXT)
                asked.append(Asked(step.ply, seat, step.legal, step.move, move, note, said))
        except StepFailed as stopped:
            failure = str(stopped)
        await probe.end()
        output = probe.script.output.text()
    meant = asked.pop() if asked and asked[-1].ply == ply else None
    return Again(tuple(asked), meant, failure, output)


def _questions(match: StoredMatch, seat: int, last: int, script: Script) -> Iterator[tuple[Turns, Step]]:
    """Yield the questions to a seat up to answer `last`, with how the record answers them."""
    game, _ = rules(match)
    encode = ViewEncoder(game)
    turns = _start(match, seat, script)
    seen = number = 0
    waiting = False
    for state, answered in steps(match):
        if waiting:
            (step,) = (each for each in answered if each.seat == seat)
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


def _start(match: StoredMatch, seat: int, script: Script) -> Turns:
    """Return the beginning of the match, as that seat was told it, but without a clock."""
    game, _ = rules(match)
    frame, row = match.tournament, match.row
    turns = Turns()
    start = turns.starts.add(
        match=_MATCH,
        game=game.name,
        behaviour=game.behaviour,
        options=frame.options,
        seats=len(row.seats),
        seat=seat,
        view_type=view_type(game),
        bot_seed=bot_seed(frame.mixed_secret, row.number, seat),
    )
    if frame.definition.get("names"):
        start.names.extend(match.players)
    if script.wants_schema:
        start.schema.CopyFrom(view_schema(game))
    return turns
