"""Turn the view of a seat into an observation: a vector of fixed size.

An observation is made from the view alone, which is what a bot of that seat gets. So it holds nothing that the seat
may not know, and a bot makes the same observation from the message that it receives.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
from google.protobuf.message import Message
from numpy.typing import NDArray

from arena.envs import betting_layouts, exchange_layouts, trick_layouts
from arena.envs.compiled import native
from arena.envs.errors import EnvError, NoLayout
from arena.envs.features import Feature, packed
from arena.hooks.installed_entries import load, targets
from referee.engine.game import Game

Layout = Callable[[Game, Any, int], list[Feature]]

LAYOUTS: Final[dict[str, Layout]] = {
    "cambio": exchange_layouts.cambio,
    "coch": trick_layouts.coch,
    "cucco": exchange_layouts.cucco,
    "cucu": exchange_layouts.tokens,
    "hypp": betting_layouts.hypp,
    "kille": trick_layouts.kille,
    "lustu": exchange_layouts.tokens,
    "perudo": betting_layouts.perudo,
    "scopa": betting_layouts.scopa,
    "torionfo": trick_layouts.torionfo,
    "zifuli": trick_layouts.zifuli,
}
"""What the observations of each game are made of, by options and number of seats."""

LEFT_OUT: Final[Mapping[str, str]] = {
    "seat": "seats are counted from it",
    "said": "table talk has no fixed size",
    "teams": "they follow from the options",
    "hands": "of Kille, is empty but under `duplicate`, which shows it",
}
"""Fields of views that an observation need not show, and why."""

GROUP: Final = "arena.layouts"
"""The group of entry points by which packages bring the layouts of their games, by the names of the games."""

KEPT: Final = 1 << 10
"""How many encoded values of each feature are kept: most fields of a view are as they were at another question.

More would not fit into the caches of a processor, and cost more than they save.
"""


def layout(game: Game, options: Any, seats: int) -> list[Feature]:
    """Return what the observations of a game are made of: the features that are the same for all seats come first.

    Raises EnvError for a game without a layout.
    """
    features = find_layout(game.name)(game, options, seats)
    return sorted(features, key=lambda feature: (len(feature.fields) > 1, feature.depends_on_seat))


def describe(game: Game, options: Any, seats: int) -> list[tuple[str, int, int, str]]:
    """Return for each feature the fields of the view, the first index, the number of values, and what they mean."""
    rows, start = [], 0
    for feature in layout(game, options, seats):
        rows.append((", ".join(feature.fields), start, feature.size, feature.meaning))
        start += feature.size
    return rows


def find_layout(name: str) -> Layout:
    """Return the layout of a game. Raises NoLayout where it has none, EnvError where its package names a wrong one."""
    if name in LAYOUTS:
        return LAYOUTS[name]
    target = targets(GROUP).get(name)
    if target is None:
        raise NoLayout(
            f"{name} has no layout of observations: its package brings one by the entry point {name} in the group "
            f"{GROUP} (docs/training.md)"
        )
    try:
        found: Layout = load(target)
    except (ImportError, AttributeError) as error:
        raise EnvError(f"the layout of {name} cannot be loaded (entry point {target}): {error}") from error
    return found


def trainable_games() -> list[str]:
    """Return the names of all games that have a layout, those of packages last."""
    return [*LAYOUTS, *(name for name in sorted(targets(GROUP)) if name not in LAYOUTS)]


class Observer:
    """Makes the observations of a game, its options and a number of seats.

    size: the number of values, each from -1 to 1.
    """

    def __init__(self, game: Game, options: Any, seats: int) -> None:
        features = layout(game, options, seats)
        self.size = sum(feature.size for feature in features)
        self._features = features
        self._seats = seats
        self._encoder: Any = None
        self._of_all: list[tuple[Callable[..., bytes], int]] = []
        self._of_one: list[tuple[Callable[..., bytes], int]] = []
        self._of_several: list[tuple[Callable[..., bytes], tuple[int, ...]]] = []

    def encode(self, view: Any, seat: int) -> bytes:
        """Return the observation of a view, a NamedTuple of the game, as float32 values in a row."""
        if native:
            encoded: bytes = self.encoder(view._fields).encode(view, seat)
            return encoded
        return self.encode_slowly(view, seat)

    def encoder(self, names: tuple[str, ...]) -> Any:
        """Return what encodes views in C: a `native.Encoder`.

        names: the fields of a view.
        """
        if self._encoder is None:
            features = self._features
            self._encoder = native.Encoder(features, [_kept(feature) for feature in features], names, self._seats)
        return self._encoder

    def encode_slowly(self, view: Any, seat: int) -> bytes:
        """Return the same by Python alone: what C must agree with."""
        if not self._of_one:
            self._bind(view._fields)
        parts = [encode(view[at]) for encode, at in self._of_all]
        parts += [encode(seat, view[at]) for encode, at in self._of_one]
        for encode, places in self._of_several:
            parts.append(encode(seat, *[view[at] for at in places]))
        return b"".join(parts)

    def observe(self, view: Any, seat: int) -> NDArray[np.float32]:
        """Return the observation of a view as an array of shape (size,). It can be written to."""
        return np.frombuffer(bytearray(self.encode(view, seat)), dtype=np.float32)

    def observe_message(self, message: Message) -> NDArray[np.float32]:
        """Return the same observation of a view as a bot gets it: as the game's view message."""
        values = _values(message)
        seat = values["seat"]
        parts = [feature.encode(seat, *[values[name] for name in feature.fields]) for feature in self._features]
        whole = b"".join([part if isinstance(part, bytes) else packed(part) for part in parts])
        return np.frombuffer(bytearray(whole), dtype=np.float32)

    def _bind(self, names: Sequence[str]) -> None:
        for feature in self._features:
            places = tuple([names.index(name) for name in feature.fields])
            if len(places) == 1 and not feature.depends_on_seat:
                self._of_all.append((_kept(feature, 0), places[0]))
            elif len(places) == 1:
                self._of_one.append((_kept(feature), places[0]))
            else:
                self._of_several.append((_kept(feature), places))


def _kept(feature: Feature, *first: int) -> Callable[..., bytes]:
    """Return what encodes a feature and keeps results.

    first: what it is called with before its arguments: a seat.
    """

    @lru_cache(maxsize=KEPT)
    def encode(*values: Any) -> bytes:
        encoded = feature.encode(*first, *values)
        return encoded if isinstance(encoded, bytes) else packed(encoded)

    return encode


def _values(message: Message) -> dict[str, Any]:
    """Return the fields of a message as the view of the rules has them: None where one is absent, tuples for lists."""
    values: dict[str, Any] = {}
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        if field.is_repeated:
            value = tuple([tuple(_values(part).values()) if isinstance(part, Message) else part for part in value])
        elif field.has_presence and not message.HasField(field.name):
            value = None
        values[field.name] = value
    return values
