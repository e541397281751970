"""Export a question of a stored match, with everything that its seat saw before, so that it can be asked again."""

from collections.abc import Iterator

from arena.bridge.json_messages import json_value
from arena.plan.secret import bot_seed
from arena.record.answer_clock import AnswerClock, clock_limits
from arena.record.played_rules import played_by_referee, rules, steps
from arena.sdk.match import SeatClock
from arena.sdk.recorded_question import AskedQuestion, RecordedQuestion
from arena.values.rows import StoredMatch
from arena.values.tournament_errors import PlanError
from referee.codec import ViewEncoder
from referee.engine.events import Event, text, values_text, visible
from referee.engine.record import Step
from referee.wire import view_message, view_type

_UINT32 = 2**32 - 1


def seat_at(match: StoredMatch, ply: int) -> int:
    """Return the seat that gave answer `ply`. Raises PlanError."""
    for _, answered in steps(match):
        for step in answered:
            if step.ply == ply:
                return step.seat
    raise PlanError(f"match {match.id} has no answer {ply}: `arena replay {match.id}` lists its answers")


def recorded_question(match: StoredMatch, ply: int, expect: tuple[str, ...] = ()) -> RecordedQuestion:
    """Return the question of answer `ply` as its seat was asked it.

    It holds what that seat saw and nothing else: no number of an answer either, as it tells how often others were
    asked.

    expect: the moves that are right.

    Raises PlanError if the match has no such answer, or a move of `expect` is not legal there.
    """
    seat = seat_at(match, ply)
    game, _ = rules(match)
    *before, question = _asked(match, seat, ply)
    for move in expect:
        if move not in question.legal:
            raise PlanError(f'"{move}" is not a legal move there: {", ".join(question.legal)}')
    event, row = match.event, match.row
    clocks = tuple(event.definition.clock_of(result.entrant) for result in row.seats)
    own = clocks[seat]
    return RecordedQuestion(
        game=game.name,
        behaviour=row.behaviour,
        options=dict(event.options),
        seats=len(row.seats),
        seat=seat,
        view_type=view_type(game),
        bot_seed=bot_seed(event.mixed_secret, row.number, seat),
        names=tuple(match.players) if event.definition.names else (),
        move_time_ms=own.move_time_ms,
        bank_ms=own.bank_ms,
        fischer=own.fischer and own.move_time_ms > 0,
        clocks=tuple(SeatClock(one.move_time_ms, one.bank_ms, one.fischer) for one in clocks)
        if len(set(clocks)) > 1
        else (),
        before=tuple(before),
        question=question,
        expect=expect,
        source={"match": match.id, "bot": match.players[seat]},
    )


def _asked(match: StoredMatch, seat: int, last: int) -> Iterator[AskedQuestion]:
    """Yield the questions to a seat up to answer `last`."""
    game, _ = rules(match)
    encode, message = ViewEncoder(game).encode, view_message(game)
    clock = AnswerClock(match)
    bank = clock_limits(match, seat).bank
    charged = 0.0
    seen = 0
    waiting: tuple[dict[str, object], list[Event]] | None = None
    for state, answered in steps(match):
        if waiting is not None:
            (step,) = (candidate for candidate in answered if candidate.seat == seat)
            view, told = waiting
            yield AskedQuestion(
                view,
                step.legal,
                tuple([text(game.lines, event) for event in told]),
                round(bank / 1000),
                min(round(charged), _UINT32),
                step.move,
                fault := _fault(match, step),
                tuple(map(values_text, told)),
            )
            if step.ply == last:
                return
            spent = clock.time_of(seat, step.ply)
            charged = spent.micros if spent is not None else 0.0
            if spent is not None and spent.bank is not None:
                bank = spent.bank
            elif fault.startswith("timeout"):
                bank = 0.0
            waiting = None
        if seat in state.asked:
            new = state.events[seen:]
            seen = len(state.events)
            told = [event for event in new if visible(game.lines, event, seat)]
            waiting = json_value(message.FromString(encode(state.view(seat)))), told


def _fault(match: StoredMatch, step: Step) -> str:
    """Return why the referee played an answer; empty if the bot gave it."""
    if not played_by_referee(match.row, step.seat, step.ply):
        return ""
    faults = [fault for fault in match.row.faults if fault.seat == step.seat and fault.ply == step.ply]
    if not faults:
        return "forfeited"
    fault = min(faults, key=lambda fault: fault.kind == "withdrawn")  # what it did, before what followed from it
    return f"{fault.kind}: {fault.sentence}"


def plies_of(match: StoredMatch, seat: int) -> list[int]:
    """Return the numbers of the answers of a seat, by question."""
    return [step.ply for _, answered in steps(match) for step in answered if step.seat == seat]
