"""The format of scenario files: TOML text -> `Scenario`.

Everything that can be said about a file without playing it is checked here: its keys, their types
and the seats they name. Whether moves are legal and cards are in the pack is seen when it is played.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeVar

from referee.engine.errors import ScenarioError
from referee.engine.near import did_you_mean
from referee.engine.toml import parse_toml

T = TypeVar("T")
Table = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Script:
    """The `[chance]` table: what chance answers before the seed goes on.

    picks: answers by purpose, "first" and "cut".
    """

    seed: int = 0
    deck: tuple[int | str, ...] = ()
    dice: tuple[tuple[int | str, ...], ...] = ()
    picks: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Play:
    """One `[[play]]`: whose answer, and which. say: what the seat says to the table with it, "" for nothing."""

    seat: int
    move: str
    say: str = ""


@dataclass(frozen=True, slots=True)
class Expect:
    """The `[expect]` table; None and empty tables are not checked.

    legal, illegal: moves by seat. view: fields and their values by seat. events: lines of the log, in order.
    """

    over: bool | None = None
    scores: tuple[float, ...] | None = None
    ranks: tuple[int, ...] | None = None
    to_act: tuple[int, ...] | None = None
    legal: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    illegal: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    view: Mapping[int, Table] = field(default_factory=dict)
    events: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario file.

    shows: what it shows, in one line: the comment that opens the file, "" where there is none.
    """

    shows: str
    game: str
    seats: int
    options: Table
    script: Script
    plays: tuple[Play, ...]
    expect: Expect


def title(text: str) -> str:
    """Return the comment that opens a file, without its mark; "" where the first line is none."""
    first = text.lstrip("\ufeff").partition("\n")[0].strip()
    return first.lstrip("#").strip() if first.startswith("#") else ""


def parse(text: str) -> Scenario:
    """Return the scenario that a file's text describes.

    Raises ScenarioError, a sentence that names the place, where it describes none.
    """
    try:
        root = parse_toml(text.lstrip("\ufeff"))
    except ValueError as error:
        raise ScenarioError(f"not valid TOML: {error}") from None
    _only(root, "the file", ("game", "seats", "seed", "options", "chance", "play", "expect"))
    for key in ("game", "seats"):
        if key not in root:
            raise ScenarioError(f"`{key}` is missing")
    seats = _int(root["seats"], "seats")
    if seats < 1:
        raise ScenarioError(f"seats must be at least 1, not {seats}")
    return Scenario(
        shows=title(text),
        game=_text(root["game"], "game"),
        seats=seats,
        options=_table(root.get("options", {}), "options"),
        script=_script(root),
        plays=tuple(_play(play, n, seats) for n, play in enumerate(_list(root.get("play", []), "play"), start=1)),
        expect=_expect(_table(root.get("expect", {}), "expect"), seats),
    )


def _script(root: Table) -> Script:
    chance = _table(root.get("chance", {}), "chance")
    _only(chance, "[chance]", ("seed", "first", "deck", "dice", "cut"))
    if "seed" in root and "seed" in chance:
        raise ScenarioError("`seed` is given twice: above and in [chance]; one of them is enough")
    dice = _list(chance.get("dice", []), "chance.dice")
    return Script(
        seed=_int(root.get("seed", chance.get("seed", 0)), "seed"),
        deck=_each(_cards, chance.get("deck", []), "chance.deck"),
        dice=tuple(_each(_cards, roll, f"roll {n} of chance.dice") for n, roll in enumerate(dice, start=1)),
        picks={key: _int(chance[key], f"chance.{key}") for key in ("first", "cut") if key in chance},
    )


def _play(play: Any, number: int, seats: int) -> Play:
    place = f"play {number}"
    _only(_table(play, place), place, ("seat", "move", "say"))
    for key in ("seat", "move"):
        if key not in play:
            raise ScenarioError(f"{place} has no `{key}`")
    said = _text(play.get("say", ""), f"what is said with {place}")
    return Play(_seat(play["seat"], place, seats), _text(play["move"], f"the move of {place}"), said)


def _expect(table: Table, seats: int) -> Expect:
    _only(table, "[expect]", ("over", "scores", "ranks", "to_act", "legal", "illegal", "view", "events"))
    if not isinstance(table.get("over", False), bool):
        _wrong("expect.over", "true or false", table["over"])
    given: dict[str, Any] = {"over": table.get("over")}
    for key in ("scores", "ranks"):
        if key in table:
            given[key] = _each(_number if key == "scores" else _int, table[key], f"expect.{key}")
            if len(given[key]) != seats:
                numbers = "number" if len(given[key]) == 1 else "numbers"
                raise ScenarioError(f"expect.{key} has {len(given[key])} {numbers} for {seats} seats")
    if "to_act" in table:
        given["to_act"] = tuple(
            sorted({_seat(seat, "expect.to_act", seats) for seat in _list(table["to_act"], "expect.to_act")})
        )
    for key in ("legal", "illegal"):
        by_seat = _by_seat(table.get(key, {}), f"expect.{key}", seats)
        given[key] = {seat: _each(_text, moves, f"expect.{key}.{seat}") for seat, moves in by_seat.items()}
    views = _by_seat(table.get("view", {}), "expect.view", seats)
    given["view"] = {seat: _table(fields, f"expect.view.{seat}") for seat, fields in views.items()}
    given["events"] = _each(_text, table.get("events", []), "expect.events")
    return Expect(**given)


def _by_seat(value: Any, place: str, seats: int) -> dict[int, Any]:
    """Return a table whose keys are seats; TOML writes them as texts."""
    keys = {key: int(key) if key.isdecimal() else key for key in _table(value, place)}
    return {_seat(seat, place, seats): value[key] for key, seat in keys.items()}


def shown(value: Any) -> str:
    """Return a value as text, close to how a file writes it."""
    return json.dumps(value, ensure_ascii=False, default=str)


def _only(table: Table, place: str, known: tuple[str, ...]) -> None:
    for key in table:
        if key not in known:
            raise ScenarioError(f'unknown key "{key}" in {place}{did_you_mean(key, known)} (known: {", ".join(known)})')


def _wrong(place: str, kind: str, value: Any) -> NoReturn:
    raise ScenarioError(f"{place} must be {kind}, not {shown(value)}")


def _int(value: Any, place: str) -> int:
    if type(value) is not int:
        _wrong(place, "a whole number", value)
    return value


def _number(value: Any, place: str) -> float:
    return value if isinstance(value, float) else _int(value, place)


def _text(value: Any, place: str) -> str:
    if not isinstance(value, str):
        _wrong(place, "a text in quotes", value)
    return value


def _cards(value: Any, place: str) -> int | str:
    return value if isinstance(value, str) else _int(value, place)


def _list(value: Any, place: str) -> list[Any]:
    if not isinstance(value, list):
        kind = "written as [[play]], once for each play" if place == "play" else "a list"
        _wrong(place, kind, value)
    return value


def _table(value: Any, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        _wrong(place, "a table", value)
    return value


def _each(kind: Callable[[Any, str], T], value: Any, place: str) -> tuple[T, ...]:
    return tuple(kind(item, f"item {n} of {place}") for n, item in enumerate(_list(value, place), start=1))


def _seat(value: Any, place: str, seats: int) -> int:
    if type(value) is not int or not 0 <= value < seats:
        raise ScenarioError(f"{place} names seat {value}, but the seats are 0 to {seats - 1}")
    return value
