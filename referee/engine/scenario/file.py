"""The format of scenario files: TOML text -> `Scenario`.

Checks what can be checked without playing it: the keys, their types and the seats they name. Whether moves are
legal and cards are in the pack is checked when it is played.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.engine.errors import ScenarioError
from referee.engine.toml import TomlTable, read_table

_CARD = "a whole number or a text in quotes"


@dataclass(frozen=True, slots=True)
class Script:
    """The `[chance]` table: the answers of chance before those of the seed."""

    seed: int = 0
    deck: tuple[int | str, ...] = ()
    dice: tuple[tuple[int | str, ...], ...] = ()
    picks: Mapping[str, int] = field(default_factory=dict)
    """The picks by purpose: "first" and "cut"."""


@dataclass(frozen=True, slots=True)
class Play:
    """One `[[play]]`: a seat's answer."""

    seat: int
    move: str
    say: str = ""
    """The table talk with the move; "" for none."""


@dataclass(frozen=True, slots=True)
class Expect:
    """The `[expect]` table; None and empty tables are not checked."""

    over: bool | None = None
    scores: tuple[float, ...] | None = None
    ranks: tuple[int, ...] | None = None
    to_act: tuple[int, ...] | None = None
    legal: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """Moves that are legal, by seat."""
    illegal: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """Moves that are not legal, by seat."""
    view: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    """Fields of the view and their values, by seat."""
    events: tuple[str, ...] = ()
    """Lines of the log, in order."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario file."""

    shows: str
    """What the scenario shows, in one line: the comment that opens the file; "" where there is none."""
    game: str
    seats: int
    options: Mapping[str, Any]
    script: Script
    plays: tuple[Play, ...]
    expect: Expect


def title(text: str) -> str:
    """Return the comment that opens a file, without its mark; "" where the first line is none."""
    first = text.lstrip("\ufeff").partition("\n")[0].strip()
    return first.lstrip("#").strip() if first.startswith("#") else ""


def parse(text: str) -> Scenario:
    """Return the scenario that a file's text describes.

    Raises ScenarioError, a sentence that names the key, where it describes none.
    """
    root = read_table(text, ScenarioError)
    root.check_keys(("game", "seats", "seed", "options", "chance", "play", "expect"))
    game, seats = root.text("game"), root.integer("seats", least=1)
    return Scenario(
        shows=title(text),
        game=game,
        seats=seats,
        options=root.table("options").values,
        script=_script(root),
        plays=tuple(_play(play, seats) for play in root.tables("play")),
        expect=_expect(root.table("expect"), seats),
    )


def _script(root: TomlTable) -> Script:
    chance = root.table("chance")
    chance.check_keys(("seed", "first", "deck", "dice", "cut"))
    if "seed" in root and "seed" in chance:
        raise ScenarioError("seed stands both at the top and in [chance]; one of them is enough")
    return Script(
        seed=root.integer("seed", chance.integer("seed", 0)),
        deck=chance.items("deck", (int, str), _CARD),
        dice=chance.lists("dice", (int, str), _CARD),
        picks={key: chance.integer(key) for key in ("first", "cut") if key in chance},
    )


def _play(play: TomlTable, seats: int) -> Play:
    play.check_keys(("seat", "move", "say"))
    seat = play.integer("seat")
    if not _is_seat(seat, seats):
        raise play.mistake("seat", _no_seat(seat, seats))
    return Play(seat, play.text("move", may_be_empty=True), play.text("say", "", may_be_empty=True))


def _expect(table: TomlTable, seats: int) -> Expect:
    table.check_keys(("over", "scores", "ranks", "to_act", "legal", "illegal", "view", "events"))
    scores: tuple[float, ...] = table.items("scores", (int, float), "a number")
    ranks = table.items("ranks", (int,), "a whole number")
    for key, numbers in (("scores", scores), ("ranks", ranks)):
        if key in table and len(numbers) != seats:
            word = "number" if len(numbers) == 1 else "numbers"
            raise table.mistake(key, f"has {len(numbers)} {word} for {seats} seats")
    to_act = table.items("to_act", (int,), "a seat")
    for seat in to_act:
        if not _is_seat(seat, seats):
            raise table.mistake("to_act", _no_seat(seat, seats))
    legal, illegal, view = table.table("legal"), table.table("illegal"), table.table("view")
    return Expect(
        over=table.flag("over") if "over" in table else None,
        scores=scores if "scores" in table else None,
        ranks=ranks if "ranks" in table else None,
        to_act=tuple(sorted(set(to_act))) if "to_act" in table else None,
        legal={seat: legal.texts(key) for seat, key in _seat_keys(legal, seats)},
        illegal={seat: illegal.texts(key) for seat, key in _seat_keys(illegal, seats)},
        view={seat: view.table(key).values for seat, key in _seat_keys(view, seats)},
        events=table.texts("events"),
    )


def _seat_keys(table: TomlTable, seats: int) -> Iterator[tuple[int, str]]:
    """Yield the seats that the keys of a table name, with these keys."""
    for key in table:
        if not (key.isdecimal() and len(key) < 10 and int(key) < seats):
            raise ScenarioError(f"{table.path} {_no_seat(key if len(key) < 10 else f'{key[:9]}...', seats)}")
        yield int(key), key


def _is_seat(seat: int, seats: int) -> bool:
    return 0 <= seat < seats


def _no_seat(seat: int | str, seats: int) -> str:
    return f"names seat {seat}, but the seats are 0 to {seats - 1}"
