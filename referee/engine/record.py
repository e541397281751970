"""The answers and times of one match as compact bytes, and their replay with what was said.

answers: for every answer in the order asked (sealed ones in seat order) the index of the move in
    the legal list of that moment, as an unsigned LEB128 varint: one byte for lists up to 128.
times: one byte for each answer, on a logarithmic scale: 0 for under 1 µs (and for moves the
    referee played itself), otherwise 1 + floor(13.8 * ln(µs)), at most 255: steps of 7.5 %, up to 98 s.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import exp, inf, log
from typing import Any

from referee.engine.chance import Chance
from referee.engine.errors import RecordError
from referee.engine.game import Game, State

_SCALE = 13.8


def pack_time(microseconds: float) -> int:
    """Return the byte that stands for a duration in µs."""
    return min(255, 1 + int(_SCALE * log(microseconds))) if microseconds >= 1 else 0


def unpack_time(byte: int) -> float:
    """Return the duration in µs in the middle of a byte's step (0 for byte 0)."""
    return exp((byte - 0.5) / _SCALE) if byte else 0.0


def time_bounds(byte: int) -> tuple[float, float]:
    """Return the least and the most µs that a byte stands for, each with room for rounding."""
    least = exp((byte - 1) / _SCALE) if byte else 0.0
    most = inf if byte == 255 else exp(byte / _SCALE)
    return least * (1 - 1e-9), most * (1 + 1e-9)


def pack_answers(indices: Sequence[int]) -> bytes:
    """Return the varints of move indices."""
    if max(indices, default=0) < 128:
        return bytes(indices)
    packed = bytearray()
    for index in indices:
        while index > 127:
            packed.append(index & 127 | 128)
            index >>= 7
        packed.append(index)
    return bytes(packed)


def unpack_answers(packed: bytes) -> list[int]:
    """Return the move indices that `pack_answers` packed. Raises RecordError where the bytes end early."""
    indices: list[int] = []
    value = shift = 0
    for byte in packed:
        value |= (byte & 127) << shift
        if byte & 128:
            shift += 7
        else:
            indices.append(value)
            value = shift = 0
    if shift:
        raise RecordError("the answers of the record end in the middle of a number")
    return indices


@dataclass(frozen=True, slots=True)
class Say:
    """What a seat said to the table with its answer."""

    seat: int
    ply: int
    """The number of the answer in the match, from 0."""
    text: str
    """What was said, as the state heard it (`State.say`)."""


@dataclass(frozen=True, slots=True)
class Step:
    """One answer of a replay."""

    ply: int
    """The number of the answer in the match, from 0."""
    seat: int
    """The seat that answered."""
    legal: tuple[str, ...]
    """The legal moves of the question."""
    move: str
    """The move that was played."""
    seen: int
    """How many events had been logged before the seat was asked."""


def replay(
    game: Game, options: Any, seats: int, chance: Chance, answers: Sequence[int], says: Iterable[Say] = ()
) -> Iterator[tuple[State, list[Step]]]:
    """Play a record's answers again, and let be heard what was said with them.

    chance: that of the match.

    Yields the opening state with no steps, then after each question the state and the steps that
    answered it (several only for sealed answers). The state is the same, changing object.

    Raises RecordError where answers or table talk do not fit the rules.
    """
    spoken = {(say.ply, say.seat): say.text for say in says}
    state = game.start(options, seats, chance)
    yield state, []
    ply = 0
    while state.asked and ply < len(answers):
        steps = []
        for seat in state.asked:
            legal = state.legal(seat)
            if ply >= len(answers):
                raise RecordError(f"the record ends at answer {ply}, but seat {seat} has yet to answer with the others")
            if answers[ply] >= len(legal):
                raise RecordError(f"answer {ply} of seat {seat} is number {answers[ply]} of {len(legal)} moves")
            steps.append(Step(ply, seat, legal, legal[answers[ply]], len(state.events)))
            ply += 1
        if spoken:
            _speak(state, steps, spoken)
        state.apply([step.move for step in steps])
        yield state, steps
    if ply < len(answers):
        raise RecordError(f"the record has {len(answers)} answers, but the match is over after {ply}")
    for at, seat in spoken:
        raise RecordError(f"the record has words of seat {seat} with answer {at}, which is no answer of its")


def _speak(state: State, steps: Sequence[Step], spoken: dict[tuple[int, int], str]) -> None:
    """Let the state hear what was said with these answers, and strike it off."""
    for step in steps:
        words = spoken.pop((step.ply, step.seat), None)
        if words is not None:
            if not 0 < len(words) <= state.talk_limit():
                raise RecordError(
                    f"seat {step.seat} says {len(words)} characters with answer {step.ply}, "
                    f"where {state.talk_limit()} are heard"
                )
            state.say(step.seat, words)


def ranks_with_forfeits(ranks: Sequence[int], forfeits: Sequence[bool]) -> tuple[int, ...]:
    """Return `ranks` with the forfeited seats behind all others, where they tie.

    The seats that are left keep their order and their ties: ranks 1 2 2 4 with the first seat
    forfeited become 4 1 1 3.
    """
    if not any(forfeits):
        return tuple(ranks)
    kept = sorted(rank for rank, forfeit in zip(ranks, forfeits, strict=True) if not forfeit)
    return tuple(
        len(kept) + 1 if forfeit else kept.index(rank) + 1 for rank, forfeit in zip(ranks, forfeits, strict=True)
    )
