"""Views: they fit the message that carries them."""

from collections.abc import Mapping
from random import Random
from typing import Any

from google.protobuf.message import Message

from arena.testing.case import MatchCase
from arena.testing.contract_check import check
from arena.testing.violation import Violation
from arena.values.snapshot import short_repr
from referee.codec import ViewEncoder
from referee.engine.scenario.expect import plain
from referee.wire import view_message

EVERY = 5
"""At every fifth question the views of some seats that are not asked are checked too, and read from their bytes."""
SEATS = 3
"""Number of these seats."""


@check
def check_views(case: MatchCase) -> None:
    """A view is a NamedTuple with the fields of the game's message; its bytes are complete; `view` changes no state."""
    game = case.game
    message = view_message(game)
    fields = set(message.DESCRIPTOR.fields_by_name)
    long_lived = ViewEncoder(game)
    rng = Random(case.play)
    for step, state in enumerate(case.played.states):
        others = rng.sample(range(case.seats), min(SEATS, case.seats)) if step % EVERY == 0 else ()
        for seat in {*state.asked, *others}:
            view = state.view(seat)
            names = getattr(view, "_fields", None)
            if names is None:
                raise Violation(f"`view({seat})` is a {type(view).__name__}, not a NamedTuple", step)
            if strange := sorted({*names} ^ fields):
                raise Violation(f"the view and its message {message.DESCRIPTOR.full_name} differ in {strange}", step)
            if not 0 <= game.stable <= len(names):
                raise Violation(f"`stable` is {game.stable}, and the view has {len(names)} fields", step)
            encoded = long_lived.encode(view)
            if step % EVERY == 0:
                if state.view(seat) != view or len(state.events) != case.played.seen[step]:
                    raise Violation(f"`view({seat})` changes the view, or the log", step)
                _check_bytes(message.FromString(encoded), view, seat, step)


def _check_bytes(message: Message, view: Any, seat: int, step: int) -> None:
    """Compare the message that a bot reads with the view that was encoded."""
    read = _read(message)
    for name, value in plain(view).items():
        if value != read[name]:
            raise Violation(
                f"view({seat}).{name} is {short_repr(value)}, but its bytes say {short_repr(read[name])}", step
            )


def _read(message: Message) -> dict[str, Any]:
    """Return the fields of a message, None for absent ones."""
    return {field.name: _value(message, field) for field in message.DESCRIPTOR.fields}


def _value(message: Message, field: Any) -> Any:
    if field.has_presence and not message.HasField(field.name):
        return None
    value = getattr(message, field.name)
    if field.is_repeated:
        if isinstance(value, Mapping):
            return {str(key): _inner(item) for key, item in value.items()}
        return [_inner(item) for item in value]
    return _inner(value)


def _inner(value: Any) -> Any:
    return _read(value) if isinstance(value, Message) else value
