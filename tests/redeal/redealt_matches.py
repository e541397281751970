"""Matches with a redeal, for tests."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from arena.record.played_rules import rules, steps
from arena.record.redealt_prefix import RedealtPrefix
from arena.values.rows import StoredMatch
from referee.engine.events import Event, digest, visible
from referee.engine.game import State
from referee.engine.record import pack_answers, pack_time
from referee.engine.redeal import Redeal, dealer
from tests.played import planned, single

MICROS = 100
"""The time of each answer."""


def moments(match: StoredMatch, count: int) -> list[int]:
    """Return the answer counts of `count` moments, spread over the match."""
    ends = [answered[-1].ply + 1 if answered else 0 for _, answered in steps(match)][:-1]
    return [ends[len(ends) * number // count] for number in range(count)]


def at(match: StoredMatch, redeal: Redeal | None, answers: Sequence[int]) -> State:
    """Return the state after these answers."""
    game, options = rules(match)
    state = game.start(options, len(match.row.seats), dealer(match.row.seed, redeal))
    remaining = list(answers)
    while remaining:
        state.apply([state.legal(seat)[remaining.pop(0)] for seat in state.asked])
    return state


def seat_events(match: StoredMatch, state: State, seat: int) -> list[Event]:
    """Return the events that a seat saw."""
    lines = rules(match).game.lines
    return [event for event in state.events if visible(lines, event, seat)]


def decisions(match: StoredMatch, redeal: Redeal | None, answers: Sequence[int]) -> Counter[int]:
    """Return how many of the answers of a whole match each seat gave."""
    game, options = rules(match)
    state = game.start(options, len(match.row.seats), dealer(match.row.seed, redeal))
    count, remaining = Counter[int](), list(answers)
    while state.asked:
        count.update(state.asked)
        state.apply([state.legal(seat)[remaining.pop(0)] for seat in state.asked])
    return count


def played_on(match: StoredMatch, prefix: RedealtPrefix) -> StoredMatch:
    """Continue with the first legal moves, and return the match as it would be stored."""
    state = at(match, prefix.redeal, prefix.answers)
    answers = list(prefix.answers)
    while state.asked:
        answers += [0] * len(state.asked)
        state.apply([state.legal(seat)[0] for seat in state.asked])
    outcome = state.outcome()
    own = decisions(match, prefix.redeal, answers)
    seats = tuple(
        replace(
            seat, score=score, rank=rank, forfeit=False, decisions=own[number], charged_us=round(own[number] * MICROS)
        )
        for number, (seat, score, rank) in enumerate(zip(match.row.seats, outcome.scores, outcome.ranks, strict=True))
    )
    record: dict[str, Any] = {
        "answers": pack_answers(answers),
        "times": bytes([pack_time(MICROS)]) * len(answers),
        "digest": digest(state.events),
    }
    row = replace(match.row, seats=seats, faults=(), notes=(), **record)
    event = planned(single(match.event), opening=[match.id, 0], redeal=prefix.redeal.to_json())
    return replace(match, row=row, event=event)
