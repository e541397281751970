"""Records, orders and schemas as protobuf messages.

A game's view is a message of its own, carried as bytes whose type is named as a match starts: games of other packages
take the same path, and a bot that does not look at the view does not pay for it.
"""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any, cast

from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.message import Message

from referee.engine.chance import Chance
from referee.engine.clean_text import clean
from referee.engine.errors import BrokenGame
from referee.engine.game import Game, Outcome
from referee.engine.record import pack_answers
from referee.engine.redeal import Redeal, RedealtChance
from referee.v1.work_pb2 import Fault, MatchOrder, Record

PROTOCOLS = (1,)
"""The protocol versions this referee speaks."""

NOTE_BYTES = 1024
"""What is kept of a note or of table talk."""

ANSWER_BYTES = 2 * NOTE_BYTES + 256
"""The largest size of one answer: its move, a note and table talk."""

NAME_CHARACTERS = 64
SENTENCE_CHARACTERS = 300
MOVE_CHARACTERS = 64
"""What is quoted of an illegal move."""

QUOTED_MOVES = 6
"""How many legal moves are named beside it."""


def describe_illegal(index: int, text: str, legal: Sequence[str]) -> str:
    """Return in a sentence what an illegal answer was, and which moves are legal.

    index: -1 where it has none.
    """
    moves = ", ".join(legal[:QUOTED_MOVES]) + (" ..." if len(legal) > QUOTED_MOVES else "")
    if text:
        return f'it answered "{clean(text, MOVE_CHARACTERS)}", which is not legal there: {moves}'
    if index < 0:
        return "its answer names no move: set its index or its text"
    return f"it answered with the index {index}, but the legal moves are {len(legal)}: {moves}"


def encode_record(
    *,
    match: int,
    game: Game,
    digest: bytes,
    answers: Sequence[int],
    times: bytearray,
    outcome: Outcome,
    seconds: float,
    charged: Sequence[float],
    decisions: Sequence[int],
    faults: Sequence[tuple[int, int, int, str, bool]],
    notes: Sequence[tuple[int, int, str]],
    says: Sequence[tuple[int, int, str]],
) -> Record:
    """Return the record of a match.

    match: the number of the match.
    digest: that of the log.
    answers: indices of the moves, in the order they were played.
    times: the time of each answer, as `pack_time` has it.
    seconds: from the beginning of the match to its end.
    charged, decisions: by seat, the seconds charged and the number of valid answers.
    faults: of each fault the seat, the ply, the kind's number, the sentence, and whether it forfeited the seat.
    notes, says: of each, the seat, the ply and the text.
    """
    record = Record(
        match=match,
        answers=pack_answers(answers),
        times=bytes(times),
        scores=outcome.scores,
        ranks=outcome.ranks,
        digest=digest,
        behaviour=game.behaviour,
        duration_ms=round(seconds * 1000),
        charged_us=[round(total * 1e6) for total in charged],
        decisions=decisions,
    )
    for seat, ply, kind, sentence, forfeit in faults:
        record.faults.add(
            seat=seat, ply=ply, kind=cast("Fault.Kind.ValueType", kind), sentence=sentence, forfeit=forfeit
        )
    for seat, ply, text in notes:
        record.notes.add(seat=seat, ply=ply, text=text)
    for seat, ply, text in says:
        record.says.add(seat=seat, ply=ply, text=text)
    return record


def read_chance(order: MatchOrder) -> Chance:
    """Return the source of chance of a match that is to be played."""
    if not order.HasField("redeal"):
        return Chance(order.seed)
    fixed = {draw.place: tuple(draw.values) for draw in order.redeal.fixed}
    return RedealtChance(order.seed, fixed, order.redeal.later_seed, order.redeal.requests)


def write_redeal(order: MatchOrder, redeal: Redeal) -> None:
    """Write the changed draws of a redeal into an order; `read_chance` reads them."""
    order.redeal.later_seed, order.redeal.requests = redeal.later, redeal.requests
    for place, values in redeal.fixed.items():
        order.redeal.fixed.add(place=place, values=values)


@cache
def view_message(game: Game) -> type[Message]:
    """Return the message class of a game's view. Raises BrokenGame where it cannot be loaded."""
    module, _, name = game.message.partition(":")
    try:
        message: type[Message] = getattr(import_module(module), name)
        message.DESCRIPTOR  # noqa: B018  # only message classes have one
    except Exception as error:  # a module of another package may raise anything when it is imported
        raise BrokenGame(
            f'the game "{game.name}" is broken: `{type(game).__name__}.message` is "{game.message}", '
            f"and loading that raises {type(error).__name__}: {error}"
        ) from error
    return message


@cache
def view_type(game: Game) -> str:
    """Return the full name of a game's view message."""
    return view_message(game).DESCRIPTOR.full_name


@cache
def view_schema(game: Game) -> FileDescriptorSet:
    """Return the proto file of a game's view message with all files it imports, dependencies first."""
    files: dict[str, Any] = {}

    def collect(file: Any) -> None:
        for needed in file.dependencies:
            collect(needed)
        files.setdefault(file.name, file)

    collect(view_message(game).DESCRIPTOR.file)
    schema = FileDescriptorSet()
    for file in files.values():
        file.CopyToProto(schema.file.add())
    return schema
