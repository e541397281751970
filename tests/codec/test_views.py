"""Views as bytes: both codecs write what the protobuf library writes."""

from collections.abc import Iterator
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from referee.codec import pure
from referee.engine.chance import Chance
from referee.engine.game import Game
from referee.engine.registry import game, names
from referee.v1.cambio_pb2 import CambioView
from referee.wire import view_message
from tests.codec import everything


def _as_fields(value: Any) -> Any:
    """Return a view in the form that constructors of messages take."""
    if hasattr(value, "_asdict"):
        return {name: _as_fields(item) for name, item in value._asdict().items() if item is not None}
    if isinstance(value, tuple):
        return [_as_fields(item) for item in value]
    return value


def _views(rules: Game, preset: str) -> Iterator[tuple[Any, ...]]:
    """Yield the views of all seats through random matches at the smallest and the largest table."""
    options = rules.options.parse(rules.presets[preset])
    tables = rules.tables(options)
    for seats in {tables[0], tables[-1]}:
        rng = Random(seats)
        state = rules.start(options, seats, Chance(bytes([seats]) * 32))
        for _ in range(60):
            if not state.asked:
                break
            yield from (state.view(seat) for seat in range(seats))
            state.apply([rng.choice(state.legal(seat)) for seat in state.asked])


@pytest.mark.parametrize(("name", "preset"), [(name, preset) for name in names() for preset in game(name).presets])
def test_the_bytes_of_every_view_are_those_of_its_message(codec: ModuleType, name: str, preset: str) -> None:
    rules = game(name)
    message, encode = view_message(rules), codec.ViewEncoder(rules).encode
    for view in _views(rules, preset):
        assert encode(view) == message(**_as_fields(view)).SerializeToString(deterministic=True)


NUMBERS = (0, 1, 127, 128, 300, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 10**30)
ODD = (None, True, False, "", "0", 1.5, (), (1,), b"x", [1])
"""Values that do not fit most fields."""


def _number(rng: Random, kind: str) -> Any:
    number = rng.choice(NUMBERS)
    return -number if kind in ("int32", "int64", "sint32", "sint64", "sfixed64") and rng.random() < 0.5 else number


def _value(rng: Random, kind: str, *, is_ordinary: bool) -> Any:
    """Return a value for a field of a type: one that fits, or perhaps one that does not."""
    if not is_ordinary and rng.random() < 0.05:
        return rng.choice(ODD)
    if not is_ordinary and rng.random() < 0.2 and kind not in ("string", "bytes", "bool", "enum", "part"):
        return _number(rng, kind)
    match kind:
        case "bool":
            return rng.random() < 0.5
        case "double" | "float":
            return rng.choice((0.0, 0.25, 0.5, -1e300 if kind == "double" else -2.0, float("inf")))
        case "string":
            return rng.choice(("", "x", "Zürich, 東京", "long " * 40, "\x00"))
        case "bytes":
            return rng.choice((b"", b"\xff"))
        case "enum":
            return rng.choice((0, 5, 77, -1))
        case "part":
            return everything.Part(*_values(rng, everything.Part._fields, is_ordinary=is_ordinary))
        case _:
            return rng.randrange(200) - (100 if kind in ("int32", "int64", "sint32", "sint64", "sfixed64") else 0)


def _values(rng: Random, fields: tuple[str, ...], *, is_ordinary: bool) -> list[Any]:
    values: list[Any] = []
    for name in fields:
        prefix, _, kind = name.rpartition("_")
        if prefix == "some" and rng.random() < 0.5:
            values.append(None)
        elif prefix == "all":
            count = rng.choice((0, 1, 3, 60))
            values.append(tuple([_value(rng, kind, is_ordinary=is_ordinary) for _ in range(count)]))
        else:
            values.append(_value(rng, kind, is_ordinary=is_ordinary))
    return values


def _encoded(encode: Any, view: Any) -> Any:
    """Return the bytes of a view, or the type of the error."""
    try:
        return encode(view)
    except Exception as error:
        return type(error)


@pytest.mark.parametrize("seed", range(40))
def test_fields_of_every_type_are_written_as_the_library_does(codec: ModuleType, seed: int) -> None:
    encode = codec.ViewEncoder(everything.EVERYTHING).encode
    view = everything.EverythingView(*_values(Random(seed), everything.EverythingView._fields, is_ordinary=True))
    assert encode(view) == everything.Everything(**_as_fields(view)).SerializeToString(deterministic=True)


@pytest.mark.parametrize("rules", [everything.EVERYTHING, everything.OTHER])
def test_what_does_not_fit_its_field_is_the_same_error_in_both(codec: ModuleType, rules: Game) -> None:
    view_type: Any = everything.EverythingView if rules is everything.EVERYTHING else everything.OtherView
    outcomes = set()
    for seed in range(100):
        rng = Random(seed)
        values = _values(rng, view_type._fields, is_ordinary=True)
        for place in rng.choices(range(len(values)), k=10):
            odd = _values(rng, (view_type._fields[place],), is_ordinary=False)
            view = view_type(*values[:place], *odd, *values[place + 1 :])
            expected = _encoded(pure.ViewEncoder(rules).encode, view)
            assert _encoded(codec.ViewEncoder(rules).encode, view) == expected, view_type._fields[place]
            outcomes.add(expected if isinstance(expected, type) else bytes)
    assert {bytes, TypeError, ValueError} <= outcomes


class _Interrupting(type):
    """The type of a part that encodes another view while its own is being encoded, as another thread may."""

    @property
    def _fields(cls) -> tuple[str, ...]:
        cls.interrupt()
        return everything.Part._fields

    @staticmethod
    def interrupt() -> None:
        """Do nothing, unless a test says otherwise."""


def test_encoding_a_view_may_be_interrupted_by_encoding_another(codec: ModuleType) -> None:
    fields = everything.EverythingView._fields
    view: Any = everything.EverythingView(*_values(Random(1), fields, is_ordinary=True))
    other = everything.EverythingView(*_values(Random(2), fields, is_ordinary=True))
    interrupting: Any = _Interrupting("Interrupting", (everything.Part,), {})
    interrupting.interrupt = lambda: codec.ViewEncoder(everything.EVERYTHING).encode(other)
    expected = codec.ViewEncoder(everything.EVERYTHING).encode(view)
    values = view._replace(part=tuple.__new__(interrupting, view.part))
    unknown: Any = type("Unknown", (everything.EverythingView,), {})  # a type whose layout is not cached
    assert codec.ViewEncoder(everything.EVERYTHING).encode(tuple.__new__(unknown, values)) == expected


class Stub(NamedTuple):
    chips: tuple[int, ...]
    card: int | None


def test_the_cache_of_encoded_values_is_bounded() -> None:
    codec = pure.ViewCodec(type("Loose", (Game,), {"message": game("cambio").message, "stable": 0})(), Stub._fields)
    for chips in range(2 * pure.CACHED_VALUES + 10):
        part = codec.encode_changing(Stub((chips,), chips))
        assert CambioView.FromString(part) == CambioView(chips=[chips], card=chips)
    assert all(len(kept) <= pure.CACHED_VALUES for kept in codec._changing)
